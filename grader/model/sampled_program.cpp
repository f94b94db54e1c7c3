#include "model/sampled_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <random>
#include <unordered_set>

namespace warpgrade {

namespace {

// Generations of resident blocks that are looked at where a launch has more: the first and the last differ from those
// between, of which there are two.
constexpr int generations = 4;
constexpr std::uint64_t most_warps = 512;
// Of a warp: a long loop goes on as it began. Where that leaves out only this much of what runs, it may be no loop but
// the other half of the kernel, and fewer warps are looked at to their ends.
constexpr std::uint32_t most_steps = 160;
constexpr double follow_to_end = 6;
constexpr std::uint64_t probes = 2, least_blocks = 16;
constexpr std::uint64_t instruction_budget = 96'000'000;  // in the unit of vgpu/budget.hpp
// Blocks of the seed's choice: as many as this many instructions of warps pay for.
constexpr std::uint64_t instructions_of_others = 150'000, most_others = 96, least_others = 2;
constexpr std::size_t most_tickets = 4;     // counters of a launch
constexpr std::size_t most_looked_at = 64;  // launches
// Blocks whose work differs by more than this are not alike.
constexpr double alike = 0.15;

// Blocks of one multiprocessor: as many as it gets, or a few generations spread over the grid. The places in the grid
// are spread unevenly, so that they do not all fall into one column of tiles.
std::vector<std::uint64_t> choose_blocks(std::uint64_t grid, int resident, std::uint64_t warps_a_block,
                                         std::uint64_t warps, const ModelParameters& gpu) {
    const auto multiprocessors = static_cast<std::uint64_t>(gpu.multiprocessors);
    const std::uint64_t own = (grid + multiprocessors - 1) / multiprocessors;
    std::uint64_t count = std::max(static_cast<std::uint64_t>(resident) * generations, least_blocks);
    while (count > static_cast<std::uint64_t>(resident) && count * warps_a_block > warps)
        count -= static_cast<std::uint64_t>(resident);
    count = std::min(count, own);
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t k = 0; k < count; ++k) {
        const double jitter = std::fmod(static_cast<double>(k) * 0.6180339887, 1.0);
        const double place = (static_cast<double>(k) + jitter) * static_cast<double>(grid) / static_cast<double>(count);
        blocks.push_back(std::min(grid - 1, static_cast<std::uint64_t>(place)));
    }
    return blocks;
}

// Different ones of the grid, none of which is in `known` (ascending).
std::vector<std::uint64_t> choose_others(std::uint64_t grid, const std::vector<std::uint64_t>& known,
                                         std::uint64_t count, std::uint64_t seed) {
    std::vector<std::uint64_t> others;
    if (grid <= 2 * known.size()) {
        for (std::uint64_t block = 0; block < grid; ++block)
            if (!std::binary_search(known.begin(), known.end(), block)) others.push_back(block);
        return others;
    }
    std::mt19937_64 random(seed);  // the same numbers everywhere, unlike the distributions of <random>
    while (others.size() < count && others.size() + known.size() < grid / 2) {
        const std::uint64_t block = random() % grid;
        if (std::binary_search(known.begin(), known.end(), block)) continue;
        if (std::find(others.begin(), others.end(), block) == others.end()) others.push_back(block);
    }
    std::sort(others.begin(), others.end());
    return others;
}

// What a block asks of a multiprocessor, on average.
bool are_alike(const vgpu::Counters& one, double blocks_of_one, const vgpu::Counters& other, double blocks_of_other) {
    for (const auto field : {&vgpu::Counters::warp_instructions, &vgpu::Counters::global_load_sectors,
                             &vgpu::Counters::global_store_sectors, &vgpu::Counters::wide_copy_sectors,
                             &vgpu::Counters::bulk_load_sectors, &vgpu::Counters::bulk_store_sectors,
                             &vgpu::Counters::shared_load_wavefronts, &vgpu::Counters::shared_store_wavefronts,
                             &vgpu::Counters::global_atomic_operations, &vgpu::Counters::barriers}) {
        const double a = static_cast<double>(one.*field) / blocks_of_one;
        const double b = static_cast<double>(other.*field) / blocks_of_other;
        if (std::abs(a - b) > alike * std::max({a, b, 1.0})) return false;
    }
    return true;
}

// Of the blocks of the other choice as many as are wanted, from the one that does least to the one that does most.
std::vector<std::uint64_t> choose_evenly(const std::vector<std::uint64_t>& blocks, const std::vector<double>& work,
                                         std::size_t count) {
    std::vector<std::size_t> by_work(blocks.size());
    std::iota(by_work.begin(), by_work.end(), 0);
    std::stable_sort(by_work.begin(), by_work.end(), [&](std::size_t a, std::size_t b) { return work[a] < work[b]; });
    std::vector<std::uint64_t> chosen;
    count = std::min(count, blocks.size());
    for (std::size_t i = 0; i < count; ++i)
        chosen.push_back(blocks[by_work[(2 * i + 1) * blocks.size() / (2 * count)]]);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

// Bytes of a buffer that traced blocks load, each sector once. The trace of a long loop is cut: `units` has all sectors
// that each instruction asked for.
double loaded_bytes(const WorkSample& work, int buffer, const std::vector<double>& units) {
    struct Run {
        std::uint64_t first, end;  // sectors
    };
    std::vector<Run> runs;
    std::vector<double> traced(units.size(), 0);
    for (const MemoryAccess& access : work.accesses) {
        if (!access.is_load) continue;
        for (std::size_t k = access.first_line; k < access.first_line + access.lines; ++k)
            traced[access.site] += __builtin_popcount(work.lines[k].sectors);
    }
    double of_blocks = 0, of_traces = 0;  // sectors that the block has not loaded before
    for (const MemoryAccess& access : work.accesses) {
        if (!access.is_load || access.buffer != buffer) continue;
        for (std::size_t k = access.first_line; k < access.first_line + access.lines; ++k) {
            const LineTouch& touch = work.lines[k];
            if (touch.first == 0) continue;
            of_traces += __builtin_popcount(touch.first);
            of_blocks += __builtin_popcount(touch.first) * units[access.site] / traced[access.site];
            for (std::uint64_t s = 0; s < 4; ++s) {
                if (!(touch.first >> s & 1)) continue;
                const std::uint64_t sector = touch.line * 4 + s;
                if (!runs.empty() && runs.back().end == sector)
                    ++runs.back().end;
                else
                    runs.push_back({sector, sector + 1});
            }
        }
    }
    if (of_traces == 0) return 0;
    std::sort(runs.begin(), runs.end(), [](const Run& x, const Run& y) { return x.first < y.first; });
    std::uint64_t seen = 0, different = 0;  // over all blocks
    for (const Run& run : runs) {
        different += run.end > seen ? run.end - std::max(seen, run.first) : 0;
        seen = std::max(seen, run.end);
    }
    return static_cast<double>(different) / of_traces * of_blocks * sector_bytes;
}

struct Touched {
    std::unordered_set<std::uint64_t> loaded;  // lines
    std::unordered_set<std::uint64_t> stored;  // sectors
    std::unordered_set<std::uint64_t> open;    // of these, left open
    double bytes = 0;
};

Touched touched_by(const WorkSample& work, const BlockWork& block) {
    Touched t;
    for (std::size_t a = block.first_access; a < block.end_access; ++a) {
        const MemoryAccess& access = work.accesses[a];
        for (std::size_t k = access.first_line; k < access.first_line + access.lines; ++k) {
            const LineTouch& touch = work.lines[k];
            t.bytes += __builtin_popcount(touch.first) * sector_bytes;
            if (!access.is_store) {
                t.loaded.insert(touch.line);
                continue;
            }
            for (int s = 0; s < 4; ++s) {
                const std::uint64_t sector = touch.line * 4 + static_cast<std::uint64_t>(s);
                if (touch.sectors >> s & 1) t.stored.insert(sector);
                if (touch.open >> s & 1) t.open.insert(sector);
            }
        }
    }
    return t;
}

// The first sector that a block reads of a buffer.
std::uint64_t first_loaded(const BlockWork& block, const WorkSample& work, int buffer) {
    std::uint64_t first = ~std::uint64_t{0};
    for (std::size_t a = block.first_access; a < block.end_access; ++a) {
        const MemoryAccess& access = work.accesses[a];
        if (access.is_store || access.buffer != buffer) continue;
        for (std::size_t k = access.first_line; k < access.first_line + access.lines; ++k)
            first = std::min(first,
                             work.lines[k].line * 4 + static_cast<std::uint64_t>(__builtin_ctz(work.lines[k].sectors)));
    }
    return first;
}

// In bytes: how far on in the matrix a block's loads begin than those of the block before; 0 where that cannot be told.
// `work`: a block, the next one, and the one `further` behind it, which tells more exactly unless a row ends in
// between.
double step_of(const WorkSample& work, int buffer, std::size_t first, int further) {
    const auto apart = [&](std::size_t i) {
        const std::uint64_t own = first_loaded(work.blocks[first], work, buffer);
        const std::uint64_t other = first_loaded(work.blocks[first + i], work, buffer);
        return sector_bytes * static_cast<double>(other > own ? other - own : own - other);
    };
    const double next = apart(1), mean = apart(2) / further;
    return std::abs(mean - next) < sector_bytes ? mean : next;
}

// Blocks of the grid between a block and one that may complete the sectors it leaves open, the nearest first: a row of
// the grid; where the grid is one row, a row of the matrix. That is as many blocks as there are steps from block to
// block in the bytes of a row: those of the buffer over one of the extents among the launcher's arguments.
std::vector<std::uint64_t> distances_of(const vgpu::Launch& launch, std::span<const std::vector<std::byte>> arguments,
                                        std::uint64_t buffer_bytes, double step) {
    std::vector<std::uint64_t> distances;
    const std::uint64_t blocks = launch.grid.count();
    const auto add = [&](std::uint64_t apart) {
        if (apart > 1 && apart < blocks) distances.push_back(apart);
    };
    if (launch.grid.x < blocks) add(launch.grid.x);
    for (const std::vector<std::byte>& argument : arguments) {
        std::int32_t extent = 0;
        if (argument.size() != sizeof extent) continue;
        std::memcpy(&extent, argument.data(), sizeof extent);
        if (extent < 2 || step <= 0) continue;
        const auto apart = static_cast<std::uint64_t>(static_cast<double>(buffer_bytes) / extent / step);
        add(apart), add(apart + 1);
    }
    std::sort(distances.begin(), distances.end());
    distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
    return distances;
}

// The buffer that the launcher's first argument points to; -1: none.
int input_of(std::span<const std::vector<std::byte>> arguments, std::span<const AddressRange> buffers) {
    std::uint64_t in = 0;
    if (arguments.empty() || arguments[0].size() != sizeof in) return -1;
    std::memcpy(&in, arguments[0].data(), sizeof in);
    return buffer_of(in, buffers);
}

// `work` has blocks in groups: one, those before and behind it, and those at each distance before and behind it.
Neighbours neighbours_of(const WorkSample& work, const std::vector<std::uint64_t>& distances) {
    const std::size_t group = 3 + 2 * distances.size();
    double ends = 0, continued = 0, stored_ends = 0, stored_on = 0, open = 0, beside = 0, bytes = 0;
    double missing = 0, filled_beside = 0;  // sectors of lines that a block stores only a part of
    std::vector<double> apart(distances.size(), 0), filled_apart(distances.size(), 0);
    for (std::size_t b = 0; b + group <= work.blocks.size(); b += group) {
        std::vector<Touched> around;
        for (std::size_t i = 0; i < group; ++i) around.push_back(touched_by(work, work.blocks[b + i]));
        const Touched& own = around[0];
        for (const std::uint64_t line : own.loaded) {
            if (own.loaded.contains(line + 1)) continue;
            ++ends;
            continued += around[2].loaded.contains(line + 1) || around[2].loaded.contains(line);
        }
        for (const std::uint64_t sector : own.stored) {
            if (own.stored.contains(sector + 1)) continue;
            ++stored_ends;
            stored_on += around[2].stored.contains(sector + 1) || around[2].stored.contains(sector);
        }
        const auto count_storer = [&](std::uint64_t sector, double& by_next, std::vector<double>& by_distant) {
            for (std::size_t i = 1; i < group; i += 2) {
                if (!around[i].stored.contains(sector) && !around[i + 1].stored.contains(sector)) continue;
                ++(i == 1 ? by_next : by_distant[(i - 3) / 2]);
                break;
            }
        };
        for (const std::uint64_t sector : own.open) {
            ++open;
            count_storer(sector, beside, apart);
        }
        std::unordered_set<std::uint64_t> lines;
        for (const std::uint64_t sector : own.stored) lines.insert(sector / 4);
        for (const std::uint64_t line : lines) {
            for (std::uint64_t sector = line * 4; sector < line * 4 + 4; ++sector) {
                if (own.stored.contains(sector)) continue;
                ++missing;
                count_storer(sector, filled_beside, filled_apart);
            }
        }
        bytes += own.bytes / static_cast<double>(work.blocks.size() / group);
    }
    Neighbours n;
    if (ends > 0) n.loads_continue = continued / ends;
    if (stored_ends > 0) n.stores_continue = stored_on / stored_ends;
    if (open > 0) n.completed_beside = beside / open;
    if (missing > 0) n.filled_beside = filled_beside / missing;
    for (std::size_t i = 0; i < distances.size(); ++i) {
        const double between = bytes * static_cast<double>(distances[i]);
        if (apart[i] > 0) n.completed_apart.push_back({apart[i] / open, between});
        if (filled_apart[i] > 0) n.filled_apart.push_back({filled_apart[i] / missing, between});
    }
    return n;
}

Neighbours look_around(vgpu::Session& session, const vgpu::Program& program, const vgpu::Launch& launch,
                       std::span<const std::vector<std::byte>> arguments, std::span<const AddressRange> buffers,
                       const std::vector<std::uint64_t>& tickets, vgpu::RunOptions options) {
    const std::uint64_t blocks = launch.grid.count(), row_blocks = launch.grid.x, rows = blocks / row_blocks;
    // The blocks at these places from each of a few blocks in the grid. In the middle of a row of the grid: those at
    // its ends have no neighbours beside them. Nor have the last ones, and those before do not differ from them in
    // this.
    const auto look_at = [&](std::span<const std::int64_t> offsets) {
        vgpu::Sample probe;
        probe.most_steps_a_warp = 256;
        probe.ends_with_trace = true;
        probe.tickets = tickets;
        for (std::uint64_t k = 1; k <= probes; ++k) {
            const std::uint64_t own =
                rows > 1 ? rows * k / (probes + 1) * row_blocks + row_blocks / 2 : blocks * k / (probes + 1);
            for (const std::int64_t offset : offsets)
                probe.blocks.push_back(static_cast<std::uint64_t>(std::clamp<std::int64_t>(
                    static_cast<std::int64_t>(own) + offset, 0, static_cast<std::int64_t>(blocks) - 1)));
        }
        options.sample = &probe;
        return work_of(session.run(launch, options).blocks, vgpu::segment_ops(program), buffers);
    };
    double step = 0;
    const int input = input_of(arguments, buffers);
    if (rows == 1 && input >= 0) {
        constexpr int further = 16;
        const WorkSample work = look_at(std::array<std::int64_t, 3>{0, 1, further});
        const bool is_open =
            std::any_of(work.lines.begin(), work.lines.end(), [](const LineTouch& touch) { return touch.open != 0; });
        for (std::size_t first = 0; is_open && first + 2 < work.blocks.size(); first += 3)
            if (const double one = step_of(work, input, first, further); one > 0 && (step == 0 || one < step))
                step = one;
    }
    const std::vector<std::uint64_t> distances =
        distances_of(launch, arguments, input < 0 ? 0 : buffers[static_cast<std::size_t>(input)].bytes, step);
    std::vector<std::int64_t> offsets{0, -1, 1};
    for (const std::uint64_t apart : distances)
        for (const std::int64_t sign : {-1, 1}) offsets.push_back(sign * static_cast<std::int64_t>(apart));
    return neighbours_of(look_at(offsets), distances);
}

}  // namespace

// Words that every traced block changed by one atomic operation of one lane: tickets.
std::vector<std::uint64_t> tickets_of(const std::vector<vgpu::BlockTrace>& blocks,
                                      const std::vector<vgpu::SegmentOps>& segments) {
    std::unordered_set<std::uint32_t> atomics;  // sites
    for (const vgpu::SegmentOps& segment : segments)
        for (const vgpu::StaticOp& op : segment.ops)
            if (op.kind == vgpu::OpClass::atomic && op.space != ptx::Space::shared) atomics.insert(op.site);
    std::map<std::uint64_t, std::size_t> changes;
    for (const vgpu::BlockTrace& block : blocks)
        for (const vgpu::WarpTrace& warp : block.warps)
            for (const vgpu::TracedAccess& access : warp.accesses)
                if (atomics.contains(access.site) && access.width_bytes == 4 && __builtin_popcount(access.mask) == 1)
                    ++changes[block.addresses[access.first_address]];
    std::vector<std::uint64_t> tickets;
    for (const auto& [address, times] : changes)
        if (times == blocks.size()) tickets.push_back(address);
    return tickets;
}

namespace {

// Whether several lanes of a warp draw in one instruction.
bool do_lanes_draw(const std::vector<vgpu::BlockTrace>& blocks, const std::vector<std::uint64_t>& tickets) {
    for (const vgpu::BlockTrace& block : blocks)
        for (const vgpu::WarpTrace& warp : block.warps)
            for (const vgpu::TracedAccess& access : warp.accesses)
                if (__builtin_popcount(access.mask) > 1 &&
                    std::find(tickets.begin(), tickets.end(), block.addresses[access.first_address]) != tickets.end())
                    return true;
    return false;
}

}  // namespace

struct SampledProgram::Impl {
    using Contents = std::function<void(std::uint64_t first, std::span<std::byte>)>;

