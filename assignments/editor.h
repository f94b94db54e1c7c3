// CUDA as an editor's language server (clangd) has to know it: the words, built-in variables and functions that a
// compiler for CUDA has by itself. compile_flags.txt reads this before each file, so that no CUDA toolkit is needed to
// see where a kernel has a mistake. Only an editor reads it: `check` compiles with NVIDIA's own compiler.
#pragma once
#pragma GCC system_header

// The C++ library where this machine has one; else what the grader brings (grader/compile/include).
#if __has_include(<bits/c++config.h>) || __has_include(<__config>)
#if __clang_major__ < 15 && __has_include(<bits/shared_ptr.h>)
#include <memory>  // of GCC 12: has __noinline__ in it, which is a macro below
#endif
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits>
#include <new>
#include <utility>
#else
#include "editor/no_library.h"
#endif

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __launch_bounds__(threads, ...) __attribute__((launch_bounds(threads)))
#define __maxnreg__(registers)
#define __cluster_dims__(...)
#define __block_size__(...)
#if __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif

#include <new>  // now with what of it kernels have

// Of what is called on both sides, and of what is called in kernels only.
#define EDITOR_BOTH static inline __attribute__((host, device, unused))
#define EDITOR_KERNEL static inline __attribute__((device, unused))

// `__shared__ alignas(16) float tile[32]`: clang takes an attribute of this kind only at the beginning.
template <class T> constexpr size_t editor_alignment() { return alignof(T); }
template <size_t Bytes> constexpr size_t editor_alignment() { return Bytes; }
#define alignas(...) __attribute__((aligned(editor_alignment<__VA_ARGS__>())))

#include "editor/vector_types.h"

// In a kernel: where this thread is.
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;

// What `kernel<<<grid, block, bytes, stream>>>` is checked against.
typedef struct CUstream_st* cudaStream_t;
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = nullptr);
int cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = nullptr);

#include "editor/device_functions.h"
#include "editor/runtime.h"
