// A shape too large to be run, of which a few blocks are: its buffers are there where they are touched, with the
// contents that all of it would run on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "device/limits.hpp"
#include "device/plan.hpp"
#include "run/cases.hpp"

namespace warpgrade {

class PartialRun {
public:
    // Nothing: the PTX does not load.
    static Result<std::optional<PartialRun>> load(const Bench& bench, const std::string& ptx);

    // What the launcher asks for on this shape, with buffers of its own. `most_output_bytes`: of a buffer that is
    // written; where one is larger, or a launch is refused, the plan has no steps. Error: host or kit.
    Result<LaunchPlan> prepare(const Shape& shape, const LaunchLimits& limits, std::uint64_t most_output_bytes);
    // Blocks of one of its launches, by their linear indices.
    vgpu::RunResult run(const vgpu::Launch& launch, const std::vector<std::uint64_t>& blocks,
                        const LaunchLimits& limits);
    // False: it is not inside of a buffer.
    bool set(const PlannedMemset& memset);
    std::span<const std::byte> output();

private:
    PartialRun(const Bench& bench, std::shared_ptr<const vgpu::Program> program)
        : bench_(&bench), program_(std::move(program)) {}

    const Bench* bench_;
    std::shared_ptr<const vgpu::Program> program_;
    std::unique_ptr<vgpu::Memory> memory_;
    std::unique_ptr<vgpu::Session> session_;
    int out_ = -1;  // the output
};

}  // namespace warpgrade
