// Counts letters of a text, in bins of shared memory that are added up at the end.
#include <cstdio>
#include <cstring>

__global__ void histo_kernel(const char *buffer, long size, unsigned int *histo) {
    __shared__ unsigned int histo_private[7];
    if (threadIdx.x < 7) histo_private[threadIdx.x] = 0;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = blockDim.x * gridDim.x;
    while (i < size) {
        int position = buffer[i] - 'a';
        if (position >= 0 && position < 26) atomicAdd(&histo_private[position / 4], 1);
        i += stride;
    }
    __syncthreads();
    if (threadIdx.x < 7) atomicAdd(&histo[threadIdx.x], histo_private[threadIdx.x]);
}

int main() {
    const char *text = "programming massively parallel processors is done by many small threads that count letters";
    const long length = strlen(text);
    char *d_text;
    unsigned int *d_histo, histo[7];
    cudaMalloc(&d_text, length);
    cudaMalloc(&d_histo, sizeof(histo));
    cudaMemcpy(d_text, text, length, cudaMemcpyHostToDevice);
    cudaMemset(d_histo, 0, sizeof(histo));
    histo_kernel<<<2, 32>>>(d_text, length, d_histo);
    cudaMemcpy(histo, d_histo, sizeof(histo), cudaMemcpyDeviceToHost);
    unsigned int total = 0;
    for (int i = 0; i < 7; i++) {
        printf("%c-%c: %2u ", 'a' + 4 * i, i == 6 ? 'z' : 'd' + 4 * i, histo[i]);
        for (unsigned int k = 0; k < histo[i]; k++) putchar('*');
        puts("");
        total += histo[i];
    }
    printf("%u of %ld characters are letters\n", total, length);
    cudaFree(d_text);
    cudaFree(d_histo);
    return 0;
}
