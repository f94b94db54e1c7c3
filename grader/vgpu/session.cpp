// Launches: module variables, worker threads, merging of counters and findings.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <thread>
#include <tuple>
#include <unordered_map>

#include "base/parallel.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

constexpr std::uint32_t kMaxTag = (1u << 28) - 2;

// Of the accesses of one kernel over all its launches races are looked for in so many, and in some of each launch: who
// waits at each step for others has millions on each of the larger shapes, and does the same on all of them.
constexpr std::int64_t kMostTouchesOfKernel = 6 << 20, kLeastTouches = 1 << 19;

// Each thread has what its blocks need made anew for each launch: on a machine of 64 cores that alone took a small
// check more processor time than the limit gives.
constexpr unsigned kMostThreads = 16;

// What the blocks that wait for others may take of this machine's memory.
constexpr std::uint64_t kMostContextBytes = std::uint64_t{3} << 28;

std::uint64_t context_bytes(const LaunchState& state) {
    const std::uint64_t warps = (state.launch->block.count() + 31) / 32;
    const std::uint64_t units = state.shared_bytes >> state.code->unit_shift;
    return state.program->constant_bytes + state.shared_bytes + 16 * units +
           warps * (state.code->frame_bytes + std::uint64_t{40} * state.code->local_bytes + sizeof(WarpState)) + 4096;
}

// What it costs to start a launch and to count what came of it, and to start one of its blocks.
std::uint64_t launch_work(const Program& program) {
    return price::launch + program.sites.size() + program.segment_count + 2 * program.variables.size();
}
std::uint64_t warps_of_block(const LaunchState& state) { return (state.launch->block.count() + 31) / 32; }
// Of a block's threads' own memory, which is marked as not written before it begins.
std::uint64_t local_work(const LaunchState& state) {
    const std::uint64_t local = state.code->local_bytes == 0 ? 0 : 32 * local_words(state.code->local_bytes);
    return warps_of_block(state) * (local / price::copied_bytes);
}
std::uint64_t block_work(const LaunchState& state) {
    return price::block + warps_of_block(state) * price::warp + local_work(state) +
           state.shared_bytes / price::copied_bytes;
}
// What a thread that runs blocks keeps: made once a launch.
std::uint64_t context_work(const LaunchState& state) { return context_bytes(state) / price::fresh_bytes; }

// The two halves of a copy are told apart by their access: a cp.async reads global memory and writes shared memory; of
// a bulk copy only the half in global memory counts.
void add_copy(Counters& c, const Site& site, const SiteCount& n) {
    const bool is_read = site.access == AccessKind::read;
    if (site.is_bulk) {
        (is_read ? c.bulk_load_requests : c.bulk_store_requests) += n.requests;
        (is_read ? c.bulk_load_sectors : c.bulk_store_sectors) += n.units;
    } else if (is_read) {
        const bool is_wide = site.width == 16;
        c.async_copy_requests += n.requests;
        (is_wide ? c.wide_copy_requests : c.global_load_requests) += n.requests;
        (is_wide ? c.wide_copy_sectors : c.global_load_sectors) += n.units;
        (is_wide ? c.wide_copy_sectors_ideal : c.global_load_sectors_ideal) += n.ideal;
    } else {
        c.async_copy_wavefronts += n.units;
        c.async_copy_wavefronts_ideal += n.ideal;
    }
}

}  // namespace

void add_site(Counters& c, const Site& site, const SiteCount& n) {
    const auto space = static_cast<ptx::Space>(site.space);
    if (site.is_copy) return add_copy(c, site, n);
    switch (site.access) {
        case AccessKind::none: c.barriers += n.requests; return;
        case AccessKind::read:
            if (space == ptx::Space::shared) {
                c.shared_load_requests += n.requests;
                c.shared_load_wavefronts += n.units;
                c.shared_load_wavefronts_ideal += n.ideal;
            } else if (space == ptx::Space::local) {
                c.local_requests += n.requests;
            } else if (space != ptx::Space::constant) {  // that has a cache and counters of its own
                c.global_load_requests += n.requests;
                c.global_load_sectors += n.units;
                c.global_load_sectors_ideal += n.ideal;
            }
            return;
        case AccessKind::write:
            if (space == ptx::Space::shared) {
                c.shared_store_requests += n.requests;
                c.shared_store_wavefronts += n.units;
                c.shared_store_wavefronts_ideal += n.ideal;
            } else if (space == ptx::Space::local) {
                c.local_requests += n.requests;
            } else {
                c.global_store_requests += n.requests;
                c.global_store_sectors += n.units;
                c.global_store_sectors_ideal += n.ideal;
            }
            return;
        case AccessKind::atomic:
            if (space == ptx::Space::shared) {
                c.shared_atomic_requests += n.requests;
                c.shared_atomic_wavefronts += n.units;
                c.shared_atomic_operations += n.ideal;
            } else {
                c.global_atomic_requests += n.requests;
                c.global_atomic_sectors += n.units;
                c.global_atomic_operations += n.ideal;
            }
            return;
    }
}

