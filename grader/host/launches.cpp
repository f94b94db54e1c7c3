// Launches: <<< >>> and cudaLaunchKernel. A launch runs where it is called.
#include <fmt/format.h>

#include <algorithm>

#include "host/runtime.hpp"
#include "vgpu/exec.hpp"

namespace warpgrade::host {

namespace {

constexpr int max_dynamic_shared_memory_size = 8, non_portable_cluster_size_allowed = 14;  // cudaFuncAttribute
constexpr std::size_t most_launches_kept = 1000;

vgpu::Dim3 dim3_at(Call& call, std::uint64_t address) {
    vgpu::Dim3 size{0, 0, 0};
    const auto bytes = call.bytes(address, sizeof size);
    if (bytes.size() == sizeof size) std::memcpy(&size, bytes.data(), sizeof size);
    return size;
}

// Whether blocks of these tags, and later ones, have stored there.
bool has_store_since(const vgpu::Buffer& buffer, std::uint32_t first_tag) {
    if (buffer.shadow == nullptr) return true;
    const std::uint64_t words = (buffer.spec.bytes + buffer.spec.offset_bytes + 3) / 4;
    return std::any_of(buffer.shadow, buffer.shadow + words,
                       [&](std::uint32_t word) { return word >> vgpu::kTagShift >= first_tag; });
}

// What CUDA reports of it, later.
int error_of(const vgpu::Finding& finding) {
    using enum vgpu::FindingKind;
    if (finding.kind == out_of_bounds_shared && finding.reason == vgpu::FindingReason::not_started)
        return success;  // it may have
    switch (finding.kind) {
        case out_of_bounds:
        case out_of_bounds_shared:
        case out_of_bounds_local:
        case host_dereference:
        case write_to_input: return illegal_address;
        case misaligned: return misaligned_address;
        case assertion: return device_assert;
        case trap:
        case invalid_call: return launch_failure;
        case timeout:
        case deadlock: return launch_timeout;
        default: return success;
    }
}

// Of a local variable of the host: a kernel's own are at the same addresses, as far as it has any.
bool is_of_stack(const vgpu::Finding& finding) {
    return finding.buffer.empty() && vgpu::is_near(finding.address, vgpu::kLocalWindow);
}

}  // namespace

const vgpu::Code* Runtime::kernel_at(std::uint64_t address) const {
    const int function = vgpu::function_at(loaded_.program, address);
    if (function < 0) return nullptr;
    const vgpu::Code& code = loaded_.program.functions[static_cast<std::size_t>(function)];
    return code.is_kernel ? &code : nullptr;
}

void Runtime::parameter_buffer(Call& call) {
    Pending asked;
    asked.kernel = kernel_at(call.address(0));
    const auto grid = call.value<std::array<std::uint32_t, 3>>(1), block = call.value<std::array<std::uint32_t, 3>>(2);
    asked.grid = {grid[0], grid[1], grid[2]};
    asked.block = {block[0], block[1], block[2]};
    asked.shared_bytes = call.value<std::uint32_t>(3);
    const std::uint64_t address = loaded_.session.allocate_host(
        asked.kernel == nullptr ? 8 : std::max<std::uint32_t>(asked.kernel->info.parameter_total_bytes, 8));
    pending_[address] = asked;
    call.give(address);
}

void Runtime::launch_buffer(Call& call) {
    const auto found = pending_.find(call.address(0));
    if (found == pending_.end()) return finish_call(call, invalid_value, "");
    const Pending asked = found->second;
    pending_.erase(found);
    std::vector<std::byte> parameters;
    if (asked.kernel != nullptr) {
        const auto bytes = loaded_.session.host_bytes(call.address(0));
        parameters.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                                             bytes.size(), asked.kernel->info.parameter_total_bytes)));
    }
    finish_call(call, launch(call, asked, call.address(1), std::move(parameters)), "");
}

void Runtime::launch_kernel(Call& call) {
    const char* const name = call.value<int>(6) != 0 ? "cudaLaunchCooperativeKernel" : "cudaLaunchKernel";
    Pending asked{kernel_at(call.address(0)),
                  dim3_at(call, call.address(1)),
                  dim3_at(call, call.address(2)),
                  call.value<std::uint64_t>(4),
                  false,
                  {0, 0, 0}};
    std::vector<std::byte> parameters;
    if (asked.kernel != nullptr) {
        const vgpu::KernelInfo& info = asked.kernel->info;
        parameters.resize(info.parameter_total_bytes);
        for (std::size_t i = 0; i < info.parameter_bytes.size(); ++i) {
            std::uint64_t from = 0;
            const auto pointer = call.bytes(call.address(3) + 8 * i, sizeof from);
            if (pointer.size() < sizeof from) return finish_call(call, invalid_value, name);
            std::memcpy(&from, pointer.data(), sizeof from);
            const auto bytes = static_cast<std::size_t>(info.parameter_bytes[i]);
            const auto value = call.bytes(from, bytes);
            if (value.size() < bytes) return finish_call(call, invalid_value, name);
            std::copy(value.begin(), value.end(), parameters.begin() + info.parameter_offsets[i]);
        }
    }
    asked.is_cooperative = call.value<int>(6) != 0;
    if (call.address(7) != 0) asked.cluster = dim3_at(call, call.address(7));
    finish_call(call, launch(call, asked, call.address(5), std::move(parameters)), name);
}

