#include "cli/course_notes.hpp"

#include <filesystem>

#include "cli_text/golden.hpp"
#include "course/source_text.hpp"

using namespace warpgrade;
using namespace warpgrade::cli;
using warpgrade::test::CurrentFolder;

namespace {

// A course of one stage in a folder, with its stub as handed out.
struct OneStage {
    explicit OneStage(CurrentFolder& folder) {
        const std::filesystem::path root = std::filesystem::current_path();
        std::filesystem::create_directories(root / "build");
        folder.write("assignments/a/1_s.cu", stub);
        Stage stage;
        stage.assignment = "a";
        stage.id = "s";
        stage.file = "1_s.cu";
        stage.stub_digest = text_digest(stub);
        Assignment assignment;
        assignment.name = "a";
        assignment.folder = (root / "assignments" / "a").string();
        assignment.stages = {stage};
        course.root = root.string();
        course.assignments = {assignment};
    }
    const Assignment& assignment() const { return course.assignments.front(); }
    const Stage& stage() const { return assignment().stages.front(); }

    std::string stub = "// a stub\n";
    Course course;
};

}  // namespace

TEST_CASE("a stub is kept while it is untouched, and found again when it is not") {
    CurrentFolder folder;
    const OneStage one(folder);
    keep_stubs(one.course);
    folder.write("assignments/a/1_s.cu", "int x;\n");
    keep_stubs(one.course);  // takes nothing that is no stub
    CHECK(kept_stub(one.course, one.assignment(), one.stage()) == one.stub);

    std::filesystem::remove_all("build/stubs");
    CHECK_FALSE(kept_stub(one.course, one.assignment(), one.stage()));
    folder.write("assignments/a/1_s.cu", one.stub);
    CHECK(kept_stub(one.course, one.assignment(), one.stage()) == one.stub);
}

TEST_CASE("the note of a check is about the file as it was checked") {
    CurrentFolder folder;
    const OneStage one(folder);
    CHECK_FALSE(last_check(one.course, one.assignment(), one.stage()));
    SummaryRow row;
    row.points = 9.5;
    row.most = 10;
    row.passes = true;
    folder.write("elsewhere.cu", "x");
    note_check(one.course, {&one.assignment(), &one.stage(), "elsewhere.cu", "elsewhere.cu"}, row);
    CHECK_FALSE(last_check(one.course, one.assignment(), one.stage()));
    note_check(one.course, {&one.assignment(), &one.stage(), "assignments/a/1_s.cu", "a/s"}, row);
    const auto note = last_check(one.course, one.assignment(), one.stage());
    REQUIRE(note);
    CHECK(note->points == 9.5);
    CHECK(note->passes);
    folder.write("assignments/a/1_s.cu", "int x;\n");
    CHECK_FALSE(last_check(one.course, one.assignment(), one.stage()));
}

TEST_CASE("how far a file is: a stub is untouched even where it was checked") {
    CurrentFolder folder;
    const OneStage one(folder);
    const auto words = [&] { return std::string(words_of(state_of(one.course, one.assignment(), one.stage()))); };
    const auto check = [&](bool passes) {
        SummaryRow row;
        row.passes = passes;
        note_check(one.course, {&one.assignment(), &one.stage(), "assignments/a/1_s.cu", "a/s"}, row);
    };
    CHECK(words() == "untouched");
    check(false);
    CHECK(words() == "untouched");
    folder.write("assignments/a/1_s.cu", "int x;\n");
    CHECK(words() == "not checked yet");
    check(false);
    CHECK(words() == "not done");
    check(true);
    CHECK(words() == "done");
    std::filesystem::remove("assignments/a/1_s.cu");
    CHECK(words() == "missing");
}
