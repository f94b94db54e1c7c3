#include "cli/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "cli_text/golden.hpp"
#include "cli_text/outcome.hpp"
#include "compile/compiler.hpp"
#include "course/course_text.hpp"

using namespace warpgrade;
using warpgrade::test::check_golden;
using warpgrade::test::CurrentFolder;
using warpgrade::test::Outcome;

namespace {

// A path is not broken over lines: nobody could copy it.
bool ends_with_a_path(const std::string& line) { return line[line.rfind(' ') + 1] == '/'; }

Outcome run(const std::vector<const char*>& words) {
    Outcome outcome = test::outcome_of(WARPGRADE_SOURCE_DIR, "./grader/warpgrade", words);
    const bool is_json = outcome.out.starts_with('{');
    for (const std::string& line : cli::split_lines((is_json ? "" : outcome.out) + outcome.err)) {
        INFO(line);
        CHECK((cli::display_width(line) <= 80 || ends_with_a_path(line)));
    }
    return outcome;
}

void check_usage(const std::vector<const char*>& words, const std::string& said) {
    const Outcome outcome = run(words);
    INFO(outcome.err);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find(said) != std::string::npos);
}

}  // namespace

TEST_CASE("help names the verbs and the exit codes") {
    const Outcome outcome = run({"--help"});
    CHECK(outcome.code == 0);
    check_golden("help", outcome.out);
    check_golden("help_check", run({"check", "--help"}).out);
    check_golden("help_grade", run({"grade", "--help"}).out);
    check_golden("help_report", run({"report", "--help"}).out);
    check_golden("help_release", run({"release", "--help"}).out);
    check_golden("help_explain", run({"explain", "-h"}).out);
    CHECK(run({}).code == 2);
    CHECK(run({"--version"}).out.starts_with("warpgrade 0."));
}

TEST_CASE("a misspelt word gets its near-name") {
    check_usage({"grad", "x"}, "`./grader/warpgrade grade`");
    check_usage({"grade"}, "`grade` needs to know where the hand-ins are");
    check_usage({"grade", "x", "--assignment", "transposed"}, "`--assignment transpose`");
    check_usage({"grade", "x", "--rooster", "y"}, "`--roster`");
    check_usage({"report"}, "`report` needs a result");
    check_usage({"report", "nothing.json"}, "there is no `nothing.json`");
    check_usage({"chek"}, "`./grader/warpgrade check`");
    check_usage({"frobnicate"}, "check, watch, run, explain, hint, quiz, list");
    check_usage({"check", "--formt", "json"}, "`--format`");
    check_usage({"--seeed"}, "no option");
    check_usage({"check", "--format", "jsn"}, "`--format json`");
    check_usage({"check", "--device", "cud"}, "`--device cuda`");
    check_usage({"check", "paddin"}, "`transpose/padding`");
    check_usage({"hint", "transpose/paddin"}, "transpose/padding");
    check_usage({"doctor", "extra"}, "takes no argument");
    check_usage({"frobnicate", "list"}, "there is no verb `frobnicate`");
}

TEST_CASE("a student's kit, which has no solutions, lists what is for students") {
    const CurrentFolder folder;
    folder.write("assignments/README", "");
    const auto run_in_kit = [&](const std::vector<const char*>& words) {
        return test::outcome_of(folder.path().string(), "./grader/warpgrade", words);
    };
    const std::string kit = run_in_kit({"--help"}).out, all = run({"--help"}).out;
    for (const char* verb : {"\n  check ", "\n  report ", "\n  submit ", "\n  doctor ", "\n  plot "})
        CHECK(kit.find(verb) != kit.npos);
    for (const char* verb :
         {"\n  grade ", "\n  release ", "\n  verify ", "\n  calibrate ", "\n  new ", "\n  demo ", "\n  test "}) {
        CHECK(kit.find(verb) == kit.npos);
        CHECK(all.find(verb) != all.npos);
    }
    CHECK(run_in_kit({"frobnicate"}).err.find("release") == std::string::npos);
    CHECK(run_in_kit({"release", "--help"}).code == 0);
}

