// An operator without __device__.
float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__global__ void k(float2* p) {
    p[0] = p[0] + p[1];  // refused
}
int main() {
    float2* p;
    cudaMalloc(&p, 2 * sizeof(float2));
    cudaMemset(p, 0, 2 * sizeof(float2));
    k<<<1, 1>>>(p);
    cudaFree(p);
    return 0;
}
