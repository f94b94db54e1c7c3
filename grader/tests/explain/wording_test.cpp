// Golden messages: tests/golden/messages/<name>.txt holds the fields of a Diagnostic as text. WARPGRADE_BLESS=1
// rewrites them.
#include "explain/wording.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace warpgrade;
using test::FactsOf;
using vgpu::AccessKind;
using vgpu::Finding;
using vgpu::FindingKind;
using vgpu::FindingReason;

namespace {

const std::string path = "3_corner_turning.cu";
const FactsOf source(
    "#include <cstddef>\n"
    "\n"
    "__global__ void corner_turning(const float* in, float* out, int rows, int cols) {\n"
    "    __shared__ float tile[32][32];\n"
    "    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];\n"
    "    __syncthreads();\n"
    "    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];\n"
    "}\n"
    "void transpose(const float* in, float* out, int rows, int cols) {\n"
    "    corner_turning<<<grid, block>>>(in, out, rows, cols);\n"
    "}\n");

std::string text_of(const Diagnostic& d) {
    std::ostringstream text;
    text << to_string(d.severity) << '[' << d.code << "]: " << d.title << '\n';
    for (const SourceMark& mark : d.marks)
        text << "  --> " << mark.path << ':' << mark.line << ':' << mark.column << '+' << mark.length << ' '
             << mark.label << '\n';
    for (const std::string& fact : d.facts) text << "   = " << fact << '\n';
    text << "   = try: " << d.help << '\n';
    return text.str();
}

void check_golden(const std::string& name, const Diagnostic& diagnostic) {
    const std::filesystem::path file =
        std::filesystem::path(WARPGRADE_SOURCE_DIR) / "grader/tests/golden/messages" / (name + ".txt");
    const std::string text = text_of(diagnostic);
    if (std::getenv("WARPGRADE_BLESS")) std::ofstream(file) << text;
    std::ifstream in(file);
    std::ostringstream golden;
    golden << in.rdbuf();
    INFO(file.string() << ": WARPGRADE_BLESS=1 rewrites it");
    CHECK(text == golden.str());
    CHECK(text.find("  \n") == std::string::npos);
    CHECK(diagnostic.title.back() != '.');
    CHECK(!diagnostic.help.empty());
}

Case transpose_case(std::int64_t rows = 33, std::int64_t cols = 65) {
    Case run;
    run.shape.extents = {rows, cols};
    run.layout = {{"in", {rows, cols}, BufferRole::in, {"rows", "cols"}},
                  {"out", {cols, rows}, BufferRole::out, {"cols", "rows"}}};
    return run;
}

Case reduction_case(std::int64_t n = 1025) {
    Case run;
    run.shape.extents = {n};
    run.layout = {{"in", {n}, BufferRole::in, {"n"}},
                  {"scratch", {n / 32 + 4096}, BufferRole::scratch, {"n / 32 + 4096"}},
                  {"out", {1}, BufferRole::out, {"1"}}};
    return run;
}

Finding finding(FindingKind kind, AccessKind access, int line, const std::string& buffer = "", std::int64_t element = 0,
                std::uint64_t elements = 2145) {
    Finding f;
    f.kind = kind;
    f.access = access;
    f.kernel = "corner_turning";
    f.place = {{2, 2, 0}, {1, 0, 0}, line, 5};
    f.buffer = buffer;
    f.offset_bytes = element * 4;
    f.buffer_bytes = elements * 4;
    f.width_bytes = 4;
    f.element_bytes = 4;
    return f;
}

void check_finding(const std::string& name, const Finding& f, const Case& run = transpose_case()) {
    check_golden(name, describe(f, path, source, run));
}

}  // namespace

