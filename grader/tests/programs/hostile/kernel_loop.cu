__global__ void k(int* p) { while (atomicAdd(p, 0) == 0); }
int main() { int* p; cudaMalloc(&p, 4); cudaMemset(p, 0, 4); k<<<2, 32>>>(p); return cudaDeviceSynchronize() == cudaSuccess; }
