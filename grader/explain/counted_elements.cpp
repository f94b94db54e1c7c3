#include "explain/counted_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "explain/counted_lines.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording_place.hpp"
#include "problem/count_pattern.hpp"
#include "problem/known_mistake.hpp"
#include "run/contribution_probe.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

namespace {

constexpr std::int64_t most_elements = 4200;
constexpr std::int64_t most_by_one = 600;  // elements that are counted one by one

std::string times_each(double each) { return fmt::format("{:.9g}", each); }

// What is in the sum although all elements are 0: as much for each thread that has no element?
CountedElements not_of_an_element(const ContributionProbe& counting, float nothing, const Facts& facts) {
    CountedElements found;
    found.fact = say("elements_sum", counting.n(), nothing);
    found.help = say("something_added_element_does");
    if (const auto brought = brought_by_idle(facts)) {
        found.pattern = "idle_threads_add";
        found.title = say("element_brings", brought->first);
        found.line = brought->second;
        found.help = say("past_end_bring");
        return found;
    }
    std::uint64_t elements = counting.n(), idle = 0;
    for (const LaunchInfo& launch : counting.launches()) {
        const std::uint64_t threads = launch.grid.count() * launch.block.count();
        if (threads < elements) return found;
        idle += threads - elements;
        elements = launch.grid.count();
    }
    if (idle == 0) return found;
    const double each = static_cast<double>(nothing) / static_cast<double>(idle);
    if (each * 64 != std::floor(each * 64) || std::fabs(each) > 1000) return found;
    found.pattern = "idle_threads_add";
    found.title = say("thread_without_element_adds", times_each(each));
    found.fact = say("elements_sum_threads_launches", counting.n(), nothing, idle);
    found.help = say("past_end_bring");
    return found;
}

// What a first launch does to its elements, where a second one of the same kernel does it to the sums again.
bool divide_by_second_launch(Counts& counts, const std::vector<LaunchInfo>& launches) {
    if (launches.size() != 2 || launches[0].kernel != launches[1].kernel || counts.empty()) return true;
    const auto own = static_cast<std::uint32_t>(std::lround(std::sqrt(counts[0])));
    if (own == 0 || own * own != counts[0]) return false;
    for (const std::uint32_t count : counts)
        if (count % own != 0) return false;
    for (std::uint32_t& count : counts) count /= own;
    return true;
}

// Elements that no thread loads are lost before anything is added.
std::optional<CountPattern> few_loads(const ContributionProbe& counting, const Counts& counts, std::uint64_t threads) {
    constexpr std::uint64_t floats_of_a_sector = 32 / sizeof(float);
    const std::uint64_t loaded = counting.result().counters.global_load_sectors_ideal * floats_of_a_sector;
    if (counting.launches().size() != 1 || loaded >= counting.n()) return std::nullopt;
    for (std::size_t i = 1; i < counts.size(); ++i)
        if (counts[i] != counts[i - 1] && i % threads != 0)
            return CountPattern{"few_loads", say("block_threads_loads_elements", threads, loaded, counting.n()), "",
                                say("element_does_thread_load"), SumPart::loads};
    return std::nullopt;
}

// A loop whose steps go on by twos, and that ends, or begins, a step or more too early; "" where it is another one.
std::string advice_on_end(const CountPattern& pattern, const Facts& facts, const source::Loop& loop,
                          const LoopTurns& turns) {
    const bool is_up = loop.step_sign == "*=" || loop.step_sign == "<<=";
    if (!is_up && loop.step_sign != "/=" && loop.step_sign != ">>=") return {};
    for (std::size_t i = 1; i < turns.values.size(); ++i)
        if ((is_up ? turns.values[i - 1] : turns.values[i]) * 2 != (is_up ? turns.values[i] : turns.values[i - 1]))
            return {};
    std::vector<std::int64_t> missing(pattern.steps.begin(), pattern.steps.end());
    std::ranges::sort(missing);
    if (!is_up) std::ranges::reverse(missing);
    const std::string condition = in_one_line(*facts.tree, loop.condition);
    const std::int64_t next = is_up ? turns.values.back() * 2 : turns.values.back() / 2;
    if (missing.front() == next)
        return say("line_ends_loop_before", condition, loop.line, turns.variable, listed(missing),
                   missing.size() == 1 ? "that" : "those");
    const bool is_before =
        is_up ? missing.back() * 2 == turns.values.front() : missing.back() == turns.values.front() * 2;
    if (!is_before) return {};
    return say("loop_line_begins_steps", loop.line, turns.variable, turns.values.front(), missing.front());
}

// The loop that makes the steps of a tree, by the numbers that its variable takes: which of those that are missing, or
// are made twice, are its own?
void look_at_loop(const CountPattern& pattern, const Facts& facts, std::int64_t threads, CountedElements& told) {
    if (pattern.part != SumPart::tree || pattern.steps.empty() || told.line == 0) return;
    const source::Loop* const loop = facts.loop_at(told.line);
    const LoopTurns turns = turns_of(facts, loop, threads);
    if (turns.values.empty()) return;
    const auto has = [](const auto& some, std::int64_t step) {
        return std::ranges::any_of(some, [&](auto one) { return static_cast<std::int64_t>(one) == step; });
    };
    const std::string text =
        fmt::format("in the loop in line {} `{}` is {}", loop->line, turns.variable, listed(turns.values));
    bool is_whole = true;  // with the missing ones the loop makes all
    for (std::int64_t step = 1; step < threads; step *= 2)
        is_whole = is_whole && (has(turns.values, step) || has(pattern.steps, step));
    const bool is_repeated = pattern.pattern == KnownMistake::steps_repeated;
    const bool makes_one = std::ranges::any_of(
        pattern.steps, [&](std::uint64_t step) { return has(turns.values, static_cast<std::int64_t>(step)); });
    if (makes_one != is_repeated) return;  // its numbers do not say why
    told.line = loop->line;
    told.facts.push_back(text);
    const bool is_one = pattern.steps.size() == 1;
    if (const std::string end = is_repeated || !is_whole ? "" : advice_on_end(pattern, facts, *loop, turns);
        !end.empty())
        told.help = end;
    if (is_repeated)
        told.help = say("statements_after_loop_make", is_one ? "this step" : "these steps", is_one ? "it" : "them");
    else if (!is_whole) {
        const std::string end = advice_on_end(pattern, facts, *loop, turns);
        told.help = say("neither_loop_nor_follows", is_one ? "this step" : "these steps",
                        end.empty() ? "" : " if it is the loop: ", end);
    }
}

// sum = __shfl_down_sync(mask, sum, s);
void look_at_kept_value(const Facts& facts, CountedElements& told) {
    const Tree& tree = *facts.tree;
    for (const source::Match& match : matches(*source::pattern_of("$value = $shuffle($mask, $value, $$$)"), tree)) {
        const std::string value = in_one_line(tree, match.binding("value")->first),
                          shuffle = in_one_line(tree, match.binding("shuffle")->first);
        if (!shuffle.starts_with("__shfl_")) continue;
        told.line = match.at.line;
        told.help = say("line_stores_brings_place", told.line, shuffle, value);
        return;
    }
}

// Of twice the values a sum is twice as much.
std::optional<CountedElements> not_a_sum(ContributionProbe& counting, const Facts& facts) {
    const std::vector<float> all_ones(counting.n(), 1.0f), all_twos(counting.n(), 2.0f);
    const auto ones = counting.sum(all_ones), twos = counting.sum(all_twos);
    if (!ones || !twos || std::isnan(*ones) || std::isnan(*twos)) return std::nullopt;
    CountedElements told;
    told.shape = std::to_string(counting.n());
    told.facts.push_back(say("elements_many", counting.n(), *ones, *twos));
    told.fact = std::move(told.facts.back());
    told.facts.clear();
    if (*ones > 0 && *twos >= 4 * *ones) {
        told.pattern = "multiplied_elements";
        told.title = say("elements_multiplied_other_added");
        told.help = say("line_between_two_elements");
        told.line = line_of_product(facts);
        return told;
    }
    const auto alone = [&](std::size_t at) {
        std::vector<float> probe(counting.n(), 0.0f);
        probe[at] = 1;
        return counting.sum(probe);
    };
    const std::size_t last = counting.n() - 1;
    if (*ones != 1 || *twos != 2 || last < 2) return std::nullopt;
    for (const std::size_t at : {std::size_t{0}, last / 2, last})
        if (const auto one = alone(at); !one || *one != 1) return std::nullopt;
    told.pattern = "largest";
    told.title = say("largest_element_comes_out");
    told.help = say("line_keeps_larger_two");
    const auto larger = std::ranges::find_if(facts.calls, [&](const source::Call& call) {
        const bool is_max =
            call.name == "max" || call.name == "std::max" || call.name == "fmaxf" || call.name == "fmax";
        const std::string text = in_one_line(*facts.tree, call.node);
        return is_max && (text.find('[') != text.npos || text.find("__shfl") != text.npos);
    });
    if (larger != facts.calls.end()) {
        told.line = larger->line;
        told.help = say("line_keeps_larger_two_sum", told.line);
    }
    return told;
}

// Of as many elements as one block sums.
std::optional<CountedElements> of_a_block(ContributionProbe& counting, const Shape& shape, std::uint64_t threads,
                                          const Facts& facts) {
    for (const std::uint64_t each : {8, 4, 2, 1}) {
        const std::uint64_t elements = each * threads;
        if (elements > 2048 || elements < 2) continue;
        Shape own = shape;
        own.extents = {static_cast<std::int64_t>(elements)};
        if (!counting.prepare(own)) return std::nullopt;
        const auto found = counting.sum(counting.values());
        if (!found) return std::nullopt;
        const bool is_one_block = counting.launches().front().grid.count() == 1;
        if (each != 1 && !is_one_block) continue;
        double due = 0;
        for (const float value : counting.values()) due += static_cast<double>(value);
        if (static_cast<double>(*found) == due) return std::nullopt;
        if (auto told = is_one_block ? not_a_sum(counting, facts) : std::nullopt) return told;
        const auto all = counting.one_by_one(0, counting.n());
        if (!all || !counting.explain(*all, *found)) return std::nullopt;
        Counts counts = *all;
        if (!is_one_block && !divide_by_second_launch(counts, counting.launches())) counts = *all;
        const bool has_shuffles = counting.result().counters.shuffles != 0;
        auto pattern = pattern_of_counts({counts, threads, has_shuffles});
        if (const auto loads = few_loads(counting, counts, threads)) pattern = loads;
        if (!pattern) return std::nullopt;
        if (const std::string advice = advice_on_shuffles(facts); !advice.empty() && pattern->part == SumPart::shuffles)
            pattern->help = advice;
        CountedElements told{pattern->pattern,
                             pattern->title,
                             pattern->fact,
                             pattern->help,
                             std::to_string(elements),
                             fmt::format("{}[0] is {:.9g}, expected {:.9g}", counting.out_name(), *found, due),
                             0};
        if (told.fact.empty())
            told.fact = fmt::format("of {} elements it counts {}", counting.n(), counts_in_words(*all, "in[", "]"));
        told.line = line_of_part(pattern->part, counting.result(), facts);
        // One element alone: it is lost in the tree where that stores over what it has, and else in the store of its
        // end.
        if (pattern->part == SumPart::result && !adds_in_place(facts))
            told.line = line_of_part(SumPart::tree, counting.result(), facts);
        else if (pattern->part == SumPart::result)
            told.help = say("steps_add_up_another");
        if (pattern->pattern == KnownMistake::first_warp_only && counting.result().counters.shared_load_requests == 0 &&
            counting.result().counters.global_atomic_operations != 0)
            told.help = say("warp_alone_adds_sum");
        if (pattern->pattern == KnownMistake::first_load_twice)
            if (const int twice = line_of_same_twice(facts); twice != 0) told.line = twice;
        if (pattern->pattern == KnownMistake::one_lane) look_at_kept_value(facts, told);
        look_at_loop(*pattern, facts, static_cast<std::int64_t>(threads), told);
        told.todo = pattern->pattern == KnownMistake::nothing_added ? line_of_todo(facts) : 0;
        if (told.todo != 0) told.facts.push_back(say("todo_stands_line_asks", told.todo));
        return told;
    }
    return std::nullopt;
}

// Of all elements of a shape, where pieces of a block's elements are counted as one.
std::optional<Counts> by_pieces(ContributionProbe& counting, std::size_t piece) {
    if (counting.n() <= static_cast<std::size_t>(most_by_one)) return counting.one_by_one(0, counting.n());
    constexpr int most_uneven = 2;
    Counts counts;
    int uneven = 0;
    for (std::size_t first = 0; first < counting.n(); first += piece) {
        const std::size_t last = std::min(first + piece, counting.n());
        if (const auto all = counting.of_all(first, last)) {
            counts.insert(counts.end(), last - first, *all);
            continue;
        }
        if (++uneven > most_uneven) return std::nullopt;
        const auto own = counting.one_by_one(first, last);
        if (!own) return std::nullopt;
        counts.insert(counts.end(), own->begin(), own->end());
    }
    return counts;
}

// The counts of a shape that follow a rule.
std::optional<CountedElements> by_rule(ContributionProbe& counting, const Shape& shape, std::uint64_t threads,
                                       const Facts& facts) {
    if (!counting.prepare(shape)) return std::nullopt;
    const auto wrong = counting.sum(counting.values());
    if (!wrong || *wrong == 0 || counting.launches().empty()) return std::nullopt;
    const std::uint64_t blocks = counting.launches().front().grid.count();
    const auto counts = by_pieces(counting, threads);
    if (!counts || !counting.explain(*counts, *wrong)) return std::nullopt;
    const auto pattern = pattern_of_shape({*counts, threads, blocks});
    if (!pattern) return std::nullopt;
    double due = 0;
    for (const float value : counting.values()) due += static_cast<double>(value);
    CountedElements told{pattern->pattern,
                         pattern->title,
                         pattern->fact,
                         pattern->help,
                         std::to_string(counting.n()),
                         fmt::format("{}[0] is {:.9g}, expected {:.9g}", counting.out_name(), *wrong, due),
                         line_of_part(pattern->part, counting.result(), facts)};
    if (told.fact.empty())
        told.fact = fmt::format("of {} elements it counts {}", counting.n(), counts_in_words(*counts, "in[", "]"));
    if (pattern->pattern == KnownMistake::last_repeated)
        for (const char* const last : {"$inside ? $own : $count - 1", "$min($own, $count - 1)"})
            if (const int line = first_line_like(facts, last); line != 0) {
                told.line = line;
                told.help = say("takes_last_element", line);
            }
    return told;
}

std::optional<CountedElements> of_a_shape(ContributionProbe& counting, const Shape& shape, std::uint64_t threads,
                                          const Facts& facts) {
    if (!counting.prepare(shape)) return std::nullopt;
    const auto wrong = counting.sum(counting.values());
    if (!wrong) return std::nullopt;
    const bool is_second_launch = counting.has_right_sums(counting.values());
    const auto counts = by_pieces(counting, threads);
    if (!counts || !counting.explain(*counts, *wrong)) return std::nullopt;
    const auto odd = std::find_if(counts->begin(), counts->end(), [](std::uint32_t count) { return count != 1; });
    if (odd == counts->end()) return std::nullopt;
    const std::uint64_t n = counting.n(), at = static_cast<std::uint64_t>(odd - counts->begin());
    CountedElements told;
    double due = 0;
    for (const float value : counting.values()) due += static_cast<double>(value);
    told.title = counts_as_title(*counts);
    told.shape = std::to_string(n);
    told.sums = fmt::format("{}[0] is {:.9g}, expected {:.9g}", counting.out_name(), *wrong, due);
    told.fact = fmt::format("of {} elements it counts {}", n, counts_in_words(*counts, "in[", "]"));
    told.help = say("follow_element_threads_add", at, n);
    if (n > threads && at != 0 && (at % threads == 0 || at % threads == threads - 1))
        told.help = say("block_threads_block_takes", threads, at);
    if (is_second_launch) {
        const LaunchInfo &first = counting.launches()[0], &second = counting.launches()[1];
        told.title.clear();
        told.facts.push_back(say("first_launch_leaves_add", plural(first.grid.count(), "sum")));
        told.help = say("second_launch_adds_them", plural(first.grid.count(), "sum"), second.grid.count(),
                        second.block.count());
        told.line = second.line;
        return told;
    }
    if (const std::string advice = advice_on_shuffles(facts);
        !advice.empty() && counting.result().counters.shuffles != 0) {
        told.help = advice;
        told.line = line_of_shuffles(counting.result(), facts);
    }
    return told;
}

}  // namespace

