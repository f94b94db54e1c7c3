#include "host/timeline.hpp"

#include <algorithm>

namespace warpgrade::host {

std::uint64_t Timeline::make_stream(bool is_blocking) {
    streams_[next_] = {now_, is_blocking};
    return next_++;
}

void Timeline::add(std::uint64_t stream, double seconds, Engine engine) {
    constexpr std::size_t most_work_kept = 100'000;
    Stream& own = of(stream);
    double start = std::max(now_, own.done);
    const bool is_default = &own == &of(default_stream);
    for (auto& [handle, other] : streams_) {
        const bool waits = is_default ? other.is_blocking : own.is_blocking && handle == default_stream;
        if (waits) start = std::max(start, other.done);
    }
    if (engine != Engine::kernels) {
        double& copied_until = copy_engines_[engine];
        start = std::max(start, copied_until);
        copied_until = start + seconds;
    }
    own.done = start + seconds;
    if (seconds > 0 && work_.size() < most_work_kept) work_.push_back({start, own.done});
}

double Timeline::overlap() const {
    std::vector<Work> work = work_;
    std::sort(work.begin(), work.end(), [](const Work& a, const Work& b) { return a.start < b.start; });
    double all = 0, busy = 0, until = 0;
    for (const Work& one : work) {
        all += one.end - one.start;
        busy += std::max(0.0, one.end - std::max(one.start, until));
        until = std::max(until, one.end);
    }
    return busy > 0 ? all / busy : 1;
}

void Timeline::wait_for(std::uint64_t stream) { wait_until(of(stream).done); }

void Timeline::wait_for_all() {
    for (const auto& [handle, stream] : streams_) wait_until(stream.done);
}

void Timeline::wait_until(double at) {
    now_ = std::max(now_, at);
    waited_ = std::max(waited_, at);
}

void Timeline::delay(std::uint64_t stream, const Event& event) {
    Stream& own = of(stream);
    own.done = std::max(own.done, event.at);
    own.behind[event.stream] = event.at;
    for (const auto& [handle, until] : of(event.stream).behind)
        own.behind[handle] = std::max(own.behind[handle], until);
}

bool Timeline::covers(std::uint64_t stream, std::uint64_t other, double done) {
    const Stream& own = of(stream);
    if (&own == &of(other)) return true;
    if (&own == &of(default_stream)) return of(other).is_blocking;
    const auto behind = own.behind.find(other);
    return behind != own.behind.end() && done <= behind->second;
}

std::uint64_t Timeline::make_event(bool is_timed) {
    events_[next_].is_timed = is_timed;
    return next_++;
}

Timeline::Event* Timeline::event(std::uint64_t handle) {
    const auto found = events_.find(handle);
    return found == events_.end() ? nullptr : &found->second;
}

void Timeline::record(Event& event, std::uint64_t stream, int line) {
    add(stream, 0);
    event.is_recorded = true;
    event.at = of(stream).done;
    event.stream = stream;
    event.line = line;
}

double copy_seconds(std::uint64_t bytes, CopyPath path) {
    const auto size = static_cast<double>(bytes);
    switch (path) {
        case CopyPath::pageable: return 8e-6 + size / 10e9;
        case CopyPath::pinned: return 5e-6 + size / 25e9;
        case CopyPath::on_device: return 3e-6 + 2 * size / 2e12;
        case CopyPath::on_host: return size / 10e9;
    }
    return 0;
}

double launch_seconds(const vgpu::Counters& counters, std::uint32_t multiprocessors) {
    constexpr double bytes_per_second = 2e12, instructions_per_second = 4 * 1.5e9;  // of a multiprocessor
    const auto sectors = static_cast<double>(counters.global_load_sectors + counters.global_store_sectors);
    const double moved = 32 * sectors / bytes_per_second;
    const double issued =
        static_cast<double>(counters.warp_instructions) / (instructions_per_second * std::max(1u, multiprocessors));
    return 3e-6 + std::max(moved, issued);
}

}  // namespace warpgrade::host
