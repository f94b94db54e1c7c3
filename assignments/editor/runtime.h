// The part of the CUDA runtime that programs of a course call from the CPU's side. What the grader does not take
// (memory of one's own, a main function) is in it too: that is for `check` to say, with the reason.
#pragma once
#pragma GCC system_header

enum cudaError {
    cudaSuccess,
    cudaErrorInvalidValue,
    cudaErrorMemoryAllocation,
    cudaErrorInitializationError,
    cudaErrorInvalidConfiguration,
    cudaErrorInvalidSymbol,
    cudaErrorInvalidDevicePointer,
    cudaErrorInvalidMemcpyDirection,
    cudaErrorInsufficientDriver,
    cudaErrorInvalidDeviceFunction,
    cudaErrorNoDevice,
    cudaErrorInvalidDevice,
    cudaErrorInvalidResourceHandle,
    cudaErrorNotReady,
    cudaErrorIllegalAddress,
    cudaErrorLaunchOutOfResources,
    cudaErrorLaunchTimeout,
    cudaErrorLaunchFailure,
    cudaErrorMisalignedAddress,
    cudaErrorNotSupported,
    cudaErrorInvalidClusterSize,
    cudaErrorAssert,
    cudaErrorUnknown
};
typedef cudaError cudaError_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaFuncAttributePreferredSharedMemoryCarveout,
    cudaFuncAttributeNonPortableClusterSizeAllowed
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedCarveout { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1, cudaSharedmemCarveoutMaxShared = 100 };
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock,
    cudaDevAttrMaxBlockDimX,
    cudaDevAttrMaxBlockDimY,
    cudaDevAttrMaxBlockDimZ,
    cudaDevAttrMaxGridDimX,
    cudaDevAttrMaxGridDimY,
    cudaDevAttrMaxGridDimZ,
    cudaDevAttrMaxSharedMemoryPerBlock,
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor,
    cudaDevAttrMaxRegistersPerBlock,
    cudaDevAttrMaxRegistersPerMultiprocessor,
    cudaDevAttrMaxThreadsPerMultiProcessor,
    cudaDevAttrMaxBlocksPerMultiprocessor,
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrWarpSize,
    cudaDevAttrClockRate,
    cudaDevAttrMemoryClockRate,
    cudaDevAttrGlobalMemoryBusWidth,
    cudaDevAttrL2CacheSize,
    cudaDevAttrCooperativeLaunch,
    cudaDevAttrComputeCapabilityMajor,
    cudaDevAttrComputeCapabilityMinor
};
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor, totalConstMem, memPitch;
    int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock, maxThreadsPerMultiProcessor;
    int maxBlocksPerMultiProcessor, maxThreadsDim[3], maxGridSize[3], major, minor, multiProcessorCount, l2CacheSize;
    int clockRate, memoryClockRate, memoryBusWidth, concurrentKernels, cooperativeLaunch, ECCEnabled, unifiedAddressing;
    int asyncEngineCount, integrated, canMapHostMemory, managedMemory, pciBusID, pciDeviceID;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, maxDynamicSharedSizeBytes;
};
typedef struct CUevent_st* cudaEvent_t;
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
enum { cudaStreamDefault, cudaStreamNonBlocking, cudaEventDefault = 0, cudaEventDisableTiming = 2 };
enum { cudaHostAllocDefault, cudaHostAllocPortable, cudaHostAllocMapped, cudaMemAttachGlobal = 1 };

enum cudaLaunchAttributeID { cudaLaunchAttributeCooperative, cudaLaunchAttributeClusterDimension, cudaLaunchAttributePriority };
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    union {
        int cooperative, priority;
        struct {
            unsigned x, y, z;
        } clusterDim;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};

extern "C" {
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache preference);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* all_bytes);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaFree(void* address);
cudaError_t cudaFreeAsync(void* address, cudaStream_t stream);
cudaError_t cudaFreeHost(void* address);
cudaError_t cudaMemset(void* address, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* address, int value, size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* address, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
}
template <class T> cudaError_t cudaMalloc(T** address, size_t bytes) { __builtin_unreachable(); }
template <class T> cudaError_t cudaMallocAsync(T** address, size_t bytes, cudaStream_t stream) { __builtin_unreachable(); }
template <class T> cudaError_t cudaMallocManaged(T** address, size_t bytes, unsigned flags = cudaMemAttachGlobal) { __builtin_unreachable(); }
template <class T> cudaError_t cudaMallocHost(T** address, size_t bytes, unsigned flags = 0) { __builtin_unreachable(); }
template <class T> cudaError_t cudaHostAlloc(T** address, size_t bytes, unsigned flags) { __builtin_unreachable(); }
template <class T> cudaError_t cudaMallocPitch(T** address, size_t* pitch, size_t width, size_t height) { __builtin_unreachable(); }
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) { __builtin_unreachable(); }
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr) { __builtin_unreachable(); }
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) { __builtin_unreachable(); }
template <class T> cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) { __builtin_unreachable(); }
template <class T> cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) { __builtin_unreachable(); }
template <class Kernel> cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) { __builtin_unreachable(); }
template <class Kernel> cudaError_t cudaFuncSetCacheConfig(Kernel* kernel, cudaFuncCache preference) { __builtin_unreachable(); }
template <class Kernel> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) { __builtin_unreachable(); }
template <class Kernel>
cudaError_t cudaLaunchKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0,
                             cudaStream_t stream = nullptr) { __builtin_unreachable(); }
template <class Kernel>
cudaError_t cudaLaunchCooperativeKernel(Kernel* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr) { __builtin_unreachable(); }
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments) { __builtin_unreachable(); }
template <class Kernel>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, Kernel* kernel, void** arguments) { __builtin_unreachable(); }
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int threads, size_t shared_bytes) { __builtin_unreachable(); }
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel* kernel, size_t shared_bytes = 0,
                                               int largest_block = 0) { __builtin_unreachable(); }

// Textures.
struct cudaArray;
typedef cudaArray* cudaArray_t;
enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat };
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() { __builtin_unreachable(); }
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int normalizedCoords;
};
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description, const void* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
