#!/bin/sh
# Every C file is as clang-format has it. Version 14: others break lines elsewhere.
#   check_format.sh SOURCE_FOLDER
tool=$(command -v clang-format-14) || {
    echo "skipped: clang-format-14 is not installed"
    exit 77
}
cd "$1" || exit 1
find core memory fusion executor include tools bench tests examples -name 'build*' -prune -o \
    \( -name '*.c' -o -name '*.h' \) -print | xargs "$tool" --dry-run --Werror
