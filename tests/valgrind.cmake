# Random programs under valgrind's memcheck, in a build with the option SINTER_VALGRIND (the preset `valgrind`): the pool
# says which bytes of a slab may be touched (executor/shadow.h), and an access anywhere else is an error, also one of a
# kernel that PoCL has compiled. PoCL compiles under valgrind too, for some seconds each kernel; its cache has them the
# next time.
if(NOT SINTER_VALGRIND)
    return()
endif()
find_program(SINTER_VALGRIND_COMMAND valgrind REQUIRED)
set(checked ${SINTER_VALGRIND_COMMAND} -q --error-exitcode=9 --suppressions=${CMAKE_CURRENT_SOURCE_DIR}/valgrind.supp)

sinter_test_executable(test_shadow fault/test_shadow.c)
sinter_add_test(test_shadow.valgrind host 300 ${checked} $<TARGET_FILE:test_shadow>)
if(TARGET sinter_cli)
    set(command ${checked} $<TARGET_FILE:sinter_cli> selftest --quiet --save ${CMAKE_BINARY_DIR} --count 100)
    sinter_add_test(campaign.host.valgrind long 3600 ${command} --batch 4 --device host
        --ways host,tiny,every,poison,no-reuse,short,longer)
    set_tests_properties(campaign.host.valgrind PROPERTIES ENVIRONMENT "${SINTER_ENV_host}")
    if("pocl" IN_LIST SINTER_DRIVERS)
        # Valgrind 3.19 has the wrong sign of zero in vfnmadd, so values may differ; judged is what it says of memory.
        sinter_add_test(campaign.pocl.valgrind long 14400 ${command} --batch 4 --device 0:0 --ways gpu,cpu --keep-going)
        set_tests_properties(campaign.pocl.valgrind PROPERTIES ENVIRONMENT "${SINTER_ENV_pocl}"
            PASS_REGULAR_EXPRESSION ": 100 programs in 2 ways" FAIL_REGULAR_EXPRESSION "==[0-9]+==")
    endif()
endif()
