#include "run/counted_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace warpgrade {

namespace {

constexpr std::uint32_t digit_base = 64;    // an element that is counted more often is not told
constexpr std::size_t at_a_time = 4;        // digit_base^4 is the last whole number that floats count to
constexpr std::int64_t most_counted = 600;  // 150 runs

class Counting {
public:
    Counting(const Bench& bench, const Case& prepared, const Shape& shape)
        : bench_(bench), case_(prepared), shape_(shape) {}

    // The sum that the launcher makes of these values.
    std::optional<float> sum(const std::vector<float>& values) {
        const int in = case_.buffers.front();
        std::memcpy(bench_.program.bytes(in).data(), values.data(), values.size() * sizeof(float));
        if (!bench_.program.upload(in)) return std::nullopt;
        constexpr std::uint32_t spoiled = 0x7FA5A5A5u;  // a NaN
        for (std::size_t b = 1; b < case_.buffers.size(); ++b) bench_.program.poison(case_.buffers[b], spoiled);
        vgpu::Budget own(std::uint64_t{1} << 22, bench_.budget);
        vgpu::RunOptions options;
        options.threads = bench_.threads;
        options.check_races = false;
        options.limits.budget = &own;
        options.limits.warp_instructions = own.given();
        const auto run = bench_.program.run(bench_.launchers.at(shape_.type), case_.arguments, options);
        if (!run || !run->is_valid || !bench_.program.download(case_.buffers.back())) return std::nullopt;
        float found = 0;
        std::memcpy(&found, bench_.program.bytes(case_.buffers.back()).data(), sizeof found);
        return found;
    }

private:
    const Bench& bench_;
    const Case& case_;
    const Shape& shape_;
};

std::string times(std::uint32_t count) {
    if (count == 0) return "not at all";
    return count == 1 ? "once" : count == 2 ? "twice" : fmt::format("{} times", count);
}

std::string in_words(const std::vector<std::uint32_t>& counts) {
    constexpr int most_groups = 5;
    std::string text;
    int groups = 0;
    for (std::size_t first = 0; first < counts.size(); ++groups) {
        std::size_t last = first;
        while (last + 1 < counts.size() && counts[last + 1] == counts[first]) ++last;
        if (groups == most_groups) return text + ", and so on";
        text += first == 0 ? "" : ", ";
        text += first == last ? fmt::format("in[{}] {}", first, times(counts[first]))
                              : fmt::format("in[{}] to in[{}] {}", first, last, times(counts[first]));
        first = last + 1;
    }
    return text;
}

}  // namespace

std::optional<CountedElements> counted_elements(const Bench& bench, const Shape& shape) {
    if (shape.type != "float" || !shape.contents.empty() || !shape.previous.empty()) return std::nullopt;
    bench.program.release_all();
    const auto prepared = bench.problem.prepare(bench.program, shape, contents_seed(bench.seed, shape));
    if (!prepared || prepared->buffers.size() < 2) return std::nullopt;
    const std::int64_t n = prepared->layout.front().elements();
    const auto in = bench.program.bytes(prepared->buffers.front()), out = bench.program.bytes(prepared->buffers.back());
    if (n < 2 || n > most_counted || in.size() != static_cast<std::size_t>(n) * sizeof(float) ||
        out.size() != sizeof(float))
        return std::nullopt;
    std::vector<float> values(static_cast<std::size_t>(n));
    std::memcpy(values.data(), in.data(), in.size());

    Counting counting(bench, *prepared, shape);
    const auto wrong = counting.sum(values);
    if (!wrong) return std::nullopt;
    const auto nothing = counting.sum(std::vector<float>(values.size(), 0.0f));
    if (nothing && *nothing != 0)
        return CountedElements{fmt::format("with {} elements that are all 0 it is {:.9g}", n, *nothing),
                               "something is added that is no element: does each sum begin at 0, and what do threads "
                               "bring that have no element?"};
    std::vector<std::uint32_t> counts(values.size(), 0);
    for (std::size_t first = 0; first < counts.size(); first += at_a_time) {
        std::vector<float> probe(values.size(), 0.0f);
        const std::size_t last = std::min(first + at_a_time, counts.size());
        float weight = 1;
        for (std::size_t i = first; i < last; ++i, weight *= digit_base) probe[i] = weight;
        const auto found = counting.sum(probe);
        if (!found || !(*found >= 0) || *found > 0x1p24f || *found != std::floor(*found)) return std::nullopt;
        auto digits = static_cast<std::uint32_t>(*found);
        for (std::size_t i = first; i < last; ++i, digits /= digit_base) counts[i] = digits % digit_base;
        if (digits != 0) return std::nullopt;
    }
    double sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sum += counts[i] * static_cast<double>(values[i]);
    const auto odd = std::find_if(counts.begin(), counts.end(), [](std::uint32_t count) { return count != 1; });
    if (sum != static_cast<double>(*wrong) || odd == counts.end()) return std::nullopt;
    return CountedElements{
        fmt::format("of {} elements it counts {}", n, in_words(counts)),
        fmt::format("follow element {}, of {}: which threads add it, and in which steps?", odd - counts.begin(), n)};
}

}  // namespace warpgrade
