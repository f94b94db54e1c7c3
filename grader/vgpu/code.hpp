// A PTX function made ready to run: straight-line segments of handler calls, ended by terminators.
//
// Lowering also moves work out of the way. A register written once by a pure instruction whose inputs never change
// during a launch is computed once: in `launch_code` if it is the same for all threads and blocks, in `block_code` if
// it depends on the block only, in `slot_code` if it depends on the thread's place in its block only. Counters do not
// notice: they count the PTX instructions of a segment each time a warp goes through it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ptx/module.hpp"
#include "vgpu/exec.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade::vgpu {

enum class SpecialRegister : std::uint8_t {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    grid_barrier_low,
    grid_barrier_high,
    gridid,
    lanemask_eq,
    lanemask_le,
    lanemask_lt,
    lanemask_ge,
    lanemask_gt,
    dynamic_smem_offset,  // where extern __shared__ starts
    dynamic_smem_size,
    total_smem_size,
    reserved_smem_offset,
    reserved_smem_end,
    reserved_smem_size,
    zero,
    cluster_x,  // of the block in its cluster
    cluster_y,
    cluster_z,
    cluster_rank,
    cluster_size_x,
    cluster_size_y,
    cluster_size_z,
    cluster_size,
    clusterid_x,
    clusterid_y,
    clusterid_z,
    nclusterid_x,
    nclusterid_y,
    nclusterid_z,
    is_explicit_cluster,
    clock,
    clock64,
    globaltimer
};

// A vector in the constant bank or the frame that the runner fills before the code runs.
struct SpecialFill {
    SpecialRegister source{};
    std::uint32_t ref = 0;
    int bytes = 4;
};

struct ConstantFill {
    std::uint32_t ref = 0;
    int bytes = 4;  // of a lane; 0 = predicate
    std::uint64_t bits = 0;
    std::string symbol;  // not empty: address of this module variable + bits, known when a session opens
};

struct ParamFill {  // ld.param of a kernel at a fixed offset
    std::uint32_t ref = 0;
    std::uint32_t offset = 0;
    int bytes = 4;       // read
    int lane_bytes = 4;  // of the destination register
    bool is_signed = false;
};

enum class TerminatorKind : std::uint8_t {
    next,  // falls into `next`
    jump,
    branch,        // predicate ? target : next
    branch_table,  // brx.idx
    call,
    call_external,
    ret,  // of a function, or the end of a kernel's thread
    exit,
    barrier,       // bar.sync, barrier.sync, bar.red, bar.arrive
    cluster_wait,  // barrier.cluster.wait
    warp_barrier,  // bar.warp.sync
    trap
};

// A .param variable of a function or round a call: one place for each lane, in the frame.
struct ParameterArea {
    std::uint32_t offset = 0;
    std::uint32_t stride = 0;  // between lanes
    std::uint32_t bytes = 0;   // of a lane's, as declared
};

struct CallSite {
    int function = -1;          // index in Program::functions; -1 = external
    std::string external;       // name
    std::uint32_t pointer = 0;  // indirect: register with the function's address
    bool is_indirect = false;
    std::vector<ParameterArea> arguments;  // of the caller
    ParameterArea result;                  // bytes 0 = none
};

struct Terminator {
    TerminatorKind kind = TerminatorKind::next;
    bool negated = false;
    bool is_aligned = true;       // barrier
    std::uint32_t predicate = 0;  // branch; guard of exit/ret when has_guard
    bool has_guard = false;
    int target = -1;
    int next = -1;
    int reconverge = -1;         // segment; -1 = the function's end
    std::uint32_t operand = 0;   // barrier number, warp mask, table index
    std::uint32_t operand2 = 0;  // barrier thread count
    bool has_operand2 = false;
    int reduction = 0;  // bar.red: 1 popc, 2 and, 3 or; 4 = bar.arrive
    std::uint32_t result = 0, source = 0;
    std::vector<int> table;
    int call = -1;           // index in Code::calls
    std::uint32_t site = 0;  // for reports
};

struct LineInstructions {
    std::uint32_t instructions = 0, in_double = 0;
};

struct Segment {
    std::uint32_t begin = 0, end = 0;  // instructions
    Terminator terminator;
    std::uint32_t id = 0;            // program-wide, for counting
    std::uint32_t instructions = 0;  // PTX instructions, hoisted ones included
    std::uint32_t work = 0;          // what they cost: see budget.hpp
    bool needs_mask = false;         // starts with a warp-synchronous instruction: lanes of `member_mask` must be here
    std::uint32_t member_mask = 0;
    std::uint32_t site = 0;                               // of that instruction
    std::vector<std::pair<int, LineInstructions>> lines;  // by line of the source
    std::uint32_t shuffles = 0;
    int shuffle_line = 0;
};

