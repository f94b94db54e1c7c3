// Shared memory of functions: tiles of other instances, dynamic memory behind tiles of other sizes, a call through a pointer.
#include <cstdio>
#include <cuda_runtime.h>
extern __shared__ float dynamic[];
extern __shared__ double wide[];
__device__ __noinline__ void put(int i, float v) { dynamic[i] = v; }
__device__ __noinline__ float get(int i) { return dynamic[i]; }
template <int N> __device__ __noinline__ float turned(float v) {
    __shared__ float tile[N];
    tile[threadIdx.x] = v;
    __syncthreads();
    float r = tile[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    return r;
}
typedef float (*Turn)(float);
__device__ Turn turns[2] = {turned<100>, turned<200>};
__global__ void small(float* out) {
    __shared__ char marks[7];
    if (threadIdx.x < 7) marks[threadIdx.x] = 0;
    __syncthreads();
    put(threadIdx.x, turned<100>(threadIdx.x));
    __syncthreads();
    out[threadIdx.x] = get(63 - threadIdx.x) + marks[threadIdx.x % 7];
}
__global__ void large(float* out, int which) {
    __shared__ float own[300];
    own[threadIdx.x] = 1000 + threadIdx.x;
    put(threadIdx.x, turns[which](threadIdx.x));
    __syncthreads();
    out[64 + threadIdx.x] = get(63 - threadIdx.x) + own[threadIdx.x] + turned<300>(0.5f * threadIdx.x);
}
__global__ void doubles(float* out) {
    __shared__ float own[3];
    if (threadIdx.x < 3) own[threadIdx.x] = 7;
    wide[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[128 + threadIdx.x] = wide[63 - threadIdx.x] + own[threadIdx.x % 3];
}
int main() {
    float *out, host[192];
    cudaMalloc(&out, sizeof host);
    small<<<1, 64, 64 * sizeof(float)>>>(out);
    large<<<1, 64, 64 * sizeof(float)>>>(out, 1);
    doubles<<<1, 64, 64 * sizeof(double)>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 192; i += 21) printf("%g\n", host[i]);
    cudaFree(out);
}