struct Session::Impl {
    std::shared_ptr<const Program> program;
    Memory* memory = nullptr;
    std::vector<int> module_buffers;  // one for each of Program::variables
    std::vector<int> host_buffers;
    std::size_t next_host_slot = 0;
    bool is_in_program = false;
    std::string output;
    // Kernels that ran, and whether something of them hangs on the order of blocks: they looked at memory that may be
    // stored to, raced, or were stopped. Those, and one that is seen for the first time, run on one thread, so that
    // what comes of them is the same on every machine.
    std::map<std::string, bool, std::less<>> hangs_on_order;
    std::map<std::string, std::int64_t, std::less<>> touches_left;  // by kernel: RaceTracker's
    // Of a kernel, what races were tracked in. What runs in launches only that are too large is tracked in a part of
    // the next of them, a few times.
    struct Followed {
        std::vector<bool> segments;
        int parts_left = 2;
        bool is_to_be_followed = true;
    };
    std::map<std::string, Followed, std::less<>> followed;
    void note_followed(Followed& kernel, const KernelProfile& profile, bool is_tracked) const;

    std::unordered_map<std::string_view, std::size_t> variable_of;  // by name; the names are the program's

    std::uint64_t address_of(const std::string& symbol) const {
        const auto found = variable_of.find(symbol);
        return found == variable_of.end() ? 0 : memory->buffer(module_buffers[found->second]).address;
    }
    void initialise(std::size_t variable, std::span<std::byte> bytes) const;
    void reset(std::size_t variable);
    void prepare(LaunchState& state, const Launch& launch, const RunOptions& options, int function);
    RunResult run_blocks(LaunchState& state, int threads, std::span<const std::vector<std::byte>> arguments);
    bool may_hang_on_order(const Launch& launch, const RunOptions& options) const;
    KernelProfile profile_of(const LaunchState& state, const std::vector<std::unique_ptr<Worker>>& workers) const;
    // What the launch costs, and the timeout of one that costs more than it may.
    void settle(LaunchState& state, RunResult& result) const;
    void take_logs(const LaunchState& state, std::vector<std::unique_ptr<Worker>>& workers) const;
    void collect(const LaunchState& state, std::vector<std::unique_ptr<Worker>>& workers, RunResult& result) const;
    Meetings meetings_of(const LaunchState& state, const std::vector<std::unique_ptr<Worker>>& workers) const;
};

Session::Session() : impl_(std::make_unique<Impl>()) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(std::shared_ptr<const Program> program, Memory& memory) {
    std::unique_ptr<Session> session(new Session());
    session->impl_->program = std::move(program);
    session->impl_->memory = &memory;
    for (const ptx::Variable& v : session->impl_->program->variables) {
        BufferSpec spec;
        spec.name = display_name(v.name);
        spec.bytes = std::max<std::uint64_t>(v.bytes, 1);
        spec.element_bytes = std::max(1, ptx::size_bytes(v.type));
        spec.is_written = true;  // __device__ variables start as zero or as they say
        spec.is_read_only = v.space == ptx::Space::constant;
        // A card lays each variable at the next multiple of 256, whatever alignas asks for above that (H100, driver
        // 580.159.04, CUDA 13.0: alignas(512) and alignas(1024) were not kept). Where more is asked for it is never
        // kept here.
        constexpr std::uint64_t kept_alignment = 256;
        spec.align_bytes = std::min<std::uint64_t>(v.align_bytes, 2 * kept_alignment);
        if (v.align_bytes > kept_alignment) spec.offset_bytes = kept_alignment;
        Result<int> buffer = memory.allocate(spec);
        if (!buffer) return std::move(buffer).error();
        session->impl_->variable_of.emplace(v.name, session->impl_->module_buffers.size());
        session->impl_->module_buffers.push_back(*buffer);
    }
    session->reset_globals();
    return session;
}

const std::string* Session::variable_at(std::uint64_t address) const {
    for (std::size_t i = 0; i < impl_->module_buffers.size(); ++i)
        if (impl_->memory->buffer(impl_->module_buffers[i]).address == address)
            return &impl_->program->variables[i].name;
    return nullptr;
}

// Of zeroed bytes, what a variable begins with.
void Session::Impl::initialise(std::size_t variable, std::span<std::byte> bytes) const {
    const ptx::Variable& v = program->variables[variable];
    std::copy_n(reinterpret_cast<const std::byte*>(v.initial.data()), std::min(v.initial.size(), bytes.size()),
                bytes.begin());
    for (const ptx::InitialAddress& a : v.initial_addresses) {
        if (!inside(a.offset, 8, 0, bytes.size())) continue;
        std::uint64_t value = address_of(a.symbol) + static_cast<std::uint64_t>(a.addend);
        if (const auto f = program->by_name.find(a.symbol); f != program->by_name.end())
            value = function_address(f->second);
        std::memcpy(bytes.data() + a.offset, &value, 8);
    }
}

