#include "model/sampled_program.hpp"

#include <algorithm>
#include <cstring>

#include "base/confined.hpp"
#include "model/block_choice.hpp"
#include "model/kept_state.hpp"
#include "model/moved_bytes.hpp"
#include "model/work_counters.hpp"

namespace warpgrade {

namespace {

constexpr std::uint64_t most_warps = 512;
// Of a warp: a long loop goes on as it began. Where that leaves out only this much of what runs, it may be no loop but
// the other half of the kernel, and fewer warps are looked at to their ends.
constexpr std::uint32_t most_steps = 160;
constexpr double follow_to_end = 6;
constexpr std::uint64_t instruction_budget = 96'000'000;  // in the unit of vgpu/budget.hpp
// Blocks of the seed's choice: as many as this many instructions of warps pay for.
constexpr std::uint64_t instructions_of_others = 150'000, most_others = 96;
constexpr std::uint64_t long_block = 1'000'000;  // of such blocks another one has to do, of shorter ones two at least
constexpr std::size_t most_work_counters = 4;    // counters of a launch
constexpr std::size_t most_looked_at = 64;       // launches
// A launch that others follow, whose warps do no more than this together, is run whole: what it leaves decides what
// they do, and a few of its blocks would leave something else.
constexpr std::uint64_t instructions_of_short = 400'000;

}  // namespace

struct SampledProgram::Impl {
    using Contents = std::function<void(std::uint64_t first, std::span<std::byte>)>;

    std::shared_ptr<const vgpu::Program> program;
    LaunchLimits limits;
    vgpu::Memory memory{std::uint64_t{1} << 40, vgpu::Memory::Pages::small};
    std::unique_ptr<vgpu::Session> session;
    std::vector<int> own;                // the buffers of the launcher
    std::vector<int> temporaries;        // of cudaMalloc, of the last plan
    std::vector<PlannedMemset> memsets;  // of the plan so far
    double stored = 0;                   // bytes in the last of them, before the launch

