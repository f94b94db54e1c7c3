// The host calls of the CUDA runtime that belong in a launcher. Each name is a macro, since NVRTC declares some of them
// itself, for a device runtime that the grader does not have. The rest of the API stays undefined: the grader says why.
#pragma once

// What the grader answers; the only functions a submission calls that it does not define.
extern "C" {
__device__ cudaError_t __warpgrade_memset(void* address, int value, size_t bytes, cudaStream_t stream);
__device__ cudaError_t __warpgrade_func_set_attribute(const void* kernel, int attribute, int value);
__device__ cudaError_t __warpgrade_malloc(void** address, size_t bytes);
__device__ cudaError_t __warpgrade_free(void* address);
__device__ cudaError_t __warpgrade_get_last_error();
__device__ cudaError_t __warpgrade_peek_last_error();
__device__ cudaError_t __warpgrade_device_synchronize();
__device__ cudaError_t __warpgrade_get_attribute(int* value, int attribute);
__device__ cudaError_t __warpgrade_symbol_address(void** address, const void* symbol);
__device__ cudaError_t __warpgrade_host_copy();
__device__ cudaError_t __warpgrade_cooperative_launch(const void* kernel);
__device__ void __warpgrade_set_cluster(unsigned x, unsigned y, unsigned z);  // of the next launch
__device__ int __warpgrade_parameter(const void* kernel, int index, int* offset);  // its bytes; 0: there is none
__device__ cudaError_t __warpgrade_occupancy(int* blocks, const void* kernel, int block_threads, size_t shared_bytes);
}

#define cudaMemset __warpgrade_cudaMemset
#define cudaMemsetAsync __warpgrade_cudaMemsetAsync
#define cudaFuncSetAttribute __warpgrade_cudaFuncSetAttribute
#define cudaFuncSetCacheConfig __warpgrade_cudaFuncSetCacheConfig
#define cudaLaunchKernel __warpgrade_cudaLaunchKernel
#define cudaLaunchKernelEx __warpgrade_cudaLaunchKernelEx
#define cudaLaunchKernelExC __warpgrade_cudaLaunchKernelExC
#define cudaGetLastError __warpgrade_cudaGetLastError
#define cudaPeekAtLastError __warpgrade_cudaPeekAtLastError
#define cudaDeviceSynchronize __warpgrade_cudaDeviceSynchronize
#define cudaStreamSynchronize __warpgrade_cudaStreamSynchronize
#define cudaGetErrorString __warpgrade_cudaGetErrorString
#define cudaGetErrorName __warpgrade_cudaGetErrorName
#define cudaGetDevice __warpgrade_cudaGetDevice
#define cudaSetDevice __warpgrade_cudaSetDevice
#define cudaGetDeviceCount __warpgrade_cudaGetDeviceCount
#define cudaDeviceGetAttribute __warpgrade_cudaDeviceGetAttribute
#define cudaGetDeviceProperties __warpgrade_cudaGetDeviceProperties
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor __warpgrade_cudaOccupancyMaxActiveBlocksPerMultiprocessor
#define cudaOccupancyMaxPotentialBlockSize __warpgrade_cudaOccupancyMaxPotentialBlockSize

