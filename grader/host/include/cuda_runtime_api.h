// Names are macros, since NVRTC declares some of them itself, for a device runtime that the virtual GPU does not have.
#pragma once

#include <cstddef>

#undef CUDART_VERSION
#define CUDART_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)

// What grader/host answers (host/calls.cpp). `kind`: cudaMemcpyKind.
extern "C" {
__device__ cudaError_t __warpgrade_malloc(void** address, size_t bytes, int kind);  // 0 device, 1 pinned, 2 managed
__device__ cudaError_t __warpgrade_free(void* address, int kind);
__device__ cudaError_t __warpgrade_memcpy(void* to, const void* from, size_t bytes, int kind, cudaStream_t stream,
                                          int is_async);
__device__ cudaError_t __warpgrade_memcpy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                             size_t width, size_t height, int kind, cudaStream_t stream, int is_async);
__device__ cudaError_t __warpgrade_memcpy_symbol(const void* symbol, void* other, size_t bytes, size_t offset, int kind,
                                                 cudaStream_t stream, int is_async, int is_to_symbol);
__device__ cudaError_t __warpgrade_memset(void* address, int value, size_t bytes, cudaStream_t stream, int is_async);
__device__ cudaError_t __warpgrade_symbol(void** address, size_t* bytes, const void* symbol);
__device__ cudaError_t __warpgrade_pointer_kind(const void* address, int* kind);
__device__ cudaError_t __warpgrade_memory_info(size_t* free_bytes, size_t* all_bytes);
__device__ cudaError_t __warpgrade_last_error();
__device__ cudaError_t __warpgrade_peek_error();
__device__ cudaError_t __warpgrade_note_error(int error);  // of what was refused here; returns it
__device__ cudaError_t __warpgrade_synchronize();
__device__ cudaError_t __warpgrade_reset();
__device__ cudaError_t __warpgrade_stream_create(cudaStream_t* stream, unsigned flags);
__device__ cudaError_t __warpgrade_stream_destroy(cudaStream_t stream);
__device__ cudaError_t __warpgrade_stream_synchronize(cudaStream_t stream);
__device__ cudaError_t __warpgrade_stream_query(cudaStream_t stream);
__device__ cudaError_t __warpgrade_stream_wait(cudaStream_t stream, cudaEvent_t event);
__device__ cudaError_t __warpgrade_event_create(cudaEvent_t* event, unsigned flags);
__device__ cudaError_t __warpgrade_event_destroy(cudaEvent_t event);
__device__ cudaError_t __warpgrade_event_record(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t __warpgrade_event_synchronize(cudaEvent_t event);
__device__ cudaError_t __warpgrade_event_query(cudaEvent_t event);
__device__ cudaError_t __warpgrade_event_elapsed(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
__device__ cudaError_t __warpgrade_attribute(int* value, int attribute);
__device__ cudaError_t __warpgrade_device_name(char* name, size_t bytes);
__device__ cudaError_t __warpgrade_kernel_attributes(const void* kernel, size_t* shared_bytes, int* max_threads);
__device__ cudaError_t __warpgrade_set_kernel_attribute(const void* kernel, int attribute, int value);
__device__ cudaError_t __warpgrade_occupancy(int* blocks, const void* kernel, int block_threads, size_t shared_bytes);
__device__ cudaError_t __warpgrade_launch(const void* kernel, const dim3* grid, const dim3* block, void** arguments,
                                          size_t shared_bytes, cudaStream_t stream, int is_cooperative,
                                          const dim3* cluster);
__device__ const char* __warpgrade_error_text(int error, int is_name);
}

#define cudaMalloc __warpgrade_cudaMalloc
#define cudaMallocManaged __warpgrade_cudaMallocManaged
#define cudaMallocHost __warpgrade_cudaMallocHost
#define cudaHostAlloc __warpgrade_cudaHostAlloc
#define cudaMallocAsync __warpgrade_cudaMallocAsync
#define cudaMallocPitch __warpgrade_cudaMallocPitch
#define cudaFree __warpgrade_cudaFree
#define cudaFreeHost __warpgrade_cudaFreeHost
#define cudaFreeAsync __warpgrade_cudaFreeAsync
#define cudaMemcpy __warpgrade_cudaMemcpy
#define cudaMemcpyAsync __warpgrade_cudaMemcpyAsync
#define cudaMemcpy2D __warpgrade_cudaMemcpy2D
#define cudaMemcpy2DAsync __warpgrade_cudaMemcpy2DAsync
#define cudaMemset __warpgrade_cudaMemset
#define cudaMemsetAsync __warpgrade_cudaMemsetAsync
#define cudaMemGetInfo __warpgrade_cudaMemGetInfo
#define cudaGetLastError __warpgrade_cudaGetLastError
#define cudaPeekAtLastError __warpgrade_cudaPeekAtLastError
#define cudaGetErrorString __warpgrade_cudaGetErrorString
#define cudaGetErrorName __warpgrade_cudaGetErrorName
#define cudaDeviceSynchronize __warpgrade_cudaDeviceSynchronize
#define cudaDeviceReset __warpgrade_cudaDeviceReset
#define cudaGetDevice __warpgrade_cudaGetDevice
#define cudaSetDevice __warpgrade_cudaSetDevice
#define cudaGetDeviceCount __warpgrade_cudaGetDeviceCount
#define cudaDeviceGetAttribute __warpgrade_cudaDeviceGetAttribute
#define cudaGetDeviceProperties __warpgrade_cudaGetDeviceProperties
#define cudaDriverGetVersion __warpgrade_cudaDriverGetVersion
#define cudaRuntimeGetVersion __warpgrade_cudaRuntimeGetVersion
#define cudaStreamCreate __warpgrade_cudaStreamCreate
#define cudaStreamCreateWithFlags __warpgrade_cudaStreamCreateWithFlags
#define cudaStreamDestroy __warpgrade_cudaStreamDestroy
#define cudaStreamSynchronize __warpgrade_cudaStreamSynchronize
#define cudaStreamQuery __warpgrade_cudaStreamQuery
#define cudaStreamWaitEvent __warpgrade_cudaStreamWaitEvent
#define cudaEventCreate __warpgrade_cudaEventCreate
#define cudaEventCreateWithFlags __warpgrade_cudaEventCreateWithFlags
#define cudaEventDestroy __warpgrade_cudaEventDestroy
#define cudaEventRecord __warpgrade_cudaEventRecord
#define cudaEventSynchronize __warpgrade_cudaEventSynchronize
#define cudaEventQuery __warpgrade_cudaEventQuery
#define cudaEventElapsedTime __warpgrade_cudaEventElapsedTime
#define cudaFuncSetAttribute __warpgrade_cudaFuncSetAttribute
#define cudaFuncSetCacheConfig __warpgrade_cudaFuncSetCacheConfig
#define cudaDeviceSetCacheConfig __warpgrade_cudaDeviceSetCacheConfig
#define cudaDeviceSetLimit __warpgrade_cudaDeviceSetLimit
#define cudaDeviceGetLimit __warpgrade_cudaDeviceGetLimit
#define cudaFuncGetAttributes __warpgrade_cudaFuncGetAttributes
#define cudaLaunchCooperativeKernel __warpgrade_cudaLaunchCooperativeKernel
#define cudaLaunchKernel __warpgrade_cudaLaunchKernel
#define cudaLaunchKernelEx __warpgrade_cudaLaunchKernelEx
#define cudaLaunchKernelExC __warpgrade_cudaLaunchKernelExC
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor __warpgrade_cudaOccupancyMaxActiveBlocksPerMultiprocessor
#define cudaOccupancyMaxPotentialBlockSize __warpgrade_cudaOccupancyMaxPotentialBlockSize

#define WARPGRADE_API static __forceinline__ __device__

// Memory.
template <class T> WARPGRADE_API cudaError_t cudaMalloc(T** address, size_t bytes) {
    return __warpgrade_malloc((void**)address, bytes, 0);
}
template <class T> WARPGRADE_API cudaError_t cudaMallocAsync(T** address, size_t bytes, cudaStream_t) {
    return __warpgrade_malloc((void**)address, bytes, 0);
}
template <class T> WARPGRADE_API cudaError_t cudaMallocHost(T** address, size_t bytes, unsigned = 0) {
    return __warpgrade_malloc((void**)address, bytes, 1);
}
template <class T> WARPGRADE_API cudaError_t cudaHostAlloc(T** address, size_t bytes, unsigned) {
    return __warpgrade_malloc((void**)address, bytes, 1);
}
template <class T>
WARPGRADE_API cudaError_t cudaMallocManaged(T** address, size_t bytes, unsigned = cudaMemAttachGlobal) {
    return __warpgrade_malloc((void**)address, bytes, 2);
}
template <class T>
WARPGRADE_API cudaError_t cudaMallocPitch(T** address, size_t* pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return __warpgrade_malloc((void**)address, *pitch * height, 0);
}
static __device__ inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    return {width, height, depth};
}
static __device__ inline cudaPitchedPtr make_cudaPitchedPtr(void* address, size_t pitch, size_t width, size_t height) {
    return {address, pitch, width, height};
}
WARPGRADE_API cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
    const size_t pitch = (extent.width + 511) / 512 * 512;
    *memory = make_cudaPitchedPtr(nullptr, pitch, extent.width, extent.height);
    return __warpgrade_malloc(&memory->ptr, pitch * extent.height * extent.depth, 0);
}
WARPGRADE_API cudaError_t cudaFree(void* address) { return __warpgrade_free(address, 0); }
WARPGRADE_API cudaError_t cudaFreeAsync(void* address, cudaStream_t) { return __warpgrade_free(address, 0); }
WARPGRADE_API cudaError_t cudaFreeHost(void* address) { return __warpgrade_free(address, 1); }
WARPGRADE_API cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* all_bytes) {
    return __warpgrade_memory_info(free_bytes, all_bytes);
}
// All memory of the host may be copied from here, pinned or not.
WARPGRADE_API cudaError_t cudaHostRegister(void* address, size_t bytes, unsigned = 0) {
    return address == nullptr || bytes == 0 ? __warpgrade_note_error(cudaErrorInvalidValue) : cudaSuccess;
}
WARPGRADE_API cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
struct cudaPointerAttributes_ {
    int type, device;
    void *devicePointer, *hostPointer;
};
#define cudaPointerAttributes cudaPointerAttributes_
#define cudaMemoryTypeUnregistered 0
#define cudaMemoryTypeHost 1
#define cudaMemoryTypeDevice 2
#define cudaMemoryTypeManaged 3
WARPGRADE_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
    *attributes = {0, 0, nullptr, nullptr};
    const cudaError_t error = __warpgrade_pointer_kind(address, &attributes->type);
    if (attributes->type != cudaMemoryTypeUnregistered) attributes->devicePointer = (void*)address;
    if (attributes->type != cudaMemoryTypeDevice) attributes->hostPointer = (void*)address;
    return error;
}
template <class... Words> WARPGRADE_API cudaError_t cudaMemAdvise(const void*, size_t, Words...) { return cudaSuccess; }
template <class T>
WARPGRADE_API cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned) {
    *device = (T*)host;
    return cudaSuccess;
}
// One address for both sides from the start.
WARPGRADE_API cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0) { return cudaSuccess; }
WARPGRADE_API cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t = 0) {
    return cudaSuccess;
}

