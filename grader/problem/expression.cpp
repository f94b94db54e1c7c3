#include "problem/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/near_names.hpp"

namespace warpgrade {

namespace {

constexpr std::int64_t largest = std::int64_t{1} << 62;
constexpr int deepest = 64;

// Thrown within this file only: the way out of the descent.
struct Stop {
    ExpressionError error;
};

std::int64_t root_of(std::int64_t a) {
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(a)));
    while (root > 0 && root > a / root) --root;
    while ((root + 1) <= a / (root + 1)) ++root;
    return root;
}

struct Usual {
    const char* name;
    std::size_t arguments;
    std::optional<std::int64_t> (*call)(std::int64_t, std::int64_t);  // nothing: it has no value there
};

using Value = std::optional<std::int64_t>;
const Usual usual_functions[] = {
    {"min", 2, [](std::int64_t a, std::int64_t b) -> Value { return std::min(a, b); }},
    {"max", 2, [](std::int64_t a, std::int64_t b) -> Value { return std::max(a, b); }},
    {"sqrt", 1, [](std::int64_t a, std::int64_t) -> Value { return a < 0 ? Value() : root_of(a); }},
    {"pow2", 1,
     [](std::int64_t a, std::int64_t) -> Value {
         std::int64_t power = 1;
         while (power < a && power < largest) power *= 2;
         return power < a ? Value() : power;
     }},
    {"up", 2,
     [](std::int64_t a, std::int64_t m) -> Value {
         return a < 0 || m <= 0 || a > largest - m ? Value() : (a + m - 1) / m * m;
     }},
    {"down", 2, [](std::int64_t a, std::int64_t m) -> Value { return a < 0 || m <= 0 ? Value() : a / m * m; }},
    {"ceil", 2,
     [](std::int64_t a, std::int64_t b) -> Value {
         return a < 0 || b <= 0 || a > largest - b ? Value() : (a + b - 1) / b;
     }},
};

class Descent {
public:
    Descent(std::string_view text, const ExpressionScope& scope) : text_(text), scope_(scope) {}

    std::int64_t whole() {
        const std::int64_t value = shifted();
        skip();
        if (at_ != text_.size()) stop(fmt::format("`{}` is not expected there", text_.substr(at_, 1)));
        return value;
    }

private:
    [[noreturn]] void stop(std::string says, std::string help = {}) const {
        throw Stop{{std::move(says), std::move(help), static_cast<int>(at_)}};
    }
    void skip() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    bool accept(std::string_view symbol) {
        skip();
        if (!text_.substr(at_).starts_with(symbol)) return false;
        at_ += symbol.size();
        return true;
    }
    void expect(char symbol) {
        if (!accept(std::string_view(&symbol, 1))) stop(fmt::format("`{}` is missing", symbol));
    }

