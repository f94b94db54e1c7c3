#include "grade/tried_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/confined.hpp"
#include "base/text.hpp"
#include "build/launcher.hpp"
#include "course/technique.hpp"
#include "device/guarded.hpp"

namespace warpgrade {

namespace {

constexpr std::uint64_t most_work_of_first = 3'000'000;      // of a version on a shape that failed, at least
constexpr std::uint64_t most_work_of_all = 100'000'000;      // of all versions, until one is right there
constexpr std::uint64_t most_work_of_proof = 1'000'000'000;  // thin shapes of a tile take the most

bool is_include(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with('#')) return false;
    return trimmed(line.substr(1)).starts_with("include");
}

// One program that holds all versions, and which of them it holds.
struct Versions {
    std::unique_ptr<DeviceProgram> program;
    std::vector<std::map<std::string, std::string>> launchers;  // by version; empty: it is left out
};

std::map<std::string, std::string> launchers_of(const TrialBench& bench, const std::vector<FunctionName>& functions,
                                                std::size_t version, const std::string& text) {
    const std::string scope = version_namespace(version) + "::";
    std::vector<FunctionName> own;
    for (FunctionName function : functions) {
        if (function.demangled.find(scope) == std::string::npos) continue;
        for (std::size_t at; (at = function.demangled.find(scope)) != std::string::npos;)
            function.demangled.erase(at, scope.size());
        own.push_back(std::move(function));
    }
    std::map<std::string, std::string> launchers;
    for (const std::string& type : bench.stage.types) {
        auto launcher = find_launcher(own, bench.problem, type, bench.path, text);
        if (!launcher) return {};
        launchers[type] = std::move(*launcher);
    }
    return launchers;
}

// Versions with which the joined text does not compile are taken out, by the lines of their errors. One that the
// compiler cannot parse hides the errors of others, so it takes more than one try.
Result<CompileOutput> compile_joined(const TrialBench& bench, std::vector<std::string>& versions) {
    std::vector<std::string> appended;
    if (bench.stage.is_template())
        for (const std::string& type : bench.stage.types) appended.push_back(bench.problem.instantiation(type));
    CompileRequest request = trial_request(bench);
    constexpr int most_tries = 4;
    for (int tries = 1;; ++tries) {
        request.source = joined_versions(versions, appended);
        auto compiled = compile(request);
        if (!compiled || compiled->ok || tries == most_tries) return compiled;
        std::set<std::size_t> broken;
        for (const CompilerMessage& message : compiled->messages) {
            if (message.severity != Severity::error) continue;
            std::size_t line = 1, version = 0, current = 0;
            for (const std::string_view text : split(request.source, '\n')) {
                if (text.starts_with("namespace " + version_namespace(current) + " {")) version = current++;
                if (line++ == static_cast<std::size_t>(message.line)) break;
            }
            broken.insert(version);
        }
        for (const std::size_t version : broken) versions[version].clear();
        if (std::ranges::all_of(versions, [](const std::string& text) { return text.empty(); })) return compiled;
    }
}

Result<Versions> build_versions(const TrialBench& bench, std::vector<std::string> texts) {
    Versions versions;
    versions.launchers.resize(texts.size());
    auto compiled = compile_joined(bench, texts);
    if (!compiled) {
        if (compiled.error().blame == Blame::learner) return versions;  // more than a compilation may take
        return compiled.error();
    }
    if (!compiled->ok) return versions;
    const auto functions = function_names(compiled->ptx);
    if (!functions) return versions;
    auto program = bench.device.load(compiled->ptx, bench.path);
    if (!program) return versions;
    versions.program = std::move(*program);
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (!texts[i].empty()) versions.launchers[i] = launchers_of(bench, *functions, i, texts[i]);
    return versions;
}

}  // namespace

CompileRequest trial_request(const TrialBench& bench) {
    CompileRequest request;
    request.path = bench.path;
    request.is_optimised = bench.build.is_optimised;
    request.definitions = bench.build.definitions;
    request.arch = bench.build.arch;
    request.allows_cub = bench.stage.allows_cub();
    request.is_read = false;  // each version that does not compile is to be found at once
    return request;
}

std::optional<CaseOutcome> run_trial(const TrialBench& bench, const TrialProgram& version, const CaseToRun& one,
                                     CaseOptions options, vgpu::Budget& budget) {
    const Bench own{bench.problem, version.program, version.launchers, bench.path,
                    version.text,  bench.seed,      bench.threads,     &budget};
    options.is_told = false;
    auto outcome = guarded("trying a change", [&] { return run_case(own, one.shape, options); });
    return outcome ? std::optional(std::move(*outcome)) : std::nullopt;
}

std::string version_namespace(std::size_t version) { return fmt::format("warpgrade_version_{}", version); }

std::string joined_versions(std::span<const std::string> versions, const std::vector<std::string>& appended) {
    std::string includes, bodies;
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < versions.size(); ++i) {
        bodies += "namespace " + version_namespace(i) + " {\n";
        for (const std::string_view line : split(versions[i], '\n')) {
            if (!is_include(line)) {
                bodies.append(line) += '\n';
            } else if (seen.insert(trimmed(line)).second) {
                includes.append(trimmed(line)) += '\n';
            }
        }
        if (!versions[i].empty())
            for (const std::string& text : appended) bodies += text + "\n";
        bodies += "}\n";
    }
    return includes + bodies;
}

