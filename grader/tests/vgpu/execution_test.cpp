// Control flow, calls, barriers and locks: what a GPU's threads do, worked out again here thread by thread.
#include <functional>
#include <numeric>

#include "vgpu/execution_bench.hpp"

using namespace execution;

namespace {

using Model = std::function<int(const std::vector<int>&, int)>;

// A kernel of one value a thread, with full and partial warps, in every schedule.
void check_threads(const std::string& kernel, int range, const Model& model) {
    for (const std::uint32_t threads : {1u, 31u, 32u, 40u, 96u}) {
        const std::uint32_t blocks = 3, padded = (threads + 31) / 32 * 32;
        // Kernels look at neighbours (i ^ 7): the input has no end inside a group of 8.
        const std::vector<int> in = numbers(padded * blocks, static_cast<int>(threads), range);
        for (const std::uint64_t schedule : {0u, 1u, 2u}) {
            const Outcome got =
                run_in_out(kernel, {blocks, 1, 1}, {threads, 1, 1}, in, threads * blocks, options_with(1, schedule));
            INFO(kernel << ", " << threads << " threads, schedule " << schedule << ": " << findings_of(got.result));
            CHECK(got.result.findings.empty());
            CHECK(got.result.is_complete);
            std::vector<int> expected(threads * blocks);
            for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = model(in, static_cast<int>(i));
            CHECK(got.out == expected);
        }
    }
}

}  // namespace

TEST_CASE("nested ifs: each thread takes its own way and they meet again") {
    check_threads("nested_ifs", 16, [](const std::vector<int>& in, int i) {
        const int v = in[at(i)];
        int r = 0;
        if ((v & 1) != 0) {
            if ((v & 2) != 0) {
                r = in[at(i ^ 1)] + 1;
                if ((v & 4) != 0)
                    r += in[at(i ^ 2)] * 2;
                else
                    r -= 7;
            } else {
                r = in[at(i ^ 3)] - 5;
            }
            r += 100;
        } else if ((v & 8) != 0) {
            r = in[at(i ^ 4)] * 3;
        }
        return r * 2 + 1;
    });
}

TEST_CASE("loops with different trip counts, continue and break") {
    check_threads("loops", 20, [](const std::vector<int>& in, int i) {
        int sum = 0;
        for (int k = 0; k < in[at(i)]; ++k) {
            if (k == 5) continue;
            for (int j = k; j < 9; ++j) {
                if (in[at(j)] == i) break;
                sum += in[at(j)] * k;
            }
            if (sum > 2000) break;
        }
        return sum;
    });
    check_threads("collatz", 1000, [](const std::vector<int>& in, int i) {
        int v = in[at(i)], steps = 0;
        for (; v > 1; ++steps) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        return steps;
    });
}

TEST_CASE("a switch with fall-through, default, and a return in the middle") {
    check_threads("switches", 10, [](const std::vector<int>& in, int i) {
        const int v = in[at(i)];
        switch (v) {
            case 0: return in[at(i ^ 1)];
            case 1: return in[at(i ^ 2)] * 5;
            case 2: return -2;
            case 3: return 33;
            case 4:
            case 5: return v + 50;
            case 6: return in[at(i ^ 3)] ^ 66;
            case 7: return in[1] - in[2];
            default: return -1;
        }
    });
}

TEST_CASE("a branch table sends each lane to its own target") {
    const auto program = load_text(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry table(.param .u64 in, .param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.u32 %r2, [%rd4];
    mov.u32 %r3, 1000;
    setp.gt.u32 %p1, %r2, 3;
    @%p1 bra $join;
    targets: .branchtargets $zero, $one, $two, $zero;
    brx.idx %r2, targets;
$zero:
    add.u32 %r3, %r3, 1;
    bra.uni $join;
$one:
    add.u32 %r3, %r3, 10;
$two:
    add.u32 %r3, %r3, 100;
$join:
    st.global.u32 [%rd5], %r3;
    ret;
}
)",
                                   "table.cu");
    const std::vector<int> in = numbers(32, 5, 6);
    Bench bench(program);
    const int from = bench.buffer("in", in), to = bench.buffer("out", std::vector<int>(32));
    const RunResult result =
        bench.run("table", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(from), bench.address(to));
    CHECK(findings_of(result) == "");
    const int expected[] = {1001, 1110, 1100, 1001, 1000, 1000};
    for (int i = 0; i < 32; ++i) CHECK(bench.values<int>(to)[at(i)] == expected[in[at(i)]]);
}

TEST_CASE("recursion with a depth of its own in each thread") {
    const std::function<int(int)> fibonacci = [&](int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); };
    std::vector<int> in = numbers(64, 3, 13);
    in[7] = in[40] = -1;  // take no part
    const Outcome got = run_in_out("recursion", {1, 1, 1}, {64, 1, 1}, in, 64);
    CHECK(findings_of(got.result) == "");
    for (int i = 0; i < 64; ++i) CHECK(got.out[at(i)] == (in[at(i)] < 0 ? -12345 : fibonacci(in[at(i)])));
}

