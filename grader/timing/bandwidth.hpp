// What a launcher moves in a second, measured or modelled, and what it is compared with.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/multiprocessor.hpp"
#include "problem/verdict.hpp"
#include "problem/yardstick.hpp"

namespace warpgrade {

struct Bandwidth {
    Origin origin = Origin::none;
    std::string shape;
    double seconds = 0, gb_per_s = 0, copy_gb_per_s = 0, reference_gb_per_s = 0, iqr_seconds = 0;
    int samples = 0;
    std::string limiter;
    std::string shape_class{};  // aligned | odd | thin | small
    Verdict verdict = Verdict::ok;
    std::string detail{};  // of a verdict that is not ok
    // Of the submission's bandwidth to the reference's; the ends of its 95 % interval. 0: no reference.
    double share_of_reference = 0, share_low = 0, share_high = 0;
    Yardstick yardstick = Yardstick::copy;  // what copy_gb_per_s is of
    Origin reference_origin = Origin::none;
    double memcpy_gb_per_s = 0;                                        // 0: the yardstick is another one
    double sm_clock_mhz = 0, memory_clock_mhz = 0, temperature_c = 0;  // after the last sample; 0 = unknown
    std::vector<std::string> throttled_by{};
    double seconds_spent = 0;  // on measuring
    // Modelled: for which GPU, how far off as a fraction (0: see the profile's validation), where warps wait (share of
    // their time by Nsight Compute's stall reason), the source line that the limiter is about, and the gain without it.
    std::string modelled_gpu{};
    double error_band = 0;
    // Of such times of the problem's kernels on that GPU, where some were compared: how many, and how far off half of
    // them and nine of ten are at most.
    int error_rows = 0;
    double error_median = 0, error_nine_of_ten = 0;
    std::map<std::string, double> stalls{};
    Timeline timeline{};
    int limiter_line = 0;
    double gain_without_limit = 0;
    bool is_launching = false;   // most of the modelled time: the rate says nothing of the kernel
    bool is_capped = false;      // the model's time was less than the copy's, which stands here instead
    std::uint64_t elements = 0;  // of the shape, as the problem counts them
    double flops = 0;            // floating-point operations of the shape, as the problem counts them; 0: it does not
    double gflop_per_s() const { return seconds > 0 ? flops / seconds / 1e9 : 0; }
    // What the yardstick is about: TFLOP/s of arithmetic, else GB/s.
    std::string_view rate_unit() const { return yardstick == Yardstick::compute ? "TFLOP/s" : "GB/s"; }
    double rate() const { return yardstick == Yardstick::compute ? gflop_per_s() / 1e3 : gb_per_s; }
    std::string shape_text() const;  // as --shape takes it: "1024x777"
};

}  // namespace warpgrade