// Copies.
WARPGRADE_API cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return __warpgrade_memcpy(to, from, bytes, kind, 0, 0);
}
WARPGRADE_API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                          cudaStream_t stream = 0) {
    return __warpgrade_memcpy(to, from, bytes, kind, stream, 1);
}
WARPGRADE_API cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                       size_t height, cudaMemcpyKind kind) {
    return __warpgrade_memcpy_2d(to, to_pitch, from, from_pitch, width, height, kind, 0, 0);
}
WARPGRADE_API cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                            size_t width, size_t height, cudaMemcpyKind kind,
                                            cudaStream_t stream = 0) {
    return __warpgrade_memcpy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream, 1);
}
WARPGRADE_API cudaError_t cudaMemset(void* address, int value, size_t bytes) {
    return __warpgrade_memset(address, value, bytes, 0, 0);
}
WARPGRADE_API cudaError_t cudaMemsetAsync(void* address, int value, size_t bytes, cudaStream_t stream = 0) {
    return __warpgrade_memset(address, value, bytes, stream, 1);
}
WARPGRADE_API cudaError_t cudaMemset2D(void* address, size_t pitch, int value, size_t width, size_t height) {
    cudaError_t error = width > pitch ? __warpgrade_note_error(cudaErrorInvalidValue) : cudaSuccess;
    for (size_t row = 0; row < height && error == cudaSuccess; ++row)
        error = __warpgrade_memset((char*)address + row * pitch, value, width, 0, 0);
    return error;
}
template <class T>
WARPGRADE_API cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return __warpgrade_memcpy_symbol((const void*)&symbol, (void*)from, bytes, offset, kind, 0, 0, 1);
}
template <class T>
WARPGRADE_API cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return __warpgrade_memcpy_symbol((const void*)&symbol, to, bytes, offset, kind, 0, 0, 0);
}
template <class T>
WARPGRADE_API cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
    return __warpgrade_memcpy_symbol((const void*)&symbol, (void*)from, bytes, offset, kind, stream, 1, 1);
}
template <class T>
WARPGRADE_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0) {
    return __warpgrade_memcpy_symbol((const void*)&symbol, to, bytes, offset, kind, stream, 1, 0);
}
template <class T> WARPGRADE_API cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
    size_t bytes = 0;
    return __warpgrade_symbol(address, &bytes, (const void*)&symbol);
}
template <class T> WARPGRADE_API cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
    void* address = nullptr;
    return __warpgrade_symbol(&address, bytes, (const void*)&symbol);
}

