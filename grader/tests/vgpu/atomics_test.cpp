// Atomics of every operation, type and space, against the same operation worked out here lane by lane.
#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>

#include "vgpu/code.hpp"
#include "vgpu/execution_bench.hpp"
#include "vgpu/ops/table.hpp"

using namespace execution;

namespace {

const std::uint32_t kMasks[] = {0xFFFFFFFFu, 0x55555555u, 0x00000001u, 0xFFFF0000u};
constexpr const char* kHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

std::string number(int n) { return std::to_string(n); }

using Step = std::function<std::uint64_t(std::uint64_t old, std::uint64_t b, std::uint64_t c)>;

template <class T>
Step step_of(const std::function<T(T, T, T)>& f) {
    return [f](std::uint64_t old, std::uint64_t b, std::uint64_t c) {
        T values[3], result;
        const std::uint64_t bits[3] = {old, b, c};
        for (int k = 0; k < 3; ++k) std::memcpy(&values[k], &bits[k], sizeof(T));
        result = f(values[0], values[1], values[2]);
        std::uint64_t out = 0;
        std::memcpy(&out, &result, sizeof(T));
        return out;
    };
}
template <class T>
std::map<std::string, Step> integer_steps(const std::string& type) {
    using U = std::make_unsigned_t<T>;
    std::map<std::string, Step> steps;
    steps["min." + type] = step_of<T>([](T old, T b, T) { return std::min(old, b); });
    steps["max." + type] = step_of<T>([](T old, T b, T) { return std::max(old, b); });
    if (type != "s64") steps["add." + type] = step_of<U>([](U old, U b, U) { return static_cast<U>(old + b); });
    return steps;
}
template <class U>
std::map<std::string, Step> bit_steps(const std::string& type) {
    return {{"and." + type, step_of<U>([](U old, U b, U) { return static_cast<U>(old & b); })},
            {"or." + type, step_of<U>([](U old, U b, U) { return static_cast<U>(old | b); })},
            {"xor." + type, step_of<U>([](U old, U b, U) { return static_cast<U>(old ^ b); })},
            {"exch." + type, step_of<U>([](U, U b, U) { return b; })},
            {"cas." + type, step_of<U>([](U old, U b, U c) { return old == b ? c : old; })}};
}

// What each atomic makes of the old value; halves are small whole numbers here, whose sums are exact.
std::map<std::string, Step> atomic_steps() {
    std::map<std::string, Step> all;
    for (auto&& part :
         {integer_steps<std::uint32_t>("u32"), integer_steps<std::int32_t>("s32"), integer_steps<std::uint64_t>("u64"),
          integer_steps<std::int64_t>("s64"), bit_steps<std::uint32_t>("b32"), bit_steps<std::uint64_t>("b64")})
        all.insert(part.begin(), part.end());
    using U = std::uint32_t;
    all["cas.b16"] =
        step_of<std::uint16_t>([](std::uint16_t old, std::uint16_t b, std::uint16_t c) { return old == b ? c : old; });
    all["inc.u32"] = step_of<U>([](U old, U b, U) { return old >= b ? 0 : old + 1; });
    all["dec.u32"] = step_of<U>([](U old, U b, U) { return old == 0 || old > b ? b : old - 1; });
    all["add.f32"] = step_of<float>([](float old, float b, float) { return old + b; });
    all["add.f64"] = step_of<double>([](double old, double b, double) { return old + b; });
    return all;
}

std::string atomic_text(const std::string& space, bool is_generic, const std::string& operation, bool is_reduction) {
    const std::string type = operation.substr(operation.find('.') + 1), bits = type.substr(1);
    const int bytes = std::stoi(bits) / 8;
    const bool is_cas = operation.starts_with("cas");
    const std::string name =
        std::string(is_reduction ? "red" : "atom") + (is_generic ? "" : "." + space) + "." + operation;
    const std::string instruction =
        name + (is_reduction ? " [%base], %b;" : " %d, [%base], %b" + std::string(is_cas ? ", %c;" : ";"));
    std::string base = "    add.s64 %base, %rd1, %rd8;\n", before, after;
    if (space == "shared") {
        base = "    mov.u64 %base, room;\n" + std::string(is_generic ? "    cvta.shared.u64 %base, %base;\n" : "") +
               "    add.s64 %base, %base, %rd8;\n";
        // 32 elements in, 32 out again, one a lane.
        before = "    mov.u64 %rd9, room;\n    add.s64 %rd9, %rd9, %rd7;\n    ld.global.b" + bits +
                 " %d, [%rd10];\n    st.shared.b" + bits + " [%rd9], %d;\n    bar.sync 0;\n";
        after = "    bar.sync 0;\n    ld.shared.b" + bits + " %d, [%rd9];\n    st.global.b" + bits + " [%rd10], %d;\n";
    }
    return std::string(kHead) +
           R"(.visible .entry change(.param .u64 p_data, .param .u64 p_b, .param .u64 p_c, .param .u64 p_where, .param .u64 p_out, .param .u32 p_mask)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<16>, %base;
    .reg .b)" +
           bits + R"( %b, %c, %d;
)" + (space == "shared" ? "    .shared .align 8 .b8 room[256];\n" : "") +
           R"(
    ld.param.u64 %rd1, [p_data];
    ld.param.u64 %rd2, [p_b];
    ld.param.u64 %rd3, [p_c];
    ld.param.u64 %rd4, [p_where];
    ld.param.u64 %rd5, [p_out];
    ld.param.u32 %r1, [p_mask];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd6, %r2, 4;
    add.s64 %rd4, %rd4, %rd6;
    ld.global.u32 %r3, [%rd4];
    mul.wide.u32 %rd7, %r2, )" +
           number(bytes) + R"(;
    mul.wide.u32 %rd8, %r3, )" +
           number(bytes) + R"(;
    add.s64 %rd10, %rd1, %rd7;
    add.s64 %rd2, %rd2, %rd7;
    add.s64 %rd3, %rd3, %rd7;
    add.s64 %rd5, %rd5, %rd7;
    ld.global.b)" +
           bits + " %b, [%rd2];\n    ld.global.b" + bits + " %c, [%rd3];\n" + before + base + R"(
    shr.u32 %r4, %r1, %r2;
    and.b32 %r4, %r4, 1;
    setp.eq.u32 %p1, %r4, 0;
    @%p1 bra $done;
    )" + instruction +
           "\n" + (is_reduction ? "" : "    st.global.b" + bits + " [%rd5], %d;\n") + "$done:\n" + after +
           "    ret;\n}\n";
}

}  // namespace