TEST_CASE("local arrays go to functions by pointer, each thread its own") {
    const std::vector<int> in = numbers(64, 9, 100);
    const Outcome got = run_in_out("local_arrays", {1, 1, 1}, {64, 1, 1}, in, 64);
    CHECK(findings_of(got.result) == "");
    for (int i = 0; i < 64; ++i) {
        const int v = in[at(i)];
        int a[12], largest = -1000, sum = 0;
        for (int k = 0; k < 12; ++k) a[k] = v + k * k;
        if ((v & 1) != 0) {
            for (int k = 0; k < 4; ++k) a[4 + k] = -v + k * k;
        }
        for (int k = 0; k < 4 + v % 8; ++k) {
            sum += a[k] * (k + 1);
            largest = std::max(largest, a[k]);
        }
        CHECK(got.out[at(i)] == sum * 1000 + largest);
    }
}

TEST_CASE("structures go to functions and back by value") {
    struct Wide {
        double d;
        int n[3];
        char c;
    };
    const auto change = [](Wide w, short by, unsigned char flag) {
        w.d *= by;
        w.n[flag] += by;
        w.c = static_cast<char>(w.c + flag);
        return w;
    };
    const std::vector<int> in = numbers(40, 2, 50);
    const Outcome got = run_in_out("struct_arguments", {1, 1, 1}, {40, 1, 1}, in, 40);
    CHECK(findings_of(got.result) == "");
    for (int i = 0; i < 40; ++i) {
        Wide w = {i * 0.5, {i, i + 1, i + 2}, 'a'};
        w = change(w, static_cast<short>(in[at(i)]), static_cast<unsigned char>(i % 3));
        if (i % 2 != 0) w = change(w, -3, 1);
        CHECK(got.out[at(i)] == static_cast<int>(w.d * 2) + 10 * w.n[0] + 100 * w.n[1] + 1000 * w.n[2] + w.c);
    }
}

TEST_CASE("a call through a pointer: each lane has the function it names") {
    for (const int which : {0, 1, 2}) {
        std::vector<int> in(32);
        for (int i = 0; i < 32; ++i) in[at(i)] = 3 * i + which;
        const Outcome got = run_in_out("indirect_calls", {1, 1, 1}, {32, 1, 1}, in, 32);
        CHECK(findings_of(got.result) == "");
        for (int i = 0; i < 32; ++i) {
            const int v = in[at(i)];
            const int expected[] = {2 * v, v * v, v > 20 ? v * v - 1 : 2 * v - 1};
            CHECK(got.out[at(i)] == expected[which]);
        }
    }
    std::vector<int> in(32);
    std::iota(in.begin(), in.end(), 0);
    const Outcome mixed = run_in_out("indirect_calls", {1, 1, 1}, {32, 1, 1}, in, 32);
    CHECK(findings_of(mixed.result) == "");
    CHECK(mixed.result.is_complete);
    for (int v = 0; v < 32; ++v) {
        const int expected[] = {2 * v, v * v, v > 20 ? v * v - 1 : 2 * v - 1};
        CHECK(mixed.out[at(v)] == expected[v % 3]);
    }
}

TEST_CASE("threads know their place in blocks and grids of three dimensions") {
    for (const Dim3 block : {Dim3{4, 3, 5}, Dim3{1, 1, 9}, Dim3{7, 9, 1}, Dim3{32, 2, 1}}) {
        const Dim3 grid{3, 2, 4};
        Bench bench;
        const std::size_t threads = block.count(), count = threads * grid.count();
        const int out = bench.buffer("out", std::vector<int>(count, -1));
        const RunResult result = bench.run("places", grid, block, options_with(), bench.address(out));
        CHECK(findings_of(result) == "");
        const std::vector<int> got = bench.values<int>(out);
        std::vector<int> expected;
        for (std::uint32_t z = 0; z < grid.z; ++z) {
            for (std::uint32_t y = 0; y < grid.y; ++y) {
                for (std::uint32_t x = 0; x < grid.x; ++x) {
                    for (std::uint32_t t = 0; t < threads; ++t) {
                        expected.push_back(static_cast<int>(t % block.x + 10 * (t / block.x % block.y) +
                                                            100 * (t / block.x / block.y) + 1000 * x + 10000 * y +
                                                            100000 * z + 1000000 * (t % 32) + 100000000 * (t / 32)));
                    }
                }
            }
        }
        CHECK(got == expected);
    }
}

TEST_CASE("block barriers order shared memory in every schedule") {
    const std::vector<int> in = numbers(256 * 5, 1, 1000);
    for (const std::uint64_t schedule : {0u, 1u, 2u, 3u}) {
        const Outcome got = run_in_out("block_sum", {5, 1, 1}, {256, 1, 1}, in, 5, options_with(1, schedule));
        CHECK(findings_of(got.result) == "");
        for (int b = 0; b < 5; ++b)
            CHECK(got.out[at(b)] == std::accumulate(in.begin() + 256 * b, in.begin() + 256 * (b + 1), 0));
        CHECK(got.result.counters.barriers == 5u * 8 * 9);  // blocks, warps, barriers
    }
}

