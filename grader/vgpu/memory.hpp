// Device memory of the virtual GPU.
//
// Theory of operation. Buffers live in one 64-bit device address space, each at a multiple of 256 bytes as cudaMalloc
// gives them, or of more if asked, far enough apart that a stray index lands between buffers, never inside another one.
// Every access is checked against its buffer, so the gaps are red zones of any width. Each 4-byte word of a buffer has
// a 32-bit shadow: the low 4 bits say which of its bytes were written, the rest which block of which launch wrote it
// last (race checks). Addresses of freed buffers are never used again.
//
// A buffer may say what it holds instead of being filled: its contents come piece by piece, as they are touched. That
// is how a few blocks of a launch on gigabytes run in milliseconds, on the contents that all of it would run on. Its
// pages are locked until something near by is touched: to the system, and to a limit on memory, the rest is not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "vgpu/range.hpp"

namespace warpgrade::vgpu {

// Who may touch a buffer: what is launched, what launches, or both (managed and page-locked memory).
enum class Reach : std::uint8_t { launches, host, both };

struct BufferSpec {
    std::string name;  // in the learner's terms: "in", "out", "scratch"
    std::uint64_t bytes = 0;
    int element_bytes = 4;
    bool is_read_only = false;       // a store into it is a finding (write_to_input)
    bool is_written = false;         // contents count as written from the start
    std::uint64_t offset_bytes = 0;  // start this far past a 256-byte boundary (misaligned-base tests)
    std::uint64_t align_bytes = 1;   // that boundary, if it is to be more than 256: a power of two
    // What it holds from byte `first` on, before anything is stored. Runs on such a buffer take one host thread.
    std::function<void(std::uint64_t first, std::span<std::byte> piece)> contents{};
    Reach reach = Reach::launches;
};

struct Buffer {
    BufferSpec spec;
    std::uint64_t address = 0;        // device address of byte 0
    std::byte* data = nullptr;        // host address of byte 0
    std::uint32_t* shadow = nullptr;  // one word for each aligned 4 bytes of device memory; null until first needed
    bool is_freed = false;
    std::vector<unsigned char> is_there;  // by piece, where spec.contents is set
    std::vector<std::uint32_t> pieces;    // those that are there, in the order in which they came
    std::vector<unsigned char> is_open;   // by part of its pages, where spec.contents is set: what may be touched

    bool holds(std::uint64_t first, std::uint64_t count) const {
        return inside(first, count, address, address + spec.bytes);
    }
};

class Memory {
public:
    // Large pages are for buffers that are used all over, small ones for those of which little is touched.
    enum class Pages { large, small };
    explicit Memory(std::uint64_t budget_bytes = std::uint64_t{12} << 30, Pages pages = Pages::large);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // Error: over the memory budget (blame host).
    Result<int> allocate(const BufferSpec& spec);  // index of the buffer; contents zero
    void release(int buffer);                      // later accesses are findings
    void release_all();

    const Buffer& buffer(int index) const { return buffers_[static_cast<std::size_t>(index)]; }
    int count() const { return static_cast<int>(buffers_.size()); }
    std::span<std::byte> bytes(int buffer);
    template <class T>
    std::span<T> view(int buffer) {
        const auto all = bytes(buffer);
        return {reinterpret_cast<T*>(all.data()), all.size() / sizeof(T)};
    }
    // Fills with a 4-byte pattern and marks every byte as not written.
    void poison(int buffer, std::uint32_t pattern);
    // cudaMemset of a range inside the buffer: what it holds counts as written, by no block.
    void fill(int buffer, std::uint64_t address, std::uint64_t bytes, int value);
    // What has found the buffer before does not notice (Session::HostReply::has_released).
    void set_reach(int buffer, Reach reach) { buffers_[static_cast<std::size_t>(buffer)].spec.reach = reach; }
    // Makes every byte zero, without touching pages that were not touched before.
    void clear(int buffer);
    // True if every byte in [first, first + count) was written since the last poison.
    bool is_written(int buffer, std::uint64_t first, std::uint64_t count) const;
    // Index of the buffer that holds the address, or -1; and of the nearest one, for messages.
    int find(std::uint64_t address) const;
    int find_nearest(std::uint64_t address) const;
    // Of a buffer with contents, a range inside it: makes sure that it is there.
    void provide(int buffer, std::uint64_t address, std::uint64_t bytes);
    static constexpr std::uint64_t piece_bytes = 1024;
    std::uint64_t used_bytes() const { return used_bytes_; }  // with shadows

    // For the interpreter.
    void ensure_shadow(int buffer);
    // Tags of blocks may begin again: shadows forget which block wrote what, and not that it was written.
    void forget_tags();
    std::uint32_t next_tag = 1;  // of blocks, over all launches on this memory

private:
    static void open(Buffer& buffer, std::uint64_t first, std::uint64_t last);

    std::vector<Buffer> buffers_;
    std::uint64_t next_address_;
    std::uint64_t used_bytes_ = 0;
    std::uint64_t budget_bytes_;
    Pages pages_;
};

}  // namespace warpgrade::vgpu