void Session::Impl::reset(std::size_t variable) {
    memory->clear(module_buffers[variable]);
    initialise(variable, memory->bytes(module_buffers[variable]));
}

void Session::reset_globals() {
    for (std::size_t i = 0; i < impl_->program->variables.size(); ++i) impl_->reset(i);
}

std::vector<std::string> Session::changed_globals() {
    constexpr std::size_t most_bytes = std::size_t{1} << 20;  // larger ones are no counters
    std::vector<std::string> names;
    for (std::size_t i = 0; i < impl_->program->variables.size(); ++i) {
        const auto bytes = impl_->memory->bytes(impl_->module_buffers[i]);
        if (bytes.size() > most_bytes) continue;
        std::vector<std::byte> first(bytes.size());
        impl_->initialise(i, first);
        if (!std::equal(bytes.begin(), bytes.end(), first.begin())) names.push_back(impl_->program->variables[i].name);
    }
    return names;
}

void Session::reset_global(std::string_view name) {
    const auto found = impl_->variable_of.find(name);
    if (found != impl_->variable_of.end()) impl_->reset(found->second);
}

std::uint64_t Session::address_of(std::string_view name) const { return impl_->address_of(std::string(name)); }

void Session::Impl::prepare(LaunchState& state, const Launch& launch, const RunOptions& options, int function) {
    state.program = program.get();
    state.function = function;
    state.code = &program->functions[static_cast<std::size_t>(function)];
    state.launch = &launch;
    state.options = &options;
    state.memory = memory;
    state.block_count = launch.grid.count();
    state.cluster = cluster_of(*program, launch);
    state.has_clusters = program->uses_clusters || state.cluster.count() > 1;
    if (state.has_clusters && options.sample != nullptr)
        state.first_of_clusters = one_of_each_cluster(state, options.sample->blocks);
    state.own_shared_bytes = state.code->static_shared_bytes + launch.dynamic_shared_bytes;
    state.shared_bytes = state.own_shared_bytes;
    if (program->reserved_shared_bytes != 0) {
        state.reserved_shared_offset = (state.own_shared_bytes + 127) / 128 * 128;  // all of the banks
        state.shared_bytes = state.reserved_shared_offset + program->reserved_shared_bytes;
    }
    state.work_limit = options.limits.warp_instructions;
    if (options.limits.budget != nullptr) state.work_limit = std::min(state.work_limit, options.limits.budget->left());
    state.block_work = block_work(state);
    state.work = launch_work(*program) + state.cluster.count() * context_work(state);
    if (memory->next_tag + state.block_count > kMaxTag) memory->forget_tags();
    state.first_tag = memory->next_tag;
    memory->next_tag += static_cast<std::uint32_t>(state.block_count);
    for (const ConstantFill& c : program->constants) {
        if (!c.symbol.empty()) state.symbol_addresses.push_back(address_of(c.symbol));
    }
    state.has_heap = is_in_program;
    state.keeps_published = state.code->has_global_atomics || state.code->polls_global;
    state.output = &output;
    state.host_buffers = &host_buffers;
    state.module_buffers = &module_buffers;
    // Writable buffers get their shadow here, not while blocks run side by side. It knows who stored; what was stored
    // to at all has one from the start, where that is asked.
    for (int i = 0; i < memory->count() && options.check_races; ++i) {
        const Buffer& b = memory->buffer(i);
        if (!b.is_freed && !b.spec.is_read_only && b.shadow == nullptr && b.spec.bytes > 0) memory->ensure_shadow(i);
    }
}

