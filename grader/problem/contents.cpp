#include "problem/contents.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "problem/pattern.hpp"
#include "problem/sum_input.hpp"

namespace warpgrade {

namespace {

using Quad = std::array<float, 4>;
template <class Element, class Number>
Element element_of(Number value) {
    if constexpr (std::is_same_v<Element, Quad>) {
        const auto part = static_cast<float>(value);
        return {part, part, part, part};
    } else {
        return static_cast<Element>(value);
    }
}

template <class Element, class Value>
void fill(std::uint64_t first, std::span<std::byte> bytes, Value&& value) {
    for (std::size_t i = 0; i < bytes.size() / sizeof(Element); ++i) {
        const Element element = element_of<Element>(value(first + i));
        std::memcpy(bytes.data() + i * sizeof element, &element, sizeof element);
    }
}

template <class Value>
void fill_type(std::string_view type, std::uint64_t first, std::span<std::byte> bytes, Value&& value) {
    if (type == "float") return fill<float>(first, bytes, value);
    if (type == "double") return fill<double>(first, bytes, value);
    if (type == "float4") return fill<Quad>(first, bytes, value);
    if (type == "unsigned char") return fill<std::uint8_t>(first, bytes, value);
    if (type == "unsigned short") return fill<std::uint16_t>(first, bytes, value);
    if (type == "int" || type == "unsigned int") return fill<std::uint32_t>(first, bytes, value);
    fill<std::uint64_t>(first, bytes, value);
}

}  // namespace

const KnownContents* contents_named(std::string_view name) {
    static constexpr std::array all{
        KnownContents{"pattern", false, true},      KnownContents{"special", false, false},
        KnownContents{"small", false, true},        KnownContents{"bytes", false, true},
        KnownContents{"sparse", false, true},       KnownContents{"zeros", false, true},
        KnownContents{"ones", false, true},         KnownContents{"index", false, true},
        KnownContents{"whole", true, true},         KnownContents{"fractions", true, false},
        KnownContents{"tenths", true, false},       KnownContents{"cancellation", true, false},
        KnownContents{"needle_first", true, false}, KnownContents{"needle_last", true, false},
        KnownContents{"needle_edge", true, false},  KnownContents{"nan", true, false},
        KnownContents{"infinity", true, false},     KnownContents{"halves", false, true},
    };
    const auto found = std::ranges::find_if(all, [&](const KnownContents& one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

bool fill_contents(std::string_view name, std::string_view type, std::uint64_t elements, std::uint64_t seed,
                   std::uint64_t first, std::span<std::byte> bytes) {
    const KnownContents* known = contents_named(name);
    if (!known) return false;
    if (known->is_for_sums) {
        SumInput(elements, seed, name)
            .fill({reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)}, first);
        return true;
    }
    if (name == "pattern" || name == "special") {
        const auto element = element_type_named(type);
        const Pattern pattern(element.value_or(ElementType::f32), seed, name == "special");
        if (element)
            pattern.fill(bytes, first);
        else
            fill_type(type, first, bytes, [&](std::uint64_t i) { return std::uint64_t{pattern.word(i)}; });
        return true;
    }
    const auto with = [&](auto&& value) { fill_type(type, first, bytes, value); };
    if (name == "small") with([&](std::uint64_t i) { return 1 + hash_of(seed, i) % 15; });
    if (name == "halves") with([&](std::uint64_t i) { return 0.5 * static_cast<double>(1 + hash_of(seed, i) % 15); });
    if (name == "bytes") with([&](std::uint64_t i) { return hash_of(seed, i) & 255; });
    if (name == "sparse") with([&](std::uint64_t i) { return std::uint64_t{hash_of(seed, i) % 64 == 0}; });
    if (name == "zeros") with([](std::uint64_t) { return std::uint64_t{0}; });
    if (name == "ones") with([](std::uint64_t) { return std::uint64_t{1}; });
    if (name == "index") with([](std::uint64_t i) { return i; });
    return true;
}

}  // namespace warpgrade
