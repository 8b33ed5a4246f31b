# A private folder of .icd files per driver that is installed, so that a test sees one driver and no other.
#
# Tests keep no compiled programs: nothing that one of them leaves behind changes what another counts.
#
# Sets SINTER_DRIVERS, and for each driver D SINTER_ENV_D, the environment under which a test runs on it.

# By the defaults for the class of a device; or by the profile that comes with the library for it, which a context takes where
# the user has none.
option(SINTER_TEST_SHIPPED "Tests on drivers run by the profiles that come with the library" OFF)
set(sinter_profile "SINTER_PROFILE=none")
if(SINTER_TEST_SHIPPED)
    set(sinter_profile "SINTER_CACHE_DIR=${CMAKE_BINARY_DIR}/cache/no_profiles")
endif()

function(sinter_find_driver name pattern)
    set(found ${pattern})
    if(NOT IS_ABSOLUTE ${pattern})
        file(GLOB candidates /usr/lib/*/${pattern} /usr/lib/${pattern} /usr/lib64/${pattern})
        list(POP_FRONT candidates found)
    endif()
    if(NOT found OR NOT EXISTS ${found})
        message(STATUS "OpenCL driver ${name}: not installed, its tests are left out")
        return()
    endif()
    set(folder ${CMAKE_BINARY_DIR}/vendors/${name})
    set(cache ${CMAKE_BINARY_DIR}/cache/${name})
    file(MAKE_DIRECTORY ${folder} ${cache})
    file(WRITE ${folder}/${name}.icd "${found}\n")
    set(SINTER_ENV_${name} "SINTER_NO_CACHE=1" "${sinter_profile}" "OCL_ICD_VENDORS=${folder}" "POCL_CACHE_DIR=${cache}"
        "MESA_SHADER_CACHE_DIR=${cache}" ${ARGN} PARENT_SCOPE)
    list(APPEND SINTER_DRIVERS ${name})
    set(SINTER_DRIVERS ${SINTER_DRIVERS} PARENT_SCOPE)
    message(STATUS "OpenCL driver ${name}: ${found}")
endfunction()

# The host reference device; no driver is even loaded (a sanitizer would see what drivers leak).
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/vendors/none)
set(SINTER_ENV_host "SINTER_NO_CACHE=1" "SINTER_PROFILE=none" "SINTER_DEVICE=host" "SINTER_OPENCL_LIB=none" "OCL_ICD_VENDORS=${CMAKE_BINARY_DIR}/vendors/none")

set(SINTER_DRIVERS "")
sinter_find_driver(pocl "libpocl.so*")
# Most of its tests' time is LLVM making machine code, which takes half as long for lanes of 128 bits and without passes
# that only make it faster; what is tested is the front end, which knows of neither.
sinter_find_driver(rusticl "libRusticlOpenCL.so*" "RUSTICL_ENABLE=llvmpipe" "LP_NATIVE_VECTOR_WIDTH=128" "GALLIVM_PERF=nopt")
# Several of its threads at once give wrong results now and then. For "keep" see cl_layer.c.
sinter_find_driver(oclgrind "liboclgrind-rt-icd.so*" "OCLGRIND_NUM_THREADS=1" "SINTER_TEST_CL=keep")

# Intel's CPU runtime, where tools/install_intel_runtime.sh has put it.
set(SINTER_INTEL_RUNTIME "${CMAKE_SOURCE_DIR}/.cache/intel/lib/libintelocl.so" CACHE FILEPATH
    "Library of Intel's OpenCL CPU runtime")
sinter_find_driver(intel ${SINTER_INTEL_RUNTIME})

# The driver of a device of yours, a GPU say: its tests are named NAME.mine.
set(SINTER_TEST_DRIVER "" CACHE STRING "Library of one more OpenCL driver for tests (libnvidia-opencl.so*, or a path)")
if(SINTER_TEST_DRIVER)
    sinter_find_driver(mine ${SINTER_TEST_DRIVER})
endif()
