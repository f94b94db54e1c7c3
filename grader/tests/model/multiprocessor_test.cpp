// The simulation on work made by hand, where the time can be worked out.
#include "model/multiprocessor.hpp"

#include <array>
#include <map>
#include <numeric>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

ModelParameters plain_gpu() {
    auto profile = load_profile(std::string(WARPGRADE_SOURCE_DIR) + "/grader/profiles/h200.toml");
    REQUIRE(profile.ok());
    ModelParameters gpu = *parameters_of(*profile);
    gpu.dram_spread = gpu.dram_queue_random = 0;
    gpu.block_interval_ns = 0;
    return gpu;
}

MicroOp arithmetic(std::int16_t from, std::int16_t to) {
    MicroOp op;
    op.reads[0] = from;
    op.writes[0] = to;
    return op;
}

// Blocks of identical warps; `make` fills one warp, given the sample and the numbers of block and warp.
template <class Make>
WorkSample sample_of(int blocks, int warps, Make make) {
    WorkSample sample;
    sample.registers = 64;
    for (int b = 0; b < blocks; ++b) {
        BlockWork block;
        for (int w = 0; w < warps; ++w) {
            block.warps.emplace_back();
            make(sample, block.warps.back(), b, w);
        }
        sample.blocks.push_back(std::move(block));
    }
    return sample;
}

MicroOp memory_op(WorkSample& sample, Unit unit, std::uint64_t line, int lines, std::uint8_t sectors, bool whole,
                  std::int16_t reg) {
    MemoryAccess access;
    access.first_line = static_cast<std::uint32_t>(sample.lines.size());
    access.lines = static_cast<std::uint16_t>(lines);
    access.wavefronts = static_cast<std::uint16_t>(std::max(1, lines / 4));
    access.bytes = 128;
    access.lanes = 32;
    access.buffer = 0;
    access.is_store = unit == Unit::global_store;
    for (int i = 0; i < lines; ++i) {
        LineTouch touch;
        touch.line = line + static_cast<std::uint64_t>(i);
        touch.sectors = touch.first = sectors;
        for (int s = 0; s < 4; ++s)
            if (sectors >> s & 1) touch.words |= (whole ? whole_sector : 1u) << (s * words_of_a_sector);
        touch.run = most_run;
        sample.lines.push_back(touch);
    }
    sample.accesses.push_back(access);
    MicroOp op;
    op.unit = unit;
    op.access = static_cast<std::int32_t>(sample.accesses.size() - 1);
    if (access.is_store)
        op.reads[0] = reg;
    else
        op.writes[0] = reg;
    return op;
}

MachineRun run(const WorkSample& sample, const ModelParameters& gpu, int resident, double load = 0,
               bool is_recorded = false) {
    MachineSetup setup;
    setup.is_recorded = is_recorded;
    setup.resident_blocks = resident;
    setup.l1_bytes = 64 * 1024;
    setup.l2_hit = {0};
    setup.reads_all = {false};
    setup.dram_load = load;
    std::vector<int> order(sample.blocks.size());
    std::iota(order.begin(), order.end(), 0);
    return run_multiprocessor(sample, order, setup, gpu);
}

double share(const MachineRun& r, Stall stall) { return r.stalls[static_cast<std::size_t>(stall)] / r.warp_cycles; }

}  // namespace

TEST_CASE("a chain of arithmetic takes its latency each") {
    const ModelParameters gpu = plain_gpu();
    const WorkSample sample = sample_of(1, 1, [](WorkSample&, std::vector<MicroOp>& ops, int, int) {
        for (int i = 0; i < 100; ++i) ops.push_back(arithmetic(1, 1));
    });
    const MachineRun r = run(sample, gpu, 1);
    CHECK(r.cycles == Approx(99 * gpu.alu_latency + 1).epsilon(0.02));
    CHECK(share(r, Stall::wait) > 0.6);
}

TEST_CASE("four schedulers issue one instruction a cycle each") {
    const ModelParameters gpu = plain_gpu();
    const WorkSample sample = sample_of(1, 32, [](WorkSample&, std::vector<MicroOp>& ops, int, int) {
        for (std::int16_t i = 0; i < 60; ++i) ops.push_back(arithmetic(-1, i));
    });
    const MachineRun r = run(sample, gpu, 1);
    CHECK(r.cycles == Approx(32 * 60 / 4).epsilon(0.05));
    CHECK(share(r, Stall::not_selected) > 0.5);
}

TEST_CASE("a load that misses takes DRAM's latency, one behind it on the same line takes L1's") {
    const ModelParameters gpu = plain_gpu();
    const WorkSample sample = sample_of(1, 1, [](WorkSample& s, std::vector<MicroOp>& ops, int, int) {
        ops.push_back(memory_op(s, Unit::global_load, 1000, 1, 15, false, 1));
        ops.push_back(arithmetic(1, 2));
        ops.push_back(memory_op(s, Unit::global_load, 1000, 1, 15, false, 3));
        ops.push_back(arithmetic(3, 4));
    });
    const MachineRun r = run(sample, gpu, 1);
    CHECK(r.cycles == Approx(gpu.dram_latency + gpu.l1_latency).epsilon(0.05));
    CHECK(share(r, Stall::long_scoreboard) > 0.9);
}

