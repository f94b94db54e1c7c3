#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "calibrate/microbenchmark_l2.hpp"
#include "calibrate/microbenchmark_rig.hpp"
#include "calibrate/microbenchmarks.hpp"
#include "model/warp_ops.hpp"
#include "timing/measure_statistics.hpp"
#include "timing/measure_yardstick.hpp"

namespace warpgrade {

namespace {

std::string mebibytes(std::uint64_t bytes) {
    return bytes >= 1 << 20 ? fmt::format("{} MiB", bytes >> 20) : fmt::format("{} KiB", bytes >> 10);
}

// --- DRAM: rates and latency --------------------------------------------------------------------------------------

double dram_copy(MicrobenchmarkRig& rig) {
    const double by_memcpy = gb_per_s(2.0 * static_cast<double>(rig.bytes()), rig.seconds(rig.memcpy(rig.bytes())));
    const double by_kernel = gb_per_s(2.0 * static_cast<double>(rig.bytes()),
                                      rig.seconds(rig.launch(copy_call(rig.in(), rig.out(), rig.bytes()))));
    rig.note("memcpy of " + mebibytes(rig.bytes()), by_memcpy, "GB/s");
    rig.note("float4 a thread", by_kernel, "GB/s");
    return std::max(by_memcpy, by_kernel);
}

// A loop that has `each` accesses of `width` bytes a thread in flight, `threads` threads on every multiprocessor.
struct Flight {
    double gb_per_s = 0;
    double cycles = 0;  // of a turn of the loop
    double load = 0;    // share of DRAM's peak
    double queue() const { return load / (1 - load); }
};
struct Loop {
    const char* kernel;  // read_<each>x<width>, or a copy, with each = 1
    int threads, each, width;
    bool is_copy = false;
};

Flight fly(MicrobenchmarkRig& rig, const Loop& loop) {
    const int a_block = std::min(loop.threads, 256);
    const std::uint64_t blocks = processors(rig) * static_cast<std::uint64_t>(loop.threads / a_block);
    const auto width = static_cast<std::uint64_t>(loop.width);
    const std::uint64_t a_turn = blocks * static_cast<std::uint64_t>(a_block * loop.each);  // accesses
    const std::uint64_t turns =
        std::min(rig.bytes() / width, static_cast<std::uint64_t>(loop.threads) * processors(rig) * 1024) / a_turn;
    const double seconds = rig.seconds(
        rig.launch(loop.kernel, blocks, a_block, rig.in(), turns * a_turn, loop.is_copy ? rig.out() : rig.nowhere()));
    Flight flight;
    flight.gb_per_s = gb_per_s(static_cast<double>(turns * a_turn * width) * (loop.is_copy ? 2 : 1), seconds);
    flight.cycles = seconds * 1e9 * clock_ghz(rig) / static_cast<double>(turns);
    flight.load = flight.gb_per_s / rig.device().dram_peak_gb_per_s;
    return flight;
}

// Threads on a multiprocessor, in whole blocks of 256.
int share_of_threads(const MicrobenchmarkRig& rig, int divisor) {
    return std::max(rig.device().max_threads_per_sm / divisor / 256, 1) * 256;
}

double dram_read(MicrobenchmarkRig& rig) {
    const int threads = share_of_threads(rig, 1);
    const double rate = fly(rig, {"read_4x16", threads, 4, 16}).gb_per_s;
    rig.note(fmt::format("{} threads x 4 x 16 bytes", threads), rate, "GB/s");
    return rate;
}

// Cycles of a load in a chain through `bytes` of memory, none of it in a cache before but what a walk through all of it
// leaves there.
double chase(MicrobenchmarkRig& rig, std::uint64_t bytes, bool is_in_cache) {
    constexpr unsigned words_apart = 64, most_steps = 20000;
    const auto nodes = static_cast<unsigned>(bytes / (words_apart * 4));
    const int steps = static_cast<int>(is_in_cache ? most_steps : std::min(nodes, most_steps));
    const int warm_up = is_in_cache ? static_cast<int>(nodes) : 16;
    rig.counts(rig.launch("link_nodes", (nodes + 255) / 256, 256, rig.out(), nodes, words_apart), 0);
    const double cycles =
        rig.median_count(rig.launch("chase", 1, 1, rig.out(), warm_up, steps, rig.results(), rig.in()), 1, true);
    rig.note(mebibytes(bytes), cycles / steps, "cycles");
    return cycles / steps;
}
double dram_latency(MicrobenchmarkRig& rig) { return chase(rig, std::bit_floor(4 * rig.device().l2_bytes), false); }
double l2_latency(MicrobenchmarkRig& rig) { return chase(rig, std::bit_floor(rig.device().l2_bytes / 8), true); }
double l1_latency(MicrobenchmarkRig& rig) { return chase(rig, 16 << 10, true); }

// A warp that reads 4 lines waits for the slowest: 0.6 of the spread above the mean, where places are spread evenly.
double dram_spread(MicrobenchmarkRig& rig) {
    const Flight one_line = fly(rig, {"read_1x4", 32, 1, 4}), four_lines = fly(rig, {"read_1x16", 32, 1, 16});
    rig.note("a turn of 32 threads x 1 x 4 bytes", one_line.cycles, "cycles");
    rig.note("x 1 x 16 bytes", four_lines.cycles, "cycles");
    return std::max(0.0, (four_lines.cycles - one_line.cycles) / 0.6);
}

// Latency that a busy DRAM adds to that of one warp a multiprocessor, over load / (1 - load).
double queue_of(MicrobenchmarkRig& rig, const std::vector<Loop>& loops, double least_load, double most_load) {
    std::vector<double> slopes;
    for (const Loop& loop : loops) {
        const Flight busy = fly(rig, loop);
        if (busy.load < least_load || busy.load > most_load) continue;
        Loop alone = loop;
        alone.threads = 32;
        const Flight idle = fly(rig, alone);
        if (busy.queue() < 2 * idle.queue()) continue;
        slopes.push_back((busy.cycles - idle.cycles) / (busy.queue() - idle.queue()));
        rig.note(fmt::format("{} threads x {} x {} bytes, load {:.2f}", loop.threads, loop.each, loop.width, busy.load),
                 busy.cycles - idle.cycles, "cycles more");
    }
    if (slopes.empty())
        rig.note_text(fmt::format("no loop kept DRAM {:.0f} to {:.0f} % busy", 100 * least_load, 100 * most_load));
    return slopes.empty() ? std::nan("") : quantile(slopes, 0.5);
}
double dram_queue_read(MicrobenchmarkRig& rig) {
    const int full = share_of_threads(rig, 1), half = share_of_threads(rig, 2), quarter = share_of_threads(rig, 4);
    return queue_of(rig,
                    {{"read_1x16", half, 1, 16},
                     {"read_2x16", half, 2, 16},
                     {"read_2x4", full, 2, 4},
                     {"read_4x4", full, 4, 4},
                     {"read_1x16", full, 1, 16},
                     {"read_2x16", quarter, 2, 16},
                     {"read_4x16", quarter, 4, 16}},
                    0.6, 0.95);
}
double dram_queue_write(MicrobenchmarkRig& rig) {
    const int full = share_of_threads(rig, 1), half = share_of_threads(rig, 2), quarter = share_of_threads(rig, 4);
    constexpr double write_share = 0.5;
    const double copying = queue_of(rig,
                                    {{"copy_1x16", quarter, 1, 16, true},
                                     {"copy_1x16", half, 1, 16, true},
                                     {"copy_1x4", half, 1, 4, true},
                                     {"copy_1x4", full, 1, 4, true}},
                                    0.4, 0.85);
    return (copying - rig.value("dram_queue_read")) / write_share;
}

// What a cold read of as much as the measurement's flush leaves behind takes beyond its launch and its bytes: lines of
// the flush that are written to DRAM meanwhile.
double dirty_bytes(MicrobenchmarkRig& rig) {
    const std::uint64_t bytes = std::min<std::uint64_t>(std::uint64_t{64} << 20, rig.bytes());
    const double seconds =
        rig.seconds(rig.launch("read_1x16", processors(rig) * 16, 512, rig.in(), bytes / 16, rig.nowhere()));
    rig.note("read of " + mebibytes(bytes), seconds * 1e6, "us");
    const double beyond =
        seconds - rig.value("launch_us") * 1e-6 - static_cast<double>(bytes) / (rig.value("dram_read_gb_per_s") * 1e9);
    return std::max(0.0, beyond * rig.value("dram_copy_gb_per_s") * 1e9);
}

// --- DRAM: runs of bytes ------------------------------------------------------------------------------------------

// Nanoseconds that a chunk of `bytes` takes, chunks in an order without locality.
double scattered(MicrobenchmarkRig& rig, const char* kernel, unsigned bytes, bool is_read) {
    const std::uint64_t blocks = processors(rig) * 8;
    const auto groups = static_cast<unsigned>(blocks * 256 / (bytes / 4));
    // Not a power of two, so that the order jumps; whole turns of the loop.
    const unsigned chunks = static_cast<unsigned>(std::bit_floor(rig.bytes()) / bytes) - 1;
    const unsigned count = chunks / (4 * groups) * (4 * groups);
    const double seconds = rig.seconds(is_read ? rig.launch(kernel, blocks, 256, rig.in(), chunks, count, rig.nowhere())
                                               : rig.launch(kernel, blocks, 256, rig.out(), chunks, count));
    const double ns = seconds * 1e9 / count;
    rig.note(fmt::format("chunks of {} bytes", bytes), 1 / ns, "chunks/ns");
    return ns;
}

// The model takes bytes / rate * (run + extra) / run for a run, in units where the longest run costs its bytes alone.
double extra_of(double bytes_of_a_run, double bytes_it_costs) {
    const double share = bytes_it_costs / bytes_of_a_run;
    return (share - 1) / (1 / bytes_of_a_run - share / most_run);
}
double dram_read_run(MicrobenchmarkRig& rig) {
    return extra_of(128, scattered(rig, "scatter_read_32", 128, true) * rig.value("dram_read_gb_per_s"));
}
double dram_write_run(MicrobenchmarkRig& rig) {
    return extra_of(128, scattered(rig, "scatter_write_32", 128, false) * rig.value("dram_copy_gb_per_s"));
}
double dram_least_read_run(MicrobenchmarkRig& rig) {
    const double ns = (scattered(rig, "scatter_read_8", 32, true) + scattered(rig, "scatter_read_16", 64, true)) / 2;
    return ns * rig.value("dram_read_gb_per_s") * (1 + rig.value("dram_read_run") / most_run);
}
double dram_least_write_run(MicrobenchmarkRig& rig) {
    const double ns =
        (scattered(rig, "scatter_write_8", 32, false) + scattered(rig, "scatter_write_16", 64, false)) / 2;
    return ns * rig.value("dram_copy_gb_per_s") * (1 + rig.value("dram_write_run") / most_run);
}

// --- a multiprocessor ---------------------------------------------------------------------------------------------

double shared_chase(MicrobenchmarkRig& rig, unsigned stride) {
    constexpr int steps = 1000;
    const double cycles =
        rig.median_count(rig.launch("chase_shared", 1, 32, stride, steps, rig.results(), rig.in()), 1) / steps;
    rig.note(fmt::format("stride {}", stride), cycles, "cycles");
    return cycles;
}
double shared_latency(MicrobenchmarkRig& rig) { return shared_chase(rig, 1); }
double shared_conflict(MicrobenchmarkRig& rig) { return (shared_chase(rig, 32) - shared_chase(rig, 2)) / 30; }

double chain(MicrobenchmarkRig& rig, const char* kernel) {
    constexpr int turns = 100, links_a_turn = 16;
    const double cycles = rig.median_count(rig.launch(kernel, 1, 32, turns, rig.results(), rig.in()), 1);
    return cycles / (turns * links_a_turn);
}
double alu_latency(MicrobenchmarkRig& rig) { return chain(rig, "chain_of_fma"); }
double shuffle_latency(MicrobenchmarkRig& rig) {
    const double both = chain(rig, "chain_of_shuffles");
    rig.note("a shuffle and an addition", both, "cycles");
    return both - rig.value("alu_latency");
}

constexpr int of_a_full_block = 1024 / 32, each_turn = 16;  // warps; instructions of a kernel's loop

double match_value(MicrobenchmarkRig& rig) {
    constexpr int turns = 32;
    constexpr unsigned values = 32, zero = 0;
    const double cycles =
        rig.median_count(rig.launch("matches", 1, 1024, turns, values, zero, rig.results(), rig.in()), 1);
    return cycles / (turns * each_turn * of_a_full_block * static_cast<int>(values));
}
double shared_float_add(MicrobenchmarkRig& rig) {
    constexpr int turns = 8;
    const double cycles = rig.median_count(rig.launch("shared_float_adds", 1, 1024, turns, rig.results(), rig.in()), 1);
    return cycles / (turns * each_turn * of_a_full_block);
}

double barrier(MicrobenchmarkRig& rig, int threads, int resident) {
    constexpr int turns = 1000;
    const std::uint64_t blocks = processors(rig) * static_cast<std::uint64_t>(resident);
    const double cycles =
        rig.median_count(rig.launch("barriers", blocks, threads, turns, rig.results()), blocks) / turns;
    rig.note(fmt::format("{} x {} threads", resident, threads), cycles, "cycles");
    return cycles;
}
// One block of many warps, and many blocks: both keep the barrier unit busy with warps.
double barrier_warp(MicrobenchmarkRig& rig) {
    const int blocks = std::min(8, rig.device().max_threads_per_sm / 256);
    const double one_block = (barrier(rig, 1024, 1) - barrier(rig, 32, 1)) / 31;
    return (one_block + barrier(rig, 256, blocks) / (8.0 * blocks)) / 2;
}
double barrier_latency(MicrobenchmarkRig& rig) { return barrier(rig, 32, 1) - rig.value("barrier_warp_cycles"); }

// --- blocks -------------------------------------------------------------------------------------------------------

double block_interval(MicrobenchmarkRig& rig) {
    constexpr std::uint64_t each = 2048;
    return rig.seconds(rig.launch("nothing", processors(rig) * each, 256), false) * 1e9 / each;
}

// From each end of a block to the start of the one that takes its place, on the same multiprocessor.
double turnover(MicrobenchmarkRig& rig, int resident) {
    constexpr int threads = 256, rounds = 8;
    constexpr unsigned spin_cycles = 3000;
    const ProfileDevice& device = rig.device();
    const auto places = static_cast<std::size_t>(resident);
    const std::size_t blocks = processors(rig) * places * rounds;
    const std::uint64_t end = rig.results() + 8 * blocks, where = end + 8 * blocks;
    auto launch = rig.launch("stamp", blocks, threads, rig.results(), end, where, spin_cycles);
    // As much shared memory as keeps further blocks out, which CUDA adds 1 KiB a block to.
    const std::uint64_t shared = std::min(device.shared_bytes_per_block, device.shared_bytes_per_sm / places - 1024);
    launch.shared_bytes = static_cast<std::uint32_t>(shared / 1024 * 1024);
    std::vector<double> gaps;
    for (int run = 0; run < MicrobenchmarkRig::samples; ++run) {
        const auto seen = rig.counts(launch, 3 * blocks);
        std::map<std::uint64_t, std::pair<std::vector<double>, std::vector<double>>> by_processor;
        for (std::size_t i = 0; i < blocks; ++i) {
            auto& [starts, ends] = by_processor[seen[2 * blocks + i]];
            starts.push_back(static_cast<double>(seen[i]));
            ends.push_back(static_cast<double>(seen[blocks + i]));
        }
        for (auto& [processor, times] : by_processor) {
            auto& [starts, ends] = times;
            std::sort(starts.begin(), starts.end());
            std::sort(ends.begin(), ends.end());
            for (std::size_t i = places; i < starts.size(); ++i) gaps.push_back(starts[i] - ends[i - places]);
        }
    }
    const double cycles = gaps.empty() ? 0 : quantile(gaps, 0.5);
    rig.note(fmt::format("{} block{} resident", resident, resident == 1 ? "" : "s"), cycles, "cycles");
    return cycles;
}
double block_turnover(MicrobenchmarkRig& rig) {
    return quantile({turnover(rig, 1), turnover(rig, 2), turnover(rig, rig.device().max_threads_per_sm / 256)}, 0.5);
}

}  // namespace

const std::vector<Microbenchmark>& microbenchmarks() {
    static const std::vector<Microbenchmark> rows{
        {"dram_copy_gb_per_s", "dram_copy", dram_copy},
        {"dram_read_gb_per_s", "in_flight", dram_read},
        {"dram_latency", "latency", dram_latency},
        {"l2_latency", "latency", l2_latency},
        {"l1_latency", "latency", l1_latency},
        {"dram_spread", "in_flight", dram_spread, true},
        {"dram_queue_read", "in_flight", dram_queue_read},
        {"dram_queue_write", "copy_in_flight", dram_queue_write},
        {"dram_read_run", "scatter_read", dram_read_run},
        {"dram_least_read_run", "scatter_read", dram_least_read_run},
        {"dram_write_run", "scatter_write", dram_write_run},
        {"dram_least_write_run", "scatter_write", dram_least_write_run},
        {"dirty_bytes", "cold_read", dirty_bytes, true},
        {"l2_read_line_ps", "load_strided", l2_read_line},
        {"l2_read_sector_ps", "load_strided", l2_read_sector},
        {"l2_write_sector_ps", "store_strided", l2_write_sector},
        {"l2_write_packet_ps", "store_strided", l2_write_packet},
        {"l2_far_partial_ps", "shifted_copy", l2_far_partial, true},
        {"store_sector_cycles", "few_write", store_sector},
        {"store_packet_cycles", "few_store_strided", store_packet},
        {"match_value_cycles", "matches", match_value},
        {"shared_float_add_cycles", "shared_float_add", shared_float_add},
        {"atomic_address_ns", "atomic_add", atomic_address},
        {"atomic_turn_ns", "atomic_count", atomic_turn},
        {"atomic_unit_bytes", "atomic_count", atomic_unit},
        {"atomic_lanes_per_ns", "atomic_add", atomic_lanes},
        {"shared_latency", "shared_latency", shared_latency},
        {"shared_conflict_cycles", "shared_latency", shared_conflict},
        {"alu_latency", "fma_chain", alu_latency},
        {"shuffle_latency", "shuffle_chain", shuffle_latency},
        {"barrier_warp_cycles", "barrier", barrier_warp},
        {"barrier_latency", "barrier", barrier_latency},
        {"block_interval_ns", "empty_blocks", block_interval},
        {"block_turnover", "turnover", block_turnover},
    };
    return rows;
}

}  // namespace warpgrade
