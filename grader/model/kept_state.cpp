#include "model/kept_state.hpp"

#include <algorithm>
#include <cstring>

namespace warpgrade {

namespace {

constexpr std::uint64_t most_bytes = 8 << 20;

std::uint64_t piece_end(const vgpu::Buffer& buffer, std::uint64_t from) {
    return std::min(from + vgpu::Memory::piece_bytes, buffer.spec.bytes);
}

}  // namespace

std::optional<KeptState> KeptState::of(const vgpu::Memory& memory) {
    KeptState state;
    std::uint64_t all = 0;
    for (int b = 0; b < memory.count(); ++b) {
        const vgpu::Buffer& buffer = memory.buffer(b);
        if (buffer.is_freed || buffer.spec.is_read_only || buffer.data == nullptr) continue;
        Kept kept{b, {}, {}};
        const auto keep = [&](std::uint64_t from, std::uint64_t to) {
            kept.bytes.insert(kept.bytes.end(), buffer.data + from, buffer.data + to);
        };
        all += buffer.spec.contents ? buffer.pieces.size() * vgpu::Memory::piece_bytes : buffer.spec.bytes;
        if (all > most_bytes) return std::nullopt;
        if (buffer.spec.contents) {
            kept.pieces = buffer.pieces;
            for (const std::uint32_t piece : kept.pieces) {
                const std::uint64_t from = piece * vgpu::Memory::piece_bytes;
                keep(from, piece_end(buffer, from));
            }
        } else {
            keep(0, buffer.spec.bytes);
        }
        state.all_.push_back(std::move(kept));
    }
    return state;
}

void KeptState::restore(vgpu::Memory& memory) const {
    for (const Kept& kept : all_) {
        const vgpu::Buffer& buffer = memory.buffer(kept.buffer);
        if (!buffer.spec.contents) {
            std::copy(kept.bytes.begin(), kept.bytes.end(), buffer.data);
            continue;
        }
        // Pieces come in order and stay: those behind the ones that are kept came since.
        const std::byte* from = kept.bytes.data();
        for (std::size_t i = 0; i < buffer.pieces.size(); ++i) {
            const std::uint64_t first = buffer.pieces[i] * vgpu::Memory::piece_bytes;
            const std::uint64_t count = piece_end(buffer, first) - first;
            if (i < kept.pieces.size()) {
                std::memcpy(buffer.data + first, from, count);
                from += count;
            } else {
                buffer.spec.contents(first, {buffer.data + first, count});
            }
        }
    }
}

}  // namespace warpgrade
