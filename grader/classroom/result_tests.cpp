#include "classroom/result_tests.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_members.hpp"
#include "grade/result.hpp"
#include "problem/problem.hpp"

namespace warpgrade::classroom {
namespace {

using Json = nlohmann::ordered_json;

int whole_in(const Json& json, const char* key) {
    const double value = number_in(json, key).value_or(0);
    return value >= 0 && value <= 1e9 ? static_cast<int>(value) : 0;
}

bool flag_or(const Json& json, const char* key, bool otherwise) {
    return member(json, key).is_boolean() ? flag_in(json, key) : otherwise;
}

// Elements of a list, or of what is none.
const Json& list_in(const Json& json, const char* key) {
    static const Json none = Json::array();
    const Json& one = member(json, key);
    return one.is_array() ? one : none;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Level level_of(const std::string& severity) {
    return severity == "error" ? Level::error : severity == "warning" ? Level::warning : Level::note;
}

std::vector<std::int64_t> extents_in(const Json& json, const char* key) {
    std::vector<std::int64_t> extents;
    for (const Json& extent : list_in(json, key))
        if (extent.is_number_integer()) extents.push_back(extent.get<std::int64_t>());
    return extents;
}

std::string shape_name(const Json& one) {
    Shape shape;
    shape.extents = extents_in(one, "shape");
    if (const std::string type = text_in(one, "type"); !type.empty()) shape.type = type;
    shape.contents = text_in(one, "contents");
    shape.base_offset_bytes = whole_in(one, "base_offset_bytes");
    shape.previous = extents_in(one, "previous");
    std::string name = "shape " + describe_case(shape);
    if (const std::string variant = text_in(one, "variant"); !variant.empty()) name += ", " + variant;
    return flag_in(one, "planned") ? name + ", launcher only" : name;
}

// Names of one part are apart: of two cases with one name the second is "... (2)".
void add_test(std::vector<ResultTest>& tests, ResultTest test) {
    const std::string name = test.name;
    const auto is_taken = [&] {
        return std::any_of(tests.begin(), tests.end(), [&](const ResultTest& one) { return one.name == test.name; });
    };
    for (int number = 2; is_taken(); ++number) test.name = fmt::format("{} ({})", name, number);
    tests.push_back(std::move(test));
}

std::string value_text(const Json& rule) {
    const auto value = number_in(rule, "value");
    return value ? fmt::format("it is {:.6g}", *value) : "it has no value";
}

ResultPart correctness_of(const Json& stage, const ResultStage& read) {
    ResultPart part;
    ResultTest compiles{.name = "compiles"};
    for (const Json& message : list_in(member(stage, "compile"), "diagnostics"))
        if (text_in(message, "severity") == "error") {
            part.text += fmt::format("line {}: {}\n", whole_in(message, "line"), text_in(message, "message"));
            if (compiles.message.empty()) {
                compiles.message = first_line(text_in(message, "message"));
                compiles.line = whole_in(message, "line");
            }
        }
    compiles.seconds = number_in(member(stage, "compile"), "seconds").value_or(0);
    if (!flag_in(member(stage, "compile"), "ok")) {
        compiles.end = TestEnd::failed;
        compiles.kind = "compile";
        if (compiles.message.empty()) compiles.message = "it does not compile";
    }
    add_test(part.tests, compiles);
    const Json& cases = member(stage, "correctness");
    for (const Json& one : list_in(cases, "cases")) {
        const std::string verdict = text_in(one, "verdict");
        ResultTest test{.name = shape_name(one), .message = text_in(one, "detail")};
        if (verdict != "pass") {
            test.end = verdict == "skipped" ? TestEnd::not_run : TestEnd::failed;
            test.kind = verdict;
            for (const Json& finding : list_in(stage, "findings"))
                if (const std::string title = text_in(finding, "message");
                    test.line == 0 && !title.empty() && test.message.starts_with(title))
                    test.line = whole_in(finding, "line");
        }
        add_test(part.tests, std::move(test));
    }
    // A finding may be of no case that failed: what is read and right by chance.
    ResultTest accesses{.name = "no error found"};
    for (const ResultMessage& message : read.messages) {
        if (message.level != Level::error || message.code == "compile" || accesses.end == TestEnd::failed) continue;
        accesses.end = TestEnd::failed;
        accesses.kind = message.code;
        accesses.message = message.text;
        accesses.line = message.line;
    }
    if (compiles.end == TestEnd::failed && accesses.end == TestEnd::passed) {
        accesses.end = TestEnd::not_run;
        accesses.message = "the submission cannot be run";
    }
    add_test(part.tests, std::move(accesses));
    if (number_in(cases, "total").value_or(0) > 0)
        part.text += fmt::format("{} of {} cases pass\n", whole_in(cases, "passed"), whole_in(cases, "total"));
    for (const Json& finding : list_in(stage, "findings")) {
        if (text_in(finding, "severity") == "advice") continue;
        if (const int line = whole_in(finding, "line"); line > 0) part.text += fmt::format("line {}: ", line);
        part.text += text_in(finding, "message") + "\n";
    }
    return part;
}

ResultPart technique_of(const Json& stage) {
    ResultPart part;
    bool is_said_once = false;  // one reason for all rules
    for (const Json& rule : list_in(stage, "technique")) {
        const std::string says = text_in(rule, "says");
        const bool is_measured = flag_or(rule, "measured", true), holds = flag_in(rule, "ok");
        if (!is_measured && !is_said_once) part.text = says + "\n";
        is_said_once = is_said_once || !is_measured;
        ResultTest test{.name = "rule " + text_in(rule, "rule")};
        if (!is_measured || !holds) {
            test.end = is_measured ? TestEnd::failed : TestEnd::not_run;
            test.kind = "technique";
            test.message = !is_measured ? says : value_text(rule) + (says.empty() ? "" : "; " + says);
        }
        add_test(part.tests, std::move(test));
        if (is_said_once) continue;
        part.text +=
            fmt::format("{}: {} ({})\n", holds ? "holds" : "does not hold", text_in(rule, "rule"), value_text(rule));
        if (!says.empty()) part.text += "  " + says + "\n";
    }
    return part;
}

ResultPart performance_of(const Json& stage, double points, double most) {
    ResultPart part;
    const Json &bandwidth = member(stage, "bandwidth"), &score = member(stage, "score");
    const auto figure = [&](const char* key) { return number_in(bandwidth, key).value_or(0); };
    part.text = !bandwidth.is_object()
                    ? text_in(score, "why")
                    : fmt::format("{:.1f} GB/s {}, reference {:.1f} GB/s, copy {:.1f} GB/s\n", figure("gb_per_s"),
                                  text_in(bandwidth, "origin"), figure("reference_gb_per_s"), figure("copy_gb_per_s"));
    if (most <= 0) return part;
    ResultTest test{.name = "bandwidth", .seconds = figure("seconds")};
    constexpr double rounding = 1e-9;
    const std::string state = text_in(score, "state");
    if (!bandwidth.is_object() || state == to_string(ScoreState::noisy)) {
        test.end = TestEnd::not_run;
        test.message = text_in(stage, "why_untimed");
        if (test.message.empty()) test.message = text_in(score, "why");
        if (test.message.empty()) test.message = "not measured: the stage is not right";
    } else if (points < most - rounding) {
        test.end = TestEnd::failed;
        test.kind = "performance";
        test.message =
            fmt::format("{:.0f} % of the reference; full points from {:.0f} %", 100 * figure("share_of_reference"),
                        100 * number_in(member(stage, "band"), "full").value_or(1));
    }
    part.tests.push_back(std::move(test));
    return part;
}

ResultPart quiz_of(const Json& stage, double points, double most) {
    ResultPart part;
    const Json& quiz = member(stage, "quiz");
    part.text = fmt::format("{} of {} questions about the kernel answered right, {} answered{}\n",
                            whole_in(quiz, "right"), whole_in(quiz, "questions"), whole_in(quiz, "answered"),
                            flag_in(quiz, "of_old_code") ? "; those in the file are about earlier code" : "");
    if (most <= 0) return part;
    ResultTest test{.name = "quiz"};
    if (points < most) {
        test.end = TestEnd::failed;
        test.kind = "quiz";
        test.message = first_line(part.text);
    }
    part.tests.push_back(std::move(test));
    return part;
}

void add_findings(const Json& stage, std::vector<ResultMessage>& messages) {
    const auto add = [&](const Json& one, std::string code) {
        ResultMessage message{.level = level_of(text_in(one, "severity")),
                              .code = std::move(code),
                              .text = first_line(text_in(one, "message")),
                              .help = text_in(one, "help"),
                              .line = whole_in(one, "line"),
                              .column = whole_in(one, "column"),
                              .other_line = whole_in(one, "other_line")};
        const bool is_known = std::any_of(messages.begin(), messages.end(), [&](const ResultMessage& other) {
            return other.line == message.line && other.text == message.text;
        });
        if (const std::string label = text_in(one, "label"); !label.empty()) message.text += ": " + label;
        if (!is_known) messages.push_back(std::move(message));
    };
    for (const Json& finding : list_in(stage, "findings")) add(finding, text_in(finding, "kind"));
    for (const Json& message : list_in(member(stage, "compile"), "diagnostics")) add(message, "compile");
    std::stable_sort(messages.begin(), messages.end(),
                     [](const ResultMessage& a, const ResultMessage& b) { return a.level < b.level; });
}

// Cases that fail alike are one message.
void add_failures(const Json& stage, std::vector<ResultMessage>& messages) {
    struct Failure {
        std::string verdict, detail, shape;
        int others = 0;
    };
    std::vector<Failure> failures;
    for (const Json& one : list_in(member(stage, "correctness"), "cases")) {
        const std::string verdict = text_in(one, "verdict"), detail = text_in(one, "detail");
        if (verdict == "pass" || verdict == "skipped") continue;
        const auto same = std::find_if(failures.begin(), failures.end(), [&](const Failure& failure) {
            return failure.verdict == verdict && failure.detail == detail;
        });
        if (same != failures.end())
            ++same->others;
        else
            failures.push_back({verdict, detail, shape_name(one)});
    }
    for (const Failure& failure : failures)
        messages.push_back(
            {.code = failure.verdict,
             .text = fmt::format("{}, on {}{}", failure.detail, failure.shape,
                                 failure.others == 0 ? "" : fmt::format(" and {} more", failure.others))});
}

// Rules that could not be measured are a consequence: the reason is said once, and not where an error says it.
void add_rules(const Json& stage, bool names_error, std::vector<ResultMessage>& messages) {
    for (const Json& rule : list_in(stage, "technique")) {
        const std::string says = text_in(rule, "says");
        const auto add = [&](std::string text) {
            messages.push_back({.level = Level::warning, .code = "technique", .text = std::move(text), .help = says});
        };
        if (!flag_or(rule, "measured", true)) {
            if (!names_error) messages.push_back({.level = Level::warning, .code = "technique", .text = says});
            return;
        }
        const bool is_said = std::any_of(messages.begin(), messages.end(), [&](const ResultMessage& message) {
            return !says.empty() && message.help == says;
        });
        if (!flag_in(rule, "ok") && !is_said)
            add(fmt::format("the rule {} does not hold: {}", text_in(rule, "rule"), value_text(rule)));
    }
}

void add_messages(const Json& stage, ResultStage& read) {
    std::vector<ResultMessage>& messages = read.messages;
    const bool compiles = flag_in(member(stage, "compile"), "ok");
    if (read.is_pending) {
        messages.push_back({.level = Level::note, .code = pending_member, .text = read.why});
        return;
    }
    if (const Json& error = member(stage, error_member); error.is_object()) {
        messages.push_back({.code = read.error_code, .text = read.why, .help = text_in(error, "help")});
        return;
    }
    add_findings(stage, messages);
    if (flag_in(stage, "untouched") && read.max > 0 && compiles) {
        const auto todo = std::find_if(read.source_lines.begin(), read.source_lines.end(), [](const std::string& line) {
            return line.find("TODO 1") != std::string::npos;
        });
        const std::string help = messages.empty() ? "" : messages.back().help;
        messages = {
            {.level = Level::note,
             .code = "not_attempted",
             .text = "not attempted yet",
             .help = help,
             .line = todo == read.source_lines.end() ? 0 : 1 + static_cast<int>(todo - read.source_lines.begin())}};
        return;
    }
    const auto is_error = [](const ResultMessage& message) { return message.level == Level::error; };
    const bool names_error = std::any_of(messages.begin(), messages.end(), is_error);
    if (!names_error) add_failures(stage, messages);
    if (compiles) add_rules(stage, names_error, messages);
    if (read.state == to_string(ScoreState::internal_error))
        messages.push_back(
            {.code = read.state, .text = read.why.empty() ? "the kit failed; no points were taken" : read.why});
    if (read.state == to_string(ScoreState::impossible))
        messages.push_back({.level = Level::warning, .code = read.state, .text = read.why});
}

ResultStage read_stage(const Json& stage) {
    ResultStage read;
    const Json &score = member(stage, "score"), &points = member(stage, "points");
    read.source = text_in(stage, "source");
    const std::string assignment = text_in(stage, "assignment");
    read.name = assignment.empty() ? read.source : assignment + "/" + text_in(stage, "stage");
    for (const Json& line : list_in(stage, "source_lines"))
        read.source_lines.push_back(line.is_string() ? line.get<std::string>() : "");
    read.total = number_in(score, "total").value_or(0);
    read.max = number_in(score, "max").value_or(0);
    for (const char* part : {"compiling", "on_virtual_gpu", "on_card", "timing"})
        read.seconds += std::clamp(number_in(member(stage, "seconds"), part).value_or(0), 0.0, 1e6);
    read.state = text_in(score, "state");
    read.why = text_in(score, "why");
    read.needs_person = needs_person(score_state_named(read.state).value_or(ScoreState::internal_error));
    read.is_pending = flag_in(stage, pending_member);
    read.error_code = text_in(member(stage, error_member), "code");
    add_messages(stage, read);
    for (const std::string_view name : {"correctness", "technique", "performance", "quiz"}) {
        const double got = number_in(score, name.data()).value_or(0), most = number_in(points, name.data()).value_or(0);
        ResultPart part = name == "correctness" ? correctness_of(stage, read)
                          : name == "technique" ? technique_of(stage)
                          : name == "quiz"      ? quiz_of(stage, got, most)
                                                : performance_of(stage, got, most);
        part.name = name;
        part.points = got;
        part.most = most;
        if (!flag_or(stage, "handed_in", true))
            part.text = "no file was handed in\n";
        else if (flag_in(stage, "untouched"))
            part.text = "not attempted: the stub as it was handed out\n";
        read.parts.push_back(std::move(part));
    }
    return read;
}

}  // namespace

std::string_view to_string(Level level) {
    switch (level) {
        case Level::error: return "error";
        case Level::warning: return "warning";
        case Level::note: break;
    }
    return "note";
}

std::vector<ResultStage> stages_of(const Json& result) {
    std::vector<ResultStage> stages;
    for (const Json& stage : list_in(result, "stages")) stages.push_back(read_stage(stage));
    return stages;
}

double hundredths(double points) { return static_cast<double>(static_cast<long long>(points * 100 + 0.5)) / 100; }

}  // namespace warpgrade::classroom
