#include "run/counted_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "problem/count_pattern.hpp"

namespace warpgrade {

namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t most_elements_followed = 4200;
constexpr std::size_t piece = 64;
constexpr int most_uneven = 3;  // pieces
constexpr std::uint64_t most_work_of_following = std::uint64_t{1} << 24;

class Probing {
public:
    Probing(const Bench& bench, const Shape& shape, std::uint64_t element)
        : bench_(bench), shape_(shape), element_(element), budget_(most_work_of_following, bench.budget) {}

    bool prepare() {
        bench_.program.release_all();
        auto prepared = bench_.problem.prepare(bench_.program, shape_, contents_seed(bench_.seed, shape_));
        if (!prepared || prepared->buffers.size() < 2) return false;
        case_ = std::move(*prepared);
        const auto in = bytes(case_.buffers.front()), out = bytes(case_.buffers.back());
        const auto n = static_cast<std::size_t>(case_.layout.front().elements());
        if (n < 2 || n > most_elements_followed || in.size() != n * sizeof(std::uint32_t) || out.size() != in.size() ||
            element_ >= n)
            return false;
        values_.resize(n);
        std::memcpy(values_.data(), in.data(), in.size());
        return true;
    }

    const Words& values() const { return values_; }
    const Case& prepared() const { return case_; }

    // The element that the launcher makes of these values.
    std::optional<std::uint32_t> made_of(const Words& values) {
        const int in = case_.buffers.front(), out = case_.buffers.back();
        std::memcpy(bytes(in).data(), values.data(), values.size() * sizeof(std::uint32_t));
        if (!bench_.program.upload(in)) return std::nullopt;
        constexpr std::uint32_t spoiled = 0x7FA5A5A5u;
        for (std::size_t b = 1; b < case_.buffers.size(); ++b) bench_.program.poison(case_.buffers[b], spoiled);
        vgpu::Budget own(std::uint64_t{1} << 22, &budget_);
        vgpu::RunOptions options;
        options.threads = bench_.threads;
        options.check_races = false;
        options.limits.budget = &own;
        options.limits.warp_instructions = own.given();
        const auto run = bench_.program.run(bench_.launchers.at(shape_.type), case_.arguments, options);
        if (!run || !run->is_valid || !bench_.program.download(out)) return std::nullopt;
        std::uint32_t found = 0;
        std::memcpy(&found, bytes(out).data() + element_ * sizeof found, sizeof found);
        return found;
    }

    // That all elements in [first, last) have.
    std::optional<std::uint32_t> of_all(std::size_t first, std::size_t last) {
        Words probe(values_.size(), 0);
        std::uint32_t sum = 0;
        for (std::size_t i = first; i < last; ++i) sum += probe[i] = 1 + (i * 2654435761u >> 7) % 13;
        const auto found = made_of(probe);
        if (!found || *found % sum != 0) return std::nullopt;
        return *found / sum;
    }

    std::optional<Words> one_by_one(std::size_t first, std::size_t last) {
        constexpr std::size_t at_a_time = 4;  // digits of 8 bits
        Words counts;
        for (std::size_t at = first; at < last; at += at_a_time) {
            Words probe(values_.size(), 0);
            const std::size_t end = std::min(at + at_a_time, last);
            for (std::size_t i = at; i < end; ++i) probe[i] = 1u << (8 * (i - at));
            const auto found = made_of(probe);
            if (!found) return std::nullopt;
            for (std::size_t i = at; i < end; ++i) counts.push_back(*found >> (8 * (i - at)) & 0xFFu);
        }
        return counts;
    }

private:
    std::span<std::byte> bytes(int buffer) const { return bench_.program.bytes(buffer); }

    const Bench& bench_;
    const Shape& shape_;
    std::uint64_t element_;
    vgpu::Budget budget_;
    Case case_;
    Words values_;
};

std::string pieces_of(const std::string& name, std::size_t first, std::size_t last) {
    return first == last ? fmt::format("{}[{}]", name, first) : fmt::format("{0}[{1}] to {0}[{2}]", name, first, last);
}

// What the counts ask: for what stands behind the element, for what is missing before it, for what is in it twice.
std::string advice_on_counts(const Words& counts, std::size_t element, const std::string& in, const std::string& out) {
    const auto counted = [](std::uint32_t count) { return count != 0; };
    const auto at = [&](std::size_t i) { return counts.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto first_of = [&](auto from, auto to) {
        return static_cast<std::size_t>(std::find_if(from, to, counted) - counts.begin());
    };
    if (counts.size() > element + 1) {  // the last one is counted
        const std::size_t first = first_of(at(element + 1), counts.end()), last = counts.size() - 1;
        return fmt::format("{} {} behind {}[{}]: is a sum that goes up to {}[{}] not meant for what follows it?",
                           pieces_of(in, first, last), first == last ? "stands" : "stand", out, element, in, last);
    }
    const std::size_t first = first_of(counts.begin(), counts.end());
    const std::size_t held = element + 1 - first;
    if (first != 0 && first <= element && std::all_of(at(first), counts.end(), counted) && held > 1 &&
        std::has_single_bit(held))
        return fmt::format("{} elements are in it, up to its own: which step brings what is further away?", held);
    if (first != 0)
        return fmt::format("which step, or which launch, is to bring {}?",
                           pieces_of(in, 0, std::min(first, element + 1) - 1));
    const auto twice = std::find_if(counts.begin(), counts.end(), [](std::uint32_t count) { return count > 1; });
    if (twice != counts.end()) {
        const auto from = static_cast<std::size_t>(twice - counts.begin());
        std::size_t to = from;
        while (to + 1 < counts.size() && counts[to + 1] > 1) ++to;
        return fmt::format("{} {} in it more than once: which lines bring {}?", pieces_of(in, from, to),
                           from == to ? "is" : "are", from == to ? "it" : "them");
    }
    return {};
}

}  // namespace

std::optional<CountedOutput> counted_output(const Bench& bench, const Shape& shape, std::uint64_t wrong) {
    const std::uint64_t element = wrong / sizeof(std::uint32_t);
    Probing probing(bench, shape, element);
    if (shape.extents.size() != 1 || !shape.previous.empty() || !probing.prepare()) return std::nullopt;
    const auto found = probing.made_of(probing.values());
    const auto nothing = probing.made_of(Words(probing.values().size(), 0));
    if (!found || !nothing || *nothing != 0) return std::nullopt;
    Words counts;
    int uneven = 0;
    for (std::size_t first = 0; first < probing.values().size(); first += piece) {
        const std::size_t last = std::min(first + piece, probing.values().size());
        if (const auto all = probing.of_all(first, last)) {
            counts.insert(counts.end(), last - first, *all);
            continue;
        }
        const auto own = ++uneven > most_uneven ? std::nullopt : probing.one_by_one(first, last);
        if (!own) return std::nullopt;
        counts.insert(counts.end(), own->begin(), own->end());
    }
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sum += counts[i] * probing.values()[i];
    if (sum != *found) return std::nullopt;
    // What stands behind the element, and is rightly in no sum, is not worth a word.
    while (counts.size() > element + 1 && counts.back() == 0) counts.pop_back();
    const std::vector<BufferLayout>& layout = probing.prepared().layout;
    const std::string &in = layout.front().name, &out = layout.back().name;
    return CountedOutput{fmt::format("{}[{}] adds up {}", out, element, counts_in_words(counts, in + "[", "]")),
                         advice_on_counts(counts, element, in, out)};
}

}  // namespace warpgrade
