#include "explain/change.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>

#include "base/files.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::explain;
namespace fs = std::filesystem;

namespace {

const std::vector<Rule>& all_rules() {
    static const std::vector<Rule> rules = load_rules(fs::path(WARPGRADE_SOURCE_DIR) / "grader/explain/rules").value();
    return rules;
}

std::vector<Change> changes(const std::string& text, const Symptoms& symptoms, std::size_t most = 1000) {
    const source::Tree tree = source::parse(text);
    return changes_for(tree, source::facts_of(tree), symptoms, all_rules(), most);
}

bool has(const std::vector<Change>& found, const std::string& rule, const std::string& after) {
    return std::any_of(found.begin(), found.end(),
                       [&](const Change& change) { return change.rule->id == rule && change.after == after; });
}

std::vector<fs::path> mistakes() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(WARPGRADE_SOURCE_DIR) / "grader/tests/mistakes"))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

const Symptoms wide{{"wrong_output", "out_of_bounds", "race_shared"}, {}, {}};

const std::string two_kernels = R"(
__global__ void first(const float* in, float* out, int n) {
    int i = threadIdx.x;
    if (i <= n) out[i] = in[i];
}
__global__ void second(const float* in, float* out, int n) {
    int i = threadIdx.x;
    if (i <= n) out[i] = in[i];
    if (i > 0 || i <= n) out[i] = in[i];
}
)";

}  // namespace

TEST_CASE("changes: marked lines first, then their function, then the rest") {
    const Symptoms symptoms{{"out_of_bounds"}, {{8, {"out_of_bounds"}}}, {}};
    const std::vector<Change> found = changes(two_kernels, symptoms);
    std::vector<int> lines;
    for (const Change& change : found)
        if (change.rule->id == "guard_takes_bound") lines.push_back(change.line);
    CHECK(lines == std::vector<int>{8, 9, 4});
    REQUIRE(!found.empty());
    CHECK(found[0].line == 8);
    CHECK(found[0].title == "`i <= n` is also true if `i` is equal to `n`");
    CHECK(found[0].help == "write `i < n`");
    CHECK(found[0].before == "i <= n");
    CHECK(found[0].after == "i < n");
    CHECK(found[0].at.line == 8);
}

TEST_CASE("changes: a mark counts for the rules of its code alone") {
    const Symptoms symptoms{{"out_of_bounds"}, {{8, {"misaligned"}}}, {}};
    for (const Change& change : changes(two_kernels, symptoms))
        if (change.rule->id == "guard_takes_bound") {
            CHECK(change.line == 4);
            break;
        }
    CHECK(changes(two_kernels, {}).empty());
    CHECK(changes(two_kernels, {{}, {{8, {"out_of_bounds"}}}, {}}).size() > 1);
}

TEST_CASE("changes: bounded, different from the text and from each other") {
    for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{3}})
        CHECK(changes(two_kernels, wide, most).size() == most);
    const std::vector<Change> found = changes(two_kernels, wide);
    std::set<std::string> texts{two_kernels};
    for (const Change& change : found) {
        CHECK(texts.insert(change.text).second);
        const std::string made =
            two_kernels.substr(0, change.at.offset) + change.after + two_kernels.substr(change.at.end());
        CHECK(made == change.text);
        CHECK(two_kernels.substr(change.at.offset, change.at.length) == change.before);
    }
}

TEST_CASE("changes: an array that some line sets is not cleared as a whole") {
    for (const bool is_set : {false, true}) {
        const std::string text = std::string("__global__ void k(float* out) {\n    __shared__ float t[64];\n    ") +
                                 (is_set ? "t[threadIdx.x / 2] = 1;" : "t[threadIdx.x / 2] = t[1] + 1;") +
                                 "\n    out[threadIdx.x] = t[threadIdx.x];\n}";
        const auto found = changes(text, {{"uninitialized"}, {{4, {"uninitialized"}}}, {}});
        CHECK(std::any_of(found.begin(), found.end(),
                          [](const Change& change) { return change.rule->id == "shared_not_cleared"; }) == !is_set);
    }
}

TEST_CASE("changes: names are whatever the submission calls them") {
    const std::string text = R"(
__global__ void k(const float* a, float* b, int breite, int hoehe) {
    int p = blockIdx.x * 32 + threadIdx.x, q = blockIdx.y * 32 + threadIdx.y;
    if (p < breite && q < hoehe) b[p * breite + q] = a[q * breite + p];
})";
    const std::vector<Change> found = changes(text, wide);
    CHECK(has(found, "wrong_parameter", "p * hoehe + q"));
    CHECK(has(found, "parameters_exchanged", "p < hoehe && q < breite"));
    CHECK(has(found, "variables_exchanged", "q * breite + p"));
}

