// SHA-256 (FIPS 180-4): names cache entries and submissions by content.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade {

class Sha256 {
public:
    void add(std::string_view bytes);
    // Length-prefixed, so that add_field("ab"), add_field("c") differs from add_field("a"), add_field("bc").
    void add_field(std::string_view bytes);
    // 64 lower-case hexadecimal digits. The object is spent afterwards.
    std::string hex();

private:
    void compress(const unsigned char* block);

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> pending_{};
    std::size_t pending_bytes_ = 0;
    std::uint64_t total_bytes_ = 0;
};

std::string sha256_hex(std::string_view bytes);

}  // namespace warpgrade
