// Buffers in this process's memory, behind the face of a device: for outputs that no kernel has stored. Nothing runs.
#pragma once

#include <vector>

#include "device/device.hpp"

namespace warpgrade {

class HostProgram final : public DeviceProgram {
public:
    Result<int> allocate(const vgpu::BufferSpec& spec) override;
    void release_all() override { buffers_.clear(); }
    std::uint64_t address(int buffer) const override { return static_cast<std::uint64_t>(buffer + 1) << 40; }
    std::span<std::byte> bytes(int buffer) override { return at(buffer).bytes; }
    Status upload(int) override { return Nothing{}; }
    Status download(int) override { return Nothing{}; }
    void poison(int buffer, std::uint32_t pattern) override;
    bool is_written(int buffer, std::uint64_t first, std::uint64_t count) const override;
    Result<LaunchPlan> plan(const std::string&, std::span<const std::vector<std::byte>>, const vgpu::Limits&) override;
    Result<DeviceRun> run(const std::string&, std::span<const std::vector<std::byte>>,
                          const vgpu::RunOptions&) override;

    // As a kernel would: these bytes count as written.
    void store(int buffer, std::uint64_t first, std::span<const std::byte> bytes);

private:
    struct Buffer {
        std::vector<std::byte> bytes;
        std::vector<bool> is_written;
    };
    Buffer& at(int buffer) { return buffers_.at(static_cast<std::size_t>(buffer)); }
    std::vector<Buffer> buffers_;
};

}  // namespace warpgrade
