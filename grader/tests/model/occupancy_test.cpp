// Against CUDA's own occupancy calculator (cudaOccupancyMaxActiveBlocksPerMultiprocessor gives the same on an H200).
#include "model/occupancy.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

ModelParameters h200() {
    auto profile = load_profile(std::string(WARPGRADE_SOURCE_DIR) + "/grader/profiles/h200.toml");
    REQUIRE(profile.ok());
    auto gpu = parameters_of(*profile);
    REQUIRE(gpu.ok());
    return *gpu;
}

}  // namespace

TEST_CASE("blocks that fit are counted by threads, blocks, registers and shared memory") {
    const ModelParameters gpu = h200();
    const auto fits = [&](int registers, std::uint64_t shared, int threads) {
        const Occupancy o = occupancy_of({registers, shared, threads}, gpu);
        return std::make_pair(o.blocks, o.limited_by);
    };
    CHECK(fits(16, 0, 256) == std::make_pair(8, std::string("threads")));
    CHECK(fits(16, 0, 1024) == std::make_pair(2, std::string("threads")));
    CHECK(fits(16, 0, 32) == std::make_pair(32, std::string("blocks")));
    CHECK(fits(42, 0, 256) == std::make_pair(5, std::string("registers")));
    CHECK(fits(255, 0, 1024) == std::make_pair(0, std::string("registers")));
    CHECK(fits(16, 49152, 256) == std::make_pair(4, std::string("shared memory")));
    CHECK(fits(0, 0, 512) == std::make_pair(4, std::string("threads")));  // registers unknown
    CHECK(fits(16, 0, 97).first == 16);                                   // a started warp counts whole
}

TEST_CASE("shared memory is taken from L1") {
    const ModelParameters gpu = h200();
    CHECK(occupancy_of({16, 0, 256}, gpu).l1_bytes == 256 * 1024);
    // 8 blocks of 4224 and 1024 bytes: 42 KiB, so 64.
    CHECK(occupancy_of({16, 4224, 256}, gpu).l1_bytes == (256 - 64) * 1024);
}
