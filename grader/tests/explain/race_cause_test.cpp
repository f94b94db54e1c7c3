// What is advised where two threads race: by what the text has between the two accesses, around them and in them.
#include "explain/race_cause.hpp"

#include "explain/wording.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace warpgrade;
using vgpu::AccessKind;
using vgpu::FindingKind;

namespace {

struct Race {
    std::string name, text;
    int reads = 0, writes = 0;
    bool is_shared = true;
    vgpu::Dim3 reader{0, 0, 0}, writer{33, 0, 0};
    vgpu::Dim3 other_block{0, 0, 0};
    bool crosses_blocks = false;
};

Diagnostic said(const Race& race) {
    Case run;
    run.shape.extents = {4096};
    run.layout = {{"in", {4096}, BufferRole::in, {"n"}},
                  {"scratch", {4224}, BufferRole::scratch, {"n / 32 + 4096"}},
                  {"out", {4096}, BufferRole::out, {"n"}}};
    vgpu::Finding f;
    f.kind = race.is_shared ? FindingKind::race_shared : FindingKind::race_global;
    f.access = AccessKind::read;
    f.other_access = AccessKind::write;
    f.has_other = true;
    f.kernel = "f";
    f.place = {race.other_block, race.reader, race.reads, 0};
    f.other = {{0, 0, 0}, race.writer, race.writes, 0};
    f.buffer = race.is_shared ? "s" : "out";
    f.buffer_bytes = 16384;
    f.width_bytes = f.element_bytes = 4;
    f.crosses_blocks = race.crosses_blocks;
    const std::vector<LaunchInfo> launches{{"f", {4, 1, 1}, {128, 1, 1}, 0, 0}, {"g", {4, 1, 1}, {128, 1, 1}, 0, 0}};
    return describe(f, "mine.cu", test::FactsOf(race.text), run, &launches);
}

std::string help_of(const Race& race) { return said(race).help; }
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string head = "__global__ void f(const float* in, float* out, int n) {\n__shared__ float s[128];\n";

}  // namespace

TEST_CASE("a loop that has its barrier needs no other one at its end") {
    const std::string help = help_of({"",
                                      head + "for (int d = 1; d < 128; d *= 2) {\n__syncthreads();\n"
                                             "if (threadIdx.x >= d) s[threadIdx.x] += s[threadIdx.x - d];\n}\n}\n",
                                      5, 5});
    CHECK(has(help, "within one step"));
    CHECK(!has(help, "end of the loop's body"));
}

TEST_CASE("what is read, changed and stored again asks for an atomic operation, not for a barrier") {
    for (const std::string body : {"s[0] = s[0] + in[threadIdx.x];", "s[0] += in[threadIdx.x];", "s[n % 4]++;",
                                   "float v = s[n];\ns[n] = v + 1;"}) {
        const bool is_two = has(body, "\n");
        const std::string help = help_of({"", head + body + "\n}\n", 3, is_two ? 4 : 3});
        INFO(body << ": " << help);
        CHECK(has(help, "atomicAdd(&s["));
        CHECK(!has(help, "__syncthreads"));
    }
    const std::string tree = help_of({"", head + "s[threadIdx.x] += s[threadIdx.x + 64];\n}\n", 3, 3});
    CHECK(!has(tree, "atomic"));
    const std::string other = help_of({"", head + "float v = s[n + 1];\ns[n] = v + 1;\n}\n", 3, 4});
    CHECK(!has(other, "atomic"));
}

TEST_CASE("a barrier for a part of the threads is named, and no other one is put beside it") {
    const Race cases[] = {
        {"mask",
         head + "s[threadIdx.x] = 1;\nconst unsigned half = n < 16 ? 1 : 2;\n__syncwarp(half);\nout[0] = s[16];\n}\n",
         6,
         3,
         true,
         {0, 0, 0},
         {16, 0, 0}},
        {"__syncwarp", head + "s[threadIdx.x] = 1;\n__syncwarp();\nout[0] = s[40];\n}\n", 5, 3},
        {"arrivals",
         head + "if (threadIdx.x == 0) init(&loaded, 32);\n__syncthreads();\ns[threadIdx.x] = 1;\n"
                "loaded.arrive_and_wait();\nout[0] = s[40];\n}\n",
         7, 5},
        {"continue",
         head + "for (int i = 0; i < n; ++i) {\nconst int x = i + threadIdx.x;\nif (x >= n) continue;\n"
                "s[threadIdx.x] = 1;\n__syncthreads();\nout[x] = s[127 - threadIdx.x];\n__syncthreads();\n}\n}\n",
         8, 6},
    };
    for (const Race& one : cases) {
        const Diagnostic diagnostic = said(one);
        INFO(one.name << ": " << diagnostic.title << " / " << diagnostic.help);
        CHECK(has(diagnostic.help, one.name));
        CHECK(!has(diagnostic.title, "nothing to order"));
        CHECK(!has(diagnostic.help, "put a __syncthreads() between"));
    }
    // As many arrivals as threads: the barrier is not what is wrong.
    CHECK(has(said({"",
                    head + "if (threadIdx.x == 0) init(&loaded, blockDim.x);\ns[threadIdx.x] = 1;\n"
                           "loaded.arrive_and_wait();\nout[0] = s[40];\n}\n",
                    6, 4})
                  .title,
              "nothing to order"));
}

