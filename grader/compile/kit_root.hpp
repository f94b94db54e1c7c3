// Where the kit's files are: the folder that holds grader/, assignments/ and README.md.
#pragma once

#include <filesystem>
#include <optional>

namespace warpgrade {

// $WARPGRADE_ROOT, else the nearest folder upward from the running executable (the build may be anywhere inside the
// kit) that has grader/compile/include. nullopt: neither.
std::optional<std::filesystem::path> find_kit_root();

}  // namespace warpgrade
