// Memory that a launcher asks for, and what it asks of the device.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "device/launch_check.hpp"
#include "device/limits.hpp"
#include "device/recorder.hpp"

namespace warpgrade {

int Recorder::malloc(const vgpu::Session::HostCall& call, vgpu::Session::HostReply& reply) {
    constexpr std::uint64_t of_any_card = std::uint64_t{1} << 38, first = std::uint64_t{1} << 42;
    const auto bytes = value_of<std::uint64_t>(call.arguments, 1);
    std::uint64_t address = 0;
    if (bytes > of_any_card) return kMemoryAllocation;
    if (!has_room(call.line, "cudaMalloc")) return kMemoryAllocation;
    if (bytes > 0 && memory_) {
        const auto place = memory_(bytes, call.line);
        reply.stop = !place;
        if (!place) status = place.error();
        address = place ? *place : 0;
    } else if (bytes > 0) {
        address = first + plan.temporaries.size() * 2 * of_any_card;
    }
    if (address != 0) plan.temporaries.push_back({address, bytes, call.line});
    reply.writes.push_back({value_of<std::uint64_t>(call.arguments, 0), bytes_of(address)});
    return kSuccess;
}

int Recorder::free(const vgpu::Session::HostCall& call) {
    const auto address = value_of<std::uint64_t>(call.arguments, 0);
    if (address == 0) return kSuccess;
    for (Temporary& one : plan.temporaries) {
        if (one.address != address || one.is_freed) continue;
        one.is_freed = true;
        return kSuccess;
    }
    note_misuse(call.line, vgpu::FindingReason::cuda_free_unknown);
    return kInvalidValue;
}

int Recorder::memset(const vgpu::Session::HostCall& call) {
    if (!has_room(call.line, "cudaMemset")) return kInvalidValue;
    PlannedMemset m;
    m.address = value_of<std::uint64_t>(call.arguments, 0);
    m.value = value_of<int>(call.arguments, 1);
    m.bytes = value_of<std::uint64_t>(call.arguments, 2);
    m.line = call.line;
    plan.steps.emplace_back(m);
    return kSuccess;
}

int Recorder::get_attribute(const vgpu::Session::HostCall& call, vgpu::Session::HostReply& reply) const {
    const std::optional<int> value = device_attribute(limits_, value_of<int>(call.arguments, 1));
    if (!value) return kInvalidValue;
    reply.writes.push_back({value_of<std::uint64_t>(call.arguments, 0), bytes_of(*value)});
    return kSuccess;
}

int Recorder::get_symbol_address(const vgpu::Session::HostCall& call, vgpu::Session::HostReply& reply) {
    std::uint64_t address = value_of<std::uint64_t>(call.arguments, 1);
    const std::string* variable = session_.variable_at(address);
    if (variable == nullptr) return kInvalidSymbol;
    if (place_of_) {
        const auto place = place_of_(*variable);
        reply.stop = !place;
        status = place ? Status(Nothing{}) : Status(place.error());
        address = place ? *place : 0;
    }
    plan.symbols.push_back(address);
    reply.writes.push_back({value_of<std::uint64_t>(call.arguments, 0), bytes_of(address)});
    return kSuccess;
}

int Recorder::get_occupancy(const vgpu::Session::HostCall& call, vgpu::Session::HostReply& reply) const {
    const vgpu::Code* kernel = kernel_of(value_of<std::uint64_t>(call.arguments, 1));
    const int threads = value_of<int>(call.arguments, 2);
    if (kernel == nullptr) return kInvalidDeviceFunction;
    if (threads <= 0) return kInvalidValue;
    const std::uint64_t dynamic = std::min(value_of<std::uint64_t>(call.arguments, 3), std::uint64_t{1} << 32);
    const std::uint64_t shared = dynamic + kernel->static_shared_bytes;
    const bool is_too_wide =
        kernel->info.max_threads > 0 && static_cast<std::uint32_t>(threads) > kernel->info.max_threads;
    const int blocks =
        is_too_wide ? 0
                    : static_cast<int>(blocks_per_multiprocessor(limits_, static_cast<std::uint32_t>(threads), shared));
    reply.writes.push_back({value_of<std::uint64_t>(call.arguments, 0), bytes_of(blocks)});
    return kSuccess;
}

int Recorder::get_parameter(const vgpu::Session::HostCall& call, vgpu::Session::HostReply& reply) const {
    const vgpu::Code* kernel = kernel_of(value_of<std::uint64_t>(call.arguments, 0));
    const auto index = value_of<std::uint32_t>(call.arguments, 1);
    if (kernel == nullptr || index >= kernel->info.parameter_bytes.size()) return 0;
    reply.writes.push_back(
        {value_of<std::uint64_t>(call.arguments, 2), bytes_of(kernel->info.parameter_offsets[index])});
    return kernel->info.parameter_bytes[index];
}

}  // namespace warpgrade