TEST_CASE("no block's barrier is advised where not all threads of the block come") {
    const std::string warp = help_of({"",
                                      head + "if (threadIdx.x < 32) {\nif (threadIdx.x == 0) s[0] = 1;\n"
                                             "const float all = s[0];\nout[0] = all;\n}\n}\n",
                                      5,
                                      4,
                                      true,
                                      {31, 0, 0},
                                      {0, 0, 0}});
    CHECK(has(warp, "put a __syncwarp() between the two"));
    CHECK(!has(warp, "__syncthreads"));
    const std::string some = help_of({"",
                                      head + "if (threadIdx.x < 100) {\nif (threadIdx.x == 0) s[0] = 1;\n"
                                             "const float all = s[0];\nout[0] = all;\n}\n}\n",
                                      5, 4});
    CHECK(has(some, "the test `threadIdx.x < 100` in line 3 keeps threads"));
    const std::string loop = help_of(
        {"", head + "int i = threadIdx.x;\nwhile (i < n) {\ns[i] = in[i] + s[i + 1];\ni += 128;\n}\n}\n", 5, 5});
    CHECK(has(loop, "not all threads run this loop equally often, by `i < n` in line 4"));
}

TEST_CASE("two lines of one loop with a barrier between them meet from one iteration to the next") {
    const std::string help =
        help_of({"",
                 head + "for (int i = 0; i < n; ++i) {\ns[threadIdx.x] = in[i];\n__syncthreads();\n"
                        "if (threadIdx.x == 0)\nfor (int k = 0; k < 128; ++k)\nout[0] += s[k];\n}\n}\n",
                 8, 4});
    CHECK(has(help, "the barrier in line 5 orders them within an iteration"));
}

TEST_CASE("a race across blocks asks for no block's barrier, whichever pair shows it") {
    const std::string text =
        "__global__ void f(float* out, int n) {\nfloat up = out[threadIdx.x + 1];\nout[0] = up;\n}\n";
    CHECK(has(help_of({"", text, 2, 3, false}), "put a __syncthreads()"));
    Race across{"", text, 2, 3, false};
    across.crosses_blocks = true;
    CHECK(!has(help_of(across), "__syncthreads"));
    CHECK(has(help_of(across), "blocks run in any order"));
    const std::string steps = help_of({"",
                                       "__global__ void f(float* out, int n) {\nfor (int s = 1; s < n; s *= 2)\n"
                                       "if (threadIdx.x % (2 * s) == 0) out[threadIdx.x] += out[threadIdx.x + s];\n}\n",
                                       3, 3, false});
    CHECK(has(steps, "at the end of the loop's body"));
}

TEST_CASE("what counts the blocks is named, with the fence that it lacks") {
    const std::string begin = "__global__ void f(float* out, unsigned* c, int n) {\nout[threadIdx.x] = 1;\n";
    const std::string end = "if (n == 0) out[n] = out[5];\n}\n";
    const auto help = [&](const std::string& between, int reads) {
        return help_of({"", begin + between + end, reads, 2, false, {0, 0, 0}, {33, 0, 0}, {3, 0, 0}});
    };
    const std::string none = help("unsigned k = atomicAdd(c, 1u);\n", 4);
    CHECK(has(none, "atomic operation in line 3"));
    CHECK(has(none, "__threadfence()"));
    const std::string of_one = help("if (threadIdx.x == 0) {\n__threadfence();\natomicAdd(c, 1u);\n}\n", 7);
    CHECK(has(of_one, "only for the threads that the test in line 3 lets through"));
    CHECK(has(of_one, "__syncthreads()"));
    CHECK(has(help("", 3), "blocks run in any order"));
}
