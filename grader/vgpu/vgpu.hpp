// The virtual GPU: runs PTX kernels warp by warp, checks every access, counts what Nsight Compute would count.
//
// Theory of operation. `load` lowers a parsed module once: registers become 32-lane vectors, instructions become calls
// of typed handlers, and values that do not change between blocks are computed once a launch. `run_kernel` hands blocks
// to host threads; a block runs its warps in turn from barrier to barrier. Results do not depend on the number of
// threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "ptx/module.hpp"
#include "vgpu/budget.hpp"
#include "vgpu/counters.hpp"
#include "vgpu/finding.hpp"
#include "vgpu/memory.hpp"
#include "vgpu/trace.hpp"

namespace warpgrade::vgpu {

struct NeedTrace;
inline constexpr std::string_view touch_call = "__warpgrade_touch";
class Program;  // a loaded module, immutable, shareable between threads

// What a kernel asks of a multiprocessor, as far as PTX says (registers come from SASS, elsewhere).
struct KernelInfo {
    std::string name;                    // mangled
    std::string display_name;            // demangled, without parameters
    std::vector<int> parameter_bytes;    // of each parameter
    std::vector<int> parameter_offsets;  // in the parameter buffer
    std::uint32_t parameter_total_bytes = 0;
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t max_threads = 0;  // from __launch_bounds__, 0 = not given
    bool uses_dynamic_shared = false;
};

// Error: an opcode the virtual GPU does not have ("not supported: OPCODE at line N"), or PTX it cannot make sense of.
// `source_file` is CompileRequest::path: lines are attributed to it. Module-scope variables are placed into `memory` by
// run_kernel/run_launcher, afresh for each Session.
Result<std::shared_ptr<const Program>> load(const ptx::Module& module, std::string_view source_file);

std::vector<KernelInfo> kernels(const Program& program);
// Functions (not kernels) the source defines, mangled: the launcher is one of these.
std::vector<std::string> functions(const Program& program);
// Lines of the source with an atomic operation of whose value something comes. Without optimisation all of them have
// one: what is inlined then stores it away.
std::set<int> lines_that_draw(const Program& program);

struct Limits {
    std::uint64_t warp_instructions = std::uint64_t{1} << 32;  // of a launch, and what costs as much (budget.hpp)
    Budget* budget = nullptr;                                  // that the launch shares with others; null: none
    std::uint64_t output_bytes = 16 * 1024;                    // printf, all launches of a session
    std::uint64_t resident_blocks = 132 * 32;                  // of a launch, at a time: others wait until one ends
    const std::atomic<bool>* is_time_over = nullptr;           // set from outside: stop, the budget is spent
};

struct RunOptions {
    int threads = 0;             // 0 = one for each core
    std::uint64_t schedule = 0;  // of warps: 0 = in order, 1 = the last first, others: drawn anew by this seed
    std::uint32_t shared_poison = 0xCDCDCDCDu;  // what shared memory holds before the kernel writes it
    bool check_races = true;
    // A race in shared memory, and one in global memory of a launch too large to track, names one line. To name both,
    // run again, slower: remembering which line touched each word of shared memory, and of these words of global memory
    // (addresses that are multiples of 4, ascending).
    bool explains_races = false;
    std::vector<std::uint64_t> watched_words;
    SourceSite old_values_at;  // this volatile or relaxed load gets what it may instead (old_values.hpp); line 0: none
    const std::set<int>* drawing_lines = nullptr;  // blocks draw from counters nowhere else; null: that is not known
    bool trace_first_warp = false;                 // record the accesses of warp 0 of block 0 (explain); see Access
    bool trace_whole_blocks = false;               // and of all warps of the first and the last block, and of this one
    std::optional<Dim3> traced_block;
    const Sample* sample = nullptr;       // run these blocks only
    std::uint32_t multiprocessors = 132;  // %nsmid
    Limits limits;
    NeedTrace* need = nullptr;                  // where to write down what a slice is cut from (needed.hpp)
    const std::vector<int>* outputs = nullptr;  // of a device: buffers whose needs are to be found (DeviceRun::needed)
};

// One warp-level access, for `explain` and the report's pictures.
struct Access {
    int line = 0;
    AccessKind kind = AccessKind::none;
    ptx::Space space = ptx::Space::generic;
    int width_bytes = 0;
    std::uint32_t mask = 0;  // active lanes
    std::array<std::uint64_t, 32>
        addresses{};  // global: byte offset in the buffer; shared: byte offset in the block's memory
    std::string buffer;
    std::uint32_t units = 0;  // sectors (global) or wavefronts (shared)
    std::uint32_t units_ideal = 0;
    std::uint64_t buffer_bytes = 0;
    std::uint64_t buffer_start = 0;  // shared: offset of the buffer in the block's memory
    Dim3 block{0, 0, 0};
    std::uint32_t warp = 0;  // in the block
    // That loads read and stores store, lane after lane of `mask`; of others none.
    std::vector<std::uint8_t> values;
};

// How the warps of a kernel went through its code, and what its accesses took; over one launch, or several. Segments
// and sites are numbered as in the loaded program: the same PTX has the same numbers.
struct KernelProfile {
    double warps = 0;
    std::vector<double> instructions;     // by segment (straight-line code), of all warps; a barrier counts as several
    std::vector<double> requests, units;  // by site of a memory access; units: sectors or wavefronts
    // Adds `times` the other one.
    void add(const KernelProfile& other, double times = 1);
};
using ProfileByKernel = std::map<std::string, KernelProfile>;  // mangled names

// Code that a warp may come to several times: segments and sites of a kernel's loops, and all of what kernels call.
struct Repeated {
    std::vector<bool> segments, sites;
};
Repeated repeated_code(const Program& program);

// A line of a kernel that accesses a buffer which the same launch accesses in another way: loads, and stores or atomic
// operations. There threads of one block may race. Of a launch that was followed, all lines that access a buffer.
struct Meeting {
    std::string buffer;
    bool is_followed = false;  // each access of the launch, by the race tracker
};
using Meetings = std::map<std::pair<std::string, int>, Meeting>;  // by mangled name and line
// Of another launch: followed in one of them is followed.
void add(Meetings& all, const Meetings& others);

struct RunResult {
    std::vector<Finding> findings;  // ordered by block, warp; one for each kind, line and kernel
    Counters counters;
    std::vector<LineCounters> by_line;       // ascending lines
    std::vector<Access> trace;               // by block; of a block in the order of its run
    bool trace_is_cut = false;               // a warp has more accesses than are recorded
    std::vector<BlockTrace> blocks;          // of RunOptions::sample, in its order
    std::vector<double> block_instructions;  // of its warps, one for each of them
    std::uint64_t drawn_from = 0;            // Sample::finds_work_counters: the address of one; 0: there is none
    std::uint64_t longest_block = 0;         // instructions of its warps, of the block with the most
    ProfileByKernel profile;
    Meetings meetings;  // in global memory
    // Who stored last to an address of global memory, of a launch small enough to be followed; null: not known.
    std::function<std::optional<ThreadPlace>(std::uint64_t)> last_store;
    // Volatile and relaxed loads that saw what nothing orders before them, where launches are followed; and, of a run
    // that tries one of them, the first that got an old value, as a finding.
    std::vector<SourceSite> may_be_old;
    std::optional<Finding> old_value;
    std::vector<std::uint32_t> way;  // of run_host: the segments (straight-line code) that ran, ascending
    std::string output;              // printf
    bool is_complete = true;         // false: stopped by the budget, a trap or an assertion
    // Several threads ran blocks that look at what others may have stored: to be run again, from the start, on one.
    bool hangs_on_order = false;
};

struct Launch {
    std::string kernel;  // mangled name
    Dim3 grid, block;
    Dim3 cluster{0, 0, 0};  // in blocks; 0: as the kernel says, or none
    std::uint32_t dynamic_shared_bytes = 0;
    std::vector<std::byte> parameters;  // laid out as KernelInfo::parameter_offsets say
    // Of a cooperative launch: 8 bytes of global memory, zeros, by which its blocks meet (%envreg1, %envreg2); else 0.
    std::uint64_t grid_barrier = 0;
};

// Its clusters, in blocks: those of the launch, or of its kernel.
Dim3 cluster_of(const Program& program, const Launch& launch);
// Of these blocks (linear indices), all of their clusters.
std::vector<std::uint64_t> whole_clusters(const Program& program, const Launch& launch,
                                          std::vector<std::uint64_t> blocks);

// A module loaded on one Memory: owns the module's __device__ variables there.
class Session {
public:
    // Error: over the memory budget.
    static Result<std::unique_ptr<Session>> open(std::shared_ptr<const Program> program, Memory& memory);
    ~Session();