// Errors and the device.
WARPGRADE_API cudaError_t cudaGetLastError() { return __warpgrade_last_error(); }
WARPGRADE_API cudaError_t cudaPeekAtLastError() { return __warpgrade_peek_error(); }
WARPGRADE_API const char* cudaGetErrorString(cudaError_t error) { return __warpgrade_error_text(error, 0); }
WARPGRADE_API const char* cudaGetErrorName(cudaError_t error) { return __warpgrade_error_text(error, 1); }
WARPGRADE_API cudaError_t cudaDeviceSynchronize() { return __warpgrade_synchronize(); }
WARPGRADE_API cudaError_t cudaDeviceReset() { return __warpgrade_reset(); }
WARPGRADE_API cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
WARPGRADE_API cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
WARPGRADE_API cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : __warpgrade_note_error(cudaErrorInvalidDevice);
}
WARPGRADE_API cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
WARPGRADE_API cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
WARPGRADE_API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    return __warpgrade_attribute(value, attribute);
}
WARPGRADE_API cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    *can = 0;
    return device == 0 && peer == 0 ? cudaSuccess : __warpgrade_note_error(cudaErrorInvalidDevice);
}
WARPGRADE_API cudaError_t cudaProfilerStart() { return cudaSuccess; }
WARPGRADE_API cudaError_t cudaProfilerStop() { return cudaSuccess; }
WARPGRADE_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
WARPGRADE_API cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
WARPGRADE_API cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    *value = limit == cudaLimitStackSize ? 1024 : size_t(8) << 20;
    return cudaSuccess;
}
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
WARPGRADE_API cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
WARPGRADE_API cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}
WARPGRADE_API cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
WARPGRADE_API cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
WARPGRADE_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
WARPGRADE_API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return __warpgrade_note_error(cudaErrorInvalidDevice); }
WARPGRADE_API cudaError_t cudaDeviceDisablePeerAccess(int) { return __warpgrade_note_error(cudaErrorInvalidDevice); }
static __device__ __noinline__ cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (device != 0) return __warpgrade_note_error(cudaErrorInvalidDevice);
    for (size_t i = 0; i < sizeof *properties; ++i) ((char*)properties)[i] = 0;
    __warpgrade_device_name(properties->name, sizeof properties->name);
    size_t free_bytes = 0;
    __warpgrade_memory_info(&free_bytes, &properties->totalGlobalMem);
    properties->totalConstMem = 65536;
    properties->memPitch = 2147483647;
    properties->textureAlignment = 512;
    properties->unifiedAddressing = properties->managedMemory = properties->concurrentManagedAccess = 1;
    properties->canMapHostMemory = 1;
    properties->asyncEngineCount = 2;
    int bytes = 0;
    __warpgrade_attribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlock);
    properties->sharedMemPerBlock = bytes;
    __warpgrade_attribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin);
    properties->sharedMemPerBlockOptin = bytes;
    __warpgrade_attribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    properties->sharedMemPerMultiprocessor = bytes;
    __warpgrade_attribute(&properties->warpSize, cudaDevAttrWarpSize);
    __warpgrade_attribute(&properties->regsPerBlock, cudaDevAttrMaxRegistersPerBlock);
    __warpgrade_attribute(&properties->regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor);
    __warpgrade_attribute(&properties->maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
    __warpgrade_attribute(&properties->maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
    __warpgrade_attribute(&properties->maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor);
    for (int i = 0; i < 3; ++i) {
        __warpgrade_attribute(&properties->maxThreadsDim[i], cudaDevAttrMaxBlockDimX + i);
        __warpgrade_attribute(&properties->maxGridSize[i], cudaDevAttrMaxGridDimX + i);
    }
    __warpgrade_attribute(&properties->multiProcessorCount, cudaDevAttrMultiProcessorCount);
    __warpgrade_attribute(&properties->concurrentKernels, cudaDevAttrConcurrentKernels);
    __warpgrade_attribute(&properties->l2CacheSize, cudaDevAttrL2CacheSize);
    __warpgrade_attribute(&properties->memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth);
#if __CUDACC_VER_MAJOR__ >= 13
    __warpgrade_attribute(&properties->clusterLaunch, cudaDevAttrClusterLaunch);
#endif
    __warpgrade_attribute(&properties->major, cudaDevAttrComputeCapabilityMajor);
    return __warpgrade_attribute(&properties->minor, cudaDevAttrComputeCapabilityMinor);
}

// Streams and events.
WARPGRADE_API cudaError_t cudaStreamCreate(cudaStream_t* stream) { return __warpgrade_stream_create(stream, 0); }
WARPGRADE_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return __warpgrade_stream_create(stream, flags);
}
WARPGRADE_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return __warpgrade_stream_create(stream, flags);
}
WARPGRADE_API cudaError_t cudaStreamDestroy(cudaStream_t stream) { return __warpgrade_stream_destroy(stream); }
WARPGRADE_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return __warpgrade_stream_synchronize(stream); }
WARPGRADE_API cudaError_t cudaStreamQuery(cudaStream_t stream) { return __warpgrade_stream_query(stream); }
// What the host does between the work of a stream: here the host waits for the stream, and does it at once.
template <class F> WARPGRADE_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, F* function, void* data) {
    const cudaError_t error = __warpgrade_stream_synchronize(stream);
    if (error == cudaSuccess) function(data);
    return error;
}
template <class F>
WARPGRADE_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, F* function, void* data, unsigned) {
    const cudaError_t error = __warpgrade_stream_synchronize(stream);
    function(stream, error, data);
    return cudaSuccess;
}
WARPGRADE_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0) {
    return __warpgrade_stream_wait(stream, event);
}
WARPGRADE_API cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags = 0) {
    return __warpgrade_event_create(event, flags);
}
WARPGRADE_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return __warpgrade_event_create(event, flags);
}
WARPGRADE_API cudaError_t cudaEventDestroy(cudaEvent_t event) { return __warpgrade_event_destroy(event); }
WARPGRADE_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0) {
    return __warpgrade_event_record(event, stream);
}
WARPGRADE_API cudaError_t cudaEventSynchronize(cudaEvent_t event) { return __warpgrade_event_synchronize(event); }
WARPGRADE_API cudaError_t cudaEventQuery(cudaEvent_t event) { return __warpgrade_event_query(event); }
WARPGRADE_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return __warpgrade_event_elapsed(milliseconds, start, end);
}