TEST_CASE("a Python that cannot be run is not called missing") {
    const CurrentFolder folder;
    for (const char* name : {"assignments", "grader"})
        std::filesystem::create_directory_symlink(std::filesystem::path(WARPGRADE_SOURCE_DIR) / name, name);
    const auto doctor = [&] {
        const std::string out = test::outcome_of(folder.path().string(), "./grader/warpgrade", {"doctor"}).out;
        return out.substr(out.find("reports"));
    };
    CHECK(doctor().find("no Python environment") != std::string::npos);
    folder.write(".venv/bin/python", "no program");
    CHECK(doctor().find("python is there, but cannot be run") != std::string::npos);
}

TEST_CASE("a verb of the launcher is in the list, and the program says whose it is") {
    const Outcome plot = run({"plot", "--list", "result.json"});
    CHECK(plot.code == 2);
    CHECK(plot.err.find("`plot` is a verb of the script that starts this program") != std::string::npos);
    CHECK(run({"plott"}).err.find("plot`") != std::string::npos);
}

TEST_CASE("help is a word, too") {
    CHECK(run({"help"}).out == run({"--help"}).out);
    CHECK(run({"help", "check"}).out == run({"check", "--help"}).out);
    CHECK(run({"help", "check"}).code == 0);
}

TEST_CASE("values that make no sense are usage errors") {
    check_usage({"check", "--seed", "many"}, "--seed: `many` is no whole number from 0 to 18446744073709551615");
    check_usage({"check", "transpose/padding", "--shape", "12y"}, "12y");
    check_usage({"check", "--watch", "--format", "json"}, "--watch");
    check_usage({"explain"}, "STAGE");
    check_usage({"explain", "transpose"}, "one stage");
    check_usage({"explain", "padding", "--line", "-3"}, "--line");
    check_usage({"explain", "padding", "--block", "1,2,3,4"}, "`1,2,3,4` is not the index of a block");
    check_usage({"explain", "padding", "--page", "page.txt"}, "a name that ends in .html");
    check_usage({"hint", "padding", "--level", "9"}, "level 1 to 3");
    check_usage({"check", "--profile", "no_such_gpu"}, "no_such_gpu");
    check_usage({"check", "no/such/file.cu"}, "no/such/file.cu");
}

TEST_CASE("every option that takes a number has a range") {
    std::size_t options = 0;
    for (const char* verb : {"check", "explain", "hint", "quiz", "bench", "grade", "calibrate", "verify", "release"}) {
        const std::string help = run({verb, "--help"}).out;
        for (const std::string& line : cli::split_lines(help)) {
            const auto at = line.find("--"), end = line.find(" N", at);
            if (at == std::string::npos || end == std::string::npos || end != line.find(' ', at)) continue;
            if (end + 2 < line.size() && line[end + 2] != ' ') continue;
            const std::string option = line.substr(at, end - at);
            for (const char* given : {"-1", "18446744073709551616", "1e1", "0x10", "1.5", "+1", "1 ", "one"}) {
                INFO(verb << ' ' << option << ' ' << given);
                check_usage({verb, option.c_str(), given}, option + ": `" + given + "` is no whole number from ");
            }
            ++options;
        }
    }
    CHECK(options == 19);
    check_usage({"bench", "padding", "--threads", "1025"}, "from 1 to 1024");
    check_usage({"explain", "padding", "--line", "0"}, "from 1 to");
}

TEST_CASE("a real GPU that is not there is this machine's matter") {
    setenv("WARPGRADE_LIBCUDA", "/no/such/libcuda.so", 1);
    const Outcome outcome = run({"check", "transpose/padding", "--device", "cuda"});
    unsetenv("WARPGRADE_LIBCUDA");
    CHECK(outcome.code == 3);
    CHECK(outcome.err.find("--device virtual") != std::string::npos);
}

