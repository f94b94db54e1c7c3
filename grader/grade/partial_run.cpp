#include "grade/partial_run.hpp"

#include <algorithm>

#include "base/confined.hpp"
#include "ptx/module.hpp"

namespace warpgrade {

namespace {

constexpr std::uint64_t most_of_a_block = 3'000'000;  // of warps

}  // namespace

Result<std::optional<PartialRun>> PartialRun::load(const Bench& bench, const std::string& ptx) {
    const auto module = ptx::parse(ptx);
    if (!module) return std::optional<PartialRun>();
    auto program = vgpu::load(*module, bench.path);
    if (!program) return std::optional<PartialRun>();
    return std::optional(PartialRun(bench, std::move(*program)));
}

Result<LaunchPlan> PartialRun::prepare(const Shape& shape, const LaunchLimits& limits,
                                       std::uint64_t most_output_bytes) {
    session_.reset();
    memory_ = std::make_unique<vgpu::Memory>(std::uint64_t{1} << 40, vgpu::Memory::Pages::small);
    auto session = vgpu::Session::open(program_, *memory_);
    if (!session) return session.error();
    session_ = std::move(*session);
    constexpr std::uint64_t most_kept_bytes = std::uint64_t{64} << 20;
    const Problem& problem = bench_->problem;
    const std::uint64_t seed = contents_seed(bench_->seed, shape);
    std::vector<vgpu::BufferSpec> specs = problem.buffers(shape);
    std::vector<std::uint64_t> addresses;
    for (std::size_t b = 0; b < specs.size(); ++b) {
        if (specs[b].is_read_only)
            specs[b].contents = [&problem, shape, seed, b](std::uint64_t first, std::span<std::byte> bytes) {
                problem.contents(shape, seed, b, first, bytes);
            };
        else if (specs[b].bytes > most_output_bytes)
            return LaunchPlan{};
        else if (specs[b].bytes > most_kept_bytes)
            specs[b].contents = [](std::uint64_t, std::span<std::byte> bytes) {
                std::fill(bytes.begin(), bytes.end(), std::byte{0});
            };
        specs[b].is_written = true;
        const auto buffer = memory_->allocate(specs[b]);
        if (!buffer) return buffer.error();
        addresses.push_back(memory_->buffer(*buffer).address);
        out_ = *buffer;
    }
    vgpu::Limits of_launcher;
    of_launcher.warp_instructions = std::uint64_t{1} << 20;
    of_launcher.is_time_over = &work_time_is_over();
    auto plan = record_plan(*session_, *program_, bench_->launchers.at(shape.type), problem.arguments(shape, addresses),
                            limits, of_launcher);
    if (plan && !plan->temporaries.empty()) return LaunchPlan{};  // what the blocks left out would store is not known
    return plan;
}

vgpu::RunResult PartialRun::run(const vgpu::Launch& launch, const std::vector<std::uint64_t>& blocks,
                                const LaunchLimits& limits) {
    vgpu::Sample sample;
    sample.is_traced = false;
    sample.blocks = blocks;
    vgpu::RunOptions options;
    options.threads = 1;
    options.check_races = false;
    options.sample = &sample;
    options.multiprocessors = limits.multiprocessors;
    options.limits.warp_instructions = most_of_a_block;
    options.limits.output_bytes = 0;
    options.limits.is_time_over = &work_time_is_over();
    return session_->run(launch, options);
}

bool PartialRun::set(const PlannedMemset& memset) {
    const int buffer = memory_->find(memset.address);
    if (buffer < 0 || !memory_->buffer(buffer).holds(memset.address, memset.bytes)) return false;
    memory_->fill(buffer, memset.address, memset.bytes, memset.value);
    return true;
}

std::span<const std::byte> PartialRun::output() { return memory_->bytes(out_); }

}  // namespace warpgrade
