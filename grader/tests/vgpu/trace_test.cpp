// Sampled blocks: they alone run, and what their warps did is all there.
#include <cstring>
#include <fstream>
#include <sstream>

#include "ptx/module.hpp"
#include "support/catch.hpp"
#include "vgpu/vgpu.hpp"

using namespace warpgrade;
using namespace warpgrade::vgpu;

namespace {

struct Traced {
    std::shared_ptr<const Program> program;
    std::uint64_t in = 0, out = 0;
    RunResult result;
};

// A kernel of tests/data/counter_kernels.ptx on a 1024 x 1024 matrix.
Traced trace(const std::string& name, Dim3 grid, Dim3 block, Sample sample) {
    std::ifstream file(std::string(WARPGRADE_SOURCE_DIR) + "/grader/tests/data/counter_kernels.ptx");
    std::stringstream text;
    text << file.rdbuf();
    const auto module = ptx::parse(text.str());
    REQUIRE(module.ok());
    Traced traced;
    traced.program = *load(*module, "counter_kernels.cu");
    Memory memory;
    const int in = *memory.allocate({.name = "in", .bytes = 4 << 20, .is_read_only = true, .is_written = true});
    const int out = *memory.allocate({.name = "out", .bytes = 4 << 20});
    traced.in = memory.buffer(in).address;
    traced.out = memory.buffer(out).address;
    Launch launch;
    for (const KernelInfo& k : kernels(*traced.program))
        if (k.display_name == name) launch.kernel = k.name;
    REQUIRE_FALSE(launch.kernel.empty());
    launch.grid = grid;
    launch.block = block;
    launch.parameters.resize(24);
    std::memcpy(launch.parameters.data(), &traced.in, 8);
    std::memcpy(launch.parameters.data() + 8, &traced.out, 8);
    const int extents[] = {1024, 1024};
    std::memcpy(launch.parameters.data() + 16, extents, 8);
    auto session = Session::open(traced.program, memory);
    RunOptions options;
    options.sample = &sample;
    traced.result = (*session)->run(launch, options);
    return traced;
}

}  // namespace

TEST_CASE("only the sampled blocks run, and every access of theirs is in the trace") {
    const Traced t = trace("naive_read<16>", {64, 64, 1}, {16, 16, 1}, {.blocks = {65, 3}, .work_counters = {}});
    REQUIRE(t.result.blocks.size() == 2);
    CHECK(t.result.counters.global_load_requests == 2 * 8);
    for (const BlockTrace& block : t.result.blocks) {
        const std::uint64_t tile_row = block.block / 64, tile_col = block.block % 64;
        REQUIRE(block.warps.size() == 8);
        for (std::size_t w = 0; w < 8; ++w) {
            const WarpTrace& warp = block.warps[w];
            REQUIRE(warp.accesses.size() == 2);
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                const std::uint64_t row = tile_row * 16 + w * 2 + lane / 16, col = tile_col * 16 + lane % 16;
                CHECK(block.addresses[warp.accesses[0].first_address + lane] == t.in + (row * 1024 + col) * 4);
                CHECK(block.addresses[warp.accesses[1].first_address + lane] == t.out + (col * 1024 + row) * 4);
            }
            CHECK(warp.accesses[0].units == 4);
            CHECK(warp.accesses[1].units == 16);
        }
    }
}

TEST_CASE("the steps of a trace add up to the warp's instructions, and its accesses belong to their instructions") {
    const Traced t = trace("coarse<32, 8, 1>", {32, 32, 1}, {32, 8, 1}, {.blocks = {5}, .work_counters = {}});
    const auto& segments = segment_ops(*t.program);
    for (const WarpTrace& warp : t.result.blocks.at(0).warps) {
        std::uint64_t instructions = 0, accesses = 0;
        int loads = 0, stores = 0, shared = 0, barriers = 0;
        for (const TraceStep& step : warp.steps) {
            instructions += segments.at(step.segment).ops.size();
            std::uint32_t left = step.accesses;
            for (const StaticOp& op : segments[step.segment].ops) {
                barriers += op.kind == OpClass::barrier;
                if (op.kind != OpClass::load && op.kind != OpClass::store) continue;
                REQUIRE(left > 0);
                --left;
                const TracedAccess& access = warp.accesses.at(accesses++);
                CHECK(access.site == op.site);
                CHECK(access.width_bytes == static_cast<std::uint32_t>(op.width_bytes));
                loads += op.space == ptx::Space::global && op.kind == OpClass::load;
                stores += op.space == ptx::Space::global && op.kind == OpClass::store;
                shared += op.space == ptx::Space::shared;
            }
            CHECK(left == 0);
        }
        CHECK(instructions == warp.instructions);
        CHECK(warp.traced_instructions == warp.instructions);
        CHECK(loads == 4);
        CHECK(stores == 4);
        CHECK(shared == 8);
        CHECK(barriers == 1);
    }
}

TEST_CASE("a long trace is cut, and says how much it leaves out") {
    const Traced t = trace("coarse<32, 8, 1>", {32, 32, 1}, {32, 8, 1},
                           {.blocks = {5}, .most_steps_a_warp = 3, .work_counters = {}});
    for (const WarpTrace& warp : t.result.blocks.at(0).warps) {
        CHECK(warp.is_cut);
        CHECK(warp.steps.size() == 3);
        CHECK(warp.traced_instructions < warp.instructions);
    }
    CHECK(t.result.counters.global_store_requests == 32);  // the block ran to its end all the same
}

TEST_CASE("a block that ends with its trace does not wait for the first warp's long loop") {
    const auto module = ptx::parse(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry turns() {
    .reg .u32 %r<2>;
    .reg .pred %p<2>;
    mov.u32 %r1, 0;
again:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 1000000;
    @%p1 bra again;
    ret;
}
)");
    REQUIRE(module.ok());
    Memory memory;
    auto session = Session::open(*load(*module, "turns.cu"), memory);
    Launch launch;
    launch.kernel = "turns";
    launch.grid = {4, 1, 1};
    launch.block = {256, 1, 1};
    Sample sample{.blocks = {2}, .most_steps_a_warp = 256, .ends_with_trace = true, .work_counters = {}};
    RunOptions options;
    options.sample = &sample;
    const RunResult result = (*session)->run(launch, options);
    for (const WarpTrace& warp : result.blocks.at(0).warps) CHECK(warp.steps.size() == 256);
    CHECK(result.counters.warp_instructions < 2 * 8 * 256 * 3);
}
