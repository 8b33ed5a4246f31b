# Each example on the host reference device, where what it prints is looked at, and on every driver.
function(sinter_example_test name pattern)
    sinter_add_test(example_${name}.host host 300 example_${name})
    set_tests_properties(example_${name}.host PROPERTIES ENVIRONMENT "${SINTER_ENV_host}"
        PASS_REGULAR_EXPRESSION "${pattern}")
    sinter_on_drivers(example_${name} ONE_STYLE)
endfunction()

sinter_example_test(hello "-0\\.137831 2\\.38033\n-0\\.165654 1\\.28694")
sinter_example_test(train "[0-9.]+ % of the points on the right side\n.* 0 plans, 0 compiles, 0 allocations")
sinter_example_test(cache " 180 tensors changed in place, 0 plans, 0 compiles, 0 allocations")
sinter_add_test(example_shard.host host 300 example_shard 600)
set_tests_properties(example_shard.host PROPERTIES ENVIRONMENT "${SINTER_ENV_host};SINTER_DEVICE=host,host"
    PASS_REGULAR_EXPRESSION "device 1: [0-9]+ rows, [1-9].*saves .* of the time.*the same bits as on one")
sinter_on_devices(example_shard pocl_halves pocl "0:0/2")
if(TEST example_shard.pocl_halves)
    set_tests_properties(example_shard.pocl_halves PROPERTIES PASS_REGULAR_EXPRESSION "the same bits as on one")
endif()
# It uses no device.
sinter_add_test(example_arena host 300 example_arena)
set_tests_properties(example_arena PROPERTIES
    PASS_REGULAR_EXPRESSION "S    1, P    8:     10496 bytes, of which      9344 are alive at step 4")
if(TARGET example_embed)
    sinter_example_test(embed "0 0\\.905148 0\\.995055 in 1 launch")
endif()

if(TARGET example_opencl)
    sinter_on_drivers(example_opencl ONE_STYLE)
    foreach(driver IN LISTS SINTER_DRIVERS)
        if(NOT driver STREQUAL oclgrind) # whose exit status says what it found
            set_tests_properties(example_opencl.${driver} PROPERTIES
                PASS_REGULAR_EXPRESSION "78\\.0[0-9] 47\\.9[0-9] 32\\.7[0-9] 24\\.[45][0-9]")
        endif()
    endforeach()
endif()

# Not on Oclgrind, which takes minutes for a picture.
if(TARGET example_photo)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/photo)
    file(MAKE_DIRECTORY ${folder})
    sinter_add_test(example_photo.host host 300 example_photo --report ${folder}/photo.png)
    set_tests_properties(example_photo.host PROPERTIES ENVIRONMENT "${SINTER_ENV_host}"
        PASS_REGULAR_EXPRESSION "launches 1, bytes moved 921612, lower bound 921612\n.*launches: 1,")
    foreach(driver IN LISTS SINTER_DRIVERS)
        if(driver STREQUAL oclgrind)
            continue()
        endif()
        foreach(style cpu gpu)
            set(name example_photo.${driver}.${style})
            sinter_add_test(${name} device 900 ${CMAKE_COMMAND} -DPHOTO=$<TARGET_FILE:example_photo>
                -DDIRECTORY=${folder}/${driver}.${style} -P ${CMAKE_CURRENT_SOURCE_DIR}/examples/same_picture.cmake)
            set_tests_properties(${name} PROPERTIES
                ENVIRONMENT "${SINTER_ENV_${driver}};SINTER_STYLE=${style};SINTER_DEVICE=0:0")
        endforeach()
    endforeach()
endif()
