#include "host/errors.hpp"

namespace warpgrade::host {

namespace {

struct Row {
    int error;
    const char* name;
    const char* text;
};
constexpr Row rows_of_errors[] = {
    {success, "cudaSuccess", "no error"},
    {invalid_value, "cudaErrorInvalidValue", "invalid argument"},
    {memory_allocation, "cudaErrorMemoryAllocation", "out of memory"},
    {invalid_configuration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {invalid_symbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {invalid_memcpy_direction, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {invalid_device_function, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {invalid_device, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {invalid_resource_handle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {not_ready, "cudaErrorNotReady", "device not ready"},
    {illegal_address, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {launch_out_of_resources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {launch_timeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {device_assert, "cudaErrorAssert", "device-side assert triggered"},
    {misaligned_address, "cudaErrorMisalignedAddress", "misaligned address"},
    {launch_failure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cooperative_too_large, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {not_supported, "cudaErrorNotSupported", "operation not supported"},
    {invalid_cluster_size, "cudaErrorInvalidClusterSize",
     "a kernel launch error has occurred due to cluster misconfiguration"},
    {unknown_error, "cudaErrorUnknown", "unknown error"},
};

const Row* row_of(int error) {
    for (const Row& row : rows_of_errors)
        if (row.error == error) return &row;
    return nullptr;
}

}  // namespace

const char* name_of(int error) {
    const Row* const row = row_of(error);
    return row == nullptr ? "unrecognized error code" : row->name;
}
const char* text_of(int error) {
    const Row* const row = row_of(error);
    return row == nullptr ? "unrecognized error code" : row->text;
}

}  // namespace warpgrade::host
