// PTX as NVRTC makes it, made acceptable to the driver's compiler. Internal to device/.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

// Gives empty bodies to the functions that only the plan recorder answers: the CUDA device runtime's launch calls and
// the kit's own host calls. Kernels never call them. printf becomes one of them: what it prints is seen on the virtual
// GPU, and the driver's own was seen not to come back (submissions/right/printf_conversions.cu on an H200). What else
// the driver knows (__assertfail) stays external.
std::string with_host_calls_emptied(std::string_view ptx);

// The PTX version that came with a CUDA version (PTX manual, "Release Notes"): "8.4" for 12040. Empty before CUDA 11.
std::string ptx_version_of(int cuda_version);
// ".version 9.0" says which; empty if there is none.
std::string ptx_version(std::string_view ptx);
std::string with_ptx_version(std::string_view ptx, const std::string& version);

}  // namespace warpgrade
