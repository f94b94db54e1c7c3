#include "source/facts.hpp"

#include "source/numbers.hpp"
#include "support/catch.hpp"

using namespace warpgrade::source;

namespace {

struct Read {
    explicit Read(std::string_view text) : tree(parse(text)), facts(facts_of(tree)) {}
    std::string text(NodeId node) const { return std::string(text_of(tree, node)); }
    std::string texts(const std::vector<NodeId>& nodes) const {
        std::string out;
        for (const NodeId node : nodes) out += (out.empty() ? "" : " | ") + text(node);
        return out;
    }
    Tree tree;
    Facts facts;
};

const char* const kinds[] = {"load", "store", "update", "atomic", "address"};

// "load in[i], store out[j]"
std::string accesses(const std::string& statement) {
    const Read read("void f() {\n" + statement + "\n}");
    std::string out;
    for (const Access& access : read.facts.accesses)
        out += (out.empty() ? "" : ", ") + std::string(kinds[static_cast<int>(access.kind)]) + " " +
               std::string(access.array) + "[" + read.texts(access.indices) + "]";
    return out;
}

std::string loop(const std::string& head) {
    const Read read("void f() {\n" + head + "\n}");
    if (read.facts.loops.size() != 1) return "not one loop";
    const Loop& found = read.facts.loops[0];
    return std::string(found.variable) + ": " + read.text(found.start) + "; " + std::string(found.sign) + " " +
           read.text(found.bound) + "; " + std::string(found.step_sign) + " " + read.text(found.step);
}

constexpr const char* transpose = R"(#include <cstddef>
#define TILE 32
constexpr int ROWS = TILE / 4;
enum Way { ACROSS, DOWN = 4, BOTH };

__device__ static int twice(int a) { return 2 * a; }

__global__ void turned(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    const int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x >= cols) return;
    for (int j = 0; j < TILE; j += ROWS) {
        if (y + j < rows && x < cols)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    }
    __syncthreads();
    y = twice(y);
    out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const dim3 block(TILE, ROWS), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    turned<<<grid, block, TILE * sizeof(float), nullptr>>>(in, out, rows, cols);
}
)";

}  // namespace

TEST_CASE("facts: a kernel and its launcher") {
    const Read read(transpose);
    const Facts& facts = read.facts;
    REQUIRE(facts.functions.size() == 3);
    CHECK(facts.functions[0].side == Side::device);
    CHECK(facts.functions[1].side == Side::kernel);
    CHECK(facts.functions[2].side == Side::host);
    CHECK(facts.functions[1].line == 8);
    CHECK(facts.functions[1].last_line == 20);
    REQUIRE(facts.functions[1].parameters.size() == 4);
    CHECK(facts.functions[1].parameters[0].name == "in");
    CHECK(facts.functions[1].parameters[0].type == "float");
    CHECK(facts.functions[1].parameters[0].is_const);
    CHECK(facts.functions[1].parameters[0].pointers == 1);

    REQUIRE(facts.launches.size() == 1);
    CHECK(facts.launches[0].kernel == "turned");
    CHECK(read.text(facts.launches[0].dynamic_bytes) == "TILE * sizeof(float)");
    CHECK(read.text(facts.launches[0].stream) == "nullptr");
    CHECK(read.texts(facts.launches[0].arguments) == "in | out | rows | cols");
    CHECK(number_of(read.tree, facts.launches[0].dynamic_bytes, facts.numbers) == 128);

    CHECK(facts.numbers == Numbers{{"TILE", 32}, {"ROWS", 8}, {"ACROSS", 0}, {"DOWN", 4}, {"BOTH", 5}});
    REQUIRE(facts.shared_arrays.size() == 1);
    CHECK(facts.shared_arrays[0].name == "tile");
    CHECK(facts.shared_arrays[0].sizes == std::vector<std::optional<std::int64_t>>{32, 33});
    REQUIRE(facts.barriers.size() == 1);
    CHECK(facts.barriers[0].line == 17);
    REQUIRE(facts.loops.size() == 1);
    CHECK(values_of(read.tree, facts.loops[0], facts.numbers) == std::vector<std::int64_t>{0, 8, 16, 24});
}

