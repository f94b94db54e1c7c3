// Cooperative groups, as declarations for an editor; with cooperative_groups/reduce.h, scan.h and memcpy_async.h.
#pragma once
#pragma GCC system_header

namespace cooperative_groups {

struct thread_group {
    __device__ void sync() const;
    __device__ unsigned long long size() const;
    __device__ unsigned long long num_threads() const;
    __device__ unsigned long long thread_rank() const;
    __device__ bool is_valid() const;
};
struct thread_block : thread_group {
    __device__ dim3 group_index() const;
    __device__ dim3 thread_index() const;
    __device__ dim3 group_dim() const;
    __device__ dim3 dim_threads() const;
    struct arrival_token {};
    __device__ arrival_token barrier_arrive() const;
    __device__ void barrier_wait(arrival_token&& token) const;
};
struct grid_group : thread_group {
    __device__ unsigned long long block_rank() const;
    __device__ unsigned long long num_blocks() const;
    __device__ dim3 block_index() const;
    __device__ dim3 dim_blocks() const;
    __device__ dim3 group_dim() const;
};
struct cluster_group : thread_group {
    __device__ unsigned block_rank() const;
    __device__ unsigned num_blocks() const;
    __device__ dim3 block_index() const;
    __device__ dim3 dim_blocks() const;
    template <class T> __device__ T* map_shared_rank(T* address, int rank) const { __builtin_unreachable(); }
};
// What groups of at most a warp have.
struct lane_group : thread_group {
    template <class T> __device__ T shfl(T value, int rank) const { __builtin_unreachable(); }
    template <class T> __device__ T shfl_up(T value, unsigned delta) const { __builtin_unreachable(); }
    template <class T> __device__ T shfl_down(T value, unsigned delta) const { __builtin_unreachable(); }
    template <class T> __device__ T shfl_xor(T value, unsigned mask) const { __builtin_unreachable(); }
    __device__ int any(int predicate) const;
    __device__ int all(int predicate) const;
    __device__ unsigned ballot(int predicate) const;
    template <class T> __device__ unsigned match_any(T value) const { __builtin_unreachable(); }
    template <class T> __device__ unsigned match_all(T value, int& predicate) const { __builtin_unreachable(); }
    __device__ unsigned long long meta_group_rank() const;
    __device__ unsigned long long meta_group_size() const;
};
struct coalesced_group : lane_group {};
template <unsigned Size, class Parent = void>
struct thread_block_tile : thread_block_tile<Size, void> {};
template <unsigned Size>
struct thread_block_tile<Size, void> : lane_group {
    static constexpr unsigned long long size() { return Size; }
    static constexpr unsigned long long num_threads() { return Size; }
};
template <unsigned Size = 1024>
struct block_tile_memory {
    char bytes[Size];
};

__device__ thread_block this_thread_block();
template <unsigned Size> __device__ thread_block this_thread_block(block_tile_memory<Size>& memory) { __builtin_unreachable(); }
__device__ grid_group this_grid();
__device__ cluster_group this_cluster();
__device__ coalesced_group coalesced_threads();
template <unsigned Size, class Parent> __device__ thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) { __builtin_unreachable(); }
template <class Parent> __device__ thread_group tiled_partition(const Parent& parent, unsigned size) { __builtin_unreachable(); }
template <class Parent> __device__ coalesced_group labeled_partition(const Parent& parent, int label) { __builtin_unreachable(); }
template <class Parent> __device__ coalesced_group binary_partition(const Parent& parent, bool predicate) { __builtin_unreachable(); }
template <class Group> __device__ void sync(const Group& group) { __builtin_unreachable(); }
template <class Group, class Function, class... Values>
__device__ void invoke_one(const Group& group, Function&& function, Values&&... values) { __builtin_unreachable(); }

template <class T> struct plus { __device__ T operator()(T x, T y) const; };
template <class T> struct less { __device__ T operator()(T x, T y) const; };
template <class T> struct greater { __device__ T operator()(T x, T y) const; };
template <class T> struct bit_and { __device__ T operator()(T x, T y) const; };
template <class T> struct bit_or { __device__ T operator()(T x, T y) const; };
template <class T> struct bit_xor { __device__ T operator()(T x, T y) const; };

}  // namespace cooperative_groups
