// What is needed of memory and of registers, at a point of the backward pass (need_slice.cpp).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "vgpu/exec.hpp"
#include "vgpu/memory.hpp"
#include "vgpu/need_trace.hpp"

namespace warpgrade::vgpu {

// The addresses of an access by lane.
struct NeedLanes {
    std::array<std::uint64_t, 32> at;
    std::uint32_t mask = 0;
    bool is_row = false;  // lanes one after the other, whole words

    NeedLanes(const NeedLog& log, const NeedAccess& access) : mask(access.mask) {
        int k = 0;
        for (std::uint32_t m = mask; m != 0; m &= m - 1, ++k) {
            const std::int64_t offset = access.has_offsets != 0
                                            ? log.offsets[static_cast<std::size_t>(access.stride + k)]
                                            : std::int64_t{k} * access.stride;
            at[static_cast<std::size_t>(std::countr_zero(m))] = access.base + static_cast<std::uint64_t>(offset);
        }
    }
};

// Bytes of a word that an access of `bytes` at `address` touches, as bits; `word` counts from the access's first word.
inline std::uint8_t bytes_in_word(std::uint64_t address, std::uint32_t bytes, std::uint64_t word) {
    const std::uint64_t start = word * 4, first = address > start ? address - start : 0;
    const std::uint64_t end = address + bytes - start;
    return static_cast<std::uint8_t>((end >= 4 ? 0xFu : (1u << end) - 1) & (0xFu << first));
}

// Global memory: a half byte for each word of a buffer; of inputs, which launch loaded a word last.
class NeedGlobal {
public:
    NeedGlobal(const Memory& memory, const std::vector<int>& outputs) : memory_(memory) {
        needed_.resize(static_cast<std::size_t>(memory.count()));
        std::uint64_t most = 0;
        for (int i = 0; i < memory.count(); ++i) {
            const BufferSpec& spec = memory.buffer(i).spec;
            if (memory.buffer(i).is_freed || !spec.is_read_only || spec.bytes <= most) continue;
            most = spec.bytes;
            input_ = i;
        }
        if (input_ >= 0) loaded_.assign(words_of(input_), 0);
        for (const int output : outputs) needed_[static_cast<std::size_t>(output)].assign(words_of(output), 0xF);
    }
    void begin_launch() {
        ++launch_;
        input_words_ = 0;
    }
    std::uint64_t input_bytes() const { return 4 * input_words_; }  // loaded in this launch
    std::uint64_t all_input_bytes() const { return input_ < 0 ? 0 : memory_.buffer(input_).spec.bytes; }

    void load(std::uint64_t address, std::uint32_t bytes) {
        std::uint8_t* words = enter(address, bytes);
        if (buffer_ == input_ && input_ >= 0) {
            for (std::uint64_t w = word_of(address); w <= word_of(address + bytes - 1); ++w) {
                input_words_ += loaded_[w] != launch_ ? 1 : 0;
                loaded_[w] = launch_;
            }
            return;
        }
        if (words == nullptr) return;
        for (std::uint64_t w = word_of(address); w <= word_of(address + bytes - 1); ++w)
            words[w] |= bytes_in_word(address - base_, bytes, w);
    }
    // True if a byte of it is needed; from here on back it is not, if `overwrites`.
    bool store(std::uint64_t address, std::uint32_t bytes, bool overwrites) {
        std::uint8_t* words = enter(address, bytes);
        if (words == nullptr) return false;
        std::uint8_t any = 0;
        for (std::uint64_t w = word_of(address); w <= word_of(address + bytes - 1); ++w) {
            const std::uint8_t own = bytes_in_word(address - base_, bytes, w);
            any |= words[w] & own;
            if (overwrites) words[w] &= static_cast<std::uint8_t>(~own);
        }
        return any != 0;
    }

private:
    std::uint64_t words_of(int buffer) const { return (memory_.buffer(buffer).spec.bytes + 3) / 4 + 1; }
    // Words are counted from the last multiple of 4 before the buffer.
    std::uint64_t word_of(std::uint64_t address) const { return (address - base_) / 4; }
    std::uint8_t* enter(std::uint64_t address, std::uint32_t bytes) {
        if (address < low_ || address + bytes > high_) {
            buffer_ = memory_.find(address);
            if (buffer_ < 0 || !memory_.buffer(buffer_).holds(address, bytes)) {
                low_ = high_ = 0;
                buffer_ = -1;
                return nullptr;
            }
            const Buffer& b = memory_.buffer(buffer_);
            low_ = b.address;
            high_ = b.address + b.spec.bytes;
            base_ = low_ & ~std::uint64_t{3};
            auto& words = needed_[static_cast<std::size_t>(buffer_)];
            if (words.empty() && buffer_ != input_) words.assign(words_of(buffer_), 0);
        }
        auto& words = needed_[static_cast<std::size_t>(buffer_)];
        return words.empty() ? nullptr : words.data();
    }

