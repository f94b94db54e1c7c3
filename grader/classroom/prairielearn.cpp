#include <fmt/format.h>

#include <algorithm>

#include "base/characters.hpp"
#include "base/json_text.hpp"
#include "classroom/platform_formats.hpp"

namespace warpgrade::classroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t largest_document_bytes = 1'000'000;

std::string cut_text(const std::string& text, std::size_t most) {
    if (text.size() <= most) return text;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // a whole character
    return text.substr(0, end) + "\n...\n";
}

// `most_bytes`: of a test's text.
Json prairielearn_json(const Json& result, std::size_t most_bytes) {
    Json json{{"gradable", true}}, tests = Json::array(), reasons = Json::array();
    double total = 0, max = 0;
    const auto add = [&](std::string name, double points, double most, const std::string& text) {
        tests.push_back({{"name", std::move(name)},
                         {"points", points},
                         {"max_points", most},
                         {"output", cut_text(text, most_bytes)}});
    };
    for (const ResultStage& stage : stages_of(result)) {
        if (stage.max <= 0 && stage.error_code.empty()) continue;
        if (stage.needs_person) {
            const std::string why = cut_text(stage.name + ": " + not_graded_text(stage), most_bytes);
            reasons.push_back(why);
            add(stage.name, 0, 0, why + "\n");
            continue;
        }
        total += stage.total;
        max += stage.max;
        for (const ResultPart& part : stage.parts)
            if (part.most > 0)
                add(fmt::format("{}, {}", stage.name, part.name), hundredths(part.points), part.most, part.text);
    }
    if (max <= 0 && reasons.empty()) reasons.push_back("there is nothing here that gives points");
    if (reasons.empty()) {
        json["score"] = std::clamp(total / max, 0.0, 1.0);
    } else {
        json["gradable"] = false;
        json["format_errors"] = reasons;
    }
    json["tests"] = std::move(tests);
    return json;
}

}  // namespace

std::string document_text(const Json& json) { return json_text(json, 2) + "\n"; }

std::string prairielearn_document(const Json& result) {
    for (std::size_t most_bytes = 1 << 14;; most_bytes /= 2) {
        const std::string text = document_text(prairielearn_json(result, most_bytes));
        if (text.size() <= largest_document_bytes || most_bytes == 0) return text;
    }
}

}  // namespace warpgrade::classroom
