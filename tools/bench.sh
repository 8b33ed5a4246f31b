#!/usr/bin/env bash
# One command from a fresh Debian machine to the benchmark: installs what is missing, builds, and measures what fusion
# wins on the default device.
#   tools/bench.sh [ARGUMENT...]       arguments of `sinter bench`: --device, --filter, --json, --list ...
set -euo pipefail
cd "$(dirname "$0")/.."
tools/build.sh release sinter_cli >&2
exec build/sinter bench "$@"
