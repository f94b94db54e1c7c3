# One test a stage, found by walking: a stage is the file assignments/<name>/<N>_<stage>.cu.

# student.<assignment>.<stage>: what `warpgrade check` says of the file as it stands now. Outside the project's own
# tests, because an unfinished stub fails:   ctest --preset student -R padding
file(GLOB stubs CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/assignments/*/[0-9]*_*.cu)

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
