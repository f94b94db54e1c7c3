#include "run/contribution_probe.hpp"

#include <algorithm>
#include <cstring>

namespace warpgrade {

namespace {

constexpr std::size_t most_runs = 600;
constexpr std::uint64_t most_work = std::uint64_t{1} << 27;  // instructions of warps, of all runs

}  // namespace

ContributionProbe::ContributionProbe(const Bench& bench) : bench_(bench), budget_(most_work, bench.budget) {}

bool ContributionProbe::prepare(const Shape& shape) {
    bench_.program.release_all();
    auto prepared = bench_.problem.prepare(bench_.program, shape, contents_seed(bench_.seed, shape));
    if (!prepared || prepared->buffers.size() < 2) return false;
    case_ = std::move(*prepared);
    shape_ = shape;
    const auto n = static_cast<std::size_t>(case_.layout.front().elements());
    const auto in = bytes(case_.buffers.front());
    if (in.size() != n * sizeof(float) || bytes(case_.buffers.back()).size() != sizeof(float)) return false;
    values_.resize(n);
    std::memcpy(values_.data(), in.data(), in.size());
    return n >= 2;
}

bool ContributionProbe::has_right_sums(const std::vector<float>& values) {
    if (launches_.size() != 2 || case_.buffers.size() != 3 || !bench_.program.download(case_.buffers[1])) return false;
    const auto sums = bytes(case_.buffers[1]);
    const std::uint64_t blocks = launches_.front().grid.count();
    if (sums.size() < blocks * sizeof(float)) return false;
    double left = 0, due = 0;
    for (std::uint64_t b = 0; b < blocks; ++b) {
        float one = 0;
        std::memcpy(&one, sums.data() + b * sizeof one, sizeof one);
        left += static_cast<double>(one);
    }
    for (const float value : values) due += static_cast<double>(value);
    return left == due;  // false for NaN
}

std::optional<float> ContributionProbe::sum(const std::vector<float>& values) {
    if (++runs_ > most_runs) return std::nullopt;
    const int in = case_.buffers.front();
    std::memcpy(bytes(in).data(), values.data(), values.size() * sizeof(float));
    if (!bench_.program.upload(in)) return std::nullopt;
    constexpr std::uint32_t spoiled = 0x7FA5A5A5u;  // a NaN
    for (std::size_t b = 1; b < case_.buffers.size(); ++b) bench_.program.poison(case_.buffers[b], spoiled);
    vgpu::Budget own(std::uint64_t{1} << 22, &budget_);
    vgpu::RunOptions options;
    options.threads = bench_.threads;
    options.check_races = false;
    options.limits.budget = &own;
    options.limits.warp_instructions = own.given();
    auto run = bench_.program.run(bench_.launchers.at(shape_.type), case_.arguments, options);
    if (!run || !run->is_valid || !bench_.program.download(case_.buffers.back())) return std::nullopt;
    launches_ = launches_of(run->plan);
    result_ = std::move(run->result);
    float found = 0;
    std::memcpy(&found, bytes(case_.buffers.back()).data(), sizeof found);
    return found;
}

std::optional<Counts> ContributionProbe::one_by_one(std::size_t first, std::size_t last) {
    auto counts = one_by_one(first, last, 4, 64);
    return counts ? counts : one_by_one(first, last, 2, 4096);
}

std::optional<std::uint32_t> ContributionProbe::of_all(std::size_t first, std::size_t last) {
    std::vector<float> probe(n(), 0.0f);
    double sum_of_probe = 0;
    for (std::size_t i = first; i < last; ++i) {
        probe[i] = static_cast<float>(1 + (i * 2654435761u >> 7) % 13);
        sum_of_probe += static_cast<double>(probe[i]);
    }
    const auto found = sum(probe);
    if (!found || !is_count(*found)) return std::nullopt;
    const double times = static_cast<double>(*found) / sum_of_probe;
    if (times != std::floor(times)) return std::nullopt;
    return static_cast<std::uint32_t>(times);
}

bool ContributionProbe::explain(const Counts& counts, float found) const {
    double sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sum += counts[i] * static_cast<double>(values_[i]);
    return sum == static_cast<double>(found);
}

std::optional<Counts> ContributionProbe::one_by_one(std::size_t first, std::size_t last, std::size_t at_a_time,
                                                    std::uint32_t base) {
    Counts counts;
    for (std::size_t at = first; at < last; at += at_a_time) {
        std::vector<float> probe(n(), 0.0f);
        const std::size_t end = std::min(at + at_a_time, last);
        float weight = 1;
        for (std::size_t i = at; i < end; ++i, weight *= static_cast<float>(base)) probe[i] = weight;
        const auto found = sum(probe);
        if (!found || !is_count(*found)) return std::nullopt;
        auto digits = static_cast<std::uint32_t>(*found);
        for (std::size_t i = at; i < end; ++i, digits /= base) counts.push_back(digits % base);
        if (digits != 0) return std::nullopt;
    }
    return counts;
}

}  // namespace warpgrade
