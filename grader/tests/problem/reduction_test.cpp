#include <fmt/format.h>
#include <algorithm>

#include <cmath>

#include "problem/fake_device.hpp"
#include "problem/sum_input.hpp"
#include "support/catch.hpp"
#include "support/kit_problems.hpp"

using namespace warpgrade;
using warpgrade::test::FakeCall;
using warpgrade::test::FakeProgram;

namespace {

using Sum = std::function<float(FakeCall&, std::uint64_t n)>;

Shape sized(std::int64_t n, std::string contents = "") {
    Shape shape;
    shape.extents = {n};
    shape.contents = std::move(contents);
    return shape;
}

// Judges what `sum` stores to out[0], as if 256 threads a block, one element each, had run, in blocks for so many of
// the elements, and launches of one block after that, for which the first one `leaves_sums` in the scratch buffer.
Judgement judge_on(const Shape& shape, const Sum& sum, std::uint64_t elements_per_thread = 1,
                   std::uint64_t further_launches = 0, bool leaves_sums = true) {
    FakeProgram program([&](FakeCall& call) {
        const auto n = call.value<std::uint64_t>(1);
        const std::uint64_t covered = 256 * elements_per_thread;
        for (std::uint64_t first = 0; leaves_sums && further_launches != 0 && first < n; first += covered) {
            float own = 0;
            for (std::uint64_t i = first; i < std::min(first + covered, n); ++i) own += call.load<float>(0, i);
            call.store(2, first / covered, own);
        }
        call.store(3, 0, sum(call, n));
    });
    const auto prepared = test::kit_problem("reduction").prepare(program, shape, 11);
    REQUIRE(prepared);
    Case run = *prepared;
    if (!run.previous_arguments.empty()) REQUIRE(program.run("", run.previous_arguments, {}));
    REQUIRE(program.run("", run.arguments, {}));
    const std::uint64_t per_block = 256 * elements_per_thread;
    run.observed.launches = {{(static_cast<std::uint64_t>(shape.extents[0]) + per_block - 1) / per_block, 256}};
    run.observed.launches.resize(1 + further_launches, {1, 256});
    auto judgement = test::kit_problem("reduction").judge(program, run);
    REQUIRE(judgement);
    return *judgement;
}

float sum_if(FakeCall& call, std::uint64_t n, const std::function<int(std::uint64_t)>& times) {
    float sum = 0;
    for (std::uint64_t i = 0; i < n; ++i)
        if (const int k = times(i)) sum += static_cast<float>(k) * call.load<float>(0, i);
    return sum;
}

float all_of_it(FakeCall& call, std::uint64_t n) {
    return sum_if(call, n, [](std::uint64_t) { return 1; });
}

// A tree over blocks, as a kernel would add.
float pairwise(FakeCall& call, std::uint64_t first, std::uint64_t last) {
    if (last - first == 1) return call.load<float>(0, first);
    const std::uint64_t middle = first + (last - first) / 2;
    return pairwise(call, first, middle) + pairwise(call, middle, last);
}

std::string pattern_on(std::int64_t n, const std::function<int(std::uint64_t)>& times,
                       std::uint64_t elements_per_thread = 1, std::uint64_t further_launches = 0,
                       bool leaves_sums = true) {
    const Judgement judgement = judge_on(
        sized(n), [&](FakeCall& call, std::uint64_t count) { return sum_if(call, count, times); }, elements_per_thread,
        further_launches, leaves_sums);
    CHECK(!judgement.is_right);
    CHECK(!judgement.title.empty());
    CHECK(!judgement.facts.empty());
    return judgement.pattern;
}

}  // namespace

TEST_CASE("a right sum is right on every shape") {
    const std::vector<std::string> types{"float"};
    for (const Shape& shape : test::kit_problem("reduction").shapes(5, types))
        CHECK(judge_on(shape, [](FakeCall& call, std::uint64_t n) {
                  return n == 0 ? 0.0f : pairwise(call, 0, n);
              }).is_right);
}

