// expect: stage=plain verdict=fault kind=out_of_bounds line=4
__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] = a[i] + b[i];
}

void vadd(const float* a, const float* b, float* sum, int n) {
    if (n > 0) add<<<(n + 255) / 256, 256>>>(a, b, sum, n);
}
