#include "grade/switched_changes.hpp"

#include <algorithm>

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

// A stage with its small shapes, on the virtual GPU.
struct Trying {
    std::vector<Assignment> course;
    const Stage* stage = nullptr;
    std::unique_ptr<Device> device = make_virtual_device();
    std::vector<CaseToRun> all, failed;

    explicit Trying(const std::string& name) {
        auto loaded = load_course(root);
        REQUIRE(loaded);
        course = std::move(*loaded);
        const auto match = find_stage(course, name);
        REQUIRE(match);
        stage = match->stage;
        for (const Shape& shape : problem().shapes(0, stage->types)) all.push_back({shape, {}});
        failed = {all.front()};
    }
    const Problem& problem() const { return *find_problem(stage->problem); }
    TrialBench bench() const { return {*stage, problem(), path, *device, {}}; }

private:
    std::string path = "mine.cu";
};

Trial tried(const std::string& name, const std::vector<std::string>& versions) {
    const Trying trying(name);
    const std::vector<CaseToRun>& all = trying.all;
    auto trial = try_versions(trying.bench(), versions, trying.failed, all);
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

namespace {

// `found`, the first of its kind, by `other`.
explain::Change choice(const std::string& text, const std::string& found, const std::string& other) {
    explain::Change change;
    change.at.offset = text.find(found);
    REQUIRE(change.at.offset != text.npos);
    change.at.length = found.size();
    change.at.line = 1 + static_cast<int>(std::count(
                             text.begin(), text.begin() + static_cast<std::ptrdiff_t>(change.at.offset), '\n'));
    change.before = found;
    change.after = other;
    change.text = with(text, found, other);
    change.choice = change.at;
    change.choice_after = other;
    return change;
}

}  // namespace

TEST_CASE("changes of expressions become choices, an inner one within the outer one") {
    const std::string text = "a = b + c;\nd = e;\n";
    std::vector<explain::Change> changes{choice(text, "b", "x"), choice(text, "b + c", "b - c"), choice(text, "e", "y"),
                                         choice(text, "d = e", "d = f")};
    changes[3].choice = {};
    const SwitchedText all = switched_text(text, changes, std::vector<bool>(4));
    CHECK(all.numbers == std::vector<std::size_t>{1, 2, 3, 0});
    CHECK(all.text.ends_with(
        "\na = (warpgrade_version() - 1u >= 2u ? (b + c) :"
        "\nwarpgrade_version() == 1 ? warpgrade_as<decltype(warpgrade_value(b + c))>::of(x + c, 0) :"
        "\nwarpgrade_version() == 2 ? warpgrade_as<decltype(warpgrade_value(b + c))>::of(b - c, 0) :\n(b + c));\n"
        "d = (warpgrade_version() - 3u >= 1u ? (e) :"
        "\nwarpgrade_version() == 3 ? warpgrade_as<decltype(warpgrade_value(e))>::of(y, 0) :\n(e));\n"));
    // After the line of the declaration: the expression with its changes, and a line for each of them.
    CHECK(all.changes_of_line == std::vector<std::vector<std::size_t>>{{}, {0, 1}, {0}, {1}, {}, {2}, {2}});
    const SwitchedText others = switched_text(text, changes, {true, false, true, false});
    CHECK(others.numbers == std::vector<std::size_t>{0, 1, 0, 0});
    CHECK(others.text.ends_with("\nd = e;\n"));
}

TEST_CASE("a choice says of a change what its own compilation would") {
    if (test::lacks_nvrtc()) return;
    const Trying trying("transpose/naive_read");
    const std::string right = text_of(root + "/solutions/transpose/1_naive_read.cu");
    const std::string wrong = with(right, "y < rows", "x < rows");
    const std::vector<explain::Change> changes{
        choice(wrong, "x < rows", "y < rows - 1"), choice(wrong, "x < rows", "y < rows"),
        choice(wrong, "x < rows", "y < nowhere"), choice(wrong, "x < rows", "rows > y"),
        choice(wrong, "x < rows", "(y < rows) + 0.5")};
    vgpu::Budget budget(100'000'000);
    auto switched = SwitchedChanges::build(trying.bench(), wrong, changes, budget);
    REQUIRE(switched);
    CHECK_FALSE(switched->is_worth_compiling(0, trying.failed));
    CHECK(switched->is_worth_compiling(1, trying.failed));
    CHECK(switched->is_worth_compiling(3, trying.failed));
    CHECK(switched->tried() == 3);
    // One that does not compile spoils no other one of its line.
    CHECK_FALSE(switched->has(2));
    CHECK(switched->is_worth_compiling(2, trying.failed));
    CHECK_FALSE(switched->has(4));  // another type would be that of all choices
}

TEST_CASE("a text and its versions include a header once, in front of all") {
    const std::string joined =
        joined_versions(std::vector<std::string>{"#include <a>\nint x;\n", " # include <a>\nint y;\n"}, {});
    CHECK(joined.find("include <a>") < joined.find("namespace"));
    CHECK(joined.find("int y;") > joined.find(version_namespace(1)));
}
