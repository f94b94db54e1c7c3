#include "problem/pattern.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace warpgrade {

namespace {

std::string print_number(double value, double other, bool has_other, int exact_digits) {
    const std::string brief = fmt::format("{:.6g}", value);
    if (has_other && brief == fmt::format("{:.6g}", other)) return fmt::format("{:.{}g}", value, exact_digits);
    return brief;
}

template <class T>
std::string print_as(const std::byte* bytes, const std::byte* other, int exact_digits) {
    return print_number(read_as<T>(bytes), other ? read_as<T>(other) : 0, other != nullptr, exact_digits);
}

}  // namespace

std::optional<ElementType> element_type_named(std::string_view name) {
    if (name == "unsigned char" || name == "uchar" || name == "uint8_t") return ElementType::u8;
    if (name == "unsigned short" || name == "ushort" || name == "uint16_t") return ElementType::u16;
    if (name == "float") return ElementType::f32;
    if (name == "double") return ElementType::f64;
    if (name == "float4") return ElementType::f32x4;
    return std::nullopt;
}

int size_bytes(ElementType type) {
    switch (type) {
        case ElementType::u8: return 1;
        case ElementType::u16: return 2;
        case ElementType::f32: return 4;
        case ElementType::f64: return 8;
        case ElementType::f32x4: return 16;
    }
    return 0;
}

Pattern::Pattern(ElementType type, std::uint64_t seed, bool has_special_values)
    : type_(type),
      before_(static_cast<std::uint32_t>(hash_of(seed, 1)) & pattern_detail::mask),
      after_(static_cast<std::uint32_t>(hash_of(seed, 2)) & pattern_detail::mask),
      has_special_values_(has_special_values) {}

ElementBytes Pattern::element(std::uint64_t index) const {
    ElementBytes bytes{};
    with_maker([&](auto make) {
        const auto word = make(index);
        std::memcpy(bytes.data(), &word, sizeof word);
        return 0;
    });
    return bytes;
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && (defined(__clang__) || __GNUC__ >= 12)
[[gnu::target_clones("arch=x86-64-v4", "avx2", "default")]]
#endif
void Pattern::fill_floats(std::span<std::byte> buffer, std::uint64_t first) const {
    for (std::uint64_t i = 0; i < buffer.size() / sizeof(float); ++i) {
        const std::uint32_t word = float_bits(first + i);
        std::memcpy(buffer.data() + i * sizeof word, &word, sizeof word);
    }
}

void Pattern::fill(std::span<std::byte> buffer, std::uint64_t first) const {
    if (type_ == ElementType::f32 && !has_special_values_) return fill_floats(buffer, first);
    with_maker([&](auto make) {
        using Word = decltype(make(0));
        for (std::uint64_t i = 0; i < buffer.size() / sizeof(Word); ++i) {
            const Word word = make(first + i);
            std::memcpy(buffer.data() + i * sizeof word, &word, sizeof word);
        }
        return 0;
    });
}

std::optional<std::uint64_t> Pattern::first_difference(std::span<const std::byte> buffer) const {
    return with_maker([&](auto make) -> std::optional<std::uint64_t> {
        using Word = decltype(make(0));
        for (std::uint64_t i = 0; i < buffer.size() / sizeof(Word); ++i) {
            Word found;
            std::memcpy(&found, buffer.data() + i * sizeof found, sizeof found);
            if (!(found == make(i))) return i;
        }
        return std::nullopt;
    });
}

void fill_with(std::uint32_t word, std::uint64_t first, std::span<std::byte> bytes) {
    word = std::rotr(word, static_cast<int>(8 * (first % sizeof word)));
    std::size_t i = 0;
    for (; i + sizeof word <= bytes.size(); i += sizeof word) std::memcpy(bytes.data() + i, &word, sizeof word);
    std::memcpy(bytes.data() + i, &word, bytes.size() - i);
}

std::string print_element(ElementType type, const std::byte* bytes, const std::byte* other) {
    switch (type) {
        case ElementType::u8: return fmt::format("{}", static_cast<unsigned>(bytes[0]));
        case ElementType::u16: return fmt::format("{}", read_as<std::uint16_t>(bytes));
        case ElementType::f32: return print_as<float>(bytes, other, 9);
        case ElementType::f64: return print_as<double>(bytes, other, 17);
        case ElementType::f32x4: break;
    }
    std::string text = "(";
    for (int i = 0; i < 4; ++i)
        text += (i ? ", " : "") + print_as<float>(bytes + 4 * i, other ? other + 4 * i : nullptr, 9);
    return text + ")";
}

}  // namespace warpgrade
