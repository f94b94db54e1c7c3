// Clusters: blocks that run together, meet at barriers of their own, and reach each other's shared memory.
//
// Theory of operation. All blocks of a cluster start together, on one host thread, and take turns as blocks that wait
// for others do (spin_wait.cpp). A barrier of the cluster counts the arrivals of its threads; it is met when every
// thread that has not ended has arrived, and then its phase counts on. A block whose warps only wait for the next phase
// is set aside until it comes. Shared memory of another block is reached on the way that accesses out of bounds take:
// programs without clusters do not notice.
//
// Nothing but a barrier of the cluster says that a block has started, or has not ended. Both are judged by phases, not
// by the order in which blocks happen to run: what a thread touches of another block after its n-th arrival needs that
// block to have met for the n-th time before, and for the (n+1)-th time afterwards, unless threads have looked at what
// others store, which may order them in another way.
#pragma once

#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

// The blocks of the cluster that a block is in, by rank; and the rank of a block.
std::vector<std::uint64_t> blocks_of_cluster(const LaunchState& launch, std::uint64_t linear);
std::uint32_t rank_in_cluster(const LaunchState& launch, const Dim3& block);
std::vector<std::uint64_t> one_of_each_cluster(const LaunchState& launch, const std::vector<std::uint64_t>& blocks);
bool are_of_one_cluster(const LaunchState& launch, std::uint64_t block, std::uint64_t other);
// Started blocks, by rank.
void seat_cluster(std::vector<std::unique_ptr<BlockContext>>& blocks);
void retire_from_cluster(Warp& w, std::uint32_t lanes);   // threads that end
void leave_cluster(Worker& worker, BlockContext& block);  // it has ended
void report_cluster_stuck(Worker& worker, BlockContext& block);
void note_looked(Warp& w, const Site& site);

}  // namespace warpgrade::vgpu
