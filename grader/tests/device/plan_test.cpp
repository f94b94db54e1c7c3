#include "device/plan.hpp"

#include "device/launchers.hpp"
#include "ptx/module.hpp"

using namespace launchers;

namespace {

// Records one launcher with a buffer of 4096 floats at hand.
class Recording {
public:
    explicit Recording(const LaunchLimits& limits = {}) : limits_(limits) {
        const auto module = ptx::parse(ptx_text());
        REQUIRE(module.ok());
        const auto program = load(*module, "launchers.cu");
        INFO((program.ok() ? std::string() : program.error().title));
        REQUIRE(program.ok());
        program_ = *program;
        BufferSpec spec;
        spec.name = "out";
        spec.bytes = 16384;
        spec.is_written = true;
        out = memory_.buffer(*memory_.allocate(spec)).address;
        auto session = Session::open(program_, memory_);
        REQUIRE(session.ok());
        session_ = std::move(session).value();
    }
    template <class... A>
    LaunchPlan record(const std::string& launcher, A... values) {
        vgpu::Limits budget;
        budget.warp_instructions = 1 << 20;
        auto plan = record_plan(*session_, *program_, launcher, arguments(values...), limits_, budget);
        REQUIRE(plan.ok());
        return *plan;
    }
    LaunchPlan probe(vgpu::Dim3 grid, vgpu::Dim3 block, int shared = 0) {
        const auto n = [](std::uint32_t v) { return static_cast<int>(v); };
        return record("_Z12launch_probePfiiiiiii", out, n(grid.x), n(grid.y), n(grid.z), n(block.x), n(block.y),
                      n(block.z), shared);
    }

    std::uint64_t out = 0;

private:
    LaunchLimits limits_;
    std::shared_ptr<const Program> program_;
    Memory memory_;
    std::unique_ptr<Session> session_;
};

const PlannedLaunch& launch_of(const LaunchPlan& plan, std::size_t step) {
    return std::get<PlannedLaunch>(plan.steps.at(step));
}

// The plan holds no launch and one finding: CUDA's error, what was asked for, the limit; the launcher was told.
void check_refused(const LaunchPlan& plan, const std::string& error, std::uint64_t asked, std::uint64_t limit,
                   const std::string& what, int line) {
    CHECK(plan.steps.empty());
    REQUIRE(plan.findings.size() == 1);
    const Finding& f = plan.findings[0];
    INFO(f.detail);
    CHECK(f.kind == FindingKind::invalid_launch);
    CHECK(f.error == error);
    CHECK(f.detail.find(what) != std::string::npos);
    CHECK(f.buffer_bytes == asked);
    CHECK(f.limit == limit);
    CHECK(f.place.line == line);
    CHECK(plan.output.find(error) != std::string::npos);
}

template <class T>
T parameter(const PlannedLaunch& launch, std::size_t offset) {
    T value{};
    REQUIRE(launch.launch.parameters.size() >= offset + sizeof(T));
    std::memcpy(&value, launch.launch.parameters.data() + offset, sizeof(T));
    return value;
}

}  // namespace

TEST_CASE("a launch is recorded as it was asked for") {
    Recording recording;
    const LaunchPlan plan = recording.probe({7, 5, 3}, {16, 4, 2}, 1024);
    CHECK(plan.findings.empty());
    CHECK(plan.output == "cudaSuccess");
    REQUIRE(plan.steps.size() == 1);
    const PlannedLaunch& launch = launch_of(plan, 0);
    CHECK(launch.launch.kernel == "_Z5probePf");
    CHECK(launch.display_name == "probe");
    CHECK(launch.launch.grid == vgpu::Dim3{7, 5, 3});
    CHECK(launch.launch.block == vgpu::Dim3{16, 4, 2});
    CHECK(launch.launch.dynamic_shared_bytes == 1024);
    CHECK(launch.line == line_named("probe"));
    CHECK(parameter<std::uint64_t>(launch, 0) == recording.out);
}

