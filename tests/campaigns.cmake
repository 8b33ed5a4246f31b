# `sinter selftest` and its random programs: the tests of the command, and campaigns on every driver.
#
# A campaign takes seconds to a minute; those with the label `long` are 20,000 programs on the host and on Oclgrind and
# 4,000 on each compiler, in every way.

set(selftest_sources campaign.c execute.c generate.c ops.c print.c save.c shrink.c)
list(TRANSFORM selftest_sources PREPEND ../tools/selftest/)
list(REMOVE_ITEM selftest_sources ../tools/selftest/campaign.c)
sinter_host_test(test_selftest unit/test_selftest.c ../tools/npy.c ${selftest_sources})
target_include_directories(test_selftest PRIVATE ${CMAKE_SOURCE_DIR}/tools)

# A campaign's own driver; Oclgrind's log must stay empty.
#   sinter_campaign(DRIVER NAME LABEL TIMEOUT ARGUMENT...)
function(sinter_campaign driver name label timeout)
    set(test campaign.${driver}.${name})
    set(command $<TARGET_FILE:sinter_cli> selftest --quiet --save ${CMAKE_BINARY_DIR} ${ARGN})
    if(driver STREQUAL host)
        sinter_add_test(${test} ${label} ${timeout} ${command} --device host)
        set_tests_properties(${test} PROPERTIES COST 3)
        return()
    endif()
    set(environment "${SINTER_ENV_${driver}};SINTER_OPENCL_LIB=$<TARGET_FILE:sinter_test_cl>")
    if(driver STREQUAL oclgrind)
        set(command ${CMAKE_CURRENT_SOURCE_DIR}/support/on_oclgrind.sh ${CMAKE_BINARY_DIR}/${test}.log ${command})
        # It loses track of what is initialised in 16 lanes, which random schedules may have, and in a pool. And programs that
        # are disturbed are those of the first campaign.
        if(name MATCHES "tuned$|16$|poison$|^disturbed$")
            list(APPEND environment OCLGRIND_UNINITIALIZED=0)
        endif()
    endif()
    sinter_add_test(${test} ${label} ${timeout} ${command} --device 0:0)
    set_tests_properties(${test} PROPERTIES ENVIRONMENT "${environment}" COST 3)
endfunction()


