# Several devices in one context. The timeout is a watchdog: two devices that wait for each other hang.

sinter_test_executable(test_devices device/test_devices.c)

# A folder of .icd files with several drivers: sinter_drivers_together(NAME DRIVER...)
function(sinter_drivers_together name)
    set(folder ${CMAKE_BINARY_DIR}/vendors/${name})
    file(MAKE_DIRECTORY ${folder})
    set(environment "")
    foreach(driver IN LISTS ARGN)
        configure_file(${CMAKE_BINARY_DIR}/vendors/${driver}/${driver}.icd ${folder}/${driver}.icd COPYONLY)
        list(APPEND environment ${SINTER_ENV_${driver}})
    endforeach()
    list(FILTER environment EXCLUDE REGEX "^OCL_ICD_VENDORS=")
    set(SINTER_ENV_${name} "${environment};OCL_ICD_VENDORS=${folder}" PARENT_SCOPE)
endfunction()

# sinter_on_devices(TARGET NAME DRIVERS DEVICES [VARIABLE=VALUE...]): TARGET.NAME, where all of the drivers are there.
function(sinter_on_devices target name drivers devices)
    foreach(driver IN LISTS drivers)
        if(NOT driver IN_LIST SINTER_DRIVERS)
            return()
        endif()
    endforeach()
    sinter_add_together(${target}.${name} device 300 "${drivers}" $<TARGET_FILE:${target}>)
    set_property(TEST ${target}.${name} APPEND PROPERTY ENVIRONMENT "SINTER_DEVICE=${devices}" ${ARGN})
endfunction()

# A test that sees several drivers: sinter_add_together(NAME LABEL TIMEOUT DRIVERS COMMAND...)
function(sinter_add_together name label timeout drivers)
    list(JOIN drivers "_" environment)
    if(NOT DEFINED SINTER_ENV_${environment})
        sinter_drivers_together(${environment} ${drivers})
    endif()
    set(command ${ARGN})
    set(more "SINTER_OPENCL_LIB=$<TARGET_FILE:sinter_test_cl>")
    # Its check for what is not initialised wants one thread (docs/decisions/oclgrind.md).
    if(oclgrind IN_LIST drivers)
        set(command ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/support/on_oclgrind.sh ${CMAKE_BINARY_DIR}/${name}.log ${command})
        list(APPEND more OCLGRIND_UNINITIALIZED=0)
    endif()
    sinter_add_test(${name} ${label} ${timeout} ${command})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${SINTER_ENV_${environment}};${more}")
endfunction()

sinter_add_test(test_devices.host host 300 test_devices)
set_tests_properties(test_devices.host PROPERTIES ENVIRONMENT "${SINTER_ENV_host};SINTER_DEVICE=host,host")
sinter_on_devices(test_devices pocl_halves pocl "0:0/2")
sinter_on_devices(test_devices pocl_apart pocl "0:0/2" SINTER_TEST_CL=apart)
sinter_on_devices(test_devices pocl_host pocl "0:0,host")
# Event lists across these two deadlock; the library makes none.
sinter_on_devices(test_devices pocl_basic pocl "0:0,0:1" "POCL_DEVICES=basic pthread")
sinter_on_devices(test_devices pocl_rusticl "pocl;rusticl" "0:0,1:0,host")
sinter_on_devices(test_devices pocl_intel "pocl;intel" "0:0,1:0")
# Oclgrind is called from one thread at a time (support/cl_serial.h).
sinter_on_devices(test_devices oclgrind_pocl "oclgrind;pocl" "Oclgrind,Portable/2,host")
sinter_on_devices(test_devices oclgrind_rusticl "pocl;rusticl;oclgrind" "rusticl,Oclgrind,Portable,host")
sinter_on_devices(test_devices oclgrind_intel "pocl;rusticl;oclgrind;intel" "Oclgrind,Intel,rusticl,Portable/2,host")

# One of two devices fails, and any call of either.
sinter_test_executable(test_devices_faults fault/test_devices_faults.c)
sinter_on_devices(test_devices_faults pocl_halves pocl "0:0/2" SINTER_TEST_STEP=29)
sinter_on_devices(test_devices_faults pocl_apart pocl "0:0/2" SINTER_TEST_CL=apart SINTER_TEST_STEP=31)
sinter_on_devices(test_devices_faults rusticl_twice rusticl "0:0,0:0" SINTER_TEST_STEP=3)

# One program over several of them, and over several streams of one.
sinter_test_executable(test_shard device/test_shard.c)
sinter_add_test(test_shard.host host 300 test_shard)
sinter_add_test(test_shard.hosts host 300 test_shard)
set_tests_properties(test_shard.hosts PROPERTIES ENVIRONMENT "${SINTER_ENV_host};SINTER_DEVICE=host,host")
sinter_on_drivers(test_shard ONE_STYLE DRIVERS pocl ENVIRONMENT SINTER_TEST_STEP=4)
sinter_on_devices(test_shard pocl_halves pocl "0:0/2")
sinter_on_devices(test_shard pocl_host pocl "0:0,host" SINTER_TEST_STEP=4)
sinter_on_devices(test_shard pocl_basic pocl "0:0,0:1" "POCL_DEVICES=basic pthread" SINTER_TEST_STEP=4)
sinter_on_devices(test_shard pocl_rusticl "pocl;rusticl" "0:0,1:0" SINTER_TEST_STEP=4)
sinter_on_devices(test_shard pocl_intel "pocl;intel" "0:0,1:0" SINTER_TEST_STEP=4)

# Any allocation fails, any call of OpenCL, a device.
sinter_test_executable(test_shard_faults fault/test_shard_faults.c)
sinter_add_test(test_shard_faults.host host 300 test_shard_faults)
set_tests_properties(test_shard_faults.host PROPERTIES ENVIRONMENT "${SINTER_ENV_host};SINTER_DEVICE=host,host")
sinter_on_devices(test_shard_faults pocl_halves pocl "0:0/2" SINTER_TEST_STEP=37)
