#include "model/warp_ops.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "model/region.hpp"
#include "model/wavefronts.hpp"

namespace warpgrade {

namespace {

using vgpu::OpClass;
using vgpu::StaticOp;

constexpr std::uint64_t first_global_address = std::uint64_t{1} << 32;  // below: shared memory (vgpu/memory.cpp)

// The tag stage looks at 4 lines a cycle, and the data stage has the 32 banks of shared memory: both seen in Nsight
// Compute's l1tex__data_pipe_lsu_wavefronts of column accesses with a power of two as their stride, and without.
constexpr double longest_predicated_body = 20;  // machine instructions: ptxas' own limit is not published
constexpr int tags_a_cycle = 4;
// That ptxas puts together, seen in the machine code of loops that only load, or count what they load.
constexpr int turns_unrolled = 4;

// What a block has touched so far, sector by sector; for stores byte by byte.
class BlockFootprint {
public:
    using Lines = std::unordered_map<std::uint64_t, std::uint8_t>;  // sectors by line

    // Sectors of `touch` that are new to the block. What DRAM is asked for at about the same time are the loads of one
    // `turn` of the warps through a loop.
    std::uint8_t add(const LineTouch& touch, bool is_store, std::size_t turn) {
        std::uint8_t& seen = (is_store ? stored_ : loaded_)[touch.line];
        const std::uint8_t fresh = touch.sectors & static_cast<std::uint8_t>(~seen);
        seen |= touch.sectors;
        if (!is_store && fresh != 0) {
            if (loaded_in_turn_.size() <= turn) loaded_in_turn_.resize(turn + 1);
            loaded_in_turn_[turn][touch.line] |= fresh;
        }
        return fresh;
    }
    const Lines& stored() const { return stored_; }
    const Lines& loaded() const { return loaded_; }
    const std::vector<Lines>& loaded_in_turn() const { return loaded_in_turn_; }
    void add_bytes(std::uint64_t sector, std::uint32_t bytes) { bytes_[sector] |= bytes; }
    // By line: the bytes of the run of touched sectors that the line lies in.
    static std::unordered_map<std::uint64_t, std::uint16_t> runs(const Lines& touched) {
        std::vector<std::pair<std::uint64_t, std::uint8_t>> lines(touched.begin(), touched.end());
        std::sort(lines.begin(), lines.end());
        std::unordered_map<std::uint64_t, std::uint16_t> result;
        for (std::size_t i = 0; i < lines.size();) {
            std::size_t j = i;
            int bytes = __builtin_popcount(lines[i].second) * sector_bytes;
            while (j + 1 < lines.size() && lines[j + 1].first == lines[j].first + 1 && (lines[j].second & 8) &&
                   (lines[j + 1].second & 1))
                bytes += __builtin_popcount(lines[++j].second) * sector_bytes;
            for (; i <= j; ++i) result[lines[i].first] = static_cast<std::uint16_t>(std::min(bytes, most_run));
        }
        return result;
    }
    bool is_complete(std::uint64_t sector) const {
        const auto at = bytes_.find(sector);
        return at != bytes_.end() && at->second == 0xFFFFFFFFu;
    }

private:
    Lines loaded_, stored_;
    std::vector<Lines> loaded_in_turn_;
    std::unordered_map<std::uint64_t, std::uint32_t> bytes_;
};

std::span<const vgpu::TraceStep> whole_turns(const vgpu::WarpTrace& warp);

class Builder {
public:
    Builder(const std::vector<vgpu::SegmentOps>& segments, std::span<const AddressRange> buffers, bool counts_at_once)
        : segments_(segments),
          buffers_(buffers),
          counts_at_once_(counts_at_once),
          holds_(segments.size(), false),
          is_held_(segments.size(), false),
          ran_(segments.size(), 0),
          resting_(segments.size(), 0) {
        for (std::uint32_t s = 0; s < segments_.size(); ++s) is_unrolled_.push_back(is_unrolled(s));
        find_branches();
    }

