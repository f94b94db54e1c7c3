#include "vgpu/printed.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

namespace warpgrade::vgpu {

namespace {

// Of a conversion: its width and its precision. Nobody means to print more.
constexpr int kWidest = 1 << 16;

// One conversion with a C library that knows the same ones; the specification is checked first.
template <class T>
std::string formatted(const std::string& specification, T value) {
    char short_text[128];
    const int n = std::snprintf(short_text, sizeof short_text, specification.c_str(), value);
    if (n < static_cast<int>(sizeof short_text)) return n < 0 ? std::string() : std::string(short_text);
    std::string text(static_cast<std::size_t>(n), ' ');
    std::snprintf(text.data(), text.size() + 1, specification.c_str(), value);
    return text;
}

}  // namespace

std::string text_at(const BytesAt& bytes_at, std::uint64_t address, std::uint64_t most) {
    const auto bytes = bytes_at(address, most);
    if (bytes.empty()) return "(null)";
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    return std::string(text, ::strnlen(text, bytes.size()));
}

std::string printed(const BytesAt& bytes_at, std::string_view pattern, std::uint64_t arguments, std::uint64_t most,
                    std::uint64_t longest_text) {
    std::string out;
    std::uint64_t offset = 0;
    const auto take = [&]<class T>(T) {
        offset = (offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        const auto at = bytes_at(arguments + offset, sizeof(T));
        T value{};
        if (at.size() == sizeof(T)) std::memcpy(&value, at.data(), sizeof(T));
        offset += sizeof(T);
        return value;
    };
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            out += pattern[i];
            continue;
        }
        if (i + 1 < pattern.size() && pattern[i + 1] == '%') {
            out += '%';
            ++i;
            continue;
        }
        std::string specification = "%";
        std::size_t j = i + 1;
        bool is_long = false;
        while (j < pattern.size() && std::strchr("-+ #0", pattern[j]) != nullptr) {
            if (specification.find(pattern[j]) == std::string::npos) specification += pattern[j];
            ++j;
        }
        const auto number = [&] {
            int value = 0;
            if (j < pattern.size() && pattern[j] == '*') {
                ++j;
                return std::clamp(take(int{}), -kWidest, kWidest);
            }
            for (; j < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[j])); ++j)
                value = std::min(10 * value + (pattern[j] - '0'), kWidest);
            return value;
        };
        if (const int width = number(); width != 0) specification += std::to_string(width);
        if (j < pattern.size() && pattern[j] == '.') {
            ++j;
            if (const int precision = number(); precision >= 0) specification += "." + std::to_string(precision);
        }
        while (j < pattern.size() && std::strchr("hlLzjt", pattern[j]) != nullptr)
            is_long = is_long || pattern[j] != 'h', ++j;
        if (j >= pattern.size()) break;
        const char kind = pattern[j];
        if (std::strchr("di", kind) != nullptr) {
            out += is_long ? formatted(specification + "lld", static_cast<long long>(take(std::int64_t{})))
                           : formatted(specification + "d", take(int{}));
        } else if (std::strchr("ouxX", kind) != nullptr) {
            out += is_long
                       ? formatted(specification + "ll" + kind, static_cast<unsigned long long>(take(std::uint64_t{})))
                       : formatted(specification + kind, take(unsigned{}));
        } else if (std::strchr("eEfFgGaA", kind) != nullptr) {
            out += formatted(specification + kind, take(double{}));
        } else if (kind == 'c') {
            out += formatted(specification + "c", take(int{}));
        } else if (kind == 's') {
            out += formatted(specification + "s", text_at(bytes_at, take(std::uint64_t{}), longest_text).c_str());
        } else if (kind == 'p') {
            out += formatted("0x%llx", static_cast<unsigned long long>(take(std::uint64_t{})));
        } else {
            out += pattern.substr(i, j - i + 1);
        }
        if (out.size() > most) break;
        i = j;
    }
    return out;
}

}  // namespace warpgrade::vgpu
