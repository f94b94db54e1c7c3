// Lines of a submission that no finding points to: where its launcher ends, what it tells the next launch, and a store
// that is never made.
#pragma once

#include <string>
#include <vector>

#include "explain/submitted.hpp"
#include "source/facts.hpp"
#include "vgpu/counters.hpp"

namespace warpgrade {

// A store behind a test that no thread got past, of a kernel that ran: `if (tid == THREADS) sums[blockIdx.x] = ...`;
// line 0: none, or behind several tests.
struct NeverMade {
    int line = 0, test = 0;
    std::string_view name;  // where the test is of one variable alone
};
NeverMade store_never_made(const source::Facts& facts, const std::vector<vgpu::LineCounters>& by_line);
// The test, the store where that is another line, and where the test's variable gets its value; `help`: what to try.
std::vector<SourceMark> marks_of_never(const Submitted& text, const NeverMade& never, std::string& help);
// The first `return` of the launcher behind a launch, or behind its head; 0: none.
int line_of_return(const source::Facts& facts, int launch);
// `n = blocks;` behind a launch, in the loop that it stands in; 0: none, or several.
int line_of_next_count(const source::Facts& facts, int launch);
// What stands last between the head of the function and a launch in it, and decides whether it is reached: an `if` or a
// loop that it stands in, or an `if (...) return`. Tests that let all through who have elements, `n == 0`, count where
// there are none alone. Line 0: there is none.
struct LauncherTest {
    int line = 0;
    std::string condition;  // "rows < TILE"
};
LauncherTest test_before_launch(const source::Facts& facts, int launch, bool has_elements);
// A `__device__` variable that a kernel changes step by step, `atomicAdd(&count, 1)`, and no line sets anew; line 0:
// there is none, or several.
struct KeptVariable {
    int line = 0, changed_line = 0;
    std::string name;
};
KeptVariable variable_kept(const source::Facts& facts);

}  // namespace warpgrade
