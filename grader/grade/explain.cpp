// `explain`: one run of one shape, with the accesses of the first warp recorded.

#include <algorithm>

#include "base/sha256.hpp"
#include "build/submission.hpp"
#include "course/source_text.hpp"
#include "explain/telling.hpp"
#include "grade/case_series.hpp"
#include "grade/program_stage.hpp"
#include "grade/stage_grader.hpp"
#include "grade/wrong_elements.hpp"
#include "timing/measure.hpp"

namespace warpgrade {
namespace {

// Of an element of a buffer, by the launcher's signature: "const float* in" -> "float". "": it is not in it.
std::string type_of(const std::string& buffer, const std::string& signature) {
    source::Reading reading;
    for (const source::Function& launcher : reading.of(signature + " {}").functions)
        for (const source::Parameter& parameter : launcher.parameters)
            if (parameter.name == buffer && parameter.pointers != 0) return std::string(parameter.type);
    return "";
}

}  // namespace

Result<StageResult> explain_stage(const Assignment& assignment, const Stage& stage, const std::string& source_path,
                                  Device& device, const GradeOptions& options) {
    if (stage.is_program()) return explain_program(assignment, stage, source_path, device, options);
    const Problem* problem = find_problem(stage.problem);
    if (!problem) throw std::logic_error("no such problem: " + stage.problem);  // the course loader checked it
    StageResult result;
    result.assignment = assignment.name;
    result.stage = stage.id;
    result.title = stage.title;
    result.source_path = source_path;

    auto source = read_submission(source_path);
    if (!source) return source.error();
    result.source = std::move(*source);
    result.sha256 = sha256_hex(result.source);

    auto built = build(stage, *problem, source_path, result.source, device, {});
    if (!built) return built.error();
    result.compiles = built->compiled.ok;
    result.compile_seconds = built->compiled.seconds;
    result.compiler_messages = built->compiled.messages;
    result.findings = built->failures;
    if (!built->ok()) return result;

    Shape shape = options.shapes.empty() ? problem->technique_shape() : options.shapes.front();
    if (stage.types.front() != "float" && built->launchers.find("float") == built->launchers.end())
        shape.type = stage.types.front();
    const Bench bench{*problem,      *built->program, built->launchers, source_path,
                      result.source, options.seed,    options.threads};
    CaseOptions with;
    with.trace_first_warp = true;
    with.trace_whole_blocks = options.traces_whole_blocks;
    with.traced_block = options.traced_block;
    auto outcome = told_case(bench, shape, with);
    if (!outcome) return outcome.error();
    result.wrong_elements = wrong_elements(*outcome);
    const auto wrong_block = block_of(result.wrong_elements);
    if (with.trace_whole_blocks && !with.traced_block && wrong_block) {
        // Once more, with the accesses of the block where it goes wrong.
        with.traced_block = wrong_block;
        outcome = told_case(bench, shape, with);
        if (!outcome) return outcome.error();
    }
    result.counters_shape = shape;
    result.useful_bytes = problem->useful_bytes(shape);
    result.elements = problem->elements(shape);
    result.flops = problem->flops(shape);
    result.launches = launches_of(outcome->run.plan);
    result.counters = outcome->run.result.counters;
    result.by_line = std::move(outcome->run.result.by_line);
    result.trace = std::move(outcome->run.result.trace);
    result.trace_ends = std::move(outcome->run.trace_ends);
    result.trace_is_cut = outcome->run.result.trace_is_cut;
    for (const BufferLayout& buffer : outcome->prepared.layout)
        result.arrays.push_back(
            {buffer.name, "global", buffer.extents, type_of(buffer.name, problem->signature(shape.type))});
    for (const source::SharedArray& array : bench.facts().shared_arrays) {
        NamedArray& named = result.arrays.emplace_back(NamedArray{
            std::string(array.name), "shared", {}, std::string(array.type == "T" ? shape.type : array.type)});
        if (std::ranges::all_of(array.sizes, [](const auto& size) { return size.has_value(); }))
            for (const auto& size : array.sizes) named.extents.push_back(*size);
    }
    const bool is_right = outcome->passed();
    CaseSeries series(result);
    series.add(std::move(*outcome));
    series.wrong().report();
    if (is_right && options.bandwidths) {
        auto bandwidths = options.bandwidths->bandwidths(
            {assignment, stage, *problem, source_path, *built, options.seed}, options.shapes);
        if (!bandwidths) return bandwidths.error();
        result.bandwidths = std::move(*bandwidths);
        if (!result.bandwidths.empty()) result.bandwidth = result.bandwidths.front();
    }
    result.output = escape_output(result.output);
    return result;
}

}  // namespace warpgrade
