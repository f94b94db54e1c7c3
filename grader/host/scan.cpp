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

// Whether a number that begins like this goes on with `c`.
bool continues_number(int c, const std::string& so_far, bool is_real, int base) {
    if (std::isdigit(c) != 0) return true;
    const int last = so_far.empty() ? 0 : std::tolower(static_cast<unsigned char>(so_far.back()));
    if (c == '-' || c == '+') return so_far.empty() || (is_real && last == 'e');
    if (is_real)
        return c == '.' ? so_far.find('.') == std::string::npos
                        : std::tolower(c) == 'e' && so_far.find_first_of("eE") == std::string::npos && last != 0;
    const bool has_prefix = so_far.find_first_of("xX") != std::string::npos;
    if (std::tolower(c) == 'x') return (base == 16 || base == 0) && last == '0' && so_far.size() <= 2 && !has_prefix;
    return std::isxdigit(c) != 0 && (base == 16 || has_prefix);
}

// After `%`: a width, `*`, lengths and the kind.
struct Conversion {
    std::size_t width = 4096;
    bool is_kept = true, is_long = false, is_short = false, is_of_char = false;
    char kind = 0;
    std::string set;        // of %[ ]
    bool is_other = false;  // %[^ ]: what is not in the set
    int base() const { return kind == 'i' ? 0 : kind == 'o' ? 8 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : 10; }
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
        if (format[i] == 'h')
            (found.is_short ? found.is_of_char : found.is_short) = true;
        else
            found.is_long = true;
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
    const long long value = of.kind == 'u' ? static_cast<long long>(std::strtoull(text.c_str(), &end, of.base()))
                                           : std::strtoll(text.c_str(), &end, of.base());
    if (end == text.c_str()) return false;
    if (!of.is_kept) return true;
    if (of.is_of_char) return call.store_value(to, static_cast<signed char>(value));
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
            const std::string text = input.take(of.width, [&](int c, const std::string& so_far) {
                return continues_number(c, so_far, is_real, of.base());
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