static __forceinline__ __device__ cudaError_t cudaMemsetAsync(void* address, int value, size_t bytes,
                                                              cudaStream_t stream = 0) {
    return __warpgrade_memset(address, value, bytes, stream);
}
static __forceinline__ __device__ cudaError_t cudaMemset(void* address, int value, size_t bytes) {
    return __warpgrade_memset(address, value, bytes, 0);
}
template <class Kernel>
static __forceinline__ __device__ cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute,
                                                                   int value) {
    return __warpgrade_func_set_attribute((const void*)kernel, attribute, value);
}
// A preference only: it never changes what a launch may do.
template <class Kernel>
static __forceinline__ __device__ cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) {
    return cudaSuccess;
}
template <class T>
static __forceinline__ __device__ cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
    return __warpgrade_symbol_address(address, (const void*)&symbol);
}
template <class Kernel>
static __forceinline__ __device__ cudaError_t cudaLaunchCooperativeKernel(Kernel* kernel, dim3, dim3, void**,
                                                                          size_t = 0, cudaStream_t = 0) {
    return __warpgrade_cooperative_launch((const void*)kernel);
}
template <class Kernel>
static __forceinline__ __device__ cudaError_t cudaLaunchKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments,
                                                               size_t shared_bytes = 0, cudaStream_t stream = 0) {
    char* const buffer = (char*)cudaGetParameterBufferV2((void*)kernel, grid, block, (unsigned)shared_bytes);
    for (int i = 0, offset = 0;; ++i) {
        const int bytes = __warpgrade_parameter((const void*)kernel, i, &offset);
        if (bytes == 0) return cudaLaunchDeviceV2(buffer, stream);
        for (int b = 0; b < bytes; ++b) buffer[offset + b] = ((const char*)arguments[i])[b];
    }
}
// A cooperative launch is a limit of the grader's; of the other attributes clusters alone change what is seen.
static __forceinline__ __device__ bool __warpgrade_is_cooperative(const cudaLaunchConfig_t* config) {
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        if (attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative) return true;
        const auto& cluster = attribute.val.clusterDim;
        if (attribute.id == cudaLaunchAttributeClusterDimension)
            __warpgrade_set_cluster(cluster.x, cluster.y, cluster.z);
    }
    return false;
}
template <class... Parameters, class... Arguments>
static __forceinline__ __device__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                                                 void (*kernel)(Parameters...),
                                                                 Arguments&&... arguments) {
    if (__warpgrade_is_cooperative(config)) return __warpgrade_cooperative_launch((const void*)kernel);
    kernel<<<config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream>>>(
        static_cast<Parameters>(arguments)...);
    return __warpgrade_peek_last_error();
}
template <class Kernel>
static __forceinline__ __device__ cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, Kernel* kernel,
                                                                  void** arguments) {
    if (__warpgrade_is_cooperative(config)) return __warpgrade_cooperative_launch((const void*)kernel);
    return cudaLaunchKernel(kernel, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                            config->stream);
}
static __forceinline__ __device__ cudaError_t cudaGetLastError() { return __warpgrade_get_last_error(); }
static __forceinline__ __device__ cudaError_t cudaPeekAtLastError() { return __warpgrade_peek_last_error(); }
static __forceinline__ __device__ cudaError_t cudaDeviceSynchronize() { return __warpgrade_device_synchronize(); }
static __forceinline__ __device__ cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return __warpgrade_device_synchronize();
}

