// A card as a Device: the plan comes from the virtual GPU's interpretation of the launcher, and is replayed on the card
// with our buffers, each between red zones.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "device/card_program.hpp"

namespace warpgrade {
namespace {

constexpr std::uint64_t zone_bytes = 1 << 16;     // each side: 16384 floats, a row of most matrices
constexpr std::uint32_t zone_word = 0xFFA5C3E1u;  // a NaN

struct CardBuffer {
    vgpu::BufferSpec spec;
    std::uint64_t block = 0;  // the allocation; the buffer starts zone_bytes + spec.offset_bytes behind
    std::vector<std::byte> host;
    std::uint32_t poison = 0;
    std::uint64_t address() const { return block + zone_bytes + spec.offset_bytes; }
    std::uint64_t block_bytes() const { return (zone_bytes * 2 + spec.offset_bytes + spec.bytes + 3) / 4 * 4; }
};

class CudaProgram final : public DeviceProgram {
public:
    CudaProgram(Card& card, std::unique_ptr<CardProgram> program, double most_seconds)
        : card_(card), program_(std::move(program)), most_seconds_(most_seconds) {}
    ~CudaProgram() override {
        if (program_->is_current()) free_buffers();
    }

    Result<int> allocate(const vgpu::BufferSpec& spec) override {
        if (auto status = ensure_loaded(); !status) return status.error();
        CardBuffer buffer;
        buffer.spec = spec;
        const auto block = card_.allocate(buffer.block_bytes());
        if (!block) return block.error();
        buffer.block = *block;
        buffer.host.resize(spec.bytes);
        if (auto status = send(buffer); !status) return status.error();
        buffers_.push_back(std::move(buffer));
        return static_cast<int>(buffers_.size()) - 1;
    }
    void release_all() override {
        if (program_->is_current()) {
            free_buffers();
            (void)card_.reload(program_->module());  // a failure shows at the next request, which can report it
        }
        buffers_.clear();
    }
    std::uint64_t address(int buffer) const override { return at(buffer).address(); }
    std::span<std::byte> bytes(int buffer) override { return at(buffer).host; }
    Status upload(int buffer) override {
        at(buffer).poison = 0;
        return send(at(buffer));
    }
    Status download(int buffer) override {
        CardBuffer& b = at(buffer);
        if (b.host.empty() || !is_valid_) return Nothing{};
        auto bytes = card_.read(b.address(), b.host.size());
        if (!bytes) return bytes.error();
        std::memcpy(b.host.data(), bytes->data(), bytes->size());
        return Nothing{};
    }
    void poison(int buffer, std::uint32_t pattern) override {
        CardBuffer& b = at(buffer);
        b.poison = pattern;
        for (std::size_t i = 0; i < b.host.size(); ++i) b.host[i] = byte_of(pattern, i);
        (void)send(b);  // a failure shows at the next request
    }
    // The card keeps no record: bytes that still hold the poison were not written. No right answer holds it.
    bool is_written(int buffer, std::uint64_t first, std::uint64_t count) const override {
        const CardBuffer& b = at(buffer);
        if (b.poison == 0) return true;
        for (std::uint64_t i = first; i < first + count; ++i)
            if (b.host[i] != byte_of(b.poison, i)) return true;
        return count == 0;
    }
    Result<LaunchPlan> plan(const std::string& launcher, std::span<const std::vector<std::byte>> arguments,
                            const vgpu::Limits&) override {
        return program_->plan(launcher, arguments);
    }
    Result<DeviceRun> run(const std::string& launcher, std::span<const std::vector<std::byte>> arguments,
                          const vgpu::RunOptions& options) override;

private:
    CardBuffer& at(int buffer) { return buffers_.at(static_cast<std::size_t>(buffer)); }
    const CardBuffer& at(int buffer) const { return buffers_.at(static_cast<std::size_t>(buffer)); }
    static std::byte byte_of(std::uint32_t pattern, std::size_t i) {
        return static_cast<std::byte>(pattern >> (8 * (i % 4)) & 0xFF);
    }
    // The contents with fresh red zones around them, in one transfer.
    Status send(const CardBuffer& b) {
        std::vector<std::byte> all(b.block_bytes());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = byte_of(zone_word, i);
        std::copy(b.host.begin(), b.host.end(), all.begin() + static_cast<std::ptrdiff_t>(b.address() - b.block));
        return card_.write(b.block, all);
    }
    Status ensure_loaded() {
        const auto is_new = program_->ensure_loaded();
        if (!is_new) return is_new.error();
        if (*is_new) buffers_.clear();
        return Nothing{};
    }
    void free_buffers() {
        for (const CardBuffer& b : buffers_) (void)card_.free(b.block);
    }
    Result<std::string> look_at_zones();