TEST_CASE("__syncthreads_count, _and and _or see every thread of the block") {
    for (const int lowest : {0, 3}) {
        for (const std::uint32_t threads : {32u, 70u, 128u}) {
            std::vector<int> in = numbers(threads, 8, 6);
            for (int& v : in) v = std::max(v, lowest);
            const Outcome got = run_in_out("votes", {1, 1, 1}, {threads, 1, 1}, in, threads);
            CHECK(findings_of(got.result) == "");
            const int count = static_cast<int>(std::count_if(in.begin(), in.end(), [](int v) { return v > 2; }));
            const int expected = count * 4 + (count == static_cast<int>(threads) ? 2 : 0) + (count > 0 ? 1 : 0);
            CHECK(got.out == std::vector<int>(threads, expected));
        }
    }
}

TEST_CASE("warp barriers and shuffles inside a divergent branch") {
    const std::vector<int> in = numbers(32, 7, 100);
    const Outcome got = run_in_out("warp_barriers", {1, 1, 1}, {32, 1, 1}, in, 32);
    CHECK(findings_of(got.result) == "");
    int other[32], v[32];
    for (int i = 0; i < 32; ++i) {
        const int from = in[at(31 - i)];
        other[i] = (from & 1) != 0 ? 2 * from : -from;
    }
    int largest = -1000000, positive = 0;
    for (int i = 0; i < 16; ++i) largest = std::max(largest, other[i] + other[i ^ 5]);
    for (int i = 0; i < 32; ++i) v[i] = i < 16 ? largest : other[i] - other[(i & 15) + 3 < 16 ? i + 3 : i];
    for (int i = 16; i < 32; ++i) positive += v[i] > 0 ? 1 : 0;
    for (int i = 16; i < 32; ++i) v[i] += positive * 1000;
    for (int i = 0; i < 32; ++i) CHECK(got.out[at(i)] == v[i ^ 1] + 1);
}

TEST_CASE("locks between lanes, warps and blocks are taken in turn and given back") {
    for (const std::string kernel : {"lock_inner", "lock_outer"}) {
        for (const auto& [blocks, threads] : {std::pair{1u, 32u}, std::pair{1u, 96u}, std::pair{5u, 40u}}) {
            for (const std::uint64_t schedule : {0u, 1u}) {
                Bench bench;
                const int lock = bench.buffer("lock", std::vector<int>{0}),
                          out = bench.buffer("out", std::vector<int>{100});
                RunOptions options = options_with(2, schedule);
                options.limits.warp_instructions = 200'000'000;
                const RunResult result = bench.run(kernel, {blocks, 1, 1}, {threads, 1, 1}, options,
                                                   bench.address(lock), bench.address(out));
                INFO(kernel << " " << blocks << " x " << threads << ", schedule " << schedule << ": "
                            << findings_of(result));
                CHECK(result.is_complete);
                CHECK(bench.values<int>(out)[0] == 100 + static_cast<int>(blocks * threads));
                CHECK(bench.values<int>(lock)[0] == 0);
            }
        }
    }
}

TEST_CASE("a block may wait for one that comes after it") {
    for (const std::uint32_t blocks : {2u, 5u, 40u, 2000u}) {
        Bench bench;
        const int flags = bench.buffer("flags", std::vector<int>(blocks, 0)),
                  out = bench.buffer("out", std::vector<int>(blocks, 0));
        RunOptions options = options_with(1);
        const RunResult result =
            bench.run("chain", {blocks, 1, 1}, {32, 1, 1}, options, bench.address(flags), bench.address(out));
        INFO(findings_of(result));
        CHECK(result.is_complete);
        CHECK(result.findings.empty());
        // Who waits sleeps: the work grows with the number of blocks, not with its square.
        CHECK(result.counters.warp_instructions < blocks * 1000);
        CHECK(bench.values<int>(flags) == std::vector<int>(blocks, 1));
        for (std::uint32_t b = 0; b < blocks; ++b) CHECK(bench.values<int>(out)[b] == static_cast<int>(blocks - b));
    }
}

TEST_CASE("module variables start as declared, keep their values between launches, and can be set back") {
    auto program = kernels_program();
    Memory memory;
    auto session = Session::open(program, memory);
    REQUIRE(session.ok());
    BufferSpec spec;
    spec.name = "out";
    spec.bytes = 16;
    const int out = *memory.allocate(spec);
    Launch launch;
    launch.kernel = "module_variables";
    launch.block = {32, 1, 1};
    launch.parameters.resize(8);
    const std::uint64_t address = memory.buffer(out).address;
    std::memcpy(launch.parameters.data(), &address, 8);
    for (const int expected : {5, 6, 7}) {
        CHECK(findings_of((*session)->run(launch, options_with())) == "");
        CHECK(memory.view<int>(out)[0] == 70);
        CHECK(memory.view<int>(out)[1] == 160);
        CHECK(memory.view<int>(out)[2] == 270);
        CHECK(memory.view<int>(out)[3] == expected);
    }
    (*session)->reset_globals();
    CHECK(findings_of((*session)->run(launch, options_with())) == "");
    CHECK(memory.view<int>(out)[3] == 5);
}
