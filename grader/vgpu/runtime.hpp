// What runs: blocks, warps and their divergent lanes. Internal to vgpu.
//
// Theory of operation. A warp's lanes are one strand as long as they stay together or part and meet again: divergence
// is a stack of (segment, lanes) entries that reconverge at the immediate post-dominator. Lanes that wait for lanes
// lower in the same stack (a spin lock, a shuffle in a divergent branch, a barrier in one) are split off into strands
// of their own, which take turns, as threads do since Volta. A block runs its warps in turn, each until it waits or
// ends. A block all of whose warps only poll global memory is set aside until what it polls has changed
// (spin_wait.cpp); as many blocks as fit on the device can be there at a time. Races in global memory are tracked by
// happens-before in small launches (race_tracker.hpp), and looked for by block tags in memory's shadow in others. What
// of a kernel runs in those alone is tracked in a part of some of them (session.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "vgpu/cluster_seat.hpp"
#include "vgpu/code.hpp"
#include "vgpu/exec.hpp"
#include "vgpu/loop_watch.hpp"
#include "vgpu/need_trace.hpp"
#include "vgpu/race_clocks.hpp"
#include "vgpu/vgpu.hpp"
#include "vgpu/warp_state.hpp"

namespace warpgrade::vgpu {

struct BarrierState {
    std::uint64_t arrived = 0;   // threads
    std::uint64_t expected = 0;  // 0 = every thread that has not exited
    std::uint64_t votes = 0, voters = 0;
    int site = -1;                                // of the first arrival
    std::shared_ptr<BarrierKnowledge> knowledge;  // where races are tracked
};

// Whole warps may meet at two places of a program (PTX manual, barrier.sync): the barrier counts threads. That is a
// fault only where one of them comes to fewer barriers than another one. From the first such meeting on, of a block:
struct MeetingsApart {
    std::uint32_t barrier = 0;            // its number
    std::size_t meetings = 0;             // there
    std::vector<std::vector<int>> lines;  // for each warp, where it met the others; as many as have met
    Finding first;                        // what is said if it is a fault
};

std::uint32_t arrivals_left(std::uint64_t mbarrier);  // by the bits of one

struct MbarrierWait {
    std::uint32_t warp = 0, site = 0;
    int lane = 0;
    std::uint64_t offset = 0;
};

// The mbarriers of a block: what is initialised, by its offset in shared memory, and as an operation left it. Lanes of
// a warp ask for the same one, mostly.
class Mbarriers {
public:
    std::uint64_t* find(std::uint64_t offset) {
        if (last_ != nullptr && last_->first == offset) return &last_->second;
        const auto found = all_.find(offset);
        if (found == all_.end()) return nullptr;
        last_ = &*found;
        return &last_->second;
    }
    std::uint64_t& operator[](std::uint64_t offset) {
        if (std::uint64_t* const known = find(offset)) return *known;
        return all_[offset];
    }
    void erase(std::uint64_t offset) {
        all_.erase(offset);
        last_ = nullptr;
    }
    void clear() {
        all_.clear();
        last_ = nullptr;
    }

private:
    std::unordered_map<std::uint64_t, std::uint64_t> all_;
    std::pair<const std::uint64_t, std::uint64_t>* last_ = nullptr;
};

class RaceTracker;

inline constexpr std::size_t no_sample = ~std::size_t{0};

struct BlockContext {
    std::vector<WarpState> warps;
    LineBytes constants;  // the constant bank
    LineBytes shared;
    std::vector<std::uint32_t> written, read, written_site, read_site;
    std::array<BarrierState, barriers_of_block> barriers;
    std::unique_ptr<MeetingsApart> apart;  // null: all have met at one place so far
    Mbarriers mbarriers;
    MbarrierWait vain_wait;  // the last wait that was in vain
    std::uint64_t mbarrier_changes = 0, changes_seen = 0, idle_rounds = 0;
    Dim3 index{0, 0, 0};
    std::uint64_t linear = 0;
    std::uint32_t sequence = 1;
    std::uint32_t tag = 0;
    std::vector<Poll> watched;  // set aside since it only polls these; empty = it has used up its slice
    std::minstd_rand random;
    RaceTracker* races = nullptr;       // that follows it; of a launch followed in part, the first blocks
    BlockClocks clocks;                 // its own
    std::unique_ptr<ClusterSeat> seat;  // null: nothing of the launch knows of clusters
    bool has_seen_atomic = false;       // looked at global memory by an atomic or a volatile access
    BlockTrace* trace = nullptr;        // of a sampled block
    std::uint64_t clock = 0;            // instructions of its warps so far
    std::size_t in_sample = no_sample;  // where the launch runs one
    // work_counters.cpp: what it will find in such a counter; where its warps have counted (warp, site) and at what
    // address.
    std::map<std::uint64_t, std::uint64_t> work_counters;
    bool has_drawn = false;  // from one, a moment ago
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> draws;
};

struct SegmentCount {
    std::uint64_t runs = 0, lanes = 0, diverged = 0;
};

// What blocks of one launch share between workers.
struct LaunchState {
    const Program* program = nullptr;
    const Code* code = nullptr;
    int function = 0;
    const Launch* launch = nullptr;
    const RunOptions* options = nullptr;
    Memory* memory = nullptr;
    std::uint32_t first_tag = 1;
    std::uint32_t own_shared_bytes = 0;           // of its variables, and dynamic
    std::uint32_t reserved_shared_offset = 0;     // behind them, for a program that asks where that is
    std::uint32_t shared_bytes = 0;               // all
    std::vector<std::uint64_t> symbol_addresses;  // of Program::constants with a symbol
    std::atomic<std::uint64_t> next_block{0};
    std::uint64_t block_count = 0;
    Dim3 cluster;                                  // in blocks
    std::vector<std::uint64_t> first_of_clusters;  // of a sample: a block of each
    bool has_clusters = false;                     // blocks have seats
    std::uint64_t work_limit = 0;                  // in warp instructions: see budget.hpp
    std::uint64_t block_work = 0;                  // of a block that does nothing
    std::atomic<std::uint64_t> work{0};
    std::atomic<bool> is_stopped{false};
    std::atomic<bool> is_out_of_work{false};  // that is why
    std::atomic<bool> is_out_of_time{false};  // or this
    std::uint64_t cost = 0;                   // once it has run
    bool reads_writable = false;              // see Worker
    bool is_unsettled = false;                // what comes of it may hang on which thread was first
    std::uint64_t unseen_lines = 0;           // printed when enough was printed
    bool is_host = false;
    bool is_program = false;  // Session::HostCode
    bool has_heap = false;    // malloc and free in a kernel
    const Session::HostFunction* host_call = nullptr;
    const std::vector<int>* host_buffers = nullptr;  // launcher-visible
    const std::vector<int>* module_buffers = nullptr;
    // "Last block" pattern, where races are not tracked: which blocks made their writes visible by a fence. As long as
    // the last of them asks for: a grid may have more blocks than this machine has bytes.
    std::vector<bool> published;
    bool keeps_published = false;
    std::unique_ptr<RaceTracker> races;  // null: global races are looked for by the tags in memory's shadow
    bool finds_races_by_stamps = false;  // in shared memory; else its stamps tell only what was never written
    std::string* output = nullptr;
    std::vector<BlockTrace> traces;  // one for each sampled block
    std::vector<double> block_instructions;
    // work_counters.cpp: words that sampled blocks counted in, as the launch found them.
    struct Counted {
        char* place = nullptr;
        std::uint32_t bytes = 0;
        std::uint64_t value = 0;
    };
    std::unordered_map<std::uint64_t, Counted> counted;
    std::uint64_t drawn_from = 0;
};

// Of whose local memory there is room: host code of a program is one lane, with much of it.
inline std::uint64_t local_lanes(const LaunchState& launch) { return launch.is_program ? 1 : 32; }

// work_counters.cpp: after a sample has run.
void put_back_counted(LaunchState& launch);

// spin_wait.cpp: blocks that were set aside, in the order they gave their turn away.
struct Worker;
class WaitingBlocks {
public:
    void add(std::unique_ptr<BlockContext> block) { blocks_.push_back(std::move(block)); }
    // The next that can go on, or, where the race tracker holds blocks back, the last. Where none can, the next all the
    // same: its loop may count its turns. Null, with a finding, once all of them have polled in vain for so long that
    // they never will go on.
    std::unique_ptr<BlockContext> take(Worker& worker);
    std::size_t size() const { return blocks_.size(); }
    bool has_ready() const;

private:
    std::deque<std::unique_ptr<BlockContext>> blocks_;
    std::uint64_t idle_turns_ = 0, idle_polls_ = 0;
};
// False while nothing that the block polls has changed, and the barrier it waits at is not met.
bool may_go_on(const BlockContext& block);

// Of a launch; what ends it is always kept.
inline constexpr std::size_t kMostFindings = 256;
using FindingKey = std::tuple<FindingKind, int, AccessKind, FindingReason, std::string>;  // with line and detail

struct Worker {
    LaunchState* launch = nullptr;
    std::vector<SiteCache> caches;
    std::vector<SiteCount> counts;
    std::vector<SegmentCount> segments;
    std::map<FindingKey, std::pair<std::uint64_t, Finding>> findings;  // with the block's linear index
    Finding surplus;                                                   // stands for all that are too many to be kept
    // The last one of each line, modulo their number, that an access reported: its next lanes only count.
    struct Told {
        FindingKind kind{};
        int line = 0;
        AccessKind access{};
        Finding* finding = nullptr;
    };
    std::array<Told, 64> told{};
    std::vector<Access> trace;
    Access* recorded = nullptr;  // in `trace`: the one whose values are still to come
    bool trace_is_cut = false;
    std::unique_ptr<BlockContext> context;  // kept between blocks
    std::int64_t budget = 0;                // work until the launch's total is looked at again
    std::int64_t budget_given = 0;
    std::uint64_t longest_block = 0;  // RunResult's, of those that this worker ran
    void spend(std::uint64_t work) { budget -= static_cast<std::int64_t>(work); }
    std::uint64_t patience = kPollsBeforeTurn;
    LoopWatch watch;                // of what has used up the budget
    bool reads_writable = false;    // something looked at memory that may be stored to
    bool stores_again = false;      // bytes, which have no tag, where something had been stored
    std::unique_ptr<NeedLog> need;  // where a slice is asked for
};

// Of `lanes`, those that name the same mask as the first of them (block_sync.cpp). `named`: 32 masks.
std::uint32_t same_as_first(const std::uint32_t* named, std::uint32_t lanes);

// block_runner.cpp
void advance_sequence(BlockContext& block);
class BlockRunner {
public:
    explicit BlockRunner(Worker& worker);
    std::unique_ptr<BlockContext> make_context();
    void start(BlockContext& block, std::uint64_t linear);
    // Runs until the block is done, only polls, or has used up its slice. True when done.
    bool run(BlockContext& block);
    // The launcher: one thread of a function, arguments in its parameter areas.
    void start_function(BlockContext& block, int function, std::span<const std::vector<std::byte>> arguments);

private:
    void start_warp(WarpState& warp) const;
    bool is_traced_to_end(const BlockContext& block) const;
    void run_strand(BlockContext& block, WarpState& warp, std::size_t strand);
    bool split_by_mask(WarpState& warp, Strand& strand, const Segment& segment);
    bool start_segment(WarpState& warp, std::size_t strand, const Segment& segment);
    void execute(WarpState& warp, const SimtEntry& entry, const Segment& segment, std::uint32_t mask);
    // Where races are tracked: from an instruction on. It may end in front of another one, where the block is held
    // back.
    void execute_tracked(WarpState& warp, const Code& code, std::uint32_t from, const Segment& segment,
                         std::uint32_t mask);
    void execute_for_slice(Warp& w, const Code& code, const Segment& segment);
    void go_on_where_held(WarpState& warp, Strand& strand, const Segment& segment);
    // What happens at a segment's end, for the strand's top entry. False if the strand can not go on now.
    bool finish_segment(BlockContext& block, WarpState& warp, std::size_t strand, const Segment& segment);
    bool branch_by_table(Warp& w, Strand& strand, const Terminator& t);
    void leave_function(WarpState& warp, Strand& strand, const Segment& segment);
    bool meet_warp(BlockContext& block, WarpState& warp, std::size_t strand, const Terminator& t);
    void diverge(Strand& strand, const Terminator& t, std::uint32_t taken, int other);
    void retire(WarpState& warp, Strand& strand, std::uint32_t lanes);
    struct Callee {
        int function = -1;
        std::uint32_t mask = 0;
    };
    // Whom the lanes call: through a pointer, one function or several. None, with a finding, where one of them calls
    // nobody.
    std::vector<Callee> callees_of(WarpState& warp, const CallSite& site, const Terminator& t, std::uint32_t mask);
    void call(BlockContext& block, WarpState& warp, Strand& strand, const CallSite& site, const Terminator& t,
              std::uint32_t mask);
    void call_one(WarpState& warp, Strand& strand, const SimtEntry& caller, const CallSite& site, const Terminator& t,
                  int function, std::uint32_t mask);
    void call_external(BlockContext& block, WarpState& warp, const CallSite& site, const Terminator& t,
                       std::uint32_t mask);
    void end_program(WarpState& ws, const SimtEntry& entry);
    void return_from(WarpState& warp, const SimtEntry& entry);
    bool arrive(BlockContext& block, WarpState& warp, std::size_t strand, const Segment& segment);
    void release_barriers(BlockContext& block, bool& progress);
    void complete(BlockContext& block, std::uint32_t id, const WarpState* running);
    // clusters.cpp
    bool wait_for_cluster(BlockContext& block, WarpState& warp, std::size_t strand, const Terminator& t);
    bool release_from_cluster(BlockContext& block);
    bool give_turn_away(BlockContext& block) const;
    bool waits_in_vain(BlockContext& block) const;
    bool release_waiting(WarpState& warp, bool force);
    // Gives `lanes` of a strand's top entry a strand of their own; its index.
    std::size_t split_off(WarpState& warp, std::size_t strand, std::uint32_t lanes);
    void split_top(WarpState& warp, std::size_t strand);
    void merge_strands(WarpState& warp);
    void pass_warp_barrier(BlockContext& block, Warp& warp, std::uint32_t lanes);
    void enter_frame(WarpState& warp, const SimtEntry& entry);
    std::uint64_t launch_value(SpecialRegister which, std::size_t warps) const;
    std::optional<std::uint64_t> block_value(SpecialRegister which, const BlockContext& block) const;
    void fill_specials(BlockContext& block, WarpState& warp, const Code& code, std::uint32_t frame);
    void check_barrier(Warp& w, const Terminator& t, std::uint32_t mask, const BarrierState& barrier);
    void report_stuck(BlockContext& block);
    // Threads that have ended where others meet at a barrier of the whole block.
    void report_ended(BlockContext& block, const BarrierState& barrier, std::uint32_t id);
    void meet_apart(BlockContext& block, WarpState& warp, std::uint32_t id, const Site& site, int lane);
    void report_apart(BlockContext& block, const Finding& seen);
    void report_meetings_apart(BlockContext& block);
    // A lane that a warp function's mask leaves out. The launch ends there.
    void report_left_out(Warp& w, const Site& site, int lane, std::uint32_t member);
    void report_at(Warp& w, const Terminator& t, int lane, Misuse misuse, std::uint64_t value, std::uint64_t limit);
    // False, with a finding, where the launch has done all that it may; a little more is to tell whether it would end.
    bool may_go_on(BlockContext& block, const WarpState& ws, const Strand& strand, const Segment& segment);
    bool may_take_round(BlockContext& block);
    void stop_for_good(BlockContext& block, const Warp& w, const Segment& segment, bool is_endless);
    const Code& code_of(const SimtEntry& entry) const {
        return launch_.program->functions[static_cast<std::size_t>(entry.function)];
    }