TEST_CASE("facts: what a line is inside of") {
    const Read read(transpose);
    const Facts& facts = read.facts;
    CHECK(facts.function_at(1) == nullptr);
    CHECK(facts.function_at(15) == &facts.functions[1]);
    CHECK(facts.function_at(21) == nullptr);
    CHECK(facts.function_at(9999) == nullptr);
    CHECK(facts.loop_at(15) == &facts.loops[0]);
    CHECK(facts.loop_at(17) == nullptr);
    CHECK(facts.guard_at(15)->line == 14);
    REQUIRE(facts.accesses_on(15).size() == 2);
    CHECK(facts.accesses_on(15)[0].array == "tile");
    CHECK(facts.accesses_on(15)[0].kind == AccessKind::store);
    CHECK(facts.accesses_on(15)[1].array == "in");
    CHECK(facts.accesses_on(16).empty());
    const std::vector<const Guard*> guards = facts.guards_before(15);
    REQUIRE(guards.size() == 2);
    CHECK(guards[0]->line == 14);
    CHECK(guards[0]->connector == "&&");
    CHECK(read.text(guards[0]->comparisons[0].left) == "y + j");
    CHECK(guards[1]->exit == Exit::returns);
    CHECK(read.text(facts.definition_before("y", 19)->value) == "twice(y)");
    CHECK(read.text(facts.definition_before("y", 15)->value) == "blockIdx.y * TILE + threadIdx.y");
    CHECK(facts.declaration_of("y", 19)->at.line == 11);
    CHECK(facts.declaration_of("y", 24) == nullptr);
    CHECK(facts.declaration_of("j", 17) == nullptr);
    CHECK(facts.declaration_of("rows", 24)->at.line == 22);
}

TEST_CASE("facts: accesses") {
    CHECK(accesses("out[i] = in[j];") == "store out[i], load in[j]");
    CHECK(accesses("a[i] += b[c[i]];") == "update a[i], load b[c[i]], load c[i]");
    CHECK(accesses("tile[y][x]++;") == "update tile[y | x]");
    CHECK(accesses("*p = *(a + i * n);") == "store p[], load a[i * n]");
    CHECK(accesses("*p++ = 1;") == "store p[]");
    CHECK(accesses("atomicAdd(&sums[b], v); atomicMax(sums + 1, v); atomicAdd(&count, 1);") ==
          "atomic sums[b], atomic sums[1], atomic count[]");
    CHECK(accesses("v = __ldg(&in[i]) + __ldg(in + j);") == "load in[i], load in[j]");
    CHECK(accesses("__stcs(&out[i], in[i]);") == "store out[i], load in[i]");
    CHECK(accesses("*reinterpret_cast<float4*>(&out[i]) = v;") == "store out[i]");
    CHECK(accesses("v = reinterpret_cast<const float4*>(in)[i];") == "load in[i]");
    CHECK(accesses("v = ((float4*)in)[i].x;") == "load in[i]");
    CHECK(accesses("p = &a[i]; float& r = a[j]; f(&a[k]);") == "address a[i], address a[j], address a[k]");
    CHECK(accesses("__pipeline_memcpy_async(&s[i], &g[j], 16);") == "store s[i], load g[j]");
    CHECK(accesses("s.points[i].x = 0;") == "store points[i]");
}

