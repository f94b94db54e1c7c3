// Records what a launcher asks for: the CUDA device runtime's launch calls, and the recorded host calls of the shipped
// cuda_runtime.h (compile/include).
#include "device/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "device/launch_check.hpp"
#include "device/limits.hpp"

namespace warpgrade {

using vgpu::Dim3;
using vgpu::Finding;
using vgpu::FindingKind;

namespace {

// Values of cudaFuncAttribute and cudaDeviceAttr that launchers use.
constexpr int kMaxDynamicSharedMemorySize = 8;

}  // namespace

void Recorder::refuse(int line, const vgpu::Code* kernel, const char* error, const Asked& asked) {
    if (!has_room(line, kernel == nullptr ? "" : kernel->display_name)) return;
    ++refused_;
    // One a line and error: of a loop the first. Whoever has so many lines to mend learns nothing from more.
    constexpr std::size_t most_refusals = 64;
    if (refusals_.size() >= most_refusals && !refusals_.contains({line, error})) return;
    const auto [known, is_new] = refusals_.try_emplace({line, error}, plan.findings.size());
    if (!is_new) {
        ++plan.findings[known->second].occurrences;
        return;
    }
    Finding f;
    f.kind = FindingKind::invalid_launch;
    f.kernel = kernel == nullptr ? "" : kernel->display_name;
    f.place.line = line;
    f.detail = asked.what;
    f.error = error;
    f.block = asked.block;
    f.refusal = asked.refusal;
    f.limit = asked.limit;
    f.buffer_bytes = asked.asked;
    plan.findings.push_back(std::move(f));
}

std::uint64_t Recorder::parameter_buffer(const vgpu::Session::HostCall& call) {
    Pending p;
    p.kernel = kernel_of(value_of<std::uint64_t>(call.arguments, 0));
    p.grid = {value_of<std::uint32_t>(call.arguments, 1, 0), value_of<std::uint32_t>(call.arguments, 1, 4),
              value_of<std::uint32_t>(call.arguments, 1, 8)};
    p.block = {value_of<std::uint32_t>(call.arguments, 2, 0), value_of<std::uint32_t>(call.arguments, 2, 4),
               value_of<std::uint32_t>(call.arguments, 2, 8)};
    p.shared_bytes = value_of<std::uint32_t>(call.arguments, 3);
    const std::uint64_t address = session_.allocate_host(
        p.kernel == nullptr ? 8 : std::max<std::uint32_t>(p.kernel->info.parameter_total_bytes, 8));
    pending_[address] = p;
    return address;
}

int Recorder::launch(const vgpu::Session::HostCall& call) {
    const std::uint64_t address = value_of<std::uint64_t>(call.arguments, 0);
    const auto found = pending_.find(address);
    if (found == pending_.end()) return kInvalidValue;
    const Pending p = found->second;
    pending_.erase(found);
    const int line = call.line;
    // The default stream, and the two names that it has: cudaStreamLegacy, cudaStreamPerThread. No other is ever made.
    if (const auto stream = value_of<std::uint64_t>(call.arguments, 1); stream > 2) {
        refuse(line, p.kernel, "cudaErrorInvalidResourceHandle",
               {vgpu::Refusal::other, 0, 0, fmt::format("its stream is {:#x}, and no stream was made", stream)});
        return kInvalidResourceHandle;
    }
    if (p.kernel == nullptr) {
        refuse(line, nullptr, "cudaErrorInvalidDeviceFunction",
               {vgpu::Refusal::other, 0, 0, "what is launched is not a kernel"});
        return kInvalidDeviceFunction;
    }
    const auto opt_in = opted_in_.find(p.kernel);
    const AskedLaunch launch{p.grid,
                             p.block,
                             p.shared_bytes,
                             opt_in == opted_in_.end() ? 0 : opt_in->second,
                             std::exchange(cluster_, {0, 0, 0}),
                             false};
    if (const auto refused = why_refused(limits_, *p.kernel, launch)) {
        refuse(line, p.kernel, refused->error_name,
               {refused->refusal, refused->asked, refused->limit, refused->what, p.block});
        return refused->error;
    }
    if (!has_room(line, p.kernel->display_name)) return kInvalidValue;
    PlannedLaunch planned;
    planned.display_name = p.kernel->display_name;
    planned.line = line;
    planned.launch.kernel = p.kernel->name;
    planned.launch.grid = p.grid;
    planned.launch.block = p.block;
    planned.launch.cluster = launch.cluster;
    planned.launch.dynamic_shared_bytes = p.shared_bytes;
    const auto bytes = session_.host_bytes(address);
    planned.launch.parameters.assign(
        bytes.begin(),
        bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                            bytes.size(), std::max<std::uint32_t>(p.kernel->info.parameter_total_bytes, 0))));
    for (std::size_t i = 0; i < p.kernel->info.parameter_bytes.size(); ++i) {
        const auto at = static_cast<std::size_t>(p.kernel->info.parameter_offsets[i]);
        if (p.kernel->info.parameter_bytes[i] == 1 && at < planned.launch.parameters.size())
            planned.flags.push_back(planned.launch.parameters[at]);
    }
    look_for_freed(planned, p.kernel->info);
    plan.steps.emplace_back(std::move(planned));
    return kSuccess;
}

