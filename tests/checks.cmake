# Checks of the repository itself, which build and run nothing of it.
set(checks ${CMAKE_CURRENT_SOURCE_DIR}/checks)
sinter_add_test(check_layers host 300 ${SINTER_PYTHON} ${checks}/check_layers.py ${CMAKE_SOURCE_DIR})
sinter_add_test(check_size host 300 ${SINTER_PYTHON} ${checks}/check_size.py ${CMAKE_SOURCE_DIR})
sinter_add_test(check_format host 300 ${checks}/check_format.sh ${CMAKE_SOURCE_DIR})
sinter_add_test(check_headers host 300 ${checks}/check_headers.sh ${CMAKE_SOURCE_DIR}/include)
# A sanitizer brings symbols and libraries of its own.
if(NOT CMAKE_C_FLAGS MATCHES "-fsanitize" AND NOT SINTER_SANITIZE)
    sinter_add_test(check_symbols host 60
        ${SINTER_PYTHON} ${checks}/check_symbols.py $<TARGET_FILE:sinter> ${CMAKE_SOURCE_DIR}/include/sinter
        "${CMAKE_C_COMPILER_ID} ${CMAKE_BUILD_TYPE}")
endif()

# All of the static checks: minutes on every processor, when nothing is marked as passed yet.
include(ProcessorCount)
ProcessorCount(processors)
sinter_add_test(lint slow 3600 ${CMAKE_SOURCE_DIR}/tools/lint.sh -b ${CMAKE_BINARY_DIR})
if(processors GREATER 0)
    set_tests_properties(lint PROPERTIES COST 4 PROCESSORS ${processors})
endif()
add_custom_target(lint COMMAND ${CMAKE_SOURCE_DIR}/tools/lint.sh -b ${CMAKE_BINARY_DIR} USES_TERMINAL)
