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

TEST_CASE("a limit that several shapes have is said once, and the CPU only where it was asked for") {
    BenchStage stage;
    stage.assignment = "transpose";
    stage.stage = "padding";
    stage.source_path = "4_padding.cu";
    for (const std::int64_t side : {1024, 2048, 4096}) {
        BenchPoint& point = stage.points.emplace_back();
        point.shape.extents = {side, side};
        point.bandwidth.origin = Origin::modelled;
        point.bandwidth.seconds = 1e-4;
        point.bandwidth.gb_per_s = 84;
        point.bandwidth.limiter = "shared memory is the limit";
        point.bandwidth.limiter_line = 9;
        point.bandwidth.gain_without_limit = 1 + static_cast<double>(side) / 4096;
    }
    const std::string text = cli::render_bench(stage, {});
    CHECK(text.find("  all: shared memory is the limit (line 9); without it 1.2 to 2.0 times as fast\n") != text.npos);
    CHECK(text.find("limit", text.find("the limit") + 9) == text.npos);
    CHECK(text.find("CPU") == text.npos);
    stage.points[2].bandwidth.limiter_line = 0;
    stage.points[1].bandwidth.gain_without_limit = stage.points[0].bandwidth.gain_without_limit;
    stage.points[1].cpu_gb_per_s = 0.5;
    const std::string apart = cli::render_bench(stage, {});
    CHECK(apart.find("  1024 x 1024, 2048 x 2048: shared memory is the limit (line 9)") != apart.npos);
    CHECK(apart.find("  4096 x 4096: shared memory is the limit;") != apart.npos);
    CHECK(apart.find("CPU") != apart.npos);
}
