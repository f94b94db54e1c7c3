#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/confined.hpp"
#include "base/json_text.hpp"
#include "cli/course.hpp"
#include "cli/doctor_checks.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

// For who has just set up: an example that passes, or else the first stage.
std::string what_next() {
    const auto course = open_course();
    if (!course) return "";
    const Stage* next = nullptr;
    for (const Assignment& assignment : course->assignments)
        for (const Stage& stage : assignment.stages)
            if (next == nullptr || (next->is_graded && !stage.is_graded)) next = &stage;
    return next == nullptr ? "" : fmt::format("Next: `{} check {}`\n", course->command, next->name());
}

std::string as_text(const std::vector<HealthLine>& lines, const RenderStyle& style) {
    std::string out;
    for (const HealthLine& line : lines) {
        const bool is_fault = !line.is_ok && line.is_needed;
        const char* mark = line.is_ok ? "ok" : is_fault ? "MISSING" : "absent";
        const Paint colour = line.is_ok ? Paint::green : is_fault ? Paint::red : Paint::yellow;
        out += wrap_after(paint(pad_right(mark, 9), colour, style) + pad_right(line.what, 16), escape_lines(line.found),
                          style.columns);
        if (!line.is_ok && !line.help.empty())
            out += wrap_after(std::string(25, ' ') + "try: ", with_command(escape_lines(line.help), kit_command()),
                              style.columns);
    }
    return out;
}

int run_doctor(const SharedOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    const WallSet walls = walls_here();
    const std::vector<HealthLine> lines = examine(walls);
    int code = 0;
    for (const HealthLine& line : lines)
        if (!line.is_ok && line.is_needed) code = std::max(code, exit_code(line.blame));
    if (options.is_json()) {
        auto array = nlohmann::ordered_json::array();
        for (const HealthLine& line : lines)
            array.push_back({{"what", line.what},
                             {"ok", line.is_ok},
                             {"needed", line.is_needed},
                             {"found", line.found},
                             {"help", line.help}});
        const nlohmann::ordered_json json{
            {"schema", "warpgrade.doctor/1"}, {"works", code == 0}, {"walls", walls.list()}, {"checks", array}};
        show(json_text(json, 2) + "\n");
        return code;
    }
    const RenderStyle style = style_of(STDOUT_FILENO);
    show(as_text(lines, style));
    show(code != 0       ? "\n`check` and `explain` cannot work here until what is MISSING is there.\n"
         : walls.holds() ? "\nEverything that `check` and `explain` need works here.\n"
                         : "\n`check` and `explain` work here, but little keeps what they look at from your\n"
                           "account: without seccomp, look at your own work only. `grade` refuses.\n");
    if (code == 0) show(what_next());
    return code;
}

}  // namespace

Verb add_doctor(CLI::App& parent) {
    const auto options = std::make_shared<SharedOptions>();
    CLI::App* app = parent.add_subcommand("doctor", "what works on this machine, and what to type where not");
    add_format(*app, *options);
    return {app, [options] { return run_doctor(*options); }};
}

}  // namespace warpgrade::cli
