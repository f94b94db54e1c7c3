// What sampled blocks did, instruction by instruction: the input of the time model (model/).
//
// A step is one segment (straight-line PTX) that one warp ran; what the segment's instructions are, `segment_ops` says
// once for all warps. Only accesses carry more: the bytes that each lane touched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ptx/module.hpp"
#include "vgpu/finding.hpp"

namespace warpgrade::vgpu {

class Program;

// What an instruction asks of a multiprocessor.
enum class OpClass : std::uint8_t {
    free,              // mov, cvta, ld.param: no instruction in machine code, as a rule
    special_register,  // a read of %tid or %ctaid
    integer,           // 32-bit add, logic, shift, compare, select
    wide,              // 64-bit add, compare: two instructions
    multiply,          // integer multiply, multiply-add
    floating,          // float and half arithmetic
    float64,
    convert,
    special,  // division, square root, transcendental
    shuffle,  // shfl, vote, match, redux
    branch,
    barrier,  // block-wide
    warp_barrier,
    fence,  // of the device; one of the block is free
    load,
    store,
    atomic,  // atom, red
    async_copy,
    call
};

// What a slice (needed.hpp) does with an instruction.
enum class NeedClass : std::uint8_t {
    ignored,  // nothing comes of it: a hint, a fence, an mbarrier
    value,    // registers from registers, lane by lane
    shuffle,
    among_lanes,  // votes, matches, matrices
    vote_of_block,
    load,
    store,
    exchange,  // atomic
    sum,       // atomic, and nothing happens where 0 is added
    atomic,    // any other
    copy,      // global to shared memory, or back
    local_load,
    local_store,
    parameter_load,
    parameter_store,
    matrix_load,
    matrix_store,
    arrival  // at an mbarrier
};

// One PTX instruction. Registers are numbered within their function.
struct StaticOp {
    OpClass kind = OpClass::free;
    ptx::Space space = ptx::Space::generic;
    int width_bytes = 0;             // of a lane's access
    bool is_ordered = false;         // volatile or relaxed, cp.async's commit and wait: stays where it stands
    int pending = -1;                // cp.async.wait_group: groups that may still be under way; -1: this is no wait
    bool is_read_only = false;       // ld.global.nc
    bool may_leave = false;          // branch: some lanes may go elsewhere
    bool is_float = false;           // an atomic: of floats; one in shared memory is a loop of compare-and-swap
    bool is_match = false;           // a shuffle: match.any, which takes its time for each different value
    bool counts = false;             // adds 1 to a word of shared memory, and nothing reads what was there before
    std::vector<int> targets;        // of a branch: segments that it may jump to
    double instructions = 0;         // of machine code, about: 0 for what ptxas folds into others
    std::vector<int> writes, reads;  // registers
    std::uint32_t site = 0;          // of a memory access
    int special = 0;                 // which special register
    int line = 0;
    NeedClass need = NeedClass::ignored;
    bool is_guarded = false;
    int area = -1;                            // of a function's parameter, or a call's: its offset in the frame
    std::uint32_t first_inst = 0, insts = 0;  // in Code::instructions: what runs
};

struct SegmentOps {
    int function = 0;
    std::vector<StaticOp> ops;  // in program order
    bool is_nounroll = false;   // the head of a loop that is not to be unrolled
};

// By segment id.
const std::vector<SegmentOps>& segment_ops(const Program& program);

struct TracedAccess {
    std::uint32_t site = 0;
    std::uint32_t mask = 0;  // active lanes
    std::uint32_t width_bytes = 0;
    std::uint32_t units = 0;          // sectors or wavefronts, as the counters have them
    std::uint32_t first_address = 0;  // in BlockTrace::addresses: one for each active lane, a device or shared address
};

struct TraceStep {
    std::uint32_t segment = 0;
    std::uint32_t mask = 0;
    std::uint32_t accesses = 0;  // of WarpTrace::accesses, made in this step
    std::uint32_t values = 0;    // different ones among the lanes of its match
};

struct WarpTrace {
    std::vector<TraceStep> steps;
    std::vector<TracedAccess> accesses;
    std::uint64_t instructions = 0;         // PTX instructions run, those behind the cut included
    std::uint64_t traced_instructions = 0;  // those in `steps`
    bool is_cut = false;                    // it ran on behind the last step
};

struct BlockTrace {
    std::uint64_t block = 0;  // linear index in the grid
    std::vector<WarpTrace> warps;
    std::vector<std::uint64_t> addresses;
};

// Which blocks to run; nothing else of the launch runs.
struct Sample {
    std::vector<std::uint64_t> blocks;       // linear indices, in the order to run them
    bool is_traced = true;                   // every warp of them
    std::uint32_t most_steps_a_warp = 4096;  // a warp runs on behind that, untraced
    bool ends_with_trace = false;            // no block runs on when none of its warps is traced any more
    std::vector<std::uint64_t>
        work_counters;                 // addresses of counters that blocks draw tickets from (work_counters.hpp)
    bool finds_work_counters = false;  // the run ends where it finds one more: RunResult::drawn_from
};

// One instruction as the time model sees it.
StaticOp describe(const ptx::Instruction& instruction);
// 64-bit arithmetic of which only addresses of shared memory come is 32-bit in machine code. `segments`: of one
// function.
void narrow_shared_addresses(std::span<SegmentOps> segments);
// No longer `counts` what was there before, where something reads that. `segments`: of one function.
void check_counts(std::span<SegmentOps> segments);

}  // namespace warpgrade::vgpu
