#include "calibrate/microbenchmark_l2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "model/warp_ops.hpp"
#include "timing/measure_statistics.hpp"

namespace warpgrade {

namespace {

// Picoseconds of the whole card for a lane's access, in a footprint that stays in L2; lanes `stride` bytes apart.
double strided(MicrobenchmarkRig& rig, const char* kernel, unsigned stride, unsigned width, std::uint64_t blocks) {
    const bool is_store = std::string_view(kernel).starts_with("store");
    constexpr std::uint64_t least = 1 << 18;  // a few spans of the widest stride
    const std::uint64_t footprint = std::max(std::bit_ceil(rig.device().l2_bytes / 4), least);
    const int rounds = blocks < processors(rig) ? 256 : 64;
    const double seconds =
        is_store
            ? rig.seconds(rig.launch(kernel, blocks, 512, rig.out(), footprint, stride, rounds))
            : rig.seconds(rig.launch(kernel, blocks, 512, rig.in(), footprint, stride, rounds, rig.nowhere()), false);
    const std::uint64_t warps_a_span = stride / width, warps = blocks * 16 / warps_a_span * warps_a_span;
    const double ps = seconds * 1e12 / (static_cast<double>(warps) * 32 * rounds);
    rig.note(fmt::format("{} bytes a lane, stride {}", width, stride), ps, "ps a lane");
    return ps;
}

double wide_stores(MicrobenchmarkRig& rig, unsigned stride) {
    return strided(rig, "store_strided_4", stride, 4, processors(rig) * 4);
}

// Each line a packet with one sector.
double lone_sectors(MicrobenchmarkRig& rig) {
    return quantile({wide_stores(rig, 128), wide_stores(rig, 256), wide_stores(rig, 1024)}, 0.5);
}

double atomics(MicrobenchmarkRig& rig, unsigned addresses, int turns) {
    constexpr int threads = 256;
    const double seconds =
        rig.seconds(rig.launch("add_to", processors(rig), threads, rig.out(), addresses, turns), false);
    const double ns = seconds * 1e9 / (static_cast<double>(processors(rig)) * threads * turns);
    rig.note(fmt::format("{} address{}", addresses, addresses == 1 ? "" : "es"), 1 / ns, "lanes/ns");
    return ns;
}

// Nanoseconds of the whole card for a warp's addition of 32 integers that are `apart` words apart, all warps in the
// same.
double counts(MicrobenchmarkRig& rig, unsigned apart) {
    constexpr int threads = 256, turns = 64;
    const double warps = static_cast<double>(processors(rig)) * threads / 32;
    const double ns = rig.seconds(rig.launch("count_at", processors(rig), threads, rig.out(), apart, turns), false) *
                      1e9 / (warps * turns);
    rig.note(fmt::format("32 integers, {} words apart", apart), ns, "ns a warp");
    return ns;
}

}  // namespace

double l2_read_line(MicrobenchmarkRig& rig) { return strided(rig, "load_strided_4", 128, 4, processors(rig) * 4); }

double l2_read_sector(MicrobenchmarkRig& rig) { return strided(rig, "load_strided_16", 32, 16, processors(rig) * 4); }

// Two lanes, a line: a packet with two.
double l2_write_sector(MicrobenchmarkRig& rig) { return 2 * wide_stores(rig, 64) - lone_sectors(rig); }

double l2_write_packet(MicrobenchmarkRig& rig) { return lone_sectors(rig) - rig.value("l2_write_sector_ps"); }

// Warps that copy 128 bytes, 4 bytes off a line, which others complete only when the sectors have left L2: beside what
// its 5 sectors read in 2 lines and written in 3 packets cost (a turn for each that is whole and for that of
// one word, three for that of seven), the time goes to 2 sectors that are completed later.
double l2_far_partial(MicrobenchmarkRig& rig) {
    const auto apart = static_cast<unsigned>(std::bit_ceil(rig.device().l2_bytes / 1024));
    const unsigned warps = apart * 32;
    const double seconds =
        rig.seconds(rig.launch("shifted_copy", warps / 8, 256, rig.in(), rig.out(), warps, apart, 1u));
    const double ps = seconds * 1e12 / (warps * 4.0);
    rig.note(fmt::format("{} warps apart, by 4 bytes", apart), ps, "ps a warp");
    const double line = rig.value("l2_read_line_ps"), sector = rig.value("l2_read_sector_ps");
    const double reading = std::max(line, 4 * sector) + std::max(line, sector);
    const double writing = 3 * rig.value("l2_write_packet_ps") + 7 * rig.value("l2_write_sector_ps");
    return std::max(0.0, (ps - reading - writing) / 2);
}

double store_sector(MicrobenchmarkRig& rig) {
    const std::uint64_t count = std::min<std::uint64_t>(std::uint64_t{1} << 20, rig.bytes() / 16);
    const double seconds = rig.seconds(rig.launch("write_1x16", 1, 1024, rig.out(), count));
    rig.note("1 block of 1024 threads", gb_per_s(16.0 * static_cast<double>(count), seconds), "GB/s");
    return seconds * 1e9 * clock_ghz(rig) / (static_cast<double>(count) / 2);
}

double store_packet(MicrobenchmarkRig& rig) {
    constexpr int blocks = 4;  // each on a multiprocessor of its own
    return strided(rig, "store_strided_4", 128, 4, blocks) / 1000 * clock_ghz(rig) * blocks;
}

double atomic_turn(MicrobenchmarkRig& rig) { return counts(rig, 0) / 32; }

// 32 lines, a turn each: as many of them as wait for each other.
double atomic_unit(MicrobenchmarkRig& rig) {
    return std::max(1.0, counts(rig, line_bytes / 4) / rig.value("atomic_turn_ns")) * line_bytes;
}

double atomic_address(MicrobenchmarkRig& rig) { return atomics(rig, 1, 16); }

double atomic_lanes(MicrobenchmarkRig& rig) { return 1 / atomics(rig, 65536, 256); }

}  // namespace warpgrade
