// What grading a stage found, as data; to_json writes the contract of design.md section 4 ("warpgrade.result/1").
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "compile/compiler.hpp"
#include "grade/assignment.hpp"
#include "grade/effort.hpp"
#include "problem/problem.hpp"
#include "problem/verdict.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

struct CaseResult {
    Shape shape;
    Verdict verdict = Verdict::none;
    std::string detail;                  // one line
    std::string variant;                 // "" = as handed in; or "THREADS=64", "not optimised, another order of warps"
    std::optional<Judgement> judgement;  // when wrong
    std::vector<std::string> seen{};     // Problem::values_seen, of a small shape that was asked for
};

// What one launch printed.
struct PrintedPart {
    std::string by;    // "sum_blocks, launch 1 of 2, on 4097"
    std::string text;  // escaped
};

struct TechniqueResult {
    std::string rule;
    double value = 0;
    bool ok = false;
    std::string says;
    double points = 0;      // that the rule has to give
    bool has_value = true;  // false: a ratio of nothing to nothing
    bool is_measured = true;  // false: `says` is why, for all rules
};

struct LaunchInfo {
    std::string kernel;
    vgpu::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
    int line = 0;
};

// What technique rules can ask about: one run of the technique shape, and what was seen over all shapes.
struct Measured {
    vgpu::Counters counters;
    std::vector<LaunchInfo> launches;
    std::uint64_t elements = 0;              // of the problem
    std::uint64_t dynamic_shared_sizes = 0;  // different sizes asked for, over all shapes
    double blocks_growth = 0;                // blocks of the first launch for the large shape, over those of this one
};

struct Bandwidth {
    Origin origin = Origin::none;
    std::string shape;
    double seconds = 0, gb_per_s = 0, copy_gb_per_s = 0, reference_gb_per_s = 0, iqr_seconds = 0;
    int samples = 0;
    std::string limiter;
    std::string shape_class{};   // aligned | odd | thin | small
    Verdict verdict = Verdict::ok;
    std::string detail{};        // of a verdict that is not ok
    // Of the submission's bandwidth to the reference's; the ends of its 95 % interval. 0: no reference.
    double share_of_reference = 0, share_low = 0, share_high = 0;
    std::string yardstick = "copy";                                    // what copy_gb_per_s is of: copy | read
    Origin reference_origin = Origin::none;
    double memcpy_gb_per_s = 0;                                        // 0: a problem that only reads
    double sm_clock_mhz = 0, memory_clock_mhz = 0, temperature_c = 0;  // after the last sample; 0 = unknown
    std::vector<std::string> throttled_by{};
    double seconds_spent = 0;  // on measuring
    // Modelled: for which GPU, how far off as a fraction (0: see the profile's validation), where warps wait (share of
    // their time by Nsight Compute's stall reason), the source line that the limiter is about, and the gain without it.
    std::string modelled_gpu{};
    double error_band = 0;
    std::map<std::string, double> stalls{};
    int limiter_line = 0;
    double gain_without_limit = 0;
    std::string shape_text() const;  // as --shape takes it: "1024x777"
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
};

struct StageResult {
    std::string assignment, stage, title;
    std::string source_path, sha256;
    std::string source;  // the file's text; reports show excerpts of it
    double correctness_points = 0, technique_points = 0, performance_points = 0;  // that the stage has to give
    PerformanceBand band;
    bool is_untouched_stub = false;
    bool compiles = false;
    double compile_seconds = 0;
    std::vector<CompilerMessage> compiler_messages;
    std::vector<CaseResult> cases;
    // In the order to show them: errors, warnings, advice. marks[0] is the place; code is the finding kind.
    std::vector<Diagnostic> findings;
    Shape technique_shape;             // that the rules were applied on
    Shape counters_shape;              // the technique shape, or the first of --shape
    std::vector<LaunchInfo> launches;  // for the counters' shape
    vgpu::Counters counters;
    std::vector<vgpu::LineCounters> by_line;
    std::vector<vgpu::Access> trace;  // of warp 0 of block 0 of the first launch, in order; empty unless asked for
    std::vector<TechniqueResult> technique;
    std::vector<Measured> measured;  // what the rules were applied to, one for each type of the stage; empty = nothing
    std::optional<Bandwidth> bandwidth;  // the first of bandwidths: of the aligned shape
    std::vector<Bandwidth> bandwidths;   // one a shape class
    Effort seconds;
    Score score;
    std::string output;  // printf of the submission, capped and escaped: of the first case that prints
    std::vector<PrintedPart> printed;  // the same by launch
    // Nothing left to do in correctness and technique, and no bandwidth that cannot be.
    bool passes() const;
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

nlohmann::ordered_json to_json(const StageResult& stage);
// The report with these stages in place of its own.
nlohmann::ordered_json to_json(const RunReport& report, const std::vector<nlohmann::ordered_json>& stages);
nlohmann::ordered_json to_json(const RunReport& report);

}  // namespace warpgrade
