#include "grade/evidence.hpp"

#include <algorithm>

#include "explain/telling.hpp"

// The lists stand beside their types, where base/json_fields.hpp looks for them.

#define FIELD(name) json_field<&std::remove_pointer_t<decltype(of)>::name>(#name)

namespace warpgrade::vgpu {

auto json_fields(Dim3* of) { return json_list(FIELD(x), FIELD(y), FIELD(z)); }
auto json_fields(ThreadPlace* of) {
    return json_list(FIELD(block), FIELD(thread), FIELD(line), FIELD(column), FIELD(called_from));
}
auto json_fields(Finding* of) {
    return json_list(FIELD(kind), FIELD(reason), FIELD(access), FIELD(kernel), FIELD(place), FIELD(has_other),
                     FIELD(other), FIELD(other_access), FIELD(buffer), FIELD(offset_bytes), FIELD(buffer_bytes),
                     FIELD(width_bytes), FIELD(element_bytes), FIELD(address), FIELD(is_freed), FIELD(is_endless),
                     FIELD(is_same_value), FIELD(may_be_old), FIELD(is_looked_up), FIELD(is_tried), FIELD(is_held_back),
                     FIELD(is_under_copy), FIELD(is_volatile), FIELD(mask), FIELD(lane), FIELD(refusal), FIELD(misuse),
                     FIELD(value), FIELD(limit), FIELD(detail), FIELD(error), FIELD(block), FIELD(stored),
                     FIELD(waiting_blocks), FIELD(unstarted_blocks), FIELD(crosses_blocks), FIELD(occurrences));
}
auto json_fields(Counters*) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return json_list(json_field<counter_list[I].field>(counter_list[I].name.data())...);
    }
    (std::make_index_sequence<std::size(counter_list)>());
}
auto json_fields(LineCounters* of) { return json_list(FIELD(line), FIELD(counters)); }

}  // namespace warpgrade::vgpu

