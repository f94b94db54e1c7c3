// Why two threads come to one place, as far as the submission's text and the places of the two show: as advice.
//
// Theory of operation. That they meet is known from the finding. What is said of a line is true of its text; "" where
// the text shows nothing.
#pragma once

#include <optional>
#include <string>

#include "explain/wording_place.hpp"

namespace warpgrade {

// The two lines of a race, the first of the text first.
struct RaceLines {
    int first = 0, last = 0;
};
RaceLines lines_of(const vgpu::Finding& finding);
// The innermost loop that holds both; nullptr: there is none.
const source::Loop* loop_around_both(const source::Facts& facts, const RaceLines& lines);
// Only the x part decides for one-dimensional blocks; for others a row of 32 is a warp in all blocks of the course.
bool share_a_warp(const vgpu::Finding& finding);

// What is to order threads between the two accesses, and does not order these two.
struct WeakOrder {
    std::string what;  // "the __syncwarp(half) in line 13"; empty: none is seen
    std::string help;
    int line = 0;                 // to be changed
    bool is_of_continue = false;  // threads are an iteration ahead
};
WeakOrder weak_order(const Scene& scene);

// A test or a loop around both accesses that does not let all threads of a block in.
struct ThreadTest {
    int line = 0;
    std::string condition;
    bool is_loop = false;
    bool is_for_one_warp = false;  // it lets in one warp, whole
};
std::optional<ThreadTest> thread_test_around(const Scene& scene);

// The barrier of the innermost loop around the line that all of its threads come to in each iteration, where the two
// that race wait there for each other; nullptr: there is none.
const source::Barrier* barrier_of_each_step(const Scene& scene);

// The element of the array that is read, changed and stored again, in one statement or in two, and how it is done in
// one: "atomicAdd(&sum[0], ...)"; "" where it is not so.
std::string atomic_in_place(const Scene& scene, const std::string& array);

// `in[...]` of a launch that was handed the output for `in` as well.
std::string advice_on_handed_over(const Scene& scene);
// Two threads of one block that differ in one part of threadIdx alone, and store to one place.
std::string advice_on_axis(const Scene& scene);
// Blocks that begin less than a tile apart: one part of blockIdx goes times two numbers in one kernel.
std::string advice_on_factors(const Scene& scene);

}  // namespace warpgrade
