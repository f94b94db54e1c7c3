// The CUDA runtime of a whole program that runs on the virtual GPU (host/program.hpp). All of it is compiled as device
// code; what its host side asks for becomes a call of a __warpgrade_ function, which grader/host answers.
#pragma once

// As device code, a __host__ function is an ordinary one.
#undef __host__
#define __host__ __device__

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
#include <utility>

// As nvcc's: the smaller type becomes the larger one.
inline __device__ double fmax(double a, float b) { return fmax(a, static_cast<double>(b)); }
inline __device__ double fmax(float a, double b) { return fmax(static_cast<double>(a), b); }
inline __device__ double fmin(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline __device__ double fmin(float a, double b) { return fmin(static_cast<double>(a), b); }
