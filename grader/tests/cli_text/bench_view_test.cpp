#include "cli/bench_view.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("a stage of which nothing was timed says where to look") {
    BenchStage stage;
    stage.assignment = "transpose";
    stage.stage = "padding";
    stage.source_path = "assignments/transpose/4_padding.cu";
    CHECK(cli::render_bench(stage, {}) ==
          "transpose/padding  assignments/transpose/4_padding.cu\n"
          "  nothing was timed: only what is right is; `check` says what is not\n");
}

TEST_CASE("a modelled table says so once, and has no column for a spread that a model does not have") {
    BenchStage stage;
    stage.assignment = "transpose";
    stage.stage = "padding";
    stage.source_path = "4_padding.cu";
    BenchPoint point;
    point.shape.extents = {1024, 1024};
    point.bandwidth.origin = Origin::modelled;
    point.bandwidth.modelled_gpu = "Tesla T4";
    point.bandwidth.error_band = 0.5;
    point.bandwidth.seconds = 1e-4;
    point.bandwidth.gb_per_s = 84;
    stage.points = {point};
    const std::string text = cli::render_bench(stage, {});
    CHECK(text.find("IQR") == std::string::npos);
    CHECK(text.find("modelled for Tesla T4, not measured; times may be 50 % off\n") != std::string::npos);
    stage.points[0].bandwidth.origin = Origin::measured;
    stage.points[0].bandwidth.iqr_seconds = 1e-6;
    const std::string measured = cli::render_bench(stage, {});
    CHECK(measured.find("IQR") != std::string::npos);
    CHECK(measured.find("1.0 %") != std::string::npos);
    CHECK(measured.find("modelled") == std::string::npos);
}
