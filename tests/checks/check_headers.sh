#!/bin/sh
# Every public header compiles alone, as C11 and as C++, strictly.
#   check_headers.sh INCLUDE_FOLDER
status=0
for compiler in "${CC:-cc} -std=c11 -x c" "${CXX:-c++} -std=c++11 -x c++"; do
    command -v "${compiler%% *}" >/dev/null || {
        echo "skipped: ${compiler%% *} is not installed"
        exit 77
    }
    for header in "$1"/sinter/*.h; do
        # The compiler's words are wanted apart.
        # shellcheck disable=SC2086
        printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
            $compiler -fsyntax-only -pedantic-errors -Wall -Wextra -Werror -I"$1" - || status=1
    done
done
exit $status
