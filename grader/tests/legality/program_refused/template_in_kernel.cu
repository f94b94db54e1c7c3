// A template without __device__, called by a __device__ function.
template <class T>
T clamped(T x, T most) {
    return x > most ? most : x;
}
__device__ float helper(float x) {
    return clamped(x, 3.f);  // refused
}
__global__ void k(float* p) { p[threadIdx.x] = helper(p[threadIdx.x]); }
int main() {
    float* d;
    cudaMalloc(&d, 32 * sizeof(float));
    cudaMemset(d, 0, 32 * sizeof(float));
    k<<<1, 32>>>(d);
    cudaFree(d);
    return 0;
}