TEST_CASE("words for accesses outside of a buffer") {
    check_finding("read_one_past_end", finding(FindingKind::out_of_bounds, AccessKind::read, 5, "in", 2145));
    check_finding("read_far_past_end", finding(FindingKind::out_of_bounds, AccessKind::read, 5, "in", 2180));
    check_finding("read_before_start", finding(FindingKind::out_of_bounds, AccessKind::read, 5, "in", -5));
    check_finding("read_overflowed_index", finding(FindingKind::out_of_bounds, AccessKind::read, 5, "in", 4294967290));
    Finding many = finding(FindingKind::out_of_bounds, AccessKind::write, 7, "out", 2145);
    many.occurrences = 96;
    check_finding("write_past_end_often", many);

    Finding wide = finding(FindingKind::out_of_bounds, AccessKind::read, 5, "in", 2144);
    wide.width_bytes = 16;
    check_finding("vector_read_reaches_out", wide);

    Finding freed = finding(FindingKind::out_of_bounds, AccessKind::read, 5, "in", 7);
    freed.is_freed = true;
    check_finding("read_after_free", freed);

    Finding null = finding(FindingKind::out_of_bounds, AccessKind::write, 7);
    null.address = 16;
    check_finding("write_through_null", null);
    null.address = ~std::uint64_t{0} - 3;
    check_finding("write_before_null", null);
    null.address = 0x7f1234560000;
    check_finding("write_to_no_buffer", null);

    check_finding("read_one_past_end_of_sum",
                  finding(FindingKind::out_of_bounds, AccessKind::read, 5, "in", 1025, 1025), reduction_case());
    check_finding("write_past_scratch",
                  finding(FindingKind::out_of_bounds, AccessKind::write, 5, "scratch", 4128, 4128), reduction_case());
    Finding weights = finding(FindingKind::out_of_bounds, AccessKind::read, 5, "weights", 25, 25);
    weights.element_bytes = 1;  // as the compiler writes the submission's own arrays down
    weights.width_bytes = 4;
    check_finding("read_past_array_of_submission", weights);
    check_finding("write_second_output", finding(FindingKind::out_of_bounds, AccessKind::write, 5, "out", 3, 1),
                  reduction_case());
}

TEST_CASE("of a line that reads two elements of one array no one is picked out") {
    const std::string text =
        "__global__ void f(float* out, int n, int s) {\nint i = threadIdx.x;\n"
        "if (i < n) out[i + 2 * s - 1] += out[i + s - 1];\n}\n";
    const Diagnostic said = describe(finding(FindingKind::out_of_bounds, AccessKind::read, 3, "out", 2145), path,
                                     FactsOf(text), transpose_case());
    CHECK(said.marks.front().column == 12);
    CHECK(said.marks.front().length == 36);
    // The thread is 1, so the first of the two is out[1].
    const std::string own =
        "__global__ void f(float* out, int n, int s) {\nint i = threadIdx.x;\n"
        "if (i < n) out[i] += out[i + s];\n}\n";
    const Diagnostic other = describe(finding(FindingKind::out_of_bounds, AccessKind::read, 3, "out", 2145), path,
                                      FactsOf(own), transpose_case());
    CHECK(other.marks.front().column == 22);
}

TEST_CASE("words for other memory faults") {
    Finding shared = finding(FindingKind::out_of_bounds_shared, AccessKind::write, 5, "tile", 1024, 1024);
    check_finding("write_past_shared", shared);
    check_finding("read_before_shared",
                  finding(FindingKind::out_of_bounds_shared, AccessKind::read, 5, "tile", -1, 1024));
    check_finding("past_local_array", finding(FindingKind::out_of_bounds_local, AccessKind::read, 5));
    Finding misaligned = finding(FindingKind::misaligned, AccessKind::read, 5, "in", 33);
    misaligned.width_bytes = 16;
    misaligned.address = 0x10084;
    check_finding("misaligned_vector", misaligned);
    check_finding("uninitialized_shared", finding(FindingKind::uninitialized, AccessKind::read, 7, "tile", 33, 1024));
    Finding awaited = finding(FindingKind::uninitialized, AccessKind::read, 7, "tile", 33, 1024);
    awaited.reason = FindingReason::awaits_copy;
    check_finding("uninitialized_awaited_copy", awaited);
    check_finding("uninitialized_scratch", finding(FindingKind::uninitialized, AccessKind::read, 5, "scratch", 33),
                  reduction_case());
    check_finding("write_to_input", finding(FindingKind::write_to_input, AccessKind::write, 5, "in", 12));
    check_finding("write_to_constant", finding(FindingKind::write_to_input, AccessKind::write, 5, "weights", 12));
}

TEST_CASE("words for operands that PTX gives no meaning to") {
    using vgpu::Misuse;
    const auto misuse = [](Misuse what, std::uint64_t value, std::uint64_t limit) {
        Finding f = finding(FindingKind::undefined_operand, AccessKind::none, 6);
        f.misuse = what;
        f.value = value;
        f.limit = limit;
        return f;
    };
    check_finding("misuse_branch_index", misuse(Misuse::branch_index, 7, 3));
    check_finding("misuse_barrier_number", misuse(Misuse::barrier_number, 16, 16));
    check_finding("misuse_barrier_numbers_apart", misuse(Misuse::barrier_numbers_apart, 2, 1));
    check_finding("misuse_barrier_threads", misuse(Misuse::barrier_threads, 33, 32));
    check_finding("misuse_barrier_counts_apart", misuse(Misuse::barrier_counts_apart, 32, 64));
    check_finding("misuse_mbarrier_count", misuse(Misuse::mbarrier_count, 0, 1048575));
    check_finding("misuse_mbarrier_arrivals", misuse(Misuse::mbarrier_arrivals, 5, 4));
    check_finding("misuse_mbarrier_bytes", misuse(Misuse::mbarrier_bytes, 1048576, 1048575));
    check_finding("misuse_copied_bytes", misuse(Misuse::copied_bytes, 17, 16));
    for (const auto& [name, what] : {std::pair{"misuse_mbarrier_not_set", Misuse::mbarrier_not_set},
                                     std::pair{"misuse_mbarrier_overwritten", Misuse::mbarrier_overwritten}}) {
        Finding f = finding(FindingKind::undefined_operand, AccessKind::none, 6, "bar", 0, 2);
        f.misuse = what;
        f.width_bytes = 8;
        check_finding(name, f);
    }
}

