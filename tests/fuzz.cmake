# Fuzzing, where clang has libFuzzer: ../tests/fuzz/README.md.

find_program(SINTER_CLANG NAMES clang-14 clang)
set(fuzz_flags -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)
if(SINTER_CLANG AND NOT DEFINED SINTER_HAS_FUZZER)
    set(probe ${CMAKE_CURRENT_BINARY_DIR}/fuzz_probe)
    file(WRITE ${probe}.c "#include <stddef.h>\nint LLVMFuzzerTestOneInput(const void *d, size_t n) { (void)d; return n > 9; }\n")
    execute_process(COMMAND ${SINTER_CLANG} ${fuzz_flags} ${probe}.c -o ${probe} RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    string(COMPARE EQUAL "${status}" 0 has_fuzzer)
    set(SINTER_HAS_FUZZER ${has_fuzzer} CACHE INTERNAL "clang has libFuzzer")
endif()
if(NOT SINTER_HAS_FUZZER)
    message(STATUS "no libFuzzer: nothing is fuzzed")
    return()
endif()

# Target NAME from fuzz/NAME.c and other sources; its test replays fuzz/FOLDER and goes on for RUNS.
function(sinter_fuzz name folder runs)
    set(program ${CMAKE_CURRENT_BINARY_DIR}/${name})
    set(sources ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${name}.c)
    foreach(source ${ARGN})
        list(APPEND sources ${CMAKE_SOURCE_DIR}/${source})
    endforeach()
    file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/core/*.h ${CMAKE_SOURCE_DIR}/memory/*.h
        ${CMAKE_SOURCE_DIR}/include/sinter/*.h)
    add_custom_command(OUTPUT ${program}
        COMMAND ${SINTER_CLANG} ${fuzz_flags} -I${CMAKE_SOURCE_DIR} -I${CMAKE_SOURCE_DIR}/include -I${CMAKE_SOURCE_DIR}/tools
                ${sources} -o ${program}
        DEPENDS ${sources} ${headers} ${CMAKE_SOURCE_DIR}/tools/instance.h
        VERBATIM)
    add_custom_target(${name}_program ALL DEPENDS ${program})
    set(new ${CMAKE_CURRENT_BINARY_DIR}/${name}.new)
    sinter_add_test(${name} host 300 sh -c
        "rm -rf ${new} && mkdir ${new} && ${program} ${new} ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${folder} -seed=1 -runs=${runs} \
-max_len=512 -close_fd_mask=2 -artifact_prefix=${new}/")
endfunction()

sinter_fuzz(fuzz_plan plan 20000 tools/instance.c memory/coalesce.c memory/exact.c memory/greedy.c memory/partition.c
    memory/plan.c memory/validate.c core/status.c)
set(sizes core/alloc.c core/arena.c core/buffer.c core/size.c core/size_text.c core/size_value.c core/status.c)
sinter_fuzz(fuzz_size size 5000 ${sizes})
sinter_fuzz(fuzz_schema schema 20000 ${sizes} core/place.c memory/coalesce.c memory/exact.c memory/greedy.c memory/lifetimes.c
    memory/partition.c memory/plan.c memory/symbolic.c memory/symbolic_text.c memory/validate.c)
