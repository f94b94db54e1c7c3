#pragma once
#pragma GCC system_header
#include "../cooperative_groups.h"

namespace cooperative_groups {
template <class Group, class T, class Bytes>
__device__ void memcpy_async(const Group& group, T* to, const T* from, Bytes bytes) { __builtin_unreachable(); }
template <class Group, class T>
__device__ void memcpy_async(const Group& group, T* to, size_t to_elements, const T* from, size_t from_elements) { __builtin_unreachable(); }
template <class Group> __device__ void wait(const Group& group) { __builtin_unreachable(); }
template <unsigned Stages, class Group> __device__ void wait_prior(const Group& group) { __builtin_unreachable(); }
}  // namespace cooperative_groups
