// Launches: module variables, worker threads.
#include <algorithm>
#include <cstring>
#include <map>
#include <thread>
#include <unordered_map>

#include "base/parallel.hpp"
#include "vgpu/block_turns.hpp"
#include "vgpu/clusters.hpp"
#include "vgpu/launch_results.hpp"
#include "vgpu/launch_work.hpp"
#include "vgpu/race_tracker.hpp"
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

}  // namespace

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

bool Session::Impl::may_hang_on_order(const Launch& launch, const RunOptions& options) const {
    if (options.sample != nullptr) return false;
    const auto known = hangs_on_order.find(launch.kernel);
    return known == hangs_on_order.end() || known->second;
}

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

}  // namespace warpgrade::vgpu
