// stage: transpose/corner_turning
// Compiles for ever: each level needs two of the next.
#include <cuda_runtime.h>

template <int N, int M>
struct Bomb {
    static constexpr int value = Bomb<N - 1, 2 * M>::value + Bomb<N - 1, 2 * M + 1>::value;
};
template <int M>
struct Bomb<0, M> {
    static constexpr int value = M;
};

__global__ void boom(float* out) { out[0] = Bomb<28, 0>::value; }

void transpose(const float* in, float* out, int rows, int cols) { boom<<<1, 1>>>(out); }
