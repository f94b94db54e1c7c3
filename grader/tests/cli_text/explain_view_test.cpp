#include "cli/explain_view.hpp"

#include <functional>

#include "cli/text.hpp"
#include "cli_text/golden.hpp"

using namespace warpgrade;
using namespace warpgrade::cli;
using warpgrade::test::check_golden;

namespace {

vgpu::Access access(ptx::Space space, vgpu::AccessKind kind, int width, std::uint32_t units, std::uint32_t ideal,
                    const std::function<std::uint64_t(std::uint64_t)>& address, std::uint32_t mask = 0xFFFFFFFFu) {
    vgpu::Access one;
    one.line = 2;
    one.kind = kind;
    one.space = space;
    one.width_bytes = width;
    one.mask = mask;
    one.units = units;
    one.units_ideal = ideal;
    one.buffer = space == ptx::Space::shared ? "tile" : "in";
    for (std::uint64_t lane = 0; lane < 32; ++lane) one.addresses[lane] = address(lane);
    return one;
}

constexpr auto global = ptx::Space::global;
constexpr auto shared = ptx::Space::shared;
constexpr auto loads = vgpu::AccessKind::read;
constexpr auto stores = vgpu::AccessKind::write;

std::string shown(const vgpu::Access& one) {
    const std::string text = render_access(one, {});
    for (const std::string& line : split_lines(text)) {
        INFO(line);
        CHECK(display_width(line) <= 80);
    }
    return text;
}

}  // namespace

TEST_CASE("coalesced floats fill four sectors") {
    check_golden("explain_coalesced", shown(access(global, loads, 4, 4, 4, [](auto lane) { return lane * 4; })));
}

TEST_CASE("a column costs a sector a lane, folded") {
    check_golden("explain_strided", shown(access(global, stores, 4, 32, 4, [](auto lane) { return lane * 4096; })));
}

TEST_CASE("rows that begin off a sector touch one more") {
    check_golden("explain_misaligned", shown(access(global, loads, 4, 5, 4, [](auto lane) { return 132 + lane * 4; })));
}

TEST_CASE("every second float, float4 and bytes") {
    check_golden("explain_every_second", shown(access(global, loads, 4, 8, 4, [](auto lane) { return lane * 8; })));
    check_golden("explain_float4", shown(access(global, loads, 16, 16, 16, [](auto lane) { return lane * 16; })));
    check_golden("explain_bytes", shown(access(global, loads, 1, 1, 1, [](auto lane) { return lane; })));
    check_golden("explain_two_rows",
                 shown(access(global, loads, 4, 4, 4, [](auto lane) { return lane / 16 * 4096 + lane % 16 * 4; })));
}

TEST_CASE("one address, and a few lanes") {
    check_golden("explain_broadcast", shown(access(global, loads, 4, 1, 1, [](auto) { return 64; })));
    check_golden("explain_few_lanes", shown(access(
                                          global, stores, 4, 1, 1, [](auto lane) { return lane * 4; }, 0x1u)));
}

TEST_CASE("banks: none, all and half in conflict") {
    check_golden("explain_no_conflict", shown(access(shared, stores, 4, 1, 1, [](auto lane) { return lane * 4; })));
    check_golden("explain_conflict_32", shown(access(shared, loads, 4, 32, 1, [](auto lane) { return lane * 128; })));
    check_golden("explain_padded", shown(access(shared, loads, 4, 1, 1, [](auto lane) { return lane * 132; })));
    check_golden("explain_conflict_2", shown(access(shared, loads, 4, 2, 1, [](auto lane) { return lane * 8; })));
    check_golden("explain_shared_broadcast", shown(access(shared, loads, 4, 1, 1, [](auto) { return 16; })));
    check_golden("explain_shared_float4", shown(access(shared, loads, 16, 4, 4, [](auto lane) { return lane * 16; })));
}

