// assignments/<name>/assignment.toml as data. Unknown keys are errors with a near-name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "course/technique_rule.hpp"

namespace warpgrade {

// One run that a stage asks of a whole program.
struct ProgramCase {
    std::vector<std::string> arguments;
    std::string input;   // its standard input
    std::string output;  // its standard output, line by line; {number} stands for a number above 0
    int exit_code = 0;
    std::string errors;  // what its standard error has to hold somewhere; "" = nothing is asked of it
    int line = 0;        // in assignment.toml
};

// What a stage's file is: a launcher that the kit calls, or a whole program with main().
enum class HostCode : std::uint8_t { launcher, runtime };

struct PerformanceBand {
    double none = 0.3;  // fraction of the reference's bandwidth that earns nothing
    double full = 0.9;  // fraction that earns all points; linear between
};
// The share of the performance points a fraction of the reference's bandwidth earns: 0 at band.none, 1 at band.full.
double performance_share(const PerformanceBand& band, double fraction);

struct Stage {
    std::string assignment;  // "transpose"
    std::string id;          // "padding"
    int number = 0;          // 4
    std::string title;
    std::string file;     // "4_padding.cu"
    std::string problem;  // name of a problem/: the assignment's, unless the stage names its own; none of a program
    HostCode host = HostCode::launcher;
    std::vector<std::string> libraries;  // that kernels may use: "cub"
    std::vector<ProgramCase> runs;       // of a program
    double correctness_points = 0;
    double technique_points = 0;
    double performance_points = 0;
    double quiz_points = 0;  // for answers in the file to what `quiz` asks (grade/quiz.hpp)
    bool quiz_banks = true;  // false: the handouts have not come to banks yet, and `quiz` asks nothing about them
    std::vector<std::string> types{"float"};
    bool is_one_type_of_several = false;  // `types` was cut down to one of those that the template is made for
    std::vector<TechniqueRule> technique;
    PerformanceBand band;
    // Share of the performance points that each shape class gives; empty: all for "aligned".
    std::map<std::string, double> class_weights;
    std::vector<std::string> hints;  // nudge, direction, near-answer
    std::string stub_digest;         // text_digest of the stub as it was handed out; empty = not recorded
    std::string first_step;          // what to do first with the untouched stub
    bool is_graded = true;           // false: worked example
    bool is_repair = false;          // the stub is a program with a mistake, which `check` looks at as at any other
    std::vector<int> sweep_threads;  // block sizes to sweep with -DTHREADS=n; empty = none
    std::vector<std::string> also_passes;  // ids of stages whose solutions meet these rules too
    std::map<std::string, int> lines;      // of its keys in assignment.toml, and of the block itself as "stage"
    std::string name() const { return assignment + "/" + id; }
    bool is_program() const { return host == HostCode::runtime; }
    bool allows_cub() const { return !libraries.empty(); }
    bool is_template() const { return types.size() > 1 || is_one_type_of_several; }  // the launcher
    bool is_stub(std::string_view text) const;  // untouched, as far as the stub is recorded
    double max_points() const { return correctness_points + technique_points + performance_points + quiz_points; }
};

struct Assignment {
    std::string name;
    int order = 1000;  // its place in the course
    std::string title;
    std::string problem;         // name of a problem/; "" if each stage names its own or is a program
    std::string folder;          // path of assignments/<name>
    std::string solutions;       // path of solutions/<name>, empty in a student's package
    bool shows_changes = false;  // students see the text of a change that was tried, not its line and kind only
    std::vector<Stage> stages;
};

// Layout of the file: top keys name, order (place in the course), title, problem, shows_changes; [[stage]] with id,
// number, title, file, stub, problem, graded, points = {correctness, technique, performance, quiz}, types, band =
// {none, full}, classes = {aligned, odd, thin} (shares of the performance points that add up to 1), first_step, hints,
// sweep_threads, also_passes, quiz_banks, repair, host; [[stage.rule]] with expect = "left op number", says, points.
// host = "runtime": the file is a whole program, run once for each [[stage.run]] with arguments, input, output,
// exit_code, errors; its rules are about course/program_numbers.hpp. Errors: blame course, with file and line. A stub
// that is not there is none: the other stages can be checked without it.
Result<Assignment> load_assignment(const std::string& folder);
// Every folder of <root>/assignments with an assignment.toml, by `order`, those without one last and by name.
Result<std::vector<Assignment>> load_course(const std::string& root);

// "transpose/padding", "padding", or a path whose name and folder match a stage. Error: usage, with a near-name.
struct StageMatch {
    const Assignment* assignment = nullptr;
    const Stage* stage = nullptr;
};
Result<StageMatch> find_stage(const std::vector<Assignment>& course, const std::string& text);

}  // namespace warpgrade
