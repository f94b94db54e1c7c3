// Stage 1: one thread, one pair.
__global__ void pairs(const float* in, float* even, float* odd, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    even[i] = in[2 * i];
    odd[i] = in[2 * i + 1];
}

void split(const float* in, float* even, float* odd, int n) {
    if (n > 0) pairs<<<(n + 255) / 256, 256>>>(in, even, odd, n);
}