TEST_CASE("loads before the first use overlap, loads each used at once do not") {
    const ModelParameters gpu = plain_gpu();
    const auto loads = [&](bool used_at_once) {
        return run(sample_of(1, 1,
                             [&](WorkSample& s, std::vector<MicroOp>& ops, int, int) {
                                 for (std::int16_t k = 0; k < 4; ++k) {
                                     ops.push_back(memory_op(s, Unit::global_load,
                                                             1000u + 8u * static_cast<unsigned>(k), 1, 15, false, k));
                                     if (used_at_once) ops.push_back(arithmetic(k, 10));
                                 }
                                 for (std::int16_t k = 0; k < 4; ++k) ops.push_back(arithmetic(k, 11));
                             }),
                   gpu, 1)
            .cycles;
    };
    CHECK(loads(true) / loads(false) == Approx(4).epsilon(0.1));
}

TEST_CASE("a wait for copies leaves the groups behind it under way") {
    const ModelParameters gpu = plain_gpu();
    const auto cycles = [&](std::int16_t pending) {
        const WorkSample sample = sample_of(1, 1, [&](WorkSample& s, std::vector<MicroOp>& ops, int, int) {
            MicroOp commit, wait;
            commit.unit = Unit::commit_copies;
            wait.unit = Unit::wait_for_copies;
            wait.pending = pending;
            for (unsigned k = 0; k < 8; ++k) {
                ops.push_back(memory_op(s, Unit::global_load, 1000 + 8 * k, 1, 15, false, -1));
                ops.push_back(commit);
                ops.push_back(wait);
            }
            wait.pending = 0;
            ops.push_back(wait);
        });
        return run(sample, gpu, 1).cycles;
    };
    const double one_by_one = cycles(0);
    CHECK(one_by_one > 8 * gpu.dram_latency);
    CHECK(cycles(1) == Approx(one_by_one / 2).epsilon(0.2));
    CHECK(cycles(3) == Approx(one_by_one / 4).epsilon(0.2));
}

TEST_CASE("stores to one sector a line cost L2 a packet each, whole lines one together") {
    const ModelParameters gpu = plain_gpu();
    const auto stores = [&](int lines, std::uint8_t sectors, bool whole) {
        return run(sample_of(8, 8,
                             [&](WorkSample& s, std::vector<MicroOp>& ops, int b, int w) {
                                 for (unsigned k = 0; k < 8; ++k) {
                                     const auto line =
                                         static_cast<std::uint64_t>(((b * 8 + w) * 8 + static_cast<int>(k)) * 64);
                                     ops.push_back(memory_op(s, Unit::global_store, line, lines, sectors, whole, 1));
                                 }
                             }),
                   gpu, 8);
    };
    const MachineRun scattered = stores(32, 1, false), together = stores(1, 15, true);
    CHECK(scattered.l2_write / together.l2_write > 15);
    CHECK(scattered.cycles > 4 * together.cycles);
    CHECK(scattered.l2_write == Approx(scattered.cycles).epsilon(0.2));  // L2's write throughput is the limit
}

TEST_CASE("a sector of which several words are written costs L2 turns for them, and one that has come together none") {
    const ModelParameters gpu = plain_gpu();
    const auto turns = [&](std::uint32_t first, std::uint32_t second) {
        const WorkSample sample = sample_of(1, 1, [&](WorkSample& s, std::vector<MicroOp>& ops, int, int) {
            for (const std::uint32_t words : {first, second}) {
                if (words == 0) continue;
                ops.push_back(memory_op(s, Unit::global_store, 1000, 1, 1, false, -1));
                s.lines.back().words = words;
            }
            for (std::uint64_t line = 0; line < 64; ++line)  // through the buffer
                ops.push_back(memory_op(s, Unit::global_store, 5000 + line, 1, 15, true, -1));
        });
        return run(sample, gpu, 1).l2_write;
    };
    const double one = turns(1, 0), turn = gpu.share_of_ps(gpu.l2_write_sector_ps);
    CHECK(turns(3, 0) == Approx(one + turn));
    CHECK(turns(15, 0) == Approx(one + 2 * turn));  // no more than three
    CHECK(turns(255, 0) == Approx(one));            // a whole one: one
    CHECK(turns(15, 240) == Approx(one));
    CHECK(turns(1 | 1 << 8, 0) == Approx(one + turn));  // the same word of two sectors: together
    CHECK(turns(1 | 2 << 8, 0) == Approx(one + turn + gpu.share_of_ps(gpu.l2_write_packet_ps)));
}

