// A program on the virtual GPU of which only sampled blocks run: large shapes in milliseconds.
//
// Buffers are address space until something touches them, and hold zeros: a kernel whose path depends on its data takes
// the path of zeros.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/plan.hpp"
#include "model/occupancy.hpp"
#include "model/warp_ops.hpp"

namespace warpgrade {

// Where blocks meet in memory: of a few blocks, and of those next to them in the grid.
struct Neighbours {
    double loads_continue = 0;    // share of the runs of bytes read that the next block goes on with
    double stores_continue = 0;   // and of the runs of bytes written
    double completed_beside = 0;  // share of the open sectors that the block before or behind it completes
    // And those that a block further away completes: a row of the grid, or of the matrix where the grid has one row.
    struct Apart {
        double share = 0;
        double bytes = 0;  // that the blocks between the two move
    };
    std::vector<Apart> completed_apart;  // the nearest first
};

// One launch of a plan: what one multiprocessor does of it.
struct SampledLaunch {
    std::string kernel;  // display name
    int line = 0;
    std::uint64_t blocks = 0;  // of the grid
    KernelResources resources;
    Occupancy occupancy;
    WorkSample work;
    Neighbours neighbours;
    std::vector<AddressRange> buffers;
    std::vector<bool> written_before;  // by buffer: an earlier launch of the plan wrote it
    bool is_complete = true;           // false: the blocks did not end within the budget
};

class SampledProgram {
public:
    static Result<std::unique_ptr<SampledProgram>> load(std::string_view ptx, std::string_view source_file,
                                                        const LaunchLimits& limits);
    ~SampledProgram();

    // The buffers of the next `sample`, in place of any before: their device addresses.
    Result<std::vector<std::uint64_t>> allocate(std::span<const vgpu::BufferSpec> buffers);

    // The launches of the plan, in order. `registers`: of each kernel by mangled name, from machine code; a kernel that
    // is not in it counts as having few. Error: the plan is not good, or the host or the kit failed.
    Result<std::vector<SampledLaunch>> sample(const std::string& launcher,
                                              std::span<const std::vector<std::byte>> arguments,
                                              const std::map<std::string, int>& registers, const ModelParameters& gpu);

private:
    SampledProgram();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace warpgrade
