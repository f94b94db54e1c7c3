#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <memory>

#include "base/json_text.hpp"
#include "cli/behind_walls.hpp"
#include "cli/bench_view.hpp"
#include "cli/diagnose.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "timing/bench.hpp"

namespace warpgrade::cli {
namespace {

struct BenchOptions : SharedOptions {
    std::vector<std::string> words;
    std::vector<int> threads;
    std::string type;
    int samples = MeasureOptions{}.samples;
    bool compares_cpu = false;
};

Diagnostic nothing_times(const Machine& machine) {
    std::vector<std::string> facts;
    if (!machine.why_no_card.empty()) facts.push_back("GPU: " + machine.why_no_card);
    facts.push_back("and no profile holds a model of one that times could be computed with");
    return diagnose(Blame::host, "no_bandwidth", "nothing on this machine can say how fast a kernel is",
                    "`warpgrade check`: sectors and wavefronts say the same without times", facts);
}

BenchReport begin_bench(const RunReport& report, const Machine& machine) {
    BenchReport bench;
    bench.tool_version = report.tool_version;
    bench.tool_git = report.tool_git;
    bench.nvrtc = report.nvrtc;
    bench.device_kind = report.device_kind;
    bench.device_name = report.device_name;
    bench.profile = machine.profile ? machine.profile->slug : "";
    bench.seed = report.seed;
    return bench;
}

// What a run on the virtual GPU says of an order: what is wrong is not timed, each shape for itself.
struct LookedAt {
    std::optional<BenchStage> wrong;  // nothing is timed
    std::vector<Shape> right;         // of the order's shapes
    std::vector<BenchPoint> untimed;  // the others
};

Result<LookedAt> look_without_card(const BenchOrder& order, const Machine& machine) {
    LookedAt looked;
    looked.right = order.shapes;
    GradeOptions options;
    options.seed = order.seed;
    const auto graded = grade_stage(order.assignment, order.stage, order.path, *machine.virtual_gpu, options);
    if (!graded) return graded.error();
    if (!graded->compiles) return looked;  // said by the run
    const auto passed = std::count_if(graded->cases.begin(), graded->cases.end(),
                                      [](const CaseResult& one) { return one.verdict == Verdict::pass; });
    if (passed == std::ssize(graded->cases)) return looked;
    const bool is_technique_right = std::any_of(graded->cases.begin(), graded->cases.end(), [&](const CaseResult& one) {
        return one.shape.extents == graded->technique_shape.extents && one.verdict == Verdict::pass;
    });
    if (is_technique_right && 3 * passed >= 2 * std::ssize(graded->cases)) {
        // A larger one is looked at by the model, as far as it runs it.
        constexpr std::uint64_t most_elements = std::uint64_t{1} << 22;
        const Problem* problem = find_problem(order.stage.problem);
        looked.right.clear();
        for (const Shape& shape : order.shapes) {
            options.shapes = {shape};
            const bool is_run = problem && problem->elements(shape) <= most_elements;
            const auto alone =
                is_run ? grade_stage(order.assignment, order.stage, order.path, *machine.virtual_gpu, options)
                       : Result<StageResult>(*graded);
            if (!alone) return alone.error();
            const auto failing = std::find_if(alone->cases.begin(), alone->cases.end(), [](const CaseResult& one) {
                return one.verdict != Verdict::pass && one.verdict != Verdict::skipped;
            });
            if (!is_run || failing == alone->cases.end()) {
                looked.right.push_back(shape);
                continue;
            }
            BenchPoint point;
            point.shape = shape;
            point.bandwidth.verdict = failing->verdict;
            point.bandwidth.detail = failing->detail;
            looked.untimed.push_back(std::move(point));
        }
        if (!looked.right.empty() || order.shapes.empty()) return looked;
    }
    BenchStage stage;
    stage.assignment = graded->assignment;
    stage.stage = graded->stage;
    stage.title = graded->title;
    stage.source_path = graded->source_path;
    stage.sha256 = graded->sha256;
    stage.points = std::move(looked.untimed);
    looked.wrong = std::move(stage);
    return looked;
}

// The stage for elements of one type alone.
Result<Stage> with_type(const Stage& stage, const std::string& type, const Target& target) {
    if (std::find(stage.types.begin(), stage.types.end(), type) == stage.types.end())
        return usage("no_such_type", fmt::format("{} has no elements of type `{}`", target.argument, type),
                     "choose one of these, or leave --type out",
                     {fmt::format("types of {}: {}", stage.name(), fmt::join(stage.types, ", "))});
    Stage cut = stage;
    cut.is_one_type_of_several = stage.is_template();
    cut.types = {type};
    return cut;
}

// Of what is modelled: from then on points are left out; and for the last of them, which is not ended before.
constexpr std::size_t least_modelled_cpu_seconds = 12, last_cpu_seconds = 8;
unsigned modelled_cpu_seconds(std::size_t points) {
    return static_cast<unsigned>(std::max(least_modelled_cpu_seconds, 3 * points / 2));
}
// What the host does for a timed one.
constexpr unsigned cpu_seconds_a_point = 10;

struct BenchedStage {
    nlohmann::ordered_json json;
    std::string text;
    bool passes = false;
};

class BenchVerb {
public:
    BenchVerb(const BenchOptions& options, const Machine& machine)
        : options_(options), machine_(machine), run_(*machine.bandwidths) {}

