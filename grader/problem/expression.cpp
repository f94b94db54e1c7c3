#include "problem/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/near_names.hpp"

namespace warpgrade {

namespace {

constexpr std::int64_t largest = std::int64_t{1} << 62;
constexpr int deepest = 64;
const char* const too_large = "it becomes larger than 64 bits hold";

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

using Step = Formula::Step;

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

// Operators by how strongly they bind, the weakest first. Of two that begin alike the longer one is first.
enum class Operator : std::uint8_t {
    any,
    all,
    same,
    other,
    most,
    least,
    below,
    above,
    left,
    right,
    add,
    subtract,
    times,
    over,
    rest
};
struct Spelling {
    const char* text;
    Operator means;
};
const std::vector<Spelling> levels[]{
    {{"||", Operator::any}},
    {{"&&", Operator::all}},
    {{"==", Operator::same},
     {"!=", Operator::other},
     {"<=", Operator::most},
     {">=", Operator::least},
     {"<", Operator::below},
     {">", Operator::above}},
    {{"<<", Operator::left}, {">>", Operator::right}},
    {{"+", Operator::add}, {"-", Operator::subtract}},
    {{"*", Operator::times}, {"/", Operator::over}, {"%", Operator::rest}},
};

class Descent {
public:
    Descent(std::string_view text, const ExpressionScope& scope, std::span<const std::string> variables)
        : text_(text), scope_(scope), variables_(variables) {}

