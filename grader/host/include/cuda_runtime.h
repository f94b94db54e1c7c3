// The CUDA runtime of a whole program that runs on the virtual GPU (host/program.hpp). All of it is compiled as device
// code; what its host side asks for becomes a call of a __warpgrade_ function, which grader/host answers.
#pragma once

// As device code, a __host__ function is an ordinary one.
#undef __host__
#define __host__ __device__

// Before what nvcc has for the host alone. Where the sides of a program are looked at (compile/sides.hpp), NVRTC warns
// of each use by what is not the host's.
#ifdef __WARPGRADE_SIDES__
#define __HOST_CODE __device__ __attribute__((deprecated("__host__")))
#else
#define __HOST_CODE __device__
#endif

#include <__later>
#include <__thrown>
#include <cuda_runtime_api.h>

// nvcc's own cuda_runtime.h brings these, and files written for it rely on that.
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

// Of index K of a local array A (host/checked_indices.hpp).
extern "C" __device__ void __warpgrade_outside(long long index, unsigned long long count, const char* name, int line,
                                               int is_store);
template <int K, class A, class Index>
inline __device__ Index __warpgrade_inside(Index index, const char* name, int line, int is_store) {
    constexpr unsigned long long count = std::extent_v<std::remove_reference_t<A>, K>;
    if (count != 0 && static_cast<unsigned long long>(index) >= count)
        __warpgrade_outside(static_cast<long long>(index), count, name, line, is_store);
    return index;
}

// As nvcc's: the smaller type becomes the larger one.
inline __device__ double fmax(double a, float b) { return fmax(a, static_cast<double>(b)); }
inline __device__ double fmax(float a, double b) { return fmax(static_cast<double>(a), b); }
inline __device__ double fmin(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline __device__ double fmin(float a, double b) { return fmin(static_cast<double>(a), b); }

// Of a whole number and a real one: double, as in C++.
#define WARPGRADE_MIXED(name)                                                                                       \
    template <class A, class B>                                                                                     \
    inline __device__ std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B> &&                        \
                                           (std::is_integral_v<A> || std::is_integral_v<B>), double>                \
    name(A a, B b) {                                                                                                \
        return ::name(static_cast<double>(a), static_cast<double>(b));                                              \
    }
WARPGRADE_MIXED(copysign)
WARPGRADE_MIXED(fmax)
WARPGRADE_MIXED(fmin)
WARPGRADE_MIXED(fmod)
WARPGRADE_MIXED(hypot)
WARPGRADE_MIXED(atan2)
WARPGRADE_MIXED(fdim)
#undef WARPGRADE_MIXED
