#include "model/limiter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"

namespace warpgrade {

namespace {

constexpr double worth_saying = 1.10;  // a gain below this is within what the model errs
constexpr double busy_enough = 0.8;    // of DRAM's time, to call it the limit
constexpr double few_lanes = 24;       // of 32: fewer take part because of the program, not of the ends of its data
constexpr double many_local = 0.05;    // of the instructions

std::string one_decimal(double value) {
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

int line_with_most(const std::map<int, double>& lines) {
    const auto most =
        std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == lines.end() ? 0 : most->first;
}

// What the requests of one kind touch on average, and on which line of the source the most of it is.
struct Requests {
    double count = 0, units = 0, ideal = 0, lanes = 0;
    int line = 0;
    double lanes_each() const { return count > 0 ? lanes / count : 32; }
    double per_request() const { return count > 0 ? units / count : 0; }
    double ideal_per_request() const { return count > 0 ? ideal / count : 0; }
};

Requests requests_of(const WorkSample& work, Unit unit) {
    Requests r;
    std::map<int, double> lines;
    for (const BlockWork& block : work.blocks) {
        for (const auto& warp : block.warps) {
            for (const MicroOp& op : warp) {
                if (op.unit != unit || op.access < 0) continue;
                const MemoryAccess& access = work.accesses[static_cast<std::size_t>(op.access)];
                double units = access.wavefronts, ideal = access.ideal;
                if (unit == Unit::global_load || unit == Unit::global_store) {
                    units = 0;
                    for (std::size_t k = 0; k < access.lines; ++k)
                        units += __builtin_popcount(work.lines[access.first_line + k].sectors);
                    ideal = (access.bytes + sector_bytes - 1) / sector_bytes;
                }
                ++r.count;
                r.lanes += access.lanes;
                r.units += units;
                r.ideal += ideal;
                lines[access.line_number] += units - ideal;
            }
        }
    }
    r.line = line_with_most(lines);
    return r;
}

// Instructions for which `is_it` is true, a warp, and the line with the most of them.
struct Counted {
    double each_warp = 0, share = 0;  // of all instructions
    int line = 0;
};

template <class Is>
Counted count_ops(const WorkSample& work, Is&& is_it) {
    double found = 0, all = 0, warps = 0;
    std::map<int, double> lines;
    for (const BlockWork& block : work.blocks)
        for (std::size_t w = 0; w < block.warps.size(); ++w, ++warps)
            for (const MicroOp& op : block.warps[w]) {
                all += op.instructions;
                if (!is_it(op)) continue;
                found += block.warps_left_out[w];
                lines[op.line] += op.instructions;
            }
    double slots = 0;
    for (const auto& [line, instructions] : lines) slots += instructions;
    return {warps > 0 ? found / warps : 0, all > 0 ? slots / all : 0, line_with_most(lines)};
}

struct Candidate {
    WhatIf what_if;
    std::string sentence;
    int line = 0;
    bool has_gain = true;  // the gain is one of what the sentence says
};

// Of the instructions of the blocks that were looked at, the share that the busiest warp of each makes.
double share_of_busiest_warp(const WorkSample& work) {
    double all = 0, busiest = 0;
    for (const BlockWork& block : work.blocks) {
        std::size_t most = 0;
        for (const auto& warp : block.warps) {
            all += static_cast<double>(warp.size());
            most = std::max(most, warp.size());
        }
        busiest += static_cast<double>(most);
    }
    return all > 0 ? busiest / all : 0;
}

std::string memory_sentence(const char* what, const Requests& r, const char* limit) {
    return fmt::format("each {} touches {} sectors where {} would do; {} is the limit", what,
                       one_decimal(r.per_request()), one_decimal(r.ideal_per_request()), limit);
}

// Blocks of a multiprocessor at a time: as many as fit, if the grid has them.
int resident_blocks(const SampledLaunch& launch, const ModelParameters& gpu) {
    const auto each = static_cast<std::uint64_t>(gpu.multiprocessors);
    const std::uint64_t launched = std::max<std::uint64_t>(1, (launch.blocks + each - 1) / each);
    return static_cast<int>(std::min<std::uint64_t>(launched, std::max(1, launch.occupancy.blocks)));
}

// Bytes that a multiprocessor with a block has under way when every resident warp waits for its loads.
double bytes_in_flight(const SampledLaunch& launch, const ModelParameters& gpu) {
    double bytes = 0, warps = 0;
    for (const BlockWork& block : launch.work.blocks) {
        for (const auto& warp : block.warps) {
            // Loads up to the first instruction that reads what one of them wrote.
            std::array<bool, 32768> awaited{};
            double now = 0, most = 0;
            for (const MicroOp& op : warp) {
                bool waits = op.unit == Unit::barrier;
                for (const std::int16_t r : op.reads) waits = waits || (r >= 0 && awaited[static_cast<std::size_t>(r)]);
                if (waits) {
                    most = std::max(most, now);
                    now = 0;
                    awaited.fill(false);
                }
                if (op.unit != Unit::global_load || op.access < 0) continue;
                now += launch.work.accesses[static_cast<std::size_t>(op.access)].bytes;
                for (const std::int16_t r : op.writes)
                    if (r >= 0) awaited[static_cast<std::size_t>(r)] = true;
            }
            bytes += std::max(most, now);
            ++warps;
            if (warps >= 8) break;
        }
        if (warps >= 8) break;
    }
    const int warps_a_block = (launch.resources.threads + 31) / 32;
    return warps > 0 ? bytes / warps * warps_a_block * resident_blocks(launch, gpu) : 0;
}

// Bytes that a multiprocessor has to have under way to keep the memory busy. Little's law with the latency of a memory
// that is nearly busy: about 2.5 times the idle one (microbenchmark in_flight: 93 % of the bandwidth with 32 KiB under
// way on an H200).
double needed_bytes(const ModelParameters& gpu) {
    constexpr double busy_latency = 2.5;
    return busy_latency * gpu.dram_read_gb_per_s / gpu.multiprocessors * gpu.dram_latency / gpu.clock_ghz;
}

Timeline timeline_of(const SampledLaunch& launch, MachineSetup setup, const ModelParameters& gpu) {
    setup.is_recorded = true;
    std::vector<int> order(launch.work.blocks.size());
    std::iota(order.begin(), order.end(), 0);
    Timeline line = run_multiprocessor(launch.work, order, setup, gpu).timeline;
    line.needed_bytes = needed_bytes(gpu);
    return line;
}

std::string latency_sentence(const SampledLaunch& launch, const Requests& loads, const ModelParameters& gpu) {
    const double needed = needed_bytes(gpu);
    const double under_way = bytes_in_flight(launch, gpu);
    if (const std::string idle = idle_multiprocessors(launch, gpu); !idle.empty()) return idle + "; launch more blocks";
    std::string text = "warps wait for memory with too little under way";
    if (under_way > 0 && under_way < needed)
        text =
            fmt::format("too few bytes are under way: {} KiB a multiprocessor, where about {:.0f} keep the memory busy",
                        one_decimal(under_way / 1024), needed / 1024);
    if (loads.lanes_each() < few_lanes)
        return text + fmt::format("; only {} of 32 lanes take part in a load", one_decimal(loads.lanes_each()));
    const int resident = resident_blocks(launch, gpu) * launch.resources.threads;
    if (resident > gpu.max_threads_per_sm / 2) return text + "; let each thread load more before it uses the first";
    if (resident_blocks(launch, gpu) < launch.occupancy.blocks)
        return text + fmt::format("; {} blocks are {} of {} threads of a multiprocessor: launch more blocks",
                                  launch.blocks, resident, gpu.max_threads_per_sm);
    const std::string& what = launch.occupancy.limited_by;
    return text + fmt::format("; only {} of {} threads fit at once, because of {}", resident, gpu.max_threads_per_sm,
                              what != "shared memory" ? what
                                                      : fmt::format("the {} bytes of shared memory a block has",
                                                                    launch.resources.shared_bytes));
}

Candidate instructions_of(const WorkSample& work) {
    Candidate busy{{.free_instructions = true}, "the multiprocessors are busy with instructions, not with memory", 0};
    double resting = 0;
    for (const auto& [line, lanes] : work.resting) resting += lanes;
    const double active = 32 - resting / std::max(work.instructions, 1.0);
    if (const Counted local = count_ops(work, [](const MicroOp& op) { return op.is_local; });
        local.share > many_local) {
        busy.sentence = fmt::format(
            "the multiprocessors are busy with instructions, and {:.0f} % of them access an array that is in local "
            "memory because the compiler does not know an index of it",
            100 * local.share);
        busy.line = local.line;
    } else if (active < few_lanes) {
        busy.sentence = fmt::format(
            "the multiprocessors are busy with instructions, in which only {} of 32 lanes take part on average",
            one_decimal(active));
        busy.line = line_with_most(work.resting);
    }
    return busy;
}

std::vector<Candidate> candidates_of(const SampledLaunch& launch, const LaunchTime& time, const ModelParameters& gpu) {
    const WorkSample& work = launch.work;
    std::vector<Candidate> all;
    const Requests loads = requests_of(work, Unit::global_load), stores = requests_of(work, Unit::global_store);
    Requests shared = requests_of(work, Unit::shared_load);
    const Requests shared_stores = requests_of(work, Unit::shared_store),
                   atomics = requests_of(work, Unit::global_atomic);
    if (stores.units > 1.05 * stores.ideal)
        all.push_back({{.ideal_stores = true}, memory_sentence("store", stores, "L2 write throughput"), stores.line});
    if (loads.units > 1.05 * loads.ideal)
        all.push_back(
            {{.ideal_loads = true}, memory_sentence("load", loads, "the way from L1 to the warps"), loads.line});
    if (shared_stores.units - shared_stores.ideal > shared.units - shared.ideal) shared = shared_stores;
    if (shared.units > 1.05 * shared.ideal)
        all.push_back(
            {{.ideal_wavefronts = true},
             fmt::format("each shared access takes {} wavefronts where {} would do; shared memory is the limit",
                         one_decimal(shared.per_request()), one_decimal(shared.ideal_per_request())),
             shared.line});
    if (atomics.count > 0)
        all.push_back({{.free_atomics = true},
                       std::string("atomic additions to the same address wait for each other") +
                           (atomics.lanes_each() > 1 ? ", where each block could add up first" : ""),
                       atomics.line});
    if (time.run.barrier > 0) {
        const Counted barriers = count_ops(work, [](const MicroOp& op) { return op.unit == Unit::barrier; });
        all.push_back({{.no_barriers = true},
                       fmt::format("warps wait for each other at __syncthreads, {} in a block",
                                   barriers.each_warp < 1.5 ? "once" : fmt::format("{:.0f} times", barriers.each_warp)),
                       barriers.line});
    }
    const double busiest = launch.resources.threads >= 128 ? share_of_busiest_warp(work) : 0;
    if (busiest > 0.5)
        all.push_back(
            {{.free_blocks = true},
             fmt::format("one warp of a block makes {:.0f} % of its instructions, and the others wait or have "
                         "ended; share the work among the threads",
                         100 * busiest),
             0,
             false});
    else
        all.push_back({{.free_blocks = true},
                       fmt::format("blocks of {} threads end so soon that starting the next ones is the limit; give "
                                   "each block more to do",
                                   launch.resources.threads),
                       0});
    if (time.run.issue > 0.3 * time.run.cycles) all.push_back(instructions_of(work));
    all.push_back({{.more_in_flight = true}, latency_sentence(launch, loads, gpu), 0});
    return all;
}

// Which launch it is about, where there are several.
std::string launch_name(std::span<const SampledLaunch> launches, std::size_t i) {
    return launches.size() < 2 ? "" : fmt::format("{}, launch {} of {}: ", launches[i].kernel, i + 1, launches.size());
}

}  // namespace

std::string idle_multiprocessors(const SampledLaunch& launch, const ModelParameters& gpu) {
    const auto all = static_cast<std::uint64_t>(gpu.multiprocessors);
    return launch.blocks >= all ? "" : fmt::format("{} of {} multiprocessors have no block", all - launch.blocks, all);
}

TimeExplanation explain_time(std::span<const SampledLaunch> launches, const PlanTime& time,
                             const ModelParameters& gpu) {
    TimeExplanation explanation;
    if (launches.empty()) return explanation;
    double total = 0;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < time.launches.size(); ++i) {
        const MachineRun& run = time.launches[i].run;
        for (std::size_t s = 0; s < run.stalls.size(); ++s)
            if (run.warp_cycles > 0)
                explanation.stalls[std::string(name(static_cast<Stall>(s)))] +=
                    run.stalls[s] / run.warp_cycles * time.launches[i].seconds;
        total += time.launches[i].seconds;
        if (time.launches[i].seconds > time.launches[longest].seconds) longest = i;
    }
    for (auto& [reason, share] : explanation.stalls) share /= total;

