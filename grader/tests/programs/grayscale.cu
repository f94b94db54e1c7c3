// Pixels of four bytes to grey, with the vector types of CUDA.
#include <cstdio>
#include <cstdlib>

__global__ void toGrey(const uchar4 *rgba, unsigned char *grey, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= cols) return;
    uchar4 p = rgba[r * cols + c];
    grey[r * cols + c] = (unsigned char)((299 * p.x + 587 * p.y + 114 * p.z) / 1000);
}

int main() {
    const int rows = 37, cols = 51;
    uchar4 *h_in = (uchar4 *)malloc(rows * cols * sizeof(uchar4)), *d_in;
    unsigned char *h_out = (unsigned char *)malloc(rows * cols), *d_out;
    for (int i = 0; i < rows * cols; i++) h_in[i] = make_uchar4(i % 256, i / 7 % 256, (3 * i) % 256, 255);
    cudaMalloc(&d_in, rows * cols * sizeof(uchar4));
    cudaMalloc(&d_out, rows * cols);
    cudaMemcpy(d_in, h_in, rows * cols * sizeof(uchar4), cudaMemcpyHostToDevice);
    const dim3 block(16, 8), grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    toGrey<<<grid, block>>>(d_in, d_out, rows, cols);
    cudaMemcpy(h_out, d_out, rows * cols, cudaMemcpyDeviceToHost);
    unsigned long checksum = 0;
    for (int i = 0; i < rows * cols; i++) checksum = checksum * 31 + h_out[i];
    printf("%dx%d pixels, grey[100] = %d, checksum %016lx\n", cols, rows, h_out[100], checksum);
    cudaFree(d_in);
    cudaFree(d_out);
    free(h_in);
    free(h_out);
}
