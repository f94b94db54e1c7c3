#include "problem/count_pattern.hpp"

#include <bit>
#include <functional>

#include "tests/support/catch.hpp"

using namespace warpgrade;

namespace {

std::vector<std::uint32_t> counts_of(std::uint64_t elements, const std::function<std::uint32_t(std::uint64_t)>& count) {
    std::vector<std::uint32_t> counts;
    for (std::uint64_t i = 0; i < elements; ++i) counts.push_back(count(i));
    return counts;
}

CountPattern told(const std::vector<std::uint32_t>& counts, std::uint64_t threads, bool has_shuffles = false) {
    return pattern_of_counts({counts, threads, has_shuffles}).value_or(CountPattern{});
}

}  // namespace

TEST_CASE("each element once is no mistake, and counts without a rule have no name") {
    CHECK(told(counts_of(256, [](auto) { return 1u; }), 256).pattern.empty());
    CHECK(told(counts_of(256, [](auto i) { return static_cast<std::uint32_t>(i * 7 % 5); }), 256).pattern.empty());
    CHECK(told({}, 256).pattern.empty());
    CHECK(told(counts_of(100, [](auto) { return 2u; }), 256).pattern.empty());
}

TEST_CASE("steps of a tree that are missing lose the elements that have their bit") {
    const auto one = told(counts_of(256, [](auto i) { return (i & 1) == 0 ? 1u : 0u; }), 256);
    CHECK(one.title == "the step over 1 element is missing in the sum of a block");
    CHECK(one.fact == "of a block's 256 elements 128 are counted");
    CHECK(one.part == SumPart::tree);
    const auto many = told(counts_of(256, [](auto i) { return (i & 0xAA) == 0 ? 1u : 0u; }), 256);
    CHECK(many.title == "the steps over 2, 8, 32 and 128 elements are missing in the sum of a block");
    const auto lanes = told(counts_of(512, [](auto i) { return (i & 8) == 0 ? 1u : 0u; }), 256, true);
    CHECK(lanes.title == "the step over 8 lanes is missing in the sum of a warp");
    CHECK(lanes.part == SumPart::shuffles);
    CHECK(told(counts_of(256, [](auto i) { return i < 32 ? 1u : 0u; }), 256, true).pattern == "first_warp_only");
    CHECK(told(counts_of(256, [](auto i) { return i < 32 ? 1u : 0u; }), 256).pattern == "steps_missing");
}

TEST_CASE("the same partner in each step is counted as often as there are steps") {
    const auto same = told(counts_of(256, [](auto i) { return i == 0 ? 1u : i == 128 ? 8u : 0u; }), 256);
    CHECK(same.title == "each of the 8 steps adds the same element again");
    CHECK(same.fact == "of 256 elements it counts in[0] once, in[128] 8 times, and no other");
    CHECK(told(counts_of(256, [](auto i) { return i == 0 ? 1u : i == 128 ? 7u : 0u; }), 256).pattern.empty());
}

TEST_CASE("steps that are made twice double them") {
    CHECK(told(counts_of(256, [](auto i) { return (i & 32) == 0 ? 1u : 2u; }), 256, true).title ==
          "the step over 32 elements is made twice in the sum of a block");
}

TEST_CASE("what happens to a thread's first and second element is told apart") {
    const auto by_row = [](std::uint32_t a, std::uint32_t b) {
        return told(counts_of(512, [&](auto i) { return i < 256 ? a : b; }), 256).pattern;
    };
    CHECK(by_row(1, 0) == "second_load_missing");
    CHECK(by_row(0, 1) == "first_load_missing");
    CHECK(by_row(2, 0) == "first_load_twice");
    CHECK(by_row(2, 2) == "multiplied");
    CHECK(told(counts_of(512, [](auto i) { return i == 0 || i == 256 ? 1u
                                                  : i < 256          ? 2u
                                                                     : 0u; }), 256).pattern ==
          "second_load_beside");
}

TEST_CASE("one element, or one lane, in place of all") {
    const auto only = [](std::uint64_t at, std::uint32_t count, bool has_shuffles = false) {
        return told(counts_of(256, [&](auto i) { return i == at ? count : 0u; }), 256, has_shuffles).pattern;
    };
    CHECK(only(0, 1) == "nothing_added");
    CHECK(only(255, 1) == "one_element");
    const auto lane = [](std::uint64_t at, std::uint32_t count) {
        return told(counts_of(256, [&](auto i) { return i % 32 == at ? count : 0u; }), 256, true).pattern;
    };
    CHECK(lane(31, 32) == "own_value_back");
    CHECK(lane(31, 1) == "one_lane");
    CHECK(told(counts_of(256, [](auto i) { return i % 32 < 16 ? 2u : 0u; }), 256, true).pattern == "halves_apart");
}

