# SINTER_PYTHON: a Python interpreter, one that has NumPy if there is any. The first on the PATH may lack it while the
# distribution's, for which python3-numpy is installed, has it; a test that needs it skips where no interpreter does.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(SINTER_PYTHON ${Python3_EXECUTABLE})
set(with_numpy "none")
foreach(python ${Python3_EXECUTABLE} /usr/bin/python3)
    execute_process(COMMAND ${python} -c "import numpy" RESULT_VARIABLE lacks_numpy OUTPUT_QUIET ERROR_QUIET)
    if(lacks_numpy STREQUAL 0)
        set(SINTER_PYTHON ${python})
        set(with_numpy ${python})
        break()
    endif()
endforeach()
message(STATUS "Python with NumPy: ${with_numpy}")
