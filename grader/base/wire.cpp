#include "base/wire.hpp"

#include <algorithm>
#include <charconv>
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
    if (count > most_fields) return std::nullopt;
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

void put_list(Fields& fields, const std::vector<std::string>& list) {
    fields.push_back(std::to_string(list.size()));
    fields.insert(fields.end(), list.begin(), list.end());
}

std::string Reader::text() {
    if (next_ < fields_.size()) return fields_[next_++];
    is_good_ = false;
    return {};
}

std::uint64_t Reader::number() {
    const std::string field = text();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    is_good_ &= error == std::errc() && end == field.data() + field.size();
    return is_good_ ? value : 0;
}

double Reader::real() {
    const std::string field = text();
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    is_good_ &= error == std::errc() && end == field.data() + field.size();
    return is_good_ ? value : 0;
}

std::vector<std::string> Reader::list() {
    std::vector<std::string> items;
    for (std::uint64_t left = number(); left > 0 && is_good_; --left) items.push_back(text());
    return items;
}

std::string real_text(double value) {
    char digits[32];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

Fields to_fields(const Diagnostic& diagnostic) {
    Fields fields{
        "error",         std::to_string(static_cast<int>(diagnostic.blame)), diagnostic.code, diagnostic.title,
        diagnostic.help, std::string(to_string(diagnostic.severity)),        diagnostic.shape};
    put_list(fields, diagnostic.facts);
    for (const SourceMark& mark : diagnostic.marks) {
        fields.push_back(mark.path);
        for (const int number : {mark.line, mark.column, mark.length})
            fields.push_back(std::to_string(std::max(number, 0)));
        fields.push_back(mark.label);
    }
    return fields;
}

std::optional<Diagnostic> diagnostic_from(const Fields& fields) {
    Reader in(fields);
    if (in.text() != "error") return std::nullopt;
    Diagnostic diagnostic;
    const std::uint64_t blame = in.number();
    if (blame > static_cast<std::uint64_t>(Blame::kit)) return std::nullopt;
    diagnostic.blame = static_cast<Blame>(blame);
    diagnostic.code = in.text();
    diagnostic.title = in.text();
    diagnostic.help = in.text();
    const auto severity = severity_named(in.text());
    if (!severity) return std::nullopt;
    diagnostic.severity = *severity;
    diagnostic.shape = in.text();
    diagnostic.facts = in.list();
    while (in.is_good() && !in.is_done()) {
        SourceMark mark;
        mark.path = in.text();
        mark.line = static_cast<int>(in.number());
        mark.column = static_cast<int>(in.number());
        mark.length = static_cast<int>(in.number());
        mark.label = in.text();
        diagnostic.marks.push_back(std::move(mark));
    }
    if (!in.is_done()) return std::nullopt;
    return diagnostic;
}

}  // namespace warpgrade::wire
