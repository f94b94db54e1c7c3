#include <map>
#include <tuple>

#include "support/sample.hpp"
#include "vgpu/code.hpp"
#include "vgpu/execution_bench.hpp"

using namespace execution;

namespace {

// `own` is an int for each of 32 threads; %rank, %blocks, %t, %out (of this block), %at (own + 4 t), %next (the same of
// the next block).
std::string kernel(const std::string& body, const std::string& cluster = ".reqnctapercluster 2, 1, 1") {
    return R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p_out, .param .u32 p_number) .explicitcluster )" +
           cluster + R"(
{
    .reg .pred %p<4>;
    .reg .b32 %t, %n, %rank, %blocks, %number, %at, %next, %to, %a<8>;
    .reg .b64 %out, %wide, %b<4>;
    .shared .align 16 .b8 own[128];
    ld.param.u64 %out, [p_out];
    ld.param.u32 %number, [p_number];
    mov.u32 %t, %tid.x;
    mov.u32 %n, %ctaid.x;
    mul.wide.u32 %wide, %n, 128;
    add.u64 %out, %out, %wide;
    mul.wide.u32 %wide, %t, 4;
    add.u64 %out, %out, %wide;
    mov.u32 %rank, %cluster_ctarank;
    mov.u32 %blocks, %cluster_nctarank;
    mov.u32 %at, own;
    mad.lo.u32 %at, %t, 4, %at;
    add.u32 %to, %rank, 1;
    rem.u32 %to, %to, %blocks;
    mapa.shared::cluster.u32 %next, %at, %to;
)" + body + R"(
    ret;
}
)";
}

constexpr const char* meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";

struct Ran {
    std::vector<int> out;
    RunResult result;
    // Of each finding: its kind, and what tells it from others.
    std::string found() const {
        std::string text;
        for (const Finding& f : result.findings)
            text += to_string(f.kind) +
                    (f.reason == FindingReason::none ? "" : "/" + std::string(to_string(f.reason))) + " ";
        return text;
    }
};

Ran run(const std::string& ptx, Dim3 grid = {4, 1, 1}, Dim3 cluster = {0, 0, 0},
        const RunOptions& options = options_with(), std::uint32_t threads = 32, int number = 0) {
    const auto program = load_text(ptx, "");
    Memory memory;
    auto session = std::move(Session::open(program, memory)).value();
    BufferSpec spec;
    spec.name = "out";
    spec.bytes = grid.count() * 128;
    spec.element_bytes = 4;
    spec.is_written = true;
    const int out = *memory.allocate(spec);
    Launch launch;
    launch.kernel = "k";
    launch.grid = grid;
    launch.block = {threads, 1, 1};
    launch.cluster = cluster;
    launch.parameters.resize(12);
    const std::uint64_t address = memory.buffer(out).address;
    std::memcpy(launch.parameters.data(), &address, 8);
    std::memcpy(launch.parameters.data() + 8, &number, 4);
    Ran ran;
    ran.result = session->run(launch, options);
    const auto view = memory.view<int>(out);
    ran.out.assign(view.begin(), view.end());
    return ran;
}

// Each block stores where the next one reads.
std::string passing(const std::string& before, const std::string& between, const std::string& after) {
    return before + "mad.lo.u32 %a0, %n, 100, %t;\nst.shared::cluster.u32 [%next], %a0;\n" + between +
           "ld.shared.u32 %a1, [%at];\nst.global.u32 [%out], %a1;\n" + after;
}

}  // namespace

TEST_CASE("blocks of a cluster store into each other's shared memory", "[clusters]") {
    for (const std::uint64_t schedule : {0, 1, 7})
        for (const std::uint32_t blocks : {1u, 2u, 4u}) {
            const Ran ran =
                run(kernel(passing(meet, meet, ""), ""), {4, 1, 1}, {blocks, 1, 1}, options_with(1, schedule));
            CHECK(ran.found() == "");
            for (int block = 0; block < 4; ++block) {
                const int size = static_cast<int>(blocks),
                          from = block / size * size + (block % size + size - 1) % size;
                CHECK(ran.out[at(block * 32 + 5)] == from * 100 + 5);
            }
        }
}

