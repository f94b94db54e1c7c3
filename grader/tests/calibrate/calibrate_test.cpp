#include "calibrate/calibrate.hpp"

#include <map>
#include <set>

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("every stage of the course that gives points for performance is calibrated, with its own problem") {
    const auto course = load_course(WARPGRADE_SOURCE_DIR);
    REQUIRE(course);
    TimingLimits limits;
    limits.l2_bytes = std::uint64_t{60} << 20;
    limits.free_bytes = std::uint64_t{100} << 30;
    std::map<std::string, std::set<std::string>> classes;  // by stage
    for (const CalibrationRun& run : calibration_runs(*course, limits)) {
        CHECK_FALSE(run.stages.empty());
        for (const Stage* stage : run.stages) {
            CHECK(find_problem(stage->problem) == run.problem);
            CHECK(classes[stage->name()].insert(run.shape.shape_class).second);
        }
    }
    for (const Assignment& assignment : *course)
        for (const Stage& stage : assignment.stages) {
            INFO(stage.name());
            CHECK(classes.contains(stage.name()) == (stage.is_graded && stage.performance_points > 0));
        }
    CHECK(classes.contains("stencil/convolution"));  // another problem than its assignment's
    CHECK(classes.at("scan/open").contains("aligned"));
}
