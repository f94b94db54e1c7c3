// expect: stage=plain verdict=wrong kind=wrong_output pattern=halves
__global__ void pairs(const float* in, float* even, float* odd, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    even[i] = in[i];
    odd[i] = in[2 * i + 1];
}

void split(const float* in, float* even, float* odd, int n) {
    if (n > 0) pairs<<<(n + 255) / 256, 256>>>(in, even, odd, n);
}
