// What went wrong, as data. Detection fills the fields; wording and rendering live elsewhere (explain/,
// cli/render).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpgrade {

// Whose fault it is. `blame` alone decides the verdict and the exit code; only `learner` can cost points.
enum class Blame {
    learner,  // the submission falls short                                  exit code 1
    usage,    // the command line is wrong                                   exit code 2
    course,   // assignment.toml, a profile or another course file is wrong  exit code 2
    host,     // this machine cannot: no NVRTC, no GPU                       exit code 3
    kit,      // a defect of ours                                            exit code 70
};

int exit_code(Blame blame);

enum class Severity : std::uint8_t { error, warning, note, advice };  // note: of a compiler, to the message before it
std::string_view to_string(Severity severity);
std::optional<Severity> severity_named(std::string_view word);

// A place in a text file, with what to write under the caret.
struct SourceMark {
    std::string path;   // as the learner named it
    int line = 0;       // 1-based; 0 = the whole file
    int column = 0;     // 1-based; 0 = unknown, the renderer underlines the first token
    int length = 1;     // characters to underline
    std::string label;  // short text beside the caret; may be empty
};

// Rendered by cli/render as in the house style: error[code]: title, --> path:line, excerpt, = facts, = try: help.
struct Diagnostic {
    Blame blame = Blame::kit;
    std::string code;                // stable, snake_case: "out_of_bounds", "no_nvrtc"
    std::string kind{};              // of a code with several: "too_many_blocks", "atomic"
    std::string object{};            // the array that it is about, as it is shown; "" where there is none
    std::string title;               // one sentence, no full stop
    std::vector<SourceMark> marks;   // the first is the place; a race has two
    std::vector<std::string> facts;  // plain facts, one a line
    std::string help;                // one thing to try; may be empty
    Severity severity = Severity::error;
    bool names_cause = false;  // a warning that says why the program fails, and so comes before what it leads to
    int mend_line = 0;         // that `help` says to change; 0: that of the first mark
    std::size_t shapes_with_change = 0;  // that are right once `mend_line` is changed as a rule says; 0: none was tried
    std::string shape{};  // where it was met, as --shape takes it: "33x65"; "" where --shape cannot give it
};

}  // namespace warpgrade