    WorkSample sample;
    void add(const vgpu::BlockTrace& block) {
        BlockWork work;
        work.block = block.block;
        BlockFootprint footprint;
        std::uint64_t run = 0, traced = 0;
        const std::size_t first_access = sample.accesses.size();
        for (const vgpu::WarpTrace& warp : block.warps) {
            work.warps.emplace_back();
            const std::span<const vgpu::TraceStep> steps = whole_turns(warp);
            add(block, warp, steps, footprint, work.warps.back());
            const std::uint64_t here =
                steps.size() == warp.steps.size() ? warp.traced_instructions : instructions_of(steps);
            run += warp.instructions;
            traced += here;
            work.warps_left_out.push_back(static_cast<double>(warp.instructions) /
                                          static_cast<double>(std::max<std::uint64_t>(1, here)));
        }
        if (traced > 0) work.left_out = static_cast<double>(run) / static_cast<double>(traced);
        work.first_access = first_access;
        work.end_access = sample.accesses.size();
        mark(first_access, footprint);
        sample.blocks.push_back(std::move(work));
    }
    void count_lanes() {
        for (std::size_t s = 0; s < segments_.size(); ++s) {
            if (ran_[s] == 0) continue;
            for (const StaticOp& op : segments_[s].ops) {
                sample.instructions += ran_[s] * op.instructions;
                if (resting_[s] > 0) sample.resting[op.line] += resting_[s] * op.instructions;
            }
        }
    }

private:
    int root(int reg) {
        const auto at = alias_.find(reg);
        return at == alias_.end() ? reg : at->second;
    }
    void add(const vgpu::BlockTrace& block, const vgpu::WarpTrace& warp, std::span<const vgpu::TraceStep> steps,
             BlockFootprint& footprint, std::vector<MicroOp>& out);
    std::uint64_t instructions_of(std::span<const vgpu::TraceStep> steps) const {
        std::uint64_t all = 0;
        for (const vgpu::TraceStep& step : steps) all += segments_[step.segment].ops.size();
        return all;
    }
    std::int32_t access_of(const vgpu::BlockTrace& block, const vgpu::TracedAccess& traced, const StaticOp& op,
                           BlockFootprint& footprint, bool& is_global);
    void mark(std::size_t first_access, const BlockFootprint& footprint);

    void find_branches();
    bool is_unrolled(std::uint32_t segment) const;
    bool is_predicated(std::uint32_t from, std::uint32_t to) const;
    void add_skipped(std::uint32_t from, std::uint32_t to, Region& region);