TEST_CASE("uneven lanes and warps are named in groups") {
    CHECK(told(counts_of(256, [](auto i) { return i % 32 < 8 ? 1u : 3u; }), 256, true).title ==
          "in the sum of a warp lanes 0 to 7 count once, lanes 8 to 31 count 3 times");
    CHECK(told(counts_of(256, [](auto i) { return i / 32 == 7 ? 0u : 1u; }), 256, true).title ==
          "in the sum of a block warps 0 to 6 count once, warp 7 does not count");
}

TEST_CASE("partial sums that are all added, and blocks that begin side by side") {
    CHECK(told(counts_of(256, [](auto i) { return static_cast<std::uint32_t>(std::popcount(i) + 1); }), 256).pattern ==
          "all_partials");
    CHECK(told(counts_of(256, [](auto i) { return static_cast<std::uint32_t>(i + 1); }), 256).pattern ==
          "blocks_one_apart");
}

TEST_CASE("counts are words for runs of elements, and end where they are many") {
    const std::vector<std::uint32_t> counts{1, 1, 0, 2};
    CHECK(counts_in_words(counts, "in[", "]") == "in[0] to in[1] once, in[2] not at all, in[3] twice");
    CHECK(counts_in_words(counts_of(20, [](auto i) { return static_cast<std::uint32_t>(i % 2); }), "", "")
              .ends_with("3 once, 4 not at all, and so on"));
}

TEST_CASE("a second load that is not a block's threads away is told by its distance") {
    const auto near = told(counts_of(512, [](auto i) { return i < 128 ? 1u : i < 256 ? 2u : i < 384 ? 1u : 0u; }), 256);
    CHECK(near.title == "the second load of each thread is 128 elements after its first one, and not 256");
    CHECK(near.part == SumPart::second_load);
    const auto beside = told(counts_of(512, [](auto i) { return i == 0 || i == 256 ? 1u : i < 256 ? 2u : 0u; }), 256);
    CHECK(beside.pattern == "second_load_beside");
}

TEST_CASE("what is wrong with all elements of a shape is told by their counts") {
    const auto shape = [](const std::vector<std::uint32_t>& counts, std::uint64_t threads, std::uint64_t blocks) {
        return pattern_of_shape({counts, threads, blocks}).value_or(CountPattern{});
    };
    CHECK(shape(counts_of(100, [](auto i) { return i < 99 ? 1u : 157u; }), 256, 1).title ==
          "the last element is counted 157 times: each thread without an element adds it again");
    CHECK(shape(counts_of(100, [](auto i) { return i < 99 ? 1u : 57u; }), 256, 1).title ==
          "the last element is counted 57 times, and every other element once");
    CHECK(shape({1, 3}, 256, 1).pattern.empty());
    CHECK(shape(counts_of(1000, [](auto i) { return static_cast<std::uint32_t>(i / 256 + 1); }), 256, 9).pattern ==
          "blocks_go_on");
    CHECK(shape(counts_of(300, [](auto i) { return i < 44 || i >= 256 ? 1u : 0u; }), 256, 1).pattern == "pair_dropped");
    CHECK(shape(counts_of(300, [](auto) { return 1u; }), 256, 1).pattern.empty());
}

TEST_CASE("counts have a title of their own") {
    CHECK(counts_as_title(counts_of(1000, [](auto i) { return i < 256 ? 1u : 0u; })) ==
          "only the first 256 of 1000 elements are counted");
    CHECK(counts_as_title(counts_of(10, [](auto i) { return i == 3 ? 0u : 1u; })) == "1 of 10 elements are left out");
    CHECK(counts_as_title(counts_of(10, [](auto i) { return i == 3 ? 2u : 1u; })) ==
          "1 of 10 elements are counted more than once");
    CHECK(counts_as_title(counts_of(10, [](auto i) { return i == 3 ? 2u : 0u; })) ==
          "some elements are counted more than once, and others not at all");
    CHECK(counts_as_title(counts_of(10, [](auto) { return 0u; })).empty());
}
