// Stage 1, the round trip: allocate on the GPU, copy there, launch, copy back, free.
//
// A kernel sees memory of the GPU, and main() sees memory of the host. What one has computed the other gets by a copy:
//
//     host    a, b  --- cudaMemcpyHostToDevice --->  d_a, d_b    GPU
//                                                       | add<<<blocks, THREADS>>>
//     host    sum  <--- cudaMemcpyDeviceToHost ---   d_sum       GPU
//
// The task: fill the three TODOs. The kernel and the host's own arrays are given.
//
// When it is done, `./grader/warpgrade check round_trip` should show that every run is right. By hand, with any number
// of elements: `./grader/warpgrade run assignments/first_program/1_round_trip.cu -- 1000`.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

constexpr int THREADS = 256;  // of a block

__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    const std::size_t bytes = n * sizeof(float);

    float* a = static_cast<float*>(std::malloc(bytes));
    float* b = static_cast<float*>(std::malloc(bytes));
    float* sum = static_cast<float*>(std::malloc(bytes));
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
        sum[i] = -1;
    }

    // TODO 1: allocate d_a, d_b and d_sum with cudaMalloc, `bytes` each, and copy a and b to d_a and d_b. cudaMemcpy
    // takes the destination first.
    float *d_a = nullptr, *d_b = nullptr, *d_sum = nullptr;

    // TODO 2: launch the kernel with a thread for every element. How many blocks of THREADS threads are these?

    // TODO 3: copy d_sum back to sum. Then free what TODO 1 has allocated.

    int right = 0;
    for (int i = 0; i < n; ++i) right += sum[i] == a[i] + b[i];
    std::printf("%d of %d sums are right\n", right, n);
    std::printf("the last sum is %.0f\n", sum[n - 1]);
    std::free(a);
    std::free(b);
    std::free(sum);
    return 0;
}
