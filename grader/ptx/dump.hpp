// A module as normalised text, for tests and for people: one construct a line, registers by name, labels as instruction
// numbers, everything that parsing decided written out.
#pragma once

#include <string>

#include "ptx/module.hpp"

namespace warpgrade::ptx {

std::string dump(const Module& module);

}  // namespace warpgrade::ptx
