#include "timing/bench.hpp"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "base/sha256.hpp"
#include "base/text.hpp"

namespace warpgrade {

namespace {

constexpr const char *naive_service = "naive", *host_service = "host";

double over(double a, double b) { return b > 0 ? a / b : 0; }

const Problem& problem_of(const Stage& stage) {
    const Problem* problem = find_problem(stage.problem);
    if (!problem) throw std::logic_error("no such problem: " + stage.problem);  // the course loader checked it
    return *problem;
}

// The kernel that everybody writes first: the stage with the lowest number that gives points.
const Stage* first_graded(const Assignment& assignment) {
    const Stage* first = nullptr;
    for (const Stage& stage : assignment.stages)
        if (stage.is_graded && (!first || stage.number < first->number)) first = &stage;
    return first;
}

// One file, compiled for the source of bandwidths; failures are the learner's.
Result<Build> compiled(const Stage& stage, const std::string& path, const std::string& source, const std::string& arch,
                       int threads) {
    BuildOptions with;
    with.arch = arch;
    if (threads > 0) with.definitions = {fmt::format("THREADS={}", threads)};
    return compile_stage(stage, problem_of(stage), path, source, with);
}

Diagnostic not_compiled(const Build& build, const std::string& path, int threads) {
    if (!build.failures.empty()) return build.failures.front();
    Diagnostic diagnostic;
    diagnostic.blame = Blame::learner;
    diagnostic.code = "does_not_compile";
    diagnostic.title =
        threads > 0 ? fmt::format("the file does not compile with THREADS={}", threads) : "the file does not compile";
    SourceMark mark;
    mark.path = path;
    for (const CompilerMessage& message : build.compiled.messages) {
        if (message.severity != Severity::error) continue;
        mark.line = message.line;
        mark.column = message.column;
        for (const std::string_view line : split(message.message, '\n')) {  // the compiler's, then what the kit adds
            if (mark.label.empty())
                mark.label = line;
            else
                diagnostic.facts.emplace_back(line);
        }
        break;
    }
    diagnostic.marks.push_back(mark);
    return diagnostic;
}

}  // namespace

double BenchPoint::share_of_copy() const { return over(bandwidth.gb_per_s, bandwidth.copy_gb_per_s); }
double BenchPoint::speedup_over_naive() const { return over(bandwidth.gb_per_s, naive_gb_per_s); }
double BenchPoint::speedup_over_cpu() const { return over(bandwidth.gb_per_s, cpu_gb_per_s); }

std::vector<BenchRun::Step> BenchRun::steps_of(const BenchOrder& order, const Problem& problem) const {
    std::vector<Shape> shapes = order.shapes.empty() ? problem.bench_shapes(source_.limits()) : order.shapes;
    if (order.stage.types.size() == 1)
        for (Shape& shape : shapes) shape.type = order.stage.types.front();
    std::vector<Step> steps;
    if (!order.threads.empty()) {
        for (const Shape& shape : shapes)
            for (const int threads : order.threads) steps.push_back({shape, threads});
        return steps;
    }
    for (const Shape& shape : shapes) steps.push_back({shape, 0});
    if (!order.shapes.empty()) return steps;
    for (const int threads : order.stage.sweep_threads)
        steps.push_back({problem.timing_shapes(source_.limits()).front(), threads});
    return steps;
}

std::size_t BenchRun::points_of(const BenchOrder& order) const {
    return steps_of(order, problem_of(order.stage)).size();
}

Services BenchRun::services(const BenchOrder& order) {
    const auto naive = [this, &order](const wire::Fields& request) {
        const auto gb_per_s = naive_apart(order, request);
        return gb_per_s ? wire::Fields{wire::real_text(*gb_per_s)} : wire::to_fields(gb_per_s.error());
    };
    const auto host = [this, &order](const wire::Fields&) {
        return wire::Fields{wire::real_text(on_host(problem_of(order.stage)))};
    };
    return {{naive_service, naive}, {host_service, host}};
}

// It is a solution: not for the memory that confined processes are given.
Result<double> BenchRun::naive_apart(const BenchOrder& order, const wire::Fields& request) {
    const Problem& problem = problem_of(order.stage);
    const auto shape = problem.parse_shape(request.empty() ? "" : request.front());
    if (!shape) return shape.error();
    const std::string key = order.assignment.name + " " + to_string(*shape);
    if (const auto known = naive_.find(key); known != naive_.end()) return known->second;
    const auto run = run_apart(
        [&]() -> wire::Fields {
            const auto gb_per_s = naive(order, problem, *shape);
            return gb_per_s ? wire::Fields{wire::real_text(*gb_per_s)} : wire::to_fields(gb_per_s.error());
        },
        source_.services(order.assignment, order.stage));
    if (!run) return run.error();
    if (run->end != ConfinedRun::End::done) throw std::runtime_error("the naive kernel was not timed: " + run->what);
    if (auto error = wire::diagnostic_from(run->reply)) return std::move(*error);
    return naive_[key] = wire::Reader(run->reply).real();
}

Result<double> BenchRun::naive(const BenchOrder& order, const Problem& problem, const Shape& shape) {
    if (is_confined()) {
        const wire::Fields answer = ask_outside(naive_service, {shape_argument(shape)});
        if (auto error = wire::diagnostic_from(answer)) return std::move(*error);
        return wire::Reader(answer).real();
    }
    const Stage* stage = first_graded(order.assignment);
    if (!stage || stage->problem != order.stage.problem || order.assignment.solutions.empty()) return 0.0;
    const std::string path = (std::filesystem::path(order.assignment.solutions) / stage->file).string();
    const std::string key = path + " " + to_string(shape);
    if (const auto known = naive_.find(key); known != naive_.end()) return known->second;
    if (std::error_code error; !std::filesystem::exists(path, error)) return 0.0;
    const auto source = read_submission(path);
    if (!source) return source.error();
    const auto build = compiled(*stage, path, *source, source_.arch(), 0);
    if (!build) return build.error();
    if (!build->compiled.ok || !build->failures.empty()) return not_compiled(*build, path, 0);
    const auto found = source_.bandwidths({order.assignment, *stage, problem, path, *build, order.seed}, {shape});
    if (!found) return found.error();
    return naive_[key] = found->empty() ? 0 : found->front().gb_per_s;
}

double BenchRun::on_host(const Problem& problem) {
    if (is_confined()) return wire::Reader(ask_outside(host_service, {})).real();
    const std::string name(problem.name());
    if (const auto known = host_.find(name); known != host_.end()) return known->second;
    const Shape shape = problem.large_shape();
    const double seconds = problem.seconds_on_host(shape);
    return host_[name] = seconds > 0 ? static_cast<double>(problem.useful_bytes(shape)) / seconds / 1e9 : 0;
}

Result<BenchStage> BenchRun::run(const BenchOrder& order, const std::function<void(std::size_t, std::size_t)>& progress,
                                 double cpu_seconds) {
    const Problem& problem = problem_of(order.stage);
    BenchStage result;
    result.assignment = order.assignment.name;
    result.stage = order.stage.id;
    result.title = order.stage.title;
    result.source_path = order.path;
    result.cpu_shape = to_string(problem.large_shape());
    const auto source = read_submission(order.path);
    if (!source) return source.error();
    result.sha256 = sha256_hex(*source);

    const auto steps = steps_of(order, problem);
    std::map<int, Build> builds;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto& [shape, threads] = steps[i];
        if (static_cast<double>(std::clock()) / CLOCKS_PER_SEC > cpu_seconds) {
            BenchPoint left;
            left.shape = shape;
            left.threads = threads;
            left.bandwidth.verdict = Verdict::skipped;
            left.bandwidth.detail = fmt::format("after {:.0f} s of processor time; `--shape {}` is the first alone",
                                                cpu_seconds, shape_argument(shape));
            if (!result.points.empty() && result.points.back().bandwidth.verdict == Verdict::skipped)
                left.bandwidth.detail.clear();  // said
            result.points.push_back(std::move(left));
            continue;
        }
        if (builds.find(threads) == builds.end()) {
            auto build = compiled(order.stage, order.path, *source, source_.arch(), threads);
            if (!build) return build.error();
            if (!build->compiled.ok || !build->failures.empty())
                result.findings.push_back(not_compiled(*build, order.path, threads));
            builds[threads] = std::move(*build);
        }
        const Build& build = builds[threads];
        if (build.compiled.ok && build.failures.empty()) {
            const auto found =
                source_.bandwidths({order.assignment, order.stage, problem, order.path, build, order.seed}, {shape});
            if (!found) return found.error();
            const bool is_float = shape.type == "float";  // as the naive kernel and the host's loop are
            const auto slow = is_float ? naive(order, problem, shape) : Result<double>(0.0);
            if (!slow) return slow.error();
            if (!found->empty()) {
                BenchPoint point;
                point.shape = shape;
                point.threads = threads;
                point.bandwidth = found->front();
                point.naive_gb_per_s = *slow;
                // Of the other classes the least of several shapes is recorded: fair for points, and too little here.
                const bool is_recorded =
                    is_float && shape.shape_class == "aligned" && is_timing_shape(problem, source_.limits(), 0, shape);
                if (const Stage* first = first_graded(order.assignment); is_recorded && *slow <= 0 && first)
                    point.naive_gb_per_s =
                        source_.recorded_share(first->name(), shape.shape_class) * point.bandwidth.copy_gb_per_s;
                if (is_float && order.compares_cpu) point.cpu_gb_per_s = on_host(problem);
                point.elements_per_s = over(static_cast<double>(problem.elements(shape)), point.bandwidth.seconds);
                result.points.push_back(std::move(point));
            }
        }
        progress(i + 1, steps.size());
    }
    return result;
}