    std::size_t points_of(const BenchOrder& order) const { return run_.points_of(order); }

    // `before` of `all` points are done.
    Result<BenchedStage> bench(const BenchOrder& order, const Target& target, std::size_t before, std::size_t all) {
        const RenderStyle style = style_of(STDOUT_FILENO);
        Progress progress(machine_.card ? "timing" : "modelling", options_.threads.empty() ? "shapes" : "timings");
        Services services = run_.services(order);
        services[progress_service] = [&](const wire::Fields& request) -> wire::Fields {
            progress.show(before + std::min<std::size_t>(wire::Reader(request).number(), points_of(order)), all);
            return {};
        };
        ConfinedLimits limits;
        limits.cpu_seconds = machine_.card ? cpu_seconds_a_point * static_cast<unsigned>(1 + points_of(order))
                                           : modelled_cpu_seconds(points_of(order)) + last_cpu_seconds;
        limits.wall_seconds = 10 * limits.cpu_seconds;
        const auto reply = behind_walls(
            machine_, target,
            [&]() -> wire::Fields {
                const auto stage = run(order);
                if (!stage) return wire::to_fields(stage.error());
                const bool is_wrong = std::any_of(stage->points.begin(), stage->points.end(), [](const BenchPoint& p) {
                    return p.bandwidth.seconds <= 0 && p.bandwidth.verdict != Verdict::skipped;
                });
                const bool passes = !is_wrong && !stage->points.empty() && stage->findings.empty();
                return {passes ? "passes" : "fails", json_text(json_of(*stage)), render_bench(*stage, style)};
            },
            limits, std::move(services));
        if (!reply) return reply.error();
        auto json = unscored_stage_from(reply->size() == 3 ? (*reply)[1] : "", target);
        if (!json) return json.error();
        return BenchedStage{std::move(*json), harmless(reply->back(), style), reply->front() == "passes"};
    }

private:
    Result<BenchStage> run(const BenchOrder& order) {
        const auto progress = [](std::size_t done, std::size_t) {
            ask_outside(progress_service, {std::to_string(done)});
        };
        // A card's output is looked at after every sample; the model has none.
        if (machine_.card) return run_.run(order, progress);
        auto looked = look_without_card(order, machine_);
        if (!looked) return looked.error();
        if (looked->wrong) return std::move(*looked->wrong);
        const BenchOrder right{order.assignment, order.stage, order.path,        looked->right,
                               order.threads,    order.seed,  order.compares_cpu};
        auto stage = run_.run(right, progress, modelled_cpu_seconds(points_of(order)));
        if (!stage) return stage;
        for (BenchPoint& point : looked->untimed) stage->points.push_back(std::move(point));
        return stage;
    }

