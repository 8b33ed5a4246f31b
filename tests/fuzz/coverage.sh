#!/bin/sh
# Line coverage of fusion/ and memory/ by the fuzz targets: each replays its seeds, and what FOLDER/TARGET holds of them
# (new inputs, of a run by hand). Prints a line per file and per layer; OUT/missed.txt has the lines that none reaches.
#
#     tests/fuzz/coverage.sh [OUT [FOLDER]]       OUT: where it builds, build-fuzz-coverage if not said
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$root/build-fuzz-coverage}
more=${2:-}
targets="fuzz_api:api fuzz_program:program fuzz_plan:plan fuzz_schema:schema fuzz_size:size fuzz_profile:profile
fuzz_memory:memory"

for tool in llvm-profdata-14 llvm-cov-14; do
    command -v "$tool" >/dev/null || { echo "coverage: $tool is missing (Debian: llvm-14)" >&2; exit 1; }
done
cmake -S "$root" -B "$out" -G Ninja -DSINTER_FUZZ_COVERAGE=ON >/dev/null
# shellcheck disable=SC2046 # one word for each target
cmake --build "$out" -j2 --target $(for t in $targets; do echo "${t%:*}_program"; done) >"$out/build.log" ||
    { cat "$out/build.log" >&2; exit 1; }
rm -f "$out"/fuzz-*.profraw
objects=
for t in $targets; do
    name=${t%:*}
    seeds=$root/tests/fuzz/${t#*:}
    new=
    [ -z "$more" ] || [ ! -d "$more/$name" ] || new=$more/$name
    LLVM_PROFILE_FILE=$out/fuzz-$name.profraw "$out/tests/$name" -runs=0 -close_fd_mask=3 -verbosity=0 \
        "$seeds" ${new:+"$new"}
    objects="$objects${objects:+ -object }$out/tests/$name"
done
llvm-profdata-14 merge -o "$out/fuzz.profdata" "$out"/fuzz-*.profraw

# shellcheck disable=SC2086 # several words
llvm-cov-14 export -format=lcov $objects -instr-profile="$out/fuzz.profdata" >"$out/fuzz.lcov"
: >"$out/missed.txt"
# A line of a .c file counts once, whichever target reaches it.
awk -F'[:,]' -v missed="$out/missed.txt" '
    $1 == "SF" {
        n = split($2, part, "/")
        layer = part[n - 1]
        file = layer "/" part[n]
        counts = layer ~ /^(fusion|memory)$/ && file ~ /\.c$/
    }
    $1 == "DA" && counts {
        lines[file]++; lines[layer "/"]++
        if ($3 > 0) { hit[file]++; hit[layer "/"]++ } else print file ":" $2 >missed
    }
    END { for (f in lines) printf "%6.2f %%  %5d of %5d  %s\n", 100 * hit[f] / lines[f], hit[f], lines[f], f }
    ' "$out/fuzz.lcov" | sort -k6
