// The driver API is for host programs; its version number is all that device code asks of this header.
#pragma once

#include <cuda_runtime_api.h>

#ifndef CUDA_VERSION
#define CUDA_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#endif