struct RegisterPlace {
    std::uint32_t ref = 0;   // 0: nothing uses it
    int bytes = 0;           // of a lane; 0: a predicate
    bool is_shared = false;  // with other registers, one after another
};

struct Code {
    std::string name, display_name;
    bool is_kernel = false;
    std::vector<Inst> instructions;
    std::vector<Segment> segments;
    std::vector<Inst> launch_code, block_code, slot_code;
    std::vector<SpecialFill> launch_specials, block_specials, slot_specials;
    std::vector<ParamFill> params;
    std::vector<CallSite> calls;
    std::vector<RegisterPlace> registers;        // by their number, as segment_ops has them
    std::uint32_t frame_bytes = 64;              // registers and parameter areas
    std::uint32_t local_bytes = 0;               // a lane
    std::uint32_t local_align = 16;              // of where they start
    std::vector<std::string> parameter_names;    // of a function's parameter areas
    std::map<std::string, ParameterArea> areas;  // .param variables by name
    std::vector<ParameterArea> parameters;       // of a function, in the order of parameter_names; a call looks up none
    ParameterArea returned;                      // bytes 0 = nothing
    // Parameters of a function whose address is taken: each call keeps a copy in local memory, at this offset.
    std::map<std::string, std::uint32_t> addressed_parameters;
    std::uint32_t static_shared_bytes = 0;
    bool uses_dynamic_shared = false;
    Dim3 cluster{0, 0, 0};         // __cluster_dims__; 0: it has none
    std::uint32_t unit_shift = 2;  // of shared stamps
    bool stamps_reads = false;
    bool has_global_atomics = false;  // blocks then run in order, on one thread
    bool compares_and_swaps = false;  // has an atom.cas
    bool polls_global = false;        // volatile or relaxed loads of global memory: likewise
    bool calls_functions = false;
    bool calls_external = false;  // printf: its order is kept by running on one thread
    KernelInfo info;
    struct SharedVariable {
        std::string name;
        std::uint32_t offset = 0, bytes = 0;
    };
    std::vector<SharedVariable> shared;  // by offset
};

class Program {
public:
    std::vector<Code> functions;
    std::vector<Site> sites;
    // Of shared memory: the array that a site's addresses are made from; 0 bytes: not known.
    struct SiteArray {
        std::uint32_t offset = 0, bytes = 0;
    };
    std::vector<SiteArray> array_of_site;  // shorter than `sites` where the last have none
    std::vector<ConstantFill> constants;
    std::map<std::pair<std::uint64_t, int>, std::uint32_t> constant_refs;  // by bits and bytes, those without a symbol
    std::uint32_t constant_bytes = 64;                                     // of the constant bank
    std::uint32_t reserved_shared_bytes = 0;                               // of a block, for who asks where they lie
    std::uint32_t segment_count = 0;
    bool recurses = false;
    bool uses_clusters = false;
    std::vector<SegmentOps> segment_ops;  // by segment id
    // Threads of a block are ordered by more than barriers of all of it: fences, flags, barriers of some, mbarriers.
    // Then the stamps of shared memory suspect too much, and the race tracker judges.
    bool orders_by_more_than_barriers = false;
    std::vector<ptx::Variable> variables;  // module scope, global and constant space
    std::vector<bool>
        is_of_kernels;  // by variable: named in a kernel, or in what one calls; the launcher has another one
    std::map<std::string, int> by_name;
    std::string source_file;
};

inline constexpr std::uint32_t barriers_of_block = 16;  // PTX manual, "bar, barrier"

// What a pointer to a function holds: an address of its own window, below those of the state spaces, that no small
// number is mistaken for.
inline constexpr std::uint64_t kFunctionWindow = std::uint64_t{0x7C} << 40, kFunctionBytes = 16;

constexpr std::uint64_t function_address(int function) {
    return kFunctionWindow + static_cast<std::uint64_t>(function) * kFunctionBytes;
}
// Index in Program::functions; -1: no function is there.
inline int function_at(const Program& program, std::uint64_t address) {
    const std::uint64_t offset = address - kFunctionWindow, index = offset / kFunctionBytes;
    return offset % kFunctionBytes == 0 && index < program.functions.size() ? static_cast<int>(index) : -1;
}

// vgpu/lower.cpp
std::string demangled(const std::string& mangled);      // as it is, where it is no mangled name
std::string display_name(const std::string& mangled);   // demangled, without return type and parameters
std::string variable_name(const std::string& mangled);  // the last part: "tile" of "kernel(float const*)::tile"
Result<std::shared_ptr<Program>> lower(const ptx::Module& module, std::string_view source_file);

}  // namespace warpgrade::vgpu
