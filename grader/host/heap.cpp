#include "host/heap.hpp"

#include <algorithm>
#include <bit>

namespace warpgrade::host {

namespace {

constexpr std::uint64_t most_of_unit_sizes = 1024, part_bytes = std::uint64_t{16} << 20;
constexpr int most_buffers = 20'000, most_live_buffers = 4'000;
constexpr std::size_t most_blocks = 4'000'000;

std::uint64_t size_class(std::uint64_t bytes) {
    constexpr std::uint64_t unit = 16;
    return bytes <= most_of_unit_sizes ? (std::max<std::uint64_t>(bytes, 1) + unit - 1) / unit * unit
                                       : std::bit_ceil(bytes);
}

}  // namespace

std::uint64_t Heap::allocate(std::uint64_t bytes, int line, const NamedMemory& name) {
    if (bytes > std::uint64_t{1} << 40 || blocks_.size() >= most_blocks) return 0;
    if (buffers_ >= most_buffers || live_buffers_ >= most_live_buffers) {
        const std::uint64_t address = allocate_part(bytes);
        if (address != 0) blocks_[address] = {bytes, -1, false};
        return address;
    }
    vgpu::BufferSpec spec;
    spec.name = name.name.empty() ? unnamed : name.name;
    spec.bytes = bytes + bytes_before;
    spec.element_bytes = name.element_bytes;
    spec.is_written = true;
    spec.reach = vgpu::Reach::host;
    const auto buffer = memory_.allocate(spec);
    if (!buffer) return 0;
    ++buffers_;
    ++live_buffers_;
    places_[*buffer] = {line, 0, name.column, name.freed_by};
    const std::uint64_t address = memory_.buffer(*buffer).address + bytes_before;
    blocks_[address] = {bytes, *buffer, false};
    return address;
}

std::uint64_t Heap::allocate_part(std::uint64_t bytes) {
    const std::uint64_t size = size_class(bytes + bytes_before);
    if (auto& same = free_[size]; !same.empty()) {
        const std::uint64_t address = same.back();
        same.pop_back();
        return address;
    }
    if (end_ - next_ < size) {
        vgpu::BufferSpec spec;
        spec.name = unnamed;
        spec.bytes = std::max(part_bytes, size);
        spec.element_bytes = 1;
        spec.is_written = true;
        spec.reach = vgpu::Reach::host;
        const auto buffer = memory_.allocate(spec);
        if (!buffer) return 0;
        next_ = memory_.buffer(*buffer).address;
        end_ = next_ + spec.bytes;
    }
    const std::uint64_t address = next_ + bytes_before;
    next_ += size;
    return address;
}

Heap::Freed Heap::release(std::uint64_t address, int line) {
    const auto found = blocks_.find(address);
    if (found == blocks_.end()) return Freed::unknown;
    Block& block = found->second;
    if (block.is_freed) return Freed::twice;
    block.is_freed = true;
    if (block.buffer < 0) {
        free_[size_class(block.bytes + bytes_before)].push_back(address);
        return Freed::block;
    }
    memory_.release(block.buffer);
    --live_buffers_;
    places_[block.buffer].freed_line = line;
    return Freed::buffer;
}

std::optional<std::uint64_t> Heap::size_of(std::uint64_t address) const {
    const auto found = blocks_.find(address);
    if (found == blocks_.end() || found->second.is_freed) return std::nullopt;
    return found->second.bytes;
}

const Heap::Place* Heap::place_of(int buffer) const {
    const auto found = places_.find(buffer);
    return found == places_.end() ? nullptr : &found->second;
}

}  // namespace warpgrade::host
