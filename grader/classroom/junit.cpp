#include <fmt/format.h>

#include <algorithm>

#include "base/characters.hpp"
#include "classroom/platform_formats.hpp"
#include "grade/result.hpp"

namespace warpgrade::classroom {
namespace {

// One line, without what XML may not hold.
std::string xml(const std::string& text) {
    std::string out;
    for (const char c : escape(text)) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string attribute(std::string_view name, const std::string& value) {
    return fmt::format(" {}=\"{}\"", name, xml(value));
}

struct Suite {
    std::string cases;
    int tests = 0, failures = 0, errors = 0, skipped = 0;
};

void add_case(Suite& suite, const ResultStage& stage, const ResultTest& test) {
    std::string class_name = stage.name;
    std::replace(class_name.begin(), class_name.end(), '/', '.');
    std::string text = "    <testcase" + attribute("name", test.name) + attribute("classname", class_name) +
                       attribute("file", stage.source);
    if (test.line > 0) text += attribute("line", std::to_string(test.line));
    if (test.seconds > 0) text += attribute("time", fmt::format("{:.9f}", test.seconds));
    ++suite.tests;
    if (test.end == TestEnd::passed) {
        suite.cases += text + "/>\n";
        return;
    }
    const char* element = test.end == TestEnd::not_run ? "skipped" : test.end == TestEnd::failed ? "failure" : "error";
    (test.end == TestEnd::not_run ? suite.skipped : test.end == TestEnd::failed ? suite.failures : suite.errors) += 1;
    text += fmt::format(">\n      <{}", element) + attribute("message", test.message);
    if (test.end != TestEnd::not_run) text += attribute("type", test.kind);
    suite.cases += text + "/>\n    </testcase>\n";
}

Suite suite_of(const ResultStage& stage) {
    Suite suite;
    if (stage.is_pending || !stage.error_code.empty()) {
        const TestEnd end = stage.is_pending ? TestEnd::not_run : TestEnd::not_graded;
        add_case(suite, stage, {.name = "graded", .end = end, .kind = stage.error_code, .message = stage.why});
        return suite;
    }
    for (const ResultPart& part : stage.parts)
        for (const ResultTest& test : part.tests) add_case(suite, stage, test);
    if (stage.state == to_string(ScoreState::internal_error))
        add_case(suite, stage,
                 {.name = "graded", .end = TestEnd::not_graded, .kind = stage.state, .message = stage.why});
    return suite;
}

}  // namespace

std::string junit_document(const nlohmann::ordered_json& result) {
    std::string text;
    int tests = 0, failures = 0, errors = 0;
    for (const ResultStage& stage : stages_of(result)) {
        const Suite suite = suite_of(stage);
        tests += suite.tests;
        failures += suite.failures;
        errors += suite.errors;
        text += "  <testsuite" + attribute("name", stage.name) + attribute("file", stage.source) +
                fmt::format(R"( tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}">)", suite.tests,
                            suite.failures, suite.errors, suite.skipped, stage.seconds) +
                "\n" + suite.cases + "  </testsuite>\n";
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
           fmt::format(R"(<testsuites name="warpgrade" tests="{}" failures="{}" errors="{}">)", tests, failures,
                       errors) +
           "\n" + text + "</testsuites>\n";
}

}  // namespace warpgrade::classroom
