# Matrix products by CLBlast: what is decided and what becomes of failures, with one for tests in its place; values with
# the real one.
sinter_test_executable(test_products decision/test_products.c)
# Oclgrind would take minutes.
sinter_on_drivers(test_products DRIVERS pocl rusticl intel mine ENVIRONMENT SINTER_CLBLAST_LIB=$<TARGET_FILE:sinter_test_clblast>)
sinter_on_drivers(test_products ONE_STYLE SUFFIX _separate DRIVERS rusticl
    ENVIRONMENT SINTER_CLBLAST_LIB=$<TARGET_FILE:sinter_test_clblast> SINTER_MEMORY_MODE=separate)
sinter_on_drivers(test_products ONE_STYLE SUFFIX _graphics DRIVERS rusticl
    ENVIRONMENT SINTER_CLBLAST_LIB=$<TARGET_FILE:sinter_test_clblast> SINTER_TEST_CL=graphics)
sinter_on_drivers(test_products ONE_STYLE SUFFIX _poison DRIVERS rusticl
    ENVIRONMENT SINTER_CLBLAST_LIB=$<TARGET_FILE:sinter_test_clblast> SINTER_MEMORY_MODE=poison)

# PoCL builds our own kernels for a minute, for each context anew.
foreach(style cpu gpu)
    if(TEST test_products.pocl.${style})
        set_tests_properties(test_products.pocl.${style} PROPERTIES LABELS "device;slow")
    endif()
endforeach()

# No library that can be used: the argument is the reason, a part of the line in the log.
sinter_test_executable(test_products_without decision/test_products_without.c)
sinter_on_drivers(test_products_without "no CLBlast library" ONE_STYLE SUFFIX .missing DRIVERS rusticl
    ENVIRONMENT SINTER_CLBLAST_LIB=/nonexistent/libclblast.so)
sinter_on_drivers(test_products_without "has no CLBlast" ONE_STYLE SUFFIX .other DRIVERS rusticl
    ENVIRONMENT SINTER_CLBLAST_LIB=$<TARGET_FILE:sinter_test_cl>)
sinter_on_drivers(test_products_without "does not know the device" ONE_STYLE SUFFIX .stranger DRIVERS rusticl
    ENVIRONMENT SINTER_CLBLAST_LIB=$<TARGET_FILE:sinter_test_clblast> SINTER_TEST_CLBLAST=stranger)
sinter_on_drivers(test_products_without "SINTER_NO_CLBLAST" ONE_STYLE SUFFIX .off DRIVERS rusticl
    ENVIRONMENT SINTER_CLBLAST_LIB=$<TARGET_FILE:sinter_test_clblast> SINTER_NO_CLBLAST=1)

# PoCL builds CLBlast's kernels for half a minute where its cache does not have them.
sinter_test_executable(test_clblast device/test_clblast.c)
target_link_libraries(test_clblast PRIVATE ${CMAKE_DL_LIBS})
sinter_on_drivers(test_clblast ONE_STYLE DRIVERS rusticl pocl mine)
if("pocl" IN_LIST SINTER_DRIVERS)
    set_tests_properties(test_clblast.pocl PROPERTIES LABELS "device;slow")
endif()

# Where it begins to pay, which is measured for most of a minute.
sinter_test_executable(test_crossover device/test_crossover.c)
sinter_on_drivers(test_crossover ONE_STYLE DRIVERS pocl
    ENVIRONMENT SINTER_CLBLAST_LIB=$<TARGET_FILE:sinter_test_clblast> SINTER_TEST_CLBLAST=idle SINTER_NO_CACHE=0)
if("pocl" IN_LIST SINTER_DRIVERS)
    set_tests_properties(test_crossover.pocl PROPERTIES LABELS "device;slow")
endif()

sinter_host_test(test_product_blocks decision/test_product_blocks.c)
# The forms of products on a GPU: it chooses the style itself.
sinter_test_executable(test_product_forms device/test_product_forms.c)
sinter_add_test(test_product_forms.host host 300 test_product_forms)
sinter_on_drivers(test_product_forms ONE_STYLE)