    Worker& worker_;
    LaunchState& launch_;
    std::int64_t slice_left_ = 0;
    bool ends_early_ = false;  // with the trace of its block: a warp whose own is cut gives its turn away
    bool has_polled_ = false;  // the strand that ran last ended with a poll in vain
};

// clusters.cpp
bool is_in_cluster_of_many(const Warp& w);
// Whose shared memory an address is of, which is made an offset there. Null: of no block, or of one that has ended.
BlockContext* owner_of_shared(const Warp& w, std::uint64_t& address);

// launch_results.cpp: what a site has counted, in the terms of counters.
void add_site(Counters& counters, const Site& site, const SiteCount& count);

// access.cpp
Finding& add_finding(Worker& worker, const BlockContext* block, FindingKind kind, int line, AccessKind access,
                     FindingReason reason, bool& is_new, const std::string& detail = "");
// What lies at a generic or global address, for calls that are not PTX: `most` bytes of one state space at the most,
// those that are there. Empty if the address is nowhere, and, with a finding, if a launcher may not read it.
std::span<const std::byte> bytes_at(Warp& w, const Site& site, int lane, std::uint64_t address, std::uint64_t most);
// The same of host code, for what answers it; no finding where it may not.
std::span<std::byte> host_bytes_at(Warp& w, int lane, std::uint64_t address, std::uint64_t most);
int line_of(const Warp& w, const Site& site);
int outer_line_of(const Warp& w, const Site& site);
int called_from(const Warp& w, const Site& site);  // ThreadPlace::called_from
// A new race_global finding at a lane's access, or null where it is known. One of the same value gives way to one that
// is not. may_be_old: the two are ordered, but for a fence of the reader's, and a cache may hold what was there before.
// is_across: the two are of different blocks.
Finding* begin_global_race(Warp& w, const Site& site, int lane, std::uint64_t address, bool same_value, bool may_be_old,
                           bool is_across);
// A finding of the same kind that is not told yet.
Finding race_at(Warp& w, const Site& site, int lane, std::uint64_t address);
// The same in shared memory, as the race tracker sees it.
Finding* begin_tracked_shared_race(Warp& w, const Site& site, int lane, std::uint64_t offset, bool same_value);
// What the race tracker needs to know, where there is one.
void note_arrival(Warp& w, std::uint64_t mbarrier);
void note_completed(Warp& w, std::uint64_t mbarrier);
void note_wait(Warp& w, std::uint64_t mbarrier, std::uint32_t lanes);
void note_copied(Warp& w, std::uint32_t site, int lane, std::uint32_t to, std::uint32_t bytes, bool is_there);
// Where there is none, or one of a part: what the block has stored is there for others that look.
void note_published(Warp& w);
void note_bulk(Warp& w, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes);
ThreadPlace place_of(const Warp& w, int lane, const Site& site);
std::string display_name_of(const std::string& external);
inline constexpr std::string_view exit_call = "__warpgrade_exit";  // of a program: its code
bool belongs_to_launcher(const std::string& external);  // a launch, or a call of the runtime's: not for kernels

// A sampled warp begins a segment.
void note_segment(Warp& w, std::uint32_t segment, std::uint32_t instructions);

// host_calls.cpp: printf, assert. False if the name is unknown.
bool call_builtin(BlockContext& block, Warp& w, const std::string& name,
                  const std::vector<std::vector<std::byte>>& arguments, int lane, const Site& site,
                  std::vector<std::byte>& result);

}  // namespace warpgrade::vgpu
