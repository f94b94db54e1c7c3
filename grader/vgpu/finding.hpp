// What the virtual GPU saw go wrong: data only. explain/ turns it into sentences.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade::vgpu {

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    std::uint64_t count() const { return std::uint64_t(x) * y * z; }
    bool operator==(const Dim3&) const = default;
};

enum class FindingKind : std::uint8_t {
    out_of_bounds,  // global memory outside every buffer, or a freed one
    out_of_bounds_shared,
    out_of_bounds_local,
    misaligned,
    uninitialized,  // a read of bytes nothing wrote
    race_shared,
    race_global,
    barrier_divergence,  // bar.sync reached by part of a warp, at two places, or never by some
    inactive_lane,       // shuffle or vote names or reads a lane that takes no part
    host_dereference,    // the launcher touches device memory
    write_to_input,      // a store into a buffer declared read-only
    trap,                // trap instruction, __trap()
    assertion,           // assert()
    timeout,             // instruction budget spent
    unsupported,         // an opcode or feature the virtual GPU does not have; blame kit, never a wrong answer
    invalid_call,        // a call through a pointer to no function, or of what only the launcher may call
    invalid_launch,      // a launch CUDA would refuse
    deadlock,            // warps wait for each other for ever
    undefined_operand    // a register holds what the instruction gives no meaning to
};
std::string to_string(FindingKind kind);  // its name in the result JSON

// What a launch asks for that CUDA refuses.
enum class Refusal : std::uint8_t {
    none,
    no_threads,
    grid_extent,
    block_extent,
    shared_bytes,
    registers,
    resident_blocks,  // of a cooperative launch
    cluster,
    other
};

// What PTX leaves undefined and no other kind is about; with what the finding's `value` and `limit` are then.
enum class Misuse : std::uint8_t {
    none,
    branch_index,           // of brx.idx; the targets of its table
    barrier_number,         // named; those that a block has
    barrier_numbers_apart,  // named by one lane; by another of its warp
    barrier_threads,        // counted at a barrier; of a warp
    barrier_counts_apart,   // counted here; by who came before
    mbarrier_not_set,       // never initialised, or done with
    mbarrier_overwritten,   // by something that is no operation of an mbarrier's
    mbarrier_count,         // arrivals it is to wait for; the most
    mbarrier_arrivals,      // at once; those that are waited for
    mbarrier_bytes,         // waited for, by then; the most
    copied_bytes            // that cp.async reads; those it stores
};

// What is known beyond the kind.
enum class FindingReason : std::uint8_t {
    none,
    awaits_copy,       // uninitialized: an asynchronous copy is under way
    division_by_zero,  // trap: in host code
    variable,          // host_dereference: a variable of the GPU, by its name
    passed_variable,   // host_dereference: the launcher's address of one
    host_memory,       // out_of_bounds: a kernel touches it
    ended,             // barrier_divergence: threads ended before it; `value` of `limit`. out_of_bounds_shared: a block
    part_of_warp,      // barrier_divergence
    two_places,        // barrier_divergence
    awaited,           // inactive_lane: the mask names the lane, which has not ended
    never_arrives,     // inactive_lane
    not_in_mask,       // inactive_lane: the lane that calls
    not_started,       // out_of_bounds_shared: a block of the cluster
    no_such_block,     // out_of_bounds_shared: rank `value` of `limit`
    mbarrier,          // deadlock: `value` arrivals are missing
    cluster,           // deadlock: `value` threads of `limit` did not arrive
    recursion,         // timeout: `limit` calls
    waits,             // timeout: for what no block changes
    launches,          // timeout: more than `limit`, by the launcher
    time,              // timeout: of the processor; `limit`: the work done by then
    blocks,            // timeout: `limit` of them
    local,             // timeout: `limit` bytes of local memory a thread
    prints,            // timeout: `limit` lines
    bytes,             // timeout: `limit` of them, set by one cudaMemset
    no_function,       // invalid_call: through a pointer
    kernel_as_function,  // invalid_call
    free_unknown,        // invalid_call: what malloc() did not return
    cuda_free_unknown,   // invalid_call: what cudaMalloc did not return
    passed_freed         // invalid_call: a kernel gets it; `value`: the line of its cudaMalloc
};
std::string_view to_string(FindingReason reason);  // "" for none

