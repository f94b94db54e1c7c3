// The `= ...` of a variable: numbers, addresses, strings and nested braces, laid out as bytes.
#include <fmt/format.h>

#include <bit>

#include "ptx/constant.hpp"
#include "ptx/variable.hpp"

namespace warpgrade::ptx {

namespace {

constexpr std::size_t address_bytes = 8;

std::uint64_t single_bits(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

std::uint64_t bits_as(Type type, const Literal& literal) {
    const bool is_float = type == Type::f32 || type == Type::f64;
    if (!is_float) {
        // Untyped words take the bits; a decimal constant in a 32-bit word is a single.
        const bool narrows = literal.kind == Literal::Kind::f64 && size_bytes(type) == 4;
        return narrows ? single_bits(std::bit_cast<double>(literal.bits)) : literal.bits;
    }
    double value = 0;
    switch (literal.kind) {
        case Literal::Kind::integer: value = static_cast<double>(static_cast<std::int64_t>(literal.bits)); break;
        case Literal::Kind::f32:
            if (type == Type::f32) return literal.bits;  // keeps the payload of a NaN
            value = std::bit_cast<float>(static_cast<std::uint32_t>(literal.bits));
            break;
        case Literal::Kind::f64: value = std::bit_cast<double>(literal.bits); break;
    }
    return type == Type::f64 ? std::bit_cast<std::uint64_t>(value) : single_bits(value);
}

class Initialiser {
public:
    Initialiser(Cursor& cursor, const std::vector<std::uint64_t>& dimensions, Variable& variable)
        : cursor_(cursor), dimensions_(dimensions), variable_(variable), width_(size_bytes(variable.type)) {
        elements_under_.assign(dimensions.size() + 1, 1);
        for (std::size_t d = dimensions.size(); d-- > 1;) elements_under_[d] = elements_under_[d + 1] * dimensions[d];
        is_open_ = !dimensions.empty() && dimensions[0] == 0;
        const std::uint64_t outermost = dimensions.empty() ? 1 : dimensions[0];
        end_ = is_open_ ? largest_variable_bytes : outermost * elements_under_[dimensions.empty() ? 0 : 1];
    }

    void parse() {
        if (cursor_.accept('{')) {
            row(0, end_);
        } else {
            value(end_);
        }
        if (masked_bytes_ != 0) cursor_.fail(cursor_.peek(), "masked bytes that stop in the middle of an address");
    }

    std::uint64_t elements() const { return position_; }
    bool is_open() const { return is_open_; }

private:
    // The values of one `{ ... }`, which may reach up to element `end`.
    void row(std::size_t dimension, std::uint64_t end) {
        const std::uint64_t start = position_;
        while (!cursor_.at_end() && !cursor_.peek().is('}')) {
            const Token token = cursor_.peek();
            if (cursor_.accept('{')) {
                if (dimension + 1 >= dimensions_.size()) {
                    cursor_.fail(token, "more nested braces than the array has dimensions");
                    return;
                }
                const std::uint64_t under = elements_under_[dimension + 1];
                position_ = start + (position_ - start + under - 1) / under * under;
                const std::uint64_t row_end = position_ + under;
                if (row_end > end) cursor_.fail(token, "more values than the variable has elements");
                row(dimension + 1, row_end);
                position_ = row_end;
            } else {
                value(end);
            }
            if (!cursor_.accept(',')) break;
        }
        cursor_.expect('}', "after the values");
    }

    void value(std::uint64_t end) {
        const Token token = cursor_.peek();
        if (token.kind == Token::Kind::string) return string(cursor_.take(), end);
        if (token.kind == Token::Kind::word) return whole_address(end);
        const Literal literal = parse_constant(cursor_);
        if (cursor_.peek().is('(')) return address_byte(token, literal.bits, end);
        put(token, bits_as(variable_.type, literal), end);
    }

    // symbol, symbol+4, generic(symbol), generic(symbol)+4
    InitialAddress address() {
        InitialAddress initial;
        Token symbol = cursor_.peek();
        initial.symbol = cursor_.expect_word("the name of a variable or function");
        if (symbol.text == "generic" && cursor_.accept('(')) {
            initial.generic = true;
            symbol = cursor_.peek();
            initial.symbol = cursor_.expect_word("the name of a variable or function");
            initial.addend = parse_offset(cursor_);
            cursor_.expect(')', "after the name");
        }
        initial.addend += parse_offset(cursor_);
        cursor_.symbol_references.push_back({symbol, cursor_.location_in_force});
        return initial;
    }

    void whole_address(std::uint64_t end) {
        const Token token = cursor_.peek();
        if (static_cast<std::size_t>(width_) != address_bytes) {
            cursor_.fail(token,
                         fmt::format("the address of {} does not fit a .{}", quoted(token), name(variable_.type)));
        }
        InitialAddress initial = address();
        initial.offset = position_ * address_bytes;
        put(token, 0, end);
        if (!cursor_.failed()) variable_.initial_addresses.push_back(std::move(initial));
    }

    // 0xFF00(symbol): byte 1 of the address. A packed structure writes the eight in a row, which is one address.
    void address_byte(const Token& token, std::uint64_t mask, std::uint64_t end) {
        cursor_.expect('(', "after the mask");
        InitialAddress initial = address();
        cursor_.expect(')', "after the name");
        const std::uint64_t wanted_mask = std::uint64_t{0xFF} << (8 * masked_bytes_);
        initial.offset = position_ - static_cast<std::uint64_t>(masked_bytes_);
        if (width_ != 1 || mask != wanted_mask) {
            cursor_.fail(token, "masked bytes of an address must stand in order, from 0xFF(symbol) upwards");
            return;
        }
        const std::vector<InitialAddress>& known = variable_.initial_addresses;
        const bool continues = masked_bytes_ > 0 && known.back().offset == initial.offset &&
                               known.back().symbol == initial.symbol && known.back().addend == initial.addend;
        if (masked_bytes_ > 0 && !continues) {
            cursor_.fail(token, "the masked bytes of an address belong to different addresses");
            return;
        }
        if (masked_bytes_ == 0) variable_.initial_addresses.push_back(std::move(initial));
        masked_bytes_ = (masked_bytes_ + 1) % static_cast<int>(address_bytes);
        put(token, 0, end);
    }

    void string(const Token& token, std::uint64_t end) {
        if (width_ != 1) cursor_.fail(token, "a string initialises bytes only");
        if (token.text.find('\\') != std::string_view::npos)
            cursor_.fail(token, "escapes in strings are not supported");
        for (const char c : token.text) put(token, static_cast<unsigned char>(c), end);
        if (is_open_) put(token, 0, end);
    }

    void put(const Token& token, std::uint64_t bits, std::uint64_t end) {
        if (cursor_.failed()) return;
        if (position_ >= end) {
            cursor_.fail(token, "more values than the variable has elements");
            return;
        }
        const auto width = static_cast<std::size_t>(width_);
        const std::size_t at = static_cast<std::size_t>(position_) * width;
        const std::size_t padding = at - variable_.initial.size();
        if (padding > cursor_.padding_left_bytes) {
            cursor_.fail(token, "initialisers that leave too much of their arrays out");
            return;
        }
        cursor_.padding_left_bytes -= padding;
        variable_.initial.resize(at + width);
        for (std::size_t byte = 0; byte < width && byte < sizeof bits; ++byte) {
            variable_.initial[at + byte] = static_cast<std::uint8_t>(bits >> (8 * byte));
        }
        ++position_;
    }

    Cursor& cursor_;
    const std::vector<std::uint64_t>& dimensions_;
    Variable& variable_;
    int width_;
    std::vector<std::uint64_t> elements_under_;  // [d + 1]: elements under one index of dimension d
    bool is_open_ = false;
    std::uint64_t end_ = 0;
    std::uint64_t position_ = 0;  // element
    int masked_bytes_ = 0;        // of the address that is being written byte by byte
};

}  // namespace

void parse_initialiser(Cursor& cursor, std::vector<std::uint64_t>& dimensions, Variable& variable) {
    Initialiser initialiser(cursor, dimensions, variable);
    initialiser.parse();
    if (!initialiser.is_open()) return;
    std::uint64_t under = 1;
    for (std::size_t d = 1; d < dimensions.size(); ++d) under *= dimensions[d];
    dimensions[0] = under == 0 ? 0 : (initialiser.elements() + under - 1) / under;
}

}  // namespace warpgrade::ptx
