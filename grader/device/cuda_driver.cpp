#include "device/cuda_driver.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace warpgrade::cuda {

std::string Driver::name_of(int error) const {
    const char* text = nullptr;
    if (cuGetErrorName && cuGetErrorName(error, &text) == success && text) return text;
    return "CUDA error " + std::to_string(error);
}

std::string Driver::words_of(int error) const {
    const char* text = nullptr;
    if (cuGetErrorString && cuGetErrorString(error, &text) == success && text) return text;
    return {};
}

Result<Driver> open_driver() {
    const char* named = std::getenv("WARPGRADE_LIBCUDA");
    const std::string path = named && *named ? named : "libcuda.so.1";
    void* library = dlopen(path == "self" ? nullptr : path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* reason = dlerror();
        return Diagnostic{.blame = Blame::host,
                          .code = "no_driver",
                          .title = "no NVIDIA driver on this machine",
                          .marks = {},
                          .facts = {reason ? reason : path + " is not there"},
                          .help = "install NVIDIA's driver, or use `--device virtual`"};
    }
    Driver driver;
    link_map* map = nullptr;
    std::error_code ignored;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name && *map->l_name)
        driver.folder = std::filesystem::canonical(map->l_name, ignored).parent_path().string();
    std::string missing;
    const auto bind = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (!function && missing.empty()) missing = name;
    };
    // The suffix is the version of the function's signature, as cuda.h maps it.
    bind(driver.cuInit, "cuInit");
    bind(driver.cuDriverGetVersion, "cuDriverGetVersion");
    bind(driver.cuGetErrorName, "cuGetErrorName");
    bind(driver.cuGetErrorString, "cuGetErrorString");
    bind(driver.cuDeviceGetCount, "cuDeviceGetCount");
    bind(driver.cuDeviceGet, "cuDeviceGet");
    bind(driver.cuDeviceGetName, "cuDeviceGetName");
    bind(driver.cuDeviceGetAttribute, "cuDeviceGetAttribute");
    bind(driver.cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId");
    bind(driver.cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
    bind(driver.cuCtxSetCurrent, "cuCtxSetCurrent");
    bind(driver.cuCtxResetPersistingL2Cache, "cuCtxResetPersistingL2Cache");
    bind(driver.cuMemGetInfo, "cuMemGetInfo_v2");
    bind(driver.cuMemAlloc, "cuMemAlloc_v2");
    bind(driver.cuMemFree, "cuMemFree_v2");
    bind(driver.cuMemcpyHtoD, "cuMemcpyHtoD_v2");
    bind(driver.cuMemcpyDtoH, "cuMemcpyDtoH_v2");
    bind(driver.cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2");
    bind(driver.cuMemsetD8Async, "cuMemsetD8Async");
    bind(driver.cuMemsetD32Async, "cuMemsetD32Async");
    bind(driver.cuLinkCreate, "cuLinkCreate_v2");
    bind(driver.cuLinkAddData, "cuLinkAddData_v2");
    bind(driver.cuLinkComplete, "cuLinkComplete");
    bind(driver.cuLinkDestroy, "cuLinkDestroy");
    bind(driver.cuModuleLoadData, "cuModuleLoadData");
    bind(driver.cuModuleUnload, "cuModuleUnload");
    bind(driver.cuModuleGetFunction, "cuModuleGetFunction");
    bind(driver.cuModuleGetGlobal, "cuModuleGetGlobal_v2");
    bind(driver.cuFuncSetAttribute, "cuFuncSetAttribute");
    bind(driver.cuLaunchKernel, "cuLaunchKernel");
    bind(driver.cuLaunchKernelEx, "cuLaunchKernelEx");
    bind(driver.cuStreamCreate, "cuStreamCreate");
    bind(driver.cuStreamSynchronize, "cuStreamSynchronize");
    bind(driver.cuStreamBeginCapture, "cuStreamBeginCapture_v2");
    bind(driver.cuStreamEndCapture, "cuStreamEndCapture");
    bind(driver.cuGraphInstantiate, "cuGraphInstantiateWithFlags");
    bind(driver.cuGraphLaunch, "cuGraphLaunch");
    bind(driver.cuGraphExecDestroy, "cuGraphExecDestroy");
    bind(driver.cuGraphDestroy, "cuGraphDestroy");
    bind(driver.cuEventCreate, "cuEventCreate");
    bind(driver.cuEventRecord, "cuEventRecord");
    bind(driver.cuEventElapsedTime, "cuEventElapsedTime");
    if (missing.empty()) return driver;
    return Diagnostic{.blame = Blame::host,
                      .code = "old_driver",
                      .title = "the NVIDIA driver is too old for this kit",
                      .marks = {},
                      .facts = {path + " has no " + missing},
                      .help = "install a driver for CUDA 12 (525 or newer)"};
}

}  // namespace warpgrade::cuda
