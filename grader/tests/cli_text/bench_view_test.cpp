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
