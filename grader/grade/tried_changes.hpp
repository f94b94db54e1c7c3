// Changes of a wrong program, made and run before they are told.
//
// Theory of operation. All versions of the text are compiled as one, each in a namespace of its own, since most of a
// compilation is the same for all. Each version runs the shapes that failed, the smallest first, until one fails again.
// The first that passes them runs everything else that a check runs on small shapes; if that is right too, the change
// is proved. A version that cannot be compiled beside the others is left out.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "build/submission.hpp"
#include "run/side_by_side.hpp"

namespace warpgrade {

struct TrialBench {
    const Stage& stage;
    const Problem& problem;
    const std::string& path;
    Device& device;
    BuildOptions build;
    std::uint64_t seed = 0;
    int threads = 0;
    vgpu::Budget* budget = nullptr;  // of the whole check
    std::set<std::string> told{};    // codes of findings, of which a version that is right has none
};

struct Trial {
    std::size_t tried = 0;              // versions that were run
    std::optional<std::size_t> proved;  // the first with which all is right
    std::size_t shapes = 0;             // that were run with it, and are right
};

// What a version is run with: its program, the launcher of each type, its text.
struct TrialProgram {
    DeviceProgram& program;
    const std::map<std::string, std::string>& launchers;
    const std::string& text;
};
// `failed`: cases that the text as it is does not pass, the smallest first; `all`: those that a version has to pass;
// `is_kept`: asked of one that does, by its number. Error: host or kit.
using IsKept = std::function<bool(std::size_t number, const TrialProgram& version)>;
Result<Trial> try_versions(
    const TrialBench& bench, std::span<const std::string> versions, std::span<const CaseToRun> failed,
    std::span<const CaseToRun> all, const IsKept& is_kept = [](std::size_t, const TrialProgram&) { return true; });

// The rules of the stage that hold for a version on the technique shape, by their number; those that need other shapes
// are in no list. Nothing: it does not run to the end there.
std::optional<std::set<std::size_t>> rules_that_hold(const TrialBench& bench, const TrialProgram& version);
// The same for a text that is not compiled yet.
std::optional<std::set<std::size_t>> rules_that_hold(const TrialBench& bench, const std::string& text);

struct VersionCount {
    bool was_run = false, is_right = false;  // on all of the cases
    vgpu::Counters counters;                 // of `measured`
};
// One a version. Error: host or kit.
Result<std::vector<VersionCount>> count_versions(const TrialBench& bench, std::span<const std::string> versions,
                                                 const CaseToRun& measured, std::span<const CaseToRun> others);

// The stage's compilation, with `source` still to be set.
CompileRequest trial_request(const TrialBench& bench);

// Nothing: what cannot be run here proves nothing.
std::optional<CaseOutcome> run_trial(const TrialBench& bench, const TrialProgram& version, const CaseToRun& one,
                                     CaseOptions options, vgpu::Budget& budget);

// The versions as one text: what they include first, then each in its namespace, `version_namespace(i)`.
std::string joined_versions(std::span<const std::string> versions, const std::vector<std::string>& appended);
std::string version_namespace(std::size_t version);

}  // namespace warpgrade
