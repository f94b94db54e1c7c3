// The trace that a slice is cut from (needed.hpp): steps of warps and their accesses, in the order in which they ran.
//
// A worker writes a log for each launch. Blocks that wait for others run on one worker, so logs of several workers
// share no data but what atomic operations of one thread would have ordered: their order does not matter.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "vgpu/need_plan.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade::vgpu {

struct Inst;
struct Warp;

// A segment that a warp ran; or, with a segment number from `first_mark` on, something that happened to its block.
struct NeedStep {
    static constexpr std::uint32_t first_mark = 0xFFFFFFF0u;
    static constexpr std::uint32_t block_starts = 0xFFFFFFF0u;  // mask: the block
    static constexpr std::uint32_t block_leaves = 0xFFFFFFF1u;  // it ended, or gave way: the steps before are its own
    static constexpr std::uint32_t barrier_passed = 0xFFFFFFF2u;
    static constexpr std::uint16_t diverged = 0x8000;

    std::uint32_t segment = 0, mask = 0;
    std::uint16_t warp = 0;  // and `diverged`
    std::uint16_t accesses = 0;
};

// One access of a warp. Lane k of those in `mask` is at base + k * stride, or at its own offset from base.
struct NeedAccess {
    std::uint64_t base = 0;
    std::int32_t stride = 0;  // or the index in NeedLog::offsets
    std::uint32_t mask = 0;
    std::uint32_t idle = 0;  // lanes that add 0
    std::uint32_t site = 0;
    std::uint32_t bytes : 31 = 0;  // of a lane
    std::uint32_t has_offsets : 1 = 0;
    std::uint16_t units = 0, ideal = 0;
};

class NeedLog {
public:
    explicit NeedLog(const NeedPlan& plan) : facts(plan), watches(plan.watches) {}

    void mark(std::uint32_t what, std::uint64_t block = 0) { add({what, static_cast<std::uint32_t>(block), 0, 0}); }
    void begin_step(std::uint32_t segment, std::uint32_t mask, std::uint32_t warp) {
        add({segment, mask, static_cast<std::uint16_t>(warp), 0});
    }
    // The last step ended in a branch: where its lanes went.
    void note_branch(std::uint32_t segment, std::uint32_t taken, std::uint32_t mask) {
        facts.branches[segment] |= static_cast<std::uint8_t>((taken != 0 ? 1 : 0) | (taken != mask ? 2 : 0));
        if (taken != 0 && taken != mask) steps.back().warp |= NeedStep::diverged;
    }
    void add_access(std::uint32_t site, const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t bytes,
                    std::uint32_t units, std::uint32_t ideal);
    void add_row(std::uint32_t site, std::uint64_t low, std::uint32_t bytes, std::uint32_t units, std::uint32_t ideal);
    // An instruction of `watch` runs: what comes of it (need_plan.hpp). True once nothing more is to be learnt.
    void look_before(const Warp& w, const Inst& in, const NeedWatch& watch);
    bool look_at(const Warp& w, const Inst& in, const NeedWatch& watch);

    // More is not kept: the trace is then of no use.
    static constexpr std::size_t most_steps = std::size_t{3} << 22, most_accesses = std::size_t{1} << 22;
    bool is_cut = false;
    std::vector<NeedStep> steps;
    std::vector<NeedAccess> accesses;
    std::vector<std::int32_t> offsets;
    NeedFacts facts;
    std::vector<std::vector<NeedWatch>> watches;  // by segment: those of which there is more to learn

private:
    void add(const NeedStep& step);
    void push(const NeedAccess& access);
    std::array<std::uint64_t, 32> before_;  // what the result's register held, where it is an operand
};

// Of all launches of a run.
struct NeedTrace {
    struct Step {
        // A launch; or, without a log, a memset.
        std::vector<std::unique_ptr<NeedLog>> logs;
        int function = -1;
        std::uint64_t threads_per_block = 0;
        std::uint32_t own_shared_bytes = 0;
        std::uint64_t address = 0, bytes = 0;
    };
    std::shared_ptr<const NeedPlan> plan;
    NeedFacts facts;
    std::vector<Step> steps;
    bool is_cut = false;

    explicit NeedTrace(std::shared_ptr<const NeedPlan> of) : plan(std::move(of)), facts(*plan) {}
};

}  // namespace warpgrade::vgpu