TEST_CASE("changes: no barrier where only some threads are") {
    const std::string text = R"(
__global__ void k(float* out, int n) {
    __shared__ float t[64];
    if (threadIdx.x >= n) return;
    t[threadIdx.x] = 1;
    out[threadIdx.x] = t[63 - threadIdx.x];
}
__global__ void l(float* out, int n) {
    __shared__ float t[64];
    if (threadIdx.x < n) {
        t[threadIdx.x] = 1;
    }
    out[threadIdx.x] = t[63 - threadIdx.x];
})";
    std::set<int> lines;
    for (const Change& change : changes(text, {{"race_shared"}, {}, {}}))
        if (change.rule->id.starts_with("barrier_")) lines.insert(change.line);
    // After line 12 and before line 13 are the same text.
    CHECK(lines == std::set<int>{10, 13});
}

TEST_CASE("changes: a barrier in the middle of a test is taken out") {
    const std::string text = R"(
__global__ void k(float* out, int n) {
    __shared__ float t[64];
    if (threadIdx.x < n) {
        t[threadIdx.x] = 1;
        __syncthreads();
        out[threadIdx.x] = t[0];
    }
})";
    const std::vector<Change> found = changes(text, {{"barrier_divergence"}, {}, {}});
    REQUIRE(!found.empty());
    CHECK(found[0].after ==
          "if (threadIdx.x < n) { t[threadIdx.x] = 1; }\n    __syncthreads();\n    if (threadIdx.x < n) { "
          "out[threadIdx.x] = t[0]; }");
}

TEST_CASE("changes: neighbours are exchanged where one stores what the other uses") {
    const std::string text = R"(
__global__ void k(const float* in, float* out, int n) {
    __shared__ float t[64];
    float here = in[0], above = in[1];
    for (int y = 0; y < n; ++y) {
        here = in[y];
        above = here;
        float next = here;
        out[y] = next + above;
    }
    t[threadIdx.x] = here;
    __syncthreads();
    out[threadIdx.x] = t[0];
    if (above > 0) return;
    above = t[1];
    here = t[2];
})";
    std::set<int> lines;
    for (const Change& change : changes(text, wide)) {
        if (change.rule->id != "statements_exchanged") continue;
        lines.insert(change.line);
        if (change.line != 6) continue;
        CHECK(change.after == "above = here;\n        here = in[y];");
        CHECK(change.title == "lines 6 and 7 are in the wrong order");
        CHECK(change.deed == "exchange lines 6 and 7");
    }
    // Not a declaration and its use, nothing past a barrier or a return, no two that have nothing in common.
    CHECK(lines == std::set<int>{6});
}

TEST_CASE("changes: a launch is moved past several statements of its block") {
    const std::string text = R"(
__global__ void add(const float* sums, float* out) { out[0] += sums[0]; }
__global__ void scan(float* sums) { sums[0] = 1; }
void f(float* sums, float* out, int n) {
    if (n == 0) return;
    add<<<1, 1>>>(sums, out);
    scan<<<1, 1>>>(sums);
    if (n > 1) {
        scan<<<2, 1>>>(sums);
    }
})";
    std::vector<std::string> moves;
    for (const Change& change : changes(text, {{"wrong_output"}, {}, {}}))
        if (change.rule->id == "launch_too_early") moves.push_back(change.deed);
    CHECK(moves == std::vector<std::string>{"move line 6 after line 10", "move line 8 before line 6"});
}

TEST_CASE("changes: a sum is set before the loop that adds to it, and in the loop that uses it") {
    const auto made = [](const std::string& body) {
        const std::string head = "__global__ void k(const float* in, float* out, int n) {\n";
        std::vector<std::string> deeds;
        for (const Change& change : changes(head + body + "\n}", {{"wrong_output"}, {}, {}}))
            if (change.rule->id.starts_with("sum_set_")) deeds.push_back(change.deed);
        return deeds;
    };
    const std::vector<std::string> none;
    const std::string inner = "for (int c = 0; c < n; ++c) sum += in[r * n + c];";
    const std::string loop = "for (int r = 0; r < n; ++r) {";
    CHECK(made("float sum = 0; " + loop + " sum = 0; " + inner + " } out[0] = sum;") ==
          std::vector<std::string>{"move `sum = 0;` before the loop in line 2"});
    CHECK(made("float sum; " + loop + " sum = 0; " + inner + " } out[0] = sum;") ==
          std::vector<std::string>{"move `sum = 0;` before the loop in line 2"});
    CHECK(made("float sum = 0; " + loop + " " + inner + " out[r] = sum; }") ==
          std::vector<std::string>{"set `sum` again at the start of each iteration of the loop in line 2"});
    CHECK(made("float sum = 0; " + loop + " sum = 0; " + inner + " out[r] = sum; }") == none);
    CHECK(made("float sum = 0; " + loop + " " + inner + " } out[0] = sum;") == none);
    CHECK(made("float sum = 0; for (int c = 0; c < n; ++c) sum += in[c]; out[0] = sum;") == none);
}

