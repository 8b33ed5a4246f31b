#!/usr/bin/env bash
# Installs what is missing and builds a preset of CMakePresets.json.
#   tools/build.sh PRESET [TARGET]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
target=${2:-all}

tools/setup.sh
printf 'build: configuring (%s)\n' "$preset"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    printf 'build: CMake could not configure, see above\n' >&2
    exit 1
fi
grep -E 'OpenCL driver|with NumPy' "$log" || true
printf 'build: compiling\n'
cmake --build --preset "$preset" --target "$target"
