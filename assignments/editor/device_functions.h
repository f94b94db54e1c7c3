// What kernels call without a declaration of their own. Bodies are left out: an editor runs nothing.
#pragma once
#pragma GCC system_header

#define EDITOR_ALL_INTEGERS(row) row(int) row(unsigned) row(long long) row(unsigned long long)

// Barriers, fences, votes, and what the lanes of a warp tell each other.
__device__ void __syncthreads();
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ void __barrier_sync(unsigned id);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ int __all_sync(unsigned mask, int predicate);
__device__ int __any_sync(unsigned mask, int predicate);
__device__ int __uni_sync(unsigned mask, int predicate);
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ unsigned __activemask();
__device__ unsigned __fns(unsigned mask, unsigned base, int offset);
template <class T> __device__ T __shfl_sync(unsigned mask, T value, int lane, int width = 32) { __builtin_unreachable(); }
template <class T> __device__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) { __builtin_unreachable(); }
template <class T> __device__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) { __builtin_unreachable(); }
template <class T> __device__ T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) { __builtin_unreachable(); }
template <class T> __device__ unsigned __match_any_sync(unsigned mask, T value) { __builtin_unreachable(); }
template <class T> __device__ unsigned __match_all_sync(unsigned mask, T value, int* predicate) { __builtin_unreachable(); }
template <class T> __device__ T __reduce_add_sync(unsigned mask, T value) { __builtin_unreachable(); }
template <class T> __device__ T __reduce_min_sync(unsigned mask, T value) { __builtin_unreachable(); }
template <class T> __device__ T __reduce_max_sync(unsigned mask, T value) { __builtin_unreachable(); }
template <class T> __device__ T __reduce_and_sync(unsigned mask, T value) { __builtin_unreachable(); }
template <class T> __device__ T __reduce_or_sync(unsigned mask, T value) { __builtin_unreachable(); }
template <class T> __device__ T __reduce_xor_sync(unsigned mask, T value) { __builtin_unreachable(); }

// Atomic operations: on all of the GPU, within a block, and together with the CPU.
#define EDITOR_ATOMIC(name, type)                      \
    __device__ type name(type* address, type value);       \
    __device__ type name##_block(type* address, type value); \
    __device__ type name##_system(type* address, type value);
#define EDITOR_ATOMICS(type)       \
    EDITOR_ATOMIC(atomicExch, type) \
    EDITOR_ATOMIC(atomicAdd, type)  \
    EDITOR_ATOMIC(atomicSub, type)  \
    EDITOR_ATOMIC(atomicMin, type)  \
    EDITOR_ATOMIC(atomicMax, type)  \
    EDITOR_ATOMIC(atomicAnd, type)  \
    EDITOR_ATOMIC(atomicOr, type)   \
    EDITOR_ATOMIC(atomicXor, type)
#define EDITOR_CAS(type)                                                  \
    __device__ type atomicCAS(type* address, type compare, type value);       \
    __device__ type atomicCAS_block(type* address, type compare, type value); \
    __device__ type atomicCAS_system(type* address, type compare, type value);
EDITOR_ALL_INTEGERS(EDITOR_ATOMICS)
EDITOR_ALL_INTEGERS(EDITOR_CAS)
EDITOR_CAS(unsigned short)
EDITOR_ATOMIC(atomicExch, float)
EDITOR_ATOMIC(atomicAdd, float)
EDITOR_ATOMIC(atomicAdd, double)
EDITOR_ATOMIC(atomicAdd, float2)
EDITOR_ATOMIC(atomicAdd, float4)
EDITOR_ATOMIC(atomicInc, unsigned)
EDITOR_ATOMIC(atomicDec, unsigned)
#undef EDITOR_ATOMICS
#undef EDITOR_ATOMIC
#undef EDITOR_CAS

// Loads and stores with a word for the caches.
#define EDITOR_LOAD(name) template <class T> __device__ T name(const T* address) { return *address; }
#define EDITOR_STORE(name) template <class T> __device__ void name(T* address, T value) {}
EDITOR_LOAD(__ldg) EDITOR_LOAD(__ldca) EDITOR_LOAD(__ldcg) EDITOR_LOAD(__ldcs) EDITOR_LOAD(__ldlu) EDITOR_LOAD(__ldcv)
EDITOR_STORE(__stwb) EDITOR_STORE(__stcg) EDITOR_STORE(__stcs) EDITOR_STORE(__stwt)
#undef EDITOR_LOAD
#undef EDITOR_STORE
__device__ unsigned __isGlobal(const void* address);
__device__ unsigned __isShared(const void* address);
__device__ unsigned __isConstant(const void* address);
__device__ unsigned __isLocal(const void* address);
__device__ size_t __cvta_generic_to_shared(const void* address);
__device__ size_t __cvta_generic_to_global(const void* address);
__device__ void* __cvta_shared_to_generic(size_t address);
__device__ void* __cvta_global_to_generic(size_t address);