TEST_CASE("hints come one level at a time") {
    const Outcome first = run({"hint", "transpose/padding"});
    CHECK(first.code == 0);
    CHECK(first.out.find("hint 1 of 3") != std::string::npos);
    CHECK(first.out.find("--level 2") != std::string::npos);
    CHECK(first.out.find("bank r") == std::string::npos);
    const Outcome last = run({"hint", "transpose/padding", "--level", "3"});
    CHECK(last.out.find("bank r") != std::string::npos);
    CHECK(last.out.find("TILE + 1") == std::string::npos);  // the answer is one line, and stays the student's
    CHECK(last.out.find("--level 4") == std::string::npos);
}

TEST_CASE("list names every stage, as text and as JSON") {
    // Paths are shown from the current folder: from the root they are short, however deep the clone is.
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(WARPGRADE_SOURCE_DIR);
    const Outcome text = run({"list"});
    std::filesystem::current_path(before);
    CHECK(text.code == 0);
    CHECK(text.out.find("padding") != std::string::npos);
    CHECK(text.out.find("4_padding.cu") != std::string::npos);
    CHECK(text.out.find("Matrix transpose") < text.out.find("Parallel sum reduction"));  // as they are taught
    CHECK(text.out.find("...") == std::string::npos);
    const Outcome json = run({"list", "--format", "json"});
    CHECK(json.code == 0);
    CHECK(json.out.find("\"schema\": \"warpgrade.list/1\"") != std::string::npos);
    CHECK(json.err.empty());
}

namespace {

// The tests below compile kernels. Without NVRTC they say so and end.
bool has_nvrtc() {
    if (find_nvrtc().ok()) return true;
    WARN("skipped: no NVRTC on this machine");
    return false;
}

std::string source_path(const std::string& below) { return std::string(WARPGRADE_SOURCE_DIR) + "/" + below; }

}  // namespace

TEST_CASE("doctor compiles and runs a kernel") {
    if (!has_nvrtc()) return;
    const Outcome outcome = run({"doctor", "--format", "json"});
    CHECK(outcome.code == 0);
    const auto json = nlohmann::json::parse(outcome.out);
    CHECK(json["works"] == true);
    std::vector<std::string> ok;
    for (const auto& check : json["checks"])
        if (check["ok"] == true) ok.push_back(check["what"]);
    for (const char* needed : {"course", "NVRTC", "compile worker", "virtual GPU"})
        CHECK(std::find(ok.begin(), ok.end(), needed) != ok.end());
    CHECK(run({"doctor"}).out.find("\nNext: `") != std::string::npos);
}

TEST_CASE("a solution passes, a stub is not attempted, and the exit codes say so") {
    if (!has_nvrtc()) return;
    CurrentFolder folder;
    folder.write("transpose/3_corner_turning.cu",
                 test::file_text(source_path("solutions/transpose/3_corner_turning.cu")));
    const Outcome good = run({"check", "transpose/3_corner_turning.cu"});
    CHECK(good.code == 0);
    CHECK(good.out.find("this stage is done") != std::string::npos);

    folder.write("transpose/3_corner_turning.cu",
                 test::file_text(source_path("assignments/transpose/3_corner_turning.cu")));
    const Outcome stub = run({"check", "transpose/3_corner_turning.cu"});
    CHECK(stub.code == 1);
    CHECK(stub.out.find("Not attempted yet.") != std::string::npos);
    CHECK(stub.out.find("error[") == std::string::npos);
}

TEST_CASE("a file that does not compile is shown with its line, as text and as JSON") {
    if (!has_nvrtc()) return;
    CurrentFolder folder;
    std::string text = test::file_text(source_path("solutions/transpose/1_naive_read.cu"));
    text.insert(text.find("+ threadIdx.x;"), "+ no_such_name ");
    folder.write("transpose/1_naive_read.cu", text);
    const Outcome shown = run({"check", "transpose/1_naive_read.cu"});
    CHECK(shown.code == 1);
    CHECK(shown.out.find("identifier \"no_such_name\" is undefined") != std::string::npos);
    CHECK(shown.out.find("^^^^^^^^^^^^") != std::string::npos);

    const Outcome json = run({"check", "transpose/1_naive_read.cu", "--format", "json"});
    CHECK(json.code == 1);
    CHECK(json.err.empty());
    const auto result = nlohmann::json::parse(json.out);
    CHECK(result["schema"] == "warpgrade.result/1");
    CHECK(result["stages"][0]["compile"]["ok"] == false);
}

