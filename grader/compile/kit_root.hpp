// Where the kit's files are: the folder that holds grader/, assignments/ and README.md.
#pragma once

#include <filesystem>
#include <optional>

namespace warpgrade {

// $WARPGRADE_ROOT, else the nearest folder upward from the running executable (the build may be anywhere inside the
// kit) that has grader/compile/include. nullopt: neither.
std::optional<std::filesystem::path> find_kit_root();

// The Python that makes reports, in whose packages NVRTC may be, too: $WARPGRADE_PYTHON, else the one of .venv in
// $WARPGRADE_STATE (set by grader/warpgrade where the kit's folder cannot be written), else in `root`. It may be
// absent.
std::filesystem::path kit_python(const std::filesystem::path& root);
bool is_python_given();  // by $WARPGRADE_PYTHON: all that the kit needs is in it

}  // namespace warpgrade
