// From traces to machine instructions: what moves, what merges, what lines a request touches.
#include "model/warp_ops.hpp"
#include "model/wavefronts.hpp"

#include <sstream>

#include "support/catch.hpp"

using namespace warpgrade;
using vgpu::OpClass;
using vgpu::StaticOp;

namespace {

constexpr std::uint64_t base = std::uint64_t{3} << 32;

StaticOp op(OpClass kind, std::vector<int> writes, std::vector<int> reads, double instructions = 1) {
    StaticOp o;
    o.kind = kind;
    o.writes = std::move(writes);
    o.reads = std::move(reads);
    o.instructions = instructions;
    return o;
}
StaticOp memory(OpClass kind, ptx::Space space, std::uint32_t site, std::vector<int> writes, std::vector<int> reads) {
    StaticOp o = op(kind, std::move(writes), std::move(reads));
    o.space = space;
    o.site = site;
    o.width_bytes = 4;
    return o;
}

// One block of one warp that runs segments in order; lanes of every access `stride` bytes apart from `start`.
struct Maker {
    std::vector<vgpu::SegmentOps> segments;
    vgpu::BlockTrace block;
    Maker() { block.warps.resize(1); }

    void step(std::uint32_t segment) { block.warps[0].steps.push_back({segment, 0xFFFFFFFFu, 0}); }
    void access(std::uint32_t site, std::uint64_t start, std::uint64_t stride, std::uint32_t units = 1) {
        vgpu::WarpTrace& warp = block.warps[0];
        ++warp.steps.back().accesses;
        warp.accesses.push_back({site, 0xFFFFFFFFu, 4, units, static_cast<std::uint32_t>(block.addresses.size())});
        for (std::uint64_t lane = 0; lane < 32; ++lane) block.addresses.push_back(start + lane * stride);
    }
    WorkSample work(bool counts_at_once = false) {
        block.warps[0].instructions = block.warps[0].traced_instructions = 1;
        const AddressRange range{base, 1 << 24};
        return work_of({&block, 1}, segments, {&range, 1}, counts_at_once);
    }
};

ptx::Operand operand(ptx::Operand::Kind kind, int index, std::uint64_t bits) {
    ptx::Operand o;
    o.kind = kind;
    o.index = index;
    o.bits = bits;
    return o;
}
ptx::Operand reg(int index) { return operand(ptx::Operand::Kind::reg, index, 0); }
ptx::Operand number(std::uint64_t value) { return operand(ptx::Operand::Kind::integer, -1, value); }
StaticOp instruction(const char* name, std::vector<ptx::Operand> operands) {
    ptx::Instruction in;
    std::stringstream words(name);
    std::getline(words, in.opcode, '.');
    for (std::string word; std::getline(words, word, '.');) in.modifiers.push_back(word);
    in.operands = std::move(operands);
    return vgpu::describe(in);
}

std::vector<Unit> units_of(const WorkSample& work) {
    std::vector<Unit> units;
    for (const MicroOp& o : work.blocks.at(0).warps.at(0)) units.push_back(o.unit);
    return units;
}

}  // namespace

TEST_CASE("shared loads of neighbouring words become one of 16 bytes where all lanes are aligned for it") {
    const auto run = [](std::uint64_t first, std::uint64_t stride) {
        Maker m;
        m.segments.resize(1);
        for (std::uint32_t k = 0; k < 4; ++k)
            m.segments[0].ops.push_back(memory(OpClass::load, ptx::Space::shared, k, {static_cast<int>(k)}, {9}));
        m.step(0);
        for (std::uint32_t k = 0; k < 4; ++k) m.access(k, first + 4 * k, stride);
        return m.work();
    };
    const WorkSample same = run(64, 0);
    REQUIRE(units_of(same) == std::vector{Unit::shared_load});
    CHECK(same.blocks[0].warps[0][0].writes == std::array<std::int16_t, 4>{0, 1, 2, 3});
    CHECK(same.accesses[0].wavefronts == 2);
    CHECK(run(64, 16).accesses[0].wavefronts == 4);
    CHECK(units_of(run(64, 16)).size() == 1);
    CHECK(units_of(run(72, 16)).size() == 2);   // aligned for pairs
    CHECK(units_of(run(64, 132)).size() == 4);  // a padded row: not in all lanes
}

