// NVRTC, opened at run time: never linked, so that the kit builds and starts on machines without it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compile/compilation.hpp"

namespace warpgrade {

using NvrtcProgram = struct NvrtcProgramHandle*;

// Names and signatures from nvrtc.h; the status is nvrtcResult (0 = success).
struct NvrtcFunctions {
    int (*version)(int* major, int* minor) = nullptr;
    int (*create_program)(NvrtcProgram*, const char* source, const char* name, int header_count,
                          const char* const* headers, const char* const* include_names) = nullptr;
    int (*compile_program)(NvrtcProgram, int option_count, const char* const* options) = nullptr;
    int (*get_ptx_size)(NvrtcProgram, std::size_t*) = nullptr;
    int (*get_ptx)(NvrtcProgram, char*) = nullptr;
    int (*get_log_size)(NvrtcProgram, std::size_t*) = nullptr;
    int (*get_log)(NvrtcProgram, char*) = nullptr;
    const char* (*error_string)(int) = nullptr;
};

inline constexpr int nvrtc_error_out_of_memory = 1;  // nvrtcResult in nvrtc.h
inline constexpr int nvrtc_error_compilation = 6;

// Opens the library for the rest of the process's life. Error: the loader's own words.
Result<NvrtcFunctions> open_nvrtc(const std::string& path);

// NVRTC loads its companion, libnvrtc-builtins, by bare name at the first compilation. Some builds have no search path
// of their own, and the worker has no LD_LIBRARY_PATH and later no sight of other folders: so the one beside is loaded
// now. Error: the loader's own words, where the one beside cannot be loaded. It needs libstdc++.so.6, which a machine
// may lack and NVRTC itself does without.
Status open_nvrtc_builtins(const NvrtcFunctions& nvrtc, const std::string& path);

// The places looked at, in order, each a file or a folder that may hold libnvrtc.so.*; for `doctor` and the error text.
std::vector<std::filesystem::path> nvrtc_places();

}  // namespace warpgrade
