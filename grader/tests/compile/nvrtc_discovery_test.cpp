#include "compile/kit_root.hpp"
#include "compile/nvrtc.hpp"
#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;
namespace fs = std::filesystem;

namespace {

// A library in name only, with the companion that carries its version.
void add_library(const TemporaryFolder& folder, const fs::path& place, const std::string& version) {
    fs::create_directories(folder.path() / place);
    const std::string major = version.substr(0, version.find('.'));
    folder.write((place / ("libnvrtc.so." + major)).string(), "");
    folder.write((place / ("libnvrtc-builtins.so." + version)).string(), "");
}

void add_headers(const TemporaryFolder& folder, const fs::path& place, const std::string& cudart_version) {
    fs::create_directories(folder.path() / place);
    folder.write((place / "cooperative_groups.h").string(), "");
    folder.write((place / "cuda_runtime_api.h").string(), "// text\n#define CUDART_VERSION  " + cudart_version + "\n");
}

void add_kit(const TemporaryFolder& folder) {
    fs::create_directories(folder.path() / "grader" / "compile" / "include");
    folder.write("grader/compile/include/cuda_runtime.h", "");
}

}  // namespace

TEST_CASE("a toolkit named by the environment is found, with its headers") {
    const TemporaryFolder toolkit;
    add_library(toolkit, "lib64", "12.6");
    add_headers(toolkit, "include", "12060");
    const Variable unset("WARPGRADE_NVRTC", nullptr);
    for (const char* name : {"CUDA_PATH", "CUDA_HOME"}) {
        const Variable other(name == std::string("CUDA_PATH") ? "CUDA_HOME" : "CUDA_PATH", nullptr);
        const Variable named(name, toolkit.path().c_str());
        const auto info = find_nvrtc();
        REQUIRE(info);
        CHECK(info->path == (toolkit.path() / "lib64" / "libnvrtc.so.12").string());
        CHECK(info->version == "12.6");
        CHECK(info->cuda_include == (toolkit.path() / "include").string());
    }
}

TEST_CASE("headers of another major version are not used") {
    const TemporaryFolder toolkit;
    add_library(toolkit, "lib64", "11.8");
    fs::rename(toolkit.path() / "lib64" / "libnvrtc.so.11", toolkit.path() / "lib64" / "libnvrtc.so");
    fs::rename(toolkit.path() / "lib64" / "libnvrtc-builtins.so.11.8",
               toolkit.path() / "lib64" / "libnvrtc-builtins.so.99.1");
    add_headers(toolkit, "include", "11080");
    const Variable named("WARPGRADE_NVRTC", (toolkit.path() / "lib64").c_str());
    const auto info = find_nvrtc();
    REQUIRE(info);
    CHECK(info->version == "99.1");
    CHECK(info->cuda_include.empty());
}

TEST_CASE("the wheels in the kit's own environment are looked at, newest first") {
    const TemporaryFolder kit;
    add_kit(kit);
    const fs::path packages = ".venv/lib/python3.11/site-packages/nvidia";
    add_library(kit, packages / "cuda_nvrtc" / "lib", "12.9");
    add_library(kit, packages / "cu13" / "lib", "13.2");
    const Variable root("WARPGRADE_ROOT", kit.path().c_str());
    const Variable unset("WARPGRADE_NVRTC", nullptr);
    const auto places = nvrtc_places();
    REQUIRE(places.size() >= 2);
    CHECK(places[places.size() - 2] == kit.path() / packages / "cu13" / "lib");
    CHECK(places[places.size() - 1] == kit.path() / packages / "cuda_nvrtc" / "lib");
}

TEST_CASE("a wheel's headers lie beside it or in the runtime's wheel") {
    const TemporaryFolder packages;
    add_library(packages, "cuda_nvrtc/lib", "12.9");
    add_headers(packages, "cuda_runtime/include", "12090");
    const Variable named("WARPGRADE_NVRTC", (packages.path() / "cuda_nvrtc" / "lib" / "libnvrtc.so.12").c_str());
    const auto info = find_nvrtc();
    REQUIRE(info);
    CHECK(info->version == "12.9");
    CHECK(info->cuda_include == (packages.path() / "cuda_runtime" / "include").string());
}

TEST_CASE("an empty answer names the places and what to do") {
    const TemporaryFolder nowhere;
    {
        const Variable named("WARPGRADE_NVRTC", nowhere.path().c_str());
        const auto info = find_nvrtc();
        REQUIRE_FALSE(info.ok());
        CHECK(info.error().blame == Blame::host);
        CHECK(info.error().code == "no_nvrtc");
        CHECK(mentions(info.error().facts[0], nowhere.path()));
        CHECK(mentions(info.error().help, "unset WARPGRADE_NVRTC"));
    }
    add_kit(nowhere);
    const Variable unset("WARPGRADE_NVRTC", nullptr);
    const Variable root("WARPGRADE_ROOT", nowhere.path().c_str());
    if (const auto info = find_nvrtc(); !info.ok()) {  // this machine has none of its own
        CHECK_FALSE(mentions(info.error().facts[0], ": ,"));
        CHECK(mentions(info.error().help, "`warpgrade doctor` fetches it"));
    }
}

TEST_CASE("a Python that is named holds the wheels") {
    const TemporaryFolder kit, other;
    add_kit(kit);
    const fs::path packages = "lib/python3.12/site-packages/nvidia/cu13/lib";
    add_library(other, packages, "13.2");
    const Variable root("WARPGRADE_ROOT", kit.path().c_str());
    const Variable unset("WARPGRADE_NVRTC", nullptr);
    const Variable python("WARPGRADE_PYTHON", (other.path() / "bin" / "python").c_str());
    const auto places = nvrtc_places();
    REQUIRE_FALSE(places.empty());
    CHECK(places.back() == other.path() / packages);
}

TEST_CASE("a companion of NVRTC that cannot be loaded is named, with the loader's words") {
    if (lacks_nvrtc()) return;
    const auto info = find_nvrtc();
    const auto functions = open_nvrtc(info->path);
    REQUIRE(functions);
    CHECK(open_nvrtc_builtins(functions.value(), info->path));
    const TemporaryFolder folder;
    const std::string elsewhere = (folder.path() / "libnvrtc.so.13").string();
    CHECK(open_nvrtc_builtins(functions.value(), elsewhere));  // NVRTC may find one by itself
    folder.write("libnvrtc-builtins.so." + info->version, "no library");
    const auto opened = open_nvrtc_builtins(functions.value(), elsewhere);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == "no_nvrtc");
    CHECK(opened.error().facts.front().find("libnvrtc-builtins.so." + info->version) != std::string::npos);
}

TEST_CASE("the kit's folder is found upward from the program, or where the environment says") {
    const Variable unset("WARPGRADE_ROOT", nullptr);
    const auto found = find_kit_root();
    if (found) CHECK(fs::equivalent(*found, WARPGRADE_SOURCE_DIR));
    const TemporaryFolder kit;
    {
        const Variable named("WARPGRADE_ROOT", kit.path().c_str());
        CHECK_FALSE(find_kit_root());
        const Variable nvrtc("WARPGRADE_NVRTC", nullptr);
        const auto output = compile(request_for("int x;"));
        REQUIRE_FALSE(output.ok());
        CHECK(output.error().code == "no_kit_files");
    }
    add_kit(kit);
    const Variable named("WARPGRADE_ROOT", kit.path().c_str());
    REQUIRE(find_kit_root());
    CHECK(fs::equivalent(*find_kit_root(), kit.path()));
}