    const SampledLaunch& launch = launches[longest];
    const LaunchTime& alone = time.launches[longest];
    explanation.timeline = timeline_of(launch, alone.setup, gpu);
    const std::vector<Candidate> candidates = candidates_of(launch, alone, gpu);
    std::vector<double> gains(candidates.size());
    for_each_in_parallel(gains.size(), threads_for(gains.size()), [&](std::size_t i) {
        const double without = time_of({&launch, 1}, gpu, candidates[i].what_if).seconds;
        gains[i] = time.seconds / (time.seconds - alone.seconds + without);
    });
    double best = worth_saying;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Candidate& candidate = candidates[i];
        const double gain = gains[i];
        if (gain <= best) continue;
        // A cause says more than the waiting that comes of it.
        if (candidate.what_if.more_in_flight && best > worth_saying && gain < 1.5 * best) continue;
        best = gain;
        explanation.limiter = launch_name(launches, longest) + candidate.sentence;
        explanation.line = candidate.line;
        explanation.gain_without_limit = candidate.has_gain ? gain : 1;
    }
    const double launching = (gpu.launch_us + gpu.next_launch_us * static_cast<double>(launches.size() - 1)) * 1e-6;
    if (launching > 0.5 * time.seconds) {
        explanation.is_launching = true;
        explanation.limiter = "most of the time goes into launching: the matrix or the array is too small to tell more";
        explanation.gain_without_limit = time.seconds / (time.seconds - launching);
        explanation.line = 0;
    } else if (explanation.limiter.empty()) {
        const double busy = alone.run.dram / std::max(alone.run.cycles, 1.0);
        explanation.limiter = busy > 0.95          ? "DRAM bandwidth: the memory gives no more"
                              : busy > busy_enough ? fmt::format(
                                                         "DRAM bandwidth: the memory is busy {:.0f} % of the "
                                                         "time, and no other limit is worth much",
                                                         100 * busy)
                                                   : "no single limit: memory, instructions and waiting share the time";
    }
    return explanation;
}

}  // namespace warpgrade
