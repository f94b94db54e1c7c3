// The line that a part of a sum is made in, by what the lines were counted for.
#pragma once

#include <string>

#include "problem/count_pattern.hpp"
#include "source/facts.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

// A function's shuffles are counted where it is called; the last line that has one is meant.
int line_of_shuffles(const vgpu::RunResult& result, const source::Facts& facts);
// 0: the text and the counters do not tell.
int line_of_part(SumPart part, const vgpu::RunResult& result, const source::Facts& facts);
// The first TODO of a comment in a function's body; 0: none.
int line_of_todo(const source::Facts& facts);
// What the text of the shuffles shows.
std::string advice_on_shuffles(const source::Facts& facts);

}  // namespace warpgrade
