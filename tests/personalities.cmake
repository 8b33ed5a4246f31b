# Devices that the OpenCL library for tests plays (support/cl_personality.c): the tests for drivers on each of them. What
# goes past a limit of such a device is refused, as its driver would, and counted: the test ends with status 99.
#
# All of them run only when they are asked for; two, on what is quick, always.

set(SINTER_PERSONALITIES lone tiny-groups flat-groups no-local small-local small-buffers small-memory embedded)

# That the library for tests is such a device, and that sinter knows.
sinter_test_executable(test_personality fault/test_personality.c)
target_link_libraries(test_personality PRIVATE ${CMAKE_DL_LIBS})
foreach(name IN LISTS SINTER_PERSONALITIES ITEMS graphics no-long)
    sinter_on_drivers(test_personality ${name} ONE_STYLE SUFFIX .${name} DRIVERS pocl)
endforeach()

# Random programs on a device that is played; on Oclgrind its log must stay empty.
#   sinter_play_campaign(DRIVER PERSONALITY NAME LABEL ARGUMENT...)
function(sinter_play_campaign driver personality name label)
    sinter_campaign(${driver} ${personality}${name} ${label} 3600 ${ARGN})
    set(mode ${personality})
    if(driver STREQUAL oclgrind)
        set(mode keep,${personality})
    endif()
    get_test_property(campaign.${driver}.${personality}${name} ENVIRONMENT environment)
    list(FILTER environment EXCLUDE REGEX "^SINTER_TEST_CL=")
    set_tests_properties(campaign.${driver}.${personality}${name} PROPERTIES
        ENVIRONMENT "${environment};SINTER_TEST_CL=${mode}")
endfunction()

set(SINTER_PLAYED test_tiny test_found test_replay test_update test_lists test_optimiser test_streams test_rows
    test_short_rows test_scan_groups test_product_forms test_oracle_elementwise test_oracle_layout
    test_oracle_view test_oracle_reduce test_oracle_scan test_oracle_matmul test_oracle_make test_oracle_composite
    test_oracle_update)
foreach(personality IN LISTS SINTER_PERSONALITIES)
    foreach(target IN LISTS SINTER_PLAYED)
        sinter_on_drivers(${target} SUFFIX .${personality} DRIVERS pocl ENVIRONMENT SINTER_TEST_CL=${personality})
        foreach(style cpu gpu)
            sinter_long(${target}.${personality}.pocl.${style})
        endforeach()
    endforeach()
    foreach(driver pocl oclgrind)
        if(TARGET sinter_cli AND driver IN_LIST SINTER_DRIVERS)
            sinter_play_campaign(${driver} ${personality} "" long --count 512 --batch 16 --ways gpu,cpu)
        endif()
    endforeach()
endforeach()

# Random programs whose short launches the calling thread runs, with reads in between and on several streams.
if(TARGET sinter_cli AND "pocl" IN_LIST SINTER_DRIVERS)
    sinter_play_campaign(pocl at-once .quick device --count 8 --batch 8 --ways disturbed,streams)
    sinter_play_campaign(pocl at-once "" long --count 4000 --batch 16 --ways cpu,disturbed,streams)
endif()

# What is quick: no local memory, the embedded profile, and a GPU.
sinter_on_drivers(test_math_bits ONE_STYLE SUFFIX .graphics DRIVERS pocl ENVIRONMENT SINTER_TEST_CL=graphics)
foreach(personality no-local embedded graphics)
    sinter_on_drivers(test_tiny SUFFIX .${personality}.quick DRIVERS rusticl ENVIRONMENT SINTER_TEST_CL=${personality})
    if(TARGET sinter_cli AND "oclgrind" IN_LIST SINTER_DRIVERS)
        sinter_play_campaign(oclgrind ${personality} .quick device --count 32 --batch 16 --ways gpu)
    endif()
endforeach()
