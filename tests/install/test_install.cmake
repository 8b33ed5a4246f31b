# Installs a build under a prefix, moves the prefix, and embeds what is there as a stranger would: the examples as C
# with pkg-config, as C and C++ with find_package, each header alone.
#   cmake -DBUILD=... -DSOURCE=... -DDIRECTORY=... -DC_COMPILER=... [-DC_FLAGS=...] [-DCXX_COMPILER=...] -P test_install.cmake
cmake_minimum_required(VERSION 3.21)
separate_arguments(flags UNIX_COMMAND "${C_FLAGS}")

# Runs a command; OUTPUT gets what it prints.
macro(run)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE status
        OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ARGN}\nfailed: ${status}\n${output}\n${errors}")
    endif()
endmacro()

macro(expect what pattern)
    if(NOT output MATCHES "${pattern}")
        message(FATAL_ERROR "${what}: '${pattern}' is not in\n${output}")
    endif()
endmacro()

file(REMOVE_RECURSE ${DIRECTORY})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${DIRECTORY}/first)
set(prefix ${DIRECTORY}/moved)
file(RENAME ${DIRECTORY}/first ${prefix})
file(GLOB_RECURSE libraries ${prefix}/*/libsinter.so)
list(POP_FRONT libraries library)
get_filename_component(libdir ${library} DIRECTORY)

# What is there, and what it needs.
file(GLOB wanted RELATIVE ${SOURCE}/include ${SOURCE}/include/sinter/*.h)
file(GLOB_RECURSE installed RELATIVE ${prefix}/include ${prefix}/include/*)
if(NOT wanted STREQUAL installed)
    message(FATAL_ERROR "installed headers: ${installed}; those of include/: ${wanted}")
endif()
# (A sanitizer brings a C++ runtime of its own.)
run(ldd ${library})
if(NOT C_FLAGS MATCHES "-fsanitize" AND output MATCHES "libstdc\\+\\+|libc\\+\\+|OpenCL|clblast")
    message(FATAL_ERROR "${library} depends on\n${output}")
endif()
run(readelf -dlW ${library})
expect("relocations are read-only" "GNU_RELRO")
expect("relocations are resolved at once" "BIND_NOW|NOW")
run(${prefix}/bin/sinter --version)
expect("the command" "^sinter [0-9]+\\.[0-9]+\\.[0-9]+$")
set(version ${output})

# Each header alone.
foreach(header IN LISTS installed)
    file(WRITE ${DIRECTORY}/header.c "#include <${header}>\n#include <${header}>\nint main(void) { return 0; }\n")
    run(${C_COMPILER} -std=c11 -pedantic -Wall -Wextra -Wshadow -Wconversion -Wundef -Werror -fsyntax-only
        -I${prefix}/include ${DIRECTORY}/header.c)
    if(CXX_COMPILER)
        run(${CXX_COMPILER} -x c++ -std=c++11 -pedantic -Wall -Wextra -Wshadow -Wconversion -Wundef -Werror
            -fsyntax-only -I${prefix}/include ${DIRECTORY}/header.c)
    endif()
endforeach()

# With pkg-config.
set(ENV{PKG_CONFIG_PATH} ${libdir}/pkgconfig)
run(pkg-config --modversion sinter)
if(NOT version STREQUAL "sinter ${output}")
    message(FATAL_ERROR "the command says ${version}, sinter.pc ${output}")
endif()
run(pkg-config --cflags --libs sinter)
separate_arguments(by_pkg_config UNIX_COMMAND "${output}")
run(${C_COMPILER} ${flags} ${SOURCE}/examples/hello.c ${by_pkg_config} -o ${DIRECTORY}/hello)
run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libdir} ${DIRECTORY}/hello)
expect("hello" "^-0\\.137831 2\\.38033\n-0\\.165654 1\\.28694$")
run(pkg-config --cflags --libs --static sinter)
string(REPLACE "-lsinter" "-l:libsinter.a" output "${output}")
separate_arguments(by_pkg_config UNIX_COMMAND "${output}")
run(${C_COMPILER} ${flags} ${SOURCE}/examples/hello.c ${by_pkg_config} -o ${DIRECTORY}/hello_static)
run(${DIRECTORY}/hello_static)
expect("hello, static" "^-0\\.137831 2\\.38033\n")

# With find_package: the examples as a project of their own.
run(${CMAKE_COMMAND} -S ${SOURCE}/examples -B ${DIRECTORY}/examples -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${C_COMPILER} "-DCMAKE_C_FLAGS=${C_FLAGS}" "-DCMAKE_CXX_FLAGS=${C_FLAGS}")
run(${CMAKE_COMMAND} --build ${DIRECTORY}/examples)
run(${DIRECTORY}/examples/hello)
expect("hello" "2\\.38033")
run(${DIRECTORY}/examples/train)
expect("train" "0 plans, 0 compiles, 0 allocations")
if(EXISTS ${DIRECTORY}/examples/photo)
    run(${DIRECTORY}/examples/photo ${DIRECTORY}/photo.png)
    expect("photo" "launches: 1,")
endif()
if(CXX_COMPILER)
    run(${DIRECTORY}/examples/embed)
    expect("embed" "^0 0\\.905148 0\\.995055 in 1 launch")
endif()
message(STATUS "installed, moved, embedded: ${prefix}")
