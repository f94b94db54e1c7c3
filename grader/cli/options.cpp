#include "cli/options.hpp"
#include "cli/diagnose.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "base/near_names.hpp"
#include "cli/version.hpp"
#include "compile/compiler.hpp"
#include "problem/problem.hpp"

namespace warpgrade::cli {
namespace {

Status check_choice(const std::string& option, const std::string& given, const std::vector<std::string>& choices) {
    if (std::find(choices.begin(), choices.end(), given) != choices.end()) return Nothing{};
    const auto near = nearest_name(given, choices);
    return usage("unknown_choice", fmt::format("{} is `{}`, which is none of its choices", option, given),
                 near ? fmt::format("`{} {}`", option, *near) : "",
                 {fmt::format("choices: {}", fmt::join(choices, ", "))});
}

}  // namespace

// CLI11's own ranges take "-1" and what does not fit for other numbers.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    const auto check = [least, most](std::string& text) {
        std::uint64_t number = 0;
        const char* const end = text.data() + text.size();
        const auto [stopped_at, problem] = std::from_chars(text.data(), end, number);
        const bool is_one = problem == std::errc() && stopped_at == end && number >= least && number <= most;
        return is_one ? "" : fmt::format("`{}` is no whole number from {} to {}", text, least, most);
    };
    return CLI::Validator(check, "");
}

void add_format(CLI::App& verb, SharedOptions& options) {
    verb.add_option("--format", options.format, "text, or json: only the result, on standard output")
        ->type_name("FORMAT");
}

void add_profile(CLI::App& verb, SharedOptions& options) {
    verb.add_option("--profile", options.profile, "GPU that times are modelled for where there is none: t4")
        ->type_name("NAME");
}

void add_shared(CLI::App& verb, SharedOptions& options) {
    verb.add_option("--device", options.device, "auto, virtual or cuda")->type_name("DEVICE");
    add_profile(verb, options);
    add_format(verb, options);
    verb.add_option("--seed", options.seed, "of shapes and contents: the same seed, the same check")
        ->type_name("N")
        ->check(whole_number(0, largest_seed));
    verb.add_option("--shape", options.shapes, "1024x777, or 1048576 for a sum; in place of the stage's")
        ->type_name("SHAPE")
        ->allow_extra_args(false)
        ->take_all();
    verb.add_option("--stage", options.stage, "stage that the files are for, if their names do not say")
        ->type_name("STAGE");
}

Status check_choices(const SharedOptions& options, const std::vector<std::string>& formats) {
    if (auto device = check_choice("--device", options.device, {"auto", "virtual", "cuda"}); !device) return device;
    return check_choice("--format", options.format, formats);
}

Status check_profile(const SharedOptions& options, const Course& course) {
    const auto& known = course.profiles;
    if (options.profile.empty() || std::find(known.begin(), known.end(), options.profile) != known.end())
        return Nothing{};
    const auto near = nearest_name(options.profile, known);
    return usage("unknown_profile", fmt::format("there is no GPU profile `{}`", options.profile),
                 near            ? fmt::format("`--profile {}`", *near)
                 : known.empty() ? "leave --profile out"
                                 : "",
                 {known.empty() ? std::string("this course has no profiles: grader/profiles is empty")
                                : fmt::format("profiles: {}", fmt::join(known, ", "))});
}

Result<std::vector<Shape>> parse_shapes(const SharedOptions& options, const Target& target) {
    std::vector<Shape> shapes;
    if (options.shapes.empty()) return shapes;
    if (target.stage->is_program())
        return usage("no_shapes", fmt::format("{} is a whole program, which has no shapes", target.stage->name()),
                     "leave --shape out; `warpgrade run FILE -- ARGUMENTS` runs it with arguments of your own");
    const Problem* problem = find_problem(target.stage->problem);
    if (problem == nullptr) {
        Diagnostic unknown = diagnose(Blame::course, "unknown_problem",
                                      fmt::format("stage `{}` names the problem `{}`, which does not exist",
                                                  target.stage->name(), target.stage->problem),
                                      "");
        unknown.marks.push_back({target.assignment->folder + "/assignment.toml", 0, 0, 1, ""});
        return unknown;
    }
    for (const std::string& text : options.shapes) {
        auto shape = problem->parse_shape(text);
        if (!shape) return shape.error();
        shapes.push_back(std::move(*shape));
    }
    return shapes;
}

Result<RunReport> begin_report(const SharedOptions& options, const Course& course, const std::string& device_kind,
                               const std::string& device_name) {
    auto nvrtc = find_nvrtc();
    if (!nvrtc) return nvrtc.error();
    RunReport report;
    report.tool_version = tool_version;
    report.tool_git = git_revision(course.root);
    report.nvrtc = nvrtc->version;
    report.device_kind = device_kind;
    report.device_name = device_name;
    report.seed = options.seed;
    return report;
}

}  // namespace warpgrade::cli
