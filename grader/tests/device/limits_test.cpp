// Occupancy by threads, blocks and shared memory, and the attributes a launcher may ask for.
#include "device/limits.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("as many blocks are resident as threads, blocks and shared memory allow") {
    const LaunchLimits limits;
    const auto blocks = [&](std::uint32_t threads, std::uint64_t shared_bytes) {
        return blocks_per_multiprocessor(limits, threads, shared_bytes);
    };
    CHECK(blocks(1024, 0) == 2);
    CHECK(blocks(256, 0) == 8);
    CHECK(blocks(32, 0) == 32);  // by blocks
    CHECK(blocks(1, 0) == 32);   // a warp all the same
    CHECK(blocks(96, 0) == 21);  // 64 warps in threes
    CHECK(blocks(33, 0) == 32);  // two warps
    CHECK(blocks(1024, 33 * 32 * 4) == 2);
    CHECK(blocks(256, 48 * 1024) == 4);  // 49 KiB each of 228
    CHECK(blocks(256, 227 * 1024) == 1);
    CHECK(blocks(256, 227 * 1024 + 1) == 0);
    CHECK(blocks(1025, 0) == 0);
    CHECK(blocks(0, 0) == 0);
}

TEST_CASE("an attribute is known or it is an error, never zero by chance") {
    LaunchLimits limits;
    limits.multiprocessors = 78;
    CHECK(device_attribute(limits, 16) == 78);
    CHECK(device_attribute(limits, 5) == 2147483647);
    CHECK(device_attribute(limits, 12) == 65536);
    CHECK(device_attribute(limits, 81) == 228 * 1024);
    CHECK(device_attribute(limits, 75) == 9);
    CHECK(device_attribute(limits, 120) == 1);  // clusters
    CHECK(device_attribute(limits, 37) == 6144);
    limits.clock_khz = 1'590'000;
    CHECK(device_attribute(limits, 13) == 1'590'000);
    CHECK(!device_attribute(limits, 14));  // alignment of textures
    CHECK(!device_attribute(limits, 9999));
    CHECK(!device_attribute(limits, -1));
}
