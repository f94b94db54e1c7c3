// What a launch, and the text of its kernel, say of an output in which something is missing.
#pragma once

#include <cstdint>
#include <vector>

#include "course/technique.hpp"
#include "problem/problem.hpp"
#include "source/facts.hpp"

namespace warpgrade {

// What is missing in the output leaves several causes open; the launch tells which of them it is.
void look_at_launch(Judgement& judgement, const std::vector<LaunchInfo>& launches, const source::Facts& facts,
                    const BufferLayout& out);

// Whether what is missing hangs on the grid and the block of the launch, and not on an index or a test in the kernel.
// `elements`: of the output.
bool hangs_on_grid(const Judgement& judgement, const LaunchInfo& launch, std::uint64_t elements);

// The first line of a stub's that is to be removed when a gap is filled, and was not, where no element is stored; 0:
// none.
int line_of_gap(const source::Facts& facts);

}  // namespace warpgrade
