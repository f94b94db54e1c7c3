#include "cli/check_formats.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "classroom/platform_formats.hpp"
#include "cli/terminal.hpp"

namespace warpgrade::cli {
namespace {

std::string summary_of_several(const CheckedStages& checked) {
    return checked.rows.size() > 1 ? render_summary(checked.rows, style_of(STDOUT_FILENO)) : "";
}

std::string result_json(const CheckedStages& checked) {
    return json_text(json_of(checked.report, checked.stages), 2) + "\n";
}

template <std::string (*write)(const nlohmann::ordered_json& result)>
std::string of_result(const CheckedStages& checked) {
    return write(json_of(checked.report, checked.stages));
}

CheckFormat document(std::string_view name, std::string_view meaning, std::string (*of_all)(const CheckedStages&)) {
    return {.name = name,
            .meaning = meaning,
            .needs_results = true,
            .is_document = true,
            .names_all = true,
            .of_all = of_all};
}

}  // namespace

const std::vector<CheckFormat>& check_formats() {
    static const std::vector<CheckFormat> formats{
        {.name = "text",
         .meaning = "for people",
         .is_for_people = true,
         .can_watch = true,
         .of_stage = render_stage,
         .of_all = summary_of_several},
        {.name = "json", .meaning = "the result", .needs_results = true, .is_document = true, .of_all = result_json},
        {.name = "line", .meaning = "for editors", .can_watch = true, .of_stage = message_lines},
        {.name = "github",
         .meaning = "annotations of a workflow",
         .needs_results = true,
         .names_all = true,
         .of_all = of_result<classroom::github_commands>,
         .summary_variable = "GITHUB_STEP_SUMMARY",
         .summary = of_result<classroom::github_summary>},
        document("junit", "XML of test reports", of_result<classroom::junit_document>),
        document("sarif", "SARIF 2.1.0", of_result<classroom::sarif_document>),
        document("gradescope", "its results.json", of_result<classroom::gradescope_document>),
        document("prairielearn", "its results.json", of_result<classroom::prairielearn_document>),
    };
    return formats;
}

std::vector<std::string> check_format_names() {
    std::vector<std::string> names;
    for (const CheckFormat& format : check_formats()) names.emplace_back(format.name);
    return names;
}

const CheckFormat& check_format(std::string_view name) {
    const auto& all = check_formats();
    return *std::find_if(all.begin(), all.end(), [&](const CheckFormat& format) { return format.name == name; });
}

}  // namespace warpgrade::cli