TEST_CASE("a trace that was cut ends with a whole turn of its loop") {
    Maker m;
    m.segments.resize(2);
    m.segments[0].ops = {op(OpClass::integer, {1}, {})};
    m.segments[1].ops = {op(OpClass::integer, {1}, {1}), op(OpClass::integer, {2}, {1})};
    m.segments[1].ops.push_back(op(OpClass::branch, {}, {2}));
    m.segments[1].ops.back().targets = {1};
    m.step(0);
    for (int turn = 0; turn < 3; ++turn) m.step(1);
    m.block.warps[0].is_cut = true;
    const AddressRange range{base, 1 << 24};
    m.block.warps[0].instructions = 70;
    m.block.warps[0].traced_instructions = 10;
    const WorkSample work = work_of({&m.block, 1}, m.segments, {&range, 1});
    CHECK(work.blocks[0].warps[0].size() == 7);
    CHECK(work.blocks[0].left_out == Approx(10));
}

TEST_CASE("atomics of a sector go together, lanes of a word and sectors of a line one by one") {
    std::vector<std::uint64_t> lanes;
    const auto turns = [&](int count, std::uint64_t apart) {
        lanes.clear();
        for (int i = 0; i < count; ++i) lanes.push_back(base + static_cast<std::uint64_t>(i) * apart);
        int all = 0;
        for (const LineTurns& line : atomic_turns({lanes, 0, 4})) all += line.turns;
        return all;
    };
    CHECK(turns(32, 0) == 32);
    CHECK(turns(8, 4) == 1);
    CHECK(turns(32, 4) == 4);
    CHECK(turns(4, 32) == 4);
    CHECK(turns(8, 128) == 8);
}

TEST_CASE("a load of L1 takes a cycle for each 4 bytes of a lane, though all lanes want the same") {
    const std::vector<std::uint64_t> same(32, base);
    CHECK(load_wavefronts({same, 0xFFFFFFFFu, 4}) == 1);
    CHECK(load_wavefronts({same, 0xFFFFFFFFu, 8}) == 2);
    CHECK(load_wavefronts({same, 0xFFFFFFFFu, 16}) == 4);
    CHECK(vector_wavefronts({same, 0xFFFFFFFFu, 16}) == 2);
}

TEST_CASE("global loads move in front of the shared stores that use them, behind their own addresses") {
    Maker m;
    const auto load = [](std::uint32_t site, int to, int from) {
        return memory(OpClass::load, ptx::Space::global, site, {to}, {from});
    };
    const auto store = [](std::uint32_t site, int from) {
        return memory(OpClass::store, ptx::Space::shared, site, {}, {9, from});
    };
    m.segments.push_back({0, {load(1, 1, 5), store(2, 1), op(OpClass::integer, {6}, {5}), load(3, 2, 6), store(4, 2)}});
    m.step(0);
    m.access(1, base, 4);
    m.access(2, 0, 4);
    m.access(3, base + 4096, 4);
    m.access(4, 128, 4);
    CHECK(units_of(m.work()) == std::vector<Unit>{Unit::global_load, Unit::arithmetic, Unit::global_load,
                                                  Unit::shared_store, Unit::shared_store});
}

TEST_CASE("a load stays behind a global store that may be to the same place, unless it is read-only") {
    for (const bool is_read_only : {false, true}) {
        Maker m;
        StaticOp load = memory(OpClass::load, ptx::Space::global, 2, {1}, {5});
        load.is_read_only = is_read_only;
        m.segments.push_back({0, {memory(OpClass::store, ptx::Space::global, 1, {}, {5, 6}), load}});
        m.step(0);
        m.access(1, base, 4);
        m.access(2, base + 4096, 4);
        const auto units = units_of(m.work());
        CHECK(units.front() == (is_read_only ? Unit::global_load : Unit::global_store));
    }
}

TEST_CASE("a loop's end and a barrier hold loads back") {
    Maker m;
    m.segments.push_back(
        {0, {op(OpClass::floating, {7}, {7}), memory(OpClass::load, ptx::Space::global, 1, {1}, {5})}});
    m.step(0);
    m.access(1, base, 4);
    m.step(0);  // once more round
    m.access(1, base + 4096, 4);
    CHECK(units_of(m.work()) ==
          std::vector<Unit>{Unit::global_load, Unit::arithmetic, Unit::global_load, Unit::arithmetic});
}

