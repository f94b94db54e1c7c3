// What the time model knows of a GPU: the [device] and [model.*] tables of a profile in the simulation's units.
//
// Times inside a multiprocessor are cycles of its clock. What all multiprocessors share (L2, DRAM, the launch of
// blocks) is kept as one multiprocessor's share, so that simulating one of them is enough.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/profile.hpp"

namespace warpgrade {

struct ModelParameters {
    // [device]
    int multiprocessors = 0;
    bool counts_at_once = false;  // lanes that add 1 to one word of shared memory: from compute capability 8.0 on
    double clock_ghz = 0;
    int fp32_lanes = 0;  // multiply-adds of float that a multiprocessor begins in a cycle
    int max_threads_per_sm = 0, max_blocks_per_sm = 0;
    std::uint64_t registers_per_sm = 0, shared_bytes_per_sm = 0, l2_bytes = 0;
    double dram_peak_gb_per_s = 0;

    // [model.*], one field each; see model_fields for the names, units and meanings.
    double dram_copy_gb_per_s = 0, dram_read_gb_per_s = 0;
    double dram_latency = 0, l2_latency = 0, l1_latency = 0;
    double dram_queue_read = 0, dram_queue_write = 0, dram_queue_random = 0;
    double l1_bytes = 0;
    double l2_read_line_ps = 0, l2_read_sector_ps = 0;
    double l2_write_packet_ps = 0, l2_write_sector_ps = 0, l2_far_partial_ps = 0;
    double store_sector_cycles = 0, store_packet_cycles = 0, store_buffer_lines = 0;
    double dram_spread = 0, dram_read_run = 0, dram_write_run = 0, dram_least_read_run = 0, dram_least_write_run = 0;
    double special_register_cycles = 0;
    double shared_latency = 0, shared_conflict_cycles = 0;
    double shuffle_latency = 0;
    double alu_latency = 0, issue_scale = 0;
    double barrier_latency = 0, barrier_warp_cycles = 0;
    double block_interval_ns = 0, block_turnover = 0;
    double launch_us = 0, next_launch_us = 0;
    double atomic_address_ns = 0, atomic_turn_ns = 0, atomic_lanes_per_ns = 0, atomic_unit_bytes = 0;
    double match_value_cycles = 0, shared_float_add_cycles = 0;
    double dirty_bytes = 0;

    double fma_gflop_per_s() const { return 2.0 * fp32_lanes * multiprocessors * clock_ghz; }
    double cycles_of_ns(double ns) const { return ns * clock_ghz; }
    double seconds_of(double cycles) const { return cycles / clock_ghz * 1e-9; }
    // Cycles that one multiprocessor's share of something takes that costs `ps` of the whole GPU's time.
    double share_of_ps(double ps) const { return ps * 1e-3 * clock_ghz * multiprocessors; }
};

struct ModelField {
    std::string_view name;
    double ModelParameters::*field;
    std::string_view unit;
    std::string_view meaning;
};
const std::vector<ModelField>& model_fields();

// Error (course): the profile lacks a parameter.
Result<ModelParameters> parameters_of(const GpuProfile& profile);

}  // namespace warpgrade
