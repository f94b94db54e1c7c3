#include "model/parameters.hpp"

#include <cstdlib>

namespace warpgrade {

const std::vector<ModelField>& model_fields() {
    using P = ModelParameters;
    static const std::vector<ModelField> fields{
        {"dram_copy_gb_per_s", &P::dram_copy_gb_per_s, "GB/s", "best copy of a large buffer, bytes read and written"},
        {"dram_read_gb_per_s", &P::dram_read_gb_per_s, "GB/s", "best read of a large buffer"},
        {"dram_latency", &P::dram_latency, "cycles", "of a load that misses every cache, nothing else going on"},
        {"l2_latency", &P::l2_latency, "cycles", "of a load that hits L2"},
        {"l1_latency", &P::l1_latency, "cycles", "of a load that hits L1"},
        {"dram_queue_read", &P::dram_queue_read, "cycles", "latency added at half of the peak rate, reads alone"},
        {"dram_queue_write", &P::dram_queue_write, "cycles", "and more of it for the share that writes have"},
        {"dram_queue_random", &P::dram_queue_random, "cycles", "of that, at most, that differ from place to place"},
        {"l1_bytes", &P::l1_bytes, "bytes", "L1 and shared memory of a multiprocessor together"},
        {"l2_read_line_ps", &P::l2_read_line_ps, "ps", "of L2's time for each line read, whole GPU"},
        {"l2_read_sector_ps", &P::l2_read_sector_ps, "ps", "of L2's time for each sector read"},
        {"l2_write_packet_ps", &P::l2_write_packet_ps, "ps", "of L2's time for each line a store touches"},
        {"l2_write_sector_ps", &P::l2_write_sector_ps, "ps", "and for each sector of it"},
        {"l2_far_partial_ps", &P::l2_far_partial_ps, "ps", "and for each one completed after it left L2"},
        {"store_sector_cycles", &P::store_sector_cycles, "cycles", "of one multiprocessor's way out for each sector"},
        {"store_packet_cycles", &P::store_packet_cycles, "cycles", "of the same for each line, at least"},
        {"store_buffer_lines", &P::store_buffer_lines, "lines", "in which stores wait for more to the same line"},
        {"dram_spread", &P::dram_spread, "cycles", "by which DRAM latency differs from place to place, up or down"},
        {"dram_read_run", &P::dram_read_run, "bytes", "that each run of bytes read costs beside its own"},
        {"dram_write_run", &P::dram_write_run, "bytes", "that each run of bytes written costs beside its own"},
        {"dram_least_read_run", &P::dram_least_read_run, "bytes", "that the shortest run costs, reading"},
        {"dram_least_write_run", &P::dram_least_write_run, "bytes", "that the shortest run costs, writing"},
        {"special_register_cycles", &P::special_register_cycles, "cycles",
         "of the load/store pipe for a read of threadIdx"},
        {"shared_latency", &P::shared_latency, "cycles", "of a shared load without conflicts"},
        {"shared_conflict_cycles", &P::shared_conflict_cycles, "cycles", "added by each further wavefront"},
        {"shuffle_latency", &P::shuffle_latency, "cycles", "of a shuffle"},
        {"alu_latency", &P::alu_latency, "cycles", "between dependent arithmetic instructions"},
        {"issue_scale", &P::issue_scale, "", "machine instructions for each that is counted from PTX"},
        {"barrier_latency", &P::barrier_latency, "cycles", "from the last arrival to the next instruction"},
        {"barrier_warp_cycles", &P::barrier_warp_cycles, "cycles", "of the barrier unit for each warp"},
        {"block_interval_ns", &P::block_interval_ns, "ns", "between two blocks that start on one multiprocessor"},
        {"block_turnover", &P::block_turnover, "cycles", "from a block's end to the start of the next in its place"},
        {"launch_us", &P::launch_us, "us", "of a launch beside its blocks"},
        {"next_launch_us", &P::next_launch_us, "us", "of each further launch of a plan"},
        {"match_value_cycles", &P::match_value_cycles, "cycles", "of the load/store pipe for each value of a match"},
        {"shared_float_add_cycles", &P::shared_float_add_cycles, "cycles",
         "of the same for each turn of an addition of floats in shared memory"},
        {"atomic_address_ns", &P::atomic_address_ns, "ns", "between two additions of floats to one address"},
        {"atomic_turn_ns", &P::atomic_turn_ns, "ns", "between two atomics on one address, or two sectors of one line"},
        {"atomic_lanes_per_ns", &P::atomic_lanes_per_ns, "1/ns", "atomics on sectors of many lines, whole GPU"},
        {"atomic_unit_bytes", &P::atomic_unit_bytes, "bytes", "side by side whose atomics wait for each other"},
        {"dirty_bytes", &P::dirty_bytes, "bytes", "of L2 that wait to be written when a measurement starts"},
    };
    return fields;
}

Result<ModelParameters> parameters_of(const GpuProfile& profile) {
    ModelParameters p;
    p.multiprocessors = profile.device.multiprocessors;
    p.clock_ghz = profile.device.sm_clock_mhz / 1000;
    p.max_threads_per_sm = profile.device.max_threads_per_sm;
    p.max_blocks_per_sm = profile.device.max_blocks_per_sm;
    p.registers_per_sm = profile.device.registers_per_sm;
    p.shared_bytes_per_sm = profile.device.shared_bytes_per_sm;
    p.l2_bytes = profile.device.l2_bytes;
    p.dram_peak_gb_per_s = profile.device.dram_peak_gb_per_s;
    // CUDA C++ Programming Guide, throughput of native arithmetic instructions: 64 before compute capability 8.6.
    p.fp32_lanes = std::atof(profile.device.compute_capability.c_str()) >= 8.6 ? 128 : 64;
    p.counts_at_once = std::atoi(profile.device.compute_capability.c_str()) >= 8;
    for (const ModelField& field : model_fields()) {
        const auto value = profile.parameter(std::string(field.name));
        if (!value) {
            Diagnostic d;
            d.blame = Blame::course;
            d.code = "missing_parameter";
            d.title = "the profile `" + profile.slug + "` cannot be modelled: it has no [model." +
                      std::string(field.name) + "]";
            d.facts = {std::string(field.meaning) + (field.unit.empty() ? "" : ", in " + std::string(field.unit))};
            d.help = "`warpgrade calibrate --microbenchmarks` on the card writes it";
            return d;
        }
        p.*field.field = *value;
    }
    return p;
}

}  // namespace warpgrade