TEST_CASE("a loop that only loads and counts by a constant is unrolled by four, unless it may not be") {
    enum class Loop : std::uint8_t { counted, nounroll, by_a_variable, stores, counts_in_shared, adds_in_shared };
    const auto units = [](Loop loop) {
        Maker m;
        StaticOp back = op(OpClass::branch, {}, {8});
        back.targets = {0};
        std::vector<StaticOp> ops{
            memory(OpClass::load, ptx::Space::global, 1, {1}, {5}), op(OpClass::floating, {2}, {2, 1}),
            op(OpClass::wide, {5}, {5}),
            op(OpClass::integer, {6}, loop == Loop::by_a_variable ? std::vector{6, 9} : std::vector{6})};
        if (loop == Loop::by_a_variable) ops.push_back(op(OpClass::integer, {9}, {6}));
        if (loop == Loop::stores) ops.push_back(memory(OpClass::store, ptx::Space::shared, 2, {}, {7, 1}));
        const bool is_atomic = loop == Loop::counts_in_shared || loop == Loop::adds_in_shared;
        if (is_atomic) ops.push_back(memory(OpClass::atomic, ptx::Space::shared, 2, {}, {7}));
        ops.back().counts = loop == Loop::counts_in_shared;
        ops.push_back(op(OpClass::integer, {8}, {6}));
        ops.push_back(back);
        m.segments.push_back({0, ops, loop == Loop::nounroll});
        for (std::uint64_t turn = 0; turn < 6; ++turn) {
            m.step(0);
            m.access(1, base + turn * 4096, 4);
            if (loop == Loop::stores || is_atomic) m.access(2, 0, 4);
        }
        const WorkSample work = m.work();
        std::string loads;  // L: a load, a: the addition that waits for one
        for (const MicroOp& o : work.blocks.at(0).warps.at(0))
            if (o.unit == Unit::global_load || o.writes[0] == 2) loads += o.unit == Unit::global_load ? 'L' : 'a';
        return loads;
    };
    CHECK(units(Loop::counted) == "LLLLaaaaLLaa");
    CHECK(units(Loop::nounroll) == "LaLaLaLaLaLa");
    CHECK(units(Loop::by_a_variable) == "LaLaLaLaLaLa");
    CHECK(units(Loop::stores) == "LaLaLaLaLaLa");
    CHECK(units(Loop::counts_in_shared) == "LLLLaaaaLLaa");
    CHECK(units(Loop::adds_in_shared) == "LaLaLaLaLaLa");
}

TEST_CASE("a load stays behind a branch that is still there in machine code") {
    for (const bool is_long : {false, true}) {
        Maker m;
        StaticOp branch = op(OpClass::branch, {}, {3});
        branch.may_leave = true;
        branch.targets = {2};
        m.segments.push_back({0, {op(OpClass::floating, {7}, {7}), branch}});
        m.segments.push_back({0, {memory(OpClass::load, ptx::Space::global, 1, {1}, {5})}});
        if (is_long) m.segments[1].ops.push_back(op(OpClass::special, {2}, {2}, 40));
        m.segments.push_back({0, {memory(OpClass::load, ptx::Space::global, 2, {6}, {5})}});
        for (std::uint32_t s = 0; s < 3; ++s) {
            m.step(s);
            if (s > 0) m.access(s, base + 4096 * s, 4);
        }
        const std::vector<Unit> units = units_of(m.work());
        CHECK((units.front() == Unit::arithmetic) == is_long);
        CHECK((units.back() == Unit::global_load) == is_long);  // others come to where the branch goes
    }
}

