// The reduction on a real GPU: kernels that fill the input and check the sum. Internal to problem/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "problem/problem.hpp"
#include "problem/reduction_input.hpp"

namespace warpgrade {

std::string_view reduction_card_source();
// `input` of the exact tier: any order of additions gives the same sum.
KernelCall reduction_fill_call(const ReductionInput& input, std::uint64_t seed, std::uint64_t in);
// addresses: in, scratch, out.
std::vector<KernelCall> reduction_check_calls(const ReductionInput& input, std::uint64_t seed,
                                              std::span<const std::uint64_t> addresses, std::uint64_t report);
double reduction_seconds_on_host(std::uint64_t n);

}  // namespace warpgrade