TEST_CASE("a grid or block CUDA would refuse is refused with CUDA's error") {
    const int line = line_named("probe");
    const std::string error = "cudaErrorInvalidValue";
    struct Case {
        vgpu::Dim3 grid, block;
        std::uint64_t asked, limit;
        std::string what;
    };
    const vgpu::Dim3 one{1, 1, 1};
    const std::vector<Case> cases{{{0, 1, 1}, one, 0, 2147483647, "gridDim.x is 0"},
                                  {{1, 0, 1}, one, 0, 65535, "gridDim.y is 0"},
                                  {{1, 1, 0}, one, 0, 65535, "gridDim.z is 0"},
                                  {{2147483648u, 1, 1}, one, 2147483648u, 2147483647, "gridDim.x"},
                                  {{1, 65536, 1}, one, 65536, 65535, "gridDim.y is 65536, the limit is 65535"},
                                  {{1, 1, 70000}, one, 70000, 65535, "gridDim.z"},
                                  {one, {0, 1, 1}, 0, 1024, "blockDim.x is 0"},
                                  {one, {1, 0, 1}, 0, 1024, "blockDim.y is 0"},
                                  {one, {1, 1, 0}, 0, 64, "blockDim.z is 0"},
                                  {one, {1025, 1, 1}, 1025, 1024, "blockDim.x is 1025"},
                                  {one, {1, 2000, 1}, 2000, 1024, "blockDim.y"},
                                  {one, {1, 1, 65}, 65, 64, "blockDim.z is 65, the limit is 64"},
                                  {one, {33, 32, 1}, 1056, 1024, "33 x 32 x 1"},
                                  {one, {1024, 1024, 64}, 67108864, 1024, "threads a block"}};
    for (const Case& c : cases) {
        INFO(c.what);
        Recording recording;
        check_refused(recording.probe(c.grid, c.block), error, c.asked, c.limit, c.what, line);
    }
}

TEST_CASE("the largest grids and blocks are good") {
    for (const auto& [grid, block] : std::vector<std::pair<vgpu::Dim3, vgpu::Dim3>>{{{2147483647u, 1, 1}, {1024, 1, 1}},
                                                                                    {{1, 65535, 65535}, {1, 1024, 1}},
                                                                                    {{1, 1, 1}, {4, 4, 64}},
                                                                                    {{1, 1, 1}, {32, 32, 1}}}) {
        Recording recording;
        const LaunchPlan plan = recording.probe(grid, block);
        CHECK(plan.findings.empty());
        CHECK(plan.steps.size() == 1);
    }
}

TEST_CASE("the limits are the device's") {
    LaunchLimits limits;
    limits.max_threads_per_block = 256;
    Recording recording(limits);
    check_refused(recording.probe({1, 1, 1}, {257, 1, 1}), "cudaErrorInvalidValue", 257, 256, "threads a block",
                  line_named("probe"));
    CHECK(recording.probe({1, 1, 1}, {256, 1, 1}).findings.empty());
}

TEST_CASE("registers are a limit, where the assembler has counted them") {
    LaunchLimits limits;
    int asked = 0;
    limits.registers_of = [&](const std::string& kernel) {
        ++asked;
        return kernel == "_Z5probePf" ? 65 : 0;
    };  // 72 of each thread: a warp gets them by 256
    Recording recording(limits);
    check_refused(recording.probe({1, 1, 1}, {1024, 1, 1}), "cudaErrorLaunchOutOfResources", 73728, 65536,
                  "registers a block are 73728: 1024 threads of 65 each", line_named("probe"));
    CHECK(recording.probe({1, 1, 1}, {896, 1, 1}).findings.empty());
    CHECK(asked == 2);
    CHECK(recording.probe({1, 1, 1}, {256, 1, 1}).findings.empty());
    CHECK(asked == 2);  // of so few threads each may have as many as there are
    CHECK(registers_of_block(1024, 64) == 65536);
    CHECK(registers_of_block(256, 255) == 65536);
    CHECK(registers_of_block(33, 8) == 1024);  // four warps at a time
}

TEST_CASE("__launch_bounds__ is a limit, and errors are peeked at and taken as in CUDA") {
    Recording recording;
    const LaunchPlan good = recording.record("_Z14launch_boundedPfi", recording.out, 128);
    CHECK(good.findings.empty());
    CHECK(good.output == "cudaSuccess cudaSuccess cudaSuccess");
    const LaunchPlan bad = recording.record("_Z14launch_boundedPfi", recording.out, 129);
    check_refused(bad, "cudaErrorInvalidValue", 129, 128, "__launch_bounds__", line_named("bounded"));
    CHECK(bad.output == "cudaErrorInvalidValue cudaErrorInvalidValue cudaSuccess");
}

