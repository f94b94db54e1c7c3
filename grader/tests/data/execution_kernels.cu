// Kernels of execution_test: control flow, calls, barriers, locks, what printf and assert do, and faults. A comment
// `// line: name` marks a line that the test asks for. To compile again (NVRTC, as submissions are compiled):
//   -default-device -rdc=true -lineinfo -std=c++17 -arch=compute_80

// Control flow ------------------------------------------------------------------------------------------------------

extern "C" __global__ void nested_ifs(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i], r = 0;
    if (v & 1) {
        if (v & 2) {
            r = in[i ^ 1] + 1;
            if (v & 4) r += in[i ^ 2] * 2;
            else r -= 7;
        } else {
            r = in[i ^ 3] - 5;
        }
        r += 100;
    } else if (v & 8) {
        r = in[i ^ 4] * 3;
    }
    out[i] = r * 2 + 1;
}

extern "C" __global__ void loops(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < in[i]; ++k) {
        if (k == 5) continue;
        for (int j = k; j < 9; ++j) {
            if (in[j] == i) break;
            sum += in[j] * k;
        }
        if (sum > 2000) break;
    }
    out[i] = sum;
}

extern "C" __global__ void collatz(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i], steps = 0;
    while (v > 1) {
        v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        ++steps;
    }
    out[i] = steps;
}

extern "C" __global__ void switches(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i], r;
    switch (v) {
        case 0: r = in[i ^ 1]; break;
        case 1: r = in[i ^ 2] * 5; break;
        case 2: out[i] = -2; return;
        case 3: r = 33; __syncwarp(__activemask()); break;
        case 4: r = v * in[0];  // falls through
        case 5: r = v + 50; break;
        case 6: r = in[i ^ 3] ^ 66; break;
        case 7: r = in[1] - in[2]; break;
        default: r = -1; break;
    }
    out[i] = r;
}

// Calls -------------------------------------------------------------------------------------------------------------

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursion(const int* in, int* out) {
    const int i = threadIdx.x;
    if (in[i] >= 0) out[i] = fibonacci(in[i]);
}

__device__ __noinline__ void fill(int* a, int n, int seed) {
    for (int k = 0; k < n; ++k) a[k] = seed + k * k;
}
__device__ __noinline__ int weigh(const int* a, int n, int* largest) {
    int sum = 0;
    for (int k = 0; k < n; ++k) {
        sum += a[k] * (k + 1);
        if (a[k] > *largest) *largest = a[k];
    }
    return sum;
}
extern "C" __global__ void local_arrays(const int* in, int* out) {
    const int i = threadIdx.x;
    int a[12], largest = -1000;
    fill(a, 12, in[i]);
    if (in[i] & 1) fill(a + 4, 4, -in[i]);
    const int n = 4 + in[i] % 8;
    out[i] = weigh(a, n, &largest) * 1000 + largest;
}

__device__ __noinline__ int twice(int v) { return 2 * v; }
__device__ __noinline__ int square(int v) { return v * v; }
__device__ __noinline__ int less(int v) { return v > 20 ? square(v) - 1 : twice(v) - 1; }
__device__ int (*const functions[])(int) = {twice, square, less};
extern "C" __global__ void indirect_calls(const int* in, int* out) {
    const int i = threadIdx.x;
    out[i] = functions[in[i] % 3](in[i]);
}

struct Wide {
    double d;
    int n[3];
    char c;
};
__device__ __noinline__ Wide change(Wide w, short by, unsigned char flag) {
    w.d *= by;
    w.n[flag] += by;
    w.c = static_cast<char>(w.c + flag);
    return w;
}
extern "C" __global__ void struct_arguments(const int* in, int* out) {
    const int i = threadIdx.x;
    Wide w = {i * 0.5, {i, i + 1, i + 2}, 'a'};
    w = change(w, static_cast<short>(in[i]), static_cast<unsigned char>(i % 3));
    if (i % 2) w = change(w, -3, 1);
    out[i] = static_cast<int>(w.d * 2) + 10 * w.n[0] + 100 * w.n[1] + 1000 * w.n[2] + w.c;
}

// Barriers ----------------------------------------------------------------------------------------------------------