TEST_CASE("atomics of every operation, type and space: lanes take their turn, each sees the value before its own") {
    const auto steps = atomic_steps();
    for (const auto& [operation, step] : steps) {
        const bool is_float = operation.find(".f") != std::string::npos, is_cas = operation.starts_with("cas");
        const std::size_t bytes = static_cast<std::size_t>(std::stoi(operation.substr(operation.find('.') + 2)) / 8);
        for (const std::string space : {"global", "shared"}) {
            for (const bool is_generic : {false, true}) {
                for (const bool is_reduction : {false, true}) {
                    if (is_reduction && (is_cas || operation.starts_with("exch"))) continue;
                    const auto program =
                        load_text(atomic_text(space, is_generic, operation, is_reduction), "change.cu");
                    for (const std::uint32_t mask : kMasks) {
                        // All in one place, each in its own, a few in each of four.
                        for (const int spread : {1, 32, 4}) {
                            INFO(operation << " in " << space << (is_generic ? ", generic" : "")
                                           << (is_reduction ? ", red" : "") << ", mask " << std::hex << mask << std::dec
                                           << ", " << spread << " places");
                            std::vector<std::uint64_t> data(32), b(32), c(32), old(32);
                            std::vector<int> where(32);
                            for (int i = 0; i < 32; ++i) {
                                where[at(i)] = (i * 7) % spread;
                                if (is_float && bytes == 4) {
                                    const float values[] = {1.0f + static_cast<float>(i), 0.1f * static_cast<float>(i)};
                                    std::memcpy(&data[at(i)], &values[0], 4);
                                    std::memcpy(&b[at(i)], &values[1], 4);
                                } else if (is_float) {
                                    const double values[] = {1.0 + i, 0.1 * i};
                                    std::memcpy(&data[at(i)], &values[0], 8);
                                    std::memcpy(&b[at(i)], &values[1], 8);
                                } else {
                                    const std::uint64_t whole =
                                        bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
                                    data[at(i)] =
                                        (std::uint64_t{0x9E3779B97F4A7C15} * static_cast<std::uint64_t>(i + 1)) & whole;
                                    b[at(i)] =
                                        (std::uint64_t{0xBF58476D1CE4E5B9} * static_cast<std::uint64_t>(i + 3)) & whole;
                                    c[at(i)] = static_cast<std::uint64_t>(i) + 1;
                                    if (operation == "inc.u32" || operation == "dec.u32") {
                                        data[at(i)] = static_cast<std::uint64_t>(i % 4);
                                        b[at(i)] = static_cast<std::uint64_t>(3 + i % 5);
                                    }
                                    // Some of the comparisons hold: each lane expects what the one before it left, or
                                    // not.
                                    if (is_cas)
                                        b[at(i)] = i == 0       ? data[at(where[0])]
                                                   : i % 3 == 0 ? data[at(i)]
                                                                : static_cast<std::uint64_t>(i);
                                }
                            }
                            const auto narrow = [&](const std::vector<std::uint64_t>& values) {
                                std::vector<std::uint8_t> packed(32 * bytes);
                                for (std::size_t i = 0; i < 32; ++i)
                                    std::memcpy(packed.data() + i * bytes, &values[i], bytes);
                                return packed;
                            };
                            Bench bench(program);
                            const int memory = bench.buffer("data", narrow(data)),
                                      operands = bench.buffer("b", narrow(b)), others = bench.buffer("c", narrow(c)),
                                      places = bench.buffer("where", where), out = bench.buffer("out", narrow(old));
                            const RunResult result =
                                bench.run("change", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(memory),
                                          bench.address(operands), bench.address(others), bench.address(places),
                                          bench.address(out), mask);
                            REQUIRE(findings_of(result) == "");
                            for (int i = 0; i < 32; ++i) {
                                if (((mask >> i) & 1) == 0) continue;
                                std::uint64_t& place = data[at(where[at(i)])];
                                if (!is_reduction) old[at(i)] = place;
                                place = step(place, b[at(i)], c[at(i)]);
                            }
                            REQUIRE(bench.values<std::uint8_t>(memory) == narrow(data));
                            REQUIRE(bench.values<std::uint8_t>(out) == narrow(old));
                            const Counters& counters = result.counters;
                            REQUIRE((space == "shared" ? counters.shared_atomic_requests
                                                       : counters.global_atomic_requests) == 1);
                            REQUIRE((space == "shared" ? counters.shared_atomic_operations
                                                       : counters.global_atomic_operations) ==
                                    static_cast<std::uint64_t>(std::popcount(mask)));
                        }
                    }
                }
            }
        }
    }
}

