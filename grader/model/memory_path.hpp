// The way of a request from the load/store pipe through L1 and L2 to DRAM. Internal to the simulation.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/machine_run.hpp"
#include "model/parameters.hpp"
#include "model/warp_ops.hpp"

namespace warpgrade {

// One multiprocessor's share of something that all share: work beyond the share waits, but a burst does not, as the
// others are not in theirs at the same time.
class SharedServer {
public:
    explicit SharedServer(double burst_cycles) : burst_(burst_cycles) {}
    // Cycles that `cost` has to wait; cost in cycles of the share.
    double add(double time, double cost);

private:
    double burst_, backlog_ = 0, last_ = 0;
};

// L1: lines of 128 bytes with sectors, the line least recently used goes.
class L1Cache {
public:
    explicit L1Cache(double bytes);
    // When each sector asked for is (or will be) there; negative: not present. `stamp`: order of use.
    double find(std::uint64_t line, std::uint8_t sector_bit);
    void fill(std::uint64_t line, std::uint8_t sectors, double arrival);

private:
    struct Line {
        std::uint8_t sectors = 0;
        double arrival = 0;
        std::uint64_t used = 0;
    };
    void evict();
    std::unordered_map<std::uint64_t, Line> lines_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> queue_;  // (used, line), oldest first; may be stale
    std::size_t head_ = 0, capacity_;
    std::uint64_t clock_ = 0;
};

class MemoryPath {
public:
    MemoryPath(const MachineSetup& setup, const ModelParameters& gpu, MachineRun& run);
    // Each returns when the result is there, or for stores when they have left the multiprocessor.
    double shared(double time, int wavefronts);
    double shared_loop(double time, int turns);
    double match(double time, int values);
    double shuffle(double time);
    double special_register(double time);
    // `apart`: added to the numbers of the lines, so that a block that runs again does so on memory of its own.
    double load(double time, const MemoryAccess& access, const LineTouch* lines, std::uint64_t apart);
    double store(double time, const MemoryAccess& access, const LineTouch* lines, std::uint64_t apart);
    double atomic(double time, const MemoryAccess& access);
    double fence(double time) const;  // when what was stored before is seen by all
    // Cycles of work in front of the pipe that the access would use.
    double backlog(double time, bool is_global) const;

private:
    double from_l2(double time, const MemoryAccess& access, const LineTouch& touch, std::uint64_t line,
                   std::uint8_t sectors);
    double dram_rate() const;                    // GB/s of this launch's mix of reads and writes
    double dram_cycles(double bytes) const;      // of this multiprocessor's share
    double dram_wait(std::uint64_t line) const;  // latency that the load adds

    const MachineSetup& setup_;
    const ModelParameters& gpu_;
    MachineRun& run_;
    L1Cache l1_;
    SharedServer l2_, atomics_;
    double pipe_free_ = 0, port_free_ = 0;
    struct Combined {  // stores to one line that leave together
        std::uint64_t line = 0;
        std::uint8_t first_open = 0;  // sectors left open, not stored to by this block before
        std::uint32_t words = 0;
    };
    void send(const Combined& packet, double time);
    const LineTouch* ideal_lines(const MemoryAccess& access, int& count);
    std::vector<LineTouch> ideal_;
    std::uint64_t ideal_line_ = std::uint64_t{1} << 56;        // behind every address
    std::vector<Combined> combining_;                          // oldest first
    std::unordered_map<std::uint64_t, std::uint8_t> fetched_;  // sectors by line
    std::vector<double> hit_debt_;                             // by buffer: turns a share of hits into whole ones
};

}  // namespace warpgrade
