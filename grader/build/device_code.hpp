// Where a line or a node of a submission's text belongs: to which function, and to code of the device?
#pragma once

#include <string>

#include "source/facts.hpp"

namespace warpgrade {

// The innermost function whose head or body holds the line; nullptr: none, or two side by side.
const source::Function* function_at(const source::Facts& facts, int line);
// `[=] __device__ (int i) { ... }` around a node: its code is not that of the function it is in.
bool is_in_device_lambda(const source::Tree& tree, source::NodeId node);
// In messages: "the kernel `k`", "the host function `f`".
std::string who(const source::Function& function);

}  // namespace warpgrade
