// What `check` shows of a stage: about one screen, findings first, what to do next last.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/wire.hpp"
#include "cli/render.hpp"
#include "course/assignment.hpp"
#include "grade/result.hpp"

namespace warpgrade::cli {

struct CheckView {
    RenderStyle style;
    std::string command = "warpgrade";   // how to type the kit's name
    std::string argument;                // how to name this stage again: "transpose/padding", or a path
    std::string next_path;               // file of the next stage; empty = there is none
    bool is_last_of_assignment = false;  // next_path is of the next assignment
    bool is_only_stage = true;           // false: of several; an untouched stub is one line
    std::size_t prints = 6;              // lines of what the submission printed
    bool has_all_shapes = true;          // false: the command line named some, so the stage is not done
};

std::string render_stage(const StageResult& result, const Assignment& assignment, const Stage& stage,
                         const CheckView& view);

// "transpose/padding  assignments/transpose/4_padding.cu"
std::string stage_header(const std::string& name, const std::string& path, const RenderStyle& style);

// How far a stage is, for one line of a table.
enum class StageState {
    done,
    wrong,
    technique_missing,
    not_attempted,
    does_not_compile,
    worked_example,
    changed_example,
    kit_defect,
    impossible,
    ungraded,  // SummaryRow::failure says why
};

// One row a stage, for runs over several.
struct SummaryRow {
    const Stage* stage = nullptr;
    StageState state = StageState::ungraded;
    std::string failure;  // the code of what kept the stage from being graded
    std::size_t right = 0, shapes = 0, held = 0, rules = 0;
    double points = 0, most = 0;
    bool is_provisional = false;
    bool passes = false;  // StageResult::passes()
};
SummaryRow summary_of(const Stage& stage, const StageResult& result);
std::string render_summary(const std::vector<SummaryRow>& rows, const RenderStyle& style);
// "transpose/padding: wrong, 3 of 30 shapes right, 1 of 3 rules hold, 2 of 14 points"
std::string summary_line(const SummaryRow& row);

wire::Fields to_fields(const SummaryRow& row);
// nullopt: what a row of this stage cannot be.
std::optional<SummaryRow> row_from(const wire::Fields& fields, const Stage& stage);

// A compiler's message as a diagnostic of ours.
Diagnostic compiler_diagnostic(const CompilerMessage& message);

// Errors, warnings and advice of a stage, in the order to show them; those of the compiler included.
std::vector<Diagnostic> all_findings(const StageResult& result);

// Cases that fail alike: one verdict, one detail. The cases that the first message is about come first.
struct Failure {
    const CaseResult* first;
    std::vector<std::string> shapes;  // each once
    std::size_t cases = 0;            // a shape may be run several times, in other orders and ways
};
std::vector<Failure> failures_of(const StageResult& result);

// Whether a shown message says already what the rule would say.
bool is_said(const std::vector<Diagnostic>& shown, const TechniqueResult& rule);

// The first `full` findings with their excerpts, then "2 more: ...".
std::string render_findings(const std::vector<Diagnostic>& findings, std::size_t full, const RenderStyle& style);

// A label in the left column and wrapped text beside it.
std::string labelled(const std::string& label, const std::string& text, const RenderStyle& style);
constexpr int label_columns = 13;

// In its unit: Bandwidth::rate_unit.
std::string rate_text(const Bandwidth& bandwidth);
// What keeps a modelled kernel from being faster, where in the source, and what its absence would gain.
std::string limit_text(const Bandwidth& bandwidth);
// "modelled for NVIDIA T4, not measured; times may be 30 % off": wherever a modelled figure is shown, in these words.
std::string modelled_text(const Bandwidth& bandwidth);
// Where a modelled kernel's time goes, for `explain`.
std::string render_time(const Bandwidth& bandwidth, const RenderStyle& style);

// "\nhint: `warpgrade hint STAGE`", or nothing where there are no hints.
std::string hint_line(const Stage& stage, const CheckView& view);

// What to do next: the first failing thing, or the next stage. Then the commands for it, one a line.
std::string next_step(const StageResult& result, const Stage& stage, const CheckView& view);

}  // namespace warpgrade::cli
