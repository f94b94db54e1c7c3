// What `explain` shows: each line's memory traffic beside its source, then pictures of what the first warp touches.
#pragma once

#include <string>
#include <vector>

#include "cli/render.hpp"
#include "course/assignment.hpp"
#include "grade/stage_grader.hpp"

namespace warpgrade::cli {

// One kind of access by one source line, summed over all warps of all launches.
struct Traffic {
    int line = 0;
    std::string access;  // "global load"
    std::string unit;    // "sector" | "wavefront"; empty: requests only
    std::uint64_t requests = 0;
    std::uint64_t units = 0;
    std::uint64_t units_ideal = 0;  // 0 = no ideal is defined
    double share = 0;               // of all units of this name
};
std::vector<Traffic> traffic_by_line(const std::vector<vgpu::LineCounters>& by_line);

// `line`: only this source line; 0 = all. Both end in a line break, or are empty.
std::string render_traffic(const std::vector<Traffic>& traffic, const std::vector<std::string>& source, int line,
                           const RenderStyle& style);
// `launch_ends`: how many of the accesses there are after each launch; empty: all are of one.
std::string render_pictures(const std::vector<vgpu::Access>& trace, const std::vector<std::string>& source, int line,
                            const RenderStyle& style, const std::vector<std::size_t>& launch_ends = {});

// One access of one warp. Global memory: the 32-byte sectors as cells of eight signs, 4 bytes each. Shared memory: the
// 32 banks with the number of different words each has to give. Ends with a sentence that says what it means.
std::string render_access(const vgpu::Access& access, const RenderStyle& style);

// "0-7", "0,4..28", "5 lanes"
std::string lanes_text(std::uint32_t mask);

}  // namespace warpgrade::cli
