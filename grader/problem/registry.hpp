// The problems there are: those written in C++, one line here and in problem.cpp for each, and those that folders
// describe (described.hpp).
#pragma once

#include <memory>

#include "problem/problem.hpp"

namespace warpgrade {

const Problem& transpose_problem();
const Problem& copy_problem();  // the transpose's worked example: the same shapes, the matrix left as it is
const Problem& reduction_problem();

// In place of the one of its name, if there is one; that one lives on for those who hold it. It is found until the
// process ends, and in processes started from here by a fork.
void add_problem(std::unique_ptr<const Problem> problem);

}  // namespace warpgrade
