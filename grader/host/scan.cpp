// scanf and sscanf: whole numbers, real numbers, words and characters.
#include <cctype>
#include <cstdlib>

#include "host/runtime.hpp"

namespace warpgrade::host {

namespace {

// A text, or standard input.
class Input {
public:
    Input(Console& console, std::optional<std::string> text) : console_(console), text_(std::move(text)) {}
    int next() {
        const int c = text_ ? at_ < text_->size() ? static_cast<unsigned char>((*text_)[at_]) : -1 : console_.next();
        if (c >= 0) ++at_;
        return c;
    }
    void back(int c) {
        if (c < 0) return;
        --at_;
        if (!text_) console_.back();
    }
    std::size_t taken_bytes() const { return at_; }
    void skip_blanks() {
        int c = next();
        while (c >= 0 && std::isspace(c) != 0) c = next();
        back(c);
    }
    template <class Test>
    std::string take(std::size_t most, Test&& test) {
        std::string taken;
        int c = -1;
        while (taken.size() < most && (c = next()) >= 0 && test(c, taken)) taken += static_cast<char>(c), c = -1;
        back(c);
        return taken;
    }

private:
    Console& console_;
    std::optional<std::string> text_;
    std::size_t at_ = 0;
};

bool is_of_number(int c, bool is_real) {
    return std::isdigit(c) != 0 || c == '-' || c == '+' || (is_real && (c == '.' || c == 'e' || c == 'E'));
}

// After `%`: a width, `*`, lengths and the kind.
struct Conversion {
    std::size_t width = 4096;
    bool is_kept = true, is_long = false, is_short = false;
    char kind = 0;
    std::string set;        // of %[ ]
    bool is_other = false;  // %[^ ]: what is not in the set
    bool holds(int c) const { return (set.find(static_cast<char>(c)) != std::string::npos) != is_other; }
};

// The text of a set, and `i` at its closing bracket.
void read_set(const std::string& format, std::size_t& i, Conversion& found) {
    ++i;
    found.is_other = i < format.size() && format[i] == '^';
    if (found.is_other) ++i;
    for (const std::size_t first = i; i < format.size() && (format[i] != ']' || i == first); ++i) {
        const bool is_range = format[i] == '-' && i > first && i + 1 < format.size() && format[i + 1] != ']';
        if (!is_range) {
            found.set += format[i];
            continue;
        }
        for (int c = static_cast<unsigned char>(format[i - 1]); c < static_cast<unsigned char>(format[i + 1]); ++c)
            found.set += static_cast<char>(c);
    }
}

Conversion conversion_at(const std::string& format, std::size_t& i) {
    Conversion found;
    if (i < format.size() && format[i] == '*') found.is_kept = false, ++i;
    std::size_t width = 0;
    for (; i < format.size() && std::isdigit(static_cast<unsigned char>(format[i])) != 0; ++i)
        width = std::min<std::size_t>(10 * width + static_cast<std::size_t>(format[i] - '0'), 4096);
    if (width > 0) found.width = width;
    for (; i < format.size() && std::string_view("hlLzjt").find(format[i]) != std::string_view::npos; ++i)
        (format[i] == 'h' ? found.is_short : found.is_long) = true;
    if (i < format.size()) found.kind = format[i];
    if (found.kind == '[') read_set(format, i, found);
    return found;
}

bool store_number(Call& call, std::uint64_t to, const Conversion& of, const std::string& text) {
    char* end = nullptr;
    if (std::string_view("feEgG").find(of.kind) != std::string_view::npos) {
        const double value = std::strtod(text.c_str(), &end);
        if (end == text.c_str()) return false;
        return !of.is_kept ||
               (of.is_long ? call.store_value(to, value) : call.store_value(to, static_cast<float>(value)));
    }
    const long long value = std::strtoll(text.c_str(), &end, of.kind == 'x' ? 16 : 10);
    if (end == text.c_str()) return false;
    if (!of.is_kept) return true;
    if (of.is_short) return call.store_value(to, static_cast<short>(value));
    return of.is_long ? call.store_value(to, value) : call.store_value(to, static_cast<int>(value));
}

}  // namespace

void Runtime::scan(Call& call) {
    Input input(console_, call.address(0) == 0 ? std::nullopt : std::optional(call.text(call.address(0))));
    const std::string format = call.text(call.address(1));
    std::uint64_t places = call.address(2);
    int stored = 0;
    bool has_begun = false;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (std::isspace(static_cast<unsigned char>(format[i])) != 0) {
            input.skip_blanks();
            continue;
        }
        if (format[i] != '%' || (i + 1 < format.size() && format[i + 1] == '%')) {
            if (format[i] == '%') ++i;
            const int c = input.next();
            if (c == format[i]) continue;
            input.back(c);
            break;
        }
        const Conversion of = conversion_at(format, ++i);
        std::uint64_t to = 0;
        if (const auto place = call.bytes(places, sizeof to); of.is_kept && place.size() == sizeof to)
            std::memcpy(&to, place.data(), sizeof to);
        if (of.is_kept) places += sizeof to;
        if (of.kind == 'n') {
            call.store_value(to, static_cast<int>(input.taken_bytes()));
            continue;
        }
        if (of.kind != 'c' && of.kind != '[') input.skip_blanks();
        bool is_good = false;
        if (of.kind == 'c' || of.kind == 's' || of.kind == '[') {
            const std::size_t most = of.kind == 'c' && of.width == 4096 ? 1 : of.width;
            const std::string text = input.take(most, [&](int c, const std::string&) {
                return of.kind == '[' ? of.holds(c) : of.kind == 'c' || std::isspace(c) == 0;
            });
            is_good = !text.empty();
            if (is_good && of.is_kept)
                call.store(to, std::as_bytes(std::span(text.c_str(), text.size() + (of.kind == 'c' ? 0 : 1))));
        } else {
            const bool is_real = std::string_view("feEgG").find(of.kind) != std::string_view::npos;
            const std::string text = input.take(of.width, [&](int c, const std::string&) {
                return is_of_number(c, is_real) || (of.kind == 'x' && std::isxdigit(c) != 0);
            });
            is_good = store_number(call, to, of, text);
        }
        if (!is_good) break;
        has_begun = true;
        if (of.is_kept) ++stored;
    }
    const int c = input.next();
    input.back(c);
    call.give(!has_begun && c < 0 ? -1 : stored);
}

}  // namespace warpgrade::host