static __forceinline__ __device__ cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
static __forceinline__ __device__ cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
static __forceinline__ __device__ cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
static __forceinline__ __device__ cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    return __warpgrade_get_attribute(value, attribute);
}
static __device__ __noinline__ cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
    for (size_t i = 0; i < sizeof *properties; ++i) ((char*)properties)[i] = 0;
    int bytes = 0;
    __warpgrade_get_attribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlock);
    properties->sharedMemPerBlock = bytes;
    __warpgrade_get_attribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin);
    properties->sharedMemPerBlockOptin = bytes;
    __warpgrade_get_attribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    properties->sharedMemPerMultiprocessor = bytes;
    __warpgrade_get_attribute(&properties->warpSize, cudaDevAttrWarpSize);
    __warpgrade_get_attribute(&properties->regsPerBlock, cudaDevAttrMaxRegistersPerBlock);
    __warpgrade_get_attribute(&properties->regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor);
    __warpgrade_get_attribute(&properties->maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
    __warpgrade_get_attribute(&properties->maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
    __warpgrade_get_attribute(&properties->maxThreadsDim[0], cudaDevAttrMaxBlockDimX);
    __warpgrade_get_attribute(&properties->maxThreadsDim[1], cudaDevAttrMaxBlockDimY);
    __warpgrade_get_attribute(&properties->maxThreadsDim[2], cudaDevAttrMaxBlockDimZ);
    __warpgrade_get_attribute(&properties->maxGridSize[0], cudaDevAttrMaxGridDimX);
    __warpgrade_get_attribute(&properties->maxGridSize[1], cudaDevAttrMaxGridDimY);
    __warpgrade_get_attribute(&properties->maxGridSize[2], cudaDevAttrMaxGridDimZ);
    __warpgrade_get_attribute(&properties->multiProcessorCount, cudaDevAttrMultiProcessorCount);
    __warpgrade_get_attribute(&properties->l2CacheSize, cudaDevAttrL2CacheSize);
    __warpgrade_get_attribute(&properties->major, cudaDevAttrComputeCapabilityMajor);
    return __warpgrade_get_attribute(&properties->minor, cudaDevAttrComputeCapabilityMinor);
}

template <class Kernel>
static __forceinline__ __device__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int block_threads, size_t shared_bytes) {
    return __warpgrade_occupancy(blocks, (const void*)kernel, block_threads, shared_bytes);
}
template <class Kernel>
static __device__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_blocks, int* block_threads, Kernel* kernel,
                                                                 size_t shared_bytes = 0, int largest_block = 0) {
    int multiprocessors = 0, most_resident = 0;
    cudaError_t error = __warpgrade_get_attribute(&multiprocessors, cudaDevAttrMultiProcessorCount);
    if (largest_block <= 0) error = __warpgrade_get_attribute(&largest_block, cudaDevAttrMaxThreadsPerBlock);
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

static __device__ __noinline__ const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "cudaSuccess";
        case cudaErrorInvalidValue: return "cudaErrorInvalidValue";
        case cudaErrorInvalidConfiguration: return "cudaErrorInvalidConfiguration";
        case cudaErrorInvalidDevice: return "cudaErrorInvalidDevice";
        case cudaErrorInvalidDeviceFunction: return "cudaErrorInvalidDeviceFunction";
        case cudaErrorInvalidResourceHandle: return "cudaErrorInvalidResourceHandle";
        case cudaErrorIllegalAddress: return "cudaErrorIllegalAddress";
        case cudaErrorMisalignedAddress: return "cudaErrorMisalignedAddress";
        case cudaErrorLaunchOutOfResources: return "cudaErrorLaunchOutOfResources";
        case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
        case cudaErrorLaunchTimeout: return "cudaErrorLaunchTimeout";
        case (cudaError_t)801: return "cudaErrorNotSupported";
        case (cudaError_t)912: return "cudaErrorInvalidClusterSize";
        default: return "cudaErrorUnknown";
    }
}
static __device__ __noinline__ const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess: return "no error";
        case cudaErrorInvalidValue: return "invalid argument";
        case cudaErrorInvalidConfiguration: return "invalid configuration argument";
        case cudaErrorInvalidDevice: return "invalid device ordinal";
        case cudaErrorInvalidDeviceFunction: return "invalid device function";
        case cudaErrorInvalidResourceHandle: return "invalid resource handle";
        case cudaErrorIllegalAddress: return "an illegal memory access was encountered";
        case cudaErrorMisalignedAddress: return "misaligned address";
        case cudaErrorLaunchOutOfResources: return "too many resources requested for launch";
        case cudaErrorLaunchFailure: return "unspecified launch failure";
        case cudaErrorLaunchTimeout: return "the launch timed out and was terminated";
        case (cudaError_t)801: return "operation not supported";
        case (cudaError_t)912: return "a kernel launch error has occurred due to cluster misconfiguration";
        default: return "unknown error";
    }
}

// Memory for the launcher's own use: what it holds is of this launcher's call alone, and asking for it is not timed.
#define cudaMalloc __warpgrade_cudaMalloc
#define cudaFree __warpgrade_cudaFree
#define cudaMallocAsync __warpgrade_cudaMallocAsync
#define cudaFreeAsync __warpgrade_cudaFreeAsync
template <class T> static __forceinline__ __device__ cudaError_t cudaMalloc(T** address, size_t bytes) {
    return __warpgrade_malloc((void**)address, bytes);
}
template <class T> static __forceinline__ __device__ cudaError_t cudaMallocAsync(T** address, size_t bytes, cudaStream_t) {
    return __warpgrade_malloc((void**)address, bytes);
}
static __forceinline__ __device__ cudaError_t cudaFree(void* address) { return __warpgrade_free(address); }
static __forceinline__ __device__ cudaError_t cudaFreeAsync(void* address, cudaStream_t) {
    return __warpgrade_free(address);
}

