# Python's unittest, one test a file, found by walking: the verbs from outside, the course content, reports, handouts.
file(GLOB python_tests CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/grader/tests/*/test_*.py ${PROJECT_SOURCE_DIR}/reports/tests/test_*.py
    ${PROJECT_SOURCE_DIR}/handouts/tests/test_*.py)

set(most_seconds 900)
if(WARPGRADE_SANITIZE)
    set(most_seconds 5400)
endif()
foreach(path ${python_tests})
    string(REGEX REPLACE "(grader/)?tests/|\\.py$" "" name ${path})
    string(REPLACE "/test_" "." name ${name})
    add_test(NAME python.${name} COMMAND ${PROJECT_SOURCE_DIR}/grader/tests/support/python_test.sh ${path})
    set_tests_properties(python.${name} PROPERTIES
        LABELS python COST 1 SKIP_RETURN_CODE 77 TIMEOUT ${most_seconds} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        ENVIRONMENT "WARPGRADE_ROOT=${PROJECT_SOURCE_DIR};WARPGRADE_BINARY_DIR=${PROJECT_BINARY_DIR}/grader")
endforeach()

# What takes longest starts first, so that it does not run alone at the end; then what takes seconds, of which a COST of 1
# is enough, and at the end the hundreds of others. A run takes one eighth of the longest (launch/test.sh), in their
# order here: each eighth takes about as long.
set(longest reports.live_page classroom.grade cli.faults cli.right_programs cli.verify cli.launcher budgets.budgets
            handouts.console
            editors.notebook cli.legality cli.isolation cli.sums cli.quiz reports.browser reports.page_views
            classroom.ledger classroom.cards classroom.people classroom.platform_packages classroom.private
            classroom.names reports.speed editors.clang lab.mutants lab.proof_mutants reports.firefox cli.formats
            timing.left_out model.published cli.described classroom.slurm reports.kit reports.plots classroom.release
            cli.columns classroom.intake classroom.points handouts.elements handouts.figures cli.served_page
            model.validation proof.solutions cli.kit_marks handouts.page reports.classroom)
set(number 0)
foreach(name ${longest})
    math(EXPR eighth "${number} % 8")
    math(EXPR number "${number} + 1")
    set_tests_properties(python.${name} PROPERTIES COST 100 LABELS "python;eighth_${eighth}")
endforeach()
foreach(name cli.mistakes)
    set_tests_properties(python.${name} PROPERTIES COST 100)
endforeach()