namespace {

// What blocks start together: one by itself, or a cluster.
std::uint64_t units_of(const LaunchState& state) {
    const Sample* const sample = state.options->sample;
    if (sample != nullptr) return state.has_clusters ? state.first_of_clusters.size() : sample->blocks.size();
    return state.block_count / state.cluster.count();
}

// Of the launch's blocks as they are numbered along the grid, the first of a cluster.
std::uint64_t first_of_cluster(const LaunchState& state, std::uint64_t cluster) {
    const Dim3 grid = state.launch->grid, size = state.cluster;
    const std::uint64_t x = grid.x / size.x, y = grid.y / size.y;
    return cluster % x * size.x +
           grid.x * (cluster / x % y * size.y + std::uint64_t{grid.y} * (cluster / x / y * size.z));
}

std::size_t index_in(const Sample& sample, std::uint64_t block, std::uint64_t unit) {
    if (unit < sample.blocks.size() && sample.blocks[unit] == block) return unit;
    const auto found = std::ranges::find(sample.blocks, block);
    return found == sample.blocks.end() ? no_sample : static_cast<std::size_t>(found - sample.blocks.begin());
}

// The blocks that start next on one thread. Of a sample's cluster those that are not in it run unobserved.
std::vector<std::unique_ptr<BlockContext>> start_unit(BlockRunner& runner, LaunchState& state, std::uint64_t unit,
                                                      bool is_reversed,
                                                      std::vector<std::unique_ptr<BlockContext>>& free) {
    const Sample* const sample = state.options->sample;
    const std::uint64_t number = is_reversed ? units_of(state) - 1 - unit : unit;
    const std::uint64_t first = sample == nullptr    ? first_of_cluster(state, number)
                                : state.has_clusters ? state.first_of_clusters[unit]
                                                     : sample->blocks[unit];
    std::vector<std::unique_ptr<BlockContext>> blocks;
    for (const std::uint64_t linear : state.has_clusters ? blocks_of_cluster(state, first) : std::vector{first}) {
        std::unique_ptr<BlockContext> block = free.empty() ? runner.make_context() : std::move(free.back());
        if (!free.empty()) free.pop_back();
        block->in_sample = sample == nullptr ? no_sample : index_in(*sample, linear, unit);
        block->trace = block->in_sample != no_sample && sample->is_traced ? &state.traces[block->in_sample] : nullptr;
        runner.start(*block, linear);
        blocks.push_back(std::move(block));
    }
    if (state.has_clusters) seat_cluster(blocks);
    return blocks;
}

// The blocks of a launch, as far as they are left, on one thread. Those that wait for others are set aside, so that
// those get their turn.
void run_in_turn(Worker& worker, std::uint64_t resident, bool is_reversed) {
    LaunchState& state = *worker.launch;
    BlockRunner runner(worker);
    WaitingBlocks waiting;
    std::vector<std::unique_ptr<BlockContext>> free;
    const std::uint64_t count = units_of(state), size = state.has_clusters ? state.cluster.count() : 1;
    while (!state.is_stopped) {
        std::unique_ptr<BlockContext> block;
        const bool has_room = waiting.size() == 0 || waiting.size() + size <= resident;
        const bool may_start = has_room && state.next_block < count && (size == 1 || !waiting.has_ready());
        const std::uint64_t next = may_start ? state.next_block.fetch_add(1) : count;
        if (next < count) {
            worker.spend(size * state.block_work);
            auto blocks = start_unit(runner, state, next, is_reversed, free);
            if (state.options->schedule == 1) std::reverse(blocks.begin(), blocks.end());
            block = std::move(blocks.front());
            for (std::size_t i = 1; i < blocks.size(); ++i) waiting.add(std::move(blocks[i]));
        } else if (waiting.size() != 0) {
            block = waiting.take(worker);
            if (block == nullptr) break;
        } else {
            break;
        }
        const bool is_done = runner.run(*block);
        if (worker.need != nullptr) worker.need->mark(NeedStep::block_leaves, block->linear);
        if (block->in_sample != no_sample)
            state.block_instructions[block->in_sample] = static_cast<double>(block->clock);
        worker.longest_block = std::max(worker.longest_block, block->clock);
        if (is_done && block->seat != nullptr && !state.is_stopped) leave_cluster(worker, *block);
        if (is_done)
            free.push_back(std::move(block));
        else
            waiting.add(std::move(block));
    }
    state.work += static_cast<std::uint64_t>(worker.budget_given - worker.budget);
}

}  // namespace