void Recorder::set_cluster(const vgpu::Session::HostCall& call) {
    cluster_ = {value_of<std::uint32_t>(call.arguments, 0), value_of<std::uint32_t>(call.arguments, 1),
                value_of<std::uint32_t>(call.arguments, 2)};
}

void Recorder::note_misuse(int line, vgpu::FindingReason reason, int of_line) {
    Finding f;
    f.kind = FindingKind::invalid_call;
    f.reason = reason;
    f.place.line = line;
    f.value = static_cast<std::uint64_t>(of_line);
    plan.findings.push_back(std::move(f));
}

// A pointer to what was freed, among the parameters.
void Recorder::look_for_freed(const PlannedLaunch& planned, const vgpu::KernelInfo& kernel) {
    const std::vector<std::byte>& parameters = planned.launch.parameters;
    for (std::size_t i = 0; i < kernel.parameter_bytes.size(); ++i) {
        const auto at = static_cast<std::size_t>(kernel.parameter_offsets[i]);
        std::uint64_t word = 0;
        if (kernel.parameter_bytes[i] != sizeof word || at + sizeof word > parameters.size()) continue;
        std::memcpy(&word, parameters.data() + at, sizeof word);
        for (const Temporary& one : plan.temporaries)
            if (one.is_freed && word >= one.address && word - one.address < one.bytes)
                note_misuse(planned.line, vgpu::FindingReason::passed_freed, one.line);
    }
}

int Recorder::set_attribute(const vgpu::Session::HostCall& call) {
    const vgpu::Code* kernel = kernel_of(value_of<std::uint64_t>(call.arguments, 0));
    if (kernel == nullptr) return kInvalidDeviceFunction;
    if (value_of<int>(call.arguments, 1) != kMaxDynamicSharedMemorySize) return kSuccess;
    const int bytes = value_of<int>(call.arguments, 2);
    const std::int64_t limit =
        static_cast<std::int64_t>(limits_.shared_bytes_per_block_optin) - kernel->static_shared_bytes;
    if (bytes < 0 || bytes > limit) {
        refuse(call.line, kernel, "cudaErrorInvalidValue",
               {vgpu::Refusal::other, static_cast<std::uint64_t>(std::max(bytes, 0)),
                static_cast<std::uint64_t>(std::max<std::int64_t>(limit, 0)),
                "cudaFuncAttributeMaxDynamicSharedMemorySize is " + std::to_string(bytes) + ", the limit is " +
                    std::to_string(limit)});
        return kInvalidValue;
    }
    opted_in_[kernel] = static_cast<std::uint32_t>(bytes);
    return kSuccess;
}

