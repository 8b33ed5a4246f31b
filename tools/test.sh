#!/usr/bin/env bash
# One command from a fresh Debian machine to the tests: installs what is missing, builds, and runs every test that is
# not `long`, on every OpenCL driver that is installed and on the host reference device.
#   tools/test.sh [ARGUMENT...]        arguments of ctest: -R test_tiny, -L host ...
# The last line is ctest's own verdict: "100% tests passed, 0 tests failed out of N".
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh release

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
ctest --preset release --parallel "$(nproc)" "$@" 2>&1 | tee "$log" || status=$?
grep -E '^[0-9]+% tests passed' "$log" || echo "no test was run"
exit "$status"
