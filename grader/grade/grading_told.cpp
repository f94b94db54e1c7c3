// The messages of a grading anew, from what it has found out.
#include <algorithm>

#include "grade/grading.hpp"
#include "grade/proved_change.hpp"

namespace warpgrade {

StageResult Grading::tell_again(const Evidence& evidence) {
    if (!read() || source_.empty()) return std::move(result_);
    result_.compiles = evidence.compiles;
    result_.compiler_messages = evidence.messages;
    result_.technique = evidence.technique;
    result_.launches = evidence.launches;
    look_at_messages(evidence.has_ptx, evidence.failures);
    for (const EvidenceStep& step : evidence.steps) {
        if (step.is_advice)
            advise(evidence.by_type);
        else if (step.finding)
            note(*step.finding);
        else
            series_.add(outcome_of(step, {path_, facts()}));
    }
    finish(evidence.may_look, evidence.narrow,
           {[&](const Shape&, std::uint64_t) { return evidence.counted_output; },
            [&](const std::vector<Shape>&, bool) { return evidence.counted_elements; }});
    tell_pitches(evidence.pitches, result_.findings);
    if (!evidence.proved) return std::move(result_);
    const auto changes = changes_to_try(facts(), *options_.rules, path_, result_);
    const auto proved =
        std::ranges::find_if(changes, [&](const explain::Change& change) { return is_edit(*evidence.proved, change); });
    if (proved != changes.end())
        tell_proved({&*proved, evidence.proved->shapes, evidence.proved->all}, path_, assignment_.shows_changes,
                    result_);
    return std::move(result_);
}

StageResult told_again(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                       const GradeOptions& options, const Evidence& evidence) {
    const auto device = make_virtual_device();
    return Grading(assignment, stage, *find_problem(stage.problem), source_path, *device, options).tell_again(evidence);
}

}  // namespace warpgrade
