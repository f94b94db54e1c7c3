// Copies from global to shared memory that a thread does not wait for.
#pragma once
#pragma GCC system_header

__device__ void __pipeline_memcpy_async(void* to_shared, const void* from_global, size_t bytes, size_t zeros = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t stages);
