# What `cmake --install` gives, used as others would use it.
sinter_add_test(test_install host 300
    ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -DSOURCE=${CMAKE_SOURCE_DIR}
    -DDIRECTORY=${CMAKE_CURRENT_BINARY_DIR}/install -DC_COMPILER=${CMAKE_C_COMPILER} "-DC_FLAGS=${CMAKE_C_FLAGS}"
    -DCXX_COMPILER=$<$<TARGET_EXISTS:example_embed>:${CMAKE_CXX_COMPILER}>
    -P ${CMAKE_CURRENT_SOURCE_DIR}/install/test_install.cmake)
