#include "model/multiprocessor.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>

#include "base/confined.hpp"
#include "model/memory_path.hpp"
#include "model/occupancy.hpp"

namespace warpgrade {

namespace {

// Cycles of work that may wait in a pipe before the next warp may not put more into it (the instruction queue in front
// of the memory pipes holds a few entries a scheduler).
constexpr double queue_cycles = 64;
constexpr std::size_t most_spans = 6000;                       // of a timeline: about 100 KB of JSON
constexpr std::uint64_t lines_apart = std::uint64_t{1} << 44;  // more than there is memory

struct WarpState {
    const std::vector<MicroOp>* ops = nullptr;
    std::size_t next = 0;
    double ready = 0;            // when the next instruction may issue, as far as the last one goes
    double asked = 0;            // when it was first looked at: its wait counts from here
    double drained = 0;          // when its stores have left
    double copies = 0;           // when all its cp.async so far have arrived
    std::vector<double> groups;  // and those up to the end of each group
    Stall reason = Stall::selected;
    int block = -1;           // place
    std::uint64_t apart = 0;  // of its memory from that of the first run of the same block
    int scheduler = 0;
    bool is_admitted = false;  // the pipe has room for it
    bool is_selected = false;  // the scheduler has chosen it
    std::vector<double> registers;
    std::vector<Stall> sources;
};

struct Place {
    int warps_left = 0, warps_at_barrier = 0, index = -1;
    double last_arrival = 0;
    std::vector<int> warps, waiting;
};

struct Event {
    double time;
    int what;  // a warp, or less than 0: a scheduler or the pipes, which can take the next warp
    bool operator>(const Event& other) const { return time != other.time ? time > other.time : what > other.what; }
};

enum Pipe { shared_pipe, global_pipe, pipes };  // the queues in front of the memory pipes
constexpr int next_of_pipes = -1 - schedulers;

class Machine {
public:
    Machine(const WorkSample& sample, const MachineSetup& setup, const ModelParameters& gpu)
        : sample_(sample), setup_(setup), gpu_(gpu), memory_(setup, gpu, run_) {}

    MachineRun run(const std::vector<int>& order);

private:
    void start_block(int place, double time);
    void end_warp(WarpState& w, double time);
    void arrive(int warp, double time);
    // Issues, or waits for a time, a pipe or a scheduler.
    void step(int warp, double time);
    bool has_operands(int warp, double time);
    double room_at(Pipe pipe, double time) const;
    void arm_pipes(double time);
    void arm(int scheduler, double time);
    void admit(double time);
    void select(int scheduler, double time);
    void settle(WarpState& w, double time) {  // the time since it asked goes to what it waited for
        spend(w, w.reason, w.asked, time);
        w.asked = time;
    }
    void spend(const WarpState& w, Stall reason, double from, double to) {
        run_.stalls[static_cast<std::size_t>(reason)] += to - from;
        if (setup_.is_recorded && to > from) record(static_cast<int>(&w - warps_.data()), reason, from, to);
    }
    void record(int warp, Stall reason, double from, double to);
    int wavefronts_of(const MemoryAccess* access) const {
        return access == nullptr ? 1 : setup_.what_if.ideal_wavefronts ? access->ideal : access->wavefronts;
    }
    double execute(WarpState& w, const MicroOp& op, double time, Stall& source);
    void wait(int warp, double until, Stall reason) {
        warps_[static_cast<std::size_t>(warp)].reason = reason;
        events_.push({until, warp});
    }

