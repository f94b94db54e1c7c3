#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/characters.hpp"
#include "classroom/platform_formats.hpp"

namespace warpgrade::classroom {
namespace {

// GitHub's toolkit, packages/core/src/command.ts: escapeData, escapeProperty. The rest of what a line may not hold is
// shown as \x1b.
std::string data(const std::string& text, std::string_view also = "") {
    std::string out;
    for (const char c : escape(text))
        out += c == '%' || also.find(c) != std::string_view::npos ? fmt::format("%{:02X}", c) : std::string(1, c);
    return out;
}
std::string property(const std::string& text) { return data(text, ":,"); }

struct Kind {
    Level level;
    const char* command;
    std::size_t most;  // of the 10 that a step may have; one notice says how many are left
};
constexpr std::array kinds{Kind{Level::error, "error", 10}, Kind{Level::warning, "warning", 10},
                           Kind{Level::note, "notice", 9}};

std::string command(const char* name, const ResultStage& stage, const ResultMessage& message) {
    std::string text = fmt::format("::{} file={},line={}", name, property(stage.source), std::max(1, message.line));
    if (message.column > 0) text += fmt::format(",col={}", message.column);
    text += fmt::format(",title={}::", property(stage.name + ": " + message.code));
    text += data(message.text);
    if (message.other_line > 0) text += fmt::format(" (the other access is in line {})", message.other_line);
    if (!message.help.empty()) text += data("; try: " + message.help);
    return text + "\n";
}

std::string cell(const std::string& text) {
    std::string out;
    for (const char c : escape(text))
        out += std::string_view("|<>&`*_[]\\~").find(c) != std::string_view::npos
                   ? fmt::format("&#{};", static_cast<int>(c))
                   : std::string(1, c);
    return out;
}

std::string share(const ResultStage& stage, std::string_view kind) {
    int passed = 0, all = 0;
    for (const ResultPart& part : stage.parts)
        for (const ResultTest& test : part.tests)
            if (test.name.starts_with(kind)) {
                ++all;
                passed += test.end == TestEnd::passed;
            }
    return all == 0 ? "-" : fmt::format("{}/{}", passed, all);
}

}  // namespace

std::string github_commands(const nlohmann::ordered_json& result) {
    const std::vector<ResultStage> stages = stages_of(result);
    std::string text;
    std::size_t left = 0;
    for (const Kind& kind : kinds) {
        std::size_t written = 0;
        for (const ResultStage& stage : stages)
            for (const ResultMessage& message : stage.messages) {
                if (message.level != kind.level) continue;
                if (written < kind.most) text += command(kind.command, stage, message);
                left += written++ >= kind.most;
            }
    }
    if (left > 0)
        text += fmt::format(
            "::notice title=warpgrade::{} more, which GitHub would not show: check fewer stages, or "
            "run the same command without --format\n",
            left);
    return text;
}

std::string github_summary(const nlohmann::ordered_json& result) {
    std::string text = "| stage | shapes right | rules hold | points | |\n| --- | ---: | ---: | ---: | --- |\n";
    for (const ResultStage& stage : stages_of(result))
        text +=
            fmt::format("| {} | {} | {} | {} | {} |\n", cell(stage.name), share(stage, "shape "), share(stage, "rule "),
                        stage.needs_person ? "-" : fmt::format("{:.6g} of {:.6g}", stage.total, stage.max),
                        stage.needs_person       ? cell(not_graded_text(stage))
                        : stage.messages.empty() ? ""
                                                 : cell(stage.messages.front().text));
    return text + "\n";
}

}  // namespace warpgrade::classroom
