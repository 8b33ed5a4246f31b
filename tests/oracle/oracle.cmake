# Every operation against the oracle: README.md.
set(oracle ${CMAKE_CURRENT_LIST_DIR})
add_library(sinter_oracle STATIC
    ${oracle}/array.c ${oracle}/calls.c ${oracle}/check.c ${oracle}/model.c ${oracle}/oracle.c ${oracle}/real.c
    ${oracle}/samples.c ${oracle}/wide.c)
target_link_libraries(sinter_oracle PUBLIC sinter_test_support PRIVATE sinter_flags m)
# Functions of 113 bits: of C where its long double is that wide, else of libquadmath, which comes with gcc.
include(CheckCSourceCompiles)
check_c_source_compiles("_Static_assert(__LDBL_MANT_DIG__ == 113, \"\"); int main(void) { return 0; }"
    SINTER_LONG_DOUBLE_IS_QUAD)
if(NOT SINTER_LONG_DOUBLE_IS_QUAD)
    target_link_libraries(sinter_oracle PRIVATE quadmath)
endif()
foreach(name elementwise layout view reduce scan matmul make composite update)
    sinter_device_test(test_oracle_${name} ${oracle}/test_oracle_${name}.c)
    target_link_libraries(test_oracle_${name} PRIVATE sinter_oracle)
endforeach()

# 2^24 inputs of each operation on f32, and the table of worst errors.
sinter_add_test(test_oracle_long long 3600 test_oracle_elementwise --long --table)
set_tests_properties(test_oracle_long PROPERTIES ENVIRONMENT "${SINTER_ENV_host}")

# What the operations are made of.
foreach(name dtype view infer math math64 accuracy)
    sinter_host_test(test_${name} unit/test_${name}.c)
    target_link_libraries(test_${name} PRIVATE sinter_oracle)
endforeach()

# Every input of the functions of one f32 operand: minutes, and only where it is asked for, as it is built for the
# processor at hand.
sinter_test_executable(test_sweep ${oracle}/test_sweep.c ${oracle}/sweep_reference.c)
target_link_libraries(test_sweep PRIVATE sinter_oracle m)
include(CheckCCompilerFlag)
check_c_compiler_flag(-march=native SINTER_HAS_MARCH_NATIVE)
target_compile_options(test_sweep PRIVATE -O3 $<$<BOOL:${SINTER_HAS_MARCH_NATIVE}>:-march=native>)
set_source_files_properties(${oracle}/sweep_reference.c PROPERTIES COMPILE_OPTIONS "-ffast-math")
sinter_add_test(test_sweep long 14400 test_sweep)
set_tests_properties(test_sweep PROPERTIES ENVIRONMENT "${SINTER_ENV_host}")
