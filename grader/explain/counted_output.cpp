#include "explain/counted_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "explain/advice_text.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "problem/count_pattern.hpp"

namespace warpgrade {

namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t most_elements_followed = 4200;
constexpr std::size_t piece_elements = 64;
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

// The first line that calls the function; 0: none.
int line_of_call(const Facts& facts, std::string_view name) {
    for (const source::Call& call : facts.calls)
        if (call.name == name) return call.line;
    return 0;
}

// What the counts ask: for what stands behind the element, for what is missing before it, for what is in it twice.
Advice advice_on_counts(const Words& counts, std::size_t element, const std::string& in, const std::string& out,
                        const Facts& facts) {
    const auto counted = [](std::uint32_t count) { return count != 0; };
    const auto at = [&](std::size_t i) { return counts.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto first_of = [&](auto from, auto to) {
        return static_cast<std::size_t>(std::find_if(from, to, counted) - counts.begin());
    };
    const int down = line_of_call(facts, "__shfl_down_sync");
    const bool shuffles_up = line_of_call(facts, "__shfl_up_sync") != 0;
    if (counts.size() > element + 1 && !shuffles_up && down != 0)
        return {say("shfl_down_sync_takes_values_lanes", out, element), down};
    const std::uint32_t own = counts.size() == element + 1 ? counts[element] : 0;
    if (element % 32 == 0 && own > 2 && std::has_single_bit(own) && shuffles_up)
        return say("lane_warp_lane_before", std::countr_zero(own));
    if (counts.size() > element + 1) {  // the last one is counted
        const std::size_t first = first_of(at(element + 1), counts.end()), last = counts.size() - 1;
        return say("may_hold_nothing_after", out, element, pieces_of(in, first, last), first == last ? "comes" : "come",
                   in, last);
    }
    const std::size_t first = first_of(counts.begin(), counts.end());
    const std::size_t held = element + 1 - first;
    if (first != 0 && first <= element && std::all_of(at(first), counts.end(), counted) && held > 1 &&
        std::has_single_bit(held))
        return say("elements_up_own_step", held);
    // All of a stretch's first elements, none of its others, and the element itself.
    const auto gap = static_cast<std::size_t>(std::find(counts.begin(), counts.end(), 0u) - counts.begin());
    if (first == 0 && gap != 0 && gap < element && counts.size() == element + 1 &&
        std::all_of(counts.begin(), at(gap), [](std::uint32_t c) { return c == 1; }) &&
        std::all_of(at(gap), at(element), [](std::uint32_t c) { return c == 0; }))
        return say("elements_before_first_thread", element, in, element,
                   gap == 1 ? "alone is" : fmt::format("{} alone are", gap));
    if (first != 0) return say("step_launch_should_add", pieces_of(in, 0, std::min(first, element + 1) - 1));
    const auto twice = std::ranges::find_if(counts, [](std::uint32_t count) { return count > 1; });
    if (twice != counts.end()) {
        const auto from = static_cast<std::size_t>(twice - counts.begin());
        std::size_t to = from;
        while (to + 1 < counts.size() && counts[to + 1] > 1) ++to;
        return say("more_than_once_lines", pieces_of(in, from, to), from == to ? "is" : "are",
                   from == to ? "it" : "them");
    }
    return {};
}

// The loops of the text whose steps are powers of two, by line.
std::vector<std::pair<int, LoopTurns>> doubling_loops(const Facts& facts) {
    std::vector<std::pair<int, LoopTurns>> loops;
    for (const source::Loop& loop : facts.loops) {
        LoopTurns turns = turns_of(facts, &loop, 0);
        if (turns.values.size() > 2 && std::ranges::all_of(turns.values, [](std::int64_t value) {
                return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
            }))
            loops.emplace_back(loop.line, std::move(turns));
    }
    return loops;
}

// Two loops, up a tree and down again, of which one makes a step less.
void look_for_shorter_loop(const Facts& facts, CountedOutput& told) {
    const auto loops = doubling_loops(facts);
    if (loops.size() != 2) return;
    const bool is_first = loops[0].second.values.size() < loops[1].second.values.size();
    const auto& [line, turns] = loops[is_first ? 0 : 1];
    const auto& [other_line, other] = loops[is_first ? 1 : 0];
    if (turns.values.size() + 1 != other.values.size()) return;
    for (const std::int64_t value : other.values)
        if (std::find(turns.values.begin(), turns.values.end(), value) == turns.values.end()) {
            told.line = line;
            told.help = say("loop_line_line_makes", line, turns.variable, listed(turns.values), other_line, value);
        }
}

// Only as many elements are in it as the steps of a loop reach, which doubles its distance and ends one too early.
void look_for_missing_step(const Words& counts, std::size_t element, const Facts& facts, CountedOutput& told) {
    const auto first = std::ranges::find_if(counts, [](std::uint32_t count) { return count != 0; });
    const std::size_t held = static_cast<std::size_t>(counts.end() - first);
    if (first == counts.begin() || counts.size() != element + 1 || held < 2 || !std::has_single_bit(held) ||
        !std::all_of(first, counts.end(), [](std::uint32_t count) { return count == 1; }))
        return;
    for (const auto& [line, turns] : doubling_loops(facts)) {
        std::size_t due = 1;
        for (const std::int64_t value : turns.values) due = std::cmp_equal(value, due) ? 2 * due : 0;
        if (due != held) continue;
        told.title = say("step_over_elements_missing", held);
        told.help = say("loop_line_how_far", line, turns.variable, listed(turns.values));
        told.line = line;
        return;
    }
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
    for (std::size_t first = 0; first < probing.values().size(); first += piece_elements) {
        const std::size_t last = std::min(first + piece_elements, probing.values().size());
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
    Advice advice = advice_on_counts(counts, element, in, out, bench.facts());
    CountedOutput told{fmt::format("{}[{}] adds up {}", out, element, counts_in_words(counts, in + "[", "]")),
                       std::move(advice.text)};
    told.line = advice.line;
    look_for_missing_step(counts, element, bench.facts(), told);
    if (told.line == 0) look_for_shorter_loop(bench.facts(), told);
    return told;
}

}  // namespace warpgrade
