// One warp's instructions between two points that no load crosses, in the order and the width that ptxas gives them.
// Internal to warp_ops.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/warp_ops.hpp"
#include "model/wavefronts.hpp"

namespace warpgrade {

class Region {
public:
    Region(std::vector<MicroOp>& out, std::vector<MemoryAccess>& accesses) : out_(out), accesses_(accesses) {}

    void add(const MicroOp& op, bool is_load, bool is_store, bool is_read_only);
    // A shared load of a word a lane. Loads of neighbouring words become one of 8 or 16 bytes where the first of them
    // is aligned for that in all lanes.
    void add_shared_load(const MicroOp& op, const LaneAccess& access);
    // Global loads and what their addresses come from first, each group in program order.
    void flush();

private:
    struct Flags {
        bool is_load, is_store, is_read_only;
    };
    struct Vector {
        std::size_t op = 0;  // in ops_
        std::uint32_t mask = 0;
        int words = 0, most = 0;
        std::vector<std::uint64_t> first;  // addresses of the first word
    };
    void widen(const Vector& vector);
    std::vector<MicroOp>& out_;
    std::vector<MemoryAccess>& accesses_;
    std::vector<MicroOp> ops_;
    std::vector<Flags> flags_;
    std::vector<Vector> open_;  // that a next word may still come to
};

}  // namespace warpgrade
