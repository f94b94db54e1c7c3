// Modelled time: of the host, and at which each stream and each event is done.
//
// A copy takes as long as its bytes at the rate of its kind, a launch as long as its bytes or its instructions at the
// rates below, whichever is longer. There is one copy engine for each direction, so that copies of one direction do not
// overlap; kernels of several streams do. The rates are round numbers for a card of the data centre, good for an order
// of size; `bench` has the model that is measured.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "vgpu/counters.hpp"

namespace warpgrade::host {

class Timeline {
public:
    static constexpr std::uint64_t default_stream = 0, legacy = 1, per_thread = 2;
    struct Stream {
        double done = 0;  // in seconds, as all here
        bool is_blocking = true;
        std::map<std::uint64_t, double>
            behind{};  // other streams, by cudaStreamWaitEvent: until when it is behind them
    };

    bool has_room() const { return streams_.size() + events_.size() < 65536; }
    std::uint64_t make_stream(bool is_blocking);
    bool has_stream(std::uint64_t stream) const { return stream <= per_thread || streams_.contains(stream); }
    bool was_made(std::uint64_t handle) const { return handle > per_thread && handle < next_; }
    void destroy_stream(std::uint64_t stream) { streams_.erase(stream); }

    enum class Engine : std::uint8_t { kernels, copies_to_gpu, copies_to_host };
    // Work of so many seconds, in order behind what the stream has, and behind others where the default stream waits.
    void add(std::uint64_t stream, double seconds, Engine engine = Engine::kernels);
    // The times of all work together, over the time in which some of it runs: 1 where nothing overlaps.
    double overlap() const;
    void wait_for(std::uint64_t stream);  // the host
    // Whether who has waited for the stream has waited for what another one was done with by then.
    bool covers(std::uint64_t stream, std::uint64_t other, double done);
    void wait_for_all();
    bool is_done(std::uint64_t stream) { return of(stream).done <= now_; }
    // Whether the host has waited so long, by its own will.
    bool has_waited_until(double at) const { return at <= waited_; }
    void pass(double seconds) { now_ += seconds; }  // on the host
    double now() const { return now_; }

    struct Event {
        bool is_recorded = false, is_timed = true;
        double at = 0;
        std::uint64_t stream = 0;
        int line = 0;
        std::uint64_t launches = 0, copies = 0;  // of all streams, before it was recorded
    };
    std::uint64_t make_event(bool is_timed);
    Event* event(std::uint64_t handle);
    void destroy_event(std::uint64_t handle) { events_.erase(handle); }
    void record(Event& event, std::uint64_t stream, int line);
    void wait_until(double at);
    void delay(std::uint64_t stream, const Event& event);

private:
    Stream& of(std::uint64_t stream) { return streams_[stream <= per_thread ? default_stream : stream]; }

    std::map<std::uint64_t, Stream> streams_;
    std::map<std::uint64_t, Event> events_;
    std::uint64_t next_ = 0x100;  // handles: of no stream and of no event are the same
    double now_ = 0, waited_ = 0;
    std::map<Engine, double> copy_engines_;  // until when each copies
    struct Work {
        double start = 0, end = 0;
    };
    std::vector<Work> work_;  // the first so many
};

enum class CopyPath : std::uint8_t { pageable, pinned, on_device, on_host };
double copy_seconds(std::uint64_t bytes, CopyPath path);
double launch_seconds(const vgpu::Counters& counters, std::uint32_t multiprocessors);
inline constexpr double host_seconds = 5e-10;  // of the host, for an instruction
inline constexpr double call_seconds = 1e-6;   // of the host, for a call of the runtime

}  // namespace warpgrade::host
