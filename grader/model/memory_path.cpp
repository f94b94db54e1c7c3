#include "model/memory_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpgrade {

namespace {

constexpr double burst_cycles = 1000;       // of a share, that pass without a wait: about what is in flight
constexpr std::uint64_t granule_lines = 8;  // that sit together in DRAM
constexpr double store_backpressure = 0.95;
// Turns that L2 takes for a sector of which one word is written, two, or more: found by fit (4 bytes of a line cost 14
// to 17 ps of an H200's time, 8 bytes 15 to 19, 16 bytes 16 to 31).
constexpr int most_turns = 3;
// Latency of one turn of a loop of compare-and-swap, in loads of shared memory: an addition takes one warp 95 to 104
// cycles on an H100.
constexpr double loads_of_a_loop = 3.3;
// What all multiprocessors must see takes longer than a read that hits: a fence behind a store 482 cycles on an H200,
// an atomic whose result is used 542, a read 289.
constexpr double seen_by_all = 1.7;
// L2 fetches twice a sector (CUDA's default for cudaLimitMaxL2FetchGranularity; microbenchmark scatter_read: chunks of
// 32 bytes cost what those of 64 do). Where all of a buffer is read, the other half is hit in L2 later.
constexpr double fetch_bytes = 64;

}  // namespace

double SharedServer::add(double time, double cost) {
    const double passed = std::max(0.0, time - last_);
    last_ = std::max(last_, time);
    backlog_ = std::max(0.0, backlog_ - passed) + cost;
    return std::max(0.0, backlog_ - burst_);
}

L1Cache::L1Cache(double bytes) : capacity_(static_cast<std::size_t>(bytes / line_bytes)) {}

double L1Cache::find(std::uint64_t line, std::uint8_t sector_bit) {
    const auto at = lines_.find(line);
    if (at == lines_.end() || !(at->second.sectors & sector_bit)) return -1;
    at->second.used = ++clock_;
    queue_.emplace_back(clock_, line);
    return at->second.arrival;
}

void L1Cache::fill(std::uint64_t line, std::uint8_t sectors, double arrival) {
    Line& l = lines_[line];
    l.sectors |= sectors;
    l.arrival = std::max(l.arrival, arrival);
    l.used = ++clock_;
    queue_.emplace_back(clock_, line);
    while (lines_.size() > capacity_) evict();
}

void L1Cache::evict() {
    while (head_ < queue_.size()) {
        const auto [used, line] = queue_[head_++];
        const auto at = lines_.find(line);
        if (at == lines_.end() || at->second.used != used) continue;  // used again since, or gone
        lines_.erase(at);
        break;
    }
    if (head_ > 65536) {
        queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(head_));
        head_ = 0;
    }
}

MemoryPath::MemoryPath(const MachineSetup& setup, const ModelParameters& gpu, MachineRun& run)
    : setup_(setup),
      gpu_(gpu),
      run_(run),
      l1_(setup.l1_bytes),
      l2_(burst_cycles),
      atomics_(burst_cycles),
      hit_debt_(setup.l2_hit.size(), 0.0) {}

double MemoryPath::backlog(double time, bool is_global) const {
    return std::max(0.0, (is_global ? std::max(pipe_free_, port_free_) : pipe_free_) - time);
}

double MemoryPath::shared(double time, int wavefronts) {
    const double start = std::max(time, pipe_free_);
    pipe_free_ = start + wavefronts;
    run_.load_store += wavefronts;
    return start + gpu_.shared_latency + (wavefronts - 1) * gpu_.shared_conflict_cycles;
}

// A loop of a load, an addition and a compare-and-swap, once for each lane that shares a word.
double MemoryPath::shared_loop(double time, int turns) {
    const double start = std::max(time, pipe_free_), cost = turns * gpu_.shared_float_add_cycles;
    pipe_free_ = start + cost;
    run_.load_store += cost;
    return start + turns * std::max(gpu_.shared_float_add_cycles, loads_of_a_loop * gpu_.shared_latency);
}

double MemoryPath::match(double time, int values) {
    const double start = std::max(time, pipe_free_), cost = values * gpu_.match_value_cycles;
    pipe_free_ = start + cost;
    run_.load_store += cost;
    return start + cost + gpu_.shuffle_latency;
}

double MemoryPath::shuffle(double time) {
    const double start = std::max(time, pipe_free_);
    pipe_free_ = start + 1;
    run_.load_store += 1;
    return start + gpu_.shuffle_latency;
}

// Between reads alone and the mix that a copy is.
double MemoryPath::dram_rate() const {
    const double reads = 1 / gpu_.dram_read_gb_per_s, copies = 1 / gpu_.dram_copy_gb_per_s;
    return 1 / (reads + (copies - reads) * std::min(1.0, 2 * setup_.write_share));
}