TEST_CASE("whole numbers add up the same in any order") {
    for (const std::int64_t n : {1000, 4097, (1 << 20) + 1}) {
        CHECK(judge_on(sized(n), all_of_it).is_right);
        CHECK(judge_on(sized(n), [](FakeCall& call, std::uint64_t count) {
                  float sum = 0;
                  for (std::uint64_t i = count; i-- > 0;) sum += call.load<float>(0, i);
                  return sum;
              }).is_right);
    }
}

TEST_CASE("large inputs stay exact") {
    for (const std::uint64_t n : {std::uint64_t{1} << 21, (std::uint64_t{1} << 25) + 3}) {
        const SumInput input(n, 3, "whole");
        CHECK(input.sum() <= 16777216.0);
        CHECK(input.sum() > 1000.0);
    }
}

// Above 2^23 elements nothing is kept to compare with.
TEST_CASE("a changed input is found, small or large, although the sum is right") {
    for (const std::int64_t n : {4097, (1 << 23) + 20011}) {
        const std::uint64_t place = static_cast<std::uint64_t>(n) - 3;
        for (const bool is_changed : {false, true}) {
            const Judgement judgement = judge_on(sized(n), [&](FakeCall& call, std::uint64_t count) {
                double sum = 0;
                for (std::uint64_t i = 0; i < count; ++i) sum += call.load<float>(0, i);
                if (is_changed) call.store(0, place, -7.0f);
                return static_cast<float>(sum);
            });
            INFO(n);
            CHECK(judgement.is_right == !is_changed);
            if (is_changed) CHECK(judgement.code == "write_to_input");
            if (is_changed) CHECK(judgement.facts.at(0).find(fmt::format("in[{}]", place)) != std::string::npos);
        }
    }
}

TEST_CASE("what is filled piece by piece is what each element is") {
    for (const std::uint64_t n : {std::uint64_t{5000}, std::uint64_t{3} << 20, (std::uint64_t{1} << 26) + 5}) {
        const SumInput input(n, 7, "whole");
        std::vector<float> piece(1003);
        input.fill(piece, n - 2000);
        for (std::uint64_t i = 0; i < piece.size(); ++i) REQUIRE(piece[i] == input.element(n - 2000 + i));
        double sum = 0;
        for (const float value : piece) sum += value;
        CHECK(input.sum(n - 2000, n - 2000 + piece.size()) == sum);
        std::vector<float> all(5000);
        SumInput made(5000, 7, "whole");
        made.fill(all);
        const double expected = made.sum();
        made.take_from(all);
        CHECK(made.sum() == expected);
        CHECK(made.sum(3, 4999) == expected - all[0] - all[1] - all[2] - all[4999]);
    }
}

// A sum that is kept from one timed round to the next has to be wrong in it.
TEST_CASE("inputs of every size differ with the seed") {
    for (const std::uint64_t n : {std::uint64_t{1} << 20, (std::uint64_t{1} << 23) + 1, std::uint64_t{1} << 24,
                                  (std::uint64_t{1} << 24) + 1, std::uint64_t{1} << 26}) {
        const SumInput one(n, 3, "whole"), other(n, 4, "whole");
        std::vector<float> of_one(4096), of_other(4096);
        one.fill(of_one, n - 4096);
        other.fill(of_other, n - 4096);
        INFO(n);
        CHECK(of_one != of_other);
    }
}

TEST_CASE("a missing element is always wrong, at any place") {
    for (const std::uint64_t lost : {0u, 1u, 255u, 256u, 2047u, 4096u})
        CHECK(!judge_on(sized(4097), [&](FakeCall& call, std::uint64_t n) {
                   return sum_if(call, n, [&](std::uint64_t i) { return i != lost; });
               }).is_right);
}

