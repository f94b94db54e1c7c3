// The launch plan: what a submission's launcher asked CUDA to do, recorded by interpreting it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "device/limits.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

struct PlannedMemset {
    std::uint64_t address = 0;
    int value = 0;
    std::uint64_t bytes = 0;
    int line = 0;
};

struct PlannedLaunch {
    vgpu::Launch launch;
    std::string display_name;
    int line = 0;                  // of the <<< >>>
    std::vector<std::byte> flags;  // parameters of one byte, in order
};

// Memory of the GPU that the launcher asks for with cudaMalloc.
struct Temporary {
    std::uint64_t address = 0, bytes = 0;
    int line = 0;
    bool is_freed = false;
};

using PlannedStep = std::variant<PlannedLaunch, PlannedMemset>;

struct LaunchPlan {
    std::vector<PlannedStep> steps;
    std::vector<vgpu::Finding> findings;  // invalid_launch, host_dereference, timeout ...: empty = the plan is good
    std::string output;                   // what the launcher printed
    std::vector<std::uint32_t> way;      // the pieces of the launcher's code that ran, ascending (vgpu::RunResult::way)
    std::uint64_t instructions = 0;      // of the launcher
    std::vector<std::uint64_t> symbols;  // addresses of variables that it asked for: cudaGetSymbolAddress
    std::vector<Temporary> temporaries;
};

// Where a __device__ variable is, by its name in the PTX. Null: where the session has it.
using VariablePlace = std::function<Result<std::uint64_t>(const std::string& name)>;
// Memory that the plan's steps use until the next plan. Null: addresses where nothing is, for a plan that is not
// replayed.
using MemoryPlace = std::function<Result<std::uint64_t>(std::uint64_t bytes, int line)>;

// Interprets `launcher` (a mangled function name) with the given argument bytes. A launch CUDA would refuse becomes an
// invalid_launch finding with CUDA's error name and the limit, and the launcher is told cudaErrorInvalidValue etc.
// as CUDA would (cudaGetLastError returns it); it goes on. Error: a kit defect or not supported.
Result<LaunchPlan> record_plan(vgpu::Session& session, const vgpu::Program& program, const std::string& launcher,
                               std::span<const std::vector<std::byte>> arguments, const LaunchLimits& limits,
                               const vgpu::Limits& budget, const VariablePlace& place_of = nullptr,
                               const MemoryPlace& memory = nullptr);

}  // namespace warpgrade
