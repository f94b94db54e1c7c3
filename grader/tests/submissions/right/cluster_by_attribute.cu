// stage: transpose/open
// A launch of clusters of two blocks, by an attribute of the launch.
#include <cuda_runtime.h>

__global__ void plain(const float* in, float* out, int rows, int cols) {
    const size_t n = static_cast<size_t>(rows) * cols;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 512;
    config.blockDim = 256;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, plain, in, out, rows, cols);
}