TEST_CASE("changes: a barrier that is not called comes before one that is added") {
    const std::string text = R"(
__global__ void k(const float* in, float* out) {
    __shared__ float t[64];
    t[threadIdx.x] = in[threadIdx.x];

    __syncthreads;
    out[threadIdx.x] = t[63 - threadIdx.x];
})";
    const std::vector<Change> found =
        changes(text, {{"race_shared"}, {{4, {"race_shared"}}, {7, {"race_shared"}}}, {}});
    REQUIRE(!found.empty());
    CHECK(found[0].rule->id == "barrier_not_called");
    CHECK(found[0].deed == "write () after `__syncthreads` in line 6");
}

TEST_CASE("changes: the size of a copy, and the parts of a thread's number") {
    const std::string text = R"(
constexpr int BINS = 256;
constexpr int WARP = 32;
__global__ void k(const unsigned* in, unsigned* out, int n) {
    const int tid = threadIdx.x;
    const int warp = tid / WARP, lane = tid % WARP;
    if (lane == 0) out[tid] = in[n];
}
void f(const unsigned* in, unsigned* out, int n) {
    const int blocks = (n - 1) / BINS + 1;
    cudaMemset(out, 0, n * sizeof(unsigned));
    k<<<blocks, BINS>>>(in, out, n);
})";
    const std::vector<Change> found = changes(text, wide);
    CHECK(has(found, "wrong_byte_count", "cudaMemset(out, 0, BINS * sizeof(unsigned))"));
    CHECK(has(found, "part_of_thread_number", "tid == 0"));
    CHECK(has(found, "part_of_thread_number", "warp"));  // out[warp]
    CHECK(!has(found, "part_of_thread_number", "warp = lane / WARP"));
}

TEST_CASE("changes: one mistake in several places is one change, beside one for each place") {
    const std::string text =
        "__global__ void k(float* out) {\n    __syncwarp(0xffff);\n    out[0] = 1;\n    __syncwarp(0xffff);\n}\n";
    const auto found = changes(text, {{"inactive_lane"}, {{2, {"inactive_lane"}}}, {}});
    std::vector<std::string> deeds;
    for (const Change& change : found)
        if (change.rule->id == "mask_of_syncwarp") deeds.push_back(change.deed);
    std::sort(deeds.begin(), deeds.end());
    CHECK(deeds == std::vector<std::string>{"", "", "change lines 2 and 4"});
    CHECK(has(found, "mask_of_syncwarp", "__syncwarp();\n    out[0] = 1;\n    __syncwarp()"));
}

TEST_CASE("changes: what a launch passes again is tried first, and no constant is") {
    const std::string text =
        "constexpr int MOST = 64;\n__global__ void sum(const float* in, int n, float* out) {\n"
        "    out[threadIdx.x] = in[n];\n}\nvoid reduce(const float* in, float* out, int n) {\n"
        "    int blocks = (n + 255) / 256;\n    sum<<<blocks, 256>>>(in, n, out);\n"
        "    sum<<<1, 256>>>(out, n, out);\n}\n";
    std::vector<std::string> after;
    for (const Change& change : changes(text, {{"uninitialized"}, {{3, {"uninitialized"}}}, {}}))
        if (change.rule->id == "launch_passes_another_number") after.push_back(change.after);
    REQUIRE(after.size() == 2);
    CHECK(after[0] == "sum<<<1, 256>>>(out, blocks, out)");
    CHECK(after[1] == "sum<<<blocks, 256>>>(in, blocks, out)");
}

TEST_CASE("changes: the sides of == are not exchanged, and bytes in a cast are not widened") {
    const std::string text =
        "__global__ void k(float* out, int last) {\n    __shared__ unsigned char raw[256];\n"
        "    int i = threadIdx.x, j = blockIdx.x;\n"
        "    unsigned* words = reinterpret_cast<unsigned*>(raw + 64);\n    if (i == j - 1) words[i] = 0;\n}\n";
    const auto found = changes(text, {{"wrong_output"}, {}, {}});
    CHECK(!has(found, "variables_exchanged", "j == i - 1"));
    for (const Change& change : found) CHECK(change.rule->id != "shared_counters_narrow");
    CHECK(has(found, "offset_in_bytes", "reinterpret_cast<unsigned*>(raw) + 64"));
}