TEST_CASE("clusters of a launch that is too large to be followed run as those of a small one", "[clusters]") {
    const Ran ran = run(kernel(passing(meet, meet, meet)), {20000, 1, 1}, {0, 0, 0}, options_with(2));
    CHECK(ran.found() == "");
    CHECK(ran.result.is_complete);
    int wrong = 0;
    for (int block = 0; block < 20000; ++block) wrong += ran.out[at(block * 32 + 31)] != (block ^ 1) * 100 + 31;
    CHECK(wrong == 0);
}

TEST_CASE("special registers tell the place in the cluster, along each axis", "[clusters]") {
    const auto text = [](const char* special) {
        return kernel(std::string("mov.u32 %a0, %") + special + ";\nst.global.u32 [%out], %a0;\n", "");
    };
    // The out of a block is that of its x: with a grid of one row, all are told apart.
    const std::map<std::string, std::vector<int>> expected{
        {"clusterid.x", {0, 0, 1, 1, 2, 2}},     {"nclusterid.x", {3, 3, 3, 3, 3, 3}},
        {"cluster_ctaid.x", {0, 1, 0, 1, 0, 1}}, {"cluster_nctaid.x", {2, 2, 2, 2, 2, 2}},
        {"cluster_ctarank", {0, 1, 0, 1, 0, 1}}, {"cluster_nctarank", {2, 2, 2, 2, 2, 2}},
        {"clusterid.y", {0, 0, 0, 0, 0, 0}},     {"cluster_nctaid.z", {1, 1, 1, 1, 1, 1}},
    };
    for (const auto& [special, values] : expected) {
        const Ran ran = run(text(special.c_str()), {6, 1, 1}, {2, 1, 1});
        INFO(special);
        for (int block = 0; block < 6; ++block) CHECK(ran.out[at(block * 32)] == values[at(block)]);
    }
}

TEST_CASE("an atomic operation reaches another block, by its own and by a generic address", "[clusters]") {
    const std::string text = std::string("st.shared.u32 [%at], 7;\n") + meet +
                             "red.relaxed.cluster.shared::cluster.add.u32 [%next], 2;\n"
                             "cvt.u64.u32 %b0, %at;\ncvta.shared.u64 %b1, %b0;\nmapa.u64 %b2, %b1, %to;\n"
                             "getctarank.u64 %a4, %b2;\natom.add.u32 %a5, [%b2], %a4;\n" +
                             meet + "ld.shared.u32 %a1, [%at];\nst.global.u32 [%out], %a1;\n";
    const Ran ran = run(kernel(text), {2, 1, 1});
    CHECK(ran.found() == "");
    CHECK(ran.out[0] == 9);  // block 1 added its `to`, 0
    CHECK(ran.out[32] == 10);
}

