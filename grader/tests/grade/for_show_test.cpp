// Operations that are counted and of no use. What is graded needs NVRTC; says so where it is missing.
#include "grade/for_show.hpp"

#include <fstream>
#include <sstream>

#include "compile/support.hpp"
#include "grade/stage_grader.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

// The result of the rule that begins so.
TechniqueResult rule_of(const std::string& stage, const std::string& text, const std::string& begin) {
    test::TemporaryFolder folder;
    const auto course = load_course(root);
    REQUIRE(course);
    const auto match = find_stage(*course, stage);
    REQUIRE(match);
    const auto device = make_virtual_device();
    const std::string path = folder.write("submission.cu", text);
    const auto graded = grade_stage(*match->assignment, *match->stage, path, *device, {});
    if (!graded) FAIL(graded.error().title);
    for (const TechniqueResult& rule : graded->technique)
        if (rule.rule.starts_with(begin)) return rule;
    FAIL("no rule " << begin);
    throw 0;
}

ptx::Module parsed(const std::string& body) {
    auto module = ptx::parse(
        ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<9>;\n"
        ".reg .b64 %rd<9>;\n.reg .pred %p<3>;\n.reg .f32 %f<9>;\n.shared .align 4 .b8 s[64];\n" +
        body + "ret;\n}\n");
    REQUIRE(module);
    return std::move(*module);
}

std::string first_of(const ptx::Module& module) { return ptx::full_name(module.functions.front().body.front()); }

}  // namespace

TEST_CASE("a shuffle that is left out leaves each lane its own value") {
    auto module = parsed("shfl.sync.up.b32 %r1|%p1, %r2, 1, 0, -1;\n");
    CHECK(leave_out(module, Operation::shuffle));
    CHECK(first_of(module) == "mov.b32");
    CHECK(module.functions.front().body.front().operands.at(1).index != -1);
}

TEST_CASE("of shared memory what is stored and added is left out, and nothing of global memory") {
    auto stores = parsed("st.shared.v2.f32 [s], {%f1, %f2};\n");
    CHECK(leave_out(stores, Operation::shared_store));
    CHECK(stores.functions.front().body.front().operands.at(1).elements.at(1).kind == ptx::Operand::Kind::f32);
    for (const char* text : {"red.shared.add.u32 [s], %r1;\n", "@%p1 red.shared::cta.add.u32 [s], %r1;\n"}) {
        auto adds = parsed(text);
        CHECK(leave_out(adds, Operation::shared_atomic));
        CHECK(first_of(adds) == "nanosleep.u32");
    }
    auto exchange = parsed("atom.shared.exch.b64 %rd1, [s], %rd2;\n");
    CHECK(leave_out(exchange, Operation::shared_atomic));
    CHECK(first_of(exchange) == "mov.b64");
    auto global = parsed("red.global.add.u32 [%rd1], %r1;\n");
    CHECK(leave_out(global, Operation::shared_atomic));
    CHECK(first_of(global) == "red.global.add.u32");
}

TEST_CASE("where an operation may be of the kind that is left out, and is not, nothing is said") {
    auto add = parsed("red.add.u32 [%rd1], %r1;\n");
    CHECK_FALSE(leave_out(add, Operation::shared_atomic));
    auto store = parsed("st.u32 [%rd1], %r1;\n");
    CHECK_FALSE(leave_out(store, Operation::shared_store));
    auto copy = parsed("cp.async.ca.shared.global [s], [%rd1], 4;\n");
    CHECK_FALSE(leave_out(copy, Operation::shared_store));
}

TEST_CASE("additions to shared memory that nobody reads do not count") {
    if (test::lacks_nvrtc()) return;
    const std::string honest = text_of(root + "/solutions/histogram/2_privatised.cu");
    CHECK(rule_of("histogram/privatised", honest, "shared_atomic_operations").ok);
    const TechniqueResult rule = rule_of("histogram/privatised",
                                         with(with(honest, "atomicAdd(&bins[in[i]], 1u);",
                                                   "{ atomicAdd(&counts[in[i]], 1u); atomicAdd(&bins[in[i]], 1u); }"),
                                              "atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);",
                                              "if (bins[threadIdx.x] == 0xffffffff) counts[threadIdx.x] = 0;"),
                                         "shared_atomic_operations");
    CHECK(rule.value >= 1e6);
    CHECK_FALSE(rule.ok);
    CHECK(rule.says.starts_with("the output is right without the atomic operations on shared memory too"));
}

TEST_CASE("shuffles whose values nobody needs do not count") {
    if (test::lacks_nvrtc()) return;
    CHECK(rule_of("scan/warp_shuffles", text_of(root + "/solutions/scan/4_warp_shuffles.cu"), "shuffles").ok);
    const std::string other = text_of(root + "/solutions/scan/1_hillis_steele.cu");
    const auto open = other.find("{", other.find("__global__"));
    REQUIRE(open != std::string::npos);
    const std::string shown =
        std::string(other).insert(open + 1, " if (__shfl_up_sync(0xffffffff, threadIdx.x, 1) > 4096) return; ");
    const TechniqueResult rule = rule_of("scan/warp_shuffles", shown, "shuffles");
    CHECK(rule.value > 0);
    CHECK_FALSE(rule.ok);
}

TEST_CASE("what goes through shared memory for show does not count") {
    if (test::lacks_nvrtc()) return;
    const std::string honest = text_of(root + "/solutions/transpose/3_corner_turning.cu");
    CHECK(rule_of("transpose/corner_turning", honest, "shared_load_requests").ok);
    const std::string shown = R"(
__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][32];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    const bool is_inside = x < cols && y < rows;
    tile[threadIdx.y][threadIdx.x] = is_inside ? in[std::size_t(y) * cols + x] : 0;
    __syncthreads();
    if (is_inside && tile[threadIdx.x][threadIdx.y] != 1.2345e30f)
        out[std::size_t(x) * rows + y] = in[std::size_t(y) * cols + x];
}
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    turn<<<dim3((cols - 1) / 32 + 1, (rows - 1) / 32 + 1), dim3(32, 32)>>>(in, out, rows, cols);
}
)";
    CHECK_FALSE(rule_of("transpose/corner_turning", "#include <cstddef>\n" + shown, "shared_load_requests").ok);
}
