// expect: stage=plain verdict=fault kind=out_of_bounds line=4
__global__ void pairs(const float* in, float* even, float* odd, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    even[i] = in[2 * i];
    odd[i] = in[2 * i + 1];
}

void split(const float* in, float* even, float* odd, int n) {
    if (n > 0) pairs<<<(n + 255) / 256, 256>>>(in, even, odd, n);
}
