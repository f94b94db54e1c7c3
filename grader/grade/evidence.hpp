// What a check of one submission has found out, without the words that run/, explain/ and triage make of it: enough to
// make them again, without a compiler or a GPU (StageGrader's `told_again`).
//
// What a step that runs more says in words of its own is kept as it says it: the compiler's messages, sizes that are
// planned, counted elements, and the judgement of a problem.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/json_fields.hpp"
#include "compile/compiler.hpp"
#include "course/technique.hpp"
#include "explain/counted_elements.hpp"
#include "explain/counted_output.hpp"
#include "explain/narrow_values.hpp"
#include "explain/submitted.hpp"
#include "grade/tried_pitch.hpp"
#include "run/cases.hpp"
#include "run/observation.hpp"

namespace warpgrade {

// A case; or a finding of no case; or where advice on memory comes in.
struct EvidenceStep {
    CaseResult result;
    Observation seen;                  // nothing: these two are the words, and nothing else is known
    std::vector<Diagnostic> findings;  //
    std::optional<Diagnostic> wrong;   // also of a case that was judged by something else
    std::string stops;
    bool is_check_spent = false;
    std::uint64_t work = 0;
    std::optional<Diagnostic> finding;
    bool is_advice = false;
};

// Of the type: the counters of the technique shape.
struct TypeCounters {
    std::string type;
    std::vector<vgpu::LineCounters> by_line;
};

// The change with which all is right.
struct ProvedEdit {
    int line = 0, column = 0;
    std::string before, after;
    std::size_t shapes = 0, all = 0;
};

struct Evidence {
    bool has_ptx = false, compiles = false;
    std::vector<CompilerMessage> messages;  // of the compiler, and of what nvcc refuses
    std::vector<Diagnostic> failures;
    std::vector<EvidenceStep> steps;
    std::vector<TechniqueResult> technique;
    std::vector<TypeCounters> by_type;  // the shown type first; empty: nothing is to be advised
    std::vector<LaunchInfo> launches;   // of the technique shape
    bool may_look = false;              // the rest was looked for
    std::optional<NarrowValue> narrow;
    std::optional<CountedOutput> counted_output;
    std::optional<CountedElements> counted_elements;
    std::vector<TriedPitch> pitches;
    std::optional<ProvedEdit> proved;
};

// What the words of a case are made of.
EvidenceStep step_of(const CaseOutcome& outcome);
CaseOutcome outcome_of(const EvidenceStep& step, const Submitted& text);

Json json_of(const Evidence& evidence);
// Throws std::exception: it is not what `json_of` writes.
Evidence evidence_from(const Json& json);

}  // namespace warpgrade
