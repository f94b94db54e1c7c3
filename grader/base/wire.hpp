// What parent and worker say to each other: a message is a list of byte strings. JSON will not do, since a submission
// may hold bytes that are not UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpgrade::wire {

using Fields = std::vector<std::string>;

// 8 bytes of total length, 4 of field count, then each field with 4 bytes of length; little-endian.
std::string pack(const Fields& fields);

// A million empty fields would fit into a message that is small, and not into memory that is.
inline constexpr std::size_t most_fields = 1 << 17;

// nullopt: not exactly one whole message, or one of too many fields.
std::optional<Fields> unpack(std::string_view bytes);

// True once `bytes` starts with a whole message or with something that can never become one.
bool is_complete(std::string_view bytes);

// Splits the first whole message off. nullopt: there is none, or it is malformed.
std::optional<Fields> take(std::string_view& bytes);

// A list among other fields: its length, then its items.
void put_list(Fields& fields, const std::vector<std::string>& list);

// Reads a message field by field; every read past the end, and every number that is none, is remembered.
class Reader {
public:
    explicit Reader(const Fields& fields) : fields_(fields) {}
    std::string text();
    std::uint64_t number();
    double real();  // as `real_text` writes it
    std::vector<std::string> list();
    bool is_good() const { return is_good_; }
    bool is_done() const { return is_good_ && next_ == fields_.size(); }

private:
    const Fields& fields_;
    std::size_t next_ = 0;
    bool is_good_ = true;
};
std::string real_text(double value);  // every bit of it

// The first field is "error".
Fields to_fields(const Diagnostic& diagnostic);
std::optional<Diagnostic> diagnostic_from(const Fields& fields);

}  // namespace warpgrade::wire
