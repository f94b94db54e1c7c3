// A device for tests whose kernels are C++: run() calls a lambda with the buffers. Stores through Buffer::store are
// remembered as written, as the virtual GPU remembers them.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace warpgrade::test {

struct FakeBuffer {
    vgpu::BufferSpec spec;
    std::uint64_t address = 0;
    std::vector<std::byte> data;
    std::vector<bool> written;
};

class FakeProgram;

// What a fake kernel sees: arguments as the launcher gets them.
class FakeCall {
public:
    FakeCall(FakeProgram& program, std::span<const std::vector<std::byte>> arguments, DeviceRun& outcome)
        : run(outcome), program_(program), arguments_(arguments) {}

    template <class T>
    T value(std::size_t argument) const {
        T result{};
        std::memcpy(&result, arguments_[argument].data(), sizeof result);
        return result;
    }
    template <class T>
    T load(std::size_t argument, std::uint64_t index) const;
    template <class T>
    void store(std::size_t argument, std::uint64_t index, T value);

    // Notes a launch in the plan.
    void launch(vgpu::Dim3 grid, vgpu::Dim3 block, std::uint32_t shared_bytes = 0,
                const std::string& kernel = "kernel") {
        PlannedLaunch planned;
        planned.display_name = kernel;
        planned.launch.kernel = kernel;
        planned.launch.grid = grid;
        planned.launch.block = block;
        planned.launch.dynamic_shared_bytes = shared_bytes;
        run.plan.steps.push_back(planned);
    }

    DeviceRun& run;

private:
    FakeBuffer& buffer(std::size_t argument) const;
    FakeProgram& program_;
    std::span<const std::vector<std::byte>> arguments_;
};

using FakeKernel = std::function<void(FakeCall&)>;

class FakeProgram final : public DeviceProgram {
public:
    explicit FakeProgram(FakeKernel kernel) : kernel_(std::move(kernel)) {}

    Result<int> allocate(const vgpu::BufferSpec& spec) override {
        FakeBuffer buffer;
        buffer.spec = spec;
        buffer.address = next_address_ + spec.offset_bytes;
        buffer.data.resize(spec.bytes);
        buffer.written.assign(spec.bytes, spec.is_written);
        next_address_ += (spec.bytes + spec.offset_bytes + 0xFFFF) / 0x10000 * 0x10000 + 0x10000;
        buffers_.push_back(std::move(buffer));
        return static_cast<int>(buffers_.size()) - 1;
    }
    void release_all() override { buffers_.clear(); }
    std::uint64_t address(int buffer) const override { return at(buffer).address; }
    std::span<std::byte> bytes(int buffer) override { return buffers_[static_cast<std::size_t>(buffer)].data; }
    Status upload(int) override { return Nothing{}; }
    Status download(int) override { return Nothing{}; }
    void poison(int buffer, std::uint32_t pattern) override {
        FakeBuffer& b = buffers_[static_cast<std::size_t>(buffer)];
        for (std::size_t i = 0; i < b.data.size(); ++i)
            b.data[i] = static_cast<std::byte>(pattern >> 8 * (i % 4) & 0xFF);
        b.written.assign(b.data.size(), false);
    }
    bool is_written(int buffer, std::uint64_t first, std::uint64_t count) const override {
        const FakeBuffer& b = at(buffer);
        for (std::uint64_t i = first; i < first + count; ++i)
            if (!b.written[i]) return false;
        return true;
    }
    Result<LaunchPlan> plan(const std::string&, std::span<const std::vector<std::byte>>,
                            const vgpu::Limits& limits) override {
        ++plans;
        if (limits.budget != nullptr) limits.budget->spend(work_of_plan);
        return LaunchPlan{};
    }
    Result<DeviceRun> run(const std::string&, std::span<const std::vector<std::byte>> arguments,
                          const vgpu::RunOptions& options) override {
        last_options = options;
        DeviceRun run;
        FakeCall call(*this, arguments, run);
        kernel_(call);
        run.is_valid = true;
        return run;
    }

    FakeBuffer& at_address(std::uint64_t address) {
        for (FakeBuffer& buffer : buffers_)
            if (buffer.address == address) return buffer;
        throw std::logic_error("no buffer there");
    }
    vgpu::RunOptions last_options;
    int plans = 0;  // that were asked for
    std::uint64_t work_of_plan = 0;

private:
    const FakeBuffer& at(int buffer) const { return buffers_[static_cast<std::size_t>(buffer)]; }
    FakeKernel kernel_;
    std::vector<FakeBuffer> buffers_;
    std::uint64_t next_address_ = 0x10000;
};

inline FakeBuffer& FakeCall::buffer(std::size_t argument) const {
    return program_.at_address(value<std::uint64_t>(argument));
}

template <class T>
T FakeCall::load(std::size_t argument, std::uint64_t index) const {
    T result{};
    std::memcpy(&result, buffer(argument).data.data() + index * sizeof(T), sizeof(T));
    return result;
}

template <class T>
void FakeCall::store(std::size_t argument, std::uint64_t index, T value) {
    FakeBuffer& b = buffer(argument);
    if ((index + 1) * sizeof(T) > b.data.size()) return;  // a stray store lands in a red zone
    std::memcpy(b.data.data() + index * sizeof(T), &value, sizeof(T));
    for (std::size_t i = 0; i < sizeof(T); ++i) b.written[index * sizeof(T) + i] = true;
}

}  // namespace warpgrade::test
