// Which headers a submission may name. NVRTC opens any file an #include names and prints its lines in an error, so this
// is decided on the text, before NVRTC sees it; the worker's own limits (base/walls.hpp) stand behind it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compilation.hpp"

namespace warpgrade {

struct HeaderFolders {
    std::string shipped;       // compile/include
    std::string cuda_include;  // the toolkit's, empty if there is none
    std::string more{};        // shipped ones besides, of a whole program: compile/include; else empty
    bool allows_cub = false;   // what kernels use of it
};

struct IncludeScan {
    std::vector<CompilerMessage> errors;
    bool uses_cuda_headers = false;              // beyond the shipped ones
    std::set<std::string> missing_cuda_headers;  // allowed, but this machine has no CUDA headers
};

// Reads every directive, in skipped text too. A path (absolute, with `..`, or built by a macro), #include_next,
// #import, #embed and #line are errors anywhere; so is a host library of CUDA's. A plain name that is nowhere is one
// outside #if; inside, where the text may be skipped, it is left to NVRTC, which will not find it either.
IncludeScan scan_includes(std::string_view source, const std::string& path, const HeaderFolders& folders);

// What to say of a header that a submission cannot use: "a submission holds ...".
std::string header_advice(const std::string& header, bool is_quoted = false);

// The same of a whole program.
std::string program_header_advice(const std::string& header);

// Of the headers that submissions ask for most, those that this folder lacks; `cuda_include` is not empty.
std::vector<std::string> missing_usual_headers(const std::string& cuda_include);

// Of CUB: cub::BlockReduce, cub::WarpScan and the like; not cub/device, whose functions launch kernels.
bool is_cub_header(std::string_view name);

// A header of CUDA's own that submissions may use: cooperative_groups.h, cuda_fp16.h, cuda/..., not thrust or host
// libraries.
bool is_device_header(std::string_view name);

}  // namespace warpgrade