    // The __device__ variable that begins there: its name in the PTX; null: none does.
    const std::string* variable_at(std::uint64_t address) const;

    // Sets every __device__ variable back to its initial value; or one of those that do not have it, by its name.
    void reset_globals();
    std::vector<std::string> changed_globals();
    void reset_global(std::string_view name);
    std::uint64_t address_of(std::string_view name) const;

    RunResult run(const Launch& launch, const RunOptions& options);

    // Interprets a function as host code, one thread. Calls to external functions go to `host_call`: the name, the
    // argument bytes of each parameter; it returns the bytes of the result (empty = none) or a finding to stop with.
    // What host code has in memory: its variables on the stack, its own ones of module scope, buffers of its reach.
    class HostView {
    public:
        virtual ~HostView() = default;
        // At most `most` bytes from an address on; none: host code has nothing there. Valid until memory is released.
        virtual std::span<std::byte> bytes(std::uint64_t address, std::uint64_t most) = 0;
    };
    struct HostCall {
        std::string_view name;
        std::vector<std::vector<std::byte>> arguments;
        int line = 0;
        HostView* view = nullptr;
        std::uint64_t work = 0;  // of the host code so far, in the unit of budget.hpp
    };
    struct HostReply {
        std::vector<std::byte> result;
        struct Write {
            std::uint64_t address = 0;  // generic, of launcher memory
            std::vector<std::byte> bytes;
        };
        std::vector<Write> writes;  // results through pointers
        bool stop = false;          // end the launcher here
        bool has_released = false;  // memory: what earlier accesses have found of it is forgotten
    };
    using HostFunction = std::function<HostReply(const HostCall&)>;
    // Memory the launcher may touch (parameter buffers the device runtime hands out): returns a device address, valid
    // for the duration of the call.
    // Of a whole program (HostCode::program) printf and assert are external functions as well, and `host_call` may run
    // launches of this session meanwhile.
    // It is asked by the name `touch_call` (address, 1 byte: is it a store) before the program touches what is not in
    // its reach, and lets it in unless it replies `stop`: `view` is null then.
    enum class HostCode : std::uint8_t { launcher, program };
    RunResult run_host(const std::string& function, std::span<const std::vector<std::byte>> arguments,
                       const HostFunction& host_call, const Limits& limits, HostCode code = HostCode::launcher);
    // For HostFunction: bytes of launcher-visible memory, zeroed; its device address, and a view of it.
    std::uint64_t allocate_host(std::size_t bytes);
    std::span<std::byte> host_bytes(std::uint64_t address);

private:
    Session();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace warpgrade::vgpu
