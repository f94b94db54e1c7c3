// What sample programs take of a header of this name: checkCudaErrors, getLastCudaError, findCudaDevice.
#pragma once

#include <cstdio>
#include <cstdlib>

static __device__ inline void __warpgrade_check(cudaError_t error, const char* call, const char* file, int line) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, (int)error, cudaGetErrorName(error), call);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) __warpgrade_check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) __warpgrade_check(cudaGetLastError(), message, __FILE__, __LINE__)
static __device__ inline int findCudaDevice(int, const char**) { return 0; }
static __device__ inline int gpuGetMaxGflopsDeviceId() { return 0; }
