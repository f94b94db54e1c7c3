// Where lanes that went different ways meet again.
#include "support/catch.hpp"
#include "vgpu/lowering.hpp"

using namespace warpgrade::vgpu;

namespace {

// Of segments whose successors these are; -1 = the end. `ends`: segments that do nothing but end the thread.
std::vector<int> meetings(std::vector<std::vector<int>> successors, const std::vector<int>& ends,
                          const std::vector<int>& barriers) {
    const auto marked = [&](const std::vector<int>& segments) {
        std::vector<bool> marks(successors.size(), false);
        for (const int i : segments) marks[static_cast<std::size_t>(i)] = true;
        return marks;
    };
    pass_over_exits(successors, marked(ends), marked(barriers));
    return immediate_post_dominators(successors);
}

}  // namespace

TEST_CASE("lanes meet behind a branch out of which some of them may return") {
    // 0: if (a) { 1: if (b) return; 2: ... } 3: barrier, 4: return
    CHECK(meetings({{3, 1}, {4, 2}, {3}, {4}, {-1}}, {4}, {3}) == std::vector<int>{3, 2, 3, 4, -1});
    // The same with something to do before the return, 5.
    CHECK(meetings({{3, 1}, {5, 2}, {3}, {4}, {-1}, {4}}, {4}, {3}) == std::vector<int>{3, 2, 3, 4, -1, -1});
    // Without a barrier they go to the end, each by itself.
    CHECK(meetings({{3, 1}, {4, 2}, {3}, {4}, {-1}}, {4}, {}) == std::vector<int>{4, 4, 3, 4, -1});
}

TEST_CASE("lanes that leave a loop wait for the others") {
    // 0: ... 1: loop { if (done) return } 2: barrier 3: return, and two ways out of one loop
    CHECK(meetings({{1}, {3, 2}, {1}, {-1}}, {3}, {2})[1] == 3);
    const auto two_ways = meetings({{1}, {4, 2}, {4, 3}, {1}, {-1}}, {4}, {3});
    CHECK(two_ways[1] == 2);
    CHECK(two_ways[2] == 4);
}

TEST_CASE("a guard at the start lets the others go on together to a barrier") {
    // 0: if (past the end) return; 1: loop with a barrier, 2: return
    CHECK(meetings({{2, 1}, {1, 2}, {-1}}, {2}, {1}) == std::vector<int>{1, 2, -1});
    CHECK(meetings({{2, 1}, {1, 2}, {-1}}, {2}, {}) == std::vector<int>{2, 2, -1});
}
