#include "cli/grade_worker.hpp"

#include <unistd.h>

#include <cstdlib>

#include "base/worker.hpp"
#include "classroom/worker_pool.hpp"
#include "cli/course.hpp"
#include "cli/machine.hpp"
#include "grade/stage_grader.hpp"

namespace warpgrade::cli {
namespace {

// What one stage's check may take of address space. The virtual GPU's own budget is far below; this is for a defect.
constexpr std::uint64_t most_memory_bytes = 16ull << 30;

wire::Fields failure(const Diagnostic& why) {
    std::string text = why.title;
    for (const std::string& fact : why.facts) text += "; " + fact;
    return {"error", std::to_string(exit_code(why.blame)), text};
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
    auto machine = open_machine(options, *course);
    if (!machine) return failure(machine.error());
    // The path in messages and in the result is the same for every student.
    if (chdir(folder.c_str()) != 0) return {"error", "3", "the folder of the handed-in files is gone"};
    GradeOptions how{.seed = options.seed, .shapes = {}, .threads = std::atoi(job[6].c_str()), .traces = true};
    machine->add_to(how);
    auto result = grade_stage(*match->assignment, *match->stage, file, *machine->virtual_gpu, how);
    if (!result) return failure(result.error());
    RunReport report;
    report.stages.push_back(std::move(*result));
    return {"ok", to_json(report)["stages"][0].dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

}  // namespace

wire::Fields grade_worker_job(const classroom::StageOrder& order, const SharedOptions& options, int threads) {
    return {order.stage,
            order.folder.string(),
            order.file,
            options.device,
            options.profile,
            std::to_string(options.seed),
            std::to_string(threads)};
}

int grade_worker_main() {
    const auto job = wire::unpack(read_message(STDIN_FILENO));
    if (!job || job->size() != 7) return 0;  // the parent sees the missing reply
    classroom::limit_job({}, (*job)[3] == "virtual" ? most_memory_bytes : 0);
    write_all(STDOUT_FILENO, wire::pack(grade(*job)));
    return 0;
}

}  // namespace warpgrade::cli
