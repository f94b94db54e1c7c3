// A described problem's functions in one memory of the virtual GPU. Internal to problem/.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problem/case_bytes.hpp"
#include "problem/oracle_source.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

// Of one kernel. A plain loop over 16 million elements takes a tenth of it, some seconds on a laptop.
inline constexpr std::uint64_t most_warp_instructions = std::uint64_t{1} << 30;

// Blame course; `line` of problem.cu, 0: the whole file.
Diagnostic fault_of_problem(std::string code, std::string title, const std::string& path, int line, std::string fact,
                            std::string help = {});
// A launch with a thread for each element, as far as it goes.
vgpu::Launch over_elements(std::string kernel, std::uint64_t elements, std::vector<std::byte> parameters);
// What tells contents and expected outputs apart.
std::string case_key(const Shape& shape, std::uint64_t seed);

// One memory with the buffers of one shape. The output is there twice: what the reference leaves, and what is compared.
struct OracleRun {
    const ProblemDescription& problem;
    Shape shape;
    DescribedValues values;
    vgpu::Memory memory;
    std::unique_ptr<vgpu::Session> session;
    std::vector<int> buffers;
    std::vector<std::uint64_t> addresses;  // of the buffers
    int start = -1;                        // its buffer

    OracleRun(const ProblemDescription& described, const Shape& of, DescribedValues numbers, vgpu::Memory::Pages pages)
        : problem(described), shape(of), values(std::move(numbers)), memory(std::uint64_t{12} << 30, pages) {}

    std::size_t out() const { return buffers.size() - 1; }

    Result<int> allocate(std::uint64_t bytes, int element_bytes) {
        vgpu::BufferSpec spec;
        spec.name = "buffer";
        spec.bytes = bytes;
        spec.element_bytes = element_bytes;
        spec.is_written = true;
        return memory.allocate(spec);
    }

    Status add_buffers() {
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            const auto buffer = allocate(values.bytes[b], problem.element_bytes(problem.buffers[b], shape.type));
            if (!buffer) return buffer.error();
            buffers.push_back(*buffer);
            addresses.push_back(memory.buffer(*buffer).address);
        }
        return Nothing{};
    }

    Status launch(const vgpu::Launch& launch, bool is_one_thread = false) {
        vgpu::RunOptions options;
        options.check_races = false;
        // A few elements are done before another thread has begun.
        options.threads = is_one_thread || launch.grid.x < 64 ? 1 : 0;
        options.limits.warp_instructions = most_warp_instructions;
        const vgpu::RunResult run = session->run(launch, options);
        if (run.findings.empty()) return Nothing{};
        const vgpu::Finding& first = run.findings.front();
        if (first.kind == vgpu::FindingKind::timeout)
            return fault_of_problem(
                std::string(reference_takes_too_long),
                fmt::format("what is right on {} takes too long to compute on the virtual GPU", describe_case(shape)),
                problem.cuda_path, first.place.line, "the limit is 2^30 warp instructions",
                "take smaller extents; on small ones, look for a loop that does not end");
        std::string what = summary(first);
        return fault_of_problem("reference_fails",
                                fmt::format("a function of the problem fails on {}", describe_case(shape)),
                                problem.cuda_path, first.place.line, std::move(what),
                                "it runs as a kernel on the virtual GPU: look at its indices, and at extents of 0");
    }

    void add_extents(ParameterBytes& parameters) const {
        for (const std::int64_t value : values.extents) parameters.add(static_cast<std::uint64_t>(value));
    }
    void add_arguments(ParameterBytes& parameters) const { add_arguments(parameters, addresses); }
    void add_arguments(ParameterBytes& parameters, std::span<const std::uint64_t> of) const {
        for (const auto& argument : arguments_of(problem, values, of)) parameters.add_bytes(argument);
    }
    std::uint64_t terms() const {
        return problem.compare.terms.empty() ? 0 : static_cast<std::uint64_t>(number_of(problem.compare.terms, values));
    }

    // Buffers that its contents are made from have to be there.
    Status fill(std::size_t b, std::uint64_t seed, std::uint64_t to, std::uint64_t first, std::uint64_t count) {
        ParameterBytes parameters{to, first, count, seed + b};
        for (const std::size_t source : problem.buffers[b].after) parameters.add(addresses[source]);
        add_extents(parameters);
        return launch(
            over_elements(fill_kernel(b, contents_of(problem.buffers[b], shape.contents)), count, parameters.take()));
    }

    // What an output held before; nothing where it is not read.
    Status add_start(std::span<const std::byte> bytes) {
        if (bytes.empty()) return Nothing{};
        const auto buffer = allocate(bytes.size(), 4);
        if (!buffer) return buffer.error();
        start = *buffer;
        std::memcpy(memory.bytes(start).data(), bytes.data(), bytes.size());
        return Nothing{};
    }

    // The reference, or a mistake, into the output buffer. A gather reads what was there before; a scatter adds to it.
    // `only`: of a gather, these elements alone, at the buffer's start.
    Status leave(const std::string& kernel, ReferenceForm form, const int* tried,
                 std::optional<ElementRange> only = {}) {
        const std::uint64_t count = only                            ? only->count
                                    : form == ReferenceForm::gather ? values.elements[out()]
                                    : form == ReferenceForm::scatter
                                        ? static_cast<std::uint64_t>(number_of(problem.scatter_over, values))
                                        : 1;
        if (form == ReferenceForm::scatter && start < 0) memory.clear(buffers[out()]);
        if (form == ReferenceForm::scatter && start >= 0) put(out(), memory.bytes(start));
        std::vector<std::uint64_t> read = addresses;
        if (form == ReferenceForm::gather && start >= 0) read.back() = memory.buffer(start).address;
        if (count == 0) return Nothing{};
        ParameterBytes parameters{addresses[out()], only ? only->first : 0, count};
        add_arguments(parameters, read);
        if (tried) parameters.add(static_cast<std::uint64_t>(*tried), 4);
        vgpu::Launch call = over_elements(kernel, count, parameters.take());
        if (form == ReferenceForm::sequential) call.block = {1, 1, 1};
        return launch(call, form == ReferenceForm::sequential);
    }

    void put(std::size_t b, std::span<const std::byte> bytes) {
        if (!bytes.empty()) std::memcpy(memory.bytes(buffers[b]).data(), bytes.data(), bytes.size());
    }
    std::vector<std::byte> take(std::size_t b) {
        const auto bytes = memory.bytes(buffers[b]);
        return {bytes.begin(), bytes.end()};
    }
};

}  // namespace warpgrade