// Kernels as values.
template <class Kernel>
WARPGRADE_API cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
    return __warpgrade_set_kernel_attribute((const void*)kernel, attribute, value);
}
template <class Kernel> WARPGRADE_API cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) { return cudaSuccess; }
template <class Kernel> WARPGRADE_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) {
    for (size_t i = 0; i < sizeof *attributes; ++i) ((char*)attributes)[i] = 0;
    return __warpgrade_kernel_attributes((const void*)kernel, &attributes->sharedSizeBytes,
                                         &attributes->maxThreadsPerBlock);
}
template <class Kernel>
WARPGRADE_API cudaError_t cudaLaunchKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                                           size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return __warpgrade_launch((const void*)kernel, &grid, &block, arguments, shared_bytes, stream, 0, nullptr);
}
// All blocks of it have to fit on the GPU at once.
template <class Kernel>
WARPGRADE_API cudaError_t cudaLaunchCooperativeKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                                                      size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return __warpgrade_launch((const void*)kernel, &grid, &block, arguments, shared_bytes, stream, 1, nullptr);
}
// Of the attributes a cooperative launch and clusters are done; the others change nothing that is seen.
template <class Config> static __device__ const cudaLaunchAttribute* __warpgrade_attribute_of(const Config* config, int id) {
    const cudaLaunchAttribute* found = nullptr;
    for (unsigned i = 0; i < config->numAttrs; ++i)
        if (config->attrs[i].id == id) found = &config->attrs[i];
    return found;
}
template <class Kernel>
WARPGRADE_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, Kernel* kernel, void** arguments) {
    const cudaLaunchAttribute* const all = __warpgrade_attribute_of(config, cudaLaunchAttributeCooperative);
    const cudaLaunchAttribute* const blocks = __warpgrade_attribute_of(config, cudaLaunchAttributeClusterDimension);
    dim3 cluster(0, 0, 0);
    if (blocks != nullptr) cluster = dim3(blocks->val.clusterDim.x, blocks->val.clusterDim.y, blocks->val.clusterDim.z);
    return __warpgrade_launch((const void*)kernel, &config->gridDim, &config->blockDim, arguments,
                              config->dynamicSmemBytes, config->stream, all != nullptr && all->val.cooperative,
                              &cluster);
}
template <class... Parameters, class... Arguments>
WARPGRADE_API cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                             Arguments&&... arguments) {
    const auto launch = [&](Parameters... values) {
        void* all[sizeof...(Parameters) + 1] = {(void*)&values..., nullptr};
        return cudaLaunchKernelExC(config, kernel, all);
    };
    return launch(static_cast<Parameters>(arguments)...);
}
template <class Kernel>
WARPGRADE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int block_threads,
                                                                        size_t shared_bytes) {
    return __warpgrade_occupancy(blocks, (const void*)kernel, block_threads, shared_bytes);
}
template <class Kernel>
static __device__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_blocks, int* block_threads, Kernel* kernel,
                                                                 size_t shared_bytes = 0, int largest_block = 0) {
    int multiprocessors = 0, most_resident = 0;
    cudaError_t error = __warpgrade_attribute(&multiprocessors, cudaDevAttrMultiProcessorCount);
    if (largest_block <= 0) error = __warpgrade_attribute(&largest_block, cudaDevAttrMaxThreadsPerBlock);
    for (int threads = largest_block / 32 * 32; threads > 0 && error == cudaSuccess; threads -= 32) {
        int blocks = 0;
        error = __warpgrade_occupancy(&blocks, (const void*)kernel, threads, shared_bytes);
        if (blocks * threads <= most_resident) continue;
        most_resident = blocks * threads;
        *block_threads = threads;
        *grid_blocks = blocks * multiprocessors;
    }
    return error;
}
