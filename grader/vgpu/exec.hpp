// What instruction handlers see at run time. Plain data, no std containers: handlers are compiled once for each
// instruction set (ops/), and only code in their own namespace may be emitted from those files.
//
// Theory of operation. A warp's registers are 32-lane vectors in its frame. Operands are references: bit 0 picks the
// bank (0 = the warp's frame, 1 = the block's constants, splatted), the rest is a byte offset. An instruction is one
// call of `full` (all 32 lanes active) or `masked` (some). Control flow is not a handler's business: code is cut into
// segments whose terminator the block runner acts on.
#pragma once

#include <cstdint>
#include <span>

#include "vgpu/finding.hpp"
#include "vgpu/range.hpp"

namespace warpgrade::vgpu {

inline constexpr std::uint32_t kFullMask = 0xFFFFFFFFu;

// Windows of the generic address space (PTX manual, "Generic Addressing"). Global buffers live below all of them.
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{0x7F} << 40;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{0x7E} << 40;
inline constexpr std::uint64_t kParamWindow = std::uint64_t{0x7D} << 40;
inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 32;

// What an address means in a window: an index before the window's start belongs to it too, as a negative offset, and is
// that space's fault. No space is as large as half a window.
constexpr bool is_near(std::uint64_t address, std::uint64_t window) {
    return address - window + kWindowBytes / 2 < kWindowBytes;
}
// An address of shared memory, which may be written as a generic one, as an offset.
constexpr std::uint64_t shared_offset(std::uint64_t address) {
    return is_near(address, kSharedWindow) ? address - kSharedWindow : address;
}

// In a cluster, what mapa gives: the block's rank + 1 in the bits above an offset. Below them lies the own block.
inline constexpr int kRankShift = 24;
constexpr bool names_block(std::uint64_t address) { return address >> kRankShift != 0 && address < kWindowBytes / 2; }

struct Warp;
struct Inst;
using Handler = void (*)(Warp&, const Inst&);

struct alignas(64) Inst {
    Handler full = nullptr;
    Handler masked = nullptr;
    std::uint32_t d[4] = {0, 0, 0, 0};  // destinations, or the values of a vector store
    std::uint32_t a = 0, b = 0, c = 0;  // sources; memory: a = address
    std::uint32_t site = 0;             // memory and reporting: index into Code::sites
    std::int64_t imm = 0;               // address offset, or whatever the handler says
};
static_assert(sizeof(Inst) == 64);

// Shadow of shared memory: one stamp for each unit (4 bytes, or 1 if the kernel makes narrower accesses):
// [sequence : 20][kind : 2][warp : 5][lane : 5]. The sequence number of a block grows at every barrier and every
// __syncwarp, and goes on from block to block, so a stamp older than the block's first number means "not touched in
// this block". `kind`: several lanes of the warp, several warps (reads), or an atomic (writes).
inline constexpr int kStampShift = 12;
inline constexpr std::uint32_t kManyLanes = 1u << 10, kManyWarps = 2u << 10, kAtomicStamp = 3u << 10,
                               kStampKind = 3u << 10;
inline constexpr std::uint32_t kStampThread = (1u << 10) - 1;
inline constexpr std::uint32_t kMaxSequence = (1u << 20) - 2;

// Shadow of global memory: [block tag : 28][bytes written : 4] for each 4-byte word.
inline constexpr int kTagShift = 4;

// Where a site found its buffer last; one for each site and worker.
struct SiteCache {
    std::uint64_t low = 1, high = 0;       // device addresses [low, high) of the buffer; empty at first
    char* bias = nullptr;                  // host address of device address 0
    std::uint32_t* shadow_bias = nullptr;  // shadow of device address 0 (index by address / 4); null: no shadow
    bool checks_written = false;           // the buffer is not wholly written from the start
    bool is_read_only = false;
    int buffer = -1;
    const unsigned char* is_there = nullptr;  // Buffer::is_there, where contents come as they are touched
};

struct SiteCount {
    std::uint64_t requests = 0, units = 0, ideal = 0;
};

// Static facts of a memory instruction, a barrier, a shuffle: whatever reports or counts.
struct Site {
    int line = 0, column = 0;  // of the submission: where findings are
    int outer_line = 0;        // of the inlining chain: what the counters are for
    AccessKind access = AccessKind::none;
    std::uint8_t width = 0;  // bytes a lane, all vector elements together
    bool is_volatile = false;
    bool is_atomic = false;       // atomic, or a relaxed/acquire/release access
    bool compares = false;        // atom.cas
    bool is_seen = true;          // a value comes back: not red
    bool is_used = false;         // atomic: something reads the value that comes back
    bool is_release = false;      // .release or .acq_rel: what came before is published with it
    bool is_acquire = false;      // .acquire or .acq_rel: what was published there is known at once
    bool is_block_scope = false;  // .cta: strong among the threads of a block only
    bool is_past_cache = false;   // a load that finds no old copy: .cg
    bool is_copy = false;         // half of a cp.async
    bool is_bulk = false;         // ... of a cp.async.bulk: the handler knows how many bytes
    bool checks_races = true;     // shared: in an interval with a conflicting access
    bool stamps_reads = true;
    std::uint8_t space = 0;  // ptx::Space
};

struct BlockContext;
struct Worker;

struct Warp {
    char* base[2] = {nullptr, nullptr};  // frame, constants
    std::uint32_t mask = 0;              // active lanes
    std::uint32_t saved_mask = 0;        // round a predicated instruction
    std::uint32_t alive = 0;             // lanes that have not exited
    std::uint32_t index = 0;             // in the block
    std::uint32_t sync_floor = 0;        // sequence number of this warp's last __syncwarp
    // Shared memory of the block.
    char* shared = nullptr;
    std::uint32_t* written = nullptr;       // stamps of the last write
    std::uint32_t* read = nullptr;          // stamps of the last read; null when no access needs them
    std::uint32_t* written_site = nullptr;  // who wrote, who read: kept only when a race is to be explained
    std::uint32_t* read_site = nullptr;
    std::uint32_t shared_bytes = 0;
    std::uint32_t unit_shift = 2;      // log2 of the bytes of a stamp
    std::uint32_t first_sequence = 0;  // of the block
    std::uint32_t barrier_floor = 0;   // sequence number of the last block barrier
    std::uint32_t sequence = 0;        // now
    // Global memory.
    std::uint32_t tag = 0;        // of the block
    std::uint32_t first_tag = 0;  // of the launch
    SiteCache* caches = nullptr;
    SiteCount* counts = nullptr;
    const Site* sites = nullptr;
    // Local memory: lane-major. Of each of its words, which bytes were stored to (lower four bits).
    char* local = nullptr;
    char* local_written = nullptr;
    std::uint32_t local_bytes = 0;  // a lane
    const char* params = nullptr;   // the launch's parameters
    std::uint32_t param_bytes = 0;
    bool is_host = false;  // the launcher runs: global memory is out of reach
    // What is told of its accesses: to a trace of each (record_access), to a slice (need_trace.hpp).
    static constexpr std::uint8_t to_trace = 1, to_slice = 2;
    std::uint8_t traces = 0;
    bool is_traced() const { return (traces & to_trace) != 0; }
    std::uint64_t extra_work = 0;  // of this segment: what no instruction alone tells (budget.hpp)
    bool yields = false;           // set by a handler: others should run before this warp goes on
    bool waits_within = false;     // set besides: no other block is what it waits for
    std::uint32_t stop = 0;        // set by a handler to end the launch: trap, assertion, not supported
    BlockContext* block = nullptr;
    Worker* worker = nullptr;
    int call_line = 0;        // in a function: the line of the submission that called it, through headers or not
    int outer_call_line = 0;  // ... and the line outside of all functions
};

// A lane's words of local memory, one more than there can be.
inline std::uint64_t local_words(std::uint32_t local_bytes) { return std::uint64_t{local_bytes} / 4 + 1; }
inline char* local_written_at(const Warp& w, int lane, std::uint64_t address) {
    return w.local_written + static_cast<std::uint64_t>(lane) * local_words(w.local_bytes) + address / 4;
}

template <class T>
inline T* reg(const Warp& w, std::uint32_t ref) {
    return reinterpret_cast<T*>(w.base[ref & 1] + (ref >> 1));
}

inline std::uint32_t& pred(const Warp& w, std::uint32_t ref) { return *reg<std::uint32_t>(w, ref); }

// Slow paths, in access.cpp and access_*.cpp: never on the way of a well-behaved access.

// Points the site's cache at the buffer that holds [address, address + bytes). False if there is none.
bool find_buffer(Warp& w, std::uint32_t site, std::uint64_t address, std::uint64_t bytes);
// Where the site's buffer has contents that come as they are touched: has them come for lanes of `width` bytes, all of
// them inside the buffer.
void provide_lanes(Warp& w, std::uint32_t site, const std::uint64_t* addresses, int count, std::uint32_t width);
void report_global(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width);
void report_misaligned(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width, int space);
void report_shared_bounds(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width);
// clusters.cpp: what a lane touches at an address that names a block of the cluster. The own block's is made an offset.
enum class SharedReach : std::uint8_t {
    own,    // as if it named none
    other,  // `place` is where its bytes are
    none    // nothing is there; with a finding
};
SharedReach reach_shared(Warp& w, const Inst& in, int lane, std::uint64_t& address, std::uint32_t width, bool reads,
                         char*& place);
// The same of a load or a store of so many elements, done at once. False: the own block's.
bool move_shared(Warp& w, const Inst& in, int lane, std::uint64_t& address, std::uint32_t element_bytes, int vector);
void report_local_bounds(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width);
void report_unwritten(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width, int space);
// What a lane reads there, byte by byte, where nothing was stored: garbage.
std::uint32_t report_unwritten_local(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width);
void report_read_only(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t width);
// `other`: the stamp found. Decides whether it is a hazard, and reports it.
void check_shared_race(Warp& w, const Inst& in, int lane, std::uint32_t unit, std::uint32_t other, bool other_is_write,
                       bool is_write, bool same_value);
void check_global_race(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t other_shadow,
                       bool is_write, bool same_value = false);
void report_lane(Warp& w, const Inst& in, int lane, std::uint32_t named);
void report_trap(Warp& w, const Inst& in, FindingReason reason = FindingReason::none);
void report_misuse(Warp& w, const Inst& in, int lane, Misuse misuse, std::uint64_t value = 0, std::uint64_t limit = 0);
// An mbarrier by its offset in shared memory.
void report_mbarrier(Warp& w, const Inst& in, int lane, Misuse misuse, std::uint64_t offset);
// Records one warp access for explain; addresses are device or shared addresses of the active lanes.
void record_access(Warp& w, const Inst& in, const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                   std::uint32_t units, std::uint32_t ideal);
// What its lanes read or store: of `vector` registers each, once the instruction has run.
void record_values(Warp& w, const Inst& in, std::uint32_t element_bytes, int vector);
void note_values(Warp& w, std::uint32_t values);  // different ones of a match, for the time model
// For a slice alone: a row of a whole warp, and where a copy goes.
void record_row(Warp& w, const Inst& in, std::uint64_t low, std::uint32_t width, std::uint32_t units,
                std::uint32_t ideal);
void record_needed(Warp& w, std::uint32_t site, const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                   std::uint32_t units, std::uint32_t ideal);
// cp.async, of lanes whose bytes are side by side: it waits in the warp until they wait for it.
struct AsyncCopy {
    std::uint32_t to = 0;            // of the first lane, an offset in shared memory
    std::uint32_t bytes = 0;         // that a lane writes there
    std::uint32_t source_bytes = 0;  // that it reads; the rest is zero
    std::uint32_t site = 0;
    const char* from = nullptr;  // null: nothing is read
    int lane = 0;                // the first
    std::uint32_t lanes = 1;