TEST_CASE("of a ring it is said that it is back at what is still read") {
    const std::string ring =
        "void f() { __shared__ float row[5][64];\n"
        "row[(y + 3) % 5][x] = in[i];\n"
        "sum += row[(y + r) % 5][x];\n";
    Finding race = finding(FindingKind::race_shared, AccessKind::read, 3, "row", 33, 1280);
    race.has_other = true;
    race.other = {{2, 2, 0}, {40, 0, 0}, 2, 0};
    race.other_access = AccessKind::write;
    const Diagnostic said = describe(race, path, FactsOf(ring), transpose_case());
    CHECK(said.help.find("is back at the same element after 5") != std::string::npos);
}

TEST_CASE("words for threads in each other's way") {
    Finding race = finding(FindingKind::race_shared, AccessKind::read, 7, "tile", 33, 1024);
    race.has_other = true;
    race.other = {{2, 2, 0}, {0, 1, 0}, 5, 0};
    race.other_access = AccessKind::write;
    check_finding("race_shared", race);
    race.other.thread = {2, 0, 0};
    check_finding("race_within_warp", race);
    race.is_volatile = true;
    check_finding("race_volatile", race);
    race.is_volatile = false;
    race.access = AccessKind::write;
    race.is_same_value = true;
    check_finding("race_same_value", race);

    Finding global = finding(FindingKind::race_global, AccessKind::write, 7, "out", 40);
    global.has_other = true;
    global.other = {{0, 1, 0}, {0, 0, 0}, 0, 0};
    global.other_access = AccessKind::write;
    check_finding("race_global", global);

    Finding old = finding(FindingKind::race_global, AccessKind::read, 7, "out", 40);
    old.has_other = old.is_volatile = old.is_tried = true;
    old.other = {{1, 0, 0}, {0, 0, 0}, 5, 0};
    old.other_access = AccessKind::write;
    check_finding("race_old_value", old);
    old.other.line = old.place.line;
    old.is_volatile = false;
    check_finding("race_lost_update", old);

    Finding barrier = finding(FindingKind::barrier_divergence, AccessKind::none, 6);
    barrier.has_other = true;
    barrier.other = {{2, 2, 0}, {9, 0, 0}, 7, 0};
    check_finding("barrier_divergence", barrier);
    barrier.other.line = 0;
    check_finding("barrier_not_reached", barrier);

    Finding lane = finding(FindingKind::inactive_lane, AccessKind::none, 6);
    lane.mask = 0xffffffff;
    lane.lane = 16;
    check_finding("inactive_lane", lane);
    check_finding("deadlock", finding(FindingKind::deadlock, AccessKind::none, 6));
}

TEST_CASE("a place inside of a function comes with the line that called it") {
    Finding read = finding(FindingKind::out_of_bounds, AccessKind::read, 5, "in", 2145);
    read.place.called_from = 7;
    check_finding("read_in_function", read);

    Finding race = finding(FindingKind::race_shared, AccessKind::read, 7, "tile", 33, 1024);
    race.has_other = true;
    race.other = {{2, 2, 0}, {0, 1, 0}, 5, 0};
    race.other_access = AccessKind::write;
    race.other.called_from = 10;
    check_finding("race_with_function", race);
    race.place.called_from = 10;
    check_finding("race_between_functions", race);
    race.other.line = 7;
    check_finding("race_in_function", race);
}

