// The keys of problem.toml, one by one. Internal to problem/.
#pragma once

#include "base/toml_reader.hpp"
#include "problem/description.hpp"

namespace warpgrade {

// Fills all but what comes of paths and of problem.cu; `errors` has the first thing that is wrong.
void read_description(const toml::table& root, ProblemDescription& problem, TomlErrors& errors);
// [[buffer]]: inputs first, the outputs last.
void read_buffers(TomlTable& table, ProblemDescription& problem, TomlErrors& errors);

}  // namespace warpgrade
