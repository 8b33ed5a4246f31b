# Writes OUTPUT, a C file that holds each of FILES (names separated by |, in DIRECTORY) as bytes.
#   cmake -DOUTPUT=... -DDIRECTORY=... "-DFILES=a.cl|b.cl" -P embed.cmake
cmake_minimum_required(VERSION 3.21)

string(REPLACE "|" ";" FILES "${FILES}")
set(arrays "")
set(rows "")
foreach(name IN LISTS FILES)
    file(READ "${DIRECTORY}/${name}" hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR bytes "${digits} / 2")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," list "${hex}")
    string(MAKE_C_IDENTIFIER "${name}" id)
    string(APPEND arrays "static const char ${id}[] = {${list}0};\n")
    string(APPEND rows "    {\"${name}\", ${id}, ${bytes}},\n")
endforeach()
file(WRITE "${OUTPUT}" "/* Made by cmake/embed.cmake. */
#include \"fusion/library.h\"

${arrays}
const sinter__embedded_file sinter__embedded_files[] = {
${rows}};
const size_t sinter__embedded_file_count = sizeof sinter__embedded_files / sizeof sinter__embedded_files[0];
")
