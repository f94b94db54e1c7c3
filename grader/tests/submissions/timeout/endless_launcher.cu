// stage: reduction/sequential
// says: timeout
// Rounds until one sum is left, which n = 0 never reaches... and no other n either: the count is not updated.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void nothing(float* out) { *out = 0.0f; }

void reduce(const float*, size_t n, float*, float* out) {
    size_t blocks = n;
    unsigned rounds = 0;
    while (blocks != 1) {  // <--
        blocks = (n + 255) / 256 + 1;
        ++rounds;
    }
    nothing<<<1, rounds>>>(out);
}
