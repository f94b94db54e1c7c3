// A program on the virtual GPU of which only sampled blocks run: large shapes in milliseconds.
//
// Theory of operation. Buffers are address space until something touches them: they hold what their contents say
// (vgpu/memory.hpp), or zeros. A time is that of the blocks which choose_blocks takes, always the same ones. Whoever
// asks with a seed gets other blocks beside them, which no program can know: where these do other work than those, the
// time is taken from them, and what all of them load and store tells how much of the buffers the whole plan touches.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/plan.hpp"
#include "model/neighbours.hpp"
#include "model/occupancy.hpp"
#include "model/warp_ops.hpp"

namespace warpgrade {

// One launch of a plan: what one multiprocessor does of it.
struct SampledLaunch {
    std::string kernel;  // display name
    int line = 0;
    std::uint64_t blocks = 0;  // of the grid
    KernelResources resources;
    Occupancy occupancy;
    WorkSample work;
    Neighbours neighbours;
    std::vector<std::uint64_t> work_counters;  // addresses of counters that its blocks draw from in loops
    bool may_draw = true;                      // false: what looked like such counters were none
    bool lanes_draw = false;  // several lanes of a warp at a time: a card makes that one draw, the model not
    WorkSample last;          // the block that draws the last ticket, if there is one that does more than others
    std::vector<AddressRange> buffers;
    std::vector<bool> written_before;  // by buffer: an earlier launch of the plan wrote it
    bool is_complete = true;           // false: the blocks did not end within the budget
};

struct SampledPlan {
    std::vector<SampledLaunch> launches;  // in order
    std::vector<vgpu::Finding> findings;  // of the launcher: then there are no launches; of the blocks that ran
    // With a seed, of all blocks of all launches, as those that ran tell. Bytes count once, however often they move.
    double loaded_bytes = 0;  // of the first buffer
    double stored_bytes = 0;  // in the last one
    bool passes_on = false;   // a launch may read what another one left in memory of cudaMalloc
    bool knows_all = true;    // false: many launches, the first of which were looked at
    bool has_bulk = false;    // some moved by cp.async.bulk, which leaves no trace: the model has no time for it, and
                              // the loads count as often as they move
    bool is_even = true;      // all blocks that ran took as many instructions as the others of their launch
    bool others_end = true;   // the blocks of the seed's choice came to their ends
    vgpu::ProfileByKernel profile;
    vgpu::Repeated repeated;  // of the program that the profile is of
    // By kernel, which of its sites in the profile load from the first buffer, or from the last where that is as long.
    std::map<std::string, std::set<std::size_t>> sites_of_data;
};

class SampledProgram {
public:
    static Result<std::unique_ptr<SampledProgram>> load(std::string_view ptx, std::string_view source_file,
                                                        const LaunchLimits& limits);
    ~SampledProgram();

    // The buffers of the next `sample`, in place of any before: their device addresses. Without contents they hold
    // zeros.
    Result<std::vector<std::uint64_t>> allocate(std::span<const vgpu::BufferSpec> buffers);

    // `registers`: of each kernel by mangled name, from machine code; a kernel that is not in it counts as having few.
    // `budget`: what it may take; null: any amount. Error: host or kit.
    Result<SampledPlan> sample(const std::string& launcher, std::span<const std::vector<std::byte>> arguments,
                               const std::map<std::string, int>& registers, const ModelParameters& gpu,
                               std::optional<std::uint64_t> seed = std::nullopt, vgpu::Budget* budget = nullptr);

    // True if what blocks have stored in the last buffer is what it has to hold there. Of much, parts are looked at.
    bool has_stored(const std::function<void(std::uint64_t first, std::span<std::byte>)>& expected) const;

private:
    SampledProgram();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace warpgrade
