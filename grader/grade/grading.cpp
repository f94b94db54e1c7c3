#include "grade/stage_grader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/make_diagnostic.hpp"
#include "base/sha256.hpp"
#include "build/legality.hpp"
#include "course/source_text.hpp"
#include "course/technique.hpp"
#include "device/card.hpp"
#include "explain/say.hpp"
#include "explain/warnings.hpp"
#include "grade/grading.hpp"
#include "grade/on_card.hpp"
#include "grade/program_stage.hpp"
#include "grade/proved_change.hpp"
#include "grade/proved_shapes.hpp"
#include "grade/quiz.hpp"
#include "grade/score.hpp"
#include "grade/triage.hpp"
#include "run/side_by_side.hpp"

namespace warpgrade {

namespace {

Diagnostic first_step(const Stage& stage, const std::string& path) {
    return make_diagnostic(Blame::learner, Severity::advice, "untouched_stub", say("stub_handed_out"),
                           {{path, 0, 0, 1, ""}}, {}, stage.first_step);
}

}  // namespace

std::vector<Shape> Grading::shapes() const {
    if (options_.shapes.empty()) return problem_.shapes(options_.seed, stage_.types);
    std::vector<Shape> all;
    for (const std::string& type : stage_.types)
        for (const Shape& shape : options_.shapes) all.emplace_back(shape).type = type;
    return all;
}

Status Grading::read() {
    auto source = read_source_file(path_);
    if (!source) {
        if (source.error().blame != Blame::learner) return source.error();
        result_.findings.push_back(source.error());
        return Nothing{};
    }
    source_ = std::move(source->text);
    notes_ = std::move(source->notes);
    result_.sha256 = sha256_hex(source_);
    // By digest: a student works in the stub's own file, so there is no other copy to compare with.
    result_.is_untouched_stub = stage_.is_graded && stage_.is_stub(source_);
    is_blank_ = result_.is_untouched_stub && !stage_.is_repair;
    if (is_blank_) result_.findings.push_back(first_step(stage_, path_));
    return Nothing{};
}

Status Grading::compile_source() {
    compile_stage_ahead(stage_, problem_, path_, source_, build_options(false));
    auto built = build_with(true);
    if (!built) return built.error();
    build_ = std::move(*built);
    result_.compiles = build_.compiled.ok;
    result_.compile_seconds = build_.compiled.seconds;
    result_.compiler_messages = build_.compiled.messages;
    result_.compiler_messages.insert(result_.compiler_messages.end(), notes_.begin(), notes_.end());
    count_registers();
    return Nothing{};
}

// What compiles and hardly ever means what it says explains a failure where there is one.
void Grading::look_at_messages(bool has_ptx, const std::vector<Diagnostic>& failures) {
    result_.findings.insert(result_.findings.end(), failures.begin(), failures.end());
    for (const CompilerMessage& message : result_.compiler_messages)
        has_suspicious_place_ = has_suspicious_place_ || message.is_slip;
    if (!has_ptx || options_.rules == nullptr) return;
    for (const explain::Warning& warning : explain::warnings_of(facts(), *options_.rules)) {
        has_suspicious_place_ = true;
        returns_early_ = returns_early_ || warning.rule->id == "early_return";
        has_unset_sum_ = has_unset_sum_ || warning.rule->id == "unset_sum";
        result_.compiler_messages.push_back(
            {Severity::warning, path_, warning.line, warning.column, warning.title + "\n" + warning.help, true});
    }
}

// PTX has no registers of the machine's: where there may be too many, the assembler in NVRTC counts them, for the GPU
// that is asked about.
void Grading::count_registers() {
    // With so few that are alive at a time the assembler stays below 64, of which 1024 threads have enough.
    constexpr std::uint32_t always_enough = 36;
    if (!build_.ok() || options_.card != nullptr || build_.program->most_live_registers() <= always_enough) return;
    const LaunchLimits limits = device_.info().limits;
    BuildOptions with;
    with.definitions = build_.definitions;
    with.arch = fmt::format("sm_{}{}", limits.compute_capability_major, limits.compute_capability_minor);
    with.reports_registers = true;
    struct Counted {
        std::once_flag once;
        std::map<std::string, int> registers;
    };
    build_.program->set_registers_of([this, with, counted = std::make_shared<Counted>()](const std::string& kernel) {
        // Without an answer no launch is refused for its registers.
        std::call_once(counted->once, [&] {
            if (const auto assembled = compile_stage(stage_, problem_, path_, source_, with); assembled)
                counted->registers = assembled->compiled.registers;
        });
        const auto known = counted->registers.find(kernel);
        return known == counted->registers.end() ? 0 : known->second;
    });
}

// NVRTC knows no host: what nvcc refuses for its sides is refused here.
Status Grading::check_legality() {
    if (!build_.compiled.ok) {
        // The compiler says this of a line of its own.
        const auto names_launch = [](const CompilerMessage& message) {
            return message.message.find("not __global__ cannot be launched") != std::string::npos;
        };
        auto illegal = illegal_places(facts(), {}, path_, {});
        if (illegal.empty() || std::erase_if(result_.compiler_messages, names_launch) == 0) return Nothing{};
        result_.compiler_messages.insert(result_.compiler_messages.begin(), illegal.begin(), illegal.end());
        return Nothing{};
    }
    if (!build_.ok()) return Nothing{};
    auto built = build_with(false);
    if (!built) return built.error();
    plain_build_ = std::move(*built);
    auto illegal = illegal_places(facts(), plain_build_.compiled.ptx, path_, plain_build_.compiled.host_uses);
    if (illegal.empty()) return Nothing{};
    result_.compiles = false;
    result_.compiler_messages.insert(result_.compiler_messages.begin(), illegal.begin(), illegal.end());
    build_.program.reset();
    return Nothing{};
}

// Of what is larger nothing is known but what its launcher asks for.
void Grading::note_sizes_run() {
    for (const CaseResult& one : result_.cases) {
        if (one.verdict == Verdict::skipped || one.is_proved) continue;
        std::uint64_t& most = one.is_planned ? result_.planned_up_to : result_.run_up_to;
        most = std::max(most, problem_.elements(one.shape));
    }
}

// The questions are those that `quiz` asks, about the same run.
Status Grading::take_answers() {
    if (stage_.quiz_points <= 0 || result_.is_untouched_stub) return Nothing{};
    const auto explained = explain_stage(assignment_, stage_, path_, device_, {});
    if (!explained) return explained.error();
    result_.quiz = quiz_mark(quiz_questions(*explained, stage_), quiz_answers_in(source_));
    return Nothing{};
}

// A change of a wrong program that makes it right names the cause better than anything that is found in the run.
Status Grading::try_changes() {
    if (options_.rules == nullptr || is_blank_ || !build_.ok()) return Nothing{};
    std::vector<CaseToRun> hazards;
    for (const Shape& shape : few_shapes()) {
        hazards.push_back({shape, hazard(backwards, reordered)});
        hazards.push_back({shape, without_optimisation(shape, hazard(drawn(options_.seed), not_optimised))});
    }
    const bool is_wrong_optimised = std::ranges::any_of(result_.cases, [](const CaseResult& one) {
        return one.verdict != Verdict::pass && one.verdict != Verdict::skipped && one.variant != not_optimised;
    });
    const auto changes = changes_to_try(facts(), *options_.rules, path_, result_);
    vgpu::Budget budget(work_of_trials);
    TrialBench bench{stage_,        problem_,         path_,  device_, build_options(is_wrong_optimised),
                     options_.seed, options_.threads, &budget};
    for (const Diagnostic& finding : result_.findings)
        if (finding.severity != Severity::advice) bench.told.insert(finding.code);
    const auto proved = prove_change(bench, changes, hazards, *facts().tree->tokens.text, result_);
    if (!proved) return proved.error();
    if (options_.evidence != nullptr && *proved) options_.evidence->proved = edit_of(**proved);
    if (*proved) tell_proved(**proved, path_, assignment_.shows_changes, result_);
    return Nothing{};
}

Counting Grading::counting() {
    return {[this](const Shape& shape, std::uint64_t wrong) {
                auto counted = counted_output(bench(build_), shape, wrong);
                if (options_.evidence != nullptr) options_.evidence->counted_output = counted;
                return counted;
            },
            [this](const std::vector<Shape>& wrong, bool is_named) {
                auto counted = counted_elements(bench(build_), wrong, is_named);
                if (options_.evidence != nullptr) options_.evidence->counted_elements = counted;
                return counted;
            }};
}

namespace {

// By the launcher as it is called: no element of it has a fraction.
bool is_of_whole_numbers(const Problem& problem) {
    const std::string launcher = problem.demangled("float");
    return launcher.find("float") == launcher.npos && launcher.find("double") == launcher.npos;
}

}  // namespace

void Grading::look_and_finish() {
    work_has_more_time(true);  // to explain what is wrong, and to try changes of it; budgets of their own end that
    // Optimised: there the functions of CUDA's headers stand where they are called.
    const bool may_look = build_.ok() && !work_time_is_over();
    const auto narrow =
        may_look ? narrow_value(build_.compiled.ptx, path_, is_of_whole_numbers(problem_)) : std::nullopt;
    if (options_.evidence != nullptr) {
        options_.evidence->may_look = may_look;
        options_.evidence->narrow = narrow;
    }
    finish(may_look, narrow, counting());
}

void Grading::finish(bool may_look, const std::optional<NarrowValue>& narrow, const Counting& counting) {
    if (narrow) series_.wrong().explain_rounding(*narrow, {path_, facts()});
    if (has_unset_sum_)
        series_.wrong().forget_patterns();
    else if (may_look && !is_blank_)
        series_.wrong().explain_counts(counting, {path_, facts()});
    if (!is_blank_) series_.wrong().report(source_);
    if (options_.shapes.empty()) series_.report_unfollowed(path_, source_);  // a check of every shape comes next
    settle();
}

// In the order in which they are told.
void Grading::settle() {
    // The text shows the same `return`.
    if (returns_early_)
        std::erase_if(result_.findings, [](const Diagnostic& d) {
            return d.code == "barrier_divergence" && d.severity == Severity::warning;
        });
    triage(result_.findings, series_.refused_shapes());
    // How memory is moved is for what moves the right things.
    if (!result_.findings.empty() && result_.findings.front().severity == Severity::error)
        std::erase_if(result_.findings, [](const Diagnostic& d) {
            return d.severity == Severity::advice && (d.code.starts_with("uncoalesced_") || d.code == "bank_conflict");
        });
    // What hardly ever means what it says comes before what it leads to.
    const bool fails = !result_.findings.empty() && result_.findings.front().severity == Severity::error;
    if (fails && result_.compiles && has_suspicious_place_) defer(result_.findings, 0);
}

void Grading::score() {
    result_.output = escape_output(result_.output);
    result_.source = source_;
    note_sizes_run();
    const auto points = rule_points(stage_.technique, stage_.technique_points);
    for (std::size_t i = 0; i < result_.technique.size(); ++i) result_.technique[i].points = points[i];
    result_.score = score_of(stage_, result_, technique_shape_is_right_, !options_.shapes.empty());
}

void Grading::begin_proof() {
    if (options_.proof_share <= 0 || !options_.shapes.empty() || !series_.all_passed() || work_time_is_short()) return;
    const double seconds = options_.proof_share * processor_seconds();
    proving_ = std::async(std::launch::async,
                          [this, seconds] { return proved_types(stage_, problem_, path_, build_, seconds, proved_); });
}

void Grading::prove() {
    if (!proving_.valid()) return;
    const auto proved = proving_.get();
    if (!result_.passes() || !proved || proved->empty()) return;
    const ProvedType& least = weakest(*proved);
    result_.proof = least.claim;
    // What cannot be looked at on this machine says nothing.
    const auto found =
        refuted(bench(build_), least.type, build_.compiled.ptx, least.claim.witnesses, device_.info().limits);
    if (!found || !*found) return;
    result_.refuted = *found;
    result_.refuted->finding.severity = Severity::warning;  // it costs nothing
}

Status Grading::run_steps() {
    if (auto status = read(); !status) return status.error();
    if (options_.on_shape) {
        const std::size_t all = shapes().size();
        options_.on_shape(0, all);
        series_.tell_each([this, all](std::size_t done) { options_.on_shape(std::min(done, all), all); });
    }
    const Stopwatch watch(result_.seconds.on_virtual_gpu);
    if (!source_.empty()) {
        if (auto status = compile_source(); !status) return status.error();
        if (auto status = check_legality(); !status) return status.error();
        if (Evidence* const kept = options_.evidence) {
            kept->has_ptx = build_.compiled.ok;
            kept->compiles = result_.compiles;
            kept->messages = result_.compiler_messages;
            kept->failures = build_.failures;
        }
        look_at_messages(build_.compiled.ok, build_.failures);
    }
    if (build_.ok()) {
        for (const auto step :
             {&Grading::check_shapes, &Grading::sweep, &Grading::measure_technique, &Grading::look_for_hidden_hazards,
              &Grading::plan_large_sizes, &Grading::look_at_indices, &Grading::take_answers})
            if (auto status = (this->*step)(); !status) return status.error();
        begin_proof();
        if (auto status = finish_and_time(); !status) return status.error();
    } else {
        const std::string why = "the submission cannot be run";
        skip_everything(why);
        result_.technique = apply_rules(stage_.technique, {}, stage_.types, why);
        look_and_finish();
    }
    if (auto status = try_changes(); !status) return status;
    if (auto status = try_rows(); !status) return status;
    score();
    prove();
    return Nothing{};
}

Result<StageResult> Grading::grade() {
    if (auto status = run_steps(); !status) return status.error();
    return std::move(result_);
}

StageResult Grading::stop(Diagnostic why) {
    if (const std::string* source = text_read_ahead(path_)) source_ = *source;
    result_.sha256 = sha256_hex(source_);
    result_.compiles = true;  // as far as is known
    skip_everything(why.title);
    for (CaseResult& one : result_.cases) one.verdict = Verdict::timeout;
    result_.technique = apply_rules(stage_.technique, {}, stage_.types, why.title);
    why.marks.push_back({path_, 0, 0, 1, ""});
    result_.findings.push_back(std::move(why));
    finish(false, std::nullopt, {});
    score();
    return std::move(result_);
}

void Grading::note(Diagnostic finding) {
    if (options_.evidence != nullptr) options_.evidence->steps.emplace_back().finding = finding;
    add_finding(result_.findings, std::move(finding));
}

// The time that a card or a model takes must not cost what is known before; a card's own cases belong to that.
Status Grading::finish_and_time() {
    if (options_.card != nullptr) {
        if (auto status = measure_bandwidth(); !status) return status;
        look_and_finish();
        return Nothing{};
    }
    look_and_finish();
    tell_checked();
    const std::size_t before = result_.findings.size();
    auto status = measure_bandwidth();
    if (result_.findings.size() != before) settle();
    return status;
}

void Grading::tell_checked() {
    if (!options_.on_checked) return;
    StageResult own = result_;
    if (stage_.performance_points > 0 && series_.may_be_timed())
        result_.why_untimed = say("processor_time_check_over_before");
    score();
    options_.on_checked(result_);
    result_ = std::move(own);
}

Status Grading::measure_bandwidth() {
    const std::size_t before = result_.findings.size();
    auto status = check_and_measure(subject(), source_, shapes(), options_, series_, result_);
    for (std::size_t i = before; options_.evidence != nullptr && i < result_.findings.size(); ++i)
        options_.evidence->steps.emplace_back().finding = result_.findings[i];
    return status;
}

namespace {

Result<const Problem*> problem_of(const Stage& stage) {
    if (const Problem* problem = find_problem(stage.problem)) return problem;
    return make_error(Blame::course, "unknown_problem", fmt::format("no problem is called `{}`", stage.problem));
}

}  // namespace

Result<StageResult> grade_stage(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                                Device& device, const GradeOptions& options) {
    if (stage.is_program()) return grade_program(assignment, stage, source_path, device, options);
    const auto problem = problem_of(stage);
    if (!problem) return problem.error();
    return Grading(assignment, stage, **problem, source_path, device, options).grade();
}

StageResult stopped_stage(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                          const GradeOptions& options, Diagnostic why) {
    if (stage.is_program()) return stopped_program(assignment, stage, source_path, std::move(why));
    const auto device = make_virtual_device();
    return Grading(assignment, stage, *problem_of(stage).value(), source_path, *device, options).stop(std::move(why));
}

}  // namespace warpgrade