RunResult Session::Impl::run_blocks(LaunchState& state, int threads,
                                    std::span<const std::vector<std::byte>> arguments) {
    std::vector<std::unique_ptr<Worker>> workers;
    for (int i = 0; i < threads; ++i) {
        auto worker = std::make_unique<Worker>();
        worker->launch = &state;
        worker->caches.resize(program->sites.size() + 4);
        worker->counts.resize(program->sites.size() + 4);
        worker->segments.resize(program->segment_count);
        if (state.options->need != nullptr) worker->need = std::make_unique<NeedLog>(*state.options->need->plan);
        workers.push_back(std::move(worker));
    }
    const Sample* const sample = state.options->sample;
    if (sample) state.block_instructions.resize(sample->blocks.size());
    if (sample && sample->is_traced) {
        state.traces.resize(sample->blocks.size());
        const std::size_t warps = (state.launch->block.count() + 31) / 32;
        for (std::size_t i = 0; i < state.traces.size(); ++i) {
            state.traces[i].block = sample->blocks[i];
            state.traces[i].warps.resize(warps);
        }
    }
    const std::uint64_t fitting =
        std::min(state.options->limits.resident_blocks, kMostContextBytes / context_bytes(state));
    threads = static_cast<int>(std::clamp<std::uint64_t>(fitting, 1, static_cast<std::uint64_t>(threads)));
    const std::uint64_t resident = std::max<std::uint64_t>(1, fitting / static_cast<std::uint64_t>(threads));
    // Any order is as good as another, where all blocks can be there at once.
    const bool is_reversed = state.options->schedule != 0 && state.block_count <= resident;
    const auto run_worker = [&](Worker& worker) {
        if (state.code->is_kernel) return run_in_turn(worker, resident, is_reversed);
        BlockRunner runner(worker);
        auto context = runner.make_context();
        runner.start_function(*context, state.function, arguments);
        while (!runner.run(*context)) {
        }
        state.work += static_cast<std::uint64_t>(worker.budget_given - worker.budget);
    };
    // What is thrown on a thread is thrown again where the launch was asked for.
    std::atomic<std::size_t> next_worker{0};
    run_on_threads(static_cast<unsigned>(threads), [&] {
        try {
            run_worker(*workers[next_worker++]);
        } catch (...) {
            state.is_stopped = true;
            throw;
        }
    });
    RunResult result;
    if (sample) put_back_counted(state);
    result.drawn_from = state.drawn_from;
    collect(state, workers, result);
    settle(state, result);
    if (state.options->need != nullptr) take_logs(state, workers);
    if (state.code->is_kernel) {
        for (const auto& worker : workers) {
            state.reads_writable = state.reads_writable || worker->reads_writable;
            state.is_unsettled = state.is_unsettled || worker->stores_again || worker->findings.size() >= kMostFindings;
        }
        const auto is_race = [](const Finding& f) { return f.kind == FindingKind::race_global; };
        state.is_unsettled = state.is_unsettled || !result.is_complete ||
                             std::any_of(result.findings.begin(), result.findings.end(), is_race);
        bool& hangs = hangs_on_order[state.code->info.name];
        hangs = hangs || state.reads_writable || state.is_unsettled;
        result.profile[state.code->info.name] = profile_of(state, workers);
        if (sample == nullptr && state.options->check_races) result.meetings = meetings_of(state, workers);
    } else {
        const auto& segments = workers.front()->segments;
        for (std::uint32_t s = 0; s < segments.size(); ++s)
            if (segments[s].runs != 0) result.way.push_back(s);
    }
    for (const auto& worker : workers) result.longest_block = std::max(result.longest_block, worker->longest_block);
    result.blocks = std::move(state.traces);
    result.block_instructions = std::move(state.block_instructions);
    return result;
}

void Session::Impl::take_logs(const LaunchState& state, std::vector<std::unique_ptr<Worker>>& workers) const {
    NeedTrace& trace = *state.options->need;
    NeedTrace::Step& step = trace.steps.emplace_back();
    step.function = state.function;
    step.threads_per_block = state.launch->block.count();
    step.own_shared_bytes = state.own_shared_bytes;
    trace.is_cut = trace.is_cut || state.has_clusters;  // a slice follows shared memory of one block
    for (auto& worker : workers) {
        trace.is_cut = trace.is_cut || worker->need->is_cut;
        trace.facts.add(worker->need->facts);
        step.logs.push_back(std::move(worker->need));
    }
}

void Session::Impl::note_followed(Followed& kernel, const KernelProfile& profile, bool is_tracked) const {
    kernel.segments.resize(program->segment_count);
    for (std::size_t i = 0; i < profile.instructions.size(); ++i) {
        if (profile.instructions[i] == 0 || kernel.segments[i]) continue;
        if (is_tracked)
            kernel.segments[i] = true;
        else
            kernel.is_to_be_followed = true;
    }
}

void KernelProfile::add(const KernelProfile& other, double times) {
    const auto add_all = [&](std::vector<double>& own, const std::vector<double>& others) {
        own.resize(std::max(own.size(), others.size()), 0);
        for (std::size_t i = 0; i < others.size(); ++i) own[i] += times * others[i];
    };
    warps += times * other.warps;
    add_all(instructions, other.instructions);
    add_all(requests, other.requests);
    add_all(units, other.units);
}

KernelProfile Session::Impl::profile_of(const LaunchState& state,
                                        const std::vector<std::unique_ptr<Worker>>& workers) const {
    // A warp that does not wait at a barrier saves more than its instruction.
    constexpr double barrier_instructions = 16;
    KernelProfile profile;
    const Sample* const sample = state.options->sample;
    const std::uint64_t blocks = sample ? sample->blocks.size() : state.block_count;
    profile.warps = static_cast<double>(blocks * ((state.launch->block.count() + 31) / 32));
    profile.instructions.assign(program->segment_count, 0);
    profile.requests.assign(program->sites.size(), 0);
    profile.units.assign(program->sites.size(), 0);
    for (const auto& worker : workers) {
        for (const Code& code : program->functions) {
            for (const Segment& segment : code.segments) {
                const bool is_barrier = segment.terminator.kind == TerminatorKind::barrier ||
                                        segment.terminator.kind == TerminatorKind::cluster_wait;
                profile.instructions[segment.id] += static_cast<double>(worker->segments[segment.id].runs) *
                                                    (segment.instructions + (is_barrier ? barrier_instructions : 0));
            }
        }
        for (std::size_t s = 0; s < program->sites.size(); ++s) {
            profile.requests[s] += static_cast<double>(worker->counts[s].requests);
            profile.units[s] += static_cast<double>(worker->counts[s].units);
        }
    }
    return profile;
}

