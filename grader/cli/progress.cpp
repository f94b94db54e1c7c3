#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

constexpr int bar_columns = 20;

}  // namespace

std::string duration_text(double seconds) {
    const auto whole = static_cast<long>(std::ceil(std::max(seconds, 0.0)));
    if (whole < 100) return fmt::format("{} s", whole);
    const long minutes = (whole + 59) / 60;
    return minutes < 60 ? fmt::format("{} min", minutes) : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string progress_line(const std::string& what, std::size_t done, std::size_t all, const std::string& unit,
                          double seconds_left, const RenderStyle& style) {
    const auto filled = all == 0 ? bar_columns : static_cast<int>(bar_columns * done / all);
    const std::string left = done == all        ? ""
                             : seconds_left < 0 ? ", time left not known yet"
                                                : fmt::format(", {} left", duration_text(seconds_left));
    return cut(fmt::format("{}  [{}{}]  {} of {} {}{}", what, std::string(static_cast<std::size_t>(filled), '#'),
                           std::string(static_cast<std::size_t>(bar_columns - filled), '-'), done, all,
                           all == 1 ? unit.substr(0, unit.size() - 1) : unit, left),
               style.columns - 1);
}

Progress::Progress(std::string what, std::string unit, bool is_short)
    : what_(std::move(what)), unit_(std::move(unit)), is_terminal_(is_terminal(STDERR_FILENO)), start_(Clock::now()) {
    last_ = is_short && !is_terminal_ ? start_ : start_ - std::chrono::hours(1);
}

Progress::~Progress() {
    if (is_terminal_ && is_shown_) std::cerr << "\r\x1b[K" << std::flush;
}

double Progress::seconds_left(std::size_t done, std::size_t all) const {
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    if (done < 4 || elapsed < 1) return -1;
    return elapsed / static_cast<double>(done) * static_cast<double>(all - done);
}

void Progress::show(std::size_t done, std::size_t all) {
    if (all == 0) return;
    const auto now = Clock::now();
    const auto pause = is_terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(15'000);
    if ((done != all || !is_shown_) && now - last_ < pause) return;
    last_ = now;
    is_shown_ = true;
    const std::string line = progress_line(what_, done, all, unit_, seconds_left(done, all), style_of(STDERR_FILENO));
    std::cerr << (is_terminal_ ? "\r" + line + "\x1b[K" : line + "\n") << std::flush;
}

Service Progress::service() {
    return [this](const wire::Fields& request) -> wire::Fields {
        if (request.size() == 2)
            show(std::strtoull(request[0].c_str(), nullptr, 10), std::strtoull(request[1].c_str(), nullptr, 10));
        return {};
    };
}

void tell_progress(std::size_t done, std::size_t all) {
    ask_outside(progress_service_name, {std::to_string(done), std::to_string(all)});
}

}  // namespace warpgrade::cli
