// expect: stage=plain verdict=wrong kind=wrong_output pattern=only_a
__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i];
}

void vadd(const float* a, const float* b, float* sum, int n) {
    if (n > 0) add<<<(n + 255) / 256, 256>>>(a, b, sum, n);
}