void add(Meetings& all, const Meetings& others) {
    for (const auto& [line, meeting] : others) {
        const auto known = all.emplace(line, meeting).first;
        known->second.is_followed = known->second.is_followed || meeting.is_followed;
    }
}

Meetings Session::Impl::meetings_of(const LaunchState& state,
                                    const std::vector<std::unique_ptr<Worker>>& workers) const {
    const auto each_access = [&](const auto& tell) {
        for (const auto& worker : workers)
            for (std::size_t s = 0; s < program->sites.size(); ++s)
                if (worker->counts[s].requests != 0 && worker->caches[s].buffer >= 0)
                    tell(program->sites[s], worker->caches[s].buffer);
    };
    std::map<int, std::set<AccessKind>> kinds;  // by buffer
    each_access([&](const Site& site, int buffer) { kinds[buffer].insert(site.access); });
    const bool is_followed = state.races != nullptr && state.races->has_followed_all();
    Meetings meetings;
    each_access([&](const Site& site, int buffer) {
        if (is_followed || kinds[buffer].size() > 1)
            meetings.try_emplace({state.code->info.name, site.outer_line},
                                 Meeting{memory->buffer(buffer).spec.name, is_followed});
    });
    return meetings;
}

void Session::Impl::collect(const LaunchState& state, std::vector<std::unique_ptr<Worker>>& workers,
                            RunResult& result) const {
    std::map<int, Counters> lines;
    const auto at_line = [&](int line) -> Counters& { return lines[line]; };
    for (const auto& worker : workers) {
        for (std::size_t s = 0; s < program->sites.size(); ++s) {
            const SiteCount& n = worker->counts[s];
            if (n.requests == 0) continue;
            const Site& site = program->sites[s];
            add_site(at_line(site.outer_line), site, n);
        }
        for (const Code& code : program->functions) {
            for (const Segment& segment : code.segments) {
                const SegmentCount& n = worker->segments[segment.id];
                if (n.runs == 0) continue;
                for (const auto& [line, of] : segment.lines) {
                    Counters& c = at_line(line);
                    c.warp_instructions += n.runs * of.instructions;
                    c.thread_instructions += n.lanes * of.instructions;
                    c.double_instructions += n.runs * of.in_double;
                }
                if (segment.shuffles > 0) at_line(segment.shuffle_line).shuffles += n.runs * segment.shuffles;
                if (segment.terminator.kind == TerminatorKind::branch) {
                    Counters& c = at_line(program->sites[segment.terminator.site].outer_line);
                    c.branches += n.runs;
                    c.divergent_branches += n.diverged;
                }
            }
        }
    }
    for (const auto& [line, counters] : lines) {
        result.by_line.push_back({line, counters});
        result.counters += counters;
    }
    std::map<FindingKey, std::pair<std::uint64_t, Finding>> merged;
    for (const auto& worker : workers) {
        for (const auto& [key, value] : worker->findings) {
            const auto [at, inserted] = merged.try_emplace(key, value);
            if (inserted) continue;
            const std::uint64_t total = at->second.second.occurrences + value.second.occurrences;
            const bool is_far = value.second.kind == FindingKind::out_of_bounds_shared;
            const bool is_across = at->second.second.crosses_blocks || value.second.crosses_blocks;
            const std::uint64_t reach = std::max(at->second.second.value, value.second.value);
            if (value.first < at->second.first) at->second = value;
            at->second.second.occurrences = total;
            at->second.second.crosses_blocks = is_across;
            if (is_far) at->second.second.value = reach;
        }
        result.trace.insert(result.trace.end(), worker->trace.begin(), worker->trace.end());
        result.trace_is_cut |= worker->trace_is_cut;
    }
    const auto place = [](const Access& a) { return std::tuple(a.block.z, a.block.y, a.block.x); };
    std::stable_sort(result.trace.begin(), result.trace.end(),
                     [&](const Access& a, const Access& b) { return place(a) < place(b); });
    std::vector<std::pair<std::uint64_t, Finding>> ordered;
    for (auto& [key, value] : merged) ordered.push_back(std::move(value));
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [block, finding] : ordered) result.findings.push_back(std::move(finding));
    result.is_complete = !state.is_stopped;
}