TEST_CASE("changes: no test takes the else of another one") {
    const auto has_test = [](const std::string& rest) {
        const std::string text =
            "__global__ void f(float* out, int n) {\n    __shared__ float t[32];\n"
            "    int i = threadIdx.x;\n    if (n > 0) t[i] = 1;" +
            rest + "\n    out[i] = t[i];\n}\n";
        const std::vector<Change> found = changes(text, {{"race_shared"}, {{4, {"race_shared"}}}, {}});
        return std::any_of(found.begin(), found.end(), [](const Change& change) {
            return change.rule->id == "index_without_test" && change.at.line == 4;
        });
    };
    CHECK(has_test(""));
    CHECK_FALSE(has_test(" else t[0] = 0;"));
}

TEST_CASE("changes: what a test says of its bound is true of any statement") {
    const std::string text = R"(
__global__ void k(const float* in, float* out, int n) {
    for (int r = 0; r < n; ++r) {
        if (r - 2 > n) continue;
        out[r] = in[r];
    }
    for (int s = 128; s >= n; s /= 2) out[s] = in[s];
})";
    std::map<std::string, std::string> titles;
    for (const Change& change : changes(text, wide)) titles.try_emplace(change.rule->id, change.title);
    CHECK(titles["exit_misses_bound"] ==
          "`r - 2 > n` is false if `r - 2` is equal to `n`, and then the `continue` is not reached");
    CHECK(titles["loop_runs_for_bound_down"] == "`s >= n` also runs the loop for `s` equal to `n`");
    CHECK(!titles.contains("loop_runs_for_bound"));
}

TEST_CASE("changes: broken texts give changes or none") {
    const std::string texts[] = {"",
                                 "{",
                                 "}",
                                 "__global__ void k(",
                                 "__global__ void k(int n) { if (threadIdx.x <= ",
                                 "__global__ void k(int n) { for (int i = 0; i <= n; ",
                                 "k<<<, >>>(",
                                 "__shared__ float t[",
                                 "__global__ void k(float* a) { __shared__ float t[4]; t[] = a[ + 1; __syncthreads( }",
                                 "#define A $x\n__global__ void k() { A; }"};
    for (const std::string& text : texts) CHECK_NOTHROW(changes(text, wide));
    // Every beginning of a text, and each of its characters left out.
    for (std::size_t i = 0; i < two_kernels.size(); ++i) {
        CHECK_NOTHROW(changes(two_kernels.substr(0, i), wide, 5));
        CHECK_NOTHROW(changes(std::string(two_kernels).erase(i, 1), wide, 5));
    }
}

TEST_CASE("changes: all mistakes in bounded number and time") {
    std::vector<std::size_t> counts;
    std::vector<double> times;
    for (const fs::path& file : mistakes()) {
        const std::string text = read_whole_file(file).value();
        const source::Tree tree = source::parse(text);
        const source::Facts facts = source::facts_of(tree);
        const auto start = std::chrono::steady_clock::now();
        const std::size_t count = changes_for(tree, facts, wide, all_rules(), 100000).size();
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        counts.push_back(count);
        INFO(file.filename().string());
        CHECK(count < 900);  // 128 of a rule; five rules name every token
    }
    REQUIRE(counts.size() > 400);
    std::sort(counts.begin(), counts.end());
    std::sort(times.begin(), times.end());
    const std::size_t middle = counts.size() / 2;
    std::cout << "changes of " << counts.size() << " mistakes: median " << counts[middle] << ", most " << counts.back()
              << "; ms a file: median " << times[middle] << ", most " << times.back() << "\n";
    CHECK(times[middle] < 100);
}

TEST_CASE("changes: what is evaluated for another one is an expression of its own") {
    const std::string text =
        "__global__ void f(unsigned char* a, int n) {\n    unsigned* p = reinterpret_cast<unsigned*>(a + n);\n"
        "    if (n - 1 > 0) p[n * 2] = 1;\n}\n";
    for (const Change& change : changes(text, wide)) {
        if (change.choice.length == 0) continue;
        const std::string before = text.substr(0, change.choice.offset), after = text.substr(change.choice.end());
        INFO(change.rule->id << ": " << change.choice_after);
        // In its place it is what the change writes there.
        CHECK(before + change.choice_after + after == change.text);
        CHECK_FALSE(change.choice_after == "(a) + n");
    }
}

TEST_CASE("changes: no variable is set from itself, and what rounds up has no second side") {
    const std::string text =
        "constexpr int T = 32;\n__global__ void f(float* out, int n) {\n    const int quads = n / 4;\n"
        "    for (int i = threadIdx.x; i < (n + T - 1) / T; i += T) out[i] = quads;\n}\n";
    const std::vector<Change> found = changes(text, wide);
    CHECK(!found.empty());
    for (const Change& change : found) {
        CHECK(change.text.find("quads = quads") == std::string::npos);
        CHECK(change.text.find("n + 2 * T") == std::string::npos);
    }
}
