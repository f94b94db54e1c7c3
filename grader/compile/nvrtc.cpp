#include "compile/nvrtc.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

namespace warpgrade {
namespace fs = std::filesystem;

Result<NvrtcFunctions> open_nvrtc(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* reason = dlerror();
        return Diagnostic{.blame = Blame::host,
                          .code = "no_nvrtc",
                          .title = "NVRTC was found but cannot be loaded",
                          .marks = {},
                          .facts = {reason ? reason : path},
                          .help = "set WARPGRADE_NVRTC to a libnvrtc.so of this machine's kind"};
    }
    NvrtcFunctions functions;
    std::string missing;
    const auto bind = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (!function) missing = name;
    };
    bind(functions.version, "nvrtcVersion");
    bind(functions.create_program, "nvrtcCreateProgram");
    bind(functions.compile_program, "nvrtcCompileProgram");
    bind(functions.get_ptx_size, "nvrtcGetPTXSize");
    bind(functions.get_ptx, "nvrtcGetPTX");
    bind(functions.get_log_size, "nvrtcGetProgramLogSize");
    bind(functions.get_log, "nvrtcGetProgramLog");
    bind(functions.error_string, "nvrtcGetErrorString");
    if (!missing.empty())
        return Diagnostic{.blame = Blame::host,
                          .code = "no_nvrtc",
                          .title = "the NVRTC library lacks a function",
                          .marks = {},
                          .facts = {path + " has no " + missing},
                          .help = "install CUDA 12 or newer, or point WARPGRADE_NVRTC at another libnvrtc.so"};
    return functions;
}

Status open_nvrtc_builtins(const NvrtcFunctions& nvrtc, const std::string& path) {
    int major = 0, minor = 0;
    if (nvrtc.version(&major, &minor) != 0) return Nothing{};
    const std::string name = "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor);
    std::error_code ignored;
    std::string reason;
    for (const fs::path& library : {fs::path(path), fs::canonical(path, ignored)}) {
        const fs::path companion = library.parent_path() / name;
        if (!fs::exists(companion, ignored)) continue;
        if (dlopen(companion.c_str(), RTLD_NOW | RTLD_GLOBAL)) return Nothing{};
        const char* words = dlerror();
        reason = words ? words : companion.string();
    }
    if (reason.empty()) return Nothing{};
    return Diagnostic{.blame = Blame::host,
                      .code = "no_nvrtc",
                      .title = "NVRTC's companion library cannot be loaded",
                      .marks = {},
                      .facts = {reason},
                      .help = "install the library that is named"};
}

}  // namespace warpgrade