    std::uint32_t end() const { return to + lanes * bytes; }
    AsyncCopy of_lane(std::uint32_t k) const {
        return {to + k * bytes,
                bytes,
                source_bytes,
                site,
                from == nullptr ? nullptr : from + k * bytes,
                lane + static_cast<int>(k)};
    }
    // One lane more, if it goes on where these end.
    bool take(const AsyncCopy& next) {
        const bool goes_on =
            next.to == end() && next.lane == lane + static_cast<int>(lanes) && next.source_bytes == source_bytes &&
            (from == nullptr ? next.from == nullptr : source_bytes == bytes && next.from == from + lanes * bytes);
        lanes += goes_on ? 1 : 0;
        return goes_on;
    }
};
// Of one instruction.
void queue_copies(Warp& w, std::span<const AsyncCopy> copies);
void commit_copies(Warp& w);
// Leaves so many groups under way; what was not committed is in none of them.
void wait_copies(Warp& w, std::uint32_t groups_left, bool waits_for_uncommitted = false);
inline void wait_all_copies(Warp& w) { wait_copies(w, 0, true); }
// of_block: orders for the threads of the block only.
void note_fence(Warp& w, bool of_block);
void note_stored_again(Warp& w);
void note_atomic(Warp& w);
std::uint64_t read_clock(Warp& w);

}  // namespace warpgrade::vgpu
