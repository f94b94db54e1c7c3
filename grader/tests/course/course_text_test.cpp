// Each way in which a course can be at odds with itself is broken into a copy of it, and named.
#include "course/course_text.hpp"

#include <functional>

#include "grade/course_copy.hpp"

using namespace warpgrade;
using test::CourseCopy;

namespace {

const std::string toml = "assignments/transpose/assignment.toml";
const std::string stub = "assignments/transpose/4_padding.cu";
const std::string solution = "solutions/transpose/4_padding.cu";
const std::vector<std::string> verbs{"check", "explain", "hint",   "bench",  "list",
                                     "run",   "demo",    "submit", "verify", "new"};

// "code path:line" of everything that is found; the path without the course's folder.
std::vector<std::string> problems_of(const CourseCopy& copy) {
    const auto course = copy.load();
    std::vector<Diagnostic> all = check_course_text(copy.root().string(), course, verbs);
    for (const Assignment& assignment : course) {
        for (Diagnostic& found : check_assignment_text(assignment)) all.push_back(std::move(found));
        for (const Stage& stage : assignment.stages)
            for (Diagnostic& found : check_stage_text(assignment, stage)) all.push_back(std::move(found));
    }
    std::vector<std::string> words;
    for (const Diagnostic& found : all) {
        CHECK(found.blame == Blame::course);
        CHECK(!found.title.empty());
        CHECK(!found.help.empty());
        REQUIRE(found.marks.size() == 1);
        const SourceMark& mark = found.marks.front();
        const std::string path = test::fs::relative(mark.path, copy.root()).string();
        words.push_back(found.code + " " + path + (mark.line != 0 ? ":" + std::to_string(mark.line) : ""));
    }
    return words;
}

int line_of(const CourseCopy& copy, const std::string& path, const std::string& text) {
    const std::string all = copy.read(path);
    const auto at = all.find(text);
    REQUIRE(at != std::string::npos);
    return 1 + static_cast<int>(std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// The problems after one change, which are to be `code` at `path`, at the line that holds `text` if there is one.
void expect(const std::function<void(const CourseCopy&)>& change, const std::string& code, const std::string& path,
            const std::string& text = "") {
    const CourseCopy copy;
    change(copy);
    std::string expected = code + " " + path;
    if (!text.empty()) expected += ":" + std::to_string(line_of(copy, path, text));
    CHECK(problems_of(copy) == std::vector<std::string>{expected});
}

std::function<void(const CourseCopy&)> replaced(const std::string& path, const std::string& from,
                                                const std::string& to) {
    return [=](const CourseCopy& copy) { copy.replace(path, from, to); };
}

// A change of a stub that is meant, so that its digest follows.
std::function<void(const CourseCopy&)> rewritten(const std::string& from, const std::string& to) {
    return [=](const CourseCopy& copy) {
        copy.replace(stub, from, to);
        copy.record_digest(stub);
    };
}

}  // namespace

TEST_CASE("the course is at one with itself") { CHECK(problems_of(CourseCopy()) == std::vector<std::string>{}); }

TEST_CASE("files of a course that are missing, too many or misnamed are named") {
    expect([](const CourseCopy& copy) { copy.remove(stub); }, "missing_stub", stub);
    expect([](const CourseCopy& copy) { copy.remove(solution); }, "missing_solution", solution);
    expect([](const CourseCopy& copy) { copy.write("solutions/transpose/4_padding_old.cu", ""); }, "stray_file",
           "solutions/transpose/4_padding_old.cu");
    expect([](const CourseCopy& copy) { copy.write("assignments/transpose/notes.txt", ""); }, "stray_file",
           "assignments/transpose/notes.txt");
    expect([](const CourseCopy& copy) { copy.write("solutions/fractals/1_naive.cu", ""); }, "stray_file",
           "solutions/fractals");
    expect([](const CourseCopy& copy) { copy.write("assignments/fractals/1_naive.cu", ""); }, "stray_file",
           "assignments/fractals");
    expect(
        [](const CourseCopy& copy) {
            for (const char* folder : {"assignments", "solutions"})
                test::fs::rename(copy.root() / folder / "transpose/4_padding.cu",
                                 copy.root() / folder / "transpose/4_pad.cu");
            copy.replace(toml, "\"4_padding.cu\"", "\"4_pad.cu\"");
        },
        "file_name", toml, "4_pad.cu");
}

TEST_CASE("a stub that is not the one that was recorded is named") {
    const CourseCopy copy;
    expect(replaced(stub, "constexpr int TILE = 32;", "constexpr int TILE = 16;"), "stub_digest", toml,
           "stub = \"" + text_digest(copy.read(stub)));
    copy.replace(stub, "constexpr int TILE = 32;", "constexpr int TILE = 16;");
    const auto course = copy.load();
    const auto padding = find_stage(course, "transpose/padding");
    REQUIRE(padding);
    const auto found = check_stage_text(*padding->assignment, *padding->stage);
    REQUIRE(found.size() == 1);
    CHECK(found[0].help.find(text_digest(copy.read(stub))) != std::string::npos);  // ready to be copied
}

TEST_CASE("points that do not add up, and numbers that leave one out, are named") {
    expect(replaced(toml, "correctness = 5, technique = 7", "correctness = 6, technique = 7"), "points", toml);
    const CourseCopy copy;
    copy.replace(toml, "number = 8\n", "number = 9\n");
    CHECK(problems_of(copy) == std::vector<std::string>{
                                   "numbers " + toml + ":" + std::to_string(line_of(copy, toml, "number = 9")),
                                   "file_name " + toml + ":" + std::to_string(line_of(copy, toml, "\"8_open.cu\"")),
                               });
}

TEST_CASE("a course with less: an assignment or a stage left out, or no points for performance") {
    {
        const CourseCopy copy;
        test::fs::remove_all(copy.root() / "solutions/reduction");
        for (const auto& file : test::fs::directory_iterator(copy.root() / "assignments/reduction"))
            if (file.path().filename() != "problem.toml") test::fs::remove(file);  // other assignments ask for it
        copy.write("handouts/getting_started.md",
                   "`warpgrade check reduction` and\n`solutions/reduction/2_strided.cu`\n");
        CHECK(problems_of(copy).size() >= 2);  // and whoever else names a stage of it
        copy.write("assignments/left_out.md", "- reduction\n");
        CHECK(problems_of(copy) == std::vector<std::string>{});
    }
    {
        // The last stage, which others' also_passes name.
        const CourseCopy copy;
        const std::string text = copy.read(toml);
        std::string rest = text.substr(0, text.find("[[stage]]\nid = \"open\""));
        for (std::size_t at; (at = rest.find(", \"open\"]")) != std::string::npos;) rest.erase(at, 8);
        copy.write(toml, rest);
        for (const char* folder : {"assignments", "solutions"})
            test::fs::remove(copy.root() / folder / "transpose/8_open.cu");
        copy.write("assignments/left_out.md", "What this term goes without:\n\n- transpose/open\n");
        CHECK(problems_of(copy) == std::vector<std::string>{});
    }
    {
        const CourseCopy copy;
        std::string text = copy.read(toml);
        for (auto at = text.find("performance = "); at != std::string::npos; at = text.find("performance = ", at + 1))
            text.replace(at + 14, text.find(' ', at + 14) - at - 14, "0");
        copy.write(toml, text);
        CHECK(problems_of(copy) == std::vector<std::string>{});
    }
}

TEST_CASE("what a stage has to say to a student is there") {
    expect(replaced(toml,
                    "    \"An element's bank is its index in the tile modulo 32. Make the next row start one bank "
                    "further on.\",\n",
                    ""),
           "hints", toml, "hints = [\n    \"Which banks");
    expect(replaced(toml, "first_step = \"Copy your kernel of stage 3 in",
                    "# first_step = \"Copy your kernel of stage 3 in"),
           "no_first_step", toml, "[[stage]]\nid = \"padding\"");
    expect(replaced(toml, "first_step = \"Fill TODO 3 first", "first_step = \"Fill TODO 7 first"), "no_such_gap", toml,
           "Fill TODO 7");
    expect(replaced(toml, "says = \"nothing is read from shared memory. Carry the tile over from stage 3.\"",
                    "says = \"no tile\""),
           "rule_words", toml, "[[stage.rule]]\nexpect = \"shared_load_requests > 0\"\nsays = \"no tile\"");
    expect(replaced(toml, "expect = \"shared_load_wavefronts_over_ideal <= 1.1\"",
                    "expect = \"shared_load_requests > 0\""),
           "rule_twice", toml, "[[stage.rule]]\nexpect = \"shared_load_requests > 0\"\npoints = 3.5");
}

TEST_CASE("gaps of stubs and solutions are counted") {
    expect(rewritten("TODO 3:", "TODO 4:"), "gaps", stub);
    expect(replaced(solution, "__global__", "// TODO\n__global__"), "gap_in_solution", solution, "// TODO");
    expect(replaced(solution, "#include <cstddef>", "#include <vector>"), "header", solution, "#include <vector>");
}

TEST_CASE("a worked example is its own solution") {
    expect(replaced("solutions/transpose/0_copy.cu", "constexpr int", "constexpr  int"), "example_differs",
           "assignments/transpose/0_copy.cu");
}

TEST_CASE("a swept stage and no other reads THREADS") {
    expect(replaced("solutions/transpose/5_coarsening.cu", "#ifndef THREADS", "#ifndef BLOCK"), "sweep",
           "solutions/transpose/5_coarsening.cu");
    const CourseCopy copy;
    copy.replace(toml, "sweep_threads = [64, 256, 512, 1024]\n", "");
    CHECK(problems_of(copy) == std::vector<std::string>{"sweep assignments/transpose/5_coarsening.cu",
                                                        "sweep solutions/transpose/5_coarsening.cu"});
}

TEST_CASE("also_passes names later stages") {
    expect(replaced(
               toml,
               "also_passes = [\"coarsening\", \"dynamic_tile\", \"open\"]\nfirst_step = \"Copy your kernel of stage 3",
               "also_passes = [\"naive_read\"]\nfirst_step = \"Copy your kernel of stage 3"),
           "also_passes_earlier", toml, "also_passes = [\"naive_read\"]");
}

TEST_CASE("commands, stages and files in texts are there") {
    expect(rewritten("check padding", "chekc padding"), "no_such_verb", stub, "chekc padding");
    expect(rewritten("check padding", "check paddign"), "no_such_stage", stub, "check paddign");
    const auto document = [](const std::string& text) {
        return [=](const CourseCopy& copy) { copy.write("handouts/transpose.md", text); };
    };
    expect(document("Now run\n\n    ./grader/warpgrade check --watch transpose/pading  # again\n"), "no_such_stage",
           "handouts/transpose.md", "transpose/pading");
    expect(document("See transpose/paddings.\n"), "no_such_stage", "handouts/transpose.md", "transpose/paddings");
    expect(document("See\n`assignments/transpose/4_pading.cu`.\n"), "no_such_file", "handouts/transpose.md",
           "4_pading");
    expect(document("`warpgrade new problem largest` begins\n    ./grader/warpgrade verify lagrest\n"), "no_such_stage",
           "handouts/transpose.md", "lagrest");
    // What only looks like a name.
    const CourseCopy copy;
    copy.write("handouts/transpose.md",
               "`warpgrade check` checks, and warpgrade checks too.\n"
               "    ./grader/warpgrade check solutions/transpose/*.cu --device cuda > build/result.json\n"
               "    ./grader/warpgrade explain copy    what one warp touches\n"
               "    ./grader/warpgrade new problem largest\n"
               "    ./grader/warpgrade verify largest --update\n"
               "`assignments/<name>/N_stage.cu`, `bench transpose/open`, grader/transpose/x, transpose/4_padding.cu\n");
    CHECK(problems_of(copy) == std::vector<std::string>{});
}
