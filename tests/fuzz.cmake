# Fuzzing, where clang has libFuzzer: fuzz/README.md. Not in builds with sanitizers, or for valgrind: targets have their own
# sanitizers, so that they would be the same.

find_program(SINTER_CLANG NAMES clang-14 clang)
option(SINTER_FUZZ_COVERAGE "The targets count lines, in place of looking for faults: fuzz/coverage.sh" OFF)
set(fuzz_flags -g -O1 -std=gnu11)
if(SINTER_FUZZ_COVERAGE)
    list(APPEND fuzz_flags -fprofile-instr-generate -fcoverage-mapping)
else()
    list(APPEND fuzz_flags -fsanitize=address,undefined -fno-sanitize-recover=all)
endif()
if(SINTER_CLANG AND NOT DEFINED SINTER_HAS_FUZZER)
    set(probe ${CMAKE_CURRENT_BINARY_DIR}/fuzz_probe)
    file(WRITE ${probe}.c "#include <stddef.h>\nint LLVMFuzzerTestOneInput(const void *d, size_t n) { (void)d; return n > 9; }\n")
    execute_process(COMMAND ${SINTER_CLANG} ${fuzz_flags} -fsanitize=fuzzer ${probe}.c -o ${probe} RESULT_VARIABLE status
        OUTPUT_QUIET ERROR_QUIET)
    string(COMPARE EQUAL "${status}" 0 has_fuzzer)
    set(SINTER_HAS_FUZZER ${has_fuzzer} CACHE INTERNAL "clang has libFuzzer")
endif()
if(NOT SINTER_HAS_FUZZER OR SINTER_VALGRIND OR CMAKE_C_FLAGS MATCHES "-fsanitize")
    message(STATUS "nothing is fuzzed: no libFuzzer, or a build that checks memory itself")
    if(NOT SINTER_HAS_FUZZER AND NOT SINTER_VALGRIND AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
        sinter_add_test(test_fuzz_missing host 10 sh -c "echo skipped: clang has no libFuzzer; exit 77")
    endif()
    return()
endif()

# Object file of `source` in `objects` of the caller.
set(fuzz_includes -I${CMAKE_SOURCE_DIR} -I${CMAKE_SOURCE_DIR}/include -I${CMAKE_SOURCE_DIR}/tools
    -isystem ${SINTER_OPENCL_HEADERS})
function(sinter_fuzz_object source)
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${source})
    string(REGEX REPLACE "[^a-zA-Z0-9]" "_" object ${path})
    set(object ${CMAKE_CURRENT_BINARY_DIR}/fuzz_objects/${object}.o)
    get_property(known GLOBAL PROPERTY SINTER_FUZZ_OBJECTS) # several targets have some
    if(NOT object IN_LIST known)
        set_property(GLOBAL APPEND PROPERTY SINTER_FUZZ_OBJECTS ${object})
        add_custom_command(OUTPUT ${object}
            COMMAND ${CMAKE_C_COMPILER_LAUNCHER} ${SINTER_CLANG} ${fuzz_flags} -fsanitize=fuzzer-no-link -ffp-contract=off
                    -fno-strict-aliasing -D_POSIX_C_SOURCE=200809L -DCL_TARGET_OPENCL_VERSION=120 ${fuzz_includes}
                    -MD -MF ${object}.d -c ${source} -o ${object}
            DEPENDS ${source} DEPFILE ${object}.d VERBATIM)
    endif()
    set(objects ${objects} ${object} PARENT_SCOPE)
endfunction()

# The library once more, as the targets want it compiled.
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fuzz_objects)
set(objects)
foreach(layer IN ITEMS core memory fusion executor)
    get_target_property(sources sinter_${layer} SOURCES)
    foreach(source IN LISTS sources)
        get_filename_component(source ${source} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
        sinter_fuzz_object(${source})
    endforeach()
endforeach()
set(library ${CMAKE_CURRENT_BINARY_DIR}/libsinter_fuzz.a)
add_custom_command(OUTPUT ${library}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
    COMMAND ${CMAKE_AR} qcs ${library} ${objects}
    DEPENDS ${objects} VERBATIM)
add_custom_target(fuzz_library DEPENDS ${library})
add_dependencies(fuzz_library sinter_fusion sinter_executor) # they generate sources

# Target NAME from fuzz/NAME.c and other sources; its test replays fuzz/FOLDER and goes on for RUNS with inputs of at most
# BYTES; fuzz/FOLDER.dict are words that it may use. A test NAME.long goes on for 60 million or 20 minutes.
function(sinter_fuzz name folder runs bytes)
    set(program ${CMAKE_CURRENT_BINARY_DIR}/${name})
    set(objects)
    foreach(source IN ITEMS fuzz/${name}.c ${ARGN})
        get_filename_component(source ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
        sinter_fuzz_object(${source})
    endforeach()
    set(closed 2) # what tools/instance.c has to say
    # What fuzz/api_recorder.c takes the place of.
    set(wraps)
    if("fuzz/api_recorder.c" IN_LIST ARGN)
        set(closed 1)
        foreach(symbol IN ITEMS backend_host_open room_check shuffles_hold clblast_load)
            list(APPEND wraps -Wl,--wrap=sinter__${symbol})
        endforeach()
    endif()
    add_custom_command(OUTPUT ${program}
        COMMAND ${SINTER_CLANG} ${fuzz_flags} -fsanitize=fuzzer ${objects} ${library} ${wraps} -lm -lpthread -ldl
                -o ${program}
        DEPENDS ${objects} ${library} VERBATIM)
    add_custom_target(${name}_program ALL DEPENDS ${program})
    add_dependencies(${name}_program fuzz_library)
    set(dictionary)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${folder}.dict)
        set(dictionary -dict=${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${folder}.dict)
    endif()
    foreach(length IN ITEMS "" .long)
        set(new ${CMAKE_CURRENT_BINARY_DIR}/${name}${length}.new)
        set(label host)
        set(timeout 900)
        set(limits "-seed=1 -runs=${runs}")
        if(length)
            set(label long)
            set(timeout 3600)
            set(limits "-runs=60000000 -max_total_time=1200")
        endif()
        sinter_add_test(${name}${length} ${label} ${timeout} sh -c
            "rm -rf ${new} && mkdir ${new} && ${program} ${new} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${folder} ${limits} \
${dictionary} -max_len=${bytes} -entropic=0 -close_fd_mask=${closed} -artifact_prefix=${new}/")
        set_tests_properties(${name}${length} PROPERTIES ENVIRONMENT "${SINTER_ENV_host}")
    endforeach()
endfunction()

sinter_fuzz(fuzz_plan plan 500000 512 ../tools/instance.c)
sinter_fuzz(fuzz_size size 5000 512)
sinter_fuzz(fuzz_schema schema 20000 512)
sinter_fuzz(fuzz_memory memory 6000 256 fuzz/api_recorder.c)
sinter_fuzz(fuzz_npy npy 500000 512 ../tools/npy.c)
sinter_fuzz(fuzz_profile profile 10000 2048 fuzz/api_recorder.c)
sinter_fuzz(fuzz_program program 10000 256 fuzz/api_recorder.c)
sinter_fuzz(fuzz_api api 4000 256 fuzz/api_recorder.c fuzz/api_make.c fuzz/api_model.c fuzz/api_world.c)