    Contents with_memsets(Contents contents, std::size_t buffer) const;
    void fill(const PlannedMemset& step);
    Result<std::uint64_t> temporary(std::uint64_t bytes, int line);
    std::vector<AddressRange> ranges() const;
    // Finds the counters that they draw tickets from.
    vgpu::RunResult run_sample(SampledLaunch& one, const vgpu::Launch& launch, const vgpu::RunOptions& options,
                               vgpu::Sample& sample);
    // Runs blocks, those of `given` if there are any, and keeps what they did.
    vgpu::RunResult take_sample(SampledLaunch& one, const vgpu::Launch& launch, const std::vector<std::uint64_t>& given,
                                vgpu::RunOptions options, std::vector<std::uint64_t>& taken,
                                const ModelParameters& gpu);
    // What the last block of the grid does when all others have drawn their tickets; nothing where that is not more.
    WorkSample last_block(const SampledLaunch& launched, const vgpu::Launch& launch,
                          const std::vector<std::uint64_t>& work_counters, double usual, vgpu::RunOptions options,
                          bool counts_at_once);
    // What was there before it, where all of the launch may be worth a run.
    std::optional<KeptState> state_before(const vgpu::Launch& launch, bool is_last) const;
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

Result<std::uint64_t> SampledProgram::Impl::temporary(std::uint64_t bytes, int line) {
    vgpu::BufferSpec spec;
    spec.name = "cudaMalloc, line " + std::to_string(line);
    spec.bytes = bytes;
    spec.is_written = true;  // by blocks that are not run
    const auto buffer = memory.allocate(spec);
    if (!buffer) return buffer.error();
    temporaries.push_back(*buffer);
    return memory.buffer(*buffer).address;
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

bool SampledProgram::has_stored(const std::function<void(std::uint64_t first, std::span<std::byte>)>& expected) const {
    return stored_as(impl_->memory.buffer(impl_->own.back()), expected);
}

vgpu::RunResult SampledProgram::Impl::run_sample(SampledLaunch& one, const vgpu::Launch& launch,
                                                 const vgpu::RunOptions& options, vgpu::Sample& sample) {
    for (;;) {
        sample.work_counters = one.work_counters;
        sample.finds_work_counters = one.may_draw && one.work_counters.size() < most_work_counters;
        vgpu::RunResult result = session->run(launch, options);
        if (result.drawn_from != 0) {
            one.work_counters.push_back(result.drawn_from);
        } else if (!one.work_counters.empty() && std::any_of(result.findings.begin(), result.findings.end(),
                                                             std::mem_fn(&vgpu::Finding::is_waiting))) {
            one.work_counters.clear();  // a lock, which serves them in turn
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
        taken = vgpu::whole_clusters(*program, launch, std::move(taken));
        sample.blocks = taken;
        sample.most_steps_a_warp = static_cast<std::uint32_t>(most_steps * longer);
        result = run_sample(one, launch, options, sample);
        one.is_complete = result.is_complete;
        one.lanes_draw = do_lanes_draw(result.blocks, one.work_counters);
        one.work = work_of(result.blocks, vgpu::segment_ops(*program), one.buffers, gpu.counts_at_once);
        double left_out = 1;
        for (const vgpu::BlockTrace& block : result.blocks) {
            double run = 0, traced = 1;
            for (const vgpu::WarpTrace& warp : block.warps) {
                run += static_cast<double>(warp.instructions);
                traced += static_cast<double>(warp.traced_instructions);
            }
            left_out = std::max(left_out, run / traced);
        }
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
    more.work_counters = one.work_counters;
    more.blocks = vgpu::whole_clusters(
        *program, launch,
        choose_others(one.blocks, taken,
                      std::clamp<std::uint64_t>(instructions_of_others / each, each < long_block ? 2 : 1, most_others),
                      seed));
    auto ran = static_cast<double>(taken.size());
    vgpu::ProfileByKernel profile = result.profile;
    std::vector<double> each_block = result.block_instructions;
    if (!more.blocks.empty() && one.is_complete) {
        vgpu::RunOptions with = options;
        with.sample = &more;
        const vgpu::RunResult others = session->run(launch, with);
        plan.findings.insert(plan.findings.end(), others.findings.begin(), others.findings.end());
        if (others.is_complete) {
            const auto count = static_cast<double>(more.blocks.size());
            each_block.insert(each_block.end(), others.block_instructions.begin(), others.block_instructions.end());
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
    const auto [least, most] = std::minmax_element(each_block.begin(), each_block.end());
    plan.is_even = plan.is_even && (each_block.empty() || *least == *most);
    const vgpu::Buffer &first = memory.buffer(own.front()), &last = memory.buffer(own.back());
    const int in = buffer_of(first.address, one.buffers), out = buffer_of(last.address, one.buffers);
    for (const MemoryAccess& access : one.work.accesses)
        if (access.is_load && (access.buffer == in || (access.buffer == out && last.spec.bytes >= first.spec.bytes)))
            plan.sites_of_data[launch.kernel].insert(access.site);
    const double bulk = sector_bytes * static_cast<double>(result.counters.bulk_load_sectors);
    plan.loaded_bytes += (loaded_bytes(one.work, in, result.profile[launch.kernel].units) + bulk) * grid /
                         static_cast<double>(std::max<std::size_t>(1, taken.size()));
    plan.has_bulk = plan.has_bulk || result.counters.bulk_load_sectors + result.counters.bulk_store_sectors > 0;
    plan.stored_bytes += (stored_bytes(memory.buffer(own.back())) - stored) * grid / ran;
}

std::optional<KeptState> SampledProgram::Impl::state_before(const vgpu::Launch& launch, bool is_last) const {
    const std::uint64_t warps = launch.grid.count() * ((launch.block.count() + 31) / 32);
    if (is_last || warps > instructions_of_short) return std::nullopt;
    return KeptState::of(memory);
}

WorkSample SampledProgram::Impl::last_block(const SampledLaunch& launched, const vgpu::Launch& launch,
                                            const std::vector<std::uint64_t>& work_counters, double usual,
                                            vgpu::RunOptions options, bool counts_at_once) {
    const std::uint64_t blocks = launch.grid.count();
    std::vector<std::byte*> words;
    for (const std::uint64_t address : work_counters) {
        const int index = memory.find(address);
        if (index < 0 || !memory.buffer(index).holds(address, 4)) return {};
        words.push_back(memory.buffer(index).data + (address - memory.buffer(index).address));
    }
    if (words.empty() || words.size() > most_work_counters || blocks < 2) return {};
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
    one.work_counters = launched.work_counters;
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
    return work_of(last.blocks, vgpu::segment_ops(*program), launched.buffers, counts_at_once);
}

Result<SampledPlan> SampledProgram::sample(const std::string& launcher,
                                           std::span<const std::vector<std::byte>> arguments,
                                           const std::map<std::string, int>& registers, const ModelParameters& gpu,
                                           std::optional<std::uint64_t> seed, vgpu::Budget* budget) {
    vgpu::Limits of_launcher;
    of_launcher.warp_instructions = std::uint64_t{1} << 24;
    for (const int buffer : impl_->temporaries) impl_->memory.release(buffer);
    impl_->temporaries.clear();
    auto recorded = record_plan(*impl_->session, *impl_->program, launcher, arguments, impl_->limits, of_launcher,
                                nullptr, [&](std::uint64_t bytes, int line) { return impl_->temporary(bytes, line); });
    if (!recorded) return std::move(recorded).error();
    SampledPlan plan;
    plan.repeated = vgpu::repeated_code(*impl_->program);
    plan.findings = recorded->findings;
    impl_->stored = 0;
    if (!plan.findings.empty()) return plan;
    const std::vector<AddressRange> buffers = impl_->ranges();
    std::vector<bool> written(buffers.size(), false);
    const std::vector<vgpu::KernelInfo> kernels = vgpu::kernels(*impl_->program);
    const auto is_launch = [](const PlannedStep& step) { return std::holds_alternative<PlannedLaunch>(step); };
    auto launches_left = std::count_if(recorded->steps.begin(), recorded->steps.end(), is_launch);
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
        options.limits.is_time_over = &work_time_is_over();
        options.limits.output_bytes = 0;
        if (seed && !plan.launches.empty()) impl_->stored = stored_bytes(impl_->memory.buffer(impl_->own.back()));
        const std::optional<KeptState> before = impl_->state_before(launch, --launches_left == 0);
        std::vector<std::uint64_t> taken;
        vgpu::RunResult result = impl_->take_sample(one, launch, {}, options, taken, gpu);
        const std::vector<std::uint64_t> work_counters =
            work_counters_of(result.blocks, vgpu::segment_ops(*impl_->program));
        const double usual = static_cast<double>(result.counters.warp_instructions) /
                             static_cast<double>(std::max<std::size_t>(1, taken.size()));
        plan.findings.insert(plan.findings.end(), result.findings.begin(), result.findings.end());
        if (seed && plan.launches.size() < most_looked_at)
            impl_->look_closer(plan, one, launch, std::move(result), std::move(taken), options,
                               *seed + plan.launches.size(), gpu);
        else
            plan.knows_all = false;
        one.neighbours =
            look_around(*impl_->session, *impl_->program, launch, arguments, buffers, one.work_counters, options);
        one.last = impl_->last_block(one, launch, work_counters, usual, options, gpu.counts_at_once);
        for (const BlockWork& block : one.work.blocks)
            for (const auto& warp : block.warps)
                for (const MicroOp& op : warp)
                    if (op.unit == Unit::global_store &&
                        one.work.accesses[static_cast<std::size_t>(op.access)].buffer >= 0)
                        written[static_cast<std::size_t>(
                            one.work.accesses[static_cast<std::size_t>(op.access)].buffer)] = true;
        if (before && one.is_complete && usual * static_cast<double>(one.blocks) <= instructions_of_short) {
            before->restore(impl_->memory);
            impl_->session->run(launch, options);
        }
        plan.launches.push_back(std::move(one));
    }
    plan.passes_on = !impl_->temporaries.empty() && plan.launches.size() > 1;
    return plan;
}

}  // namespace warpgrade
