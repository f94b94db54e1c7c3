#include "timing/measure_yardstick.hpp"

#include <algorithm>
#include <cmath>

#include "problem/card_calls.hpp"

namespace warpgrade {

namespace {
constexpr std::uint32_t threads = 256;
// On an H200 one float4 a thread copies at 4155 GB/s, where 2, 4 and 8 reach 3974, 3931 and 3885, and a grid of
// resident blocks at most 3891; four float4s a thread read at 4243, where resident blocks reach 4191 (268 and 537 MB,
// cold L2).
constexpr std::uint64_t quads_a_copy_block = threads, quads_a_read_block = 4 * threads;

KernelCall call_of(const char* kernel, std::uint64_t bytes, std::uint64_t quads_a_block) {
    KernelCall call;
    call.kernel = kernel;
    call.block = {threads, 1, 1};
    call.grid = {
        static_cast<std::uint32_t>(std::max<std::uint64_t>((bytes / 16 + quads_a_block - 1) / quads_a_block, 1)), 1, 1};
    return call;
}
}  // namespace

std::string_view yardstick_source() {
    return R"cuda(
extern "C" __global__ void __launch_bounds__(256) yardstick_copy(const float4* from, float4* to,
                                                                 unsigned long long bytes) {
    const unsigned long long quads = bytes / 16;
    const unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * 256 + threadIdx.x;
    if (i < quads) to[i] = from[i];
    if (i >= bytes % 16 / 4) return;
    reinterpret_cast<float*>(to)[quads * 4 + i] = reinterpret_cast<const float*>(from)[quads * 4 + i];
}

__device__ static float yardstick_total(float4 v) { return v.x + v.y + v.z + v.w; }

extern "C" __global__ void __launch_bounds__(256) yardstick_read(const float4* from, unsigned long long bytes,
                                                                 float* nowhere) {
    const unsigned long long quads = bytes / 16;
    const unsigned long long first = static_cast<unsigned long long>(blockIdx.x) * 1024 + threadIdx.x;
    float sum = 0;
    if (first + 768 < quads) {
        const float4 a = from[first], b = from[first + 256], c = from[first + 512], d = from[first + 768];
        sum = yardstick_total(a) + yardstick_total(b) + yardstick_total(c) + yardstick_total(d);
    } else {
        for (unsigned long long i = first; i < quads; i += 256) sum += yardstick_total(from[i]);
    }
    // Never so, which the compiler cannot know: what is read has to be read.
    if (sum == -1.0e38f) *nowhere = sum;
}

// Eight chains hide the latency of a multiply-add, and 512 of them a thread are many blocks, so that all
// multiprocessors end at nearly the same time.
extern "C" __global__ void __launch_bounds__(256) yardstick_compute(float factor, float* nowhere) {
    float v[8];
    for (int i = 0; i < 8; ++i) v[i] = static_cast<float>(threadIdx.x + i);
#pragma unroll 8
    for (int turn = 0; turn < 64; ++turn)
        for (int i = 0; i < 8; ++i) v[i] = v[i] * factor + factor;
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum += v[i];
    if (sum == -1.0e38f) *nowhere = sum;
}

extern "C" __global__ void changed_words(const unsigned* words, unsigned long long count, unsigned word,
                                         unsigned long long* changed) {
    const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    for (unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
         i += stride)
        if (words[i] != word) atomicAdd(changed, 1ull);
}
)cuda";
}

KernelCall copy_call(std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
    KernelCall call = call_of("yardstick_copy", bytes, quads_a_copy_block);
    call.parameters = kernel_parameters(from, to, bytes);
    return call;
}

KernelCall read_call(std::uint64_t from, std::uint64_t bytes, std::uint64_t nowhere) {
    KernelCall call = call_of("yardstick_read", bytes, quads_a_read_block);
    call.parameters = kernel_parameters(from, bytes, nowhere);
    return call;
}

KernelCall compute_call(double flops, std::uint64_t nowhere) {
    constexpr double flops_a_block = 2.0 * 512 * threads;
    KernelCall call;
    call.kernel = "yardstick_compute";
    call.block = {threads, 1, 1};
    call.grid = {static_cast<std::uint32_t>(std::max(std::ceil(flops / flops_a_block), 1.0)), 1, 1};
    call.parameters = kernel_parameters(0.5f, nowhere);
    return call;
}

KernelCall zone_call(std::uint64_t address, std::uint64_t bytes, std::uint32_t word, std::uint64_t count) {
    return grid_stride_call("changed_words", bytes / 4, address, bytes / 4, word, count);
}

}  // namespace warpgrade
