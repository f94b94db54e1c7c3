// What a result says of each stage, in the form that other programs take: tests with points, messages with places. The
// one walk over a result's stages; Gradescope, PrairieLearn, JUnit, SARIF and GitHub are rows that write it down
// (classroom/platform_formats.hpp).
//
// The JSON may have been made by a submission: what is of another type than it should be is like missing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::classroom {

// Members of a stage that only the verb adds, where a document names every stage: it was not reached yet, or could not
// be looked at, with what `error_of` says.
inline constexpr const char* pending_member = "pending";
inline constexpr const char* error_member = "error";

enum class TestEnd { passed, failed, not_run, not_graded };

// A shape, a rule, the bandwidth: something with a name that stays the same from run to run.
struct ResultTest {
    std::string name{};
    TestEnd end = TestEnd::passed;
    std::string kind{};     // of what failed: "wrong", "technique"
    std::string message{};  // one line; empty where it passed
    int line = 0;           // 0: not known
    double seconds = 0;     // 0: not known
};

// Correctness, technique, performance or quiz. Parts without points have tests too.
struct ResultPart {
    std::string_view name;
    double points = 0, most = 0;
    std::string text;  // a few lines for the student
    std::vector<ResultTest> tests;
};

enum class Level { error, warning, note };
std::string_view to_string(Level level);

// Something to read at a place of the source, as an editor shows it.
struct ResultMessage {
    Level level = Level::error;
    std::string code{};  // "race_shared"
    std::string text{}, help{};
    int line = 0, column = 0;  // 0: not known
    int other_line = 0;        // of a race; 0: none
};

struct ResultStage {
    std::string name;  // "transpose/padding"; where no stage is known, what was asked for
    std::string source;
    std::vector<std::string> source_lines;
    double total = 0, max = 0, seconds = 0;
    std::string state, why;
    bool needs_person = false;            // no mark yet
    bool is_pending = false;              // not reached yet
    std::string error_code;               // of what could not be looked at; else empty
    std::vector<ResultPart> parts;        // all four
    std::vector<ResultMessage> messages;  // in the order to read them
};

std::vector<ResultStage> stages_of(const nlohmann::ordered_json& result);

// Points as they are shown, rounded to two digits.
double hundredths(double points);

}  // namespace warpgrade::classroom
