// Stage 1: one thread, one element (one TODO).
// When it is done, `./grader/warpgrade check vadd/plain` shows that all shapes pass.
__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO 1: store the sum of the elements of this thread, if it has any.
}

void vadd(const float* a, const float* b, float* sum, int n) {
    if (n > 0) add<<<(n + 255) / 256, 256>>>(a, b, sum, n);
}
