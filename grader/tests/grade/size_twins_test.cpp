// Whether verify tells an author of sizes that no shape has.
#include <algorithm>

#include "compile/support.hpp"
#include "grade/size_twins.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

struct Sizes {
    const Assignment* assignment = nullptr;
    std::vector<const Stage*> stages;
    const Problem* problem = nullptr;

    Sizes(const std::vector<Assignment>& course, const std::string& name) {
        problem = find_problem(name);
        for (const Assignment& one : course)
            for (const Stage& stage : one.stages)
                if (stage.problem == name && one.name == name) {
                    assignment = &one;
                    stages.push_back(&stage);
                }
    }
    std::vector<std::string> complaints(const Problem& of) const {
        std::vector<std::string> titles;
        for (const Diagnostic& one : check_sizes(of, stages, *assignment, 1)) titles.push_back(one.title);
        return titles;
    }
};

bool has(const std::vector<std::string>& all, const std::string& text) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& one) { return one.find(text) != one.npos; });
}

}  // namespace

TEST_CASE("the shapes of the course tell programs that are wrong from some size on") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    REQUIRE(course);
    for (const char* name : {"transpose", "histogram", "stencil", "reduction"}) {
        const Sizes sizes(*course, name);
        REQUIRE(sizes.problem);
        for (const std::string& title : sizes.complaints(*sizes.problem)) FAIL_CHECK(title);
    }
}

TEST_CASE("an author who leaves out large and skewed shapes is told") {
    if (test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    REQUIRE(course);
    const Sizes histogram(*course, "histogram");
    REQUIRE(histogram.problem);
    ProblemDescription without = histogram.problem->description();
    without.planned.clear();
    without.sampled.clear();
    const auto titles = histogram.complaints(Problem(without));
    CHECK(has(titles, "2^31 bytes"));
    CHECK(has(titles, "whose counters in shared memory have 16 bits"));

    const Sizes stencil(*course, "stencil");
    REQUIRE(stencil.problem);
    without = stencil.problem->description();
    without.planned.clear();
    CHECK(has(stencil.complaints(Problem(without)), "has a `rows` of 65536"));

    const Sizes transpose(*course, "transpose");
    REQUIRE(transpose.problem);
    without = transpose.problem->description();
    std::erase_if(without.check, [](const DescribedShape& one) {
        const bool is_drawn = one.extents.front().find('(') != std::string::npos;
        return is_drawn || one.extents.size() != 2 || one.extents[0] != one.extents[1] || !one.previous.empty();
    });
    REQUIRE(!without.check.empty());
    without.planned = {without.check.front()};
    CHECK(has(transpose.complaints(Problem(without)), "with the extents of its grids exchanged"));
}