// Copies within the GPU's memory are a kernel, which is looked at and timed like any other. Templates, so that it is in
// no other submission. `kind`: cudaMemcpyKind.
#define cudaMemcpyAsync __warpgrade_cudaMemcpyAsync
template <class Word, class Kind>
__global__ void cudaMemcpy_kernel(Word* to, const Word* from, size_t count) {
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) to[i] = from[i];
}
template <class Word, class Kind> static __device__ void __warpgrade_copy(void* to, const void* from, size_t bytes) {
    const size_t count = bytes / sizeof(Word), blocks = (count + 255) / 256;
    cudaMemcpy_kernel<Word, Kind><<<unsigned(blocks < 4096 ? blocks : 4096), 256>>>((Word*)to, (const Word*)from, count);
}
template <class Kind>
static __device__ cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, Kind kind, cudaStream_t = 0) {
    if (int(kind) < 3) return __warpgrade_host_copy();
    if (bytes == 0) return cudaSuccess;
    const size_t shared = (size_t)to | (size_t)from | bytes;
    if (shared % 16 == 0)
        __warpgrade_copy<uint4, Kind>(to, from, bytes);
    else if (shared % 4 == 0)
        __warpgrade_copy<unsigned, Kind>(to, from, bytes);
    else
        __warpgrade_copy<unsigned char, Kind>(to, from, bytes);
    return __warpgrade_peek_last_error();
}
template <class Kind>
static __device__ cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, Kind kind) {
    return cudaMemcpyAsync(to, from, bytes, kind);
}

// A launcher may time itself where it runs as a program. Here it is not timed: an event is reached at once, and the time
// between two is 0 ms. Templates, so that a function of that name in a submission comes before them.
#define cudaEventCreateWithFlags __warpgrade_cudaEventCreateWithFlags
#define cudaEventRecord __warpgrade_cudaEventRecord
#define cudaEventRecordWithFlags __warpgrade_cudaEventRecordWithFlags
#define cudaEventDestroy __warpgrade_cudaEventDestroy

template <class Event>
static __forceinline__ __device__ cudaError_t cudaEventCreate(Event* event, unsigned = 0) {
    *event = (Event)1;
    return cudaSuccess;
}
template <class Event>
static __forceinline__ __device__ cudaError_t cudaEventCreateWithFlags(Event* event, unsigned) {
    return cudaEventCreate(event);
}
template <class Event>
static __forceinline__ __device__ cudaError_t cudaEventQuery(Event event) {
    return event ? cudaSuccess : cudaErrorInvalidResourceHandle;
}
template <class Event>
static __forceinline__ __device__ cudaError_t cudaEventRecordWithFlags(Event event, cudaStream_t, unsigned) {
    return cudaEventQuery(event);
}
template <class Event>
static __forceinline__ __device__ cudaError_t cudaEventRecord(Event event, cudaStream_t = 0) {
    return cudaEventQuery(event);
}
template <class Event>
static __forceinline__ __device__ cudaError_t cudaEventSynchronize(Event event) {
    return cudaEventQuery(event);
}
template <class Event>
static __forceinline__ __device__ cudaError_t cudaEventDestroy(Event event) {
    return cudaEventQuery(event);
}
template <class Event>
static __forceinline__ __device__ cudaError_t cudaEventElapsedTime(float* milliseconds, Event start, Event stop) {
    *milliseconds = 0;
    return start && stop ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

// Declared by NVRTC for code that runs on a GPU's own runtime; undefined here, so that their use is an error with a reason.
#define cudaMemcpy2DAsync __warpgrade_no_cudaMemcpy2DAsync
#define cudaMemcpy3DAsync __warpgrade_no_cudaMemcpy3DAsync
#define cudaMemset2DAsync __warpgrade_no_cudaMemset2DAsync
#define cudaMemset3DAsync __warpgrade_no_cudaMemset3DAsync
#define cudaStreamCreateWithFlags __warpgrade_no_cudaStreamCreateWithFlags
#define cudaStreamDestroy __warpgrade_no_cudaStreamDestroy
#define cudaStreamWaitEvent __warpgrade_no_cudaStreamWaitEvent
#define cudaFuncGetAttributes __warpgrade_no_cudaFuncGetAttributes
#define cudaDeviceGetLimit __warpgrade_no_cudaDeviceGetLimit
#define cudaDeviceGetCacheConfig __warpgrade_no_cudaDeviceGetCacheConfig
#define cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags __warpgrade_no_cudaOccupancyWithFlags
