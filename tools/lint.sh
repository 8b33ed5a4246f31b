#!/usr/bin/env bash
# Static checks over the C files of the project: warnings of clang, gcc's analyzer, clang-tidy and cppcheck. No finding
# is the only pass.
#
#   tools/lint.sh [-b BUILD] [FILE ...]    .c or .h; without files: every one that the build compiles
#
# Each file is looked at by a process of its own. One that passed is not looked at again until it, a header, or this
# script changes: BUILD/lint has a mark for it.
set -uo pipefail
cd "$(dirname "$0")/.."
build=build
if [ "${1:-}" = -b ]; then
    build=$2
    shift 2
fi
for tool in clang-14 clang-tidy-14 cppcheck gcc; do
    command -v "$tool" >/dev/null || {
        echo "skipped: $tool is not installed"
        exit 77
    }
done
[ -f "$build/compile_commands.json" ] || {
    echo "lint: there is no $build/compile_commands.json; build first"
    exit 2
}

warnings="-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef -Wformat=2 -Werror"
flags="-D_POSIX_C_SOURCE=200809L -DCL_TARGET_OPENCL_VERSION=120 -I. -Iinclude -Itools -Itests"
# What the build defines on the command line, or makes.
flags="$flags -DSINTER_HAS_BENCH -DSINTER_SOURCE_DIR=\"\" -DSINTER_BINARY_DIR=\"\""

# One file; prints what is found and fails, or leaves its mark.
look() {
    file=$1
    mark=$build/lint/$(echo "$file" | tr / _)
    sum=$({
        gcc -std=c11 $flags -E -C "$file" 2>&1
        cat .clang-tidy tools/lint.sh
    } | sha256sum)
    [ "$(cat "$mark" 2>/dev/null)" = "$sum" ] && return 0
    # A header is looked at as a file that includes nothing else, and has no use for all that it gives.
    as=
    in_cppcheck=
    case $file in
    *.h)
        as="-x c -Wno-unused-function"
        in_cppcheck=--language=c
        ;;
    esac
    # The host reference device is compiled with that; and gcc does not know that cmocka's asserts end a test.
    case $file in
    executor/host/*) own=-fno-strict-aliasing ;;
    tests/*) own=-Wno-analyzer-possible-null-dereference ;;
    # It loses what is stored at an index that it does not know; the leak sanitizer runs over this file too.
    tools/selftest/generate.c) own=-Wno-analyzer-malloc-leak ;;
    *) own= ;;
    esac
    # A quarter of the states that clang's analyzer looks at by itself, in a third of the time: gcc's has been here too.
    # Of tests, over which the address sanitizer runs, it looks at fewer yet.
    states=60000
    case $file in
    tests/*) states=20000 ;;
    esac
    found=$({
        clang-14 -std=c11 $flags $warnings $as -O1 -ffp-contract=off -fsyntax-only "$file" ||
            echo "$file: clang"
        # The optimiser has to run for the analyzer to see what a loop does.
        gcc $as -std=c11 $flags $own -O1 -fanalyzer -Werror -c -o /dev/null "$file" || echo "$file: gcc -fanalyzer"
        cppcheck --quiet $in_cppcheck --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
            --suppress=unknownMacro:core/ops.def $flags "$file" || echo "$file: cppcheck"
        clang-tidy-14 --quiet "$file" -- $as -std=c11 $flags -Xclang -analyzer-config -Xclang max-nodes=$states 2>/dev/null || echo "$file: clang-tidy"
    } 2>&1)
    if [ -n "$found" ]; then
        echo "$found"
        return 1
    fi
    echo "$sum" >"$mark"
}
export -f look
export build flags warnings

mkdir -p "$build/lint"
if [ $# -gt 0 ]; then
    printf '%s\n' "$@"
else
    # What is made at build time is not ours to lint.
    sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" | grep -v "/$(basename "$build")/" |
        grep '\.c$' | sed "s|^$PWD/||" | sort -u
fi | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'look "$1"' look {}
status=$?
[ "$status" -eq 0 ] && echo "nothing found"
exit "$status"