double MemoryPath::dram_cycles(double bytes) const {
    return gpu_.cycles_of_ns(bytes / dram_rate() * gpu_.multiprocessors);
}

double MemoryPath::special_register(double time) {
    const double start = std::max(time, pipe_free_);
    pipe_free_ = start + gpu_.special_register_cycles;
    run_.load_store += gpu_.special_register_cycles;
    return start + gpu_.shuffle_latency;
}

// Requests wait differently long, by where in memory they go: neighbours in memory together.
double MemoryPath::dram_wait(std::uint64_t line) const {
    // The queue is that of a DRAM that could reach its peak: at the rate of a good copy it is long, but not endless.
    const double load = std::min(setup_.dram_load, 1.0) * dram_rate() / gpu_.dram_peak_gb_per_s;
    const double mean = (gpu_.dram_queue_read + gpu_.dram_queue_write * setup_.write_share) * load / (1 - load);
    const double random = std::min(mean, gpu_.dram_queue_random);
    std::uint64_t hash = line / granule_lines * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 29;
    hash *= 0xBF58476D1CE4E5B9ull;
    const double uniform = (static_cast<double>(hash >> 32) + 0.5) / 4294967296.0;
    const double place = static_cast<double>(hash & 0xFFFF) / 65536.0;  // near or far memory
    return mean - random - std::log(uniform) * random + (2 * place - 1) * gpu_.dram_spread;
}

double MemoryPath::from_l2(double time, const MemoryAccess& access, const LineTouch& touch, std::uint64_t line,
                           std::uint8_t sectors) {
    const int count = __builtin_popcount(sectors);
    const double cost =
        std::max(gpu_.share_of_ps(gpu_.l2_read_line_ps), count * gpu_.share_of_ps(gpu_.l2_read_sector_ps));
    run_.l2_read += cost;
    run_.l2_sectors += count;
    const double start = time + l2_.add(time, cost);
    // What this multiprocessor asked L2 for before is still there.
    std::uint8_t& fetched = fetched_[line];
    double misses = __builtin_popcount(sectors & static_cast<std::uint8_t>(~fetched));
    fetched |= sectors;
    if (access.buffer >= 0 && misses > 0) {
        const auto buffer = static_cast<std::size_t>(access.buffer);
        hit_debt_[buffer] += misses * setup_.l2_hit[buffer];
        const double hits = std::min(std::floor(hit_debt_[buffer]), misses);
        hit_debt_[buffer] -= hits;
        misses -= hits;
    }
    if (misses <= 0) return start + gpu_.l2_latency;
    const double bytes = misses * sector_bytes * setup_.dram_read_factor;
    run_.dram_bytes += bytes;
    const double least =
        access.buffer >= 0 && setup_.reads_all[static_cast<std::size_t>(access.buffer)] ? fetch_bytes : 0;
    const double run = setup_.loads_continue && !touch.is_piece ? most_run : std::max<double>(touch.run, least);
    const double dram_cost = dram_cycles(bytes) * std::max(gpu_.dram_least_read_run, run + gpu_.dram_read_run) /
                             std::max(run, 32.0) * (most_run / (most_run + gpu_.dram_read_run));
    run_.dram += dram_cost;
    return start + gpu_.dram_latency + dram_wait(line);
}

// The same bytes side by side, in lines that nobody else touches.
const LineTouch* MemoryPath::ideal_lines(const MemoryAccess& access, int& count) {
    count = std::max<int>(1, (access.bytes + line_bytes - 1) / line_bytes);
    ideal_.assign(static_cast<std::size_t>(count),
                  LineTouch{.sectors = 15, .first = 15, .words = ~0u, .run = most_run});
    for (LineTouch& touch : ideal_) touch.line = ++ideal_line_;
    const int last = (access.bytes - (count - 1) * line_bytes + sector_bytes - 1) / sector_bytes;
    ideal_.back().sectors = ideal_.back().first = static_cast<std::uint8_t>((1 << last) - 1);
    ideal_.back().words >>= (4 - last) * words_of_a_sector;
    return ideal_.data();
}

double MemoryPath::load(double time, const MemoryAccess& access, const LineTouch* lines, std::uint64_t apart) {
    int line_count = access.lines, wavefronts = access.wavefronts;
    if (setup_.what_if.ideal_loads) {
        lines = ideal_lines(access, line_count);
        wavefronts = line_count;
    }
    const double start = std::max(time, std::max(pipe_free_, port_free_));
    const double cost = wavefronts;
    pipe_free_ = start + cost;
    run_.load_store += cost;
    double done = start + gpu_.l1_latency;
    int missed = 0;
    for (int i = 0; i < line_count; ++i) {
        const LineTouch& touch = lines[i];
        const std::uint64_t line = touch.line + apart;
        const double at = start + cost * (i + 1) / line_count;
        std::uint8_t missing = 0;
        for (int s = 0; s < 4; ++s) {
            const auto bit = static_cast<std::uint8_t>(1u << s);
            if (!(touch.sectors & bit)) continue;
            const double arrival = l1_.find(line, bit);
            if (arrival < 0)
                missing |= bit;
            else
                done = std::max(done, std::max(arrival, at + gpu_.l1_latency));
        }
        if (missing == 0) continue;
        const double arrival = from_l2(at, access, touch, line, missing);
        missed += __builtin_popcount(missing);
        l1_.fill(line, missing, arrival);
        done = std::max(done, arrival);
    }
    if (setup_.is_recorded && missed > 0 && !run_.timeline.is_cut)
        run_.timeline.loads.push_back({start, done, static_cast<double>(missed * sector_bytes)});
    return done;
}