    const WorkSample& sample_;
    const MachineSetup& setup_;
    const ModelParameters& gpu_;
    MachineRun run_;
    MemoryPath memory_;
    std::vector<WarpState> warps_;
    std::vector<int> free_warps_;
    std::vector<Place> places_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::array<std::deque<std::pair<std::uint64_t, int>>, pipes> throttled_;  // warps in the order in which they came
    std::uint64_t throttled_so_far_ = 0;
    bool are_pipes_armed_ = false;
    std::array<std::priority_queue<int, std::vector<int>, std::greater<>>, schedulers> selectable_;
    std::array<bool, schedulers> is_scheduler_armed_{};
    std::array<double, schedulers> issue_free_{};
    double barrier_free_ = 0, last_block_start_ = -1e18;
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> last_span_;  // by warp: in the timeline
    const std::vector<int>* order_ = nullptr;
    std::size_t next_block_ = 0;
    int next_scheduler_ = 0;
};

void Machine::start_block(int place, double time) {
    if (next_block_ >= order_->size()) return;
    const std::uint64_t run = next_block_ / sample_.blocks.size();
    const int index = (*order_)[next_block_++];
    const BlockWork& work = sample_.blocks[static_cast<std::size_t>(index)];
    const double interval = gpu_.cycles_of_ns(gpu_.block_interval_ns);
    const double start = std::max(time, last_block_start_ + interval);
    last_block_start_ = start;
    Place& p = places_[static_cast<std::size_t>(place)];
    p.index = static_cast<int>(run_.block_start.size());
    p.warps_left = static_cast<int>(work.warps.size());
    p.warps_at_barrier = 0;
    p.waiting.clear();
    run_.block_start.push_back(start);
    run_.block_end.push_back(start);
    for (const auto& ops : work.warps) {
        int id = static_cast<int>(warps_.size());
        if (free_warps_.empty()) {
            warps_.emplace_back();
        } else {
            id = free_warps_.back();
            free_warps_.pop_back();
        }
        WarpState& w = warps_[static_cast<std::size_t>(id)];
        w.ops = &ops;
        w.next = 0;
        w.ready = w.asked = start;
        w.drained = w.copies = 0;
        w.groups.clear();
        w.block = place;
        w.apart = run * lines_apart;
        w.scheduler = next_scheduler_++ % schedulers;
        w.registers.assign(static_cast<std::size_t>(sample_.registers) + 1, 0);
        w.sources.assign(static_cast<std::size_t>(sample_.registers) + 1, Stall::wait);
        w.reason = Stall::wait;
        w.is_admitted = w.is_selected = false;
        events_.push({start, id});
    }
}

void Machine::end_warp(WarpState& w, double time) {
    const double end = std::max(time, w.drained);
    spend(w, Stall::drain, time, end);
    run_.warp_cycles +=
        end - run_.block_start[static_cast<std::size_t>(places_[static_cast<std::size_t>(w.block)].index)];
    Place& p = places_[static_cast<std::size_t>(w.block)];
    double& block_end = run_.block_end[static_cast<std::size_t>(p.index)];
    block_end = std::max(block_end, end);
    free_warps_.push_back(static_cast<int>(&w - warps_.data()));
    if (--p.warps_left == 0) {
        run_.cycles = std::max(run_.cycles, block_end);
        start_block(w.block, block_end + gpu_.block_turnover);
    } else if (p.warps_at_barrier == p.warps_left && p.warps_at_barrier > 0) {
        // Those that ended are waited for no more.
        for (const int other : p.waiting)
            wait(other, std::max(p.last_arrival, time) + gpu_.barrier_latency, Stall::barrier);
        p.waiting.clear();
        p.warps_at_barrier = 0;
    }
}

void Machine::arrive(int warp, double time) {
    WarpState& w = warps_[static_cast<std::size_t>(warp)];
    Place& p = places_[static_cast<std::size_t>(w.block)];
    barrier_free_ = std::max(barrier_free_, time) + gpu_.barrier_warp_cycles;
    run_.barrier += gpu_.barrier_warp_cycles;
    p.last_arrival = std::max(p.warps_at_barrier == 0 ? 0 : p.last_arrival, barrier_free_);
    ++w.next;
    w.ready = w.asked = time;
    p.waiting.push_back(warp);
    if (++p.warps_at_barrier < p.warps_left) return;
    for (const int other : p.waiting) wait(other, p.last_arrival + gpu_.barrier_latency, Stall::barrier);
    p.waiting.clear();
    p.warps_at_barrier = 0;
}

// As one span where it goes on as before.
void Machine::record(int warp, Stall reason, double from, double to) {
    Timeline& line = run_.timeline;
    if (line.is_cut) return;
    line.cycles = std::max(line.cycles, to);
    last_span_.resize(std::max(last_span_.size(), static_cast<std::size_t>(warp) + 1), none);
    std::size_t& last = last_span_[static_cast<std::size_t>(warp)];
    if (last != none && line.spans[last].reason == reason && line.spans[last].to >= from) {
        line.spans[last].to = to;
        return;
    }
    last = line.spans.size();
    line.spans.push_back({warp, from, to, reason});
    line.is_cut = line.spans.size() >= most_spans;
}

double Machine::execute(WarpState& w, const MicroOp& op, double time, Stall& source) {
    source = Stall::wait;
    const MemoryAccess* access = op.access < 0 ? nullptr : &sample_.accesses[static_cast<std::size_t>(op.access)];
    const LineTouch* lines = access == nullptr ? nullptr : sample_.lines.data() + access->first_line;
    switch (op.unit) {
        case Unit::shared_load:
            source = Stall::short_scoreboard;
            if (access != nullptr && access->turns > 0) return memory_.shared_loop(time, access->turns);
            return memory_.shared(time, wavefronts_of(access));
        case Unit::match: source = Stall::short_scoreboard; return memory_.match(time, op.pending);
        case Unit::shared_store: memory_.shared(time, wavefronts_of(access)); return time;
        case Unit::special_register: source = Stall::short_scoreboard; return memory_.special_register(time);
        case Unit::shuffle: source = Stall::short_scoreboard; return memory_.shuffle(time);
        case Unit::global_load: {
            source = Stall::long_scoreboard;
            const double done = memory_.load(time, *access, lines, w.apart);
            if (op.writes[0] < 0) w.copies = std::max(w.copies, done);  // cp.async
            return done;
        }
        case Unit::global_store:
            w.drained = std::max(w.drained, memory_.store(time, *access, lines, w.apart));
            return time;
        case Unit::global_atomic: {
            source = Stall::long_scoreboard;
            const double done = memory_.atomic(time, *access);
            if (op.writes[0] < 0) w.drained = std::max(w.drained, done);
            return done;
        }
        case Unit::fence: source = Stall::long_scoreboard; return memory_.fence(std::max(time, w.drained));
        case Unit::commit_copies: w.groups.push_back(w.copies); return time;
        case Unit::wait_for_copies: {
            source = Stall::long_scoreboard;
            if (op.pending == 0) return std::max(time, w.copies);
            const std::size_t pending = static_cast<std::size_t>(op.pending);
            return w.groups.size() > pending ? std::max(time, w.groups[w.groups.size() - 1 - pending]) : time;
        }
        default: return time + std::max(1.0, static_cast<double>(op.depth) * gpu_.alu_latency);
    }
}

// False: it waits, for the operand that comes last.
bool Machine::has_operands(int warp, double time) {
    WarpState& w = warps_[static_cast<std::size_t>(warp)];
    double until = w.ready;
    Stall reason = Stall::wait;
    if (w.next < w.ops->size()) {
        for (const std::int16_t r : (*w.ops)[w.next].reads) {
            if (r < 0) break;
            if (w.registers[static_cast<std::size_t>(r)] <= until) continue;
            until = w.registers[static_cast<std::size_t>(r)];
            reason = w.sources[static_cast<std::size_t>(r)];
        }
    }
    if (until <= time) return true;
    wait(warp, until, reason);
    return false;
}

double Machine::room_at(Pipe pipe, double time) const {
    return time + std::max(0.0, memory_.backlog(time, pipe == global_pipe) - queue_cycles);
}

void Machine::arm_pipes(double time) {
    if (are_pipes_armed_) return;
    double next = -1;
    for (const Pipe pipe : {shared_pipe, global_pipe}) {
        if (throttled_[pipe].empty()) continue;
        const double at = room_at(pipe, time);
        next = next < 0 ? at : std::min(next, at);
    }
    if (next < 0) return;
    are_pipes_armed_ = true;
    events_.push({next, next_of_pipes});
}

// Who has waited longest of those for whom there is room.
void Machine::admit(double time) {
    are_pipes_armed_ = false;
    Pipe oldest = pipes;
    for (const Pipe pipe : {shared_pipe, global_pipe}) {
        if (throttled_[pipe].empty() || room_at(pipe, time) > time) continue;
        if (oldest == pipes || throttled_[pipe].front() < throttled_[oldest].front()) oldest = pipe;
    }
    if (oldest == pipes) return arm_pipes(time);
    const int warp = throttled_[oldest].front().second;
    throttled_[oldest].pop_front();
    warps_[static_cast<std::size_t>(warp)].is_admitted = true;
    step(warp, time);  // lets the next one in when it issues
}

void Machine::arm(int scheduler, double time) {
    const auto s = static_cast<std::size_t>(scheduler);
    if (is_scheduler_armed_[s] || selectable_[s].empty()) return;
    is_scheduler_armed_[s] = true;
    events_.push({std::max(time, issue_free_[s]), -1 - scheduler});
}

void Machine::select(int scheduler, double time) {
    const auto s = static_cast<std::size_t>(scheduler);
    is_scheduler_armed_[s] = false;
    while (!selectable_[s].empty() && issue_free_[s] <= time) {
        const int warp = selectable_[s].top();
        selectable_[s].pop();
        warps_[static_cast<std::size_t>(warp)].is_selected = true;
        step(warp, time);
    }
    arm(scheduler, time);
}

void Machine::step(int warp, double time) {
    WarpState& w = warps_[static_cast<std::size_t>(warp)];
    settle(w, time);
    if (!has_operands(warp, time)) return;
    if (w.next >= w.ops->size()) return end_warp(w, time);
    const MicroOp& op = (*w.ops)[w.next];
    const bool is_shared = op.unit == Unit::shared_load || op.unit == Unit::shared_store || op.unit == Unit::shuffle ||
                           op.unit == Unit::match || op.unit == Unit::special_register;
    const bool is_global =
        op.unit == Unit::global_load || op.unit == Unit::global_store || op.unit == Unit::global_atomic;
    const Pipe pipe = is_shared ? shared_pipe : global_pipe;
    if ((is_shared || is_global) && !w.is_admitted &&
        (!throttled_[pipe].empty() || memory_.backlog(time, is_global) > queue_cycles)) {
        w.is_selected = false;
        w.reason = is_shared ? Stall::mio_throttle : Stall::lg_throttle;
        throttled_[pipe].emplace_back(throttled_so_far_++, warp);
        return arm_pipes(time);
    }
    const auto s = static_cast<std::size_t>(w.scheduler);
    if (issue_free_[s] > time || (!selectable_[s].empty() && !w.is_selected)) {
        w.reason = Stall::not_selected;
        selectable_[s].push(warp);
        return arm(w.scheduler, time);
    }
    w.is_admitted = w.is_selected = false;
    const double slots = std::max(0.25, static_cast<double>(op.instructions) * gpu_.issue_scale);
    issue_free_[s] = time + slots;
    run_.issue += slots / schedulers;
    run_.instructions += op.instructions;
    spend(w, Stall::selected, time, time + slots);
    w.asked = time + slots;
    if (op.unit == Unit::barrier && !setup_.what_if.no_barriers) return arrive(warp, time + slots);
    Stall source = Stall::wait;
    const double done = execute(w, op, time, source);
    if (is_shared || is_global) arm_pipes(time);
    for (const std::int16_t r : op.writes) {
        if (r < 0) break;
        w.registers[static_cast<std::size_t>(r)] = done;
        w.sources[static_cast<std::size_t>(r)] = source;
    }
    ++w.next;
    w.ready = time + slots;
    if ((op.unit == Unit::wait_for_copies || op.unit == Unit::fence) && done > w.ready) {
        w.ready = done;
        return wait(warp, done, Stall::long_scoreboard);
    }
    has_operands(warp, time);
}

MachineRun Machine::run(const std::vector<int>& order) {
    order_ = &order;
    places_.resize(static_cast<std::size_t>(std::max(1, setup_.resident_blocks)));
    warps_.reserve(4096);
    for (int p = 0; p < static_cast<int>(places_.size()); ++p) start_block(p, 0);
    while (!events_.empty() && !work_time_is_over()) {
        const Event e = events_.top();
        events_.pop();
        if (e.what >= 0)
            step(e.what, e.time);
        else if (e.what == next_of_pipes)
            admit(e.time);
        else
            select(-1 - e.what, e.time);
    }
    return std::move(run_);
}

}  // namespace

std::string_view name(Stall stall) {
    constexpr std::array<std::string_view, static_cast<std::size_t>(Stall::count)> names{
        "selected",    "not_selected", "wait", "long_scoreboard", "short_scoreboard", "barrier",
        "lg_throttle", "mio_throttle", "drain"};
    return names[static_cast<std::size_t>(stall)];
}

MachineRun run_multiprocessor(const WorkSample& sample, const std::vector<int>& order, const MachineSetup& setup,
                              const ModelParameters& gpu) {
    return Machine(sample, setup, gpu).run(order);
}

}  // namespace warpgrade