// A launch over its budget has a timeout, whichever thread noticed first and if none did. What it has cost is the same
// for any number of threads: of one that is stopped early, what it could have cost or next to nothing.
void Session::Impl::settle(LaunchState& state, RunResult& result) const {
    const Limits& limits = state.options->limits;
    const auto is_stop = [](const Finding& f) {
        return f.kind == FindingKind::timeout && f.reason == FindingReason::none;
    };
    const bool is_over =
        state.is_out_of_time || (state.work > state.work_limit && (result.is_complete || state.is_out_of_work));
    if (is_over && std::none_of(result.findings.begin(), result.findings.end(), is_stop)) {
        Finding late;
        late.kind = FindingKind::timeout;
        if (!state.is_host) late.kernel = state.code->display_name;
        const auto& segments = state.code->segments;
        if (!segments.empty() && !segments.front().lines.empty())
            late.place.line = segments.front().lines.front().first;
        result.findings.push_back(std::move(late));
    }
    for (Finding& f : result.findings) {
        if (!is_stop(f)) continue;
        f.limit = state.work_limit;
        if (limits.budget != nullptr) f.limit += limits.budget->spent();
        if (f.is_endless) continue;
        if (state.is_out_of_time) {
            f.reason = FindingReason::time;
            f.limit = state.work;
            continue;
        }
        if (state.unseen_lines * price::unseen_line > state.work_limit / 2) {
            f.reason = FindingReason::prints;
            f.limit = state.unseen_lines;
        } else if (state.code->is_kernel && state.block_count > state.work_limit / 2 / state.block_work) {
            const bool is_local = local_work(state) > state.block_work / 2;
            f.reason = is_local ? FindingReason::local : FindingReason::blocks;
            f.limit = is_local ? static_cast<std::uint64_t>(state.code->local_bytes) : state.block_count;
        }
    }
    result.is_complete = result.is_complete && !is_over;
    const bool is_known = result.is_complete || state.is_host;
    state.cost = is_over ? state.work_limit : is_known ? state.work.load() : launch_work(*program);
    if (state.is_out_of_time) state.cost = std::numeric_limits<std::uint64_t>::max();  // all that is left
}

bool Session::Impl::may_hang_on_order(const Launch& launch, const RunOptions& options) const {
    if (options.sample != nullptr) return false;
    const auto known = hangs_on_order.find(launch.kernel);
    return known == hangs_on_order.end() || known->second;
}

namespace {

// The blocks of a cluster are there at once, whatever each keeps.
bool has_room_for_cluster(const LaunchState& state) {
    const std::uint64_t blocks = state.cluster.count();
    return blocks == 1 || blocks <= kMostContextBytes / context_bytes(state);
}

RunResult without_room(const LaunchState& state) {
    RunResult result;
    Finding& f = result.findings.emplace_back();
    f.kind = FindingKind::unsupported;
    f.kernel = state.code->display_name;
    const auto& segments = state.code->segments;
    if (!segments.empty() && !segments.front().lines.empty()) f.place.line = segments.front().lines.front().first;
    f.detail = fmt::format("a cluster of {} blocks that need {} MiB together", state.cluster.count(),
                           state.cluster.count() * (context_bytes(state) >> 20));
    result.is_complete = false;
    return result;
}

}  // namespace

RunResult Session::run(const Launch& launch, const RunOptions& options) {
    const auto function = impl_->program->by_name.find(launch.kernel);
    if (function == impl_->program->by_name.end()) throw std::logic_error("no kernel " + launch.kernel);
    LaunchState state;
    impl_->prepare(state, launch, options, function->second);
    if (!has_room_for_cluster(state)) return without_room(state);
    int threads = options.threads > 0
                      ? options.threads
                      : static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads));
    if (state.code->has_global_atomics || state.code->polls_global || state.code->calls_external) threads = 1;
    if (state.code->calls_functions && impl_->program->recurses) threads = 1;  // stacks grow: one set is enough
    if (impl_->may_hang_on_order(launch, options)) threads = 1;
    const bool is_explained = options.explains_races || !options.watched_words.empty();
    std::int64_t& touches_left = impl_->touches_left.try_emplace(launch.kernel, kMostTouchesOfKernel).first->second;
    const std::int64_t touches =
        is_explained ? RaceTracker::kMostTouches : std::clamp(touches_left, kLeastTouches, RaceTracker::kMostTouches);
    const bool tracks_global = !options.watched_words.empty() || (options.sample == nullptr && is_small_enough(state));
    Impl::Followed& followed = impl_->followed[launch.kernel];
    const bool tracks_part = options.check_races && !tracks_global && !is_explained && options.sample == nullptr &&
                             followed.is_to_be_followed && followed.parts_left > 0 && has_part_to_track(state);
    if (tracks_global || tracks_part || options.explains_races) {
        // Stamps know the last access to a word, which is enough where only barriers order threads.
        const bool tracks_shared =
            options.explains_races || ((tracks_global || tracks_part) && impl_->program->orders_by_more_than_barriers &&
                                       state.shared_bytes > 0 && options.watched_words.empty());
        state.races = std::make_unique<RaceTracker>(state, options.watched_words, tracks_global || tracks_part,
                                                    tracks_shared, tracks_part ? RaceTracker::kTouchesOfPart : touches);
        if (tracks_part) {
            state.races->follow_part();
            --followed.parts_left;
        }
        if (!is_explained) followed.is_to_be_followed = false;
        threads = 1;
    }
    state.finds_races_by_stamps = options.check_races && (!state.races || !state.races->looks_at_shared());
    threads = static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(threads),
                                                       std::max<std::uint64_t>(1, state.block_count / 2)));
    impl_->output.clear();
    if (launch.parameters.size() < state.code->info.parameter_total_bytes)
        throw std::logic_error("too few parameter bytes for " + launch.kernel);
    RunResult result = impl_->run_blocks(state, threads, {});
    if (!is_explained && options.sample == nullptr)
        impl_->note_followed(followed, result.profile[launch.kernel], state.races != nullptr);
    if (tracks_global && !is_explained) touches_left -= touches - state.races->touches_left();
    if (state.races != nullptr && result.is_complete) result.last_store = state.races->take_last_stores();
    if (state.races != nullptr) {
        result.may_be_old = state.races->may_be_old();
        result.old_value = state.races->take_old_value();
    }
    std::uint64_t cost = state.cost;
    // Who is named, where it stops and what stays are those of blocks in order. It reads nothing that it stores.
    if (threads > 1 && state.is_unsettled && options.sample == nullptr) {
        if (options.need != nullptr) options.need->steps.pop_back();
        LaunchState in_order;
        impl_->prepare(in_order, launch, options, function->second);
        result = impl_->run_blocks(in_order, 1, {});
        cost = in_order.cost;
    }
    result.hangs_on_order = threads > 1 && state.reads_writable && options.sample == nullptr;
    if (options.limits.budget != nullptr) options.limits.budget->spend(cost);
    result.output = std::move(impl_->output);
    impl_->output.clear();
    return result;
}

