#!/usr/bin/env bash
# Installs the Debian packages that building and testing sinter wants and that are missing. Where nothing is missing it
# changes nothing, and needs neither root nor a network.
#   tools/setup.sh
set -euo pipefail

# A line per package: its name, and the command that it brings where another one will do as well (a cmake from
# elsewhere, say).
packages='
gcc                  cc
g++                  c++
clang-14             clang-14
libclang-rt-14-dev
cmake                cmake
ninja-build          ninja
pkg-config           pkg-config
ocl-icd-libopencl1
opencl-headers
pocl-opencl-icd
mesa-opencl-icd
oclgrind
libclblast1
clinfo               clinfo
libcmocka-dev
libpng-dev
python3              python3
python3-numpy
clang-format-14      clang-format-14
clang-tidy-14        clang-tidy-14
cppcheck             cppcheck
valgrind             valgrind
'

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

is_there() # PACKAGE [COMMAND]
{
    { [ -n "${2:-}" ] && command -v "$2" >/dev/null; } ||
        dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

missing()
{
    while read -r package command; do
        [ -z "$package" ] || is_there "$package" "$command" || printf '%s\n' "$package"
    done <<<"$packages"
}

install() # PACKAGE...
{
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "installing them needs root, and there is no sudo"
        # Where nobody can type a password, fail at once.
        if [ -t 0 ]; then apt=(sudo "${apt[@]}"); else apt=(sudo -n "${apt[@]}"); fi
    fi
    local install=("${apt[@]}" install -y --no-install-recommends "$@")
    # The lists that are there may do: an update only where they do not.
    if ! "${install[@]}" --download-only >/dev/null 2>&1; then
        say "apt-get update"
        "${apt[@]}" update || fail "apt-get update failed"
    fi
    say "apt-get install (minutes on a fresh machine)"
    "${install[@]}" >/dev/null || fail "apt-get install failed; missing: $*"
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "not a Debian system: nothing is installed here. Wanted, under whatever names they have:"
    awk 'NF {print "    " $1}' <<<"$packages"
    exit 0
fi

mapfile -t wanted < <(missing)
if [ ${#wanted[@]} -gt 0 ]; then
    say "missing: ${wanted[*]}"
    install "${wanted[@]}"
    mapfile -t wanted < <(missing)
    [ ${#wanted[@]} -eq 0 ] || fail "still missing: ${wanted[*]}"
fi
say "everything is installed"
