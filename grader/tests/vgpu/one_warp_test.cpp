// The counting rules against an H200: tests/data/one_warp_accesses.csv holds single-warp accesses and what Nsight
// Compute counted for each. All but cp.async of 16 bytes, whose hardware counter stays at 4 whatever the addresses.
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "ptx/module.hpp"
#include "support/catch.hpp"
#include "vgpu/vgpu.hpp"

using namespace warpgrade;
using namespace warpgrade::vgpu;

namespace {

struct Row {
    std::string access, pattern;
    std::uint32_t mask = 0;
    std::vector<std::uint32_t> offsets;
    std::uint64_t measured = 0;
};

std::vector<Row> read_rows() {
    std::ifstream file(std::string(WARPGRADE_SOURCE_DIR) + "/grader/tests/data/one_warp_accesses.csv");
    std::vector<Row> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::stringstream cells(line);
        std::string access, bytes, pattern, mask, offsets, measured;
        std::getline(cells, access, ',');
        std::getline(cells, bytes, ',');
        std::getline(cells, pattern, ',');
        std::getline(cells, mask, ',');
        std::getline(cells, offsets, ',');
        std::getline(cells, measured, ',');
        Row row{access, pattern, static_cast<std::uint32_t>(std::stoul(mask, nullptr, 16)), {}, std::stoull(measured)};
        std::stringstream each(offsets);
        for (std::uint32_t o = 0; each >> o;) row.offsets.push_back(o);
        rows.push_back(std::move(row));
    }
    return rows;
}

// The instruction under test, with the lane's address in %rd5 (global) or %rd6 (shared).
const std::map<std::string, std::string>& instructions() {
    static const std::map<std::string, std::string> all{
        {"lds2", "ld.shared.u16 %rs1, [%rd6];"},
        {"lds4", "ld.shared.u32 %r5, [%rd6];"},
        {"lds8", "ld.shared.v2.u32 {%r5, %r6}, [%rd6];"},
        {"lds16", "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%rd6];"},
        {"sts4", "st.shared.u32 [%rd6], %r1;"},
        {"sts8", "st.shared.v2.u32 [%rd6], {%r1, %r1};"},
        {"sts16", "st.shared.v4.u32 [%rd6], {%r1, %r1, %r1, %r1};"},
        {"satom", "atom.shared.add.u32 %r5, [%rd6], 1;"},
        {"cpa4", "cp.async.ca.shared.global [%rd6], [%rd5], 4;"},
        {"ldg4", "ld.global.u32 %r5, [%rd5];"},
        {"ldg16", "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd5];"},
        {"stg1", "st.global.u8 [%rd5], %rs1;"},
        {"stg4", "st.global.u32 [%rd5], %r1;"},
        {"stg16", "st.global.v4.u32 [%rd5], {%r1, %r1, %r1, %r1};"},
        {"gred4", "red.global.add.u32 [%rd5], %r1;"},
    };
    return all;
}

std::string kernel_text(const std::string& instruction) {
    return R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry probe(.param .u64 offsets, .param .u64 data, .param .u32 mask)
{
    .reg .pred %p<2>;
    .reg .b16 %rs<2>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<8>;
    .shared .align 16 .b8 tile[16384];
    ld.param.u64 %rd1, [offsets];
    ld.param.u64 %rd2, [data];
    ld.param.u32 %r2, [mask];
    mov.u32 %r1, %tid.x;
    mov.u16 %rs1, 7;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd3, %rd1, %rd3;
    ld.global.u32 %r3, [%rd3];
    cvt.u64.u32 %rd4, %r3;
    add.s64 %rd5, %rd2, %rd4;
    mov.u64 %rd7, tile;
    add.s64 %rd6, %rd7, %rd4;
    shr.u32 %r4, %r2, %r1;
    and.b32 %r4, %r4, 1;
    setp.eq.s32 %p1, %r4, 0;
    @%p1 bra $done;
    )" + instruction +
           R"(
$done:
    ret;
}
)";
}

}  // namespace

TEST_CASE("one warp's accesses count as an H200 counts them") {
    std::map<std::string, int> equal;
    for (const Row& row : read_rows()) {
        const auto found = instructions().find(row.access);
        if (found == instructions().end()) {
            CHECK(row.access == "cpa16");
            continue;
        }
        const auto module = ptx::parse(kernel_text(found->second));
        REQUIRE(module.ok());
        const auto program = load(*module, "probe.cu");
        REQUIRE(program.ok());
        Memory memory;
        BufferSpec offsets{"offsets", 128, 4, false, true, 0}, data{"data", 1 << 16, 4, false, true, 0};
        const int offsets_buffer = *memory.allocate(offsets), data_buffer = *memory.allocate(data);
        std::copy(row.offsets.begin(), row.offsets.end(), memory.view<std::uint32_t>(offsets_buffer).begin());
        auto session = Session::open(*program, memory);
        REQUIRE(session.ok());
        Launch launch;
        launch.kernel = "probe";
        launch.block = {32, 1, 1};
        launch.parameters.resize(20);
        const std::uint64_t addresses[] = {memory.buffer(offsets_buffer).address, memory.buffer(data_buffer).address};
        std::memcpy(launch.parameters.data(), addresses, 16);
        std::memcpy(launch.parameters.data() + 16, &row.mask, 4);
        RunOptions options;
        options.threads = 1;
        const Counters c = (*session)->run(launch, options).counters;
        // What was measured of a copy into shared memory is its wavefronts there.
        const std::uint64_t counted = row.access.starts_with("cpa")
                                          ? c.async_copy_wavefronts
                                          : c.global_load_sectors - 4 + c.global_store_sectors +
                                                c.global_atomic_sectors + c.shared_load_wavefronts +
                                                c.shared_store_wavefronts + c.shared_atomic_wavefronts;
        INFO(row.access << " " << row.pattern << " mask " << std::hex << row.mask);
        CHECK(counted == row.measured);
        equal[row.access] += counted == row.measured ? 1 : 0;
    }
    int total = 0;
    for (const auto& [access, count] : equal) total += count;
    CHECK(total == 465);
}
