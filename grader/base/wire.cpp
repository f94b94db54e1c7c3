#include "base/wire.hpp"

#include <cstdint>

namespace warpgrade::wire {
namespace {

void put(std::string& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

std::uint64_t get(std::string_view bytes, int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return value;
}

}  // namespace

std::string pack(const Fields& fields) {
    std::string body;
    put(body, fields.size(), 4);
    for (const std::string& field : fields) {
        put(body, field.size(), 4);
        body += field;
    }
    std::string message;
    put(message, body.size(), 8);
    return message + body;
}

std::optional<Fields> unpack(std::string_view bytes) {
    if (bytes.size() < 12 || get(bytes, 8) != bytes.size() - 8) return std::nullopt;
    bytes.remove_prefix(8);
    const std::uint64_t count = get(bytes, 4);
    bytes.remove_prefix(4);
    Fields fields;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (bytes.size() < 4) return std::nullopt;
        const std::uint64_t length = get(bytes, 4);
        bytes.remove_prefix(4);
        if (bytes.size() < length) return std::nullopt;
        fields.emplace_back(bytes.substr(0, length));
        bytes.remove_prefix(length);
    }
    if (!bytes.empty()) return std::nullopt;
    return fields;
}

bool is_complete(std::string_view bytes) { return bytes.size() >= 8 && bytes.size() - 8 >= get(bytes, 8); }

std::optional<Fields> take(std::string_view& bytes) {
    if (!is_complete(bytes)) return std::nullopt;
    const std::string_view message = bytes.substr(0, 8 + get(bytes, 8));
    bytes.remove_prefix(message.size());
    return unpack(message);
}

}  // namespace warpgrade::wire
