// expect: stage=plain verdict=wrong kind=not_written
__global__ void add(const float* a, const float* b, float* sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

void vadd(const float* a, const float* b, float* sum, int n) {
    if (n >= 256) add<<<n / 256, 256>>>(a, b, sum, n);
}