extern "C" __global__ void block_sum(const int* in, int* out) {
    __shared__ int part[256];
    const int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void early_exit(const int* in, int* out) {
    const int t = threadIdx.x;
    if (in[t] == 0) return;
    __shared__ int place[256];
    place[t] = in[t];
    const int left = __syncthreads_count(in[t] > 0);
    out[t] = left * 1000 + place[t];
}

extern "C" __global__ void votes(const int* in, int* out) {
    const int t = threadIdx.x;
    const int count = __syncthreads_count(in[t] > 2), every = __syncthreads_and(in[t] > 2), any = __syncthreads_or(in[t] > 2);
    out[t] = count * 4 + (every != 0 ? 2 : 0) + (any != 0 ? 1 : 0);
}

// One half of the block makes, the other takes; each waits only for what it needs.
extern "C" __global__ void named_barriers(const int* in, int* out) {
    __shared__ int box[64];
    const int t = threadIdx.x;
    if (t < 64) {
        box[t] = in[t] * 3;
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
        asm volatile("bar.sync 1, 128;" ::: "memory");
        out[t - 64] = box[127 - t];
    }
}

extern "C" __global__ void warp_barriers(const int* in, int* out) {
    __shared__ volatile int box[32];
    const int lane = threadIdx.x;
    if (in[lane] & 1) box[lane] = in[lane] * 2;
    else box[lane] = -in[lane];
    __syncwarp();
    const int other = box[31 - lane];
    __syncwarp();
    int v = other;
    if (lane < 16) {
        v += __shfl_xor_sync(0x0000FFFF, other, 5);
        v = __reduce_max_sync(0x0000FFFF, v);
    } else {
        v -= __shfl_down_sync(0xFFFF0000, other, 3, 16);
        v += __popc(__ballot_sync(0xFFFF0000, v > 0)) * 1000;
    }
    out[lane] = __shfl_sync(0xFFFFFFFF, v, lane ^ 1) + (__all_sync(0xFFFFFFFF, v > -100000) ? 1 : 0);
}

// Locks -------------------------------------------------------------------------------------------------------------

// The lanes of a warp that wait for each other: needs independent forward progress.
extern "C" __global__ void lock_inner(int* lock, int* out) {
    bool is_done = false;
    while (!is_done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            const int v = *reinterpret_cast<volatile int*>(out);
            *reinterpret_cast<volatile int*>(out) = v + 1;
            __threadfence();
            atomicExch(lock, 0);
            is_done = true;
        }
    }
}
extern "C" __global__ void lock_outer(int* lock, int* out) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    const int v = *reinterpret_cast<volatile int*>(out);
    *reinterpret_cast<volatile int*>(out) = v + 1;
    __threadfence();
    atomicExch(lock, 0);
}
// Each block waits for the next one, the last for none: blocks must not run one after the other.
extern "C" __global__ void chain(int* flags, int* out) {
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x) {
            while (atomicAdd(&flags[blockIdx.x + 1], 0) == 0) {
            }
        }
        out[blockIdx.x] = gridDim.x - blockIdx.x;
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
}

// Places ------------------------------------------------------------------------------------------------------------

extern "C" __global__ void places(int* out) {
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int lane, warp;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    out[block * threads + thread] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z + 1000 * blockIdx.x + 10000 * blockIdx.y +
                                    100000 * blockIdx.z + 1000000 * lane + 100000000 * warp;
}

__device__ int counter = 5;
__device__ int table[4] = {10, 20, 30, 40};
__constant__ int weights[3] = {7, 8, 9};
extern "C" __global__ void module_variables(int* out) {
    if (threadIdx.x < 3) out[threadIdx.x] = table[threadIdx.x] * weights[threadIdx.x];
    if (threadIdx.x == 3) {
        out[3] = counter;
        counter += 1;
    }
}

extern "C" __global__ void histogram(const int* in, int* out) { atomicAdd(&out[in[blockIdx.x * blockDim.x + threadIdx.x] & 15], 1); }