TEST_CASE("facts: loops") {
    CHECK(loop("for (int s = 1; s < n; s *= 2) a;") == "s: 1; < n; *= 2");
    CHECK(loop("for (int s = n / 2; s > 0; s >>= 1) a;") == "s: n / 2; > 0; >>= 1");
    CHECK(loop("for (i = 0; n >= i; i = i + 4) a;") == "i: 0; <= n; += 4");
    CHECK(loop("for (int i = 0, j = 1; j < 4 && i < n; ++j, i++) a;") == "i: 0; < n; ++ ");
    CHECK(loop("while (s > 0) { a[s] = 1; s /= 2; }") == "s: ; > 0; /= 2");
    CHECK(loop("do { a; } while (--n);") == ": ;  ;  ");
    CHECK(loop("for (;;) a;") == ": ;  ;  ");
}

TEST_CASE("facts: tests") {
    const Read read("void f() {\n  if (!(a < b) || c) { x; break; } else y;\n  v = a == b && c != d || e ? 1 : 2;\n}");
    REQUIRE(read.facts.guards.size() == 2);
    const Guard& first = read.facts.guards[0];
    REQUIRE(first.comparisons.size() == 2);
    CHECK(first.comparisons[0].is_negated);
    CHECK(first.comparisons[0].sign == "<");
    CHECK(first.comparisons[1].sign.empty());
    CHECK(first.connector == "||");
    CHECK(first.exit == Exit::breaks);
    const Read declared("void f() { if (int a = g(); a > 0) b; }");
    REQUIRE(declared.facts.guards.size() == 1);
    CHECK(declared.facts.guards[0].comparisons[0].sign == ">");
    CHECK(read.facts.guards[1].connector.empty());
    CHECK(read.facts.guards[1].comparisons.size() == 3);
}

TEST_CASE("facts: sides") {
    const Read read(
        "#define BOTH __host__ __device__\nBOTH int a() { return 1; }\n__device__ int b();\nint b() { return 1; }\n"
        "struct S { __device__ int operator()(int x) const { return x; } };\n"
        "template <int N> __global__ void k() {\n#ifdef X\n#endif\n}\n");
    REQUIRE(read.facts.functions.size() == 4);
    CHECK(read.facts.functions[0].side == Side::both);
    CHECK(read.facts.functions[1].side == Side::device);
    CHECK(read.facts.functions[2].side == Side::device);
    CHECK(read.facts.functions[2].is_member);
    CHECK(read.facts.functions[3].side == Side::kernel);
    CHECK(read.facts.functions[3].is_template);
    CHECK(read.facts.functions[3].has_directives);
    CHECK(!read.facts.functions[0].has_directives);
}

TEST_CASE("facts: numbers") {
    const Read read(
        "#define A (1 << 4)\nconst int B = A % 7;\nconstexpr unsigned C = sizeof(float4) * 2u;\n#define A2 A\n"
        "constexpr float D = 1.5f;\nconstexpr int E = 1 / 0;\nvoid f() { const int F = 1; { const int F = 2; } }\n"
        "constexpr long G = 0x7fffffffffffffff + 1;\nconstexpr bool H = B == 2 ? true : 0x10;\n#define EMPTY\n");
    CHECK(read.facts.numbers == Numbers{{"A", 16}, {"B", 2}, {"C", 32}, {"A2", 16}});
}

TEST_CASE("facts: text that is not a program") {
    const Read read(
        "__global__ void k(float* a, int n) {\n    if (i < n {\n        a[i] = b[i] +\n    }\n    __syncthreads()\n"
        "    a[0] = 1\n\nvoid launcher(float* a) {\n    k<<<1, 32>>(a, 5);\n}\n");
    REQUIRE(read.facts.functions.size() == 2);
    CHECK(read.facts.functions[1].name == "launcher");
    CHECK(read.facts.functions[1].line == 8);
    REQUIRE(read.facts.guards.size() == 1);
    CHECK(read.facts.accesses.size() == 3);
    CHECK(read.facts.barriers.size() == 1);
    REQUIRE(read.facts.launches.size() == 1);
    CHECK(read.facts.launches[0].kernel == "k");
}
