// Rows with a pitch: cudaMallocPitch and cudaMemcpy2D.
#include <cstdio>
#include <vector>

__global__ void addOne(char *base, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float *row = (float *)(base + y * pitch);
    row[x] += 1.0f;
}

int main() {
    const int width = 50, height = 20;
    std::vector<float> h(width * height);
    for (int i = 0; i < width * height; ++i) h[i] = i;
    char *d;
    size_t pitch;
    cudaMallocPitch((void **)&d, &pitch, width * sizeof(float), height);
    cudaMemcpy2D(d, pitch, h.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
    addOne<<<dim3(2, 3), dim3(32, 8)>>>(d, pitch, width, height);
    cudaMemcpy2D(h.data(), width * sizeof(float), d, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
    printf("pitch of %s, h[0] = %.0f, h[51] = %.0f, h[999] = %.0f\n", pitch >= 200 && pitch % 32 == 0 ? "a row" : "?",
           h[0], h[51], h[999]);
    cudaFree(d);
}
