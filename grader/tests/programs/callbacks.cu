// A function of the host between the work of a stream, pointer attributes, and a 3-D allocation.
#include <cstdio>
#include <cuda_profiler_api.h>

__global__ void twice(int *v) { v[threadIdx.x] *= 2; }

void CUDART_CB report(void *data) { printf("first element: %d\n", *static_cast<int *>(data)); }
void CUDART_CB done(cudaStream_t, cudaError_t status, void *) { printf("status %d\n", status); }

int main() {
    int *h, *d, *m;
    cudaMallocHost(&h, 32 * sizeof(int));
    cudaMalloc(&d, 32 * sizeof(int));
    cudaMallocManaged(&m, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) h[i] = i + 1;
    cudaPointerAttributes a;
    for (void *p : {(void *)h, (void *)d, (void *)m}) {
        cudaPointerGetAttributes(&a, p);
        printf("%s\n", a.type == cudaMemoryTypeHost ? "host" : a.type == cudaMemoryTypeDevice ? "device" : "managed");
    }
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaProfilerStart();
    cudaMemcpyAsync(d, h, 32 * sizeof(int), cudaMemcpyHostToDevice, s);
    twice<<<1, 32, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost, s);
    cudaLaunchHostFunc(s, report, h);
    cudaStreamAddCallback(s, done, nullptr, 0);
    cudaStreamSynchronize(s);
    cudaProfilerStop();
    cudaPitchedPtr box;
    cudaMalloc3D(&box, make_cudaExtent(60, 4, 2));
    printf("pitch is enough: %d\n", box.pitch >= 60);
    cudaMemset2D(box.ptr, box.pitch, 0, 60, 4);
    cudaFree(box.ptr);
    cudaStreamDestroy(s);
    cudaFreeHost(h);
    cudaFree(d);
    cudaFree(m);
    return 0;
}
