// Loads and stores of every width, vector and state space: what is stored comes back, byte for byte, whatever
// the order of the lanes' addresses and whichever lanes take part.
#include <set>

#include "vgpu/code.hpp"
#include "vgpu/execution_bench.hpp"
#include "vgpu/ops/table.hpp"

using namespace execution;

namespace {

const std::uint32_t kMasks[] = {0xFFFFFFFFu, 0x55555555u, 0x00000001u, 0xFFFF0000u};

// Which place lane i goes to: in order, backwards, scattered.
int place_of(int pattern, int lane) { return pattern == 0 ? lane : pattern == 1 ? 31 - lane : (lane * 13 + 5) % 32; }

std::string number(int n) { return std::to_string(n); }

struct Width {
    int bits, vector;
    int bytes() const { return bits / 8 * vector; }
    std::string suffix() const { return (vector > 1 ? ".v" + number(vector) : std::string()) + ".b" + number(bits); }
    std::string registers(const std::string& stem) const {
        std::string list;
        for (int k = 0; k < vector; ++k) list += (k > 0 ? ", " : "") + stem + number(k);
        return vector > 1 ? "{" + list + "}" : list;
    }
};
std::vector<Width> widths() {
    std::vector<Width> all;
    for (const int bits : {8, 16, 32, 64}) {
        for (const int vector : {1, 2, 4}) {
            if (bits * vector <= 128) all.push_back({bits, vector});
        }
    }
    return all;
}

constexpr const char* kHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

// in -> the space -> out, in lanes of `mask`; `where` holds each lane's place.
std::string round_trip(const std::string& space, bool is_generic, const Width& w) {
    const std::string reg = w.bits == 8 ? "16" : number(w.bits), name = is_generic ? "" : "." + space;
    std::string base;
    if (space == "global")
        base = "    ld.param.u64 %base, [p_scratch];\n";
    else
        base =
            "    mov.u64 %base, room;\n" + (is_generic ? "    cvta." + space + ".u64 %base, %base;\n" : std::string());
    // Local memory is each thread's own: 32 places for each.
    return std::string(kHead) +
           R"(.visible .entry copy(.param .u64 p_in, .param .u64 p_out, .param .u64 p_where, .param .u64 p_scratch, .param .u32 p_mask)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>, %base;
    .reg .b)" +
           reg + " %a<4>, %b<4>;\n" + (space == "global" ? "" : "    ." + space + " .align 16 .b8 room[1024];\n") + R"(
    ld.param.u64 %rd1, [p_in];
    ld.param.u64 %rd2, [p_out];
    ld.param.u64 %rd3, [p_where];
    ld.param.u32 %r1, [p_mask];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd4, %r2, 4;
    add.s64 %rd4, %rd3, %rd4;
    ld.global.u32 %r3, [%rd4];
)" + base + "    mul.wide.u32 %rd5, %r3, " +
           number(w.bytes()) + R"(;
    add.s64 %base, %base, %rd5;
    mul.wide.u32 %rd6, %r2, )" +
           number(w.bytes()) + R"(;
    add.s64 %rd1, %rd1, %rd6;
    add.s64 %rd2, %rd2, %rd6;
    shr.u32 %r4, %r1, %r2;
    and.b32 %r4, %r4, 1;
    setp.eq.u32 %p1, %r4, 0;
    @%p1 bra $done;
    ld.global)" +
           w.suffix() + " " + w.registers("%a") + ", [%rd1];\n    st" + name + w.suffix() + " [%base], " +
           w.registers("%a") + ";\n    ld" + name + w.suffix() + " " + w.registers("%b") + ", [%base];\n    st.global" +
           w.suffix() + " [%rd2], " + w.registers("%b") + ";\n$done:\n    ret;\n}\n";
}

std::vector<std::uint8_t> pattern_bytes(std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::uint8_t>(i * 37 + 11);
    return bytes;
}

}  // namespace

