#include "model/sampled_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

namespace warpgrade {

namespace {

// Generations of resident blocks that are looked at where a launch has more: the first and the last differ from those
// between, of which there are two.
constexpr int generations = 4;
constexpr std::uint64_t most_warps = 512;
constexpr std::uint32_t most_steps = 160;  // of a warp: loops go on as they began
constexpr std::uint64_t probes = 2, least_blocks = 16;
constexpr std::uint64_t instruction_budget = 24'000'000;

// Blocks of one multiprocessor: as many as it gets, or a few generations spread over the grid. The places in the grid
// are spread unevenly, so that they do not all fall into one column of tiles.
std::vector<std::uint64_t> choose_blocks(std::uint64_t grid, int resident, std::uint64_t warps_a_block,
                                         const ModelParameters& gpu) {
    const auto multiprocessors = static_cast<std::uint64_t>(gpu.multiprocessors);
    const std::uint64_t own = (grid + multiprocessors - 1) / multiprocessors;
    std::uint64_t count = std::max(static_cast<std::uint64_t>(resident) * generations, least_blocks);
    while (count > static_cast<std::uint64_t>(resident) && count * warps_a_block > most_warps)
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

// `work` has blocks in fives: one, those before and behind it, those above and below it.
Neighbours neighbours_of(const WorkSample& work, std::uint64_t row_blocks) {
    double ends = 0, continued = 0, stored_ends = 0, stored_on = 0, open = 0, beside = 0, rows_apart = 0, bytes = 0;
    for (std::size_t b = 0; b + 4 < work.blocks.size(); b += 5) {
        std::array<Touched, 5> around;
        for (std::size_t i = 0; i < 5; ++i) around[i] = touched_by(work, work.blocks[b + i]);
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
        for (const std::uint64_t sector : own.open) {
            ++open;
            if (around[1].stored.contains(sector) || around[2].stored.contains(sector))
                ++beside;
            else if (around[3].stored.contains(sector) || around[4].stored.contains(sector))
                ++rows_apart;
        }
        bytes += own.bytes;
    }
    Neighbours n;
    if (ends > 0) n.loads_continue = continued / ends;
    if (stored_ends > 0) n.stores_continue = stored_on / stored_ends;
    if (open > 0) n.completed_beside = beside / open, n.completed_rows_apart = rows_apart / open;
    n.row_bytes =
        bytes / std::max<double>(1, static_cast<double>(work.blocks.size() / 5)) * static_cast<double>(row_blocks);
    return n;
}

}  // namespace

struct SampledProgram::Impl {
    std::shared_ptr<const vgpu::Program> program;
    LaunchLimits limits;
    vgpu::Memory memory{std::uint64_t{1} << 40, vgpu::Memory::Pages::small};
    std::unique_ptr<vgpu::Session> session;
    std::vector<int> own;
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

Result<std::vector<std::uint64_t>> SampledProgram::allocate(std::span<const vgpu::BufferSpec> buffers) {
    for (const int b : impl_->own) impl_->memory.release(b);
    impl_->own.clear();
    impl_->session->reset_globals();
    std::vector<std::uint64_t> addresses;
    for (vgpu::BufferSpec spec : buffers) {
        spec.is_written = true;  // with zeros
        const auto buffer = impl_->memory.allocate(spec);
        if (!buffer) return buffer.error();
        impl_->own.push_back(*buffer);
        addresses.push_back(impl_->memory.buffer(*buffer).address);
    }
    return addresses;
}

Result<std::vector<SampledLaunch>> SampledProgram::sample(const std::string& launcher,
                                                          std::span<const std::vector<std::byte>> arguments,
                                                          const std::map<std::string, int>& registers,
                                                          const ModelParameters& gpu) {
    vgpu::Limits budget;
    budget.warp_instructions = std::uint64_t{1} << 24;
    auto plan = record_plan(*impl_->session, *impl_->program, launcher, arguments, impl_->limits, budget);
    if (!plan) return std::move(plan).error();
    if (!plan->findings.empty()) {
        Diagnostic d;
        d.blame = Blame::learner;
        d.code = "no_plan";
        d.title = "the launcher does not get as far as its kernels";
        return d;
    }
    std::vector<AddressRange> buffers;
    for (int b = 0; b < impl_->memory.count(); ++b) {
        const vgpu::Buffer& buffer = impl_->memory.buffer(b);
        if (!buffer.is_freed) buffers.push_back({buffer.address, buffer.spec.bytes});
    }
    std::vector<bool> written(buffers.size(), false);
    const std::vector<vgpu::KernelInfo> kernels = vgpu::kernels(*impl_->program);
    std::vector<SampledLaunch> launches;
    for (const PlannedStep& step : plan->steps) {
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

        vgpu::Sample sample;
        sample.blocks =
            choose_blocks(one.blocks, std::max(1, one.occupancy.blocks), (launch.block.count() + 31) / 32, gpu);
        sample.most_steps_a_warp = most_steps;
        vgpu::RunOptions options;
        options.threads = 1;
        options.check_races = false;
        options.sample = &sample;
        options.limits.warp_instructions = instruction_budget;
        options.limits.output_bytes = 0;
        const vgpu::RunResult result = impl_->session->run(launch, options);
        one.is_complete = result.is_complete;
        one.work = work_of(result.blocks, vgpu::segment_ops(*impl_->program), buffers);
        vgpu::Sample probe;
        for (std::uint64_t k = 1; k <= probes; ++k) {
            // In the middle of a row of the grid: blocks at its ends have no neighbours beside them.
            const std::uint64_t row_blocks = launch.grid.x, rows = one.blocks / row_blocks;
            const std::uint64_t own =
                rows > 1 ? rows * k / (probes + 1) * row_blocks + row_blocks / 2 : one.blocks * k / (probes + 1);
            // The last blocks have no neighbours, and those before do not differ from them in this.
            const auto at = [&](std::int64_t apart) {
                return static_cast<std::uint64_t>(std::clamp<std::int64_t>(static_cast<std::int64_t>(own) + apart, 0,
                                                                           static_cast<std::int64_t>(one.blocks) - 1));
            };
            const auto row = static_cast<std::int64_t>(launch.grid.x);
            probe.blocks.insert(probe.blocks.end(), {own, at(-1), at(1), at(-row), at(row)});
        }
        probe.most_steps_a_warp = 256;
        options.sample = &probe;
        const vgpu::RunResult around = impl_->session->run(launch, options);
        one.neighbours =
            neighbours_of(work_of(around.blocks, vgpu::segment_ops(*impl_->program), buffers), launch.grid.x);
        for (const BlockWork& block : one.work.blocks)
            for (const auto& warp : block.warps)
                for (const MicroOp& op : warp)
                    if (op.unit == Unit::global_store &&
                        one.work.accesses[static_cast<std::size_t>(op.access)].buffer >= 0)
                        written[static_cast<std::size_t>(
                            one.work.accesses[static_cast<std::size_t>(op.access)].buffer)] = true;
        launches.push_back(std::move(one));
    }
    return launches;
}

}  // namespace warpgrade
