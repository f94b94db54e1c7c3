// Memory of the host: malloc and its like.
//
// Theory of operation. A block is a buffer of its own, in which each access is checked. Those that come once there are
// thousands of buffers lie side by side in large ones, in sizes that are used again: to leave such a block is not seen.
//
// Before each block there are some bytes more: NVRTC's `new T[n]` keeps the number of elements there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/source_names.hpp"
#include "vgpu/memory.hpp"

namespace warpgrade::host {

class Heap {
public:
    static constexpr std::uint64_t bytes_before = 16;
    static constexpr const char* unnamed = "host memory";
    explicit Heap(vgpu::Memory& memory) : memory_(memory) {}

    // 0: there is not so much. `name`: of the memory, for messages.
    std::uint64_t allocate(std::uint64_t bytes, int line, const NamedMemory& name);
    enum class Freed { block, buffer, twice, unknown };
    Freed release(std::uint64_t address, int line);
    std::optional<std::uint64_t> size_of(std::uint64_t address) const;

    struct Place {
        int line = 0, freed_line = 0, column = 0;
        std::string freed_by;  // NamedMemory's
    };
    // Of a buffer of its own.
    const Place* place_of(int buffer) const;
    const std::map<int, Place>& places() const { return places_; }

private:
    struct Block {
        std::uint64_t bytes = 0;
        int buffer = -1;  // its own; -1: a part of a large one
        bool is_freed = false;
    };
    std::uint64_t allocate_part(std::uint64_t bytes);

    vgpu::Memory& memory_;
    std::unordered_map<std::uint64_t, Block> blocks_;                     // by address
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> free_;  // by size
    std::map<int, Place> places_;
    std::uint64_t next_ = 0, end_ = 0;  // of the large buffer that is filled now
    int buffers_ = 0, live_buffers_ = 0;
};

}  // namespace warpgrade::host