    std::vector<Step> whole() {
        binary(0);
        skip();
        if (at_ != text_.size()) stop(fmt::format("`{}` is not expected there", text_.substr(at_, 1)));
        return std::move(steps_);
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
    void emit(Step::Kind kind, std::int64_t number, const ExpressionScope::Call* call = nullptr) {
        steps_.push_back({kind, number, call, static_cast<int>(at_)});
    }
    void deeper() {
        if (++depth_ > deepest) stop("it is nested too deep");
    }

    void binary(std::size_t level) {
        if (level == std::size(levels)) return factor();
        binary(level + 1);
        while (true) {
            const auto found =
                std::ranges::find_if(levels[level], [&](const Spelling& each) { return accept(each.text); });
            if (found == levels[level].end()) return;
            binary(level + 1);
            emit(Step::Kind::binary, static_cast<std::int64_t>(found->means));
        }
    }
    void factor() {
        for (const char sign : {'-', '!'}) {
            if (!accept(std::string_view(&sign, 1))) continue;
            deeper();
            factor();
            --depth_;
            return emit(Step::Kind::unary, sign);
        }
        if (accept("(")) {
            deeper();
            binary(0);
            expect(')');
            --depth_;
            return;
        }
        skip();
        if (at_ == text_.size()) stop("something is missing at its end");
        const char first = text_[at_];
        if (std::isdigit(static_cast<unsigned char>(first))) return emit(Step::Kind::number, number());
        if (std::isalpha(static_cast<unsigned char>(first)) || first == '_') return named();
        stop(fmt::format("`{}` is not expected there", text_.substr(at_, 1)));
    }
    std::int64_t number() {
        std::int64_t value = 0;
        const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (code != std::errc()) stop(too_large);
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }
    std::string_view word() {
        skip();
        const std::size_t first = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
        return text_.substr(first, at_ - first);
    }
    void named() {
        const std::size_t first = at_;
        const std::string_view name = word();
        if (!accept("(")) {
            if (const auto variable = std::ranges::find(variables_, name); variable != variables_.end())
                return emit(Step::Kind::variable, variable - variables_.begin());
            const auto found = scope_.names.find(name);
            if (found == scope_.names.end()) unknown(name, first, false);
            return emit(Step::Kind::number, found->second);
        }
        if (const auto of = scope_.of_names.find(name); of != scope_.of_names.end()) return of_name(name, of->second);
        const auto* usual = std::find_if(std::begin(usual_functions), std::end(usual_functions),
                                         [&](const Usual& each) { return name == each.name; });
        const bool is_usual = usual != std::end(usual_functions);
        const auto found = scope_.functions.find(name);
        if (!is_usual && found == scope_.functions.end()) unknown(name, first, true);
        std::size_t count = 0;
        deeper();
        if (!accept(")")) {
            do {
                binary(0);
                ++count;
            } while (accept(","));
            expect(')');
        }
        --depth_;
        const std::size_t wanted = is_usual ? usual->arguments : found->second.arguments;
        if (count != wanted) {
            at_ = first;
            stop(fmt::format("`{}` takes {} numbers, not {}", name, wanted, count));
        }
        if (is_usual) return emit(Step::Kind::usual, usual - std::begin(usual_functions));
        emit(Step::Kind::call, static_cast<std::int64_t>(count), &found->second.call);
    }
    void of_name(std::string_view name, const std::function<std::optional<std::int64_t>(std::string_view)>& call) {
        skip();
        const std::size_t place = at_;
        const std::string_view what = word();
        expect(')');
        const auto value = call(what);
        if (!value) {
            at_ = place;
            stop(fmt::format("`{}({})` has no value here", name, what));
        }
        emit(Step::Kind::number, *value);
    }
    [[noreturn]] void unknown(std::string_view name, std::size_t place, bool is_call) {
        at_ = place;
        std::vector<std::string> known;
        if (is_call) {
            for (const Usual& usual : usual_functions) known.emplace_back(usual.name);
            for (const auto& [each, function] : scope_.functions) known.push_back(each);
            for (const auto& [each, function] : scope_.of_names) known.push_back(each);
        } else {
            known.assign(variables_.begin(), variables_.end());
            for (const auto& [each, value] : scope_.names) known.push_back(each);
        }
        const std::string all = known.empty() ? "" : fmt::format("there are: {}", fmt::join(known, ", "));
        stop(fmt::format("no {} is called `{}` here", is_call ? "function" : "number", name),
             near_or(name, known, all));
    }

    std::string_view text_;
    const ExpressionScope& scope_;
    std::span<const std::string> variables_;
    std::vector<Step> steps_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

std::int64_t shifted(bool is_left, std::int64_t a, std::int64_t by, int column) {
    if (by < 0 || by > 61 || a < 0) throw Stop{{"a shift is by 0 to 61, of a number that is not negative", {}, column}};
    if (is_left && a > largest >> by) throw Stop{{too_large, {}, column}};
    return is_left ? a << by : a >> by;
}

std::int64_t divided(bool is_rest, std::int64_t a, std::int64_t b, int column) {
    if (b == 0) throw Stop{{"it divides by 0", {}, column}};
    if (b == -1 && a == std::numeric_limits<std::int64_t>::min()) throw Stop{{too_large, {}, column}};
    return is_rest ? a % b : a / b;
}

std::int64_t combined(Operator how, std::int64_t a, std::int64_t b, int column) {
    std::int64_t result = 0;
    switch (how) {
        case Operator::any: return a != 0 || b != 0 ? 1 : 0;
        case Operator::all: return a != 0 && b != 0 ? 1 : 0;
        case Operator::same: return a == b ? 1 : 0;
        case Operator::other: return a != b ? 1 : 0;
        case Operator::most: return a <= b ? 1 : 0;
        case Operator::least: return a >= b ? 1 : 0;
        case Operator::below: return a < b ? 1 : 0;
        case Operator::above: return a > b ? 1 : 0;
        case Operator::left:
        case Operator::right: return shifted(how == Operator::left, a, b, column);
        case Operator::over:
        case Operator::rest: return divided(how == Operator::rest, a, b, column);
        case Operator::add:
            if (!__builtin_add_overflow(a, b, &result)) return result;
            break;
        case Operator::subtract:
            if (!__builtin_sub_overflow(a, b, &result)) return result;
            break;
        case Operator::times:
            if (!__builtin_mul_overflow(a, b, &result)) return result;
            break;
    }
    throw Stop{{too_large, {}, column}};
}

// Of the numbers at the end of a stack, which it takes off.
std::int64_t result_of(const Step& step, std::int64_t*& end) {
    switch (step.kind) {
        case Step::Kind::unary: {
            const std::int64_t a = *--end;
            if (step.number == '!') return a == 0 ? 1 : 0;
            return combined(Operator::subtract, 0, a, step.column);
        }
        case Step::Kind::binary: {
            const std::int64_t b = *--end, a = *--end;
            return combined(static_cast<Operator>(step.number), a, b, step.column);
        }
        case Step::Kind::usual: {
            const Usual& usual = usual_functions[step.number];
            const std::int64_t b = *--end, a = usual.arguments == 2 ? *--end : b;
            const auto value = usual.call(a, b);
            if (!value) throw Stop{{fmt::format("`{}` has no value there", usual.name), {}, step.column}};
            return *value;
        }
        case Step::Kind::call:
            end -= step.number;
            return (*step.call)(std::span(end, static_cast<std::size_t>(step.number)));
        default: return step.number;
    }
}

}  // namespace

Formula::Formula(std::string_view text, const ExpressionScope& scope, std::span<const std::string> variables) {
    try {
        steps_ = Descent(text, scope, variables).whole();
    } catch (const Stop& stopped) {
        error_ = stopped.error;
    }
}

bool Formula::uses(std::size_t variable) const {
    return std::ranges::any_of(steps_, [&](const Step& step) {
        return step.kind == Step::Kind::variable && step.number == static_cast<std::int64_t>(variable);
    });
}

ExpressionValue Formula::value(std::span<const std::int64_t> values) const {
    if (error_) return {0, error_};
    // Each step leaves at most one number more.
    std::array<std::int64_t, 64> few;
    std::vector<std::int64_t> many(steps_.size() > few.size() ? steps_.size() : 0);
    std::int64_t* end = many.empty() ? few.data() : many.data();
    ExpressionValue result;
    try {
        for (const Step& step : steps_) {
            const std::int64_t number = step.kind == Step::Kind::variable
                                            ? values[static_cast<std::size_t>(step.number)]
                                            : result_of(step, end);
            *end++ = number;
        }
        result.value = *--end;
    } catch (const Stop& stopped) {
        result.error = stopped.error;
    }
    return result;
}

ExpressionValue evaluate(std::string_view text, const ExpressionScope& scope) { return Formula(text, scope).value(); }

}  // namespace warpgrade
