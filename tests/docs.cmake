# The documentation against the code, and what is generated from the op table against the table.
add_executable(gen_ops ${CMAKE_SOURCE_DIR}/core/gen_ops.c $<TARGET_OBJECTS:sinter_core>)
target_include_directories(gen_ops PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(gen_ops PRIVATE sinter_flags m Threads::Threads)
if(TARGET sinter_cli)
    sinter_add_test(check_docs host 300 ${SINTER_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/docs/check_docs.py
        ${CMAKE_SOURCE_DIR} $<TARGET_FILE:sinter_cli> $<TARGET_FILE:gen_ops>)
endif()