    static constexpr std::uint32_t no_segment = 0xFFFFFFFFu;
    std::uint32_t previous_ = no_segment;
    const std::vector<vgpu::SegmentOps>& segments_;
    std::span<const AddressRange> buffers_;
    bool counts_at_once_;
    // By segment: no load moves up over its end, over its beginning.
    std::vector<bool> holds_, is_held_;
    std::vector<double> ran_, resting_;  // by segment: warps that ran it, and lanes of them that did not
    std::unordered_map<std::uint64_t, std::uint32_t> bytes_;  // of one store, by sector
    LaneAccess last_access_;
    std::size_t turn_ = 0;                   // of the warp, through whatever loop it is in
    int unrolled_turns_ = 0;                 // of the unrolled loop that it is in
    std::vector<bool> is_unrolled_;          // by segment: ptxas unrolls this loop
    std::vector<std::size_t> turns_;         // by access
    std::unordered_map<int, int> specials_;  // special register -> the register that holds it
    std::unordered_map<int, int> alias_;     // register that a mov made another name of one
};

MicroOp micro_op(const StaticOp& op) {
    MicroOp m;
    m.instructions = static_cast<float>(op.instructions);
    m.depth = 1;
    m.is_local = op.space == ptx::Space::local && (op.kind == OpClass::load || op.kind == OpClass::store);
    m.line = op.line;
    switch (op.kind) {
        case OpClass::shuffle: m.unit = op.is_match ? Unit::match : Unit::shuffle; break;
        case OpClass::special_register: m.unit = Unit::special_register; break;
        case OpClass::barrier: m.unit = Unit::barrier; break;
        case OpClass::fence: m.unit = Unit::fence; break;
        case OpClass::wide: m.depth = 1.5f; break;
        case OpClass::multiply: m.depth = op.instructions > 1 ? 3 : 1; break;
        case OpClass::special: m.depth = static_cast<float>(op.instructions) * 0.7f; break;
        case OpClass::float64: m.depth = 4; break;
        default: break;
    }
    return m;
}

LaneAccess lanes_of(const vgpu::BlockTrace& block, const vgpu::TracedAccess& traced) {
    const auto lanes = static_cast<std::size_t>(__builtin_popcount(traced.mask));
    return {{block.addresses.data() + traced.first_address, lanes}, traced.mask, traced.width_bytes};
}

int most_on_a_word(const LaneAccess& access) {
    int most = 0;
    for (const LineTurns& on : atomic_turns(access)) most = std::max(most, on.same);
    return most;
}

std::int32_t Builder::access_of(const vgpu::BlockTrace& block, const vgpu::TracedAccess& traced, const StaticOp& op,
                                BlockFootprint& footprint, bool& is_global) {
    MemoryAccess access;
    access.line_number = op.line;
    access.site = op.site;
    const std::size_t lanes = static_cast<std::size_t>(__builtin_popcount(traced.mask));
    const std::uint64_t* addresses = block.addresses.data() + traced.first_address;
    access.lanes = static_cast<std::uint16_t>(lanes);
    access.bytes = static_cast<std::uint16_t>(lanes * traced.width_bytes);
    is_global = op.space != ptx::Space::shared && op.space != ptx::Space::local && addresses[0] >= first_global_address;
    access.first_line = static_cast<std::uint32_t>(sample.lines.size());
    if (!is_global) {
        const LaneAccess lane_access = lanes_of(block, traced);
        const int wavefronts =
            op.counts && counts_at_once_ ? bank_wavefronts(lane_access) : static_cast<int>(traced.units);
        if (op.kind == OpClass::atomic && op.is_float)
            access.turns = static_cast<std::uint16_t>(most_on_a_word(lane_access));
        access.wavefronts = static_cast<std::uint16_t>(std::max(wavefronts, 1));
        access.ideal = static_cast<std::uint16_t>(traced.width_bytes == 16 ? 4 : traced.width_bytes == 8 ? 2 : 1);
        sample.accesses.push_back(access);
        turns_.push_back(turn_);
        return static_cast<std::int32_t>(sample.accesses.size() - 1);
    }
    const bool is_store = op.kind == OpClass::store;
    const std::uint32_t width = traced.width_bytes;
    access.buffer = static_cast<std::int16_t>(buffer_of(addresses[0], buffers_));
    access.ideal = static_cast<std::uint16_t>((lanes * width + line_bytes - 1) / line_bytes);
    for (std::size_t i = 0; i < lanes; ++i) {
        const std::uint64_t line = addresses[i] / line_bytes;
        LineTouch* touch = nullptr;
        // Neighbouring lanes share a line as a rule: look from the back.
        for (std::size_t k = sample.lines.size(); k-- > access.first_line && touch == nullptr;)
            if (sample.lines[k].line == line) touch = &sample.lines[k];
        if (touch == nullptr) {
            sample.lines.push_back({.line = line});
            touch = &sample.lines.back();
        }
        const std::uint64_t in_line = addresses[i] % line_bytes;
        touch->sectors |= static_cast<std::uint8_t>(1u << (in_line / sector_bytes));
        if (is_store) {
            const std::uint32_t bytes =
                width >= 32 ? 0xFFFFFFFFu : ((1u << width) - 1) << (addresses[i] % sector_bytes);
            bytes_[addresses[i] / sector_bytes] |= bytes;
            const std::uint64_t first = in_line / 4, end = std::min<std::uint64_t>((in_line + width + 3) / 4, 32);
            for (std::uint64_t word = first; word < end; ++word) touch->words |= 1u << word;
        }
    }
    access.is_store = is_store;
    access.is_load = op.kind == OpClass::load || op.kind == OpClass::async_copy;
    access.lines = static_cast<std::uint16_t>(sample.lines.size() - access.first_line);
    const LaneAccess lane_access = lanes_of(block, traced);
    const int wavefronts = access.is_load ? load_wavefronts(lane_access) : bank_wavefronts(lane_access);
    access.wavefronts =
        static_cast<std::uint16_t>(std::max({wavefronts, (access.lines + tags_a_cycle - 1) / tags_a_cycle, 1}));
    if (op.kind == OpClass::atomic) {
        access.adds_floats = op.is_float;
        for (const LineTurns& on : atomic_turns(lane_access)) {
            access.turns = static_cast<std::uint16_t>(access.turns + on.turns);
            for (std::size_t k = access.first_line; k < sample.lines.size(); ++k) {
                if (sample.lines[k].line != on.line) continue;
                sample.lines[k].turns = static_cast<std::uint16_t>(on.turns);
                sample.lines[k].same = static_cast<std::uint8_t>(on.same);
            }
        }
    }
    for (std::size_t k = access.first_line; k < sample.lines.size(); ++k) {
        LineTouch& touch = sample.lines[k];
        touch.first = footprint.add(touch, is_store, turn_);
    }
    if (is_store) {
        for (const auto& [sector, bytes] : bytes_) footprint.add_bytes(sector, bytes);
        bytes_.clear();
    }
    sample.accesses.push_back(access);
    turns_.push_back(turn_);
    return static_cast<std::int32_t>(sample.accesses.size() - 1);
}

// What only the whole block shows: sectors left open, and how long the runs are that they lie in.
void Builder::mark(std::size_t first_access, const BlockFootprint& footprint) {
    const std::unordered_map<std::uint64_t, std::uint16_t> store_runs = BlockFootprint::runs(footprint.stored());
    const std::unordered_map<std::uint64_t, std::uint16_t> whole_load_runs = BlockFootprint::runs(footprint.loaded());
    std::vector<std::unordered_map<std::uint64_t, std::uint16_t>> load_runs;
    for (const BlockFootprint::Lines& lines : footprint.loaded_in_turn())
        load_runs.push_back(BlockFootprint::runs(lines));
    for (std::size_t a = first_access; a < sample.accesses.size(); ++a) {
        const MemoryAccess& access = sample.accesses[a];
        for (std::size_t k = access.first_line; k < access.first_line + access.lines; ++k) {
            LineTouch& touch = sample.lines[k];
            if (touch.first != 0) {
                const auto& runs = access.is_store ? store_runs : load_runs[turns_[a]];
                if (const auto run = runs.find(touch.line); run != runs.end()) touch.run = run->second;
                touch.is_piece = !access.is_store && touch.run < whole_load_runs.at(touch.line);
            }
            if (!access.is_store) continue;
            for (int s = 0; s < 4; ++s) {
                const auto bit = static_cast<std::uint8_t>(1u << s);
                if ((touch.sectors & bit) && !footprint.is_complete(touch.line * 4 + static_cast<std::uint64_t>(s)))
                    touch.open |= bit;
            }
        }
    }
}

// What is left of a trace that was cut: up to the end of a turn of the outermost loop that it goes through a few times.
// What a part of a turn loads, stores or computes does not stand for the turns that are left out.
std::span<const vgpu::TraceStep> whole_turns(const vgpu::WarpTrace& warp) {
    const std::span<const vgpu::TraceStep> all = warp.steps;
    if (!warp.is_cut) return all;
    std::map<std::uint32_t, std::pair<int, std::size_t>> heads;  // segment -> times that a turn began, the last time
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (all[i].segment > all[i - 1].segment) continue;
        auto& [times, last] = heads[all[i].segment];
        ++times, last = i;
    }
    for (const auto& [segment, turns] : heads)
        if (turns.first > 1 && 4 * turns.second >= 3 * all.size()) return all.first(turns.second);
    return all;
}

void Builder::add(const vgpu::BlockTrace& block, const vgpu::WarpTrace& warp, std::span<const vgpu::TraceStep> steps,
                  BlockFootprint& footprint, std::vector<MicroOp>& out) {
    alias_.clear();
    specials_.clear();
    previous_ = no_segment;
    turn_ = 0;
    Region region(out, sample.accesses);
    std::size_t next_access = 0;
    for (const vgpu::TraceStep& step : steps) {
        const bool is_same_body =
            step.segment == previous_ && is_unrolled_[step.segment] && ++unrolled_turns_ % turns_unrolled != 0;
        if (step.segment != previous_) unrolled_turns_ = 0;
        if (previous_ != no_segment && !is_same_body) {
            if (holds_[previous_] || is_held_[step.segment] || step.segment <= previous_) region.flush();
            if (step.segment <= previous_) ++turn_;  // a loop came round
        }
        add_skipped(previous_, step.segment, region);
        previous_ = step.segment;
        ++ran_[step.segment];
        resting_[step.segment] += 32 - __builtin_popcount(step.mask);
        const std::size_t end_access = next_access + step.accesses;
        for (const StaticOp& op : segments_[step.segment].ops) {
            if (op.kind == OpClass::special_register && !op.writes.empty()) {
                // Read once; ptxas keeps it.
                const int key = op.special;
                if (const auto known = specials_.find(key); known != specials_.end()) {
                    alias_[op.writes.front()] = known->second;
                    continue;
                }
                specials_[key] = op.writes.front();
            }
            MicroOp m = micro_op(op);
            std::size_t reads = 0, writes = 0;
            for (const int r : op.reads)
                if (const int from = root(r); from >= 0 && reads < m.reads.size())
                    m.reads[reads++] = static_cast<std::int16_t>(from);
            for (const int r : op.writes)
                if (writes < m.writes.size()) m.writes[writes++] = static_cast<std::int16_t>(r);
            for (const int r : op.writes) sample.registers = std::max(sample.registers, r + 1);
            for (const int r : op.reads) sample.registers = std::max(sample.registers, r + 1);
            if (op.instructions == 0 && op.kind != OpClass::load) {
                // Another name for its source, or a value that is there from the start.
                for (const int r : op.writes) alias_[r] = op.reads.empty() ? -1 : root(op.reads.front());
                continue;
            }
            for (const int r : op.writes) alias_.erase(r);
            if (m.unit == Unit::match) m.pending = static_cast<std::int16_t>(std::max<std::uint32_t>(1, step.values));
            bool is_load = false, is_store = false, is_fixed = false, is_word = false;
            const bool is_memory = op.kind == OpClass::load || op.kind == OpClass::store ||
                                   op.kind == OpClass::atomic || op.kind == OpClass::async_copy;
            if (is_memory && next_access < end_access && warp.accesses[next_access].site == op.site) {
                bool is_global = false;
                const vgpu::TracedAccess& traced = warp.accesses[next_access++];
                m.access = access_of(block, traced, op, footprint, is_global);
                last_access_ = lanes_of(block, traced);
                if (op.kind == OpClass::load || op.kind == OpClass::async_copy) {
                    m.unit = is_global ? Unit::global_load : Unit::shared_load;
                    is_load = is_global;
                    is_word = !is_global && op.kind == OpClass::load && op.width_bytes == 4 && !op.is_ordered;
                } else if (op.kind == OpClass::store) {
                    m.unit = is_global ? Unit::global_store : Unit::shared_store;
                    is_store = is_global;
                } else {
                    m.unit = is_global ? Unit::global_atomic : Unit::shared_load;
                    is_fixed = is_global || !op.counts;  // global loads move up over a count in shared memory
                }
            }
            if (op.kind == OpClass::async_copy && op.is_ordered) {
                m.unit = op.pending < 0 ? Unit::commit_copies : Unit::wait_for_copies;
                m.pending = static_cast<std::int16_t>(op.pending);
            }
            is_fixed = is_fixed || op.is_ordered || op.kind == OpClass::barrier || op.kind == OpClass::warp_barrier ||
                       op.kind == OpClass::fence || op.kind == OpClass::call;
            if (is_fixed) {
                region.flush();
                out.push_back(m);
            } else if (is_word) {
                region.add_shared_load(m, last_access_);
            } else {
                region.add(m, is_load, is_store, op.is_read_only);
            }
        }
        next_access = end_access;
    }
    region.flush();
}

// Branches that are still there in machine code: no load moves up over them, nor over where they go.
void Builder::find_branches() {
    for (std::uint32_t s = 0; s < segments_.size(); ++s) {
        if (segments_[s].ops.empty()) continue;
        const StaticOp& branch = segments_[s].ops.back();
        for (const int target : branch.targets) {
            const auto to = static_cast<std::uint32_t>(target);
            if (branch.targets.size() == 1 && to > s && is_predicated(s, to)) continue;
            holds_[s] = true;
            is_held_[to] = true;
        }
    }
}

// A loop of one segment that does nothing but load, compute and count in shared memory, and has a counter: a branch
// back that depends on registers which only the loop's own arithmetic moves on.
bool Builder::is_unrolled(std::uint32_t segment) const {
    const vgpu::SegmentOps& body = segments_[segment];
    if (body.is_nounroll || body.ops.empty()) return false;
    const StaticOp& branch = body.ops.back();
    if (branch.kind != OpClass::branch || branch.targets != std::vector<int>{static_cast<int>(segment)}) return false;
    bool loads = false;
    std::unordered_map<int, const StaticOp*> writer;
    for (const StaticOp& op : body.ops) {
        if (op.counts) continue;
        const bool is_load = op.kind == OpClass::load && !op.is_ordered;
        const bool is_computed = op.kind != OpClass::store && op.kind != OpClass::atomic &&
                                 op.kind != OpClass::async_copy && op.kind != OpClass::barrier &&
                                 op.kind != OpClass::warp_barrier && op.kind != OpClass::fence &&
                                 op.kind != OpClass::call && op.kind != OpClass::shuffle && op.kind != OpClass::load;
        if (!is_load && !is_computed) return false;
        loads = loads || (is_load && op.space != ptx::Space::shared);
        for (const int r : op.writes) writer[r] = &op;
    }
    if (!loads || branch.reads.empty() || !writer.contains(branch.reads.front())) return false;
    const StaticOp& test = *writer.at(branch.reads.front());
    for (const int counter : test.reads) {
        if (!writer.contains(counter)) continue;
        const StaticOp& step = *writer.at(counter);
        if (step.reads != std::vector<int>{counter}) return false;  // by a constant
    }
    return true;
}

// Whether what a branch jumps over is a short body: its instructions are predicated in machine code. The other half of
// an if counts with it.
bool Builder::is_predicated(std::uint32_t from, std::uint32_t to) const {
    double instructions = 0;
    for (std::uint32_t s = from + 1; s < to; ++s) {
        for (const StaticOp& op : segments_[s].ops) {
            for (const int target : op.targets) {
                if (static_cast<std::uint32_t>(target) <= s || op.targets.size() > 1) return false;
                to = std::max(to, static_cast<std::uint32_t>(target));
            }
            const bool is_movable = op.kind != OpClass::barrier && op.kind != OpClass::call &&
                                    op.kind != OpClass::atomic && (op.kind != OpClass::branch || !op.targets.empty()) &&
                                    !(op.kind == OpClass::store && op.space != ptx::Space::shared);
            if (!is_movable) return false;
            instructions += op.instructions;
        }
        if (instructions > longest_predicated_body) return false;
    }
    return true;
}

// A short body that a warp jumps over is not jumped over in machine code: its instructions issue with no lane active.
void Builder::add_skipped(std::uint32_t from, std::uint32_t to, Region& region) {
    if (from == no_segment || to <= from + 1 || segments_[from].function != segments_[to].function) return;
    if (!is_predicated(from, to)) return;
    for (std::uint32_t s = from + 1; s < to; ++s) {
        for (const StaticOp& op : segments_[s].ops) {
            if (op.instructions == 0) continue;
            MicroOp m = micro_op(op);
            std::size_t reads = 0, writes = 0;
            for (const int r : op.reads)
                if (const int source = root(r); source >= 0 && reads < m.reads.size())
                    m.reads[reads++] = static_cast<std::int16_t>(source);
            for (const int r : op.writes)
                if (writes < m.writes.size()) m.writes[writes++] = static_cast<std::int16_t>(r);
            for (const int r : op.writes) sample.registers = std::max(sample.registers, r + 1);
            if (op.kind == OpClass::load && op.space == ptx::Space::shared) m.unit = Unit::shared_load;
            if (op.kind == OpClass::store) m.unit = Unit::shared_store;
            region.add(m, false, false, false);
        }
    }
}

}  // namespace

int buffer_of(std::uint64_t address, std::span<const AddressRange> buffers) {
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (address >= buffers[i].address && address - buffers[i].address < buffers[i].bytes)
            return static_cast<int>(i);
    return -1;
}

WorkSample work_of(std::span<const vgpu::BlockTrace> traces, const std::vector<vgpu::SegmentOps>& segments,
                   std::span<const AddressRange> buffers, bool counts_at_once) {
    Builder builder(segments, buffers, counts_at_once);
    for (const vgpu::BlockTrace& block : traces) builder.add(block);
    builder.count_lanes();
    return std::move(builder.sample);
}

}  // namespace warpgrade
