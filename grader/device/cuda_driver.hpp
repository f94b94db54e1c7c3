// The CUDA driver API, opened at run time: never linked, so that the kit builds and starts on machines without it.
// Names, signatures and numbers are those of cuda.h (CUDA Driver API reference).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/walls.hpp"

namespace warpgrade::cuda {

using Address = std::uint64_t;  // CUdeviceptr
using Handle = void*;           // CUcontext, CUmodule, CUfunction, CUstream, CUevent, CUgraph, CUgraphExec, CUlinkState

// CUresult.
inline constexpr int success = 0;
inline constexpr int error_unsupported_ptx_version = 222;

// CUdevice_attribute.
enum Attribute : int {
    attribute_max_threads_per_block = 1,
    attribute_max_block_x = 2,
    attribute_max_grid_x = 5,
    attribute_shared_bytes_per_block = 8,
    attribute_clock_khz = 13,
    attribute_multiprocessors = 16,
    attribute_memory_clock_khz = 36,
    attribute_memory_bus_bits = 37,
    attribute_l2_bytes = 38,
    attribute_max_threads_per_sm = 39,
    attribute_compute_capability_major = 75,
    attribute_compute_capability_minor = 76,
    attribute_shared_bytes_per_sm = 81,
    attribute_registers_per_sm = 82,
    attribute_shared_bytes_per_block_optin = 97,
    attribute_max_blocks_per_sm = 106,
};

inline constexpr int function_max_dynamic_shared_bytes = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
inline constexpr int jit_error_log = 5, jit_error_log_size = 6;
inline constexpr int jit_input_ptx = 1;
inline constexpr int capture_thread_local = 1;
inline constexpr unsigned stream_non_blocking = 1;

// CUlaunchAttribute and CUlaunchConfig (cuda.h).
struct LaunchAttribute {
    unsigned id = 0, unused = 0;
    std::array<unsigned, 16> value{};
};
inline constexpr unsigned attribute_cluster_dimension = 4;
struct LaunchConfig {
    std::array<unsigned, 3> grid, block;
    unsigned shared_bytes = 0;
    Handle stream = nullptr;
    LaunchAttribute* attributes = nullptr;
    unsigned attribute_count = 0;
};

struct Driver {
    int (*cuInit)(unsigned) = nullptr;
    int (*cuDriverGetVersion)(int*) = nullptr;
    int (*cuGetErrorName)(int, const char**) = nullptr;
    int (*cuGetErrorString)(int, const char**) = nullptr;
    int (*cuDeviceGetCount)(int*) = nullptr;
    int (*cuDeviceGet)(int*, int) = nullptr;
    int (*cuDeviceGetName)(char*, int, int) = nullptr;
    int (*cuDeviceGetAttribute)(int*, int, int) = nullptr;
    int (*cuDeviceGetPCIBusId)(char*, int, int) = nullptr;
    int (*cuDevicePrimaryCtxRetain)(Handle*, int) = nullptr;
    int (*cuCtxSetCurrent)(Handle) = nullptr;
    int (*cuCtxResetPersistingL2Cache)() = nullptr;
    int (*cuMemGetInfo)(std::size_t*, std::size_t*) = nullptr;
    int (*cuMemAlloc)(Address*, std::size_t) = nullptr;
    int (*cuMemFree)(Address) = nullptr;
    int (*cuMemcpyHtoD)(Address, const void*, std::size_t) = nullptr;
    int (*cuMemcpyDtoH)(void*, Address, std::size_t) = nullptr;
    int (*cuMemcpyDtoDAsync)(Address, Address, std::size_t, Handle) = nullptr;
    int (*cuMemsetD8Async)(Address, unsigned char, std::size_t, Handle) = nullptr;
    int (*cuMemsetD32Async)(Address, unsigned, std::size_t, Handle) = nullptr;
    int (*cuLinkCreate)(unsigned, int*, void**, Handle*) = nullptr;
    int (*cuLinkAddData)(Handle, int, void*, std::size_t, const char*, unsigned, int*, void**) = nullptr;
    int (*cuLinkComplete)(Handle, void**, std::size_t*) = nullptr;
    int (*cuLinkDestroy)(Handle) = nullptr;
    int (*cuModuleLoadData)(Handle*, const void*) = nullptr;
    int (*cuModuleUnload)(Handle) = nullptr;
    int (*cuModuleGetFunction)(Handle*, Handle, const char*) = nullptr;
    int (*cuModuleGetGlobal)(Address*, std::size_t*, Handle, const char*) = nullptr;
    int (*cuFuncSetAttribute)(Handle, int, int) = nullptr;
    int (*cuLaunchKernel)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**,
                          void**) = nullptr;
    int (*cuLaunchKernelEx)(const LaunchConfig*, Handle, void**, void**) = nullptr;
    int (*cuStreamCreate)(Handle*, unsigned) = nullptr;
    int (*cuStreamSynchronize)(Handle) = nullptr;
    int (*cuStreamBeginCapture)(Handle, int) = nullptr;
    int (*cuStreamEndCapture)(Handle, Handle*) = nullptr;
    int (*cuGraphInstantiate)(Handle*, Handle, unsigned long long) = nullptr;
    int (*cuGraphLaunch)(Handle, Handle) = nullptr;
    int (*cuGraphExecDestroy)(Handle) = nullptr;
    int (*cuGraphDestroy)(Handle) = nullptr;
    int (*cuEventCreate)(Handle*, unsigned) = nullptr;
    int (*cuEventRecord)(Handle, Handle) = nullptr;
    int (*cuEventElapsedTime)(float*, Handle, Handle) = nullptr;  // milliseconds

    std::string folder;  // of the library, where the others are that it opens later; empty: it is this executable

    std::string name_of(int error) const;   // "CUDA_ERROR_ILLEGAL_ADDRESS"
    std::string words_of(int error) const;  // "an illegal memory access was encountered"
};

// $WARPGRADE_LIBCUDA, else libcuda.so.1; "self" means this executable, for tests with a driver of their own. Error:
// host, and says what to install.
Result<Driver> open_driver();

// Around a process that uses it. A driver keeps opening things: its other libraries, what the kernel says of the
// machine, and the devices.
Walls walls_of(const Driver& driver);

}  // namespace warpgrade::cuda