TEST_CASE("static and dynamic shared memory count together against 48 KiB") {
    Recording recording;
    const LaunchPlan good = recording.record("_Z13launch_staticPfi", recording.out, 49152 - 40000);
    CHECK(good.findings.empty());
    CHECK(launch_of(good, 0).launch.dynamic_shared_bytes == 9152);
    const LaunchPlan bad = recording.record("_Z13launch_staticPfi", recording.out, 49152 - 40000 + 1);
    CHECK(bad.steps.empty());
    REQUIRE(bad.findings.size() == 1);
    CHECK(bad.findings[0].error == "cudaErrorInvalidValue");
    CHECK(bad.findings[0].detail.starts_with("shared memory"));
    CHECK(bad.findings[0].limit == 49152);
    CHECK(bad.findings[0].buffer_bytes == 49153);
    CHECK(bad.findings[0].kernel == "static_shared");
    CHECK(bad.findings[0].place.line == line_named("static"));
}

TEST_CASE("more shared memory has to be opted in to, as much as will be used") {
    const auto record = [](int attribute, int shared) {
        Recording recording;
        return recording.record("_Z15launch_opted_inPfii", recording.out, attribute, shared);
    };
    const LaunchPlan plain = record(0, 49153);
    REQUIRE(plain.findings.size() == 1);
    CHECK(plain.findings[0].limit == 49152);
    CHECK(plain.output == "cudaSuccess");
    const LaunchPlan opted_in = record(100000, 100000);
    CHECK(opted_in.findings.empty());
    CHECK(launch_of(opted_in, 0).launch.dynamic_shared_bytes == 100000);
    const LaunchPlan too_little = record(100000, 100001);
    REQUIRE(too_little.findings.size() == 1);
    CHECK(too_little.findings[0].limit == 100000);
    CHECK(too_little.findings[0].place.line == line_named("opted in"));
    CHECK(record(1000, 49152).findings.empty());  // opting in to less takes nothing away
    CHECK(record(227 * 1024, 227 * 1024).findings.empty());
    const LaunchPlan too_much = record(227 * 1024 + 1, 64);
    REQUIRE(too_much.findings.size() == 1);
    CHECK(too_much.findings[0].error == "cudaErrorInvalidValue");
    CHECK(too_much.findings[0].detail.starts_with("cudaFuncAttributeMaxDynamicSharedMemorySize"));
    CHECK(too_much.findings[0].limit == 227 * 1024);
    CHECK(too_much.findings[0].place.line == line_named("opt in"));
    CHECK(too_much.output == "cudaErrorInvalidValue");
    CHECK(too_much.steps.size() == 1);  // the launcher goes on
    CHECK(record(-1, 64).findings.size() == 1);
}

TEST_CASE("memsets are steps between launches, in order") {
    Recording recording;
    const LaunchPlan plan = recording.record("_Z4fillPfim", recording.out, 0xAB, std::uint64_t{4000});
    CHECK(plan.findings.empty());
    REQUIRE(plan.steps.size() == 3);
    const auto& first = std::get<PlannedMemset>(plan.steps[0]);
    CHECK(first.address == recording.out);
    CHECK(first.value == 0xAB);
    CHECK(first.bytes == 4000);
    CHECK(first.line == line_named("memset"));
    CHECK(parameter<std::uint64_t>(launch_of(plan, 1), 0) == recording.out + 32);
    CHECK(std::get<PlannedMemset>(plan.steps[2]).address == recording.out + 16);
}

