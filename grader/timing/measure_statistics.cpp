#include "timing/measure_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace warpgrade {

double quantile(std::vector<double> samples, double q) {
    if (samples.empty()) return 0;
    std::sort(samples.begin(), samples.end());
    const double place = q * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    return samples[below] + (place - static_cast<double>(below)) * (samples[above] - samples[below]);
}

Spread spread_of(const std::vector<double>& samples) {
    return {quantile(samples, 0.5), quantile(samples, 0.75) - quantile(samples, 0.25),
            static_cast<int>(samples.size())};
}

Interval median_interval(std::vector<double> samples) {
    if (samples.empty()) return {};
    std::sort(samples.begin(), samples.end());
    const auto n = samples.size();
    // The largest rank k with P(Binomial(n, 1/2) < k) <= 2.5 %: the k-th smallest and the k-th largest enclose the
    // median.
    double term = std::pow(0.5, static_cast<double>(n)), sum = term;
    std::size_t rank = 0;
    while (rank < n / 2 && sum <= 0.025) {
        ++rank;
        term *= static_cast<double>(n - rank + 1) / static_cast<double>(rank);
        sum += term;
    }
    const std::size_t low = rank == 0 ? 0 : rank - 1;
    return {samples[low], samples[n - 1 - low]};
}

std::vector<double> ratios(const std::vector<double>& above, const std::vector<double>& below) {
    std::vector<double> all;
    for (std::size_t i = 0; i < std::min(above.size(), below.size()); ++i)
        if (below[i] > 0) all.push_back(above[i] / below[i]);
    return all;
}

}  // namespace warpgrade
