// The CUDA runtime as a submission sees it. A submission is compiled as device code, so what its launcher asks of CUDA
// becomes calls to the __warpgrade_ functions of cuda_runtime_api.h, which the grader records. NVRTC itself declares the
// vector types, the built-in variables and the device functions.
#pragma once

// As device code, a __host__ function is an ordinary one.
#undef __host__
#define __host__ __device__

#include <cuda_runtime_api.h>

// nvcc's own cuda_runtime.h brings these, and files written for it rely on that.
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