// Its error.
int Runtime::note_refused(Call& call, const Pending& asked, const RefusedLaunch& refused) {
    for (vgpu::Finding& known : run.findings)
        if (known.kind == vgpu::FindingKind::invalid_launch && known.place.line == call.line()) {
            ++known.occurrences;
            return refused.error;
        }
    vgpu::Finding finding;
    finding.kind = vgpu::FindingKind::invalid_launch;
    finding.kernel = asked.kernel == nullptr ? "" : asked.kernel->display_name;
    finding.place.line = call.line();
    finding.detail = refused.what;
    finding.error = name_of(refused.error);
    finding.block = asked.block;
    finding.refusal = refused.refusal;
    finding.limit = refused.limit;
    finding.buffer_bytes = refused.asked;
    run.findings.push_back(std::move(finding));
    return refused.error;
}

// Of the whole GPU.
std::uint64_t Runtime::resident_blocks(const vgpu::Code& kernel, const Pending& asked) const {
    const std::uint32_t blocks = blocks_per_multiprocessor(
        program_.gpu, static_cast<std::uint32_t>(asked.block.count()), kernel.static_shared_bytes + asked.shared_bytes);
    return std::uint64_t{program_.gpu.multiprocessors} * std::max(1u, blocks);
}

// Where the blocks of a cooperative launch meet.
std::uint64_t Runtime::cleared_grid_barrier() {
    vgpu::Memory& memory = loaded_.memory;
    if (grid_barrier_ < 0) {
        vgpu::BufferSpec spec;
        spec.name = "barrier of the grid";
        spec.bytes = 64;
        spec.is_written = true;
        const auto buffer = memory.allocate(spec);
        if (!buffer) return 0;
        grid_barrier_ = *buffer;
    }
    memory.clear(grid_barrier_);
    return memory.buffer(grid_barrier_).address;
}

// CUDA's error for a launch that it would not take, with a finding.
int Runtime::refuse_launch(Call& call, const Pending& asked, const AskedLaunch& sizes) {
    if (asked.kernel == nullptr)
        return note_refused(
            call, asked, {invalid_device_function, "", vgpu::Refusal::other, 0, 0, "what is launched is not a kernel"});
    const vgpu::Code& kernel = *asked.kernel;
    if (auto refused = why_refused(program_.gpu, kernel, sizes)) {
        // Before 13 the runtime had a name of its own for sizes.
        const bool is_size = refused->error == invalid_value && refused->refusal != vgpu::Refusal::shared_bytes;
        if (program_.cuda_major < 13 && is_size) refused->error = invalid_configuration;
        return note_refused(call, asked, *refused);
    }
    if (!asked.is_cooperative || asked.grid.count() <= resident_blocks(kernel, asked)) return success;
    return note_refused(
        call, asked,
        {cooperative_too_large, "", vgpu::Refusal::resident_blocks, asked.grid.count(), resident_blocks(kernel, asked),
         fmt::format("its blocks meet, and {} blocks do not fit on the GPU at once", asked.grid.count())});
}

vgpu::RunOptions Runtime::options_of(const Pending& asked) {
    vgpu::RunOptions options;
    options.limits.warp_instructions = limits_.launch_work;
    options.limits.budget = &budget_;
    options.limits.output_bytes = std::uint64_t{1} << 20;  // CUDA's printf buffer
    options.limits.is_time_over = limits_.is_time_over;
    options.limits.resident_blocks = resident_blocks(*asked.kernel, asked);
    options.multiprocessors = program_.gpu.multiprocessors;
    options.trace_first_warp = limits_.traces;
    options.trace_whole_blocks = limits_.traces_whole_blocks;
    options.traced_block = limits_.traced_block;
    return options;
}