TEST_CASE("words for launches and runs that stop") {
    Finding launch = finding(FindingKind::invalid_launch, AccessKind::none, 10);
    launch.error = "cudaErrorInvalidConfiguration";
    launch.detail = "gridDim.y is 65536, the limit is 65535";
    launch.limit = 65535;
    launch.refusal = vgpu::Refusal::grid_extent;
    check_finding("launch_grid_y", launch, transpose_case(2097121, 1));
    launch.detail = "gridDim.x is 0";
    launch.limit = 2147483647;
    launch.refusal = vgpu::Refusal::no_threads;
    check_finding("launch_no_blocks", launch, transpose_case(0, 5));
    launch.block = {64, 32, 1};
    launch.detail = "threads a block (64 x 32 x 1) is 2048, the limit is 1024";
    launch.limit = 1024;
    launch.refusal = vgpu::Refusal::block_extent;
    check_finding("launch_threads", launch);
    launch.error = "cudaErrorInvalidValue";
    launch.detail = "shared memory is 65536 bytes, the limit is 49152";
    launch.limit = 49152;
    launch.refusal = vgpu::Refusal::shared_bytes;
    check_finding("launch_shared", launch);

    Finding host = finding(FindingKind::host_dereference, AccessKind::read, 10, "in", 0);
    host.kernel = "";
    check_finding("host_dereference", host);
    Finding timeout = finding(FindingKind::timeout, AccessKind::none, 6);
    timeout.limit = 34340864;
    check_finding("timeout", timeout);
    timeout.is_endless = true;
    check_finding("timeout_endless", timeout);
    timeout.kernel = "";
    check_finding("timeout_launcher", timeout);
    timeout = finding(FindingKind::timeout, AccessKind::none, 6);
    timeout.reason = FindingReason::blocks;
    timeout.limit = 8'000'000;
    check_finding("timeout_blocks", timeout);
    timeout.reason = FindingReason::local;
    timeout.limit = 60'000;
    check_finding("timeout_local", timeout);
    timeout.reason = FindingReason::prints;
    timeout.limit = 838'860;
    check_finding("timeout_prints", timeout);
    timeout.reason = FindingReason::bytes;
    timeout.limit = 1 << 30;
    check_finding("timeout_bytes", timeout);
    timeout = finding(FindingKind::timeout, AccessKind::none, 10);
    timeout.reason = FindingReason::launches;
    timeout.limit = 4096;
    check_finding("timeout_launches", timeout);
    timeout = finding(FindingKind::timeout, AccessKind::none, 6);
    timeout.reason = FindingReason::waits;
    check_finding("timeout_waits", timeout);
    timeout.waiting_blocks = 1;
    check_finding("timeout_waits_for_each_other", timeout);
    timeout.waiting_blocks = 4223;
    timeout.unstarted_blocks = 95776;
    check_finding("timeout_waits_for_unstarted", timeout);
    Finding trap = finding(FindingKind::trap, AccessKind::none, 6);
    check_finding("trap", trap);
    trap.kernel = "";
    check_finding("trap_in_launcher", trap);
    trap.reason = FindingReason::division_by_zero;
    check_finding("division_in_launcher", trap);
    Finding assertion = finding(FindingKind::assertion, AccessKind::none, 6);
    assertion.detail = "x < cols";
    check_finding("assertion", assertion);
    Finding unsupported = finding(FindingKind::unsupported, AccessKind::none, 6);
    unsupported.detail = "wgmma.mma_async";
    check_finding("unsupported", unsupported);
    CHECK(describe(unsupported, path, source, transpose_case()).blame == Blame::host);
}

TEST_CASE("words for wrong output") {
    Judgement judgement;
    judgement.code = "wrong_output";
    judgement.pattern = "not_transposed";
    judgement.title = "`out` is a copy of `in`: nothing is transposed";
    judgement.facts = {"first wrong: out[0][1] is 17.25, expected in[1][0] = -4.5; it holds in[0][1]",
                       "2111 of 2145 elements wrong"};
    judgement.help = "exchange x and y on one side";
    check_golden("wrong_output", describe(judgement, path, transpose_case()));
}

TEST_CASE("only the learner's faults blame the learner") {
    for (int kind = 0; kind <= static_cast<int>(FindingKind::deadlock); ++kind) {
        Finding f = finding(static_cast<FindingKind>(kind), AccessKind::read, 5, "in", 9999);
        f.detail = "cudaMalloc";
        const Diagnostic d = describe(f, path, source, transpose_case());
        CHECK(d.blame == (f.kind == FindingKind::unsupported ? Blame::host : Blame::learner));
        CHECK(!d.title.empty());
        CHECK(!d.code.empty());
    }
}

TEST_CASE("every golden message belongs to a test") {
    // The names above, read from this file: a message nobody renders is stale.
    std::ifstream self(std::filesystem::path(WARPGRADE_SOURCE_DIR) / "grader/tests/explain/wording_test.cpp");
    std::ostringstream text;
    text << self.rdbuf();
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(WARPGRADE_SOURCE_DIR) /
                                                                 "grader/tests/golden/messages"))
        CHECK(text.str().find('"' + entry.path().stem().string() + '"') != std::string::npos);
}
