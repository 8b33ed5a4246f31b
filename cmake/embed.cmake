# Writes OUTPUT, a C file that holds each of FILES (names separated by |, in DIRECTORY) as bytes, without
# comments and blank lines and with tabs for indentation: a third of the text, which every program would carry.
#   cmake -DOUTPUT=... -DDIRECTORY=... "-DFILES=a.cl|b.cl" [-DHEADER=... -DTYPE=... -DNAME=...] [-DPROFILES=ON]
#         -P embed.cmake
# PROFILES: comments are those of device profiles, from # to the end of the line.
# The arrays are NAMEs and NAME_count, of TYPE {name, text, bytes}, declared in HEADER. In the library's own, what is
# said most often is a byte that stands for it, its place in sinter__embedded_phrases, which saves as much again;
# fusion/library/words.c writes it out.
cmake_minimum_required(VERSION 3.21)

if(NOT HEADER)
    set(HEADER fusion/library/library.h)
    set(TYPE sinter__embedded_file)
    set(NAME sinter__embedded_file)
    set(phrase_1 " (T)(")
    set(phrase_2 ");\n\tp = fma(p, ")
    set(phrase_3 ";\n\tT ")
    set(phrase_4 "\n\treturn ")
    set(phrase_5 " = fma(")
    set(phrase_6 "0x1.")
    set(phrase_7 " = (")
    set(phrases "const char sinter__embedded_phrases[SINTER__PHRASES][SINTER__PHRASE] = {{0}")
    foreach(k RANGE 1 7)
        string(REPLACE "\n" "\\n" phrase "${phrase_${k}}")
        string(REPLACE "\t" "\\t" phrase "${phrase}")
        string(APPEND phrases ", \"${phrase}\"")
    endforeach()
    string(APPEND phrases "};")
endif()
string(REPLACE "|" ";" FILES "${FILES}")
set(arrays "")
set(rows "")
foreach(name IN LISTS FILES)
    file(READ "${DIRECTORY}/${name}" text)
    string(REGEX REPLACE "/[*][^*]*[*]+([^/*][^*]*[*]+)*/" "" text "${text}")
    if(PROFILES)
        string(REGEX REPLACE "#[^\n]*" "" text "${text}")
    endif()
    string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
    string(REGEX REPLACE "\n\n+" "\n" text "${text}")
    string(REPLACE "    " "\t" text "${text}")
    if(phrases)
        foreach(k RANGE 1 7)
            string(ASCII ${k} byte)
            string(REPLACE "${phrase_${k}}" "${byte}" text "${text}")
        endforeach()
    endif()
    string(HEX "${text}" hex)
    string(LENGTH "${hex}" digits)
    math(EXPR bytes "${digits} / 2")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," list "${hex}")
    string(MAKE_C_IDENTIFIER "${name}" id)
    string(APPEND arrays "static const char ${id}[] = {${list}0};\n")
    string(APPEND rows "    {\"${name}\", ${id}, ${bytes}},\n")
endforeach()
file(WRITE "${OUTPUT}" "/* Made by cmake/embed.cmake. */
#include \"${HEADER}\"

${phrases}
${arrays}
const ${TYPE} ${NAME}s[] = {
${rows}};
const size_t ${NAME}_count = sizeof ${NAME}s / sizeof ${NAME}s[0];
")
