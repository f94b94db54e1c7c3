// What memory held before a launch, for the launch to be run once more as if for the first time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vgpu/memory.hpp"

namespace warpgrade {

class KeptState {
public:
    // Of all that kernels may change, as far as it is there. Nothing: it is more than is worth a copy.
    static std::optional<KeptState> of(const vgpu::Memory& memory);
    // Which bytes count as written stays as it is now.
    void restore(vgpu::Memory& memory) const;

private:
    struct Kept {
        int buffer = 0;
        std::vector<std::uint32_t> pieces;  // that were there, of a buffer with contents; of another all of it is kept
        std::vector<std::byte> bytes;
    };
    std::vector<Kept> all_;
};

}  // namespace warpgrade
