// cudaError_t: the values that are given (driver_types.h), their names and their texts.
#pragma once

namespace warpgrade::host {

enum CudaError : int {
    success = 0,
    invalid_value = 1,
    memory_allocation = 2,
    invalid_configuration = 9,
    invalid_symbol = 13,
    invalid_memcpy_direction = 21,
    invalid_device_function = 98,
    invalid_device = 101,
    invalid_resource_handle = 400,
    not_ready = 600,
    illegal_address = 700,
    launch_out_of_resources = 701,
    launch_timeout = 702,
    device_assert = 710,
    misaligned_address = 716,
    launch_failure = 719,
    cooperative_too_large = 720,
    not_supported = 801,
    invalid_cluster_size = 912,
    unknown_error = 999
};
const char* name_of(int error);
const char* text_of(int error);

}  // namespace warpgrade::host