Result<Trial> try_versions(const TrialBench& bench, std::span<const std::string> versions,
                           std::span<const CaseToRun> failed, std::span<const CaseToRun> all, const IsKept& is_kept) {
    Trial trial;
    if (versions.empty() || failed.empty() || work_time_is_over()) return trial;
    auto built = build_versions(bench, {versions.begin(), versions.end()});
    if (!built) return built.error();
    if (built->program == nullptr) return trial;

    vgpu::Budget search(most_work_of_all, bench.budget), proof(most_work_of_proof, bench.budget);
    const auto run = [&](std::size_t version, const CaseToRun& one, vgpu::Budget& budget) {
        CaseOptions options = one.options;
        if (&budget == &search)
            options.most_warp_instructions = std::max(most_work_of_first, options.most_warp_instructions);
        return run_trial(bench, {*built->program, built->launchers[version], versions[version]}, one, options, budget);
    };
    const auto is_right = [&](std::size_t version, const CaseToRun& one, vgpu::Budget& budget) {
        const auto outcome = run(version, one, budget);
        const auto is_told = [&](const vgpu::Finding& f) { return bench.told.contains(vgpu::to_string(f.kind)); };
        return outcome && outcome->passed() && std::ranges::none_of(outcome->run.result.findings, is_told);
    };
    // A shape after the first that takes more than the search may is left to the proof.
    const auto is_hopeful = [&](std::size_t version, const CaseToRun& one) {
        const auto outcome = run(version, one, search);
        const bool is_large = &one != &failed.front() && outcome && outcome->result.verdict == Verdict::timeout;
        return outcome && (outcome->passed() || (is_large && outcome->stops.empty()));
    };
    for (std::size_t i = 0; i < versions.size(); ++i) {
        if (built->launchers[i].empty()) continue;
        if (search.is_spent() || proof.is_spent() || work_time_is_over()) break;
        ++trial.tried;
        bool passes = true;
        for (const CaseToRun& one : failed) {
            if (!(passes = is_hopeful(i, one))) break;
        }
        if (!passes) continue;
        trial.shapes = 0;
        for (const CaseToRun& one : all) {
            if (!(passes = is_right(i, one, proof) && !work_time_is_over())) break;
            ++trial.shapes;
        }
        if (!passes || !is_kept(i, {*built->program, built->launchers[i], versions[i]})) continue;
        trial.proved = i;
        break;
    }
    return trial;
}

std::optional<std::set<std::size_t>> rules_that_hold(const TrialBench& bench, const TrialProgram& version) {
    if (work_time_is_over()) return std::nullopt;
    vgpu::Budget budget(most_work_of_proof, bench.budget);
    std::vector<Measured> measured;
    for (const std::string& type : bench.stage.types) {
        CaseToRun one{bench.problem.technique_shape(), {}};
        one.shape.type = type;
        one.options.finds_needed = true;
        auto outcome = run_trial(bench, version, one, one.options, budget);
        const bool has_ended = outcome && (outcome->passed() || outcome->result.verdict == Verdict::wrong);
        if (!has_ended) return std::nullopt;
        measured.push_back(measured_of(*outcome, bench.problem));
    }
    const auto results = apply_rules(bench.stage.technique, measured, bench.stage.types);
    std::set<std::size_t> hold;
    for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i].ok && !needs_other_shapes(bench.stage.technique[i].left)) hold.insert(i);
    return hold;
}

std::optional<std::set<std::size_t>> rules_that_hold(const TrialBench& bench, const std::string& text) {
    const auto built = build_versions(bench, {text});
    if (!built || built->program == nullptr || built->launchers.front().empty()) return std::nullopt;
    return rules_that_hold(bench, {*built->program, built->launchers.front(), text});
}

Result<std::vector<VersionCount>> count_versions(const TrialBench& bench, std::span<const std::string> versions,
                                                 const CaseToRun& measured, std::span<const CaseToRun> others) {
    std::vector<VersionCount> counts(versions.size());
    if (versions.empty() || work_time_is_short()) return counts;
    auto built = build_versions(bench, {versions.begin(), versions.end()});
    if (!built) return built.error();
    if (built->program == nullptr) return counts;
    vgpu::Budget budget(most_work_of_proof, bench.budget);
    for (std::size_t i = 0; i < versions.size(); ++i) {
        if (built->launchers[i].empty()) continue;
        const auto is_right = [&](const CaseToRun& one, VersionCount* counted) {
            if (budget.is_spent() || work_time_is_short()) return false;
            const auto outcome =
                run_trial(bench, {*built->program, built->launchers[i], versions[i]}, one, one.options, budget);
            if (outcome && counted != nullptr) counted->counters = outcome->run.result.counters;
            counts[i].was_run = counts[i].was_run || outcome;
            return outcome && outcome->passed();
        };
        counts[i].is_right =
            std::ranges::all_of(others, [&](const CaseToRun& one) { return is_right(one, nullptr); }) &&
            is_right(measured, &counts[i]);
    }
    return counts;
}

}  // namespace warpgrade