TEST_CASE("the sum tells the mistake") {
    CHECK(pattern_on(4097, [](std::uint64_t) { return 0; }) == "zero");
    CHECK(pattern_on(4097, [](std::uint64_t i) { return i == 0; }) == "nothing_added");
    CHECK(pattern_on(4097, [](std::uint64_t) { return 2; }) == "doubled");
    CHECK(pattern_on(4097, [](std::uint64_t i) { return i < 4096; }) == "tail_missing");
    CHECK(pattern_on(1000, [](std::uint64_t i) { return i < 768; }) == "tail_missing");
    CHECK(pattern_on(1000, [](std::uint64_t i) { return i < 768 ? 1 : 2; }) == "tail_twice");
    CHECK(pattern_on(4097, [](std::uint64_t i) { return i < 256; }) == "only_first_block");
    CHECK(pattern_on(
              4097, [](std::uint64_t i) { return i < 512; }, 2) == "only_first_block");
    CHECK(pattern_on(4097, [](std::uint64_t i) { return i == 4096; }) == "only_one_block");
    CHECK(pattern_on(
              4096, [](std::uint64_t i) { return i % 512 < 256; }, 2) == "second_load_missing");
    CHECK(pattern_on(
              4096, [](std::uint64_t i) { return i % 512 >= 256; }, 2) == "first_load_missing");
    CHECK(pattern_on(4096, [](std::uint64_t i) { return i % 256 < 128; }) == "tree_incomplete");
    CHECK(pattern_on(4096, [](std::uint64_t i) { return i % 256 < 32; }) == "tree_incomplete");
    CHECK(pattern_on(4095, [](std::uint64_t i) { return i % 2 == 0; }) == "every_other");
    CHECK(pattern_on(
              1 << 18, [](std::uint64_t i) { return i < 256 * 256; }, 1, 1) == "partial_sums_lost");
    CHECK(pattern_on(
              4097, [](std::uint64_t i) { return i < 4096; }, 1, 1) == "partial_sums_lost");
    CHECK(pattern_on(
              4097, [](std::uint64_t i) { return i < 17; }, 1, 1) == "second_launch_of_input");
    CHECK(pattern_on(
              4097, [](std::uint64_t i) { return i < 256; }, 1, 1) == "partial_sums_lost");
    // The other blocks have nothing to lose.
    CHECK(pattern_on(
              4097, [](std::uint64_t i) { return i < 256; }, 1, 1, false) != "partial_sums_lost");
    // 32 of 33: what is left of a warp's elements, or the end.
    CHECK(pattern_on(33, [](std::uint64_t i) { return i < 32; }) == "tail_missing");
    CHECK(pattern_on(4097, [](std::uint64_t) { return 256; }) == "multiplied");
    // Nine blocks of 256 threads, for 512 elements each: of one a thread, they leave out the others.
    CHECK(pattern_on(
              4097, [](std::uint64_t i) { return i < 9 * 256; }, 2) == "grid_too_small");
    CHECK(pattern_on(
              4097, [](std::uint64_t i) { return i % 1024 < 512; }, 2) == "blocks_apart");
    CHECK(pattern_on(5003, [](std::uint64_t i) { return i > 0; }) == "head_missing");
}

TEST_CASE("poison in the sum is named") {
    const Judgement judgement = judge_on(
        sized(1000), [](FakeCall& call, std::uint64_t n) { return all_of_it(call, n) + call.load<float>(2, 0); });
    CHECK(judgement.pattern == "poison_included");
}

TEST_CASE("nothing written, and the sum of nothing") {
    FakeProgram program([](FakeCall&) {});
    const auto prepared = test::kit_problem("reduction").prepare(program, sized(0), 1);
    REQUIRE(program.run("", prepared->arguments, {}));
    CHECK(test::kit_problem("reduction").judge(program, *prepared)->code == "not_written");
    CHECK(judge_on(sized(0), [](FakeCall&, std::uint64_t) { return 0.0f; }).is_right);
}

TEST_CASE("repeated calls are told apart from first ones") {
    Shape again = sized(777);
    again.previous = {5000};
    float kept = 0;
    CHECK(judge_on(again, [&](FakeCall& call, std::uint64_t n) { return kept += all_of_it(call, n); }).pattern ==
          "not_reset");
    float cached = 0;
    CHECK(judge_on(again, [&](FakeCall& call, std::uint64_t n) {
              return cached != 0 ? cached : cached = all_of_it(call, n);
          }).pattern == "stale");
    CHECK(judge_on(again, all_of_it).is_right);
}

