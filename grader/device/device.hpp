// Where kernels run: the virtual GPU or a real one. A Device owns buffers and replays launch plans on them.
//
// Theory of operation. The grader allocates buffers, fills the inputs, asks for the submission's plan and replays it;
// nothing of the submission's ever runs on the host CPU (grader/SECURITY.md). Hazards are always looked for on the
// virtual device; a real one times.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "device/plan.hpp"
#include "ptx/module.hpp"
#include "vgpu/needed.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

struct DeviceInfo {
    std::string kind;  // "virtual" | "cuda"
    std::string name;  // "Virtual GPU", "NVIDIA H200"
    std::uint64_t free_bytes = 0;
    LaunchLimits limits;
};

// Who stored last to an address, of all that a run did.
struct LastStore {
    std::string kernel;       // "": cudaMemset, in the launcher
    vgpu::ThreadPlace place;  // of cudaMemset: its line
};

struct DeviceRun {
    LaunchPlan plan;
    vgpu::RunResult result;  // findings of plan and launches, counters summed over all launches, by_line, output
    std::vector<std::uint64_t> longest_blocks;  // RunResult's, of each launch that ran; empty = unknown
    std::vector<std::size_t> trace_ends;        // how many accesses RunResult's trace has after each launch that ran
    struct Printed {
        std::size_t launch = 0;  // of the plan's launches
        std::string text;
    };
    std::vector<Printed> printed;  // what kernels printed, by launch
    bool is_valid = false;         // the plan was replayed to the end: outputs may be compared
    // A real GPU says neither where nor why: "CUDA_ERROR_ILLEGAL_ADDRESS: ...", or what happened to a red zone.
    std::string device_error;
    bool is_device_timeout = false;
    std::function<std::optional<LastStore>(std::uint64_t)> last_store;  // null: not known
    std::optional<vgpu::Needed> needed;  // by RunOptions::outputs, of a valid run; nothing: that is not known
};

// A compiled submission on a device. Buffers belong to it.
class DeviceProgram {
public:
    virtual ~DeviceProgram() = default;
    virtual Result<int> allocate(const vgpu::BufferSpec& spec) = 0;
    // Another one of the same submission, with memory of its own; null where that would cost more than it is worth.
    virtual std::unique_ptr<DeviceProgram> another() const { return nullptr; }
    // And with `other` in place of each immediate operand `number`; null where only a new load() can do that.
    virtual std::unique_ptr<DeviceProgram> with_number(std::uint64_t /*number*/, std::uint64_t /*other*/) const {
        return nullptr;
    }
    // Frees every buffer and sets the submission's __device__ variables back: the next run is as if in a new process.
    // Between runs on the same buffers they keep their values, as they would on a GPU.
    virtual void release_all() = 0;
    virtual std::uint64_t address(int buffer) const = 0;
    // Host-visible contents. Virtual: the memory itself. Real: a copy, see upload/download.
    virtual std::span<std::byte> bytes(int buffer) = 0;
    virtual Status upload(int buffer) = 0;  // no-op on the virtual device
    virtual Status download(int buffer) = 0;
    virtual void poison(int buffer, std::uint32_t pattern) = 0;
    virtual bool is_written(int buffer, std::uint64_t first, std::uint64_t count) const = 0;
    // vgpu::most_live_registers of the kernel that keeps most; 0 where that is not known.
    virtual std::uint32_t most_live_registers() const { return 0; }
    // vgpu::lines_that_draw; only of an optimised program they say anything.
    virtual std::set<int> lines_that_draw() const { return {}; }
    // How to ask it (LaunchLimits::registers_of): launches that need more are then refused, as CUDA refuses them.
    virtual void set_registers_of(std::function<int(const std::string& kernel)>) {}
    // Interprets the launcher alone.
    virtual Result<LaunchPlan> plan(const std::string& launcher, std::span<const std::vector<std::byte>> arguments,
                                    const vgpu::Limits& limits) = 0;
    // Interprets the launcher and replays its plan once.
    virtual Result<DeviceRun> run(const std::string& launcher, std::span<const std::vector<std::byte>> arguments,
                                  const vgpu::RunOptions& options) = 0;
    // __device__ variables that do not hold what they begin with, by their names in the PTX, where that is known; and
    // to set one back.
    struct Variable {
        std::string name, display_name;
        std::uint64_t address = 0;
    };
    virtual std::vector<Variable> changed_variables() { return {}; }
    virtual void set_back(const Variable&) {}
};

class Device {
public:
    virtual ~Device() = default;
    virtual DeviceInfo info() const = 0;
    virtual Result<std::unique_ptr<DeviceProgram>> load(std::string_view ptx, std::string_view source_file) = 0;
};

std::unique_ptr<Device> make_virtual_device(const LaunchLimits& limits = {});

// The functions a submission defines, to find its launcher by: mangled and demangled ("transpose(float const*, float*,
// int, int)").
struct FunctionName {
    std::string mangled;
    std::string demangled;
    bool is_kernel = false;
};
Result<std::vector<FunctionName>> function_names(std::string_view ptx);

}  // namespace warpgrade
