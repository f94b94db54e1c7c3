// The kernels that fill inputs and check outputs on a card, run on the virtual GPU: what they make is what the host
// makes, and what they say of an output is true.
#include <cstring>

#include "compile/compiler.hpp"
#include "compile/support.hpp"
#include "device/device.hpp"
#include "problem/pattern.hpp"
#include "problem/problem.hpp"
#include "problem/sum_input.hpp"
#include "support/catch.hpp"
#include "support/kit_problems.hpp"

using namespace warpgrade;

namespace {

// Buffers and kernels of a problem in the virtual GPU's memory.
class Virtual {
public:
    Virtual(const Problem& problem, const Shape& shape) : problem_(problem), shape_(shape) {
        CompileRequest request;
        request.path = "card.cu";
        request.source = problem.card_source();
        const auto compiled = compile(request);
        REQUIRE(compiled);
        INFO((compiled->messages.empty() ? std::string() : compiled->messages.front().message));
        REQUIRE(compiled->ok);
        const auto module = ptx::parse(compiled->ptx);
        REQUIRE(module);
        auto program = vgpu::load(*module, "card.cu");
        REQUIRE(program);
        auto session = vgpu::Session::open(*program, memory);
        REQUIRE(session);
        session_ = std::move(*session);
        for (vgpu::BufferSpec spec : problem.buffers(shape)) {
            spec.is_read_only = false;
            spec.is_written = true;  // the tests write from the host
            buffers.push_back(*memory.allocate(spec));
            addresses.push_back(memory.buffer(buffers.back()).address);
        }
        vgpu::BufferSpec report;
        report.name = "report";
        report.bytes = sizeof(CardReport);
        report.is_written = true;
        report_ = *memory.allocate(report);
    }

    void fill(std::uint64_t seed) { run(problem_.fill_calls(shape_, seed, addresses)); }
    CardReport check(std::uint64_t seed) {
        CardReport report;
        std::memcpy(memory.bytes(report_).data(), &report, sizeof report);
        run(problem_.check_calls(shape_, seed, addresses, memory.buffer(report_).address));
        std::memcpy(&report, memory.bytes(report_).data(), sizeof report);
        return report;
    }
    std::span<float> floats(std::size_t i) { return memory.view<float>(buffers[i]); }

    vgpu::Memory memory;
    std::vector<int> buffers;
    std::vector<std::uint64_t> addresses;

    void run(const std::vector<KernelCall>& calls) {
        for (const KernelCall& call : calls) {
            const auto result = session_->run(
                {.kernel = call.kernel, .grid = call.grid, .block = call.block, .parameters = call.parameters}, {});
            for (const auto& finding : result.findings) UNSCOPED_INFO(vgpu::summary(finding));
            REQUIRE(result.findings.empty());
        }
    }

private:
    const Problem& problem_;
    Shape shape_;
    int report_ = 0;
    std::unique_ptr<vgpu::Session> session_;
};

Shape shape_of(const Problem& problem, const char* text) {
    const auto shape = problem.parse_shape(text);
    REQUIRE(shape);
    return *shape;
}

}  // namespace

TEST_CASE("the card's pattern is the host's, and its check finds every wrong element") {
    if (test::lacks_nvrtc()) return;
    for (const char* name : {"transpose", "copy"}) {
        const Problem& problem = test::kit_problem(name);
        const bool is_transposed = std::string(name) == "transpose";
        for (const char* text : {"33x65", "1x1", "100x7"}) {
            const Shape shape = shape_of(problem, text);
            Virtual gpu(problem, shape);
            const Pattern pattern(ElementType::f32, 77);
            gpu.fill(77);
            CHECK_FALSE(pattern.first_difference(gpu.memory.bytes(gpu.buffers[0])));
            const auto rows = static_cast<std::size_t>(shape.extents[0]),
                       cols = static_cast<std::size_t>(shape.extents[1]);
            for (std::size_t i = 0; i < rows * cols; ++i)
                gpu.floats(1)[i] = gpu.floats(0)[is_transposed ? i % rows * cols + i / rows : i];
            const CardReport right = gpu.check(77);
            CHECK(right.wrong == 0);
            CHECK(right.changed == 0);

            const std::size_t last = rows * cols - 1, middle = last / 2;
            gpu.floats(1)[last] = 0;
            gpu.floats(1)[middle] = 0;
            const CardReport wrong = gpu.check(77);
            CHECK(wrong.wrong == (last == middle ? 1 : 2));
            CHECK(~wrong.first_wrong_complement == middle);
            CHECK(wrong.fingerprint == right.fingerprint);

            gpu.floats(0)[last] = -gpu.floats(0)[last];
            CHECK(gpu.check(77).changed == 1);
            gpu.fill(78);
            CHECK(gpu.check(78).changed == 0);
            CHECK(gpu.check(78).fingerprint != right.fingerprint);
        }
    }
}