    std::int64_t shifted() {
        if (++depth_ > deepest) stop("it is nested too deep");
        std::int64_t left = sum();
        while (true) {
            const bool is_left = accept("<<");
            if (!is_left && !accept(">>")) break;
            const std::int64_t by = sum();
            if (by < 0 || by > 61 || left < 0) stop("a shift is by 0 to 61, of a number that is not negative");
            if (is_left && left > largest >> by) too_large();
            left = is_left ? left << by : left >> by;
        }
        --depth_;
        return left;
    }
    std::int64_t sum() {
        std::int64_t left = product();
        while (true) {
            const bool adds = accept("+");
            if (!adds && !accept("-")) return left;
            const std::int64_t right = product();
            if (adds ? __builtin_add_overflow(left, right, &left) : __builtin_sub_overflow(left, right, &left))
                too_large();
        }
    }
    std::int64_t product() {
        std::int64_t left = factor();
        while (true) {
            skip();
            const char symbol = at_ < text_.size() ? text_[at_] : ' ';
            if (symbol != '*' && symbol != '/' && symbol != '%') return left;
            ++at_;
            const std::int64_t right = factor();
            if (symbol == '*') {
                if (__builtin_mul_overflow(left, right, &left)) too_large();
                continue;
            }
            if (right == 0) stop("it divides by 0");
            if (right == -1 && left == std::numeric_limits<std::int64_t>::min()) too_large();
            left = symbol == '/' ? left / right : left % right;
        }
    }
    std::int64_t factor() {
        if (accept("-")) {
            if (++depth_ > deepest) stop("it is nested too deep");
            const std::int64_t value = factor();
            --depth_;
            if (value == std::numeric_limits<std::int64_t>::min()) too_large();
            return -value;
        }
        if (accept("(")) {
            const std::int64_t value = shifted();
            expect(')');
            return value;
        }
        skip();
        if (at_ == text_.size()) stop("something is missing at its end");
        const char first = text_[at_];
        if (std::isdigit(static_cast<unsigned char>(first))) return number();
        if (std::isalpha(static_cast<unsigned char>(first)) || first == '_') return named();
        stop(fmt::format("`{}` is not expected there", text_.substr(at_, 1)));
    }
    std::int64_t number() {
        std::int64_t value = 0;
        const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (code != std::errc()) too_large();
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }
    std::string_view word() {
        skip();
        const std::size_t first = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
        return text_.substr(first, at_ - first);
    }
    std::int64_t named() {
        const std::size_t first = at_;
        const std::string_view name = word();
        if (!accept("(")) {
            const auto found = scope_.names.find(name);
            if (found == scope_.names.end()) unknown(name, first, false);
            return found->second;
        }
        if (const auto of = scope_.of_names.find(name); of != scope_.of_names.end()) {
            skip();
            const std::size_t place = at_;
            const std::string_view what = word();
            expect(')');
            const auto value = of->second(what);
            if (!value) {
                at_ = place;
                stop(fmt::format("`{}({})` has no value here", name, what));
            }
            return *value;
        }
        const auto* usual = std::find_if(std::begin(usual_functions), std::end(usual_functions),
                                         [&](const Usual& each) { return name == each.name; });
        const bool is_usual = usual != std::end(usual_functions);
        const auto found = scope_.functions.find(name);
        if (!is_usual && found == scope_.functions.end()) unknown(name, first, true);
        std::vector<std::int64_t> values;
        if (!accept(")")) {
            do values.push_back(shifted());
            while (accept(","));
            expect(')');
        }
        const auto wants = [&](std::size_t count) {
            if (values.size() == count) return;
            at_ = first;
            stop(fmt::format("`{}` takes {} numbers, not {}", name, count, values.size()));
        };
        if (is_usual) {
            wants(usual->arguments);
            const auto value = usual->call(values[0], values.back());
            if (!value) stop(fmt::format("`{}` has no value there", name));
            return *value;
        }
        wants(found->second.arguments);
        return found->second.call(values);
    }
    [[noreturn]] void unknown(std::string_view name, std::size_t place, bool is_call) {
        at_ = place;
        std::vector<std::string> known;
        if (is_call) {
            for (const Usual& usual : usual_functions) known.emplace_back(usual.name);
            for (const auto& [each, function] : scope_.functions) known.push_back(each);
            for (const auto& [each, function] : scope_.of_names) known.push_back(each);
        } else {
            for (const auto& [each, value] : scope_.names) known.push_back(each);
        }
        const std::string all = known.empty() ? "" : fmt::format("there are: {}", fmt::join(known, ", "));
        stop(fmt::format("no {} is called `{}` here", is_call ? "function" : "number", name),
             near_or(name, known, all));
    }
    [[noreturn]] void too_large() const { stop("it becomes larger than 64 bits hold"); }

    std::string_view text_;
    const ExpressionScope& scope_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

ExpressionValue evaluate(std::string_view text, const ExpressionScope& scope) {
    try {
        return {Descent(text, scope).whole(), {}};
    } catch (const Stop& stopped) {
        return {0, stopped.error};
    }
}

}  // namespace warpgrade
