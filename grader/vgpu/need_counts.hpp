// What a slice counts: requests of which something is needed, whole and by the lanes that are (needed.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "vgpu/exec.hpp"
#include "vgpu/need_memory.hpp"
#include "vgpu/needed.hpp"

namespace warpgrade::vgpu {

class Program;

class NeedCounts {
public:
    explicit NeedCounts(const Program& program);
    // `lanes`: those of the access that are needed.
    void add(const NeedAccess& access, const NeedLanes& at, std::uint32_t lanes);
    void add_barrier(int site, std::uint64_t warps, bool is_needed);
    // is_shared_used: a thread loads from shared memory what another one stored.
    void summarise(bool is_shared_used, Needed& needed);

private:
    void note_unneeded(const Site& site, std::uint64_t all, std::uint64_t needed);

    const Program& program_;
    std::vector<SiteCount> whole_, exact_, all_;  // by site
    std::map<std::pair<int, NeedKind>, UnneededLine> unneeded_;
};

}  // namespace warpgrade::vgpu
