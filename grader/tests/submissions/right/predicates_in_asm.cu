// stage: transpose/padding
// Barrier, special registers and guarded loads by inline PTX.
#include <cuda_runtime.h>

// A grid has 65535 blocks at most in y: more fold into z.
static dim3 folded(int across, int down) {
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}
__device__ int block_row() { return blockIdx.z * gridDim.y + blockIdx.y; }
__device__ __forceinline__ unsigned tid_x() { unsigned r; asm("mov.u32 %0, %%tid.x;" : "=r"(r)); return r; }
__device__ __forceinline__ unsigned lane_id() { unsigned r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r; }
__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32 * 33];
    const unsigned lane = lane_id(), warp = tid_x() / 32u;
    const unsigned left = blockIdx.x * 32, top = block_row() * 32;
    for (unsigned r = warp; r < 32; r += 8) {
        float v = 0;
        const float* p = in + size_t(top + r) * cols + left + lane;
        asm volatile("{\n .reg .pred p, q;\n setp.lt.u32 p, %2, %3;\n setp.lt.and.u32 q, %4, %5, p;\n @q ld.global.f32 %0, [%1];\n}\n"
                     : "+f"(v) : "l"(p), "r"(top + r), "r"((unsigned)rows), "r"(left + lane), "r"((unsigned)cols) : "memory");
        tile[r * 33 + lane] = v;
    }
    asm volatile("bar.sync 0;" ::: "memory");
    for (unsigned c = warp; c < 32; c += 8)
        if (left + c < (unsigned)cols && top + lane < (unsigned)rows) {
            float v;
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"((unsigned)__cvta_generic_to_shared(&tile[lane * 33 + c])));
            out[size_t(left + c) * rows + top + lane] = v;
        }
}
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    turn<<<folded((cols + 31) / 32, (rows + 31) / 32), 256>>>(in, out, rows, cols);
}
