// What printf makes of its format and its arguments, where both lie in the virtual GPU's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace warpgrade::vgpu {

// At most `most` bytes from an address on, those that are there.
using BytesAt = std::function<std::span<const std::byte>(std::uint64_t address, std::uint64_t most)>;

// A text that ends with a NUL, cut at `most` bytes; "(null)" where nothing is.
std::string text_at(const BytesAt& bytes_at, std::uint64_t address, std::uint64_t most);

// `arguments`: where they lie one after the other, each at a multiple of its size. At most `most` bytes, and a little
// more; of each `%s` at most `longest_text`.
std::string printed(const BytesAt& bytes_at, std::string_view pattern, std::uint64_t arguments, std::uint64_t most,
                    std::uint64_t longest_text);

}  // namespace warpgrade::vgpu
