#include "course/assignment.hpp"

#include <filesystem>
#include <fstream>

#include "compile/support.hpp"
#include "support/catch.hpp"
#include "support/kit_problems.hpp"

using namespace warpgrade;
namespace fs = std::filesystem;

namespace {

const std::string head = "name = \"transpose\"\ntitle = \"T\"\nproblem = \"transpose\"\n";
const std::string stage_head = "[[stage]]\nid = \"padding\"\nnumber = 4\ntitle = \"P\"\nfile = \"4_padding.cu\"\n";
const std::string points = "points = { correctness = 6, technique = 4, performance = 2 }\n";
const std::string rule = "[[stage.rule]]\nexpect = \"global_load_sectors_per_request <= 4.1\"\nsays = \"s\"\n";

class Course {
public:
    explicit Course(const std::string& text, const std::string& name = "transpose")
        : course_folder_(folder_.path() / "assignments" / name) {
        test::read_kit_problems();
        fs::create_directories(course_folder_);
        std::ofstream(course_folder_ / "assignment.toml") << text;
        for (const char* file : {"4_padding.cu", "8_open.cu"}) std::ofstream(course_folder_ / file) << "// stub\n";
    }
    Result<Assignment> load() const { return load_assignment(course_folder_.string()); }
    std::string root() const { return folder_.path().string(); }
    fs::path folder() const { return course_folder_; }

private:
    test::TemporaryFolder folder_;
    fs::path course_folder_;
};

Diagnostic error_of(const std::string& text) {
    const auto loaded = Course(text).load();
    REQUIRE(!loaded);
    CHECK(loaded.error().blame == Blame::course);
    REQUIRE(!loaded.error().marks.empty());
    CHECK(loaded.error().marks[0].path.ends_with("assignment.toml"));
    return loaded.error();
}

}  // namespace

TEST_CASE("an assignment is read as it is written") {
    const auto loaded =
        Course(head + stage_head + points +
               "band = { none = 0.4, full = 0.8 }\ntypes = [\"float\", \"double\"]\nfirst_step = \"f\"\nhints = "
               "[\"a\", \"b\"]\n"
               "sweep_threads = [64, 256]\nalso_passes = [\"open\"]\n" +
               rule + "points = 3\n" + "[[stage.rule]]\nexpect = \"shared_load_requests > 0\"\nsays = \"t\"\n" +
               "[[stage]]\nid = \"open\"\nnumber = 8\ntitle = \"O\"\nfile = \"8_open.cu\"\ngraded = false\nproblem = "
               "\"copy\"\n")
            .load();
    REQUIRE(loaded);
    REQUIRE(loaded->stages.size() == 2);
    const Stage& stage = loaded->stages[0];
    CHECK(stage.name() == "transpose/padding");
    CHECK(stage.number == 4);
    CHECK(stage.problem == "transpose");
    CHECK(stage.max_points() == 12);
    CHECK(stage.band.none == 0.4);
    CHECK(stage.types == std::vector<std::string>{"float", "double"});
    CHECK(stage.hints.size() == 2);
    CHECK(stage.sweep_threads == std::vector<int>{64, 256});
    REQUIRE(stage.technique.size() == 2);
    CHECK(stage.technique[0].left == "global_load_sectors_per_request");
    CHECK(stage.technique[0].op == "<=");
    CHECK(stage.technique[0].right == 4.1);
    CHECK(stage.technique[0].points == 3);
    CHECK(loaded->stages[1].problem == "copy");
    CHECK(!loaded->stages[1].is_graded);
    CHECK(loaded->solutions.empty());
}

TEST_CASE("unknown keys have a near-name and a line") {
    const Diagnostic top = error_of("naem = \"x\"\n" + head + stage_head + points + rule);
    CHECK(top.code == "unknown_key");
    CHECK(top.help == "did you mean `name`?");
    CHECK(top.marks[0].line == 1);
    const Diagnostic stage = error_of(head + stage_head + points + "hint = []\n" + rule);
    CHECK(stage.help == "did you mean `hints`?");
    CHECK(stage.marks[0].line == 10);
    CHECK(error_of(head + stage_head + "points = { corectness = 6 }\n").help == "did you mean `correctness`?");
    CHECK(error_of(head + stage_head + points + rule + "expects = \"x\"\n").code == "unknown_key");
}