namespace warpgrade {

auto json_fields(SourceMark* of) {
    return json_list(FIELD(path), FIELD(line), FIELD(column), FIELD(length), FIELD(label));
}
auto json_fields(Diagnostic* of) {
    return json_list(FIELD(blame), FIELD(code), FIELD(kind), FIELD(object), FIELD(title), FIELD(marks), FIELD(facts),
                     FIELD(help), FIELD(severity), FIELD(names_cause), FIELD(mend_line), FIELD(shapes_with_change),
                     FIELD(shape));
}
auto json_fields(CompilerMessage* of) {
    return json_list(FIELD(severity), FIELD(path), FIELD(line), FIELD(column), FIELD(message), FIELD(names_cause),
                     FIELD(is_slip));
}
auto json_fields(Shape* of) {
    return json_list(FIELD(extents), FIELD(type), FIELD(shape_class), FIELD(base_offset_bytes), FIELD(contents),
                     FIELD(previous));
}
auto json_fields(BufferLayout* of) { return json_list(FIELD(name), FIELD(extents), FIELD(role), FIELD(extent_names)); }
auto json_fields(Effect* of) {
    return json_list(FIELD(period), FIELD(written), FIELD(lines), FIELD(of_rows), FIELD(high), FIELD(wide),
                     FIELD(kept_bits), FIELD(lane), FIELD(left_out), FIELD(lost_of_four), FIELD(is_rounded_down),
                     FIELD(is_too_small), FIELD(is_weak), FIELD(is_symptom), FIELD(is_of_unwritten),
                     FIELD(is_part_of_sum), FIELD(is_of_grid), FIELD(is_around), FIELD(is_of_columns),
                     FIELD(is_of_load), FIELD(is_of_value), FIELD(axis), FIELD(narrow_type), FIELD(line_of_threads),
                     FIELD(is_of_layers), FIELD(is_of_index), FIELD(is_of_place), FIELD(lacks_threads));
}
auto json_fields(Judgement* of) {
    return json_list(FIELD(is_right), FIELD(code), FIELD(pattern), FIELD(is_recognised), FIELD(is_cause), FIELD(title),
                     FIELD(first_wrong), FIELD(facts), FIELD(picture), FIELD(help), FIELD(place), FIELD(effect),
                     FIELD(output), FIELD(written_prefix));
}
auto json_fields(LaunchInfo* of) {
    return json_list(FIELD(kernel), FIELD(grid), FIELD(block), FIELD(shared_bytes), FIELD(line));
}
auto json_fields(LastStore* of) { return json_list(FIELD(kernel), FIELD(place)); }
auto json_fields(SetBack* of) { return json_list(FIELD(variable), FIELD(line)); }
auto json_fields(Observation* of) {
    return json_list(FIELD(launches), FIELD(layout), FIELD(findings), FIELD(by_line), FIELD(judgement),
                     FIELD(first_wrong), FIELD(set_back), FIELD(old_values), FIELD(device_error),
                     FIELD(is_device_timeout), FIELD(is_out_of_time), FIELD(hangs_on_garbage));
}
auto json_fields(OldValue* of) { return json_list(FIELD(finding), FIELD(line), FIELD(verdict), FIELD(seen)); }
auto json_fields(CaseResult* of) {
    return json_list(FIELD(shape), FIELD(verdict), FIELD(detail), FIELD(variant), FIELD(judgement), FIELD(seen),
                     FIELD(is_planned), FIELD(is_proved), FIELD(title));
}
auto json_fields(TechniqueResult* of) {
    return json_list(FIELD(rule), FIELD(value), FIELD(ok), FIELD(says), FIELD(type), FIELD(points), FIELD(has_value),
                     FIELD(is_measured));
}
auto json_fields(NarrowValue* of) { return json_list(FIELD(line), FIELD(into)); }
auto json_fields(CountedOutput* of) { return json_list(FIELD(fact), FIELD(help), FIELD(title), FIELD(line)); }
auto json_fields(CountedElements* of) {
    return json_list(FIELD(pattern), FIELD(title), FIELD(fact), FIELD(help), FIELD(shape), FIELD(sums), FIELD(line),
                     FIELD(facts), FIELD(todo));
}
auto json_fields(EvidenceStep* of) {
    return json_list(FIELD(result), FIELD(seen), FIELD(findings), FIELD(wrong), FIELD(stops), FIELD(is_check_spent),
                     FIELD(work), FIELD(finding), FIELD(is_advice));
}
auto json_fields(TypeCounters* of) { return json_list(FIELD(type), FIELD(by_line)); }
auto json_fields(ProvedEdit* of) {
    return json_list(FIELD(line), FIELD(column), FIELD(before), FIELD(after), FIELD(shapes), FIELD(all));
}
auto json_fields(TriedPitch* of) {
    return json_list(FIELD(array), FIELD(line), FIELD(from), FIELD(to), FIELD(loads), FIELD(stores), FIELD(loads_after),
                     FIELD(stores_after), FIELD(runs));
}
auto json_fields(Evidence* of) {
    return json_list(FIELD(has_ptx), FIELD(compiles), FIELD(messages), FIELD(failures), FIELD(steps), FIELD(technique),
                     FIELD(by_type), FIELD(launches), FIELD(may_look), FIELD(narrow), FIELD(counted_output),
                     FIELD(counted_elements), FIELD(pitches), FIELD(proved));
}

#undef FIELD

EvidenceStep step_of(const CaseOutcome& outcome) {
    EvidenceStep step;
    step.result = outcome.result;
    step.stops = outcome.stops;
    step.is_check_spent = outcome.is_check_spent;
    step.work = outcome.work;
    if (has_words(outcome.seen))
        step.seen = outcome.seen;
    else
        step.findings = outcome.findings;
    if (!outcome.seen.judgement)
        step.wrong = outcome.wrong;
    else
        step.result.judgement.reset();
    return step;
}

CaseOutcome outcome_of(const EvidenceStep& step, const Submitted& text) {
    CaseOutcome outcome;
    outcome.result = step.result;
    outcome.seen = step.seen;
    outcome.findings = step.findings;
    outcome.stops = step.stops;
    outcome.is_check_spent = step.is_check_spent;
    outcome.work = step.work;
    if (has_words(step.seen)) tell_into(text, outcome);
    if (!step.wrong) return outcome;
    outcome.wrong = step.wrong;
    outcome.result.judgement = step.result.judgement;
    return outcome;
}

Json json_of(const Evidence& evidence) { return fields_to_json(evidence); }

Evidence evidence_from(const Json& json) {
    Evidence evidence;
    read_fields(json, evidence);
    return evidence;
}

}  // namespace warpgrade
