#include "cli/grade_worker.hpp"

#include <unistd.h>

#include <cstdlib>

#include "base/json_text.hpp"
#include "base/worker.hpp"
#include "build/submission.hpp"
#include "classroom/ptx_digest.hpp"
#include "classroom/worker_pool.hpp"
#include "cli/behind_walls.hpp"
#include "cli/course.hpp"
#include "cli/machine.hpp"
#include "compile/compiler.hpp"
#include "grade/rescore.hpp"
#include "grade/stage_grader.hpp"
#include "host/program.hpp"

namespace warpgrade::cli {
namespace {

wire::Fields failure(const Diagnostic& why) {
    std::string text = why.title;
    for (const std::string& fact : why.facts) text += "; " + fact;
    return {"error", std::to_string(exit_code(why.blame)), text};
}

// Of the program as it was graded: the compiler has it already. Empty where it does not compile.
std::string digest_of(const Target& target, const std::string& file) {
    const auto source = read_submission(file);
    if (source && target.stage->is_program()) {
        const auto compiled = host::compile_program(host::text_of_file(target.stage->file, *source), LaunchLimits());
        return compiled && compiled->ok ? classroom::ptx_digest(compiled->ptx) : "";
    }
    const Problem* problem = find_problem(target.stage->problem);
    if (!source || problem == nullptr) return "";
    const auto built = compile_stage(*target.stage, *problem, file, *source, BuildOptions{});
    return built && built->compiled.ok ? classroom::ptx_digest(built->compiled.ptx) : "";
}

bool is_digest(const std::string& text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

wire::Fields grade(const wire::Fields& job) {
    const std::string &stage_name = job[0], &folder = job[1], &file = job[2];
    SharedOptions options;
    options.device = job[3];
    options.profile = job[4];
    options.seed = std::strtoull(job[5].c_str(), nullptr, 10);
    auto course = open_course();
    if (!course) return failure(course.error());
    const auto match = find_stage(course->assignments, stage_name);
    if (!match) return failure(match.error());
    auto machine = open_machine(options, *course, {}, std::atoi(job[8].c_str()));
    if (!machine) return failure(machine.error());
    // The path in messages and in the result is the same for every student.
    if (chdir(folder.c_str()) != 0) return {"error", "3", "the folder of the handed-in files is gone"};
    GradeOptions how{
        .seed = options.seed, .shapes = {}, .threads = std::atoi(job[6].c_str()), .traces = true, .runs_timed = true};
    const auto rules = rules_of(*course);
    if (!rules) return failure(rules.error());
    how.rules = &*rules;
    how.on_checked = [](const StageResult& so_far) { keep_so_far({json_text(json_of(so_far))}); };
    machine->add_to(how);
    const Target target{match->assignment, match->stage, file, match->stage->name()};
    ConfinedLimits limits;
    // One shape that is timed is run whole (timing/modelled_work.hpp).
    if (target.stage->technique_points == 0 && target.stage->performance_points > 0) limits.cpu_seconds *= 2;
    limits.required = WallSet::from_bits(static_cast<unsigned>(std::strtoul(job[7].c_str(), nullptr, 10)));
    auto reply = behind_walls(
        *machine, target,
        [&]() -> wire::Fields {
            const auto result = grade_stage(*match->assignment, *match->stage, file, *machine->virtual_gpu, how);
            if (!result) return wire::to_fields(result.error());
            return wire::Fields{json_text(json_of(*result)), digest_of(target, file)};
        },
        limits);
    if (!reply && reply.error().code == out_of_cpu_code)
        reply = wire::Fields{
            json_text(json_of(stopped_stage(*match->assignment, *match->stage, file, how, reply.error())))};
    if (!reply) return failure(reply.error());
    auto stage = stage_from(reply->empty() ? "" : reply->front(), target);
    if (!stage) return failure(stage.error());
    if (reply->size() == 2 && is_digest(reply->back())) (*stage)["ptx_digest"] = reply->back();
    (*stage)["marking"] = marking_of(*match->stage);
    return {"ok", json_text(*stage)};
}

}  // namespace

wire::Fields grade_worker_job(const classroom::StageOrder& order, const SharedOptions& options, int threads,
                              WallSet required) {
    return {order.stage,
            order.folder.string(),
            order.file,
            options.device,
            options.profile,
            std::to_string(options.seed),
            std::to_string(threads),
            std::to_string(required.bits())};
}

int grade_worker_main() {
    const auto job = wire::unpack(read_message(STDIN_FILENO));
    if (!job || job->size() != 9) return 0;  // the parent sees the missing reply
    end_with_parent();
    write_all(STDOUT_FILENO, wire::pack(grade(*job)));
    return 0;
}

}  // namespace warpgrade::cli
