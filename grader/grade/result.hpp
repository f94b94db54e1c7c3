// What grading a stage found, as data; to_json writes "warpgrade.result/1" (reports/schemas/result.json).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "compile/compiler.hpp"
#include "course/assignment.hpp"
#include "course/technique.hpp"
#include "grade/time_breakdown.hpp"
#include "grade/witness_case.hpp"
#include "run/cases.hpp"
#include "timing/bandwidth.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

// What one launch printed.
struct PrintedPart {
    std::string by;    // "sum_blocks, launch 1 of 2, on 4097"
    std::string text;  // escaped
};

// Answers in the file to the questions about it.
struct QuizMark {
    std::size_t questions = 0, answered = 0, right = 0;
    bool is_of_old_code = false;  // all that it holds is about an earlier version of its code, and counts for nothing
};

// What a score still waits for.
enum class ScoreState : std::uint8_t {
    final,
    provisional,    // points are open, or not sure until they come from a card or a reference of this run
    noisy,          // the times vary by more than the marks allow: to be graded again
    impossible,     // a bandwidth that no device has: no points for it until a person has looked
    internal_error  // the kit failed
};
std::string_view to_string(ScoreState state);
std::optional<ScoreState> score_state_named(std::string_view word);
// A mark with this state is none until somebody has looked at it.
bool needs_person(ScoreState state);

struct Score {
    double correctness = 0, technique = 0, performance = 0, total = 0, max = 0;
    ScoreState state = ScoreState::final;
    std::string why;  // of a state that is not final
    double quiz = 0;
};

// A buffer or a shared array of the source, as rows and columns: what `explain` draws.
struct NamedArray {
    std::string name, space;
    std::vector<std::int64_t> extents;  // the outer one first
    std::string type{};                 // of an element, as the source or the signature spells it; "": not known
};

// An element that a finding of the run is about, and who touched it.
struct WrongElement {
    std::string kind;          // the finding's
    std::string array, space;  // space: "" where the finding does not say
    std::int64_t byte = 0;     // from the start of the array; below 0: before it
    struct Toucher {
        vgpu::AccessKind access = vgpu::AccessKind::none;
        vgpu::ThreadPlace place;
    };
    std::vector<Toucher> accesses;  // of a race both
};

struct StageResult {
    std::string assignment, stage, title;
    std::string source_path, sha256;
    std::string source;  // the file's text; reports show excerpts of it
    double correctness_points = 0, technique_points = 0, performance_points = 0,
           quiz_points = 0;  // that the stage has to give
    PerformanceBand band;
    bool is_program = false;  // Stage::is_program
    bool is_untouched_stub = false;
    bool compiles = false;
    double compile_seconds = 0;
    std::vector<CompilerMessage> compiler_messages;
    std::vector<CaseResult> cases;
    std::uint64_t run_up_to = 0, planned_up_to = 0;  // elements of the largest case that was run, or planned; 0: none
    // In the order to show them: errors, warnings, advice. marks[0] is the place; code is the finding kind.
    std::vector<Diagnostic> findings;
    std::size_t changes_tried = 0;                 // of a wrong program (grade/proved_change.hpp)
    Shape technique_shape;                         // that the rules were applied on
    Shape counters_shape;                          // the technique shape, or the first of --shape
    std::uint64_t useful_bytes = 0, elements = 0;  // of that shape, as the problem counts them
    double flops = 0;                              // the same; 0: it counts none
    std::vector<LaunchInfo> launches;              // for the counters' shape
    vgpu::Counters counters;
    std::vector<vgpu::LineCounters> by_line;
    // Of warp 0 of block 0 of each launch, or of whole blocks, in order; empty unless asked for.
    std::vector<vgpu::Access> trace;
    std::vector<std::size_t> trace_ends;  // how many of these there are after each launch
    bool trace_is_cut = false;
    std::vector<NamedArray> arrays;            // that the launcher gets, and that kernels declare in shared memory
    std::vector<WrongElement> wrong_elements;  // of what `explain` ran
    std::vector<TechniqueResult> technique;
    std::vector<Measured> measured;  // what the rules were applied to, one for each type of the stage; empty = nothing
    std::vector<vgpu::UnneededLine> unneeded;  // on the technique shape, of the type that is shown
    std::optional<Bandwidth> bandwidth;        // the first of bandwidths: of the aligned shape
    std::vector<Bandwidth> bandwidths;         // one a shape class
    std::string why_untimed;                   // where they are missing, and not through a fault of the submission's
    std::optional<proof::Claim> proof;         // for every shape, of what passes: of the type with the least proved
    std::optional<RefutedShape> refuted;       // at which it fails nevertheless; no points and no verdict rest on it
    std::optional<QuizMark> quiz;              // where the stage gives points for it
    TimeBreakdown seconds;
    Score score;
    std::string output;                // printf of the submission, capped and escaped: of the first case that prints
    std::vector<PrintedPart> printed;  // the same by launch
    // Nothing left to do in correctness and technique, and no bandwidth that cannot be; a stub is never done.
    bool passes() const;
    // The same of what was run, whoever has written it.
    bool is_right_throughout() const;
};

struct RunReport {
    std::string tool_version, tool_git, nvrtc;
    std::string device_kind, device_name, profile;
    // Of the profile, for a roofline and the error of what is modelled; 0 = not known.
    int multiprocessors = 0;
    double sm_clock_mhz = 0, dram_peak_gb_per_s = 0, error_band = 0;
    std::uint64_t seed = 0;
    std::vector<StageResult> stages;
};

nlohmann::ordered_json json_of(const StageResult& stage);
// Its members `score` and `points`.
nlohmann::ordered_json score_json(const Score& score, bool has_quiz);
nlohmann::ordered_json points_json(double correctness, double technique, double performance, double quiz);
// The report with these stages in place of its own.
nlohmann::ordered_json json_of(const RunReport& report, const std::vector<nlohmann::ordered_json>& stages);
nlohmann::ordered_json json_of(const RunReport& report);

}  // namespace warpgrade
