#include <sys/stat.h>

#include "cli/course.hpp"
#include "cli_text/golden.hpp"

using namespace warpgrade;
using namespace warpgrade::cli;
using warpgrade::test::CurrentFolder;

namespace {

Course real_course() {
    setenv("WARPGRADE_ROOT", WARPGRADE_SOURCE_DIR, 1);
    auto course = open_course();
    REQUIRE(course.ok());
    return std::move(*course);
}

}  // namespace

TEST_CASE("a word is a stage, an assignment, a folder or a file") {
    const Course course = real_course();
    const CurrentFolder elsewhere;
    elsewhere.write("transpose/4_padding.cu", "x");
    elsewhere.write("mine.cu", "x");

    auto stage = find_targets(course, {"transpose/padding"}, "");
    REQUIRE(stage.ok());
    REQUIRE(stage->size() == 1);
    CHECK(stage->front().stage->id == "padding");
    CHECK(stage->front().argument == "transpose/padding");
    CHECK(std::filesystem::exists(stage->front().path));

    auto whole = find_targets(course, {"transpose"}, "");
    REQUIRE(whole.ok());
    CHECK(whole->size() == stage->front().assignment->stages.size());

    auto file = find_targets(course, {"transpose/4_padding.cu"}, "");
    REQUIRE(file.ok());
    CHECK(file->front().stage->id == "padding");
    CHECK(file->front().path == "transpose/4_padding.cu");
    CHECK(file->front().argument == "transpose/4_padding.cu");

    auto named = find_targets(course, {"mine.cu"}, "transpose/coarsening");
    REQUIRE(named.ok());
    CHECK(named->front().stage->id == "coarsening");
    CHECK(named->front().argument == "mine.cu --stage transpose/coarsening");
}

TEST_CASE("a worked example says in its text which stage it is taken as") {
    const Course course = real_course();
    const CurrentFolder elsewhere;
    elsewhere.write("mine.cu", "// A tile.\n// stage: transpose/corner_turning \r\n//\n");
    elsewhere.write("unknown.cu", "// stage: transpose/nothing\n");
    elsewhere.write("late.cu", "\n\n\n\n\n\n// stage: transpose/padding\n");
    elsewhere.write("transpose/4_padding.cu", "// stage: transpose/corner_turning\n");

    auto mine = find_targets(course, {"mine.cu"}, "");
    REQUIRE(mine.ok());
    CHECK(mine->front().stage->id == "corner_turning");
    CHECK(mine->front().argument == "mine.cu");
    CHECK(find_targets(course, {"mine.cu"}, "transpose/padding")->front().stage->id == "padding");
    // A stage's own file is that stage's, whatever it says.
    CHECK(find_targets(course, {"transpose/4_padding.cu"}, "")->front().stage->id == "padding");
    CHECK_FALSE(find_targets(course, {"unknown.cu"}, "").ok());
    CHECK_FALSE(find_targets(course, {"late.cu"}, "").ok());
}

TEST_CASE("what to type to name a file again is one line of plain characters") {
    const Course course = real_course();
    const CurrentFolder elsewhere;
    const std::pair<std::string, std::string> names[] = {
        {"a b.cu", "'a b.cu'"},
        {"it's.cu", "'it'\\''s.cu'"},
        {"-x.cu", "./-x.cu"},
        {"a\nb.cu", "$'a\\x0ab.cu'"},
        {"\xff.cu", "$'\\xff.cu'"},
        {"\x1b[2J'\\.cu", "$'\\x1b[2J\\'\\\\.cu'"},
        {"\xe2\x80\xae.cu", "$'\\xe2\\x80\\xae.cu'"},
    };
    for (const auto& [name, typed] : names) {
        elsewhere.write(name, "x");
        const auto target = find_targets(course, {name}, "transpose/padding");
        REQUIRE(target.ok());
        CHECK(target->front().argument == typed + " --stage transpose/padding");
    }
}

TEST_CASE("a file that does not say its stage asks for --stage") {
    const Course course = real_course();
    const CurrentFolder elsewhere;
    elsewhere.write("mine.cu", "x");
    auto target = find_targets(course, {"mine.cu"}, "");
    REQUIRE_FALSE(target.ok());
    CHECK(target.error().blame == Blame::usage);
    CHECK(target.error().help.find("--stage") != std::string::npos);
}

TEST_CASE("a pipe is not waited for to say its stage") {
    const Course course = real_course();
    const CurrentFolder elsewhere;
    REQUIRE(mkfifo("mine.cu", 0600) == 0);
    CHECK_FALSE(find_targets(course, {"mine.cu"}, "").ok());
}

TEST_CASE("no word: the current assignment, else all of them") {
    const Course course = real_course();
    std::size_t all = 0;
    for (const Assignment& assignment : course.assignments) all += assignment.stages.size();
    const CurrentFolder elsewhere;
    auto everything = find_targets(course, {}, "");
    REQUIRE(everything.ok());
    CHECK(everything->size() == all);
    std::filesystem::current_path(course.assignments.front().folder);
    auto here = find_targets(course, {}, "");
    REQUIRE(here.ok());
    CHECK(here->size() == course.assignments.front().stages.size());
    CHECK(here->front().path.find('/') == std::string::npos);
}

TEST_CASE("commands in course text are those that work here") {
    CHECK(with_command("run `warpgrade explain copy`, then `warpgrade check`", "../grader/warpgrade") ==
          "run `../grader/warpgrade explain copy`, then `../grader/warpgrade check`");
    CHECK(with_command("warpgrade is the kit", "x") == "warpgrade is the kit");
}

TEST_CASE("the commit is read from .git, loose or packed") {
    const CurrentFolder root;
    CHECK(git_revision(root.path().string()).empty());
    root.write(".git/HEAD", "ref: refs/heads/main\n");
    root.write(".git/packed-refs", "# pack-refs\n0123456789abcdef0123456789abcdef01234567 refs/heads/main\n");
    CHECK(git_revision(root.path().string()) == "0123456789ab");
    root.write(".git/refs/heads/main", "fedcba9876543210fedcba9876543210fedcba98\n");
    CHECK(git_revision(root.path().string()) == "fedcba987654");
    root.write(".git/HEAD", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n");
    CHECK(git_revision(root.path().string()) == "aaaaaaaaaaaa");
}
