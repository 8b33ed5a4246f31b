# The graded picture is the same, byte for byte, on the host reference device and on the device of SINTER_DEVICE.
#   cmake -DPHOTO=... -DDIRECTORY=... -P same_picture.cmake
file(MAKE_DIRECTORY ${DIRECTORY})
execute_process(COMMAND ${PHOTO} --device host --scene ${DIRECTORY}/before.png ${DIRECTORY}/host.png
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PHOTO} ${DIRECTORY}/before.png ${DIRECTORY}/device.png COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${DIRECTORY}/host.png ${DIRECTORY}/device.png
    RESULT_VARIABLE differs)
if(differs)
    message(FATAL_ERROR "${DIRECTORY}/host.png and ${DIRECTORY}/device.png differ")
endif()
