// Where the time of a grading went, in seconds.
#pragma once

#include <chrono>

namespace warpgrade {

struct TimeBreakdown {
    double compiling = 0;  // every build of it, waits for the compiler's process included
    double on_virtual_gpu = 0;
    double on_card = 0;  // the cases
    double timing = 0;   // bandwidths, the reference's compilation included
};

// Adds the seconds of its life to one account, and takes them off another.
class Stopwatch {
public:
    explicit Stopwatch(double& account, double* of = nullptr) : account_(account), of_(of) {}
    ~Stopwatch() {
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        account_ += seconds;
        if (of_) *of_ -= seconds;
    }
    Stopwatch(const Stopwatch&) = delete;

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    double& account_;
    double* of_;
};

}  // namespace warpgrade