    std::shared_ptr<const vgpu::Program> program;
    LaunchLimits limits;
    vgpu::Memory memory{std::uint64_t{1} << 40, vgpu::Memory::Pages::small};
    std::unique_ptr<vgpu::Session> session;
    std::vector<int> own;                // the buffers of the launcher
    std::vector<PlannedMemset> memsets;  // of the plan so far
    double stored = 0;                   // bytes in the last of them, before the launch

    Contents with_memsets(Contents contents, std::size_t buffer) const;
    void fill(const PlannedMemset& step);
    std::vector<AddressRange> ranges() const;
    double stored_bytes() const;  // in the last buffer of the launcher
    // Finds the counters that they draw tickets from.
    vgpu::RunResult run_sample(SampledLaunch& one, const vgpu::Launch& launch, const vgpu::RunOptions& options,
                               vgpu::Sample& sample);
    // Runs blocks, those of `given` if there are any, and keeps what they did.
    vgpu::RunResult take_sample(SampledLaunch& one, const vgpu::Launch& launch, const std::vector<std::uint64_t>& given,
                                vgpu::RunOptions options, std::vector<std::uint64_t>& taken,
                                const ModelParameters& gpu);
    // What the last block of the grid does when all others have drawn their tickets; nothing where that is not more.
    WorkSample last_block(const SampledLaunch& launched, const vgpu::Launch& launch,
                          const std::vector<std::uint64_t>& tickets, double usual, vgpu::RunOptions options);
    // Adds what the launch does with the buffers, from the blocks that were taken and from others.
    void look_closer(SampledPlan& plan, SampledLaunch& one, const vgpu::Launch& launch, vgpu::RunResult result,
                     std::vector<std::uint64_t> taken, const vgpu::RunOptions& options, std::uint64_t seed,
                     const ModelParameters& gpu);
};

SampledProgram::SampledProgram() : impl_(std::make_unique<Impl>()) {}
SampledProgram::~SampledProgram() = default;

Result<std::unique_ptr<SampledProgram>> SampledProgram::load(std::string_view text, std::string_view source_file,
                                                             const LaunchLimits& limits) {
    Result<ptx::Module> module = ptx::parse(text);
    if (!module) return std::move(module).error();
    auto program = vgpu::load(*module, source_file);
    if (!program) return std::move(program).error();
    std::unique_ptr<SampledProgram> loaded(new SampledProgram());
    loaded->impl_->program = std::move(program).value();
    loaded->impl_->limits = limits;
    auto session = vgpu::Session::open(loaded->impl_->program, loaded->impl_->memory);
    if (!session) return std::move(session).error();
    loaded->impl_->session = std::move(session).value();
    return loaded;
}

SampledProgram::Impl::Contents SampledProgram::Impl::with_memsets(Contents contents, std::size_t buffer) const {
    return [this, buffer, contents = std::move(contents)](std::uint64_t first, std::span<std::byte> piece) {
        contents(first, piece);
        const std::uint64_t from = memory.buffer(own[buffer]).address + first, to = from + piece.size();
        for (const PlannedMemset& m : memsets)
            for (std::uint64_t at = std::max(m.address, from); at < std::min(m.address + m.bytes, to); ++at)
                piece[at - from] = static_cast<std::byte>(m.value);
    };
}

// What is there already; the rest comes with the contents. A range that leaves its buffer is for the run of all blocks
// to find.
void SampledProgram::Impl::fill(const PlannedMemset& step) {
    const int index = memory.find(step.address);
    if (index < 0 || !memory.buffer(index).holds(step.address, step.bytes)) return;
    const vgpu::Buffer& buffer = memory.buffer(index);
    const auto set = [&](std::uint64_t from, std::uint64_t to) {
        from = std::max(from, step.address), to = std::min(to, step.address + step.bytes);
        if (from < to) std::memset(buffer.data + (from - buffer.address), step.value, to - from);
    };
    if (!buffer.spec.contents) return set(buffer.address, buffer.address + buffer.spec.bytes);
    for (const std::uint32_t piece : buffer.pieces) {
        const std::uint64_t from = buffer.address + piece * vgpu::Memory::piece_bytes;
        set(from, from + vgpu::Memory::piece_bytes);
    }
    memsets.push_back(step);
}

Result<std::vector<std::uint64_t>> SampledProgram::allocate(std::span<const vgpu::BufferSpec> buffers) {
    for (const int b : impl_->own) impl_->memory.release(b);
    impl_->own.clear();
    impl_->memsets.clear();
    impl_->session->reset_globals();
    std::vector<std::uint64_t> addresses;
    for (vgpu::BufferSpec spec : buffers) {
        if (spec.contents)
            spec.contents = impl_->with_memsets(std::move(spec.contents), impl_->own.size());
        else
            spec.is_written = true;  // with zeros
        const auto buffer = impl_->memory.allocate(spec);
        if (!buffer) return buffer.error();
        impl_->own.push_back(*buffer);
        addresses.push_back(impl_->memory.buffer(*buffer).address);
    }
    return addresses;
}

std::vector<AddressRange> SampledProgram::Impl::ranges() const {
    std::vector<AddressRange> all;
    for (int b = 0; b < memory.count(); ++b) {
        const vgpu::Buffer& buffer = memory.buffer(b);
        if (!buffer.is_freed) all.push_back({buffer.address, buffer.spec.bytes});
    }
    return all;
}

namespace {

// Calls use(first, bytes) for every run of bytes that was stored to, in at most so many pieces of the buffer, spread
// over all that were touched. Returns how many times as many there are.
template <class Use>
double each_stored_run(const vgpu::Buffer& buffer, Use&& use) {
    constexpr std::size_t most_pieces = 8192;
    if (buffer.shadow == nullptr) return 1;
    const std::size_t step = (buffer.pieces.size() + most_pieces - 1) / most_pieces;
    for (std::size_t p = 0; p < buffer.pieces.size(); p += step) {
        const std::uint64_t from = buffer.pieces[p] * vgpu::Memory::piece_bytes;
        const std::uint64_t to = std::min(from + vgpu::Memory::piece_bytes, buffer.spec.bytes);
        std::uint64_t begin = from;
        const auto end_run = [&](std::uint64_t end, std::uint64_t next) {
            if (begin < end) use(begin, end - begin);
            begin = next;
        };
        for (std::uint64_t at = from; at < to;) {
            const std::uint64_t place = at + buffer.spec.offset_bytes;
            const std::uint32_t written = buffer.shadow[place / 4] & 0xF;
            const std::uint64_t next = std::min(at + 4 - place % 4, to);
            if (written == 0) {
                end_run(at, next);
            } else if (written != 0xF) {
                for (std::uint64_t byte = at; byte < next; ++byte)
                    if (!(written >> ((byte + buffer.spec.offset_bytes) % 4) & 1)) end_run(byte, byte + 1);
            }
            at = next;
        }
        end_run(to, to);
    }
    return static_cast<double>(std::max<std::size_t>(step, 1));
}

}  // namespace

double SampledProgram::Impl::stored_bytes() const {
    std::uint64_t bytes = 0;
    const double times =
        each_stored_run(memory.buffer(own.back()), [&](std::uint64_t, std::uint64_t count) { bytes += count; });
    return static_cast<double>(bytes) * times;
}

bool SampledProgram::has_stored(const std::function<void(std::uint64_t first, std::span<std::byte>)>& expected) const {
    const vgpu::Buffer& buffer = impl_->memory.buffer(impl_->own.back());
    std::vector<std::byte> right;
    bool is_right = true;
    each_stored_run(buffer, [&](std::uint64_t first, std::uint64_t count) {
        right.resize(count);
        expected(first, right);
        is_right = is_right && std::memcmp(right.data(), buffer.data + first, count) == 0;
    });
    return is_right;
}

vgpu::RunResult SampledProgram::Impl::run_sample(SampledLaunch& one, const vgpu::Launch& launch,
                                                 const vgpu::RunOptions& options, vgpu::Sample& sample) {
    const auto waits = [](const vgpu::Finding& finding) {
        return finding.kind == vgpu::FindingKind::timeout && finding.detail == "waits";
    };
    for (;;) {
        sample.tickets = one.tickets;
        sample.finds_tickets = one.may_draw && one.tickets.size() < most_tickets;
        vgpu::RunResult result = session->run(launch, options);
        if (result.drawn_from != 0) {
            one.tickets.push_back(result.drawn_from);
        } else if (!one.tickets.empty() && std::any_of(result.findings.begin(), result.findings.end(), waits)) {
            one.tickets.clear();  // a lock, which serves them in turn
            one.may_draw = false;
        } else {
            return result;
        }
    }
}

vgpu::RunResult SampledProgram::Impl::take_sample(SampledLaunch& one, const vgpu::Launch& launch,
                                                  const std::vector<std::uint64_t>& given, vgpu::RunOptions options,
                                                  std::vector<std::uint64_t>& taken, const ModelParameters& gpu) {
    vgpu::Sample sample;
    options.sample = &sample;
    vgpu::RunResult result;
    for (double longer = 1; longer > 0;) {
        taken = choose_blocks(one.blocks, std::max(1, one.occupancy.blocks), (launch.block.count() + 31) / 32,
                              static_cast<std::uint64_t>(longer == 1 ? most_warps : most_warps / (2 * longer)), gpu);
        if (!given.empty()) taken = given;
        sample.blocks = taken;
        sample.most_steps_a_warp = static_cast<std::uint32_t>(most_steps * longer);
        result = run_sample(one, launch, options, sample);
        one.is_complete = result.is_complete;
        one.lanes_draw = do_lanes_draw(result.blocks, one.tickets);
        one.work = work_of(result.blocks, vgpu::segment_ops(*program), one.buffers);
        double left_out = 1;
        for (const BlockWork& block : one.work.blocks) left_out = std::max(left_out, block.left_out);
        longer = longer == 1 && left_out > 1 && left_out < follow_to_end ? 1.5 * left_out : 0;
    }
    return result;
}

void SampledProgram::Impl::look_closer(SampledPlan& plan, SampledLaunch& one, const vgpu::Launch& launch,
                                       vgpu::RunResult result, std::vector<std::uint64_t> taken,
                                       const vgpu::RunOptions& options, std::uint64_t seed,
                                       const ModelParameters& gpu) {
    const auto grid = static_cast<double>(one.blocks);
    const std::uint64_t each =
        std::max<std::uint64_t>(1, result.counters.warp_instructions / std::max<std::size_t>(1, taken.size()));
    vgpu::Sample more;
    more.is_traced = false;
    more.tickets = one.tickets;
    more.blocks =
        choose_others(one.blocks, taken, std::clamp(instructions_of_others / each, least_others, most_others), seed);
    auto ran = static_cast<double>(taken.size());
    vgpu::ProfileByKernel profile = result.profile;
    if (!more.blocks.empty() && one.is_complete) {
        vgpu::RunOptions with = options;
        with.sample = &more;
        const vgpu::RunResult others = session->run(launch, with);
        plan.findings.insert(plan.findings.end(), others.findings.begin(), others.findings.end());
        if (others.is_complete) {
            const auto count = static_cast<double>(more.blocks.size());
            for (const auto& [kernel, its] : others.profile) profile[kernel].add(its);
            if (!are_alike(result.counters, ran, others.counters, count))
                result = take_sample(one, launch, choose_evenly(more.blocks, others.block_instructions, taken.size()),
                                     options, taken, gpu);
            ran += count;
        } else {
            plan.others_end = false;
        }
    }
    for (const auto& [kernel, its] : profile) plan.profile[kernel].add(its, grid / ran);
    const vgpu::Buffer &first = memory.buffer(own.front()), &last = memory.buffer(own.back());
    const int in = buffer_of(first.address, one.buffers), out = buffer_of(last.address, one.buffers);
    for (const MemoryAccess& access : one.work.accesses)
        if (access.is_load && (access.buffer == in || (access.buffer == out && last.spec.bytes >= first.spec.bytes)))
            plan.sites_of_data[launch.kernel].insert(access.site);
    const double bulk = sector_bytes * static_cast<double>(result.counters.bulk_load_sectors);
    plan.loaded_bytes += (loaded_bytes(one.work, in, result.profile[launch.kernel].units) + bulk) * grid /
                         static_cast<double>(std::max<std::size_t>(1, taken.size()));
    plan.has_bulk = plan.has_bulk || result.counters.bulk_load_sectors + result.counters.bulk_store_sectors > 0;
    plan.stored_bytes += (stored_bytes() - stored) * grid / ran;
}

WorkSample SampledProgram::Impl::last_block(const SampledLaunch& launched, const vgpu::Launch& launch,
                                            const std::vector<std::uint64_t>& tickets, double usual,
                                            vgpu::RunOptions options) {
    const std::uint64_t blocks = launch.grid.count();
    std::vector<std::byte*> words;
    for (const std::uint64_t address : tickets) {
        const int index = memory.find(address);
        if (index < 0 || !memory.buffer(index).holds(address, 4)) return {};
        words.push_back(memory.buffer(index).data + (address - memory.buffer(index).address));
    }
    if (words.empty() || words.size() > most_tickets || blocks < 2) return {};
    const auto read = [&] {
        std::vector<std::uint32_t> values(words.size());
        for (std::size_t i = 0; i < words.size(); ++i) std::memcpy(&values[i], words[i], 4);
        return values;
    };
    const auto write = [&](const std::vector<std::uint32_t>& values) {
        for (std::size_t i = 0; i < words.size(); ++i) std::memcpy(words[i], &values[i], 4);
    };
    const std::vector<std::uint32_t> zeros(words.size(), 0), before = read();
    vgpu::Sample one;
    one.is_traced = false;
    one.tickets = launched.tickets;
    one.blocks = {blocks - 2};
    options.sample = &one;
    write(zeros);
    session->run(launch, options);
    std::vector<std::uint32_t> values = read();
    for (std::uint32_t& value : values) value *= static_cast<std::uint32_t>(blocks - 1);
    write(values);
    one.is_traced = true;
    one.blocks = {blocks - 1};
    const vgpu::RunResult last = session->run(launch, options);
    write(before);
    if (!last.is_complete || static_cast<double>(last.counters.warp_instructions) < (1 + alike) * usual) return {};
    return work_of(last.blocks, vgpu::segment_ops(*program), launched.buffers);
}

Result<SampledPlan> SampledProgram::sample(const std::string& launcher,
                                           std::span<const std::vector<std::byte>> arguments,
                                           const std::map<std::string, int>& registers, const ModelParameters& gpu,
                                           std::optional<std::uint64_t> seed, vgpu::Budget* budget) {
    vgpu::Limits of_launcher;
    of_launcher.warp_instructions = std::uint64_t{1} << 24;
    auto recorded = record_plan(*impl_->session, *impl_->program, launcher, arguments, impl_->limits, of_launcher);
    if (!recorded) return std::move(recorded).error();
    SampledPlan plan;
    plan.findings = recorded->findings;
    impl_->stored = 0;
    if (!plan.findings.empty()) return plan;
    const std::vector<AddressRange> buffers = impl_->ranges();
    std::vector<bool> written(buffers.size(), false);
    const std::vector<vgpu::KernelInfo> kernels = vgpu::kernels(*impl_->program);
    for (const PlannedStep& step : recorded->steps) {
        if (const auto* memset = std::get_if<PlannedMemset>(&step)) impl_->fill(*memset);
        const auto* planned = std::get_if<PlannedLaunch>(&step);
        if (planned == nullptr) continue;
        const vgpu::Launch& launch = planned->launch;
        SampledLaunch one;
        one.kernel = planned->display_name;
        one.line = planned->line;
        one.blocks = launch.grid.count();
        one.resources.threads = static_cast<int>(launch.block.count());
        one.resources.shared_bytes = launch.dynamic_shared_bytes;
        for (const vgpu::KernelInfo& k : kernels)
            if (k.name == launch.kernel) one.resources.shared_bytes += k.static_shared_bytes;
        if (const auto known = registers.find(launch.kernel); known != registers.end())
            one.resources.registers = known->second;
        one.occupancy = occupancy_of(one.resources, gpu);
        one.buffers = buffers;
        one.written_before = written;

        vgpu::RunOptions options;
        options.threads = 1;
        options.check_races = false;
        options.multiprocessors = impl_->limits.multiprocessors;
        options.limits.warp_instructions = instruction_budget;
        options.limits.budget = budget;
        options.limits.output_bytes = 0;
        if (seed && !plan.launches.empty()) impl_->stored = impl_->stored_bytes();
        std::vector<std::uint64_t> taken;
        vgpu::RunResult result = impl_->take_sample(one, launch, {}, options, taken, gpu);
        const std::vector<std::uint64_t> tickets = tickets_of(result.blocks, vgpu::segment_ops(*impl_->program));
        const double usual = static_cast<double>(result.counters.warp_instructions) /
                             static_cast<double>(std::max<std::size_t>(1, taken.size()));
        plan.findings.insert(plan.findings.end(), result.findings.begin(), result.findings.end());
        if (seed && plan.launches.size() < most_looked_at)
            impl_->look_closer(plan, one, launch, std::move(result), std::move(taken), options,
                               *seed + plan.launches.size(), gpu);
        else
            plan.knows_all = false;
        one.neighbours =
            look_around(*impl_->session, *impl_->program, launch, arguments, buffers, one.tickets, options);
        one.last = impl_->last_block(one, launch, tickets, usual, options);
        for (const BlockWork& block : one.work.blocks)
            for (const auto& warp : block.warps)
                for (const MicroOp& op : warp)
                    if (op.unit == Unit::global_store &&
                        one.work.accesses[static_cast<std::size_t>(op.access)].buffer >= 0)
                        written[static_cast<std::size_t>(
                            one.work.accesses[static_cast<std::size_t>(op.access)].buffer)] = true;
        plan.launches.push_back(std::move(one));
    }
    return plan;
}

}  // namespace warpgrade