TEST_CASE("half a line is written to DRAM as a whole where another block stores the rest in time") {
    const ModelParameters gpu = plain_gpu();
    WorkSample sample = sample_of(8, 8, [&](WorkSample& s, std::vector<MicroOp>& ops, int b, int w) {
        ops.push_back(memory_op(s, Unit::global_store, static_cast<std::uint64_t>(b * 8 + w) * 64, 1, 3, true, 1));
    });
    const auto dram_of = [&](std::uint16_t run, double filled) {
        for (LineTouch& touch : sample.lines) touch.run = run;
        MachineSetup setup;
        setup.resident_blocks = 8;
        setup.filled_lines = filled;
        std::vector<int> order(8);
        std::iota(order.begin(), order.end(), 0);
        return run_multiprocessor(sample, order, setup, gpu).dram;
    };
    CHECK(dram_of(64, 0) > 1.2 * dram_of(128, 0));
    CHECK(dram_of(64, 1) == Approx(dram_of(128, 0)));
}

TEST_CASE("a fence waits until what was stored before is seen by all") {
    const ModelParameters gpu = plain_gpu();
    const WorkSample sample = sample_of(1, 1, [](WorkSample& s, std::vector<MicroOp>& ops, int, int) {
        ops.push_back(memory_op(s, Unit::global_store, 5, 1, 15, true, 1));
        MicroOp fence;
        fence.unit = Unit::fence;
        ops.push_back(fence);
        ops.push_back(arithmetic(-1, 3));
    });
    CHECK(run(sample, gpu, 1).cycles > 1.5 * gpu.l2_latency);
}

TEST_CASE("warps wait at a barrier for the slowest of them") {
    const ModelParameters gpu = plain_gpu();
    const WorkSample sample = sample_of(1, 4, [](WorkSample& s, std::vector<MicroOp>& ops, int, int w) {
        if (w == 0) {
            ops.push_back(memory_op(s, Unit::global_load, 5, 1, 15, false, 1));
            ops.push_back(arithmetic(1, 2));
        }
        MicroOp barrier;
        barrier.unit = Unit::barrier;
        ops.push_back(barrier);
        ops.push_back(arithmetic(-1, 3));
    });
    const MachineRun r = run(sample, gpu, 1);
    CHECK(r.cycles == Approx(gpu.dram_latency + gpu.barrier_latency).epsilon(0.05));
    CHECK(share(r, Stall::barrier) == Approx(0.75).epsilon(0.05));
}

TEST_CASE("a timeline has each cycle of each warp once, and what loads have under way") {
    const ModelParameters gpu = plain_gpu();
    const WorkSample sample = sample_of(2, 4, [](WorkSample& all, std::vector<MicroOp>& ops, int block, int warp) {
        const auto line = static_cast<std::uint64_t>(block * 4 + warp) * 64;
        ops.push_back(memory_op(all, Unit::global_load, line, 4, 0xF, true, 1));
        ops.push_back(arithmetic(1, 2));
        ops.emplace_back().unit = Unit::barrier;
    });
    CHECK(run(sample, gpu, 1).timeline.spans.empty());
    const MachineRun r = run(sample, gpu, 1, 0, true);
    CHECK_FALSE(r.timeline.is_cut);
    std::array<double, static_cast<std::size_t>(Stall::count)> spent{};
    std::map<int, double> ends;
    for (const Timeline::Span& one : r.timeline.spans) {
        CHECK(one.from >= ends[one.warp] - 1e-9);
        ends[one.warp] = one.to;
        spent[static_cast<std::size_t>(one.reason)] += one.to - one.from;
    }
    CHECK(ends.size() == 4);
    for (std::size_t s = 0; s < spent.size(); ++s) CHECK(spent[s] == Approx(r.stalls[s]).margin(1e-6));
    REQUIRE(r.timeline.loads.size() == 8);
    for (const Timeline::Load& one : r.timeline.loads) {
        CHECK(one.bytes == 4 * 128);
        CHECK(one.to - one.from >= gpu.dram_latency);
    }
}

TEST_CASE("a block's place is taken when its last warp has ended") {
    ModelParameters gpu = plain_gpu();
    const WorkSample sample = sample_of(6, 2, [](WorkSample&, std::vector<MicroOp>& ops, int, int w) {
        for (int i = 0; i < (w == 0 ? 10 : 100); ++i) ops.push_back(arithmetic(1, 1));
    });
    const double one = run(sample, gpu, 6).cycles;
    CHECK(run(sample, gpu, 2).cycles == Approx(3 * one + 2 * gpu.block_turnover).epsilon(0.05));
    gpu.block_interval_ns = 1000;
    CHECK(run(sample, gpu, 6).cycles == Approx(5 * gpu.cycles_of_ns(1000) + one).epsilon(0.05));
}

TEST_CASE("a busy DRAM answers later") {
    const ModelParameters gpu = plain_gpu();
    const WorkSample sample = sample_of(1, 1, [](WorkSample& s, std::vector<MicroOp>& ops, int, int) {
        ops.push_back(memory_op(s, Unit::global_load, 1000, 1, 15, false, 1));
        ops.push_back(arithmetic(1, 2));
    });
    const double half_of_peak = 0.5 * gpu.dram_peak_gb_per_s / gpu.dram_read_gb_per_s;
    CHECK(run(sample, gpu, 1, half_of_peak).cycles - run(sample, gpu, 1, 0).cycles ==
          Approx(gpu.dram_queue_read).epsilon(0.05));
}
