#!/usr/bin/env bash
# Installs the libraries that `bench/peers/run.py` compares with, from PyPI, into .cache/peers of this tree. Nothing else
# needs them, and nothing outside the folder changes.
#   bench/peers/setup.sh [NAME ...]      jax torch tinygrad numexpr; all of them by default
# One that cannot be installed is left out, and so it is from the comparison.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$PWD/.cache/peers
python=$folder/bin/python
peers=("$@")
[ ${#peers[@]} -gt 0 ] || peers=(jax torch tinygrad numexpr)
left_out=()

say() { printf 'peers: %s\n' "$*"; }
install() { "$python" -m pip install --quiet --disable-pip-version-check "$@"; }

# What a peer fetches and what it takes on the disk.
size_of() {
    case $1 in
    jax) echo '130 MB to fetch, 400 MB on the disk' ;;
    torch) echo '550 MB to fetch, 1.6 GB on the disk' ;;
    tinygrad) echo '3 MB to fetch, 20 MB on the disk' ;;
    numexpr) echo '1 MB to fetch' ;;
    *) return 1 ;;
    esac
}

# PyTorch on PyPI is built for CUDA, whose 2.5 GB a processor never runs: empty libraries stand in for them.
install_torch() {
    install --no-deps torch && install filelock typing-extensions 'setuptools>=77' sympy networkx jinja2 fsspec &&
        "$python" bench/peers/cuda_stand_ins.py
}

for peer in "${peers[@]}"; do
    size=$(size_of "$peer") || { say "there is no $peer; there are jax, torch, tinygrad, numexpr"; exit 2; }
    say "$peer: $size"
done
say "numpy, scipy and matplotlib, for the comparison itself: 70 MB to fetch"
[ -x "$python" ] || python3 -m venv "$folder" || { say 'Python cannot make a virtual environment (python3-venv)'; exit 1; }
install numpy scipy matplotlib
for peer in "${peers[@]}"; do
    say "installing $peer"
    if [ "$peer" = torch ]; then
        install_torch || left_out+=("$peer")
    else
        install "$peer" || left_out+=("$peer")
    fi
done
[ ${#left_out[@]} -eq 0 ] || say "left out: ${left_out[*]}"
say "installed: $folder; run bench/peers/run.py"