# The command itself; a driver that is wrong shows what happens then.
set(command ${SINTER_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/tools/test_selftest.py $<TARGET_FILE:sinter_cli>)
find_library(SINTER_OPENCL_LOADER NAMES OpenCL libOpenCL.so.1)
set(breakable ${SINTER_DRIVERS})
list(FILTER breakable INCLUDE REGEX "oclgrind|pocl")
if(breakable AND SINTER_OPENCL_LOADER)
    list(GET breakable -1 driver)
    add_library(sinter_wrong_cl MODULE support/cl_wrong.c)
    target_compile_definitions(sinter_wrong_cl PRIVATE _GNU_SOURCE)
    target_link_libraries(sinter_wrong_cl PRIVATE sinter_flags ${SINTER_OPENCL_LOADER} ${CMAKE_DL_LIBS})
    target_link_options(sinter_wrong_cl PRIVATE -Wl,--no-as-needed)
    sinter_add_test(test_selftest_command device 1800 ${command} $<TARGET_FILE:sinter_wrong_cl>)
    set_tests_properties(test_selftest_command PROPERTIES ENVIRONMENT "${SINTER_ENV_${driver}}")
else()
    sinter_add_test(test_selftest_command host 900 ${command})
endif()

sinter_campaign(host all host 900 --count 500 --batch 1 --ways host,tiny,every,poison,own,no-reuse,short,longer,disturbed,host-disturbed)
# The sanitizers take ten times as long and look at the same code in fewer programs.
set(batches 512)
if(CMAKE_C_FLAGS MATCHES "-fsanitize" OR SINTER_SANITIZE)
    set(batches 128)
endif()
sinter_campaign(host batches host 900 --count ${batches} --batch 32 --seed 100000 --ways host,poison,red-zone,disturbed,host-disturbed,short,longer)
# Programs of a few operations in most of the orders that they can have.
sinter_campaign(host orders host 900 --count 4000 --batch 1 --steps 3 --elements 300 --seed 200000
    --ways disturbed,host-disturbed)
foreach(driver IN LISTS SINTER_DRIVERS)
    if(driver STREQUAL oclgrind)
        # 512 programs, half of them in each style.
        sinter_campaign(${driver} cpu device 1800 --count 256 --batch 16 --ways cpu)
        sinter_campaign(${driver} gpu device 1800 --count 256 --batch 16 --seed 257 --ways gpu)
        sinter_campaign(${driver} disturbed device 1800 --count 64 --batch 8 --ways disturbed,streams)
        sinter_campaign(${driver} unfused device 1800 --count 64 --batch 32 --ways unfused)
        sinter_campaign(${driver} tuned device 1800 --count 128 --batch 8 --ways tuned)
    else()
        set(fused 64)
        set(others 8 --ways cpu,unfused,streams,poison,own) # apart, and in streams, each program is many kernels to build
        set(tuned 24)
        # rusticl's compiler takes several times as long as the others.
        if(driver STREQUAL rusticl)
            set(fused 32)
            set(others 8 --ways cpu,unfused,streams)
            set(tuned 4)
        endif()
        sinter_campaign(${driver} fused device 1800 --count ${fused} --batch 32 --ways gpu)
        sinter_campaign(${driver} others device 1800 --batch 16 --count ${others})
        sinter_campaign(${driver} tuned device 1800 --count ${tuned} --batch 8 --ways tuned)
    endif()
endforeach()

# Programs whose operations are placed at random on several devices. rusticl's compiler takes most of the time of those
# that have it.
#   sinter_placed(NAME LABEL TIMEOUT DRIVERS DEVICES ARGUMENT...), where all of the drivers are there
function(sinter_placed name label timeout drivers devices)
    foreach(driver IN LISTS drivers)
        if(NOT driver IN_LIST SINTER_DRIVERS)
            return()
        endif()
    endforeach()
    sinter_add_together(campaign.placed.${name} ${label} ${timeout} "${drivers}" $<TARGET_FILE:sinter_cli> selftest
        --quiet --save ${CMAKE_BINARY_DIR} --ways streams --device ${devices} --steps 5 --elements 100 ${ARGN})
    set_tests_properties(campaign.placed.${name} PROPERTIES COST 3)
endfunction()

sinter_placed(halves device 300 "oclgrind;pocl" host,Oclgrind,Portable/2 --count 100 --batch 20)
sinter_placed(all device 300 "pocl;rusticl;oclgrind" host,Oclgrind,Portable/2,rusticl --count 20 --batch 20 --seed 200)
sinter_placed(intel device 300 "pocl;rusticl;oclgrind;intel" host,Intel,Portable/2,Oclgrind,rusticl
    --count 20 --batch 20 --seed 300)
sinter_placed(long.all long 7200 "pocl;rusticl;oclgrind" host,Oclgrind,Portable/2,rusticl
    --count 5000 --batch 20 --seed 1000000)
sinter_placed(long.intel long 7200 "pocl;rusticl;oclgrind;intel" host,Intel,Portable/2,Oclgrind,rusticl
    --count 5000 --batch 20 --seed 2000000)

# Only when they are asked for: ctest --preset long
sinter_campaign(host long long 3600 --count 20000 --batch 4 --seed 1000000
    --ways host,tiny,every,poison,own,no-reuse,short,longer,disturbed,host-disturbed)
foreach(driver IN LISTS SINTER_DRIVERS)
    sinter_campaign(${driver} long.tuned long 36000 --count 4000 --batch 8 --seed 1000000 --ways tuned)
    set(count 4000)
    if(driver STREQUAL oclgrind)
        set(count 20000)
    endif()
    foreach(way IN ITEMS cpu gpu unfused cpu1 cpu2 cpu8 cpu16 gpu1 gpu8 poison red-zone own no-reuse tiny every disturbed streams)
        sinter_campaign(${driver} long.${way} long 36000 --count ${count} --batch 32 --seed 1000000 --ways ${way})
    endforeach()
endforeach()