namespace {

using Json = nlohmann::ordered_json;

Json point_json(const BenchPoint& point) {
    const Bandwidth& b = point.bandwidth;
    return {{"shape", point.shape.extents},
            {"type", point.shape.type},
            {"class", point.shape.shape_class},
            {"threads", point.threads > 0 ? Json(point.threads) : Json(nullptr)},
            {"origin", to_string(b.origin)},
            {"seconds", b.seconds},
            {"iqr_seconds", b.iqr_seconds},
            {"samples", b.samples},
            {"gb_per_s", b.gb_per_s},
            {"gflop_per_s", b.gflop_per_s()},
            {"yardstick", to_string(b.yardstick)},
            {"copy_gb_per_s", b.copy_gb_per_s},
            {"naive_gb_per_s", point.naive_gb_per_s},
            {"cpu_gb_per_s", point.cpu_gb_per_s},
            {"cpu_seconds", over(b.seconds * b.gb_per_s, point.cpu_gb_per_s)},
            {"share_of_copy", point.share_of_copy()},
            {"speedup_over_naive", point.speedup_over_naive()},
            {"speedup_over_cpu", point.speedup_over_cpu()},
            {"elements_per_s", point.elements_per_s},
            {"verdict", to_string(b.verdict)},
            {"limiter", b.limiter},
            {"detail", b.detail},
            {"reference_gb_per_s", b.reference_gb_per_s},
            {"reference_origin", to_string(b.reference_origin)},
            {"memcpy_gb_per_s", b.memcpy_gb_per_s},
            {"sm_clock_mhz", b.sm_clock_mhz},
            {"memory_clock_mhz", b.memory_clock_mhz},
            {"temperature_c", b.temperature_c},
            {"throttled_by", b.throttled_by}};
}

}  // namespace

Json json_of(const BenchStage& stage) {
    Json json{{"assignment", stage.assignment}, {"stage", stage.stage},         {"source", stage.source_path},
              {"sha256", stage.sha256},         {"cpu_shape", stage.cpu_shape}, {"points", Json::array()}};
    for (const BenchPoint& point : stage.points) json["points"].push_back(point_json(point));
    return json;
}

Json json_of(const BenchReport& report, const std::vector<Json>& stages) {
    return {{"schema", "warpgrade.bench/1"},
            {"tool", {{"version", report.tool_version}, {"git", report.tool_git}, {"nvrtc", report.nvrtc}}},
            {"device", {{"kind", report.device_kind}, {"name", report.device_name}, {"profile", report.profile}}},
            {"seed", report.seed},
            {"stages", stages}};
}

Json json_of(const BenchReport& report) {
    std::vector<Json> stages;
    for (const BenchStage& stage : report.stages) stages.push_back(json_of(stage));
    return json_of(report, stages);
}

}  // namespace warpgrade