TEST_CASE("every row of atomics was among these tests") {
    std::set<Handler> reached;
    for (const auto& [operation, step] : atomic_steps()) {
        for (const std::string space : {"global", "shared"}) {
            for (const bool is_generic : {false, true}) {
                const auto program = load_text(atomic_text(space, is_generic, operation, false), "change.cu");
                for (const Code& code : program->functions) {
                    for (const Inst& in : code.instructions) reached.insert(in.masked);
                }
            }
        }
    }
    std::string missing;
    for (const OpEntry* row : op_table().rows()) {
        if (!row->key.starts_with("atom.") || row->key.find("f16") != std::string::npos) continue;  // halves: below
        if (!reached.contains(row->masked)) missing += row->key + " ";
    }
    CHECK(missing == "");
}

TEST_CASE("halves are added one by one and in pairs") {
    for (const bool is_pair : {false, true}) {
        const std::string type = is_pair ? "f16x2" : "f16", bits = is_pair ? "32" : "16",
                          value = is_pair ? "0x3C003800" : "0x3800";  // 1 and 0.5
        const std::string text = std::string(kHead) + R"(.visible .entry add(.param .u64 p_data)
{
    .reg .b64 %rd<2>;
    .reg .b)" + bits + R"( %v, %d;
    ld.param.u64 %rd1, [p_data];
    mov.b)" + bits + " %v, " + value +
                                 R"(;
    atom.global.add.noftz.)" + type +
                                 R"( %d, [%rd1], %v;
    ret;
}
)";
        Bench bench(load_text(text, "halves.cu"));
        const int data = bench.buffer("data", std::vector<std::uint16_t>{0x4000, 0x4400});  // 2, 4
        CHECK(findings_of(bench.run("add", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(data))) == "");
        CHECK(bench.values<std::uint16_t>(data)[0] == 0x4C80);                       // 2 + 32 * 0.5 = 18
        CHECK(bench.values<std::uint16_t>(data)[1] == (is_pair ? 0x5080 : 0x4400));  // 4 + 32 = 36
    }
}

TEST_CASE("a vector of atomics is one request, and each of its parts is added") {
    const auto program = load_text(std::string(kHead) + R"(.visible .entry add(.param .u64 p, .param .u64 q)
{
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [p];
    ld.param.u64 %rd2, [q];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    mul.wide.u32 %rd3, %r2, 16;
    add.s64 %rd4, %rd1, %rd3;
    mov.f32 %f1, 0f3F800000;
    mov.f32 %f2, 0f40000000;
    atom.global.add.v4.f32 {%f3, %f4, %f5, %f6}, [%rd4], {%f1, %f2, %f1, %f2};
    red.global.add.v2.f32 [%rd4], {%f1, %f1};
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd6, %rd2, %rd5;
    st.global.f32 [%rd6], %f6;
    ret;
}
)",
                                   "vector.cu");
    Bench bench(program);
    const int sums = bench.buffer("sums", std::vector<float>(8, 0.5f)),
              old = bench.buffer("old", std::vector<float>(32, 0));
    const RunResult result =
        bench.run("add", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(sums), bench.address(old));
    CHECK(result.findings.empty());
    CHECK(bench.values<float>(sums) == std::vector<float>{32.5f, 48.5f, 16.5f, 32.5f, 32.5f, 48.5f, 16.5f, 32.5f});
    for (int lane = 0; lane < 32; ++lane)
        CHECK(bench.values<float>(old)[at(lane)] == 0.5f + 2.0f * static_cast<float>(lane / 2));
    CHECK(result.counters.global_atomic_requests == 2);
    CHECK(result.counters.global_atomic_operations == 64);
    CHECK(result.counters.global_atomic_sectors == 2);

    const RunResult misaligned =
        bench.run("add", {1, 1, 1}, {1, 1, 1}, options_with(), bench.address(sums) + 8, bench.address(old));
    REQUIRE(misaligned.findings.size() == 1);
    CHECK(misaligned.findings[0].kind == FindingKind::misaligned);
    CHECK(misaligned.findings[0].width_bytes == 16);
}
