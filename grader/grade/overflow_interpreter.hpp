// One thread of a kernel, followed without memory: where whole numbers of 32 bits do not hold what is computed in them.
//
// Theory of operation. A sum or a product that 32 bits cannot hold shows in no run of a small shape, and a large one is
// not worth its memory. So one thread far out in a large grid is followed through the PTX of the compilation without
// optimisation, where arithmetic stands as in the source. Each number is carried twice, as the bits that the GPU has
// and as it would be without a limit. They part at an overflow; that is a mistake once they decide an address inside of
// a buffer, or a comparison, differently. What comes out of memory is not known, and ends the walk where a branch
// depends on it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ptx/module.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

struct MemoryRange {
    std::uint64_t first = 0, bytes = 0;
};

struct Overflow {
    const ptx::Function* function = nullptr;  // with `location`: where the number outgrew 32 bits
    int location = -1;
    std::int64_t exact = 0, found = 0;  // there
};

// Of thread 0 of that block, in the order in which they come to matter, one for each place; for at most so many
// instructions, which are taken off `steps`.
std::vector<Overflow> find_overflows(const ptx::Module& module, const vgpu::Launch& launch, vgpu::Dim3 block,
                                     std::span<const MemoryRange> buffers, std::uint64_t& steps);

// The same of a launcher, called with these arguments: numbers that outgrew 32 bits and decide a branch, or go into a
// grid, a parameter of a kernel or the bytes of a cudaMemset.
std::vector<Overflow> find_launcher_overflows(const ptx::Module& module, const std::string& launcher,
                                              std::span<const std::vector<std::byte>> arguments, std::uint64_t& steps);

}  // namespace warpgrade
