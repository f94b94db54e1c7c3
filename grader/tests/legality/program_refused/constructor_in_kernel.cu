// A constructor without __device__.
struct Complex {
    float re, im;
    Complex(float a, float b) : re(a), im(b) {}
};
__global__ void k(float* out) {
    Complex c(1, 2);  // refused
    out[0] = c.re * c.im;
}
int main() {
    float* out;
    cudaMalloc(&out, sizeof(float));
    k<<<1, 1>>>(out);
    cudaFree(out);
    return 0;
}
