#include "grade/tried_changes.hpp"

#include "base/files.hpp"
#include "compile/support.hpp"
#include "corpus/program.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

std::string text_of(const std::string& path) {
    const auto text = read_whole_file(path);
    REQUIRE(text);
    return *text;
}

// `found` once, by `other`.
std::string with(std::string text, const std::string& found, const std::string& other) {
    const std::size_t at = text.find(found);
    REQUIRE(at != text.npos);
    return text.replace(at, found.size(), other);
}

Trial tried(const std::string& name, const std::vector<std::string>& versions) {
    const auto course = load_course(root);
    REQUIRE(course);
    const auto match = find_stage(*course, name);
    REQUIRE(match);
    const Stage& stage = *match->stage;
    const Problem& problem = *find_problem(stage.problem);
    const auto device = make_virtual_device();
    std::vector<CaseToRun> all;
    for (const Shape& shape : problem.shapes(0, stage.types)) all.push_back({shape, {}});
    const std::vector<CaseToRun> failed{all.front()};
    auto trial = try_versions({stage, problem, "mine.cu", *device, {}}, versions, failed, all);
    if (!trial) FAIL(trial.error().title);
    CHECK((!trial->proved || trial->shapes == all.size()));
    return *trial;
}

}  // namespace

TEST_CASE("of several versions the first one that is right on all shapes is proved") {
    if (test::lacks_nvrtc()) return;
    const std::string right = text_of(root + "/solutions/transpose/1_naive_read.cu");
    const std::string faulty = with(right, "x < cols && y < rows", "x < cols || y < rows");
    const std::string turned = with(right, "out[", "out[1 + ");
    const Trial trial = tried("transpose/naive_read", {faulty, turned, right, right});
    REQUIRE(trial.proved);
    CHECK(*trial.proved == 2);
    CHECK(trial.tried == 3);
}

TEST_CASE("a version that is right only on the shape that failed is not proved") {
    if (test::lacks_nvrtc()) return;
    const std::string right = text_of(root + "/solutions/transpose/1_naive_read.cu");
    const std::string small = with(right, "x < cols && y < rows", "x < cols && y < rows && rows < 4000");
    const Trial trial = tried("transpose/naive_read", {small});
    CHECK_FALSE(trial.proved);
    CHECK(trial.tried == 1);
}

TEST_CASE("a version that does not compile does not keep the others from being tried") {
    if (test::lacks_nvrtc()) return;
    const std::string right = text_of(root + "/solutions/transpose/1_naive_read.cu");
    const std::string broken = with(right, "out[", "nowhere[");
    const Trial trial = tried("transpose/naive_read", {broken, right});
    REQUIRE(trial.proved);
    CHECK(*trial.proved == 1);
    CHECK(trial.tried == 1);
}

TEST_CASE("the launcher of a version may be a template") {
    if (test::lacks_nvrtc()) return;
    const std::string right = text_of(root + "/solutions/transpose/7_any_type.cu");
    const Trial trial = tried("transpose/any_type", {right});
    CHECK(trial.proved);
}

TEST_CASE("a text and its versions include a header once, in front of all") {
    const std::string joined =
        joined_versions(std::vector<std::string>{"#include <a>\nint x;\n", " # include <a>\nint y;\n"}, {});
    CHECK(joined.find("include <a>") < joined.find("namespace"));
    CHECK(joined.find("int y;") > joined.find(version_namespace(1)));
}
