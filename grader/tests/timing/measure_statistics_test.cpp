#include "timing/measure_statistics.hpp"

#include <cmath>

#include "problem/pattern.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("quantiles lie between neighbours") {
    CHECK(quantile({}, 0.5) == 0);
    CHECK(quantile({3}, 0.9) == 3);
    CHECK(quantile({4, 1, 3, 2}, 0.5) == 2.5);
    CHECK(quantile({1, 2, 3, 4, 5}, 0.25) == 2);
    CHECK(quantile({1, 2, 3, 4}, 0.75) == 3.25);
    const Spread spread = spread_of({5, 1, 4, 2, 3});
    CHECK(spread.median == 3);
    CHECK(spread.iqr == 2);
    CHECK(spread.samples == 5);
}

TEST_CASE("the interval of a median has the ranks of the binomial distribution") {
    // Of 15 samples the 4th and the 12th: P(Binomial(15, 1/2) <= 3) = 1.8 %, one more is 5.9 %.
    std::vector<double> samples;
    for (int i = 15; i >= 1; --i) samples.push_back(i);
    CHECK(median_interval(samples).low == 4);
    CHECK(median_interval(samples).high == 12);
    // Of 5 all: P(Binomial(5, 1/2) = 0) is 3.1 % already.
    CHECK(median_interval({1, 2, 3, 4, 5}).low == 1);
    CHECK(median_interval({1, 2, 3, 4, 5}).high == 5);
    CHECK(median_interval({7}).low == 7);
    CHECK(median_interval({}).high == 0);
}

TEST_CASE("the interval holds the true median in 95 of 100 repetitions") {
    // Times with a long tail, as a busy machine makes them: exp(2 u) for a uniform u, whose median is e.
    int held = 0;
    constexpr int repetitions = 2000;
    for (std::uint64_t repetition = 0; repetition < repetitions; ++repetition) {
        std::vector<double> samples;
        for (std::uint64_t i = 0; i < 21; ++i)
            samples.push_back(std::exp(2 * static_cast<double>(hash_of(repetition, i) >> 11) * 0x1p-53));
        const Interval interval = median_interval(samples);
        held += interval.low <= std::exp(1.0) && std::exp(1.0) <= interval.high;
    }
    CHECK(held >= 0.95 * repetitions);
    CHECK(held <= 0.99 * repetitions);  // and is not so wide that it says nothing
}

TEST_CASE("ratios pair what ran in the same turn") {
    CHECK(ratios({2, 9, 4}, {1, 3}) == std::vector<double>{2, 3});
    CHECK(ratios({2}, {0}).empty());
}
