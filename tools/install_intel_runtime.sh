#!/usr/bin/env bash
# Installs Intel's OpenCL runtime for x86-64 processors (of any maker), from PyPI, into .cache/intel of this tree: one
# more compiler for the tests to run on. Nothing needs it, and nothing outside the folder changes; it takes 1 GB, and
# its licence is Intel's own.
#   tools/install_intel_runtime.sh [FOLDER]
# CMake finds it there (SINTER_INTEL_RUNTIME for another FOLDER) and adds the tests NAME.intel.STYLE.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-$PWD/.cache/intel}
library=$folder/lib/libintelocl.so

say() { printf 'intel runtime: %s\n' "$*"; }
fail() { printf 'intel runtime: %s\n' "$*" >&2; exit 1; }

# The loader's own reason, which OpenCL would keep to itself.
loads() { python3 -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$library"; }

[ "$(uname -m)" = x86_64 ] || fail "there is one for x86-64 only, this is $(uname -m)"
if [ -e "$library" ] && loads 2>/dev/null; then
    say "is installed: $library"
    exit 0
fi

say "installing into $folder (300 MB to fetch)"
mkdir -p "$(dirname "$folder")"
python3 -m venv "$folder" || fail "Python cannot make a virtual environment (Debian: python3-venv)"
# The second package holds libraries that the first loads and does not ask for.
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check intel-opencl-rt intel-cmplr-lib-rt ||
    fail "pip could not install it"
[ -e "$library" ] || fail "the packages are installed, but have no $library"
loads || fail "$library does not load, see above"
say "installed: $library"
say "configure again to test on it: cmake --preset release"
