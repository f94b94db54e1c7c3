// Medians and how far they may be off. Samples are seconds, in the order they were taken.
#pragma once

#include <vector>

namespace warpgrade {

// The q-quantile, between neighbours where it falls between two samples (type 7 of Hyndman and Fan, 1996).
double quantile(std::vector<double> samples, double q);

struct Spread {
    double median = 0;
    double iqr = 0;  // third quartile minus first
    int samples = 0;
};
Spread spread_of(const std::vector<double>& samples);

// An interval that holds the true median in 95 of 100 repetitions, or more: the order statistics whose ranks the
// binomial distribution gives (no assumption on how times are distributed). With fewer than 6 samples, all of them.
struct Interval {
    double low = 0, high = 0;
};
Interval median_interval(std::vector<double> samples);

// above[i] / below[i], pair by pair: what one did in the turns of the other.
std::vector<double> ratios(const std::vector<double>& above, const std::vector<double>& below);

}  // namespace warpgrade