std::optional<CountedElements> counted_elements(const Bench& bench, const std::vector<Shape>& wrong, bool is_named) {
    std::vector<Shape> shapes;
    for (Shape shape : wrong) {
        if (shape.contents == counting_contents) shape.contents.clear();
        if (shape.type == "float" && shape.contents.empty() && shape.previous.empty() && shape.base_offset_bytes == 0 &&
            shape.extents.size() == 1 && shape.extents[0] >= 2 && shape.extents[0] <= most_elements)
            shapes.push_back(shape);
    }
    if (shapes.empty()) return std::nullopt;
    std::ranges::stable_sort(shapes, [](const Shape& a, const Shape& b) { return a.extents[0] < b.extents[0]; });
    ContributionProbe counting(bench);
    if (!counting.prepare(shapes.front()) || !counting.sum(counting.values()) || counting.launches().empty())
        return std::nullopt;
    const std::uint64_t threads = counting.launches().front().block.count();
    const auto nothing = counting.sum(std::vector<float>(counting.n(), 0.0f));
    if (nothing && *nothing != 0) {
        CountedElements told = not_of_an_element(counting, *nothing, bench.facts());
        if (is_named && told.pattern.empty()) return std::nullopt;
        if (told.pattern.empty() && counting.result().counters.shuffles != 0)
            if (const std::string advice = advice_on_shuffles(bench.facts()); !advice.empty()) {
                told.help = advice;
                told.line = line_of_shuffles(counting.result(), bench.facts());
            }
        if (!told.pattern.empty() && told.line == 0)
            told.line = line_of_part(SumPart::loads, counting.result(), bench.facts());
        return told;
    }
    if (auto told = of_a_block(counting, shapes.back(), threads, bench.facts())) return told;
    // The smallest shape, one of a block and a half, and the largest.
    Shape more = shapes.front();
    more.extents = {static_cast<std::int64_t>(threads + threads / 2)};
    for (const Shape& shape : {shapes.front(), more, shapes.back()})
        if (auto told = by_rule(counting, shape, threads, bench.facts())) return told;
    if (is_named) return std::nullopt;
    return of_a_shape(counting, shapes.front(), threads, bench.facts());
}

}  // namespace warpgrade
