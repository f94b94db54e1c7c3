#include "grade/tried_pitch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explain/access_place.hpp"
#include "explain/advice_text.hpp"
#include "explain/say.hpp"
#include "source/questions.hpp"

namespace warpgrade {

namespace {

constexpr double worth_telling = 0.75;  // of the wavefronts, at most

std::uint64_t wavefronts(const vgpu::Counters& counters) {
    return counters.shared_load_wavefronts + counters.shared_store_wavefronts;
}

bool is_better(std::uint64_t before, std::uint64_t after) {
    return static_cast<double>(after) <= worth_telling * static_cast<double>(before);
}

bool is_of_banks(const Diagnostic& finding) { return finding.code == "bank_conflict" && !finding.object.empty(); }

std::string with_pitch(const source::Facts& facts, const source::SharedArray& array, std::int64_t step) {
    const source::Range at = range_of(*facts.tree, array.extents.back());
    std::string text = *facts.tree->tokens.text;
    const std::string before = text.substr(at.offset, at.length);
    const bool is_word = before.find_first_of(" +-*/%<>?:") == std::string::npos;
    return text.replace(
        at.offset, at.length,
        fmt::format("{} {} {}", is_word ? before : "(" + before + ")", step < 0 ? "-" : "+", std::abs(step)));
}

}  // namespace

std::vector<std::int64_t> pitch_steps(std::int64_t length) {
    if (length % bank_count == 0) return {1};
    return length > bank_count ? std::vector<std::int64_t>{-1, 1} : std::vector<std::int64_t>{1};
}

Result<std::vector<TriedPitch>> try_pitches(const TrialBench& bench, const source::Facts& facts,
                                            const std::vector<Diagnostic>& findings, const CaseToRun& measured,
                                            const vgpu::Counters& counted, std::span<const CaseToRun> others) {
    std::vector<TriedPitch> tried;
    for (const Diagnostic& finding : findings) {
        const auto is_known = [&](const TriedPitch& one) { return one.array == finding.object; };
        if (!is_of_banks(finding) || std::ranges::any_of(tried, is_known)) continue;
        const source::SharedArray* const array = only_shared_array(facts, finding.object);
        const auto extents = shared_extents(facts, finding.object);
        if (array == nullptr || extents.size() != 2 || array->is_dynamic) continue;
        const auto steps = pitch_steps(extents.back());
        std::vector<std::string> versions;
        for (const std::int64_t step : steps) versions.push_back(with_pitch(facts, *array, step));
        const auto counts = count_versions(bench, versions, measured, others);
        if (!counts) return counts.error();
        if (std::ranges::all_of(*counts, [](const auto& one) { return !one.was_run; })) continue;
        TriedPitch& told = tried.emplace_back(TriedPitch{finding.object, array->line, extents.back(), 0,
                                                         counted.shared_load_wavefronts,
                                                         counted.shared_store_wavefronts, 0, 0, 1 + others.size()});
        for (std::size_t i = 0; i < counts->size() && told.to == 0; ++i) {
            const VersionCount& one = (*counts)[i];
            if (!one.is_right || !is_better(told.loads + told.stores, wavefronts(one.counters))) continue;
            told.to = told.from + steps[i];
            told.loads_after = one.counters.shared_load_wavefronts;
            told.stores_after = one.counters.shared_store_wavefronts;
        }
    }
    return tried;
}

void tell_pitches(const std::vector<TriedPitch>& tried, std::vector<Diagnostic>& findings) {
    for (const TriedPitch& one : tried)
        for (Diagnostic& finding : findings) {
            if (!is_of_banks(finding) || finding.object != one.array) continue;
            const bool is_of_stores = finding.kind == "store";
            const std::uint64_t before = is_of_stores ? one.stores : one.loads,
                                after = is_of_stores ? one.stores_after : one.loads_after;
            const char* const which = is_of_stores ? "stores" : "loads";
            if (one.to == 0 || !is_better(before, after)) {
                const std::string what =
                    fmt::format("rows of `{}` are {} long, and {}", one.array, one.from,
                                one.to == 0 ? say("element_more_less_does")
                                            : fmt::format("rows of {} do not help the {}", one.to, which));
                if (finding.mend_line == one.line || finding.help.empty())
                    give(finding, {what + say("words_does_warp_take"), 0});
                else if (one.to == 0)
                    finding.facts.push_back("tried: " + what);
                continue;
            }
            // The advice that is given untried names the first of the steps.
            if (finding.mend_line != one.line || one.to != one.from + pitch_steps(one.from).front())
                give(finding, {say("rows_long_make_second", one.array, one.from, one.line, one.to), one.line});
            finding.facts.push_back(say("tried_rows_take_wavefronts", one.to, which, after, before, one.runs));
        }
}

}  // namespace warpgrade
