# One test a stage, found by walking: a stage is the file assignments/<name>/<N>_<stage>.cu.

# student.<assignment>.<stage>: what `warpgrade check` says of the file as it stands now. Outside the project's own
# tests, because an unfinished stub fails:   ctest --preset student -R padding
file(GLOB stubs CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/assignments/*/[0-9]*_*.cu)
file(GLOB solutions CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/solutions/*/[0-9]*_*.cu)

# "assignments/transpose/4_padding.cu" -> "transpose" and "padding"
function(warpgrade_stage_of path assignment_out stage_out)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(GET folder FILENAME assignment)
    cmake_path(GET path STEM stem)
    string(REGEX REPLACE "^[0-9]+_" "" stage "${stem}")
    set(${assignment_out} ${assignment} PARENT_SCOPE)
    set(${stage_out} ${stage} PARENT_SCOPE)
endfunction()

if(TARGET warpgrade-bin)
    foreach(path ${stubs})
        warpgrade_stage_of(${path} assignment stage)
        add_test(NAME student.${assignment}.${stage} COMMAND warpgrade-bin check ${assignment}/${stage})
        set_tests_properties(student.${assignment}.${stage} PROPERTIES
            LABELS student WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} ENVIRONMENT WARPGRADE_ROOT=${PROJECT_SOURCE_DIR})
    endforeach()
endif()

# nvcc.<folder>.<assignment>.<stage>: the same file as ordinary CUDA, host code and all; without the host compiler's half,
# which finds nothing that nvcc has not.
find_program(WARPGRADE_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
if(WARPGRADE_NVCC)
    foreach(path ${stubs} ${solutions})
        warpgrade_stage_of(${path} assignment stage)
        string(REGEX REPLACE "/.*" "" folder ${path})
        set(name nvcc.${folder}.${assignment}.${stage})
        add_test(NAME ${name} COMMAND ${WARPGRADE_NVCC} -std=c++17 -cuda -o /dev/null ${PROJECT_SOURCE_DIR}/${path})
        set_tests_properties(${name} PROPERTIES LABELS nvcc)
    endforeach()
else()
    add_test(NAME nvcc COMMAND ${CMAKE_COMMAND} -E echo "skipped: no nvcc, so no file was compiled as ordinary CUDA")
    set_tests_properties(nvcc PROPERTIES LABELS nvcc SKIP_REGULAR_EXPRESSION "skipped: ")
endif()