int Runtime::launch(Call& call, const Pending& asked, std::uint64_t stream, std::vector<std::byte> parameters) {
    if (is_gpu_error_known_) return gpu_error_;
    if (!is_stream(call, stream, "<<< >>>")) return invalid_resource_handle;
    constexpr std::uint64_t most_shared = ~std::uint32_t{0};
    const auto opt_in = opted_in_.find(asked.kernel);
    const AskedLaunch sizes{asked.grid,
                            asked.block,
                            static_cast<std::uint32_t>(std::min(asked.shared_bytes, most_shared)),
                            opt_in == opted_in_.end() ? 0 : opt_in->second,
                            asked.cluster,
                            allow_large_clusters_.contains(asked.kernel)};
    if (const int error = refuse_launch(call, asked, sizes); error != success) return error;
    if (gpu_error_ != success) return success;  // it comes behind one that failed, and does not run
    note_unset_symbols(call);
    vgpu::Launch launch;
    launch.kernel = asked.kernel->name;
    launch.grid = asked.grid;
    launch.block = asked.block;
    launch.cluster = asked.cluster;
    launch.dynamic_shared_bytes = sizes.dynamic_shared_bytes;
    launch.parameters = std::move(parameters);
    launch.grid_barrier = asked.is_cooperative ? cleared_grid_barrier() : 0;
    console_.flush();
    const std::uint32_t first_tag = loaded_.memory.next_tag;
    const std::map<int, std::size_t> before = shared_arguments(launch);
    vgpu::RunResult result = run_explained(loaded_, launch, options_of(asked));
    const double seconds = launch_seconds(result.counters, program_.gpu.multiprocessors);
    time_.add(stream, seconds);
    ++run.launch_count;
    if (stream > Timeline::per_thread) streams_with_launch_.insert(stream);
    if (run.launches.size() < most_launches_kept)
        run.launches.push_back(
            {asked.kernel->display_name, asked.grid, asked.block, launch.dynamic_shared_bytes, call.line(), seconds});
    // Atomic operations leave no tag.
    for (const auto& [buffer, digest] : shared_arguments(launch))
        hold(call, buffer, stream,
             digest != before.at(buffer) || has_store_since(loaded_.memory.buffer(buffer), first_tag));
    take_results(call, std::move(result));
    return success;
}

// Pinned and managed memory that the kernel has a pointer to, with a digest of what it holds.
std::map<int, std::size_t> Runtime::shared_arguments(const vgpu::Launch& launch) {
    std::map<int, std::size_t> found;
    for (std::size_t at = 0; at + 8 <= launch.parameters.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, launch.parameters.data() + at, sizeof word);
        const int buffer = loaded_.memory.find(word);
        const auto allocation = allocations_.find(buffer);
        if (allocation == allocations_.end() || allocation->second.kind == MemoryKind::device) continue;
        const auto bytes = loaded_.memory.bytes(buffer);
        budget_.spend(bytes.size() / vgpu::price::copied_bytes);
        found[buffer] = std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    return found;
}

void Runtime::take_results(Call& call, vgpu::RunResult&& result) {
    if (!result.output.empty()) {
        if (kernel_output_.empty()) kernel_output_line_ = call.line();
        // CUDA keeps a megabyte as well; what does not fit is lost there, too.
        constexpr std::size_t most_kept = std::size_t{1} << 20;
        if (kernel_output_.size() < most_kept) kernel_output_ += result.output;
    }
    run.counters += result.counters;
    for (const auto& [line, counters] : result.by_line) by_line_[line] += counters;
    constexpr std::size_t most_traced = 200'000;
    if (run.trace.size() + result.trace.size() <= most_traced)
        std::move(result.trace.begin(), result.trace.end(), std::back_inserter(run.trace));
    else
        run.trace_is_cut = true;
    run.trace_is_cut |= result.trace_is_cut;
    if (limits_.traces) run.trace_ends.push_back(run.trace.size());
    const bool leaves_memory = std::ranges::any_of(
        result.findings, [](const vgpu::Finding& finding) { return error_of(finding) == illegal_address; });
    for (vgpu::Finding& finding : result.findings) {
        if (gpu_error_ == success) gpu_error_ = leaves_memory ? illegal_address : error_of(finding);
        const bool is_of_host = finding.reason == vgpu::FindingReason::host_memory || is_of_stack(finding);
        if (finding.kind == vgpu::FindingKind::out_of_bounds && is_of_host) {
            note_host_pointer(call, finding);
            continue;
        }
        // A GPU ends the launch at the first such access: what follows in it comes of that.
        if (leaves_memory && error_of(finding) != success && error_of(finding) != illegal_address) continue;
        const auto known = std::find_if(run.findings.begin(), run.findings.end(), [&](const vgpu::Finding& other) {
            return other.kind == finding.kind && other.place.line == finding.place.line &&
                   other.access == finding.access && other.reason == finding.reason && other.detail == finding.detail &&
                   other.stored == finding.stored;
        });
        if (known != run.findings.end())
            known->occurrences += finding.occurrences;
        else if (run.findings.size() < 200)
            run.findings.push_back(std::move(finding));
    }
    if (!result.is_complete && gpu_error_ == success) gpu_error_ = launch_failure;
    if (budget_.is_spent() || (limits_.is_time_over != nullptr && limits_.is_time_over->load())) stop(call, 1);
}

