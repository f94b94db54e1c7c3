// A method without __device__.
struct Vector {
    float x, y;
    float dot(const Vector& other) const { return x * other.x + y * other.y; }
};
__global__ void k(const Vector* v, float* out) {
    out[0] = v[0].dot(v[1]);  // refused
}
int main() {
    Vector* v;
    float* out;
    cudaMalloc(&v, 2 * sizeof(Vector));
    cudaMalloc(&out, sizeof(float));
    cudaMemset(v, 0, 2 * sizeof(Vector));
    k<<<1, 1>>>(v, out);
    cudaFree(v);
    cudaFree(out);
    return 0;
}
