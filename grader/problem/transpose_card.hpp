// The transpose on a real GPU: kernels that fill the input and check the output. Internal to problem/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "problem/problem.hpp"

namespace warpgrade {

std::string_view transpose_card_source();
KernelCall transpose_fill_call(std::uint64_t elements, std::uint64_t seed, std::uint64_t in);
// addresses: in, out. Compares out bit by bit, and in with what it was filled with.
KernelCall transpose_check_call(const Shape& shape, bool is_transposed, std::uint64_t seed,
                                std::span<const std::uint64_t> addresses, std::uint64_t report);
double transpose_seconds_on_host(const Shape& shape, bool is_transposed);

}  // namespace warpgrade
