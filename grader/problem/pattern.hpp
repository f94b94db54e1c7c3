// Contents of the input: element i of a buffer as a function of i and a seed.
//
// Theory of operation. Index -> 27 bits, one to one for indices below 2^27, so that no two elements of a matrix are
// alike and the element a wrong value came from can be found again. The 27 bits are the sign, 3 bits of
// exponent and the mantissa of a finite float with 0.5 <= |x| < 128: printable, never NaN, never zero, and every bit of
// the mantissa counts in a bitwise comparison. Other types are made of the same 27 bits; types of 1 and 2 bytes keep
// the low ones and repeat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpgrade {

template <class T>
T read_as(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

enum class ElementType : std::uint8_t { u8, u16, f32, f64, f32x4 };

// "unsigned char", "unsigned short", "float", "double", "float4", and the usual aliases (uchar, uint8_t ...).
std::optional<ElementType> element_type_named(std::string_view name);
int size_bytes(ElementType type);

using ElementBytes = std::array<std::byte, 16>;  // the first size_bytes(type) of them

class Pattern {
public:
    // With special values, five of eight floats are 0 (the first one), -0, a NaN, an infinity and a denormal: a program
    // that takes one of them for a sign of its own is wrong. Other types have none.
    Pattern(ElementType type, std::uint64_t seed, bool has_special_values = false);

    ElementType type() const { return type_; }
    // What element `index` is made of.
    std::uint32_t word(std::uint64_t index) const { return mixed(index); }
    int element_bytes() const { return size_bytes(type_); }
    ElementBytes element(std::uint64_t index) const;
    // With the elements from index `first` on.
    void fill(std::span<std::byte> buffer, std::uint64_t first = 0) const;
    // Index of the first element that is not the pattern's, or nothing.
    std::optional<std::uint64_t> first_difference(std::span<const std::byte> buffer) const;

private:
    std::uint32_t mixed(std::uint64_t index) const;
    std::uint32_t float_bits(std::uint64_t index) const;
    // Most of what is timed: the machine takes its widest vectors.
    void fill_floats(std::span<std::byte> buffer, std::uint64_t first) const;
    std::uint64_t double_bits(std::uint64_t index) const;
    static std::optional<std::uint32_t> special_bits(std::uint64_t index);  // of a float
    template <class Use>
    auto with_maker(Use&& use) const;

    ElementType type_;
    std::uint32_t before_;
    std::uint32_t after_;
    bool has_special_values_;
};

// "17.25", "(1, 2, 3, 4)", "0xcd": the value as a learner would print it, exact enough to tell it from `other` (may be
// null).
std::string print_element(ElementType type, const std::byte* bytes, const std::byte* other = nullptr);

// Fills with a 4-byte word over and over; `first`: bytes of it that lie before.
void fill_with(std::uint32_t word, std::uint64_t first, std::span<std::byte> bytes);

// A 64-bit hash of two words (splitmix64's finaliser), for seeds of cases and for random shapes.
constexpr std::uint64_t hash_of(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = a + 0x9E3779B97F4A7C15u * (b + 1);
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

// ---- implementation of templates -------------------------------------------------------------------------------

namespace pattern_detail {
constexpr std::uint32_t mask = (1u << 27) - 1;
// Odd factors are invertible modulo 2^27; so is x ^= x >> k.
constexpr std::uint32_t factor_1 = 0x5A3C9E5 & mask;
constexpr std::uint32_t factor_2 = 0x2E6B1D3 & mask;

constexpr std::uint32_t mix(std::uint32_t x) {
    x = (x * factor_1) & mask;
    x ^= x >> 13;
    x = (x * factor_2) & mask;
    x ^= x >> 14;
    return x;
}
}  // namespace pattern_detail

inline std::uint32_t Pattern::mixed(std::uint64_t index) const {
    const auto low = static_cast<std::uint32_t>(index) & pattern_detail::mask;
    const auto high = static_cast<std::uint32_t>(index >> 27);
    // Past 2^27 elements the pattern repeats, turned by the high bits.
    return pattern_detail::mix(low ^ before_ ^ (high * 0x1F35B7u & pattern_detail::mask)) ^ after_;
}

inline std::uint32_t Pattern::float_bits(std::uint64_t index) const {
    const std::uint32_t bits = mixed(index);
    // Exponents 126 to 133: 0.5 to 128.
    return (bits >> 26) << 31 | (126u + (bits >> 23 & 7u)) << 23 | (bits & 0x7FFFFFu);
}

inline std::uint64_t Pattern::double_bits(std::uint64_t index) const {
    const std::uint64_t bits = mixed(index);
    // The low 29 bits of the mantissa are not zero, so that a value that went through a float shows.
    const std::uint64_t low = (bits * 0x9E3779B1u >> 3 & 0x1FFFFFFFu) | 1u;
    return (bits >> 26) << 63 | (1022u + (bits >> 23 & 7u)) << 52 | (bits & 0x7FFFFFu) << 29 | low;
}

inline std::optional<std::uint32_t> Pattern::special_bits(std::uint64_t index) {
    constexpr std::array<std::uint32_t, 5> bits{0u, 0x80000000u, 0x7FC12345u, 0x7F800000u, 1u};
    if (index % 8 >= bits.size()) return std::nullopt;
    return bits[index % 8];
}

template <class Use>
auto Pattern::with_maker(Use&& use) const {
    if (has_special_values_ && type_ == ElementType::f32)
        return use([this](std::uint64_t i) { return special_bits(i).value_or(float_bits(i)); });
    struct Quad {
        std::uint32_t word[4];
        bool operator==(const Quad&) const = default;
    };
    switch (type_) {
        case ElementType::u8: return use([this](std::uint64_t i) { return static_cast<std::uint8_t>(mixed(i)); });
        case ElementType::u16: return use([this](std::uint64_t i) { return static_cast<std::uint16_t>(mixed(i)); });
        case ElementType::f64: return use([this](std::uint64_t i) { return double_bits(i); });
        case ElementType::f32x4:
            return use([this](std::uint64_t i) {
                return Quad{{float_bits(4 * i), float_bits(4 * i + 1), float_bits(4 * i + 2), float_bits(4 * i + 3)}};
            });
        case ElementType::f32: break;
    }
    return use([this](std::uint64_t i) { return float_bits(i); });
}

}  // namespace warpgrade
