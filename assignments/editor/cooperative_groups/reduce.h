#pragma once
#pragma GCC system_header
#include "../cooperative_groups.h"

namespace cooperative_groups {
template <class Group, class T, class Operation>
__device__ T reduce(const Group& group, T value, Operation&& operation) { __builtin_unreachable(); }
template <class Group, class Atomic, class T, class Operation>
__device__ void reduce_update_async(const Group& group, Atomic& to, T value, Operation&& operation) { __builtin_unreachable(); }
template <class Group, class Atomic, class T, class Operation>
__device__ void reduce_store_async(const Group& group, Atomic& to, T value, Operation&& operation) { __builtin_unreachable(); }
template <class Group, class T, class U, class Operation>
__device__ void reduce_store_async(const Group& group, T* to, U value, Operation&& operation) {}
}  // namespace cooperative_groups
