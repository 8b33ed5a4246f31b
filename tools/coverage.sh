#!/usr/bin/env bash
# How much of the library its own tests run: lines and branches, by file, by folder and in all, the least covered first.
#   tools/coverage.sh                   builds, runs the tests of the host and those on PoCL that reach what they cannot
#   tools/coverage.sh -R test_tiny ...  the same with the tests that these arguments of ctest name
#   tools/coverage.sh --report          counts what has run since, and runs nothing
# It builds in build-coverage/, and leaves every line with its counts in build-coverage/coverage/index.html. It fails where a test
# fails, and with all of them where fewer than 95 % of the lines or 90 % of the branches have run.
set -euo pipefail
cd "$(dirname "$0")/.."
build="build-coverage"
command -v gcovr >/dev/null || { echo "coverage: gcovr is missing (Debian: apt-get install gcovr)" >&2; exit 1; }

# Not run: checks of the repository, which call nothing of the library, and a campaign that takes minutes when each branch is counted.
not_run='^(check_|test_install|test_mutants|test_fuzz|campaign.host.batches)'
# On a driver: what calls OpenCL, what fails in it, and devices that are played; not what only compiles many kernels.
on_pocl='^test_(cl_faults|late|build|bad_input|budget|promise|red_zone|cache|personality|opencl|map|cancel|clblast'
on_pocl+='|priorities|trace|tiny|doctor)[.].*pocl|^test_(map_apart|tiny_small)[.]pocl'
on_pocl+='|^test_(devices|devices_faults|shard|shard_faults)[.]pocl_(halves|apart)$'
# Shuffles between work-items are proven only where a driver has them.
on_pocl+='|^test_shuffles[.]intel$'

tests() # ARGUMENT...
{
    ctest --preset coverage --parallel "$(nproc)" "$@" || status=$?
}

# core/gen_ops.c is a program of the build and no part of the library.
report()
{
    mkdir -p "$build/coverage"
    # shellcheck disable=SC2086 # several words, or none
    gcovr --root . --object-directory "$build" -j "$(nproc)" --exclude-unreachable-branches \
        --filter '(core|memory|fusion|executor)/' --exclude core/gen_ops.c --html-details "$build/coverage/index.html" \
        --csv "$build/coverage/files.csv" $limits "$build" || status=$?
    # The columns of the table that are read: file, lines, lines that ran, branches, branches that ran.
    awk -F, '
        function percent(of, all) { return all ? 100 * of / all : 100 }
        function row(name) {
            printf "%6.1f %6.1f %7d of %5d %7d of %5d  %s\n", percent(ran[name], lines[name]),
                percent(taken[name], branches[name]), lines[name] - ran[name], lines[name],
                branches[name] - taken[name], branches[name], name
        }
        function add(name) { lines[name] += $2; ran[name] += $3; branches[name] += $5; taken[name] += $6 }
        NR > 1 { add($1); folder = $1; sub("/[^/]*$", "/", folder); add(folder); add("all") }
        END { for (name in lines) row(name) }' "$build/coverage/files.csv" | sort -n >"$build/coverage/rows"
    printf '%6s %6s %16s %16s\n' '% of' '% of' 'lines not run' 'branches not'
    printf '%6s %6s %16s %16s\n' lines branch '' taken
    grep '\.[ch]$' "$build/coverage/rows" || true
    echo
    grep '/$' "$build/coverage/rows" || true
    grep ' all$' "$build/coverage/rows"
}

status=0
limits=
[ $# -gt 0 ] || limits="--fail-under-line 95 --fail-under-branch 90" # of all tests, not of chosen ones
if [ "${1:-}" != --report ]; then
    tools/build.sh coverage
    find "$build" -name '*.gcda' -delete
    if [ $# -gt 0 ]; then
        tests "$@"
    else
        tests -L '^host$' -LE '^(slow|long)$' -E "$not_run"
        tests -R "$on_pocl" -LE '^long$'
    fi
fi
report
exit "$status"