// Time, and an end.
__device__ long long clock64();
__device__ int clock();
__device__ void __nanosleep(unsigned nanoseconds);
__device__ void __trap();
__device__ void __brkpt();
__device__ unsigned long long __globaltimer();

// Bits and whole numbers.
__device__ int __popc(unsigned x);
__device__ int __popcll(unsigned long long x);
__device__ int __clz(int x);
__device__ int __clzll(long long x);
__device__ int __ffs(int x);
__device__ int __ffsll(long long x);
__device__ unsigned __brev(unsigned x);
__device__ unsigned long long __brevll(unsigned long long x);
__device__ unsigned __byte_perm(unsigned x, unsigned y, unsigned selector);
__device__ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift);
__device__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift);
__device__ unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift);
__device__ unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift);
__device__ int __mulhi(int x, int y);
__device__ unsigned __umulhi(unsigned x, unsigned y);
__device__ long long __mul64hi(long long x, long long y);
__device__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y);
__device__ int __mul24(int x, int y);
__device__ unsigned __umul24(unsigned x, unsigned y);
__device__ unsigned __sad(int x, int y, unsigned z);
__device__ unsigned __usad(unsigned x, unsigned y, unsigned z);
__device__ int __hadd(int x, int y);
__device__ int __rhadd(int x, int y);
__device__ int __dp4a(int x, int y, int sum);
__device__ unsigned __dp4a(unsigned x, unsigned y, unsigned sum);
__device__ unsigned __vadd4(unsigned x, unsigned y);
__device__ unsigned __vadd2(unsigned x, unsigned y);
__device__ unsigned __vsub4(unsigned x, unsigned y);
__device__ unsigned __vcmpeq4(unsigned x, unsigned y);

// The same bits as another type, and conversions with a rounding: _rn to the nearest, _rz, _ru, _rd.
__device__ int __float_as_int(float x);
__device__ unsigned __float_as_uint(float x);
__device__ float __int_as_float(int x);
__device__ float __uint_as_float(unsigned x);
__device__ long long __double_as_longlong(double x);
__device__ double __longlong_as_double(long long x);
__device__ int __double2hiint(double x);
__device__ int __double2loint(double x);
__device__ double __hiloint2double(int high, int low);
#define EDITOR_ROUNDINGS(to, name, from) \
    __device__ to name##_rn(from x);     \
    __device__ to name##_rz(from x);     \
    __device__ to name##_ru(from x);     \
    __device__ to name##_rd(from x);
EDITOR_ROUNDINGS(int, __float2int, float)
EDITOR_ROUNDINGS(unsigned, __float2uint, float)
EDITOR_ROUNDINGS(long long, __float2ll, float)
EDITOR_ROUNDINGS(unsigned long long, __float2ull, float)
EDITOR_ROUNDINGS(int, __double2int, double)
EDITOR_ROUNDINGS(unsigned, __double2uint, double)
EDITOR_ROUNDINGS(long long, __double2ll, double)
EDITOR_ROUNDINGS(unsigned long long, __double2ull, double)
EDITOR_ROUNDINGS(float, __double2float, double)
EDITOR_ROUNDINGS(float, __int2float, int)
EDITOR_ROUNDINGS(float, __uint2float, unsigned)
EDITOR_ROUNDINGS(float, __ll2float, long long)
EDITOR_ROUNDINGS(float, __ull2float, unsigned long long)
EDITOR_ROUNDINGS(double, __ll2double, long long)
EDITOR_ROUNDINGS(double, __ull2double, unsigned long long)
EDITOR_ROUNDINGS(float, __frcp, float)
EDITOR_ROUNDINGS(float, __fsqrt, float)
EDITOR_ROUNDINGS(double, __drcp, double)
EDITOR_ROUNDINGS(double, __dsqrt, double)
#undef EDITOR_ROUNDINGS
__device__ double __int2double_rn(int x);
__device__ double __uint2double_rn(unsigned x);
__device__ float __frsqrt_rn(float x);
#define EDITOR_OF_TWO(type, name)           \
    __device__ type name##_rn(type x, type y); \
    __device__ type name##_rz(type x, type y); \
    __device__ type name##_ru(type x, type y); \
    __device__ type name##_rd(type x, type y);