TEST_CASE("bench models only what is right") {
    if (!has_nvrtc()) return;
    const std::string folder = std::string(WARPGRADE_SOURCE_DIR) + "/grader/tests/submissions/";
    const auto bench = [&](const char* program) {
        const std::string path = folder + program;
        return run({"bench", path.c_str(), "--stage", "transpose/open", "--device", "virtual", "--shape", "1024x1024"});
    };
    const Outcome wrong = bench("wrong_output/tile_kept_inside.cu");
    CHECK(wrong.code == 1);
    CHECK(wrong.out.find("  nothing was timed: only what is right is; `check` says what is not\n") !=
          std::string::npos);
    CHECK(wrong.out.find("1024 x 1024") == std::string::npos);
    const Outcome right = bench("right/tile_8x8.cu");
    CHECK(right.code == 0);
    CHECK(right.out.find("\n1024 x 1024 ") != std::string::npos);
}

TEST_CASE("bench says of a file that does not compile what check says") {
    if (!has_nvrtc()) return;
    CurrentFolder folder;
    folder.write("copy.cu", "__global__ void k(float* o) {\n    o[0] = nope;\n}\n");
    const std::string path = folder.path() / "copy.cu";
    const Outcome outcome = run({"bench", path.c_str(), "--stage", "naive_read", "--device", "virtual"});
    CHECK(outcome.code == 1);
    INFO(outcome.out);
    CHECK(outcome.out.find("identifier \"nope\" is undefined\n") != std::string::npos);
    CHECK(outcome.out.find("= the parameters of `k` are `o`: is it one of them? else declare it above\n") !=
          std::string::npos);
}

TEST_CASE("explain names the lines of the file it was given") {
    if (!has_nvrtc()) return;
    CurrentFolder folder;
    const char* const file = "transpose/3_corner_turning.cu";
    folder.write(file, test::file_text(source_path("solutions/transpose/3_corner_turning.cu")));
    const Outcome shown = run({"explain", file, "--shape", "64x64"});
    CHECK(shown.code == 0);
    CHECK(shown.out.find("the warp reads `tile`: 32 wavefronts") != std::string::npos);
    CHECK(shown.out.find("(no source line is known)") == std::string::npos);

    const Outcome json = run({"explain", file, "--shape", "64x64", "--format", "json"});
    const auto trace = nlohmann::json::parse(json.out)["stages"][0]["trace"];
    REQUIRE(trace.size() == 4);
    CHECK(trace[0]["buffer"] == "in");
    CHECK(trace[0]["units"] == 4);
    CHECK(trace[0]["addresses"].size() == 32);
}

TEST_CASE("a root without assignments is a usage error") {
    CurrentFolder folder;
    setenv("WARPGRADE_ROOT", folder.path().c_str(), 1);
    const std::vector<const char*> words{"warpgrade", "list"};
    std::ostringstream err;
    auto* const old_err = std::cerr.rdbuf(err.rdbuf());
    const int code = cli::run_program(2, words.data());
    std::cerr.rdbuf(old_err);
    CHECK(code == 2);
    CHECK(err.str().find("WARPGRADE_ROOT") != std::string::npos);
}

TEST_CASE("every verb and stage that the kit's own texts name is there") {
    const auto course = load_course(WARPGRADE_SOURCE_DIR);
    REQUIRE(course.ok());
    const std::vector<std::string> verbs = cli::verb_names();
    for (const char* verb : {"check", "demo", "init", "release"})
        CHECK(std::find(verbs.begin(), verbs.end(), verb) != verbs.end());
    for (const Diagnostic& found : check_course_text(WARPGRADE_SOURCE_DIR, *course, verbs)) {
        INFO(found.marks.front().path << ":" << found.marks.front().line);
        FAIL_CHECK(found.title);
    }
}