TEST_CASE("lanes that count in one shared word do so at once, where the card can and nothing asks what was there") {
    const auto wavefronts = [](const char* name, const ptx::Operand& added, bool is_read, bool counts_at_once) {
        Maker m;
        vgpu::SegmentOps segment;
        segment.ops = {instruction(name, {reg(1), reg(2), added}), op(OpClass::integer, {3}, {is_read ? 1 : 2})};
        segment.ops[0].site = 1;
        m.segments.push_back(segment);
        vgpu::check_counts(m.segments);
        m.step(0);
        m.access(1, 64, 0, 32);  // all lanes meet
        return m.work(counts_at_once).accesses.at(0).wavefronts;
    };
    const char* const add = "atom.shared.add.u32";
    CHECK(wavefronts(add, number(1), false, true) == 1);
    CHECK(wavefronts(add, number(1), false, false) == 32);
    CHECK(wavefronts(add, number(1), true, true) == 32);
    CHECK(wavefronts(add, number(2), false, true) == 32);
    CHECK(wavefronts(add, reg(4), false, true) == 32);
    CHECK(wavefronts("atom.shared.add.u64", number(1), false, true) == 32);
    CHECK(wavefronts("atom.shared.max.u32", number(1), false, true) == 32);
}

TEST_CASE("a cp.async loads global memory, its groups are told apart") {
    Maker maker;
    vgpu::SegmentOps segment;
    segment.ops = {instruction("cp.async.ca.shared.global", {}), instruction("cp.async.commit_group", {}),
                   instruction("cp.async.wait_group", {number(2)}), instruction("cp.async.wait_all", {})};
    segment.ops[0].site = 1;
    maker.segments.push_back(segment);
    maker.step(0);
    maker.access(1, base, 4);
    const WorkSample work = maker.work();
    CHECK(units_of(work) ==
          std::vector<Unit>{Unit::global_load, Unit::commit_copies, Unit::wait_for_copies, Unit::wait_for_copies});
    CHECK(work.accesses.at(0).lines == 1);
    CHECK(work.accesses.at(0).buffer == 0);
    const std::vector<MicroOp>& ops = work.blocks[0].warps[0];
    CHECK(ops[2].pending == 2);
    CHECK(ops[3].pending == 0);
}

TEST_CASE("a short body that is jumped over issues all the same") {
    Maker m;
    m.segments.push_back({0, {op(OpClass::branch, {}, {3})}});
    m.segments.push_back(
        {0, {memory(OpClass::load, ptx::Space::shared, 1, {1}, {5}), op(OpClass::floating, {1}, {1})}});
    m.segments.push_back({0, {op(OpClass::integer, {2}, {2})}});
    m.step(0);
    m.step(2);
    CHECK(units_of(m.work()) ==
          std::vector<Unit>{Unit::arithmetic, Unit::shared_load, Unit::arithmetic, Unit::arithmetic});

    m.segments[1].ops.push_back(
        memory(OpClass::store, ptx::Space::global, 4, {}, {5, 1}));  // ptxas branches round these
    CHECK(units_of(m.work()).size() == 2);
}

TEST_CASE("a request's lines, sectors and data wavefronts") {
    const auto store = [](std::uint64_t start, std::uint64_t stride) {
        Maker m;
        m.segments.push_back({0, {memory(OpClass::store, ptx::Space::global, 1, {}, {5, 6})}});
        m.step(0);
        m.access(1, start, stride);
        return m.work();
    };
    const WorkSample coalesced = store(base, 4);
    REQUIRE(coalesced.accesses.at(0).lines == 1);
    CHECK(coalesced.accesses[0].wavefronts == 1);
    CHECK(coalesced.lines[0].sectors == 15);
    CHECK(coalesced.lines[0].words == ~0u);
    CHECK(coalesced.lines[0].open == 0);

    const WorkSample column = store(base, 32768);  // all lanes in one bank
    CHECK(column.accesses.at(0).lines == 32);
    CHECK(column.accesses[0].wavefronts == 32);
    CHECK(column.accesses[0].ideal == 1);
    for (const LineTouch& touch : column.lines) {
        CHECK(__builtin_popcount(touch.words) == 1);
        CHECK(touch.open == touch.sectors);  // nobody in the block writes the rest
    }
    CHECK(store(base, 32768 + 4).accesses.at(0).wavefronts == 8);  // other banks: four tags a cycle are left

    const WorkSample shifted = store(base + 4, 4);
    REQUIRE(shifted.accesses.at(0).lines == 2);
    CHECK(shifted.lines[0].words == ~0u - 1);
    CHECK(words_in(shifted.lines[0].words, 0) == whole_sector - 1);
    CHECK(shifted.lines[1].words == 1);
    CHECK(shifted.lines[0].open == 1);
    CHECK(shifted.lines[1].open == 1);
    CHECK(shifted.lines[0].run == 5 * 32);  // five sectors side by side
}
