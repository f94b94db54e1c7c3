// A [[mistake]] that is an expression.
#pragma once

#include "base/toml_reader.hpp"
#include "problem/effects.hpp"

namespace warpgrade {

// `names`: what its expressions may name.
EffectRule read_rule(const toml::table& source, const EffectCase& names, TomlErrors& errors);
// Those of a file that the build has put into the library.
std::vector<EffectRule> rules_inside(const char* text, const std::string& file, const EffectCase& names);

}  // namespace warpgrade
