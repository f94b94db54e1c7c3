#include "run/placeholder_buffers.hpp"

namespace warpgrade {

Result<std::vector<std::uint64_t>> allocate_placeholders(DeviceProgram& program, const Problem& problem,
                                                         const Shape& shape) {
    program.release_all();
    std::vector<std::uint64_t> addresses;
    for (vgpu::BufferSpec spec : problem.buffers(shape)) {
        spec.bytes = 256;
        const auto buffer = program.allocate(spec);
        if (!buffer) return buffer.error();
        addresses.push_back(program.address(*buffer));
    }
    return addresses;
}

}  // namespace warpgrade