TEST_CASE("a launcher may loop: each launch keeps its own arguments") {
    Recording recording;
    const std::uint64_t data = recording.out, scratch = recording.out + 8192;
    const LaunchPlan plan = recording.record("_Z6reducePfS_i", data, scratch, 1000);
    CHECK(plan.findings.empty());
    REQUIRE(plan.steps.size() == 9);  // 500, 250, 125, 62, 31, 15, 7, 3, 1
    int n = 1000;
    for (std::size_t k = 0; k < plan.steps.size(); ++k) {
        n /= 2;
        const PlannedLaunch& launch = launch_of(plan, k);
        CHECK(launch.launch.grid == vgpu::Dim3{static_cast<std::uint32_t>((n + 63) / 64), 1, 1});
        CHECK(launch.display_name == "halve<64, float>");
        CHECK(parameter<std::uint64_t>(launch, 0) == (k % 2 == 0 ? data : scratch));
        CHECK(parameter<std::uint64_t>(launch, 8) == (k % 2 == 0 ? scratch : data));
        CHECK(parameter<int>(launch, 16) == n);
    }
    CHECK(plan.output == "1 launches read from scratch");
}

TEST_CASE("structures and small arguments lie where the kernel looks for them") {
    Recording recording;
    const LaunchPlan plan = recording.record("_Z14launch_structsPfi", recording.out, 77);
    CHECK(plan.findings.empty());
    const PlannedLaunch& launch = launch_of(plan, 0);
    CHECK(parameter<std::uint64_t>(launch, 0) == recording.out);
    CHECK(parameter<short>(launch, 8) == 77);
    CHECK(parameter<double>(launch, 16) == 0.5);
    CHECK(parameter<char>(launch, 26) == 3);
    CHECK(parameter<char>(launch, 32) == 'A');
    CHECK(parameter<std::uint64_t>(launch, 40) == 1u << 20);
}

TEST_CASE("a launcher that reads device memory is told so, and what it would launch is not trusted") {
    Recording recording;
    const LaunchPlan plan = recording.record("_Z4peekPKfPf", recording.out, recording.out);
    REQUIRE(plan.findings.size() == 1);
    const Finding& f = plan.findings[0];
    CHECK(f.kind == FindingKind::host_dereference);
    CHECK(f.access == AccessKind::read);
    CHECK(f.buffer == "out");
    CHECK(f.offset_bytes == 12);
    CHECK(f.place.line == line_named("peek"));
}

TEST_CASE("an address that is nowhere is a host dereference too") {
    Recording recording;
    const LaunchPlan plan = recording.record("_Z4peekPKfPf", std::uint64_t{0}, recording.out);
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].kind == FindingKind::host_dereference);
    CHECK(plan.findings[0].buffer.empty());
}

TEST_CASE("a launcher that never ends is stopped by its budget") {
    Recording recording;
    const LaunchPlan plan = recording.record("_Z4spinPViPf", std::uint64_t{0}, recording.out);
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].kind == FindingKind::timeout);
    CHECK(plan.findings[0].limit == 1 << 20);
    CHECK(plan.findings[0].place.line == line_named("spin"));
    CHECK(plan.steps.empty());
}

TEST_CASE("a launcher that floods the device is stopped") {
    LaunchLimits limits;
    limits.max_launches = 10;
    Recording recording(limits);
    CHECK(recording.record("_Z5floodPfi", recording.out, 10).findings.empty());
    const LaunchPlan plan = recording.record("_Z5floodPfi", recording.out, 100000);
    CHECK(plan.steps.size() == 10);
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].kind == FindingKind::timeout);
    CHECK(plan.findings[0].reason == vgpu::FindingReason::launches);
    CHECK(plan.findings[0].limit == 10);
    CHECK(plan.findings[0].place.line == line_named("flood"));
}

TEST_CASE("a launcher learns the device's attributes") {
    LaunchLimits limits;
    limits.multiprocessors = 78;
    limits.max_threads_per_block = 512;
    Recording recording(limits);
    const LaunchPlan plan = recording.record("_Z5queryPf", recording.out);
    CHECK(plan.output == "0 78 512 49152 232448");
    CHECK(launch_of(plan, 0).launch.grid.x == 78);
    CHECK(launch_of(plan, 0).launch.block.x == 512);
}

TEST_CASE("a function the launcher has no business with is not supported, by name") {
    Recording recording;
    const LaunchPlan plan = recording.record("_Z9calls_outPf", recording.out);
    REQUIRE(plan.findings.size() == 1);
    CHECK(plan.findings[0].kind == FindingKind::unsupported);
    CHECK(plan.findings[0].detail.find("cudaMystery") != std::string::npos);
    CHECK(plan.findings[0].place.line == line_named("mystery"));
    CHECK(plan.steps.size() == 1);  // nothing after it
}