    static constexpr const char* progress_service = "progress";
    const BenchOptions& options_;
    const Machine& machine_;
    BenchRun run_;
};

int run_bench(const BenchOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    auto course = open_course();
    if (!course) return fail(course.error());
    if (auto status = check_profile(options, *course); !status) return fail(status.error());
    auto targets = find_targets(*course, options.words, options.stage);
    if (!targets) return fail(targets.error());
    MeasureOptions measure;
    measure.samples = options.samples;
    measure.most_samples = std::max(options.samples, measure.most_samples);
    if (options.samples < MeasureOptions{}.samples) measure.most_samples = options.samples;  // quick, not exact
    auto machine = open_machine(options, *course, measure);
    if (!machine) return fail(machine.error());
    if (!machine->bandwidths) return fail(nothing_times(*machine));
    const auto turn = machine->card ? machine->card->take_turn() : nullptr;
    const auto begun = begin_report(options, *course, *machine);
    if (!begun) return fail(begun.error());
    const BenchReport report = begin_bench(*begun, *machine);

    if (!options.type.empty() && options.type != "float" && machine->card)
        return fail(usage("type_is_modelled", fmt::format("times of {} come from the model", options.type),
                          "add `--device virtual`"));

    BenchVerb verb(options, *machine);
    std::vector<BenchOrder> orders;
    std::deque<Stage> of_one_type;
    std::size_t all = 0, before = 0;
    for (const Target& target : *targets) {
        if (target.stage->is_program())
            return fail(usage("program_not_timed", fmt::format("{} is a whole program", target.stage->name()),
                              fmt::format("`warpgrade check {}`", target.argument),
                              {"bench times a launcher over sizes; a program times itself, with events"}));
        auto shapes = parse_shapes(options, target);
        if (!shapes) return fail(shapes.error());
        const Stage* stage = target.stage;
        if (!options.type.empty()) {
            const auto cut = with_type(*stage, options.type, target);
            if (!cut) return fail(cut.error());
            stage = &of_one_type.emplace_back(*cut);
        }
        orders.push_back({*target.assignment, *stage, target.path, std::move(*shapes), options.threads, options.seed,
                          options.compares_cpu});
        all += verb.points_of(orders.back());
    }
    int code = 0;
    bool has_table = false, has_arithmetic = false;
    std::vector<nlohmann::ordered_json> stages;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        auto stage = verb.bench(orders[i], (*targets)[i], before, all);
        before += verb.points_of(orders[i]);
        if (!stage) {
            code = std::max(code, fail(stage.error()));
            continue;
        }
        if (!stage->passes) code = std::max(code, exit_code(Blame::learner));
        if (!options.is_json()) show((stages.empty() ? "" : "\n") + stage->text);
        const auto points = stage->json.find("points");
        has_table = has_table || (points != stage->json.end() && !points->empty());
        has_arithmetic = has_arithmetic || find_problem(orders[i].stage.problem)->yardstick() == Yardstick::compute;
        stages.push_back(std::move(stage->json));
    }
    if (options.is_json())
        show(json_text(json_of(report, stages), 2) + "\n");
    else if (has_table)
        show("\n" +
             wrap_after("",
                        fmt::format("{}cold L2; of copy: of the better of memcpy and a float4 copy, or of a read; "
                                    "{}naive: times as fast as the course's solution of the assignment's first stage "
                                    "with points{}",
                                    machine->card ? "on " + escape(machine->name()) + ", " : "",
                                    has_arithmetic ? "of FMA loop: of as many multiply-adds between registers; " : "",
                                    options.compares_cpu
                                        ? "; CPU: times as fast as a plain loop on one core of this machine, timed once"
                                        : ""),
                        style_of(STDOUT_FILENO).columns));
    return code;
}

}  // namespace

Verb add_bench(CLI::App& parent) {
    const auto options = std::make_shared<BenchOptions>();
    CLI::App* app = parent.add_subcommand("bench", "bandwidth over sizes, shapes and block sizes");
    app->add_option("what", options->words, "stages (ASSIGNMENT/STAGE), files or assignments; none: all here")
        ->type_name("STAGE|FILE");
    app->add_option("--threads", options->threads, "threads a block, compiled in as -DTHREADS=N; repeatable")
        ->type_name("N")
        ->check(whole_number(1, 1024))
        ->allow_extra_args(false)
        ->take_all();
    app->add_option("--type", options->type, "element type of a stage that has several: double ...")->type_name("TYPE");
    app->add_option("--samples", options->samples, "timed runs of each point; few are quick and not exact")
        ->type_name("N")
        ->check(whole_number(1, 1000));
    app->add_flag("--cpu", options->compares_cpu, "compare with a plain loop on one core of this machine, too");
    add_shared(*app, *options);
    return {app, [options] { return run_bench(*options); }};
}

}  // namespace warpgrade::cli