bool Recorder::has_room(int line, const std::string& what) {
    if (is_over_limit_) return false;
    if (plan.steps.size() + plan.temporaries.size() + refused_ < limits_.max_launches) return true;
    Finding f;
    f.kind = FindingKind::timeout;
    f.kernel = what;
    f.place.line = line;
    f.reason = vgpu::FindingReason::launches;
    f.limit = limits_.max_launches;
    plan.findings.push_back(std::move(f));
    is_over_limit_ = true;
    return false;
}

vgpu::Session::HostReply Recorder::call(const vgpu::Session::HostCall& call) {
    vgpu::Session::HostReply reply;
    if (call.name == "__cudaCDP2GetParameterBufferV2") {
        reply.result = bytes_of(parameter_buffer(call));
    } else if (call.name == "__cudaCDP2LaunchDeviceV2") {
        reply.result = error_reply(launch(call));
        reply.stop = is_over_limit_;
    } else if (call.name == "__warpgrade_set_cluster") {
        set_cluster(call);
    } else if (call.name == "__warpgrade_memset") {
        reply.result = error_reply(memset(call));
        reply.stop = is_over_limit_;
    } else if (call.name == "__warpgrade_malloc") {
        reply.result = error_reply(malloc(call, reply));
        reply.stop |= is_over_limit_;
    } else if (call.name == "__warpgrade_free") {
        reply.result = error_reply(free(call));
    } else if (call.name == "__warpgrade_func_set_attribute") {
        reply.result = error_reply(set_attribute(call));
        reply.stop = is_over_limit_;
    } else if (call.name == "__warpgrade_get_last_error") {
        reply.result = bytes_of(last_error_);
        last_error_ = kSuccess;
    } else if (call.name == "__warpgrade_peek_last_error") {
        reply.result = bytes_of(last_error_);
    } else if (call.name == "__warpgrade_device_synchronize") {
        reply.result = bytes_of(int{kSuccess});
    } else if (call.name == "__warpgrade_get_attribute") {
        reply.result = error_reply(get_attribute(call, reply));
    } else if (call.name == "__warpgrade_symbol_address") {
        reply.result = error_reply(get_symbol_address(call, reply));
    } else if (call.name == "__warpgrade_parameter") {
        reply.result = bytes_of(get_parameter(call, reply));
    } else if (call.name == "__warpgrade_occupancy") {
        reply.result = error_reply(get_occupancy(call, reply));
    } else if (call.name == "__warpgrade_host_copy" || call.name == "malloc" || call.name == "free") {
        Finding f;
        f.kind = FindingKind::invalid_call;
        f.place.line = call.line;
        f.detail = call.name == "malloc" || call.name == "free"
                       ? fmt::format("{}() in the launcher", call.name)
                       : "cudaMemcpy between the host and the GPU in the launcher";
        plan.findings.push_back(std::move(f));
        reply.stop = true;
    } else {
        Finding f;
        f.kind = FindingKind::unsupported;
        f.place.line = call.line;
        f.detail = call.name == "__warpgrade_cooperative_launch"
                       ? "a cooperative launch"
                       : "a call of " + vgpu::display_name(std::string(call.name)) + " in the launcher";
        plan.findings.push_back(std::move(f));
        reply.stop = true;
    }
    return reply;
}

Result<LaunchPlan> record_plan(vgpu::Session& session, const vgpu::Program& program, const std::string& launcher,
                               std::span<const std::vector<std::byte>> arguments, const LaunchLimits& limits,
                               const vgpu::Limits& budget, const VariablePlace& place_of, const MemoryPlace& memory) {
    Recorder recorder(session, program, limits, place_of, memory);
    const vgpu::RunResult run = session.run_host(
        launcher, arguments, [&](const vgpu::Session::HostCall& call) { return recorder.call(call); }, budget);
    if (!recorder.status) return recorder.status.error();
    for (const Finding& f : run.findings) {
        Finding copy = f;
        if (copy.kind == FindingKind::out_of_bounds) copy.kind = FindingKind::host_dereference;
        recorder.plan.findings.push_back(std::move(copy));
    }
    recorder.plan.output = run.output;
    recorder.plan.way = run.way;
    recorder.plan.instructions = run.counters.warp_instructions;
    return std::move(recorder.plan);
}

}  // namespace warpgrade