    const Memory& memory_;
    std::vector<std::vector<std::uint8_t>> needed_;
    std::vector<std::uint32_t> loaded_;
    int input_ = -1, buffer_ = -1;
    std::uint32_t launch_ = 0;
    std::uint64_t input_words_ = 0, low_ = 0, high_ = 0, base_ = 0;
};

// Shared memory of one block, and which of its barriers order something. Barriers are numbered backwards, from 1.
class NeedShared {
public:
    void begin(std::uint32_t bytes) {
        words_.resize((bytes + 3) / 4 + 1);
        if (++block_ == 0) {
            words_.assign(words_.size(), Word{});
            block_ = 1;
        }
        passed = last_needed = 0;
    }
    struct Seen {
        bool is_needed = false;
        bool is_from_another = false;  // the load that needs it is another thread's
    };
    void load(std::uint64_t address, std::uint32_t bytes, std::uint32_t warp, std::uint32_t lane) {
        const std::uint32_t thread = warp << 5 | lane;
        for (std::uint64_t w = address / 4; w <= (address + bytes - 1) / 4 && w < words_.size(); ++w) {
            Word& word = at(w);
            word.needed |= bytes_in_word(address, bytes, w);
            if (word.read[0].thread != thread) word.read[1] = word.read[0];
            word.read[0] = {passed, thread};
            if (word.write.thread != thread && word.write.thread != nobody) order(word.write.barriers);
        }
    }
    Seen store(std::uint64_t address, std::uint32_t bytes, std::uint32_t warp, std::uint32_t lane, bool overwrites) {
        Seen seen;
        const std::uint32_t thread = warp << 5 | lane;
        for (std::uint64_t w = address / 4; w <= (address + bytes - 1) / 4 && w < words_.size(); ++w) {
            Word& word = at(w);
            const std::uint8_t own = bytes_in_word(address, bytes, w);
            if ((word.needed & own) == 0) continue;
            seen.is_needed = true;
            seen.is_from_another =
                seen.is_from_another || word.read[0].thread != thread || word.read[1].thread != nobody;
            for (const Access& read : word.read)
                if (read.thread != thread && read.thread != nobody) order(read.barriers);
            word.write = {passed, thread};
            if (!overwrites) continue;
            word.needed &= static_cast<std::uint8_t>(~own);
            if (word.needed == 0) word.read[0] = word.read[1] = {};
        }
        return seen;
    }

    std::uint32_t passed = 0;       // barriers so far
    std::uint32_t last_needed = 0;  // number of the last one that is needed

private:
    static constexpr std::uint32_t nobody = 0xFFFFFFFFu;
    struct Access {
        std::uint32_t barriers = 0, thread = nobody;
    };
    struct Word {
        std::uint32_t block = 0;
        std::uint8_t needed = 0;
        std::array<Access, 2> read;  // the next ones, of two threads
        Access write;                // the next one
    };
    Word& at(std::uint64_t index) {
        Word& word = words_[index];
        if (word.block != block_) {
            word = Word{};
            word.block = block_;
        }
        return word;
    }
    // One of the barriers after this access, up to that one which came after `later` barriers, has to be there.
    void order(std::uint32_t later) {
        if (later < passed && last_needed <= later) last_needed = passed;
    }

    std::vector<Word> words_;
    std::uint32_t block_ = 0;
};

// Needed so far, of one warp: lanes of each register, branch and parameter area.
struct WarpNeed {
    std::vector<std::uint32_t> registers, branches, areas, called;  // called: by function, lanes that did something
    std::vector<std::uint32_t> works;  // of `branches`, lanes for more than a copy of a value
    std::uint32_t local = 0;           // that load from local memory
    std::uint32_t lanes = 0;           // that do anything needed
    std::uint64_t barriers = 0;
};

struct BlockNeed {
    std::vector<WarpNeed> warps;
    NeedShared shared;
    std::uint32_t counted = 0;                           // number of the barrier that `arrived` is of
    std::vector<std::pair<int, std::uint64_t>> arrived;  // site, warps
    std::uint64_t needed_barriers = 0, at_last = 0;      // by warp; at_last: at the last one, if that is not needed
};

}  // namespace warpgrade::vgpu