TEST_CASE("what a block may not reach of another one is found", "[clusters]") {
    SECTION("no barrier before: it may not have started") {
        const Ran ran = run(kernel(passing("", meet, "")));
        CHECK(ran.found() == "out_of_bounds_shared/not_started ");
        CHECK(ran.result.findings[0].other.block == Dim3{1, 0, 0});
    }
    SECTION("no barrier behind: it may have ended") {
        const Ran ran = run(kernel(std::string("st.shared.u32 [%at], %t;\n") + meet +
                                   "ld.shared::cluster.u32 %a1, [%next];\nst.global.u32 [%out], %a1;\n"));
        CHECK(ran.found() == "out_of_bounds_shared/ended ");
    }
    SECTION("... also where it happens to be there still") {
        const std::string text = std::string("st.shared.u32 [%at], %t;\n") + meet +
                                 "setp.ne.u32 %p0, %rank, 0;\n@%p0 bra END;\nld.shared::cluster.u32 %a1, [%next];\n"
                                 "st.global.u32 [%out], %a1;\nEND:\n";
        CHECK(run(kernel(text)).found() == "out_of_bounds_shared/ended ");
        CHECK(run(kernel(text), {4, 1, 1}, {0, 0, 0}, options_with(1, 1)).found() == "out_of_bounds_shared/ended ");
        CHECK(run(kernel(text + meet)).found() == "");
    }
    SECTION("a rank that the cluster does not have") {
        const Ran ran = run(kernel(std::string(meet) +
                                   "mov.u32 %a0, 5;\nmapa.shared::cluster.u32 %next, %at, %a0;\n"
                                   "ld.shared::cluster.u32 %a1, [%next];\n" +
                                   meet));
        CHECK(ran.found() == "out_of_bounds_shared/no_such_block ");
        CHECK(ran.result.findings[0].value == 5);
    }
    SECTION("past the end of its shared memory") {
        CHECK(run(kernel(std::string(meet) + "st.shared::cluster.u32 [%next+4096], %t;\n" + meet)).found() ==
              "out_of_bounds_shared ");
    }
    SECTION("what was not written there") {
        CHECK(run(kernel(std::string(meet) + "ld.shared::cluster.u32 %a1, [%next];\n" + meet))
                  .found()
                  .starts_with("uninitialized"));
    }
    SECTION("an mbarrier there is not supported") {
        const Ran ran = run(kernel(std::string(meet) + "mapa.shared::cluster.u32 %next, own, %to;\n" +
                                   "mbarrier.init.shared.b64 [%next], 1;\n" + meet));
        CHECK(ran.found().starts_with("unsupported"));
        CHECK_FALSE(ran.result.is_complete);
    }
}

TEST_CASE("blocks of a cluster race where no barrier of it is between them", "[clusters]") {
    const std::string in_step = std::string(meet) + "st.shared::cluster.u32 [%next], %t;\n" + meet +
                                "ld.shared.u32 %a1, [%at];\n" + "bar.sync 0;\n";
    CHECK(run(kernel(in_step + meet + "st.shared::cluster.u32 [%next], %a1;\n" + meet)).found() == "");
    CHECK(run(kernel(in_step + "st.shared::cluster.u32 [%next], %a1;\n" + meet)).found().starts_with("race_shared "));
    SECTION("global memory is ordered by it, too") {
        const std::string swapped =
            "xor.b32 %a3, %n, 1;\nsub.u32 %a3, %a3, %n;\nmul.wide.s32 %b0, %a3, 128;\n"
            "add.u64 %b1, %out, %b0;\nst.global.u32 [%b1], %t;\n";
        CHECK(run(kernel(swapped + meet + "ld.global.u32 %a1, [%out];\n")).found() == "");
        CHECK(run(kernel(swapped + "bar.sync 0;\nld.global.u32 %a1, [%out];\n")).found().starts_with("race_global"));
        CHECK(run(kernel(swapped +
                         "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\nld.global.u32 %a1, [%out];\n"))
                  .found()
                  .starts_with("race_global"));
    }
}

TEST_CASE("a barrier of a cluster waits for the threads that have not ended", "[clusters]") {
    // Half of block 0 ends, and all of block 3 at once.
    const std::string text =
        "setp.lt.u32 %p0, %t, 16;\nsetp.eq.u32 %p1, %n, 0;\nand.pred %p0, %p0, %p1;\n@%p0 exit;\n"
        "setp.eq.u32 %p2, %n, 3;\n@%p2 exit;\n" +
        std::string(meet) + meet + "st.global.u32 [%out], 1;\n";
    const Ran ran = run(kernel(text));
    CHECK(ran.found() == "");
    CHECK(ran.result.is_complete);
    CHECK(ran.out[16] == 1);
    CHECK(ran.out[64] == 1);
}

