#include "problem/host_program.hpp"

#include <algorithm>
#include <stdexcept>

#include "problem/pattern.hpp"

namespace warpgrade {

Result<int> HostProgram::allocate(const vgpu::BufferSpec& spec) {
    buffers_.push_back({std::vector<std::byte>(spec.bytes), std::vector<bool>(spec.bytes, spec.is_written)});
    return static_cast<int>(buffers_.size()) - 1;
}

void HostProgram::poison(int buffer, std::uint32_t pattern) {
    fill_with(pattern, 0, at(buffer).bytes);
    at(buffer).is_written.assign(at(buffer).bytes.size(), false);
}

bool HostProgram::is_written(int buffer, std::uint64_t first, std::uint64_t count) const {
    const auto& written = buffers_.at(static_cast<std::size_t>(buffer)).is_written;
    const auto begin = written.begin() + static_cast<std::ptrdiff_t>(first);
    return std::find(begin, begin + static_cast<std::ptrdiff_t>(count), false) ==
           begin + static_cast<std::ptrdiff_t>(count);
}

void HostProgram::store(int buffer, std::uint64_t first, std::span<const std::byte> bytes) {
    Buffer& to = at(buffer);
    std::copy(bytes.begin(), bytes.end(), to.bytes.begin() + static_cast<std::ptrdiff_t>(first));
    std::fill_n(to.is_written.begin() + static_cast<std::ptrdiff_t>(first), bytes.size(), true);
}

Result<LaunchPlan> HostProgram::plan(const std::string&, std::span<const std::vector<std::byte>>, const vgpu::Limits&) {
    throw std::logic_error("nothing runs in the host's memory");
}

Result<DeviceRun> HostProgram::run(const std::string&, std::span<const std::vector<std::byte>>,
                                   const vgpu::RunOptions&) {
    throw std::logic_error("nothing runs in the host's memory");
}

}  // namespace warpgrade