RunResult Session::run_host(const std::string& function, std::span<const std::vector<std::byte>> arguments,
                            const HostFunction& host_call, const Limits& limits, HostCode code) {
    const auto found = impl_->program->by_name.find(function);
    if (found == impl_->program->by_name.end()) throw std::logic_error("no function " + function);
    Launch launch;
    launch.kernel = function;
    RunOptions options;
    options.limits = limits;
    LaunchState state;
    state.is_host = true;
    state.is_program = impl_->is_in_program = code == HostCode::program;
    state.host_call = &host_call;
    impl_->prepare(state, launch, options, found->second);
    impl_->output.clear();
    RunResult result = impl_->run_blocks(state, 1, arguments);
    impl_->is_in_program = false;
    if (limits.budget != nullptr) limits.budget->spend(state.cost);
    result.output = std::move(impl_->output);
    impl_->output.clear();
    for (const int b : impl_->host_buffers) impl_->memory->release(b);
    impl_->host_buffers.clear();
    return result;
}

std::uint64_t Session::allocate_host(std::size_t bytes) {
    // A few slots in turn: a parameter buffer is done with once its launch is recorded.
    constexpr std::size_t kSlotBytes = 32 * 1024, kSlots = 8;
    if (bytes > kSlotBytes) return 0;
    if (impl_->host_buffers.empty()) {
        BufferSpec spec;
        spec.name = "launch parameters";
        spec.bytes = kSlotBytes * kSlots;
        spec.element_bytes = 1;
        spec.is_written = true;
        Result<int> buffer = impl_->memory->allocate(spec);
        if (!buffer) return 0;
        impl_->host_buffers.push_back(*buffer);
    }
    const std::size_t slot = impl_->next_host_slot++ % kSlots;
    const int buffer = impl_->host_buffers.front();
    std::memset(impl_->memory->bytes(buffer).data() + slot * kSlotBytes, 0, bytes);
    return impl_->memory->buffer(buffer).address + slot * kSlotBytes;
}

std::span<std::byte> Session::host_bytes(std::uint64_t address) {
    const int index = impl_->memory->find(address);
    if (index < 0) return {};
    const auto all = impl_->memory->bytes(index);
    return all.subspan(address - impl_->memory->buffer(index).address);
}

Result<std::shared_ptr<const Program>> load(const ptx::Module& module, std::string_view source_file) {
    Result<std::shared_ptr<Program>> lowered = lower(module, source_file);
    if (!lowered) return std::move(lowered).error();
    return std::shared_ptr<const Program>(std::move(lowered).value());
}

std::vector<KernelInfo> kernels(const Program& program) {
    std::vector<KernelInfo> all;
    for (const Code& code : program.functions) {
        if (code.is_kernel) all.push_back(code.info);
    }
    return all;
}

std::set<int> lines_that_draw(const Program& program) {
    std::set<int> lines;
    for (const Site& site : program.sites)
        if (site.access == AccessKind::atomic && site.is_used) lines.insert(site.line);
    return lines;
}

std::vector<std::string> functions(const Program& program) {
    std::vector<std::string> all;
    for (const Code& code : program.functions) {
        if (!code.is_kernel) all.push_back(code.name);
    }
    return all;
}

}  // namespace warpgrade::vgpu
