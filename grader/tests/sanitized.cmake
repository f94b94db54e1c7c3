# The PTX parser and the virtual GPU once more, under the address and undefined-behaviour sanitizers, with the tests that
# hand them what inline assembly may hold: what stands between a submission and this machine. Small, so that every run of
# the tests has it; everything under the sanitizers is `cmake --workflow --preset asan`.
set(CMAKE_REQUIRED_FLAGS -fsanitize=address,undefined)
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("int main() { return 0; }" WARPGRADE_CAN_SANITIZE)
unset(CMAKE_REQUIRED_FLAGS)
if(WARPGRADE_SANITIZE OR NOT WARPGRADE_CAN_SANITIZE)
    return()
endif()

set(grader ${CMAKE_CURRENT_SOURCE_DIR}/..)
file(GLOB sources CONFIGURE_DEPENDS ${grader}/ptx/*.cpp ${grader}/vgpu/*.cpp)
file(GLOB handlers CONFIGURE_DEPENDS ${grader}/vgpu/ops/*.cpp)
add_library(warpgrade_sanitized OBJECT ${sources})
set_target_properties(warpgrade_sanitized PROPERTIES UNITY_BUILD "${is_unity_build}")
# At -Og these take no longer to compile, and the tests a third of the time; the handlers take half as long again.
target_compile_options(warpgrade_sanitized PRIVATE $<$<CONFIG:Release>:$<IF:$<CXX_COMPILER_ID:Clang>,-O1,-Og>>)
add_library(warpgrade_sanitized_ops OBJECT ${handlers})
target_precompile_headers(warpgrade_sanitized_ops PRIVATE ${grader}/vgpu/ops/handlers.hpp)
foreach(part warpgrade_sanitized warpgrade_sanitized_ops)
    target_include_directories(${part} PRIVATE ${grader})
    target_compile_definitions(${part} PRIVATE WARPGRADE_ISA=baseline WARPGRADE_BASELINE_ONLY)
    # Null pointers end under the address sanitizer, too; asked for again at each use, they double what is to be compiled.
    target_compile_options(${part} PRIVATE -UNDEBUG -g1 -fno-omit-frame-pointer -ffp-contract=off
        -fsanitize=address,undefined -fno-sanitize=null,object-size,vptr -fno-sanitize-recover=undefined
        -Wno-maybe-uninitialized -Wno-psabi)
    # What is undefined traps, which is less to compile than words for each kind: handle_sigill makes the address sanitizer
    # show file and line, and the preset `asan` says which kind it is.
    target_compile_options(${part} PRIVATE -fsanitize-undefined-trap-on-error)
    target_link_libraries(${part} PRIVATE warpgrade_base warpgrade_warnings)
endforeach()

# The tests themselves are those of the other executables, as they were compiled there.
add_executable(test_sanitized $<TARGET_OBJECTS:warpgrade_sanitized> $<TARGET_OBJECTS:warpgrade_sanitized_ops>
                              $<TARGET_OBJECTS:test_ptx> $<TARGET_OBJECTS:test_vgpu> $<TARGET_OBJECTS:warpgrade_test_main>)
target_link_options(test_sanitized PRIVATE -fsanitize=address,undefined)
target_link_libraries(test_sanitized PRIVATE warpgrade_base Threads::Threads Catch2::Catch2)
# Left out is what asks about this machine (its instruction sets, its speed, its assembler), and what counts: long runs of
# well-formed kernels, rows of the opcode table. Of the many cases of the longest tests one of twenty is taken.
# In one process: another one for each test takes longer than the tests.
add_test(NAME sanitized COMMAND test_sanitized "~[machine]~[counts]" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(sanitized PROPERTIES LABELS unit COST 100
                     ENVIRONMENT "ASAN_OPTIONS=handle_sigill=2;UBSAN_OPTIONS=print_stacktrace=1;WARPGRADE_ONE_OF=20")
