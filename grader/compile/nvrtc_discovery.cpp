#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>
#include <system_error>

#include "base/files.hpp"
#include "compile/kit_root.hpp"
#include "compile/nvrtc.hpp"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> entries(const fs::path& folder, const std::string& pattern) {
    std::vector<fs::path> found;
    std::error_code error;
    const std::regex expression(pattern);
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (std::regex_match(at->path().filename().string(), expression)) found.push_back(at->path());
    // Newest first: cuda-13.0 before cuda-12.4, libnvrtc.so.13 before libnvrtc.so.12.
    std::ranges::sort(found, std::greater<>());
    return found;
}

std::optional<fs::path> library_in(const fs::path& place) {
    std::error_code ignored;
    if (fs::is_regular_file(place, ignored)) return place;
    for (const fs::path& file : entries(place, R"(libnvrtc\.so\.1[0-9])")) return file;
    if (fs::is_regular_file(place / "libnvrtc.so", ignored)) return place / "libnvrtc.so";
    return std::nullopt;
}

std::optional<fs::path> library_by_loader() {
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
        void* library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
        if (!library) continue;
        link_map* map = nullptr;
        const bool is_known = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map;
        const fs::path path = is_known ? map->l_name : "";
        dlclose(library);
        if (!path.empty()) return path;
    }
    return std::nullopt;
}

// The version is in the name of the library's companion, so the 100 MB library itself need not be opened for it.
std::string version_beside(const fs::path& library) {
    std::error_code ignored;
    const fs::path folder = fs::canonical(library, ignored).parent_path();
    std::string own_major;
    std::smatch match;
    const std::string name = fs::canonical(library, ignored).filename().string();
    if (std::regex_search(name, match, std::regex(R"(\.so\.([0-9]+))"))) own_major = match[1];
    for (const fs::path& file : entries(folder, R"(libnvrtc-builtins\.so\.[0-9]+\.[0-9]+)")) {
        const std::string version = file.filename().string().substr(std::string("libnvrtc-builtins.so.").size());
        if (own_major.empty() || version.starts_with(own_major + ".")) return version;
    }
    auto functions = open_nvrtc(library);
    int major = 0, minor = 0;
    if (!functions || functions->version(&major, &minor) != 0) return {};
    return std::to_string(major) + "." + std::to_string(minor);
}

// CUDART_VERSION's major number, read from the folder's own header; 0 if the folder has no CUDA headers.
int header_major(const fs::path& include) {
    std::error_code ignored;
    if (!fs::is_regular_file(include / "cooperative_groups.h", ignored)) return 0;
    const auto text = read_whole_file(include / "cuda_runtime_api.h", 16 << 20);
    std::istringstream file(text ? *text : "");
    constexpr std::string_view definition = "#define CUDART_VERSION";
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(definition)) return std::atoi(line.c_str() + definition.size()) / 1000;
    return 0;
}

// CUDA's headers of the library's own major version: beside the library (toolkit, wheel), else in a toolkit.
std::string include_for(const fs::path& library, const std::string& version) {
    std::error_code ignored;
    const int major = std::atoi(version.c_str());
    const fs::path real = fs::canonical(library, ignored);
    std::vector<fs::path> places{real.parent_path().parent_path() / "include",
                                 real.parent_path().parent_path().parent_path() / "cuda_runtime" / "include"};
    for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
        if (const char* value = std::getenv(name); value && *value) places.push_back(fs::path(value) / "include");
    for (const fs::path& toolkit : entries("/usr/local", R"(cuda(-[0-9.]+)?)")) places.push_back(toolkit / "include");
    for (const fs::path& place : places)
        if (header_major(place) == major) return fs::canonical(place, ignored);
    return {};
}

Diagnostic no_nvrtc(const std::vector<fs::path>& places, bool is_named) {
    std::string looked;
    for (const fs::path& place : places) looked += place.string() + ", ";
    return {.blame = Blame::host,
            .code = "no_nvrtc",
            .title = "no NVRTC, NVIDIA's run-time compiler, on this machine",
            .marks = {},
            .facts = {is_named ? std::string("WARPGRADE_NVRTC names no library: ") + std::getenv("WARPGRADE_NVRTC")
                               : "looked in: " + looked + "the loader's path",
                      "no GPU and no driver are needed, only this library"},
            .help = is_named ? "unset WARPGRADE_NVRTC, or set it to a libnvrtc.so.12 or libnvrtc.so.13"
                             : "`warpgrade doctor` fetches it; or install a CUDA toolkit, or set WARPGRADE_NVRTC to a "
                               "libnvrtc.so.13"};
}

}  // namespace

std::vector<fs::path> nvrtc_places() {
    if (const char* named = std::getenv("WARPGRADE_NVRTC"); named && *named) return {named};
    std::vector<fs::path> places;
    const auto add_toolkit = [&](const fs::path& toolkit) {
        places.push_back(toolkit / "lib64");
        places.push_back(toolkit / "targets" / "x86_64-linux" / "lib");
        places.push_back(toolkit / "targets" / "sbsa-linux" / "lib");
    };
    for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
        if (const char* value = std::getenv(name); value && *value) add_toolkit(value);
    std::error_code ignored;
    if (fs::exists("/usr/local/cuda", ignored)) add_toolkit("/usr/local/cuda");
    for (const fs::path& toolkit : entries("/usr/local", R"(cuda-[0-9.]+)")) add_toolkit(toolkit);
    if (const auto root = find_kit_root())
        for (const fs::path& library : entries(kit_python(*root).parent_path().parent_path() / "lib", R"(python3.*)"))
            for (const char* wheel : {"cu13", "cuda_nvrtc", "cu12"})
                places.push_back(library / "site-packages" / "nvidia" / wheel / "lib");
    std::erase_if(places, [&](const fs::path& place) { return !fs::exists(place, ignored); });
    return places;
}

Result<NvrtcInfo> find_nvrtc() {
    const auto places = nvrtc_places();
    std::optional<fs::path> library;
    for (const fs::path& place : places)
        if ((library = library_in(place))) break;
    const char* named = std::getenv("WARPGRADE_NVRTC");
    const bool is_named = named && *named;
    if (!library && !is_named) library = library_by_loader();
    if (!library) return no_nvrtc(places, is_named);
    std::error_code ignored;
    NvrtcInfo info{.path = fs::absolute(*library, ignored), .version = version_beside(*library), .cuda_include = {}};
    if (info.version.empty())
        return Diagnostic{.blame = Blame::host,
                          .code = "no_nvrtc",
                          .title = "the file named as NVRTC is not a usable NVRTC library",
                          .marks = {},
                          .facts = {info.path},
                          .help = "point WARPGRADE_NVRTC at a libnvrtc.so.12 or libnvrtc.so.13"};
    info.cuda_include = include_for(*library, info.version);
    return info;
}

}  // namespace warpgrade
