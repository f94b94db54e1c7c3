#include "cli/live_page.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/json_text.hpp"
#include "classroom/reports.hpp"
#include "cli/behind_walls.hpp"
#include "cli/diagnose.hpp"
#include "grade/stage_grader.hpp"

namespace warpgrade::cli {
namespace {

// A file without a name, which a program that is started from here inherits.
class NamelessFile {
public:
    explicit NamelessFile(const std::string& text) : descriptor_(memfd_create("explain.json", 0)) {
        for (std::size_t done = 0; descriptor_ >= 0 && done < text.size();) {
            const ssize_t count = write(descriptor_, text.data() + done, text.size() - done);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                error_ = errno;
                return;
            }
            done += static_cast<std::size_t>(count);
        }
        if (descriptor_ < 0) error_ = errno;
    }
    NamelessFile(const NamelessFile&) = delete;
    NamelessFile& operator=(const NamelessFile&) = delete;
    ~NamelessFile() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    int error() const { return error_; }
    std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

private:
    int descriptor_ = -1, error_ = 0;
};

}  // namespace

Result<std::string> write_live_page(const Course& course, const nlohmann::ordered_json& report, const std::string& file,
                                    PageUse use) {
    const std::filesystem::path path = std::filesystem::absolute(file), folder = path.parent_path();
    if (std::error_code error; !std::filesystem::is_directory(folder, error))
        return usage("no_such_folder", fmt::format("there is no folder `{}` for the page", folder.string()),
                     "make it, or name another one: --page FILE.html");
    auto maker = classroom::ReportMaker::open(course.root);
    if (!maker) return maker.error();
    const NamelessFile json(json_text(report, 0));
    if (json.error() != 0)
        return Diagnostic{.blame = Blame::host,
                          .code = "no_memory_file",
                          .title = "the page's data could not be written to memory",
                          .marks = {},
                          .facts = {std::strerror(json.error())},
                          .help = ""};
    std::vector<std::string> arguments{"page", json.path(), "--out", path.string()};
    if (use == PageUse::served) arguments.emplace_back("--served");
    return maker->run(arguments);
}

Result<std::string> explain_to_page(const Course& course, const Machine& machine, const SharedOptions& options,
                                    const Target& target, const std::string& file, PageUse use) {
    auto shapes = parse_shapes(options, target);
    if (!shapes) return shapes.error();
    GradeOptions grade{.seed = options.seed, .shapes = *shapes, .threads = 0};
    if (!machine.card) machine.add_to(grade);  // what a card measures is no part of the page
    grade.traces_whole_blocks = true;
    const auto reply = behind_walls(machine, target, [&]() -> wire::Fields {
        const auto seen = explain_stage(*target.assignment, *target.stage, target.path, *machine.virtual_gpu, grade);
        if (!seen) return wire::to_fields(seen.error());
        if (!seen->compiles || seen->trace.empty()) return {seen->compiles ? "nothing" : "no_compile", ""};
        return {"explained", json_text(json_of(*seen))};
    });
    if (!reply) return reply.error();
    if (reply->front() != "explained")
        return diagnose(Blame::learner, "nothing_to_draw",
                        reply->front() == "nothing" ? "no kernel accessed memory: a page would show nothing"
                                                    : "the file does not compile: `check` shows why",
                        "");
    auto stage = unscored_stage_from(reply->back(), target);
    if (!stage) return stage.error();
    (*stage)["score"] = json_of(StageResult())["score"];  // explaining scores nothing
    auto report = begin_report(options, course, machine);
    if (!report) return report.error();
    return write_live_page(course, json_of(*report, {std::move(*stage)}), file, use);
}

}  // namespace warpgrade::cli