template <class T>
__device__ void transpose_tile(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < rows && y + j < cols) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
extern "C" __global__ void transpose_int(const int* in, int* out, int rows, int cols) { transpose_tile(in, out, rows, cols); }
extern "C" __global__ void transpose_byte(const unsigned char* in, unsigned char* out, int rows, int cols) { transpose_tile(in, out, rows, cols); }
extern "C" __global__ void transpose_double(const double* in, double* out, int rows, int cols) { transpose_tile(in, out, rows, cols); }

// Output and ends ---------------------------------------------------------------------------------------------------

extern "C" __global__ void prints(const int* in) {
    if (threadIdx.x >= 2) return;
    printf("%d %i %u %x %X %o|%5d|%-5d|%05d|%+d\n", in[0], in[1], in[1], in[2], in[2], in[2], in[0], in[0], in[0], in[0]);
    printf("%f %.3f %8.2e %g|%c%c|%s|%%|%lld %llu %lx %zu %hd\n", 1.5, 2.0 / 3, 12345.678, 1e-5, 'o', 'k', "text", -1ll << 40, ~0ull, 255l, sizeof(int), 7);
    printf("thread %d\n", threadIdx.x);
}
extern "C" __global__ void prints_by_block() { printf("block %d\n", blockIdx.x); }
extern "C" __global__ void prints_much() {
    for (int k = 0; k < 1000; ++k) printf("0123456789012345678901234567890123456789\n");
}
extern "C" __global__ void asserts(const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(in[i] < 100);  // line: assert
    out[i] = 1;
}
extern "C" __global__ void traps(const int* in) {
    if (in[threadIdx.x] == 7) __trap();  // line: trap
}
extern "C" __global__ void endless(volatile int* flag) {
    while (*flag == 0) {  // line: endless
    }
}

// Faults ------------------------------------------------------------------------------------------------------------

extern "C" __global__ void writes_past(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + (i == n - 1 ? 1 : 0)] = i;  // line: writes_past
}
extern "C" __global__ void reads_before(const int* in, int* out) {
    out[threadIdx.x] = in[static_cast<int>(threadIdx.x) - 2];  // line: reads_before
}
extern "C" __global__ void misaligned(const char* in, int* out) {
    out[threadIdx.x] = *reinterpret_cast<const int*>(in + threadIdx.x * 4 + (threadIdx.x == 9 ? 2 : 0));  // line: misaligned
}
extern "C" __global__ void shared_past(int* out, int n) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x + n];  // line: shared_past
}
extern "C" __global__ void local_past(int* out, int n) {
    int a[4] = {1, 2, 3, 4};
    fill(a, 4, n);
    out[threadIdx.x] = a[n];  // line: local_past
}
extern "C" __global__ void unwritten(const int* scratch, int* out) {
    out[threadIdx.x] = scratch[threadIdx.x + 3];  // line: unwritten
}
extern "C" __global__ void unwritten_shared(int* out) {
    __shared__ int tile[64];
    if (threadIdx.x < 31) tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];  // line: unwritten_shared
}
extern "C" __global__ void half_barrier(int* out) {
    if (threadIdx.x < 16) __syncthreads();  // line: half_barrier
    out[threadIdx.x] = 1;
}
extern "C" __global__ void inactive_shuffle(int* out) {
    int v = threadIdx.x;
    if (threadIdx.x < 8) v = __shfl_sync(0x000000FF, v, 12);  // line: inactive_shuffle
    out[threadIdx.x] = v;
}
// Each thread meets the others at one of two places.
__device__ __noinline__ bool meets_within(int first) {
    if (threadIdx.x >= first) return false;
    __syncthreads();  // line: meets_within
    return true;
}
extern "C" __global__ void meet_apart(const int* first, int* out) {
    __shared__ int tile[128];
    tile[threadIdx.x] = threadIdx.x;
    if (!meets_within(first[0])) __syncthreads();
    const int other = tile[127 - threadIdx.x];
    if (threadIdx.x >= 64) return;
    __syncthreads();
    tile[threadIdx.x] = other;
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
extern "C" __global__ void meet_once_more(int* out) {
    if (threadIdx.x < 64) __syncthreads();
    __syncthreads();  // line: meet_once_more
    out[threadIdx.x] = 1;
}
