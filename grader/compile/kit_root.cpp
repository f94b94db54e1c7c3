#include "compile/kit_root.hpp"

#include <cstdlib>
#include <system_error>

namespace warpgrade {
namespace fs = std::filesystem;

std::optional<fs::path> find_kit_root() {
    std::error_code ignored;
    const auto is_root = [&](const fs::path& folder) {
        return fs::is_regular_file(folder / "grader" / "compile" / "include" / "cuda_runtime.h", ignored);
    };
    if (const char* named = std::getenv("WARPGRADE_ROOT"); named && *named) {
        if (is_root(named)) return fs::canonical(named, ignored);
        return std::nullopt;
    }
    for (fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path(); !folder.empty();
         folder = folder.parent_path()) {
        if (is_root(folder)) return folder;
        if (folder == folder.parent_path()) break;
    }
    return std::nullopt;
}

bool is_python_given() {
    const char* given = std::getenv("WARPGRADE_PYTHON");
    return given && *given;
}

fs::path kit_python(const fs::path& root) {
    if (is_python_given()) return std::getenv("WARPGRADE_PYTHON");
    const char* state = std::getenv("WARPGRADE_STATE");
    return (state && *state ? fs::path(state) : root) / ".venv" / "bin" / "python";
}

}  // namespace warpgrade