TEST_CASE("wrong types, names and numbers are course errors") {
    CHECK(error_of(head + stage_head + "points = 3\n").code == "wrong_type");
    CHECK(error_of(head + stage_head + points + "hints = \"one\"\n" + rule).code == "wrong_type");
    CHECK(error_of(head + stage_head + points + "sweep_threads = [64, \"x\"]\n" + rule).code == "wrong_type");
    CHECK(error_of(head + stage_head + points + "sweep_threads = [2048]\n" + rule).code == "out_of_range");
    CHECK(error_of(head + stage_head + points + "types = [\"flaot\"]\n" + rule).help == "did you mean `float`?");
    CHECK(error_of(head + stage_head + points + "problem = \"transpos\"\n" + rule).help == "did you mean `transpose`?");
    CHECK(error_of(head + stage_head + points + "band = { none = 0.9, full = 0.9 }\n" + rule).code == "bad_band");
    CHECK(error_of(head + stage_head + points + "classes = { aligned = 0.5, odd = 0.4 }\n" + rule).code ==
          "weights_do_not_add_up");
    CHECK(error_of(head + stage_head + points + "classes = { aligned = 0.5, old = 0.5 }\n" + rule).title ==
          "`classes` of stage `padding` has an unknown key `old`");
    CHECK(error_of(head + stage_head + points + "also_passes = [\"paddign\"]\n" + rule).help ==
          "did you mean `padding`?");
    CHECK(error_of(head + stage_head + points + "number = 5\n" + rule).code == "bad_toml");  // the key is there twice
    CHECK(error_of("name = \"transpose\n").code == "bad_toml");
    std::string deep, quoted;
    for (int i = 0; i < 50'000; ++i) deep += "x.", quoted += "\"x\" . 'y.z' .\t";
    for (const std::string& key :
         {deep + "x = 1\n", quoted + "x = 1\n", "[" + deep + "x]\n", "x = {" + deep + "x = 1}\n"}) {
        const Diagnostic error = error_of("# isn't \"a.a\n" + head + key);
        CHECK(error.title == "a key has too many parts");
        CHECK(error.marks[0].line > 1);
    }
    CHECK(error_of(head).code == "no_stages");
    CHECK(error_of("name = \"other\"\nproblem = \"transpose\"\n" + stage_head + points + rule).code == "name_differs");
}

TEST_CASE("rules are checked when they are read") {
    const auto rule_error = [](const std::string& expect) {
        return error_of(head + stage_head + points + "[[stage.rule]]\nexpect = \"" + expect + "\"\nsays = \"s\"\n");
    };
    const Diagnostic unknown = rule_error("global_load_sector_per_request <= 4");
    CHECK(unknown.code == "unknown_counter");
    CHECK(unknown.help == "did you mean `global_load_sectors_per_request`?");
    CHECK(unknown.marks[0].line == 11);
    CHECK(rule_error("barriers").code == "bad_rule");
    CHECK(rule_error("barriers = 3").code == "bad_rule");
    CHECK(rule_error("barriers < three").code == "bad_rule");
    CHECK(rule_error("barriers < 3 4").code == "bad_rule");
    CHECK(error_of(head + stage_head + points).code == "no_rules");
    CHECK(error_of(head + stage_head + points + rule + "points = 5\n").code == "points_do_not_add_up");
    CHECK(error_of(head + stage_head + points + rule + "points = 3\n").code == "points_do_not_add_up");
    CHECK(error_of(head + stage_head + points + rule + "points = 3\n").help.starts_with("set technique = 3"));
}

TEST_CASE("stages do not share ids, numbers or files") {
    const std::string second =
        "[[stage]]\nid = \"open\"\nnumber = 8\ntitle = \"O\"\nfile = \"8_open.cu\"\n" + points + rule;
    const auto with = [&](std::string from, const std::string& to) {
        std::string text = second;
        text.replace(text.find(from), from.size(), to);
        return error_of(head + stage_head + points + rule + text).code;
    };
    CHECK(with("\"open\"", "\"padding\"") == "duplicate_id");
    CHECK(with("number = 8", "number = 4") == "duplicate_number");
    CHECK(with("8_open.cu", "4_padding.cu") == "duplicate_file");
}

TEST_CASE("a stage may be a whole program") {
    const std::string program_head = "name = \"transpose\"\n";
    const std::string program = stage_head + "points = { correctness = 6, technique = 4 }\nhost = \"runtime\"\n";
    const std::string run =
        "[[stage.run]]\narguments = [\"7\", \"x\"]\ninput = \"in\"\noutput = \"out\"\nexit_code = 1\nerrors = "
        "\"bad\"\n";
    const std::string about_program = "[[stage.rule]]\nexpect = \"leaks == 0\"\nsays = \"s\"\n";
    const auto loaded = Course(program_head + program + run + about_program).load();
    REQUIRE(loaded);
    const Stage& stage = loaded->stages[0];
    CHECK(stage.is_program());
    CHECK(stage.problem.empty());
    REQUIRE(stage.runs.size() == 1);
    CHECK(stage.runs[0].arguments == std::vector<std::string>{"7", "x"});
    CHECK(stage.runs[0].input == "in");
    CHECK(stage.runs[0].output == "out");
    CHECK(stage.runs[0].exit_code == 1);
    CHECK(stage.runs[0].errors == "bad");

    const auto code = [&](const std::string& text) { return error_of(program_head + text).code; };
    CHECK(code(stage_head + points + rule) == "missing_key");  // a launcher needs a problem
    CHECK(code(program + about_program) == "runs");
    CHECK(error_of(head + stage_head + points + run + rule).code == "runs");
    CHECK(code(program + "types = [\"double\"]\n" + run + about_program) == "key_of_launcher");
    CHECK(code(program + run + rule) == "unknown_counter");
    CHECK(code(program + "[[stage.run]]\narguments = []\n" + about_program) == "run_without_output");
    CHECK(error_of(head + stage_head + "host = \"card\"\n" + points + rule).code == "unknown_host");
    CHECK(error_of(head + stage_head + "libraries = [\"thrust\"]\n" + points + rule).code == "unknown_library");
    CHECK(code(stage_head + points + "host = \"runtime\"\n" + run + about_program) == "points_of_program");
}

TEST_CASE("stages are found by name and by file") {
    const std::string other_stage =
        "[[stage]]\nid = \"open\"\nnumber = 8\ntitle = \"O\"\nfile = \"8_open.cu\"\n" + points + rule;
    const Course files(head + stage_head + points + rule + other_stage);
    const fs::path reduction = fs::path(files.root()) / "assignments" / "reduction";
    fs::create_directories(reduction);
    std::ofstream(reduction / "assignment.toml") << "name = \"reduction\"\nproblem = \"reduction\"\n" + other_stage;
    std::ofstream(reduction / "8_open.cu") << "//\n";
    fs::create_directories(fs::path(files.root()) / "solutions" / "reduction");

    const auto course = load_course(files.root());
    REQUIRE(course);
    REQUIRE(course->size() == 2);
    CHECK(!(*course)[0].solutions.empty());
    const auto name = [&](const std::string& text) {
        const auto match = find_stage(*course, text);
        return match ? match->stage->name() : match.error().code;
    };
    CHECK(name("padding") == "transpose/padding");
    CHECK(name("transpose/padding") == "transpose/padding");
    CHECK(name("hand-ins/ann/4_padding.cu") == "transpose/padding");
    CHECK(name("hand-ins/reduction/ann/8_open.cu") == "reduction/open");
    CHECK(name((reduction / "8_open.cu").string()) == "reduction/open");
    CHECK(name("8_open.cu") == "ambiguous_stage");
    CHECK(name("open") == "ambiguous_stage");
    CHECK(name("nothing.cu") == "unknown_stage");
    CHECK(find_stage(*course, "paddign").error().help == "did you mean `padding`?");
    CHECK(find_stage(*course, "paddign").error().blame == Blame::usage);
}

TEST_CASE("assignments stand in the order that they state, the others behind them by name") {
    const Course files("order = 3\n" + head + stage_head + points + rule);  // transpose
    const auto add = [&](const std::string& name, const std::string& order) {
        const fs::path folder = fs::path(files.root()) / "assignments" / name;
        fs::create_directories(folder);
        std::ofstream(folder / "assignment.toml") << order << "name = \"" << name << "\"\nproblem = \"transpose\"\n"
                                                  << stage_head << points << rule;
        std::ofstream(folder / "4_padding.cu") << "//\n";
    };
    for (const char* name : {"b", "a"}) add(name, "");
    add("z", "order = 2\n");
    const auto course = load_course(files.root());
    REQUIRE(course);
    std::vector<std::string> names;
    for (const Assignment& assignment : *course) names.push_back(assignment.name);
    CHECK(names == std::vector<std::string>{"z", "transpose", "a", "b"});
}

TEST_CASE("the course itself loads") {
    const auto course = load_course(WARPGRADE_SOURCE_DIR);
    if (!course) FAIL(course.error().title);
    CHECK(course->size() >= 2);
    for (const Assignment& assignment : *course) {
        double total = 0;
        bool gives_points = false;
        for (const Stage& stage : assignment.stages) {
            total += stage.max_points();
            gives_points = gives_points || stage.max_points() > 0;
        }
        CHECK(total == Approx(gives_points ? 100 : 0));
    }
}

TEST_CASE("a folder without a course is a course error") {
    test::TemporaryFolder empty;
    const auto course = load_course(empty.path().string());
    REQUIRE(!course);
    CHECK(course.error().blame == Blame::course);
}
