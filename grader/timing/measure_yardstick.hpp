// What a bandwidth is held against: kernels of ours that move the same bytes with nothing else to do. Internal to
// grade/.
#pragma once

#include <cstdint>
#include <string_view>

#include "problem/problem.hpp"

namespace warpgrade {

// CUDA C++ with the kernels of the calls below.
std::string_view yardstick_source();

// Copies with a float4 a thread.
KernelCall copy_call(std::uint64_t from, std::uint64_t to, std::uint64_t bytes);
// Reads with four float4s a thread, and writes nothing.
KernelCall read_call(std::uint64_t from, std::uint64_t bytes, std::uint64_t nowhere);
// Makes so many floating-point operations, or some more, as multiply-adds between registers, and writes nothing.
KernelCall compute_call(double flops, std::uint64_t nowhere);
// Adds to *count the words at address that are not `word`.
KernelCall zone_call(std::uint64_t address, std::uint64_t bytes, std::uint32_t word, std::uint64_t count);

}  // namespace warpgrade