    Card& card_;
    std::unique_ptr<CardProgram> program_;
    std::vector<CardBuffer> buffers_;
    bool is_valid_ = false;
    double most_seconds_, seconds_spent_ = 0;
};

Result<std::string> CudaProgram::look_at_zones() {
    for (const CardBuffer& b : buffers_) {
        const std::uint64_t start = b.address() - b.block, end = start + b.spec.bytes;
        for (const auto& [first, last] : {std::pair{std::uint64_t{0}, start}, std::pair{end, b.block_bytes()}}) {
            auto zone = card_.read(b.block + first, last - first);
            if (!zone) return zone.error();
            for (std::uint64_t i = 0; i < zone->size(); ++i) {
                if (static_cast<std::byte>((*zone)[i]) == byte_of(zone_word, first + i)) continue;
                return first == 0 ? fmt::format("a write {} bytes before the start of `{}`", start - i, b.spec.name)
                                  : fmt::format("a write {} bytes past the end of `{}`", i, b.spec.name);
            }
        }
    }
    return std::string();
}

Result<DeviceRun> CudaProgram::run(const std::string& launcher, std::span<const std::vector<std::byte>> arguments,
                                   const vgpu::RunOptions&) {
    auto plan = program_->plan(launcher, arguments);
    if (!plan) return plan.error();
    DeviceRun run;
    run.plan = std::move(*plan);
    run.result.findings = run.plan.findings;
    run.result.output = run.plan.output;
    if (!run.plan.findings.empty()) return run;
    const std::vector<cuda::Command> commands = commands_of(run.plan, program_->module());
    const double left = std::max(most_seconds_ - seconds_spent_, 0.01), allowed = seconds_for(commands.size());
    const auto start = std::chrono::steady_clock::now();
    auto done = card_.run(commands, std::min(left, allowed));
    if (!done) return done.error();
    seconds_spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    is_valid_ = !done->fault;
    if (done->fault) {
        run.is_device_timeout = done->fault->is_timeout;
        run.device_error = run.is_device_timeout && left < allowed
                               ? fmt::format("the kernels of all shapes did not end within {} s", most_seconds_)
                               : done->fault->text();
        return run;
    }
    auto zones = look_at_zones();
    if (!zones) return zones.error();
    run.device_error = *zones;
    run.is_valid = run.device_error.empty();
    return run;
}

class CudaDevice final : public Device {
public:
    CudaDevice(Card& card, double most_seconds) : card_(card), most_seconds_(most_seconds) {}
    DeviceInfo info() const override { return {"cuda", card_.facts().name, card_.facts().free_bytes, card_.limits()}; }
    Result<std::unique_ptr<DeviceProgram>> load(std::string_view text, std::string_view source_file) override {
        auto program = CardProgram::load(card_, text, source_file);
        if (!program) return program.error();
        return std::unique_ptr<DeviceProgram>(std::make_unique<CudaProgram>(card_, std::move(*program), most_seconds_));
    }

private:
    Card& card_;
    double most_seconds_;
};

}  // namespace

double seconds_for(std::size_t launches) {
    constexpr double launch_seconds = 5, plan_seconds = 20;
    return std::min(launch_seconds * static_cast<double>(std::max<std::size_t>(launches, 1)), plan_seconds);
}

std::vector<cuda::Command> commands_of(const LaunchPlan& plan, int module) {
    std::vector<cuda::Command> commands;
    for (const PlannedStep& step : plan.steps) {
        cuda::Command command;
        if (const auto* planned = std::get_if<PlannedLaunch>(&step)) {
            command.kind = cuda::Command::Kind::launch;
            command.module = module;
            command.kernel = planned->launch.kernel;
            command.grid = planned->launch.grid;
            command.block = planned->launch.block;
            command.cluster = planned->launch.cluster;
            command.shared_bytes = planned->launch.dynamic_shared_bytes;
            command.parameters = planned->launch.parameters;
        } else {
            const auto& fill = std::get<PlannedMemset>(step);
            if (fill.bytes == 0) continue;
            command.kind = cuda::Command::Kind::fill_byte;
            command.address = fill.address;
            command.count = fill.bytes;
            command.value = static_cast<std::uint32_t>(fill.value) & 0xFF;
        }
        commands.push_back(std::move(command));
    }
    return commands;
}

std::unique_ptr<Device> make_cuda_device(Card& card, double most_seconds) {
    return std::make_unique<CudaDevice>(card, most_seconds);
}

}  // namespace warpgrade
