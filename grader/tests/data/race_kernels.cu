// Kernels that share global memory in ways that race and in ways that do not: for race_tracker_test.cpp. `// line: name` marks
// a line that the test asks for. To compile again:
//   nvcc -ptx -arch=compute_80 -rdc=true -lineinfo -std=c++17 race_kernels.cu

extern "C" __global__ void same_place(int* out) {
    out[0] = blockIdx.x;  // line: same_place
}
extern "C" __global__ void same_value(int* out) {
    out[0] = 7;  // line: same_value
}
extern "C" __global__ void read_before_write(int* out) {
    if (blockIdx.x == 0) out[1] = out[0];  // line: early read
    if (blockIdx.x == 1) out[0] = 5;  // line: late write
}
extern "C" __global__ void read_after_write(int* out) {
    if (blockIdx.x == 0) out[0] = 5;  // line: early write
    if (blockIdx.x == 1) out[1] = out[0];  // line: late read
}
extern "C" __global__ void own_places(char* out) {
    out[blockIdx.x] = static_cast<char>(blockIdx.x);
}
extern "C" __global__ void warps_of_a_block(int* out, int has_barrier) {
    out[threadIdx.x] = threadIdx.x;  // line: own word
    if (has_barrier) __syncthreads();
    out[64 + threadIdx.x] = out[threadIdx.x ^ 32];  // line: other warp's word
}
// The block that takes the last ticket reads what the others stored.
extern "C" __global__ void last_block(int* data, unsigned* ticket, int has_fence) {
    __shared__ bool is_last;
    data[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // line: stored
    if (has_fence) __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;
    int sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += data[i];  // line: summed
    data[gridDim.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x == 0) *ticket = 0;
}
// The fence of one thread, behind the barrier, covers the whole block.
extern "C" __global__ void fence_of_one(int* data, int* flag) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 3;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            *reinterpret_cast<volatile int*>(flag) = 1;
        }
    } else {
        while (*reinterpret_cast<volatile int*>(flag) == 0);
        __threadfence();
        data[blockDim.x + threadIdx.x] = data[threadIdx.x];
    }
}
// A fence for the block only is none for the other block.
extern "C" __global__ void fence_of_the_block(int* data, int* flag) {
    if (blockIdx.x == 0) {
        data[0] = 3;  // line: behind a block's fence
        __threadfence_block();
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        data[1] = data[0];  // line: read behind a block's fence
    }
}
// The store comes after the fence: the flag does not cover it.
extern "C" __global__ void stored_after_the_fence(int* data, int* flag) {
    if (blockIdx.x == 0) {
        __threadfence();
        atomicExch(flag, 1);
        data[0] = 3;  // line: too late
    } else {
        while (atomicAdd(flag, 0) == 0) {
        }
        data[1] = data[0];  // line: not covered
    }
}
extern "C" __global__ void release_and_acquire(int* data, int* flag) {
    if (blockIdx.x == 0) {
        data[0] = 3;
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(__cvta_generic_to_global(flag)) : "memory");
    } else {
        int seen = 0;
        while (seen == 0) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(__cvta_generic_to_global(flag)) : "memory");
        data[1] = data[0];
    }
}
// What block 0 tells block 1, and block 1 tells block 2.
extern "C" __global__ void by_way_of_another(int* data, int* flags) {
    if (blockIdx.x > 0) {
        while (atomicAdd(&flags[blockIdx.x - 1], 0) == 0) {
        }
    }
    if (blockIdx.x == 0) data[0] = 3;
    if (blockIdx.x == 2) data[1] = data[0];
    __threadfence();
    atomicExch(&flags[blockIdx.x], 1);
}
// Lanes that come late to their part of a warp, the last one only once another part has met: who does not wait for them
// goes on, and nobody else.
__device__ void come_late(int* flags) {
    const unsigned t = threadIdx.x;
    if (t == 63) atomicExch(&flags[0], 1);
    if (t == 0)
        while (atomicAdd(&flags[0], 0) == 0) {
        }
    if (t == 31)
        while (atomicAdd(&flags[1], 0) == 0) {
        }
}
extern "C" __global__ void late_to_a_barrier(int* data, int* flags) {
    __shared__ int part[64];
    const unsigned t = threadIdx.x;
    come_late(flags);
    part[t] = static_cast<int>(t);
    __syncwarp(0xffu << (t & 24));
    if (t == 1) atomicExch(&flags[1], 1);
    data[t] = part[t ^ 7];
}
extern "C" __global__ void late_to_a_shuffle(int* data, int* flags) {
    const unsigned t = threadIdx.x;
    come_late(flags);
    const int other = __shfl_xor_sync(0xffu << (t & 24), static_cast<int>(t), 7);
    if (t == 1) atomicExch(&flags[1], 1);
    data[t] = other;
}
// Two blocks say how far they are at one place, each by strong stores; nothing is to be ordered.
extern "C" __global__ void strong_stores(int* data, int* flag) {
    *reinterpret_cast<volatile int*>(flag) = 1;
    asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(__cvta_generic_to_global(flag)) : "memory");
    data[blockIdx.x] = atomicAdd(flag, 0);
}
// Sums handed from block to block by exchanges that release and acquire.
extern "C" __global__ void by_exchange(int* data, int* flag) {
    int before;
    do asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], %2, -1;" : "=r"(before) : "l"(__cvta_generic_to_global(flag)), "r"(blockIdx.x) : "memory");
    while (before != static_cast<int>(blockIdx.x));
    data[0] = blockIdx.x == 0 ? 2 : data[0] + 1;
    if (blockIdx.x == 1) data[1] = data[0];
    asm volatile("atom.release.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(before) : "l"(__cvta_generic_to_global(flag)), "r"(blockIdx.x + 1) : "memory");
}