TEST_CASE("rounding passes and carelessness does not") {
    for (const char* contents : {"tenths", "cancellation"}) {
        const Shape shape = sized(250007, contents);
        CHECK(judge_on(shape, [](FakeCall& call, std::uint64_t n) { return pairwise(call, 0, n); }).is_right);
        CHECK(judge_on(shape, [](FakeCall&, std::uint64_t) { return std::nanf(""); }).pattern == "inaccurate");
    }
    // A hundredth left out. Where large numbers cancel, an order that is allowed may be off by as much.
    CHECK(judge_on(sized(250007, "tenths"), [](FakeCall& call, std::uint64_t n) {
              return pairwise(call, 0, n - n / 100);
          }).pattern == "inaccurate");
    // Eight bits less of mantissa, as half precision would have.
    CHECK(judge_on(sized(250007, "tenths"), [](FakeCall& call, std::uint64_t n) {
              float sum = 0;
              for (std::uint64_t i = 0; i < n; ++i)
                  sum = std::ldexp(std::nearbyint(std::ldexp(sum + call.load<float>(0, i), 3)), -3);
              return sum;
          }).pattern == "inaccurate");
    // One after another in float: 0.1 is off by far more than a tree of 250007 would be.
    CHECK(judge_on(sized(250007, "tenths"), all_of_it).pattern == "inaccurate");
}

TEST_CASE("the bound follows the launches") {
    const SumInput input(1 << 20, 1, "tenths");
    const auto depth = [&](const ObservedRun& run) {
        return sum_tolerance(input, run) / (0x1p-24 * (1 << 20) * static_cast<double>(0.1f));
    };
    CHECK(depth({{{4096, 256}}, 0, 4096}) == Approx(4 + 1 + 256 + 12));
    CHECK(depth({{{1, 32}}, 0, 1}) == Approx(4 + 32768 + 32));
    CHECK(depth({}) == Approx(4 + (1 << 20)));
    // An atomic for every element, and one for every block, which may all be to out[0].
    CHECK(depth({{{4096, 256}}, 1 << 20, 0}) == Approx(4 + 1 + 256 + 12 + (1 << 20)));
    CHECK(depth({{{4096, 256}}, 4096, 0}) == Approx(4 + 1 + 256 + 12 + 4096));
    // One sum a block is left to the second launch, or one a thread.
    CHECK(depth({{{64, 256}, {1, 64}}, 0, 64 + 1}) == Approx(4 + 64 + 256 + 6 + 2 + 64));
    CHECK(depth({{{64, 256}, {1, 1}}, 0, 64 * 256 + 1}) == Approx(4 + 64 + 256 + 6 + 64 * 256 + 1));
    // A block in which one thread adds all, by its instructions: two of them an addition, and no more than elements.
    CHECK(depth({{{256, 256, 10'000}}, 0, 256}) == Approx(4 + 5'000 + 256 + 8));
    CHECK(depth({{{1, 1, std::uint64_t{1} << 40}}, 0, 1}) == Approx(4 + (1 << 20) + 1));
}

TEST_CASE("what is rounded on the way shows in fractions of few digits, in any order") {
    const Shape shape = sized(2047, "fractions");
    CHECK(judge_on(shape, all_of_it).is_right);
    const auto rounded_to = [&](int digits) {
        return judge_on(shape, [=](FakeCall& call, std::uint64_t n) {
            float sum = 0;
            for (std::uint64_t i = 0; i < n; ++i)
                sum += std::ldexp(std::nearbyint(std::ldexp(call.load<float>(0, i), digits)), -digits);
            return sum;
        });
    };
    CHECK(rounded_to(16).is_right);
    CHECK(rounded_to(12).pattern == "rounded");
}

TEST_CASE("needles do not get lost") {
    for (const char* contents : {"needle_first", "needle_last", "needle_edge", "nan", "infinity"}) {
        const Shape shape = sized(30011, contents);
        CHECK(judge_on(shape, all_of_it).is_right);
        const SumInput probe(30011, 11, contents);
        const auto lost = judge_on(shape, [&](FakeCall& call, std::uint64_t n) {
            return sum_if(call, n, [&](std::uint64_t i) { return i != probe.needle(); });
        });
        CHECK(!lost.is_right);
        CHECK(lost.facts.at(0).find(std::to_string(probe.needle())) != std::string::npos);
    }
    CHECK(judge_on(sized(30011, "needle_last"), [](FakeCall& call, std::uint64_t n) {
              return 2 * all_of_it(call, n);
          }).pattern == "element_repeated");
}