TEST_CASE("lanes are named in few characters") {
    CHECK(lanes_text(0x1u) == "0");
    CHECK(lanes_text(0xFFu) == "0-7");
    CHECK(lanes_text(0x80000000u) == "31");
    CHECK(lanes_text(0x11111111u) == "0,4..28");
    CHECK(lanes_text(0x00000012u) == "1,4");
    CHECK(lanes_text(0x0000001Bu) == "4 lanes");
    CHECK(lanes_text(0) == "none");
}

TEST_CASE("traffic is shown beside the source, and shares add up") {
    vgpu::LineCounters load{2, {}}, turn{3, {}};
    load.counters.global_load_requests = 32768;
    load.counters.global_load_sectors = 131072;
    load.counters.global_load_sectors_ideal = 131072;
    load.counters.shared_store_requests = 32768;
    load.counters.shared_store_wavefronts = 32768;
    load.counters.shared_store_wavefronts_ideal = 32768;
    turn.counters.shared_load_requests = 32768;
    turn.counters.shared_load_wavefronts = 32768 * 32;
    turn.counters.shared_load_wavefronts_ideal = 32768;
    turn.counters.global_store_requests = 32768;
    turn.counters.global_store_sectors = 131072 * 3;
    turn.counters.global_store_sectors_ideal = 131072;
    const auto traffic = traffic_by_line({load, turn});
    REQUIRE(traffic.size() == 4);
    CHECK(traffic[0].share == Approx(0.25));
    CHECK(traffic[3].access == "shared load");
    const std::vector<std::string> source{
        "", "    tile[threadIdx.y][threadIdx.x] = in[y * cols + x];",
        "    out[y * rows + x] = tile[threadIdx.x][threadIdx.y];  // a comment that goes on"};
    check_golden("explain_traffic", render_traffic(traffic, source, 0, {}));
    const std::string one_line = render_traffic(traffic, source, 3, {});
    CHECK(one_line.find("tile[threadIdx.y][threadIdx.x] = in") == std::string::npos);
    CHECK(render_traffic(traffic, source, 1, {}).empty());
    vgpu::LineCounters half{3, {}};
    half.counters.double_instructions = 32768;
    const std::string in_double = render_traffic(traffic_by_line({half}), source, 0, {});
    CHECK(in_double.ends_with("\n       double math        32,768\n"));
}

TEST_CASE("of many accesses by one line the dearest is drawn once") {
    const auto few = access(
        global, loads, 4, 1, 1, [](auto lane) { return lane * 4; }, 0xFu);
    const auto full = access(global, loads, 4, 4, 4, [](auto lane) { return 128 + lane * 4; });
    const std::vector<std::string> source{"", "    sum += in[i];", "    sum += in[i + 1];"};
    check_golden("explain_repeated", render_pictures({few, full, full}, source, 0, {}));
    CHECK(render_pictures({full, full}, source, 0, {}).find("2 times, each time at this cost") != std::string::npos);
    CHECK(render_pictures({few, full}, source, 7, {}).empty());
}

TEST_CASE("an access of a later launch is said to be of that one") {
    const auto one = access(global, loads, 4, 4, 4, [](auto lane) { return lane * 4; });
    auto other = one;
    other.buffer = "scratch";
    const std::vector<std::string> source{"", "    sum += in[i];"};
    const std::string shown = render_pictures({one, other, other}, source, 0, {}, {1, 3});
    CHECK(shown.find("       the warp reads `in`: 4 sectors\n") != std::string::npos);
    CHECK(shown.find("       in launch 2, the warp reads `scratch`: 4 sectors\n") != std::string::npos);
}

TEST_CASE("pictures go by line, and one that was seen is not drawn again") {
    auto first = access(shared, loads, 4, 1, 1, [](auto lane) { return lane * 4; });
    auto second = first, other = access(shared, stores, 4, 1, 1, [](auto lane) { return lane * 4; });
    second.line = 3;
    other.line = 1;
    const std::vector<std::string> source{"    tile[i] = 0;", "    sum += tile[i];", "    sum += tile[i + 32];"};
    check_golden("explain_seen", render_pictures({second, first, other}, source, 0, {}));
}
