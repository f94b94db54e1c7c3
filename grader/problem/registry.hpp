// The problems there are: one line here and in problem.cpp for each.
#pragma once

#include "problem/problem.hpp"

namespace warpgrade {

const Problem& transpose_problem();
const Problem& copy_problem();  // the transpose's worked example: the same shapes, the matrix left as it is
const Problem& reduction_problem();

}  // namespace warpgrade
