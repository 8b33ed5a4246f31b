# Random programs under valgrind's memcheck, in a build with the option SINTER_VALGRIND (the preset `valgrind`): the pool
# says which bytes of a slab may be touched (executor/memory/shadow.h), and an access anywhere else is an error, also one of a
# kernel that PoCL has compiled.
if(NOT SINTER_VALGRIND)
    return()
endif()
find_program(SINTER_VALGRIND_COMMAND valgrind REQUIRED)
set(checked ${SINTER_VALGRIND_COMMAND} -q --error-exitcode=9 --suppressions=${CMAKE_CURRENT_SOURCE_DIR}/valgrind.supp)

sinter_test_executable(test_shadow fault/test_shadow.c)
sinter_add_test(test_shadow.valgrind host 300 ${checked} $<TARGET_FILE:test_shadow>)
if(TARGET sinter_cli)
    set(campaign $<TARGET_FILE:sinter_cli> selftest --quiet --save ${CMAKE_BINARY_DIR} --count 100 --batch 4)
    sinter_add_test(campaign.host.valgrind long 3600 ${checked} ${campaign} --device host
        --ways host,tiny,every,poison,no-reuse,short,longer)
    set_tests_properties(campaign.host.valgrind PROPERTIES ENVIRONMENT "${SINTER_ENV_host}")
    if("pocl" IN_LIST SINTER_DRIVERS)
        # At first without valgrind, so that PoCL has the kernels; both times for a processor that valgrind plays right.
        add_library(sinter_older_cpu MODULE support/older_cpu.c)
        target_link_libraries(sinter_older_cpu PRIVATE ${CMAKE_DL_LIBS})
        list(JOIN checked " " checked_text)
        list(JOIN campaign " " campaign_text)
        string(APPEND campaign_text " --device 0:0 --ways gpu,cpu")
        sinter_add_test(campaign.pocl.valgrind long 14400 sh -c "${campaign_text} && ${checked_text} ${campaign_text}")
        set_tests_properties(campaign.pocl.valgrind PROPERTIES
            ENVIRONMENT "${SINTER_ENV_pocl};LD_PRELOAD=$<TARGET_FILE:sinter_older_cpu>")
    endif()
endif()
