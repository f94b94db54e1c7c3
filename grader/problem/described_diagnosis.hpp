// What is wrong with the output of a described problem: the mistakes that its author has named, then those that all
// problems have in common. Internal to problem/.
#pragma once

#include "problem/oracle.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

// `known`: without inputs where they are too large to be kept. Error: host, or a function of problem.cu that fails.
Result<Judgement> judge_described(const ProblemDescription& problem, Oracle& oracle, DeviceProgram& program,
                                  const Case& prepared, const KnownCase& known);

// An element as a learner would print it: "17.25", "7", "(1, 2, 3, 4)"; exact enough to tell it from `other`.
std::string print_of_type(const std::string& type, const std::byte* bytes, const std::byte* other);
// "out[3][65]".
std::string element_name(const BufferLayout& layout, std::uint64_t index);

}  // namespace warpgrade
