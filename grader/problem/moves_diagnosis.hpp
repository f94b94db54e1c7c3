// Which mistake leaves a moved output as it is: all that its regions and its sources say (moved_output.hpp).
#pragma once

#include "problem/moved_output.hpp"

namespace warpgrade {

// Of an output that is wrong, or not all written.
Judgement judge_moved(const MovedOutput& output);

}  // namespace warpgrade
