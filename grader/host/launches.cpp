// Launches: <<< >>> and cudaLaunchKernel. A launch runs where it is called.
#include <fmt/format.h>

#include <algorithm>

#include "device/launch_check.hpp"
#include "host/runtime.hpp"

namespace warpgrade::host {

namespace {

constexpr int max_dynamic_shared_memory_size = 8;  // cudaFuncAttribute
constexpr std::size_t most_launches_kept = 1000;

vgpu::Dim3 dim3_at(Call& call, std::uint64_t address) {
    vgpu::Dim3 size{0, 0, 0};
    const auto bytes = call.bytes(address, sizeof size);
    if (bytes.size() == sizeof size) std::memcpy(&size, bytes.data(), sizeof size);
    return size;
}

// What CUDA reports of it, later.
int error_of(const vgpu::Finding& finding) {
    using enum vgpu::FindingKind;
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
    Pending asked{kernel_at(call.address(0)), dim3_at(call, call.address(1)), dim3_at(call, call.address(2)),
                  call.value<std::uint64_t>(4)};
    std::vector<std::byte> parameters;
    if (asked.kernel != nullptr) {
        const vgpu::KernelInfo& info = asked.kernel->info;
        parameters.resize(info.parameter_total_bytes);
        for (std::size_t i = 0; i < info.parameter_bytes.size(); ++i) {
            std::uint64_t from = 0;
            const auto pointer = call.bytes(call.address(3) + 8 * i, sizeof from);
            if (pointer.size() < sizeof from) return finish_call(call, invalid_value, "cudaLaunchKernel");
            std::memcpy(&from, pointer.data(), sizeof from);
            const auto bytes = static_cast<std::size_t>(info.parameter_bytes[i]);
            const auto value = call.bytes(from, bytes);
            if (value.size() < bytes) return finish_call(call, invalid_value, "cudaLaunchKernel");
            std::copy(value.begin(), value.end(), parameters.begin() + info.parameter_offsets[i]);
        }
    }
    finish_call(call, launch(call, asked, call.address(5), std::move(parameters)), "cudaLaunchKernel");
}

void Runtime::note_refused(Call& call, const vgpu::Code* kernel, const char* error, vgpu::Refusal refusal,
                           std::uint64_t asked, std::uint64_t limit, const std::string& what) {
    for (vgpu::Finding& known : run.findings)
        if (known.kind == vgpu::FindingKind::invalid_launch && known.place.line == call.line()) {
            ++known.occurrences;
            return;
        }
    vgpu::Finding finding;
    finding.kind = vgpu::FindingKind::invalid_launch;
    finding.kernel = kernel == nullptr ? "" : kernel->display_name;
    finding.place.line = call.line();
    finding.detail = std::string(error) + ": " + what;
    finding.refusal = refusal;
    finding.limit = limit;
    finding.buffer_bytes = asked;
    run.findings.push_back(std::move(finding));
}

int Runtime::launch(Call& call, const Pending& asked, std::uint64_t stream, std::vector<std::byte> parameters) {
    if (is_gpu_error_known_) return gpu_error_;
    if (!is_stream(call, stream, "<<< >>>")) return invalid_resource_handle;
    if (asked.kernel == nullptr) {
        note_refused(call, nullptr, name_of(invalid_device_function), vgpu::Refusal::other, 0, 0,
                     "what is launched is not a kernel");
        return invalid_device_function;
    }
    const vgpu::Code& kernel = *asked.kernel;
    const auto opt_in = opted_in_.find(&kernel);
    constexpr std::uint64_t most_shared = ~std::uint32_t{0};
    const AskedLaunch sizes{asked.grid, asked.block,
                            static_cast<std::uint32_t>(std::min(asked.shared_bytes, most_shared)),
                            opt_in == opted_in_.end() ? 0 : opt_in->second};
    if (const auto refused = why_refused(program_.gpu, kernel, sizes)) {
        // Before 13 the runtime had a name of its own for sizes.
        const bool is_size = refused->error == invalid_value && refused->refusal != vgpu::Refusal::shared_bytes;
        const int error = program_.cuda_major < 13 && is_size ? invalid_configuration : refused->error;
        note_refused(call, &kernel, name_of(error), refused->refusal, refused->asked, refused->limit, refused->what);
        return error;
    }
    if (gpu_error_ != success) return success;  // it comes behind one that failed, and does not run
    note_unset_symbols(call);
    vgpu::Launch launch;
    launch.kernel = kernel.name;
    launch.grid = asked.grid;
    launch.block = asked.block;
    launch.dynamic_shared_bytes = sizes.dynamic_shared_bytes;
    launch.parameters = std::move(parameters);
    console_.flush();
    vgpu::RunOptions options;
    options.limits.warp_instructions = limits_.launch_work;
    options.limits.budget = &budget_;
    options.limits.output_bytes = std::uint64_t{1} << 20;  // CUDA's printf buffer
    options.limits.is_time_over = limits_.is_time_over;
    options.limits.resident_blocks =
        std::uint64_t{program_.gpu.multiprocessors} *
        std::max(1u, blocks_per_multiprocessor(program_.gpu, static_cast<std::uint32_t>(asked.block.count()),
                                               kernel.static_shared_bytes + asked.shared_bytes));
    options.multiprocessors = program_.gpu.multiprocessors;
    vgpu::RunResult result = run_explained(loaded_, launch, options);
    const double seconds = launch_seconds(result.counters, program_.gpu.multiprocessors);
    time_.add(stream, seconds);
    ++run.launch_count;
    if (run.launches.size() < most_launches_kept)
        run.launches.push_back(
            {kernel.display_name, asked.grid, asked.block, launch.dynamic_shared_bytes, call.line(), seconds});
    for (std::size_t at = 0; at + 8 <= launch.parameters.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, launch.parameters.data() + at, sizeof word);
        const int buffer = loaded_.memory.find(word);
        if (buffer >= 0 && loaded_.memory.buffer(buffer).spec.reach == vgpu::Reach::both)
            hold(call, buffer, stream, true);
    }
    take_results(call, std::move(result), launch);
    return success;
}

void Runtime::take_results(Call& call, vgpu::RunResult&& result, const vgpu::Launch& launch) {
    if (!result.output.empty()) {
        if (kernel_output_.empty()) kernel_output_line_ = call.line();
        kernel_output_ += result.output;
    }
    for (vgpu::Finding& finding : result.findings) {
        if (gpu_error_ == success) gpu_error_ = error_of(finding);
        if (finding.kind == vgpu::FindingKind::out_of_bounds && finding.detail == "host") {
            note_host_pointer(call, finding, launch);
            continue;
        }
        const auto known = std::find_if(run.findings.begin(), run.findings.end(), [&](const vgpu::Finding& other) {
            return other.kind == finding.kind && other.place.line == finding.place.line &&
                   other.access == finding.access && other.detail == finding.detail;
        });
        if (known != run.findings.end())
            known->occurrences += finding.occurrences;
        else if (run.findings.size() < 200)
            run.findings.push_back(std::move(finding));
    }
    if (!result.is_complete && gpu_error_ == success) gpu_error_ = launch_failure;
    if (budget_.is_spent() || (limits_.is_time_over != nullptr && limits_.is_time_over->load())) stop(call, 1);
}

void Runtime::note_host_pointer(Call& call, const vgpu::Finding& finding, const vgpu::Launch& launch) {
    Mistake mistake{MistakeKind::host_pointer, finding.place.line, call.line(), "", finding.buffer};
    mistake.is_store = finding.access == vgpu::AccessKind::write;
    mistake.detail = finding.kernel;
    mistake.column = finding.place.column;
    const int buffer = loaded_.memory.find(finding.address);
    mistake.limit = buffer < 0 ? 0 : loaded_.memory.buffer(buffer).spec.bytes;
    (void)launch;
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
    if (call.value<int>(1) != max_dynamic_shared_memory_size) return finish_call(call, success, "cudaFuncSetAttribute");
    const int bytes = call.value<int>(2);
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
