#include "model/work_counters.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace warpgrade {

std::vector<std::uint64_t> work_counters_of(const std::vector<vgpu::BlockTrace>& blocks,
                                            const std::vector<vgpu::SegmentOps>& segments) {
    std::unordered_set<std::uint32_t> atomics;  // sites
    for (const vgpu::SegmentOps& segment : segments)
        for (const vgpu::StaticOp& op : segment.ops)
            if (op.kind == vgpu::OpClass::atomic && op.space != ptx::Space::shared) atomics.insert(op.site);
    std::map<std::uint64_t, std::size_t> changes;
    for (const vgpu::BlockTrace& block : blocks)
        for (const vgpu::WarpTrace& warp : block.warps)
            for (const vgpu::TracedAccess& access : warp.accesses)
                if (atomics.contains(access.site) && access.width_bytes == 4 && __builtin_popcount(access.mask) == 1)
                    ++changes[block.addresses[access.first_address]];
    std::vector<std::uint64_t> work_counters;
    for (const auto& [address, times] : changes)
        if (times == blocks.size()) work_counters.push_back(address);
    return work_counters;
}

bool do_lanes_draw(const std::vector<vgpu::BlockTrace>& blocks, const std::vector<std::uint64_t>& work_counters) {
    for (const vgpu::BlockTrace& block : blocks)
        for (const vgpu::WarpTrace& warp : block.warps)
            for (const vgpu::TracedAccess& access : warp.accesses)
                if (__builtin_popcount(access.mask) > 1 &&
                    std::find(work_counters.begin(), work_counters.end(), block.addresses[access.first_address]) !=
                        work_counters.end())
                    return true;
    return false;
}

}  // namespace warpgrade
