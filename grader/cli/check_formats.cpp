#include "cli/check_formats.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/json_text.hpp"
#include "cli/terminal.hpp"

namespace warpgrade::cli {
namespace {

std::string summary_of_several(const CheckedStages& checked) {
    return checked.rows.size() > 1 ? render_summary(checked.rows, style_of(STDOUT_FILENO)) : "";
}

std::string result_json(const CheckedStages& checked) {
    return json_text(json_of(checked.report, checked.stages), 2) + "\n";
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
        {.name = "json", .meaning = "the result", .needs_results = true, .of_all = result_json},
        {.name = "line", .meaning = "for editors", .can_watch = true, .of_stage = message_lines},
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