EDITOR_OF_TWO(float, __fadd) EDITOR_OF_TWO(float, __fsub) EDITOR_OF_TWO(float, __fmul) EDITOR_OF_TWO(float, __fdiv)
EDITOR_OF_TWO(double, __dadd) EDITOR_OF_TWO(double, __dsub) EDITOR_OF_TWO(double, __dmul) EDITOR_OF_TWO(double, __ddiv)
#undef EDITOR_OF_TWO
#define EDITOR_OF_THREE(type, name)                 \
    __device__ type name##_rn(type x, type y, type z); \
    __device__ type name##_rz(type x, type y, type z); \
    __device__ type name##_ru(type x, type y, type z); \
    __device__ type name##_rd(type x, type y, type z);
EDITOR_OF_THREE(float, __fmaf)
EDITOR_OF_THREE(double, __fma)
#undef EDITOR_OF_THREE

// Fast and less exact.
__device__ float __fdividef(float x, float y);
__device__ float __powf(float x, float y);
__device__ void __sincosf(float x, float* sine, float* cosine);
__device__ float __sinf(float x);
__device__ float __cosf(float x);
__device__ float __tanf(float x);
__device__ float __expf(float x);
__device__ float __exp10f(float x);
__device__ float __logf(float x);
__device__ float __log2f(float x);
__device__ float __log10f(float x);
__device__ float __saturatef(float x);
__device__ float __tanhf(float x);

// Beyond the C++ library.
EDITOR_BOTH float rsqrtf(float x) { return x; }
EDITOR_BOTH double rsqrt(double x) { return x; }
EDITOR_BOTH float rsqrt(float x) { return x; }
EDITOR_BOTH float rcbrtf(float x) { return x; }
EDITOR_BOTH double rcbrt(double x) { return x; }
EDITOR_BOTH float sinpif(float x) { return x; }
EDITOR_BOTH double sinpi(double x) { return x; }
EDITOR_BOTH float cospif(float x) { return x; }
EDITOR_BOTH double cospi(double x) { return x; }
EDITOR_BOTH float normf(int, const float* values) { return *values; }
EDITOR_BOTH double norm(int, const double* values) { return *values; }
EDITOR_BOTH float norm3df(float x, float, float) { return x; }
EDITOR_BOTH float norm4df(float x, float, float, float) { return x; }
EDITOR_BOTH float rhypotf(float x, float) { return x; }
EDITOR_BOTH float saturate(float x) { return x; }

#define EDITOR_EXTREME(type)                                              \
    EDITOR_BOTH constexpr type min(type x, type y) { return x < y ? x : y; } \
    EDITOR_BOTH constexpr type max(type x, type y) { return x < y ? y : x; }
EDITOR_ALL_INTEGERS(EDITOR_EXTREME)
EDITOR_EXTREME(long)
EDITOR_EXTREME(unsigned long)
EDITOR_EXTREME(float)
EDITOR_EXTREME(double)
#undef EDITOR_EXTREME
#define EDITOR_MIXED(type, one, other)                                   \
    EDITOR_BOTH constexpr type min(one x, other y) { return min((type)x, (type)y); } \
    EDITOR_BOTH constexpr type min(other x, one y) { return min((type)x, (type)y); } \
    EDITOR_BOTH constexpr type max(one x, other y) { return max((type)x, (type)y); } \
    EDITOR_BOTH constexpr type max(other x, one y) { return max((type)x, (type)y); }
EDITOR_MIXED(unsigned, int, unsigned)
EDITOR_MIXED(unsigned long, long, unsigned long)
EDITOR_MIXED(unsigned long long, long long, unsigned long long)
EDITOR_MIXED(double, float, double)
#undef EDITOR_MIXED
EDITOR_BOTH unsigned umin(unsigned x, unsigned y) { return min(x, y); }
EDITOR_BOTH unsigned umax(unsigned x, unsigned y) { return max(x, y); }

// Textures.
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t texture, int x) { __builtin_unreachable(); }
template <class T> __device__ T tex1D(cudaTextureObject_t texture, float x) { __builtin_unreachable(); }
template <class T> __device__ T tex2D(cudaTextureObject_t texture, float x, float y) { __builtin_unreachable(); }
template <class T> __device__ T tex3D(cudaTextureObject_t texture, float x, float y, float z) { __builtin_unreachable(); }
