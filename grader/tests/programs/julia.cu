// A Julia set as characters, with a struct of complex numbers that both sides could use.
#include <cstdio>

#define DIM 32

struct cuComplexNumber {
    float r, i;
    __device__ cuComplexNumber(float a, float b) : r(a), i(b) {}
    __device__ float magnitude2() const { return r * r + i * i; }
    __device__ cuComplexNumber operator*(const cuComplexNumber &a) const {
        return cuComplexNumber(r * a.r - i * a.i, i * a.r + r * a.i);
    }
    __device__ cuComplexNumber operator+(const cuComplexNumber &a) const { return cuComplexNumber(r + a.r, i + a.i); }
};

__device__ int julia(int x, int y) {
    const float scale = 1.5f;
    float jx = scale * (float)(DIM / 2 - x) / (DIM / 2);
    float jy = scale * (float)(DIM / 2 - y) / (DIM / 2);
    cuComplexNumber c(-0.75f, 0.25f);
    cuComplexNumber a(jx, jy);
    for (int i = 0; i < 100; i++) {
        a = a * a + c;
        if (a.magnitude2() > 16) return i / 4;
    }
    return 25;
}

__global__ void kernel(unsigned char *ptr) {
    int x = blockIdx.x, y = blockIdx.y;
    ptr[x + y * gridDim.x] = julia(x, y);
}

int main(void) {
    static unsigned char bitmap[DIM * DIM];
    unsigned char *dev_bitmap;
    cudaMalloc((void **)&dev_bitmap, sizeof(bitmap));
    dim3 grid(DIM, DIM);
    kernel<<<grid, 1>>>(dev_bitmap);
    cudaMemcpy(bitmap, dev_bitmap, sizeof(bitmap), cudaMemcpyDeviceToHost);
    for (int y = 0; y < DIM; y += 4) {
        for (int x = 0; x < DIM; x++) putchar(" .:-=+*#%@@@@@@@@@@@@@@@@@@"[bitmap[y * DIM + x]]);
        putchar('\n');
    }
    cudaFree(dev_bitmap);
    return 0;
}