TEST_CASE("every width and vector comes back from every state space") {
    for (const std::string space : {"global", "shared", "local"}) {
        for (const bool is_generic : {false, true}) {
            for (const Width& w : widths()) {
                const auto program = load_text(round_trip(space, is_generic, w), "copy.cu");
                for (const std::uint32_t mask : kMasks) {
                    for (const int order : {0, 1, 2}) {
                        INFO(space << (is_generic ? ", generic" : "") << w.suffix() << ", mask " << std::hex << mask
                                   << ", order " << order);
                        const std::size_t count = static_cast<std::size_t>(32 * w.bytes());
                        std::vector<int> where(32);
                        for (int i = 0; i < 32; ++i) where[at(i)] = place_of(order, i);
                        Bench bench(program);
                        const auto bytes = pattern_bytes(count);
                        const int in = bench.buffer("in", bytes, true, true),
                                  out = bench.buffer("out", std::vector<std::uint8_t>(count)),
                                  places = bench.buffer("where", where),
                                  scratch = bench.buffer("scratch", std::vector<std::uint8_t>(1024), false);
                        const RunResult result =
                            bench.run("copy", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(in),
                                      bench.address(out), bench.address(places), bench.address(scratch), mask);
                        REQUIRE(findings_of(result) == "");
                        std::vector<std::uint8_t> expected(count), stored(count);
                        for (int i = 0; i < 32; ++i) {
                            if (((mask >> i) & 1) == 0) continue;
                            for (int k = 0; k < w.bytes(); ++k) {
                                expected[at(i * w.bytes() + k)] = bytes[at(i * w.bytes() + k)];
                                stored[at(where[at(i)] * w.bytes() + k)] = bytes[at(i * w.bytes() + k)];
                            }
                        }
                        REQUIRE(bench.values<std::uint8_t>(out) == expected);
                        if (space == "global") {
                            auto held = bench.values<std::uint8_t>(scratch);
                            held.resize(count);
                            REQUIRE(held == stored);
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("a narrow load fills a wide register by the sign of its type") {
    for (const auto& [type, bits] : std::vector<std::pair<std::string, int>>{
             {"u8", 8}, {"s8", 8}, {"u16", 16}, {"s16", 16}, {"u32", 32}, {"s32", 32}}) {
        const std::string text = std::string(kHead) + R"(.visible .entry widen(.param .u64 p_in, .param .u64 p_out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [p_in];
    ld.param.u64 %rd2, [p_out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, )" + number(bits / 8) +
                                 R"(;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.)" + type + R"( %rd5, [%rd4];
    mul.wide.u32 %rd6, %r1, 8;
    add.s64 %rd7, %rd2, %rd6;
    st.global.u64 [%rd7], %rd5;
    ret;
}
)";
        Bench bench(load_text(text, "widen.cu"));
        const auto bytes = pattern_bytes(128);
        const int in = bench.buffer("in", bytes), out = bench.buffer("out", std::vector<std::uint64_t>(32));
        CHECK(findings_of(bench.run("widen", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(in),
                                    bench.address(out))) == "");
        for (int i = 0; i < 32; ++i) {
            std::uint64_t value = 0;
            std::memcpy(&value, bytes.data() + i * bits / 8, static_cast<std::size_t>(bits / 8));
            if (type[0] == 's' && ((value >> (bits - 1)) & 1) != 0) value |= ~std::uint64_t{0} << bits;
            INFO(type << " lane " << i);
            CHECK(bench.values<std::uint64_t>(out)[at(i)] == value);
        }
    }
}

TEST_CASE("one generic instruction may reach global, shared and local memory at once") {
    const std::string text = std::string(kHead) + R"(.visible .entry mixed(.param .u64 p_out, .param .u64 p_scratch)
{
    .reg .pred %p<3>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<12>;
    .shared .align 4 .b8 room[128];
    .local .align 4 .b8 own[4];
    ld.param.u64 %rd1, [p_out];
    ld.param.u64 %rd2, [p_scratch];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    mov.u64 %rd5, room;
    cvta.shared.u64 %rd5, %rd5;
    add.s64 %rd5, %rd5, %rd3;
    mov.u64 %rd6, own;
    cvta.local.u64 %rd6, %rd6;
    rem.u32 %r2, %r1, 3;
    setp.eq.u32 %p1, %r2, 1;
    setp.eq.u32 %p2, %r2, 2;
    selp.b64 %rd7, %rd5, %rd4, %p1;
    selp.b64 %rd7, %rd6, %rd7, %p2;
    mad.lo.u32 %r3, %r1, 1000, 7;
    st.u32 [%rd7], %r3;
    ld.u32 %r4, [%rd7];
    add.s64 %rd8, %rd1, %rd3;
    st.global.u32 [%rd8], %r4;
    ret;
}
)";
    Bench bench(load_text(text, "mixed.cu"));
    const int out = bench.buffer("out", std::vector<int>(32)),
              scratch = bench.buffer("scratch", std::vector<int>(32, -1));
    const RunResult result =
        bench.run("mixed", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(out), bench.address(scratch));
    CHECK(findings_of(result) == "");
    for (int i = 0; i < 32; ++i) {
        CHECK(bench.values<int>(out)[at(i)] == i * 1000 + 7);
        CHECK(bench.values<int>(scratch)[at(i)] == (i % 3 == 0 ? i * 1000 + 7 : -1));
    }
    // One request in each space it touched.
    CHECK(result.counters.shared_store_requests == 1);
    CHECK(result.counters.shared_load_requests == 1);
    CHECK(result.counters.global_load_requests == 1);
    CHECK(result.counters.global_store_requests == 2);
    CHECK(result.counters.local_requests == 2);
}

TEST_CASE("a load from constant memory is no request to global memory") {
    const std::string text = std::string(kHead) + R"(
.const .align 4 .u32 table[4] = {5, 6, 7, 8};
.visible .entry constants(.param .u64 p_out) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [p_out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 3;
    mul.wide.u32 %rd2, %r2, 4;
    mov.u64 %rd3, table;
    add.s64 %rd3, %rd3, %rd2;
    ld.const.u32 %r3, [%rd3];
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd5, %rd1, %rd4;
    st.global.u32 [%rd5], %r3;
    ret;
}
)";
    Bench bench(load_text(text, "constants.cu"));
    const int out = bench.buffer("out", std::vector<int>(32));
    const RunResult result = bench.run("constants", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(out));
    CHECK(findings_of(result) == "");
    for (int i = 0; i < 32; ++i) CHECK(bench.values<int>(out)[at(i)] == 5 + i % 4);
    CHECK(result.counters.global_load_requests == 0);
    CHECK(result.counters.global_store_requests == 1);
}

TEST_CASE("every row of loads and stores was among these tests") {
    std::set<Handler> reached;
    for (const std::string space : {"global", "shared", "local"}) {
        for (const bool is_generic : {false, true}) {
            for (const Width& w : widths()) {
                const auto program = load_text(round_trip(space, is_generic, w), "copy.cu");
                for (const Code& code : program->functions) {
                    for (const Inst& in : code.instructions) reached.insert(in.masked);
                }
            }
        }
    }
    std::string missing;
    for (const OpEntry* row : op_table().rows()) {
        const std::string& key = row->key;
        if (!key.starts_with("ld.") && !key.starts_with("st.")) continue;
        // Parameters and frames are of calls: execution_test.
        if (key.find(".param.") != std::string::npos || key.find(".frame.") != std::string::npos) continue;
        if (!reached.contains(row->masked)) missing += key + " ";
    }
    CHECK(missing == "");
}