TEST_CASE("threads that never meet at a barrier of a cluster are a deadlock", "[clusters]") {
    const std::string apart = "setp.lt.u32 %p0, %t, 32;\n@%p0 bra FIRST;\nbar.sync 0;\nbra END;\nFIRST:\n" +
                              std::string(meet) + "bar.sync 0;\nEND:\n";
    const Ran ran = run(kernel(apart), {4, 1, 1}, {0, 0, 0}, options_with(), 64);
    CHECK(ran.found() == "deadlock/cluster ");
    CHECK(ran.result.findings[0].limit == 128);
    CHECK(run(kernel("barrier.cluster.wait;\n")).found() == "deadlock/cluster ");
    // One block polls what nobody stores, the other one waits for it.
    const Ran polls =
        run(kernel("setp.eq.u32 %p0, %rank, 0;\n@%p0 bra WAIT;\nAGAIN:\nld.volatile.global.u32 %a0, [%out];\n"
                   "setp.eq.u32 %p1, %a0, 0;\n@%p1 bra AGAIN;\nWAIT:\n" +
                   std::string(meet)));
    CHECK(polls.found() == "timeout/waits ");
}

TEST_CASE("clusters lie across the grid as they are asked for", "[clusters]") {
    const std::string text =
        "mov.u32 %a0, %ctaid.y;\nmul.wide.u32 %wide, %a0, 512;\nadd.u64 %out, %out, %wide;\n"
        "mov.u32 %a1, %clusterid.y;\nmov.u32 %a2, %clusterid.x;\nmad.lo.u32 %a1, %a1, 10, %a2;\n"
        "mad.lo.u32 %a1, %rank, 100, %a1;\nst.global.u32 [%out], %a1;\n" +
        std::string(meet);
    const Ran ran = run(kernel(text, ""), {4, 4, 1}, {2, 2, 1});
    CHECK(ran.found() == "");
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            CHECK(ran.out[at((y * 4 + x) * 32)] == 100 * (x % 2 + 2 * (y % 2)) + 10 * (y / 2) + x / 2);
}

TEST_CASE("whole clusters are sampled, by any of their blocks", "[clusters]") {
    Sample sample;
    sample.blocks = {3, 2, 5};
    RunOptions options = options_with();
    options.sample = &sample;
    const Ran ran = run(kernel(passing(meet, meet, "")), {8, 1, 1}, {0, 0, 0}, options);
    CHECK(ran.result.findings.empty());
    REQUIRE(ran.result.blocks.size() == 3);
    CHECK(ran.result.blocks[0].block == 3);
    CHECK(ran.out[at(3 * 32)] == 200);
    CHECK(ran.out[at(4 * 32)] == 500);  // the other one of its cluster
    CHECK(ran.out[0] == 0);
    sample.ends_with_trace = true;  // ... but others wait for it
    sample.most_steps_a_warp = 1;
    CHECK(run(kernel(passing(meet, meet, "")), {8, 1, 1}, {0, 0, 0}, options).result.findings.empty());
    Launch launch;
    launch.kernel = "k";
    launch.grid = {8, 1, 1};
    const auto program = load_text(kernel(""), "");
    CHECK(whole_clusters(*program, launch, {3, 5, 2}) == std::vector<std::uint64_t>{2, 3, 4, 5});
}

TEST_CASE("addresses in a cluster may be anything", "[clusters]") {
    for (const std::uint32_t high : {0u, 1u, 2u, 3u, 4u, 0x7Fu, 0x80u, 0xFFu})
        for (const std::uint32_t low : {0u, 124u, 125u, 128u, 0xFFFFFCu}) {
            const std::string address = std::to_string(high << 24 | low);
            for (const std::string form :
                 {"ld.shared::cluster.u32 %a1, [%a0];", "st.shared::cluster.v2.u32 [%a0], {%t, %t};",
                  "atom.shared::cluster.add.u32 %a1, [%a0], 1;", "mbarrier.init.shared.b64 [%a0], 1;",
                  "cp.async.ca.shared.global [%a0], [%out], 4;"}) {
                const Ran ran = run(kernel(std::string(meet) + "mov.u32 %a0, " + address + ";\n" + form + "\n" + meet));
                CHECK(ran.result.findings.size() < 4);
            }
        }
}
