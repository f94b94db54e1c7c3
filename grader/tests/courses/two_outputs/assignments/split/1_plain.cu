// Stage 1: one thread, one pair (one TODO).
// When it is done, `./grader/warpgrade check split/plain` shows that all shapes pass.
__global__ void pairs(const float* in, float* even, float* odd, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // TODO 1: store the two elements of this thread's pair, if it has one.
}

void split(const float* in, float* even, float* odd, int n) {
    if (n > 0) pairs<<<(n + 255) / 256, 256>>>(in, even, odd, n);
}
