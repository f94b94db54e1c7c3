// The plan of a launcher while it runs: one function for each host call that is recorded.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device/plan.hpp"
#include "vgpu/code.hpp"

namespace warpgrade {

// Values of cudaError_t (driver_types.h).
enum CudaError : int {
    kSuccess = 0,
    kInvalidValue = 1,
    kMemoryAllocation = 2,
    kInvalidSymbol = 13,
    kInvalidDeviceFunction = 98,
    kInvalidResourceHandle = 400
};
template <class T>
T value_of(const std::vector<std::vector<std::byte>>& arguments, std::size_t index, std::size_t offset = 0) {
    T value{};
    if (index < arguments.size() && arguments[index].size() >= offset + sizeof(T))
        std::memcpy(&value, arguments[index].data() + offset, sizeof(T));
    return value;
}
template <class T>
std::vector<std::byte> bytes_of(T value) {
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

class Recorder {
public:
    Recorder(vgpu::Session& session, const vgpu::Program& program, const LaunchLimits& limits,
             const VariablePlace& place_of, const MemoryPlace& memory)
        : session_(session), program_(program), limits_(limits), place_of_(place_of), memory_(memory) {}

    vgpu::Session::HostReply call(const vgpu::Session::HostCall& call);
    LaunchPlan plan;
    Status status = Nothing{};  // of what the device was asked for on the way

private:
    struct Pending {
        const vgpu::Code* kernel = nullptr;
        vgpu::Dim3 grid, block;
        std::uint32_t shared_bytes = 0;
    };
    std::uint64_t parameter_buffer(const vgpu::Session::HostCall& call);
    int launch(const vgpu::Session::HostCall& call);
    void set_cluster(const vgpu::Session::HostCall& call);
    int set_attribute(const vgpu::Session::HostCall& call);
    int memset(const vgpu::Session::HostCall& call);
    // False, with a finding, once the launcher has asked for more than anybody would.
    bool has_room(int line, const std::string& what);
    int malloc(const vgpu::Session::HostCall& call, vgpu::Session::HostReply& reply);
    int free(const vgpu::Session::HostCall& call);
    void look_for_freed(const PlannedLaunch& launch, const vgpu::KernelInfo& kernel);
    void note_misuse(int line, vgpu::FindingReason reason, int of_line = 0);
    int get_attribute(const vgpu::Session::HostCall& call, vgpu::Session::HostReply& reply) const;
    int get_symbol_address(const vgpu::Session::HostCall& call, vgpu::Session::HostReply& reply);
    int get_occupancy(const vgpu::Session::HostCall& call, vgpu::Session::HostReply& reply) const;
    int get_parameter(const vgpu::Session::HostCall& call, vgpu::Session::HostReply& reply) const;
    struct Asked {
        vgpu::Refusal refusal = vgpu::Refusal::other;
        std::uint64_t asked = 0, limit = 0;
        std::string what;  // in words: "gridDim.x is 0"
        vgpu::Dim3 block{0, 0, 0};
    };
    void refuse(int line, const vgpu::Code* kernel, const char* error, const Asked& asked);
    std::vector<std::byte> error_reply(int error) {
        if (error != kSuccess) last_error_ = error;
        return bytes_of(error);
    }
    const vgpu::Code* kernel_of(std::uint64_t pointer) const {
        const int function = vgpu::function_at(program_, pointer);
        if (function < 0) return nullptr;
        const vgpu::Code& code = program_.functions[static_cast<std::size_t>(function)];
        return code.is_kernel ? &code : nullptr;
    }

    vgpu::Session& session_;
    const vgpu::Program& program_;
    LaunchLimits limits_;
    const VariablePlace& place_of_;
    const MemoryPlace& memory_;
    std::map<std::uint64_t, Pending> pending_;             // by parameter buffer
    vgpu::Dim3 cluster_{0, 0, 0};                          // of the next launch
    std::map<const vgpu::Code*, std::uint32_t> opted_in_;  // cudaFuncSetAttribute
    int last_error_ = kSuccess;
    std::map<std::pair<int, std::string>, std::size_t> refusals_;  // by line and error: which finding
    std::size_t refused_ = 0;
    bool is_over_limit_ = false;
};

}  // namespace warpgrade
