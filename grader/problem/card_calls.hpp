// Parameters of kernels, laid out as the driver wants them. Internal to problem/.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include "problem/case.hpp"

namespace warpgrade {

// Each parameter at a multiple of its own size, as PTX lays them out.
template <class... Values>
std::vector<std::byte> kernel_parameters(const Values&... values) {
    std::vector<std::byte> bytes;
    [[maybe_unused]] const auto append = [&](const auto& value) {
        bytes.resize((bytes.size() + sizeof value - 1) / sizeof value * sizeof value);
        const auto* first = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), first, first + sizeof value);
    };
    (append(values), ...);
    return bytes;
}

// A grid-stride launch over `elements`.
template <class... Values>
KernelCall grid_stride_call(std::string kernel, std::uint64_t elements, const Values&... values) {
    constexpr std::uint64_t threads = 256, most_blocks = 2048;
    KernelCall call;
    call.kernel = std::move(kernel);
    call.block = {static_cast<std::uint32_t>(threads), 1, 1};
    call.grid = {
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>((elements + threads - 1) / threads, 1, most_blocks)), 1,
        1};
    call.parameters = kernel_parameters(values...);
    return call;
}

// Seconds of the fastest of three runs.
template <class Work>
double best_of_three(Work&& work) {
    using Clock = std::chrono::steady_clock;
    double best = 1e30;
    for (int i = 0; i < 3; ++i) {
        const auto start = Clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

}  // namespace warpgrade