void Runtime::note_host_pointer(Call& call, const vgpu::Finding& finding) {
    Mistake mistake{MistakeKind::host_pointer, finding.place.line, call.line(), "",
                    finding.buffer == Heap::unnamed ? "" : finding.buffer};
    mistake.is_store = finding.access == vgpu::AccessKind::write;
    mistake.detail = finding.kernel;
    mistake.column = finding.place.column;
    const int buffer = loaded_.memory.find(finding.address);
    mistake.limit = buffer < 0 ? 0 : loaded_.memory.buffer(buffer).spec.bytes;
    mistakes_.add(std::move(mistake));
}

// A __constant__ variable without an initial value that nothing has set by the first launch of a kernel.
void Runtime::note_unset_symbols(Call& call) {
    if (run.launch_count != 0) return;
    for (std::size_t i = 0; i < loaded_.program.variables.size(); ++i) {
        const ptx::Variable& variable = loaded_.program.variables[i];
        const bool has_value = std::any_of(variable.initial.begin(), variable.initial.end(),
                                           [](auto b) { return static_cast<unsigned char>(b) != 0; });
        if (variable.space != ptx::Space::constant || has_value || !variable.initial_addresses.empty() ||
            !loaded_.program.is_of_kernels[i] || symbols_set_.contains(variable.name))
            continue;
        mistakes_.add({MistakeKind::symbol_not_set, call.line(), 0, "", vgpu::display_name(variable.name)});
    }
}

void Runtime::set_kernel_attribute(Call& call) {
    const vgpu::Code* const kernel = kernel_at(call.address(0));
    if (kernel == nullptr) return finish_call(call, invalid_device_function, "cudaFuncSetAttribute");
    const int which = call.value<int>(1), bytes = call.value<int>(2);
    if (which == non_portable_cluster_size_allowed && bytes != 0) allow_large_clusters_.insert(kernel);
    if (which == non_portable_cluster_size_allowed && bytes == 0) allow_large_clusters_.erase(kernel);
    if (which != max_dynamic_shared_memory_size) return finish_call(call, success, "cudaFuncSetAttribute");
    const std::int64_t limit =
        static_cast<std::int64_t>(program_.gpu.shared_bytes_per_block_optin) - kernel->static_shared_bytes;
    if (bytes < 0 || bytes > limit) return finish_call(call, invalid_value, "cudaFuncSetAttribute");
    opted_in_[kernel] = static_cast<std::uint32_t>(bytes);
    finish_call(call, success, "cudaFuncSetAttribute");
}

void Runtime::kernel_attributes(Call& call) {
    const vgpu::Code* const kernel = kernel_at(call.address(0));
    if (kernel == nullptr) return finish_call(call, invalid_device_function, "cudaFuncGetAttributes");
    call.store_value(call.address(1), std::uint64_t{kernel->static_shared_bytes});
    const std::uint32_t bound = kernel->info.max_threads;
    call.store_value(call.address(2), static_cast<int>(bound > 0 ? bound : program_.gpu.max_threads_per_block));
    finish_call(call, success, "cudaFuncGetAttributes");
}

void Runtime::occupancy(Call& call) {
    const char* const name = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
    const vgpu::Code* const kernel = kernel_at(call.address(1));
    const int threads = call.value<int>(2);
    if (kernel == nullptr) return finish_call(call, invalid_device_function, name);
    if (threads <= 0) return finish_call(call, invalid_value, name);
    const std::uint64_t dynamic = std::min(call.value<std::uint64_t>(3), std::uint64_t{1} << 32);
    const bool is_too_wide =
        kernel->info.max_threads > 0 && static_cast<std::uint32_t>(threads) > kernel->info.max_threads;
    const std::uint32_t blocks = is_too_wide
                                     ? 0
                                     : blocks_per_multiprocessor(program_.gpu, static_cast<std::uint32_t>(threads),
                                                                 dynamic + kernel->static_shared_bytes);
    call.store_value(call.address(0), static_cast<int>(blocks));
    finish_call(call, success, name);
}

}  // namespace warpgrade::host