// A packet of the combining buffer goes to L2.
void MemoryPath::send(const Combined& packet, double time) {
    // Sectors of a line of which the same words are written travel together. A whole one takes one turn.
    int sectors = 0, packets = 0, turns = 0;
    std::array<std::uint32_t, 4> sent{};
    for (int s = 0; s < 4; ++s) {
        const std::uint32_t words = words_in(packet.words, s);
        if (words == 0) continue;
        if (std::find(sent.begin(), sent.begin() + packets, words) == sent.begin() + packets)
            sent[static_cast<std::size_t>(packets++)] = words;
        ++sectors;
        turns += words == whole_sector ? 1 : std::min(most_turns, __builtin_popcount(words));
    }
    const double ps = packets * gpu_.l2_write_packet_ps + turns * gpu_.l2_write_sector_ps;
    const double l2_cost = gpu_.share_of_ps(ps + __builtin_popcount(packet.first_open) * setup_.open_sector_ps);
    const double port_cost = std::max(sectors * gpu_.store_sector_cycles, gpu_.store_packet_cycles);
    run_.l2_write += l2_cost;
    run_.store_port += port_cost;
    run_.l2_sectors += sectors;
    const double enter = std::max(time, port_free_);
    const double wait = l2_.add(enter, l2_cost);
    port_free_ = enter + std::max(port_cost, wait > 0 ? l2_cost : 0.0);
}

double MemoryPath::store(double time, const MemoryAccess& access, const LineTouch* lines, std::uint64_t apart) {
    int line_count = access.lines, wavefronts = access.wavefronts;
    if (setup_.what_if.ideal_stores) {
        lines = ideal_lines(access, line_count);
        wavefronts = line_count;
    }
    const double start = std::max(time, pipe_free_);
    pipe_free_ = start + wavefronts;
    run_.load_store += wavefronts;
    for (int i = 0; i < line_count; ++i) {
        const LineTouch& touch = lines[i];
        const std::uint64_t line = touch.line + apart;
        const auto known =
            std::find_if(combining_.begin(), combining_.end(), [&](const Combined& c) { return c.line == line; });
        if (known != combining_.end()) {
            Combined merged = *known;
            combining_.erase(known);
            merged.words |= touch.words;
            merged.first_open |= touch.open & touch.first;
            combining_.push_back(merged);
        } else {
            if (static_cast<double>(combining_.size()) >= gpu_.store_buffer_lines) {
                send(combining_.front(), start);
                combining_.erase(combining_.begin());
            }
            combining_.push_back({line, static_cast<std::uint8_t>(touch.open & touch.first), touch.words});
        }
        const double bytes = __builtin_popcount(touch.first) * sector_bytes * setup_.dram_write_factor;
        if (bytes > 0) {
            // What other blocks add to a line before it leaves L2 goes to DRAM with it.
            const double added = setup_.filled_lines * std::max(0, line_bytes - touch.run);
            const double run = setup_.stores_continue ? most_run : touch.run + added;
            const double dram_cost = dram_cycles(bytes) *
                                     std::max(gpu_.dram_least_write_run, run + gpu_.dram_write_run) /
                                     std::max(run, 32.0) * (most_run / (most_run + gpu_.dram_write_run));
            run_.dram += dram_cost;
            run_.dram_bytes += bytes;
            run_.dram_written += bytes;
            // The queue of a DRAM that is busy holds stores up as well.
            if (setup_.dram_load > store_backpressure) port_free_ = std::max(port_free_, start) + dram_cost;
        }
    }
    return std::max(start, port_free_);
}

double MemoryPath::fence(double time) const { return time + seen_by_all * gpu_.l2_latency; }

double MemoryPath::atomic(double time, const MemoryAccess& access) {
    const double start = std::max(time, std::max(pipe_free_, port_free_));
    pipe_free_ = start + 1;
    run_.load_store += 1;
    const double cost = access.turns * setup_.atomic_turn_cycles;
    run_.atomics += cost;
    const double wait = atomics_.add(start, cost);
    if (wait > 0) port_free_ = start + cost;
    return start + wait + seen_by_all * gpu_.l2_latency;
}

}  // namespace warpgrade
