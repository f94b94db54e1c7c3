// stage: reduction/open
// says: compiler
// std::vector in the launcher.
#include <cstddef>
#include <vector>  // <--

#include <cuda_runtime.h>

void reduce(const float* in, std::size_t n, float*, float* out) {
    std::vector<float> copy(n);
    cudaMemcpy(copy.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost);
    float sum = 0;
    for (float x : copy) sum += x;
    cudaMemcpy(out, &sum, sizeof(float), cudaMemcpyHostToDevice);
}
