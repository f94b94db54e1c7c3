// The kernels of tests/data/execution_kernels.cu on the virtual GPU: `in` and `out` are arrays of int.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "ptx/module.hpp"
#include "support/data_text.hpp"
#include "vgpu/vgpu.hpp"

namespace execution {

using namespace warpgrade;
using namespace warpgrade::vgpu;

using test::read_text;

inline std::shared_ptr<const Program> load_text(const std::string& ptx, const std::string& source) {
    const auto module = ptx::parse(ptx);
    INFO((module.ok() ? std::string() : module.error().title));
    REQUIRE(module.ok());
    const auto program = load(*module, source);
    INFO((program.ok() ? std::string() : program.error().title));
    REQUIRE(program.ok());
    return *program;
}
inline std::shared_ptr<const Program> kernels_program() {
    static const auto program = load_text(read_text("execution_kernels.ptx"), "execution_kernels.cu");
    return program;
}

inline int line_named(const std::string& name, const std::string& file = "execution_kernels.cu") {
    return test::line_named(name, file);
}

inline RunOptions options_with(int threads = 1, std::uint64_t schedule = 0) {
    RunOptions options;
    options.threads = threads;
    options.schedule = schedule;
    return options;
}

class Bench {
public:
    explicit Bench(std::shared_ptr<const Program> program = kernels_program()) : program_(std::move(program)) {
        auto session = Session::open(program_, memory);
        REQUIRE(session.ok());
        session_ = std::move(session).value();
    }

    // A buffer that holds `values`; is_written false: as after cudaMalloc.
    template <class T>
    int buffer(const char* name, const std::vector<T>& values, bool is_written = true, bool is_read_only = false) {
        BufferSpec spec;
        spec.name = name;
        spec.bytes = values.size() * sizeof(T);
        spec.element_bytes = sizeof(T);
        spec.is_written = is_written;
        spec.is_read_only = is_read_only;
        const int index = *memory.allocate(spec);
        std::copy(values.begin(), values.end(), memory.view<T>(index).begin());
        return index;
    }
    template <class T>
    std::vector<T> values(int index) {
        const auto view = memory.view<T>(index);
        return {view.begin(), view.end()};
    }
    std::uint64_t address(int index) const { return memory.buffer(index).address; }

    // Arguments: addresses (std::uint64_t) and ints, laid out as a kernel's parameters.
    template <class... A>
    RunResult run(const std::string& kernel, Dim3 grid, Dim3 block, const RunOptions& options, A... arguments) {
        Launch launch;
        launch.kernel = kernel;
        launch.grid = grid;
        launch.block = block;
        (append(launch.parameters, arguments), ...);
        return session_->run(launch, options);
    }

    const std::shared_ptr<const Program>& program() const { return program_; }

    Memory memory;

private:
    template <class T>
    static void append(std::vector<std::byte>& bytes, T value) {
        static_assert(std::is_integral_v<T>);
        const std::size_t offset = (bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        bytes.resize(offset + sizeof(T));
        std::memcpy(bytes.data() + offset, &value, sizeof(T));
    }

    std::shared_ptr<const Program> program_;
    std::unique_ptr<Session> session_;
};

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Numbers from 0 to range - 1 with no pattern, the same on every machine.
inline std::vector<int> numbers(std::size_t count, int seed, int range) {
    std::vector<int> values(count);
    std::uint32_t state = static_cast<std::uint32_t>(seed) * 2654435761u + 1;
    for (int& v : values) {
        state = state * 1664525u + 1013904223u;
        v = static_cast<int>((state >> 8) % static_cast<std::uint32_t>(range));
    }
    return values;
}

// What most kernels are: `in` read, `out` written.
struct Outcome {
    std::vector<int> out;
    RunResult result;
};
inline Outcome run_in_out(const std::string& kernel, Dim3 grid, Dim3 block, const std::vector<int>& in,
                          std::size_t out_count, const RunOptions& options = options_with()) {
    Bench bench;
    const int from = bench.buffer("in", in, true, true), to = bench.buffer("out", std::vector<int>(out_count, -12345));
    Outcome outcome;
    outcome.result = bench.run(kernel, grid, block, options, bench.address(from), bench.address(to));
    outcome.out = bench.values<int>(to);
    return outcome;
}

inline std::string findings_of(const RunResult& result) {
    std::string text;
    for (const Finding& f : result.findings) {
        text += summary(f) + " line " + std::to_string(f.place.line) + " block " + std::to_string(f.place.block.x) +
                " thread " + std::to_string(f.place.thread.x) + " " + f.buffer + "+" + std::to_string(f.offset_bytes) +
                "; ";
    }
    return text;
}

// Threads that have ended while others of their block wait at a barrier are told of, and nothing is wrong with the run.
inline RunResult without_ended(RunResult result) {
    std::erase_if(result.findings, [](const Finding& f) { return f.reason == FindingReason::ended; });
    return result;
}

}  // namespace execution