enum class AccessKind : std::uint8_t { none, read, write, atomic };

// A place of the submission's text.
struct SourceSite {
    int line = 0, column = 0, called_from = 0;
    bool operator==(const SourceSite&) const = default;
};

// Where a thread was.
struct ThreadPlace {
    Dim3 block{0, 0, 0};
    Dim3 thread{0, 0, 0};
    int line = 0;  // of the submission, inside of a function that was called
    int column = 0;
    int called_from = 0;  // the line that called it, or called what called it; 0 = the code stands outside of functions
};

inline constexpr const char* local_memory = "local memory";  // Finding::buffer of a thread's own memory

struct Finding {
    FindingKind kind{};
    FindingReason reason = FindingReason::none;
    AccessKind access = AccessKind::none;
    std::string kernel;  // demangled name without parameters: "transpose_kernel"
    ThreadPlace place;
    bool has_other = false;  // races, divergent barriers: the other party
    ThreadPlace other;
    AccessKind other_access = AccessKind::none;

    // The memory, in the learner's terms. For global: the buffer (empty = no buffer is near) and the byte offset from
    // its start (negative = before it). For shared: the variable's name, or "shared memory" for a dynamic one.
    std::string buffer;
    std::int64_t offset_bytes = 0;
    std::uint64_t buffer_bytes = 0;
    int width_bytes = 0;    // of one lane's access
    int element_bytes = 0;  // of the buffer's element, 0 if unknown
    std::uint64_t address = 0;
    bool is_freed = false;            // the buffer was freed before
    bool is_endless = false;          // timeout: nothing that the loop depends on changes any more
    bool is_same_value = false;       // race_shared/race_global: both wrote the same value
    bool may_be_old = false;          // race_global: the reader has no fence, and may read an old copy
    bool is_looked_up = false;        // race_global: it has seen by a load alone that the other is done
    bool is_tried = false;            // race_global: the reader got the old value, and the output came out wrong
    bool is_held_back = false;        // race_global: wrong where blocks go on in another order behind `other`
    bool is_under_copy = false;       // race_shared: `other` is a bulk store that nobody has waited for
    bool crosses_blocks = false;      // race_global: of all occurrences, one was between two blocks
    bool is_volatile = false;         // race: accesses were volatile (warp-synchronous style)
    std::uint32_t mask = 0;           // inactive_lane, barrier_divergence: lanes named or active
    int lane = -1;                    // inactive_lane: the lane that is missing
    Refusal refusal = Refusal::none;  // invalid_launch
    Misuse misuse = Misuse::none;     // undefined_operand
    std::uint64_t value = 0;          // undefined_operand: see Misuse; out_of_bounds_shared: its reach
    std::uint64_t limit = 0;          // timeout: the budget, of a recursion the calls; invalid_launch: the limit
    std::string detail;   // in words: unsupported, invalid_call, assertion: what; invalid_launch: what is asked for
    std::string error;    // invalid_launch: CUDA's name
    Dim3 block{0, 0, 0};  // invalid_launch: that is asked for
    std::string stored;   // uninitialized: of each piece of a shared variable, '1' if something has stored it
    std::uint64_t waiting_blocks = 0;    // timeout, waits: other blocks that wait like this one, and
    std::uint64_t unstarted_blocks = 0;  // those that cannot start before one of these ends
    std::uint64_t occurrences = 1;       // same kind, same line, same kernel

    // Threads wait, for each other or for what none of them changes.
    bool is_waiting() const { return kind == FindingKind::deadlock || reason == FindingReason::waits; }
};
std::string summary(const Finding& finding);  // "timeout: recursion"

}  // namespace warpgrade::vgpu
