// What explain says of a modelled kernel's time.
#include "cli/check_view.hpp"
#include "cli_text/golden.hpp"
#include "grade/result.hpp"

using namespace warpgrade;
using namespace warpgrade::test;

namespace {

Bandwidth modelled() {
    Bandwidth b;
    b.origin = Origin::modelled;
    b.modelled_gpu = "NVIDIA H200";
    b.shape = "8192 x 8192";
    b.seconds = 0.0010946;
    b.gb_per_s = 490.5;
    b.copy_gb_per_s = 4137;
    b.limiter = "each store touches 32 sectors where 4 would do; L2 write throughput is the limit";
    b.limiter_line = 19;
    b.gain_without_limit = 3.94;
    b.stalls = {{"lg_throttle", 0.75}, {"long_scoreboard", 0.16}, {"drain", 0.04}, {"selected", 0.01}};
    return b;
}

}  // namespace

TEST_CASE("the time of a modelled kernel: where it goes, and what its limit costs") {
    check_golden("explain_time", cli::render_time(modelled(), {}));
}

TEST_CASE("a GPU that nobody calibrated says how far off it may be") {
    Bandwidth b = modelled();
    b.modelled_gpu = "Tesla T4";
    b.error_band = 0.5;
    check_golden("explain_time_uncalibrated", cli::render_time(b, {}));
}

TEST_CASE("how far off such times were is said where it is known") {
    Bandwidth b = modelled();
    b.error_rows = 131;
    b.error_median = 0.062;
    b.error_nine_of_ten = 0.24;
    check_golden("explain_time_error", cli::render_time(b, {}));
}

TEST_CASE("a gain within what the model errs is not said") {
    Bandwidth b = modelled();
    b.gain_without_limit = 1.0;
    b.limiter_line = 0;
    CHECK(cli::limit_text(b) == b.limiter);
}

TEST_CASE("a large gain is rounded, and a small one does not explain a large distance to the reference") {
    Bandwidth b = modelled();
    b.limiter = "it";
    b.limiter_line = 0;
    b.gain_without_limit = 127.7;
    CHECK(cli::limit_text(b) == "it; without it about 128 times as fast");
    b.share_of_reference = 0.14;
    b.gain_without_limit = 1.2;
    CHECK(
        cli::limit_text(b) ==
        "it; without it 1.2 times as fast, but the reference is 7.1 times as fast: this limit explains only a part of "
        "that");
    b.gain_without_limit = 3;
    CHECK(cli::limit_text(b) == "it; without it 3.0 times as fast");
}
