// How far a long command is, on standard error: a bar with the time left on a terminal, now and then a line elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "base/confined.hpp"
#include "cli/render.hpp"

namespace warpgrade::cli {

// "4 s", "2 min", "1 h 5 min": rounded up, so that it is done before, not after.
std::string duration_text(double seconds);

// One line without its line break: "grading  [#####-----]  412 of 960 stages, 3 min left". `unit`: a plural with an s.
// `seconds_left` below 0: not known yet.
std::string progress_line(const std::string& what, std::size_t done, std::size_t all, const std::string& unit,
                          double seconds_left, const RenderStyle& style);

class Progress {
public:
    // `is_short`: where the output is no terminal it says nothing for the first 15 s.
    Progress(std::string what, std::string unit, bool is_short = false);
    ~Progress();  // clears the bar
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void show(std::size_t done, std::size_t all);
    // What a confined process tells by `tell_progress`, shown as long as this lives.
    Service service();

private:
    using Clock = std::chrono::steady_clock;
    double seconds_left(std::size_t done, std::size_t all) const;

    std::string what_, unit_;
    bool is_terminal_ = false, is_shown_ = false;
    Clock::time_point start_, last_;
};

constexpr const char* progress_service_name = "progress";
// In a confined process.
void tell_progress(std::size_t done, std::size_t all);

}  // namespace warpgrade::cli
