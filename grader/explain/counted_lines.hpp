// The line that a part of a sum is made in, by what the lines were counted for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "problem/count_pattern.hpp"
#include "source/facts.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

// The line that makes most of these; 0: none.
int line_with_most(const std::vector<vgpu::LineCounters>& by_line, std::uint64_t vgpu::Counters::*made_of);
// A function's shuffles are counted where it is called; the last line that has one is meant.
int line_of_shuffles(const vgpu::RunResult& result, const source::Facts& facts);
// 0: the text and the counters do not tell.
int line_of_part(SumPart part, const vgpu::RunResult& result, const source::Facts& facts);
// The first TODO of a comment in a function's body; 0: none.
int line_of_todo(const source::Facts& facts);
// What the text of the shuffles shows.
std::string advice_on_shuffles(const source::Facts& facts);

// The first line that the pattern fits (source/pattern.hpp); 0: none.
int first_line_like(const source::Facts& facts, std::string_view pattern);
// `i < n ? in[i] : 1.0f`: the number that is not 0, and its line.
std::optional<std::pair<std::string, int>> brought_by_idle(const source::Facts& facts);
// Somewhere an element of a shared array is added to.
bool adds_in_place(const source::Facts& facts);
// `a + a`; 0: nowhere.
int line_of_same_twice(const source::Facts& facts);
// A product that is stored to a shared array; 0: nowhere.
int line_of_product(const source::Facts& facts);

}  // namespace warpgrade