TEST_CASE("the card's numbers are the host's, and only the right sum passes") {
    if (test::lacks_nvrtc()) return;
    const Problem& problem = test::kit_problem("reduction");
    for (const char* text : {"1", "1000", "65537", "2000000"}) {
        const Shape shape = shape_of(problem, text);
        Virtual gpu(problem, shape);
        const SumInput input(static_cast<std::uint64_t>(shape.extents[0]), 5, "whole");
        gpu.fill(5);
        std::vector<float> due(input.n());
        input.fill(due);
        CHECK(std::memcmp(due.data(), gpu.floats(0).data(), due.size() * sizeof(float)) == 0);
        const auto sum = static_cast<float>(input.sum());
        gpu.floats(2)[0] = sum;
        const CardReport right = gpu.check(5);
        CHECK(right.wrong == 0);
        CHECK(right.changed == 0);
        CHECK(right.sum == static_cast<std::uint64_t>(input.sum()));
        for (const float other : {sum + 1, sum - 1, 0.0f, std::numeric_limits<float>::quiet_NaN()}) {
            gpu.floats(2)[0] = other;
            CHECK(gpu.check(5).wrong == 1);
        }
        gpu.floats(0)[input.n() / 2] += 1;
        CHECK(gpu.check(5).changed == 1);
        gpu.fill(6);
        CHECK(gpu.check(6).changed == 0);
        if (input.n() > 1) CHECK(gpu.check(6).fingerprint != right.fingerprint);
    }
}

TEST_CASE("sparse numbers, as large sums have them, are the host's too") {
    if (test::lacks_nvrtc()) return;
    const Problem& problem = test::kit_problem("reduction");
    for (const std::uint64_t n : {1u << 24, 50'000'000u}) {
        const SumInput input(n, 9, "whole");
        REQUIRE(input.sparse() != 0);
        auto calls =
            problem.fill_calls(shape_of(problem, std::to_string(n).c_str()), 9, std::vector<std::uint64_t>{0, 0, 0});
        REQUIRE(calls.size() == 1);
        // The same kernel over the first elements only: count is its third parameter.
        Virtual gpu(problem, shape_of(problem, "100000"));
        const std::uint64_t count = 100'000;
        std::memcpy(calls[0].parameters.data(), gpu.addresses.data(), 8);
        std::memcpy(calls[0].parameters.data() + 16, &count, 8);
        gpu.run(calls);
        std::vector<float> due(count);
        input.fill(due);
        CHECK(std::memcmp(due.data(), gpu.floats(0).data(), due.size() * sizeof(float)) == 0);
    }
}

TEST_CASE("timing shapes fill the memory system and fit into the memory") {
    const TimingLimits h200{62914560, std::uint64_t{140} << 30, 4800};
    const TimingLimits laptop{2 << 20, std::uint64_t{3} << 30, 192};
    const TimingLimits full{60 << 20, 64 << 20, 4800};
    for (const char* name : {"transpose", "copy", "reduction"}) {
        INFO(name);
        const Problem* problem = &test::kit_problem(name);
        for (const TimingLimits& limits : {h200, laptop, full}) {
            const auto shapes = problem->timing_shapes(limits);
            REQUIRE(shapes.size() >= 3);
            CHECK(shapes[0].shape_class == "aligned");
            CHECK(shapes[1].shape_class == "odd");
            CHECK(shapes.back().shape_class == "small");
            const std::uint64_t bytes = problem->useful_bytes(shapes[0]);
            if (limits.free_bytes > 1 << 30) {
                CHECK(bytes >= 4 * limits.l2_bytes);
                CHECK(static_cast<double>(bytes) / (limits.peak_gb_per_s * 1e9) >= 100e-6);
            }
            CHECK(bytes <= limits.free_bytes / 2);
        }
        CHECK(problem->useful_bytes(problem->timing_shapes(h200)[0]) <= 540'000'000);
    }
}

TEST_CASE("the loop on the host takes time") {
    for (const char* name : {"transpose", "copy", "reduction"}) {
        const Problem& problem = test::kit_problem(name);
        CHECK(problem.seconds_on_host(problem.technique_shape()) > 1e-5);
    }
}
