# Toolchain of the programs that a release carries: clang as Zig bundles it, with the headers and stubs of glibc 2.17, so
# that what is built on any machine runs on any Linux of 2014 or later. libc++ is inside the program.
# WARPGRADE_ARCH: x86_64 or aarch64. WARPGRADE_ZIG: the program `zig`. WARPGRADE_RUNTIME: what programs.sh makes of Zig's
# runtime.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${WARPGRADE_ARCH})
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WARPGRADE_ARCH WARPGRADE_ZIG WARPGRADE_RUNTIME)

set(CMAKE_CXX_COMPILER ${WARPGRADE_ZIG} c++)
set(CMAKE_CXX_COMPILER_TARGET ${WARPGRADE_ARCH}-linux-gnu.2.17)
# Zig's own default is to trap at what its sanitizer calls undefined.
set(CMAKE_CXX_FLAGS_INIT "-fno-sanitize=undefined -fPIE -ffp-contract=off -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-pie -s --rtlib=none")
set(CMAKE_CXX_STANDARD_LIBRARIES "${WARPGRADE_RUNTIME}")
set(CMAKE_CXX_ARCHIVE_CREATE "${WARPGRADE_ZIG} ar qc <TARGET> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "")
# Zig brings its linker.
set(WARPGRADE_HAS_mold OFF CACHE INTERNAL "")
set(WARPGRADE_HAS_lld OFF CACHE INTERNAL "")
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)  # not tried with Zig
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
