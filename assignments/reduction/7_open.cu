// Stage 7, open: as fast as memory can be read.
//
// No technique is asked for; only right sums and bandwidth count, on large n. A sum reads every element once and writes
// next to nothing, so the mark to reach is the bandwidth of reading: 94 % of the datasheet's on an H200 (the course's
// own solution has 4515 GB/s for 2^30 floats), where stage 6 stops near half. Things that have helped others:
//
//   - float4: 16 bytes a load. in is not always aligned to 16 bytes, and n is not always a multiple of 4: sum the few
//     elements before the first aligned one and after the last whole one by themselves;
//   - several loads in flight: load four float4s into four variables, then add. Four sums instead of one also break the
//     chain in which each addition waits for the one before;
//   - one launch instead of two: the last block to finish sums the blocks' sums. It needs a counter in a __device__
//     variable, __threadfence() before the counter is raised and after it is read, and the counter back at zero for the
//     next call. Right most of the time is not right: `./grader/warpgrade check` looks for the missing fence.
//
// Measure each idea: `./grader/warpgrade bench reduction/open`. With atomicAdd on floats the sum depends on the order
// in which blocks finish; it is allowed, but two runs may then differ.

#include <cuda_runtime.h>

#include <cstddef>

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    // TODO 1: your best kernel.
    (void)in, (void)n, (void)scratch, (void)out;  // remove this line
}
