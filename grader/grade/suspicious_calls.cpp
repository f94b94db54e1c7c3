#include "grade/suspicious_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace warpgrade {

namespace {

// What a variable holds; `other` is not known, or behind a pointer.
enum class Kind { whole, real, other };

// Along rows, or down columns, as the name of a place or of an extent says.
enum class Axis { none, across, down };

Axis axis_of(std::string_view name) {
    static constexpr std::array across{"x", "c", "w", "nx"};
    static constexpr std::array down{"y", "r", "h", "ny"};
    const auto is_one_of = [&](const auto& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (is_one_of(across) || name.starts_with("col") || name.starts_with("width")) return Axis::across;
    if (is_one_of(down) || name.starts_with("row") || name.starts_with("height")) return Axis::down;
    return Axis::none;
}

// Of a matrix, and no place in it.
bool is_extent(std::string_view name) {
    static constexpr std::array names{"w", "h", "nx", "ny", "rows", "cols", "columns"};
    return std::find(names.begin(), names.end(), name) != names.end() || name.starts_with("width") ||
           name.starts_with("height");
}

struct Range {
    std::size_t begin = 0, end = 0;  // tokens
};
struct Parameter {
    std::string_view name;
    Kind kind = Kind::other, element = Kind::other;
};
struct Call {
    std::size_t at = 0;
    std::vector<Range> arguments;
    std::vector<Kind> kinds;  // of the arguments
};
using Places = std::pair<std::size_t, std::size_t>;  // of two arguments

class Calls : public SuspiciousText {
public:
    explicit Calls(const Outline& outline) : SuspiciousText(outline.tokens) {
        std::map<std::string_view, std::vector<const FunctionText*>> by_name;
        for (const FunctionText& function : outline.functions) by_name[function.name].push_back(&function);
        for (const FunctionText& caller : outline.functions) read_calls(caller, by_name);
        for (const auto& [name, calls] : calls_) {
            const std::vector<Parameter> parameters = parameters_of(*by_name[name].front());
            for (const Call& call : calls) {
                if (call.arguments.size() != parameters.size() || parameters.size() > most_parameters) continue;
                if (const auto places = exchanged(call, calls, parameters); places.first != places.second)
                    tell(call, parameters, places);
            }
        }
    }

private:
    static constexpr std::size_t longest = 200;  // tokens of a call, or of a declaration
    static constexpr std::size_t most_parameters = 12;

    // Of functions that are defined once and run on the device.
    void read_calls(const FunctionText& caller,
                    const std::map<std::string_view, std::vector<const FunctionText*>>& by_name) {
        if (!caller.is_on_device()) return;
        kinds_.clear();
        elements_.clear();
        for (const Parameter& parameter : parameters_of(caller)) {
            kinds_[parameter.name] = parameter.kind;
            elements_[parameter.name] = parameter.element;
        }
        for (std::size_t i = caller.body_begin; i < caller.body_end; ++i) {
            read_kind(i);
            if (text(i + 1) != "(" || (i > 0 && (text(i - 1) == "." || text(i - 1) == "->"))) continue;
            const auto function = by_name.find(text(i));
            if (function == by_name.end() || function->second.size() != 1) continue;
            const FunctionText& called = *function->second.front();
            if (!called.is_on_device() || called.side == Side::kernel || called.is_member) continue;
            Call call{i, pieces(i + 1, caller.body_end), {}};
            for (const Range& argument : call.arguments) call.kinds.push_back(kind_of(argument));
            calls_[function->first].push_back(std::move(call));
        }
    }

    // What stands between the commas of the brackets that open at `open`.
    std::vector<Range> pieces(std::size_t open, std::size_t limit) const {
        const std::size_t end = past(open, std::min(limit, open + longest), open + 2) - 1;
        std::vector<Range> all;
        std::size_t begin = open + 1;
        int depth = 0;
        for (std::size_t i = begin; i <= end; ++i) {
            if (i == end || (depth == 0 && text(i) == ",")) {
                if (i > begin) all.push_back({begin, i});
                begin = i + 1;
            }
            depth += (text(i) == "(" || text(i) == "[" || text(i) == "{") -
                     (text(i) == ")" || text(i) == "]" || text(i) == "}");
        }
        return all;
    }

    static Kind kind_named(std::string_view type) {
        static constexpr std::array whole{"int", "unsigned", "size_t", "long", "short", "int64_t", "uint32_t"};
        static constexpr std::array real{"float", "double"};
        if (std::find(whole.begin(), whole.end(), type) != whole.end()) return Kind::whole;
        return std::find(real.begin(), real.end(), type) != real.end() ? Kind::real : Kind::other;
    }

    std::vector<Parameter> parameters_of(const FunctionText& function) const {
        // Back from the brace to the bracket that opens its head.
        std::size_t close = function.body_begin - 1;
        while (close > 0 && text(close) != ")") --close;
        std::size_t open = close;
        for (int depth = 0; open > 0; --open) {
            depth += (text(open) == ")") - (text(open) == "(");
            if (depth == 0) break;
        }
        std::vector<Parameter> parameters;
        for (const Range& piece : pieces(open, close + 1)) {
            Parameter parameter;
            for (std::size_t i = piece.begin; i < piece.end && text(i) != "="; ++i) {
                if (text(i) == "*" || text(i) == "[") {
                    parameter.element = std::exchange(parameter.kind, Kind::other);
                    if (text(i) == "[") break;
                } else if (tokens_[i].is_word) {
                    if (const Kind kind = kind_named(text(i)); kind != Kind::other) parameter.kind = kind;
                    parameter.name = text(i);
                }
            }
            parameters.push_back(parameter);
        }
        return parameters;
    }

    // int row = 1, col, tile[8][8];
    void read_kind(std::size_t i) {
        const Kind kind = kind_named(text(i));
        if (kind == Kind::other || !tokens_[i + 1].is_word || kind_named(text(i + 1)) != Kind::other) return;
        const std::size_t end = std::min(i + longest, tokens_.size());
        for (std::size_t at = i + 1; at + 1 < end; ++at) {
            if (text(at + 1) == "[") elements_[text(at)] = kind;
            if (text(at + 1) == "=" || text(at + 1) == ";" || text(at + 1) == ",") kinds_[text(at)] = kind;
            int depth = 0;
            while (at < end && text(at) != ";" && (depth > 0 || (text(at) != "," && text(at) != ")"))) {
                depth += (text(at) == "(") - (text(at) == ")");
                ++at;
            }
            if (text(at) != ",") return;
        }
    }
    // Of an argument that is one variable, or one element.
    Kind kind_of(const Range& range) const {
        std::size_t end = range.begin + 1;
        while (text(end) == "[" && end < range.end) end = past(end, range.end, range.end);
        const auto& kinds = end == range.begin + 1 ? kinds_ : elements_;
        const auto known = kinds.find(text(range.begin));
        return end != range.end || known == kinds.end() ? Kind::other : known->second;
    }

    bool has_word(const Range& range, std::string_view word) const {
        for (std::size_t i = range.begin; i < range.end; ++i)
            if (text(i) == word && (i == 0 || text(i - 1) != ".")) return true;
        return false;
    }
    bool is_same(const Range& a, const Range& b) const {
        return std::equal(tokens_.begin() + static_cast<std::ptrdiff_t>(a.begin),
                          tokens_.begin() + static_cast<std::ptrdiff_t>(a.end),
                          tokens_.begin() + static_cast<std::ptrdiff_t>(b.begin),
                          tokens_.begin() + static_cast<std::ptrdiff_t>(b.end),
                          [](const Token& one, const Token& other) { return one.text == other.text; });
    }

    // Two equal ones: none are exchanged, or it cannot be known.
    Places exchanged(const Call& call, const std::vector<Call>& calls, const std::vector<Parameter>& parameters) const {
        std::vector<Places> by_name;
        for (std::size_t i = 0; i < parameters.size(); ++i)
            for (std::size_t j = i + 1; j < parameters.size(); ++j) {
                if (are_exchanged_kinds(call, parameters, i, j) || differs_from_others(call, calls, i, j))
                    return {i, j};
                if (are_exchanged_names(call, parameters, i, j)) by_name.emplace_back(i, j);
            }
        if (by_name.size() != 1 || !is_against_the_rest(call, parameters, by_name.front())) return {};
        return by_name.front();
    }
    // value, of type float, where `int index` stands, and the other way round.
    bool are_exchanged_kinds(const Call& call, const std::vector<Parameter>& parameters, std::size_t i,
                             std::size_t j) const {
        const Kind a = parameters[i].kind, b = parameters[j].kind;
        return a != b && a != Kind::other && b != Kind::other && call.kinds[i] == b && call.kinds[j] == a;
    }
    // All other calls, two at least, have both the other way round.
    bool differs_from_others(const Call& call, const std::vector<Call>& calls, std::size_t i, std::size_t j) const {
        const auto agrees = [&](const Call& other) {
            return other.at == call.at ||
                   (other.arguments.size() == call.arguments.size() && is_same(other.arguments[i], call.arguments[j]) &&
                    is_same(other.arguments[j], call.arguments[i]));
        };
        return calls.size() > 2 && !is_same(call.arguments[i], call.arguments[j]) &&
               std::all_of(calls.begin(), calls.end(), agrees);
    }
    // `x` in the argument for y, and `y` in that for x.
    bool are_exchanged_names(const Call& call, const std::vector<Parameter>& parameters, std::size_t i,
                             std::size_t j) const {
        const std::string_view a = parameters[i].name, b = parameters[j].name;
        const Range first = call.arguments[i], second = call.arguments[j];
        return !a.empty() && !b.empty() && a != b && has_word(first, b) && !has_word(first, a) && has_word(second, a) &&
               !has_word(second, b);
    }
    // Who turns a matrix exchanges row and column on purpose, and with them what a row is long: then that fits.
    bool is_against_the_rest(const Call& call, const std::vector<Parameter>& parameters, const Places& places) const {
        const std::string_view a = parameters[places.first].name, b = parameters[places.second].name;
        const bool are_axes = axis_of(a) != Axis::none && axis_of(b) != Axis::none;
        if (!are_axes) return a.size() > 1 && b.size() > 1;
        for (std::size_t k = 0; k < parameters.size(); ++k) {
            if (k == places.first || k == places.second || call.arguments[k].end != call.arguments[k].begin + 1)
                continue;
            const std::string_view name = parameters[k].name, given = text(call.arguments[k].begin);
            if (is_extent(a) == is_extent(name)) continue;
            // A function of one extent takes the length of a row.
            const Axis meant = axis_of(name) == Axis::none ? Axis::across : axis_of(name);
            if (axis_of(given) == meant && parameters[k].kind == Kind::whole) return true;
        }
        return false;
    }

    void tell(const Call& call, const std::vector<Parameter>& parameters, const Places& places) {
        const Range first = call.arguments[places.first], second = call.arguments[places.second];
        const std::string_view name = text(call.at);
        std::string instead;
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            const Range shown_here = i == places.first ? second : i == places.second ? first : call.arguments[i];
            instead += (i == 0 ? "" : ", ") + shown(shown_here.begin, shown_here.end);
        }
        warn(first.begin,
             fmt::format("`{}` takes `{}` before `{}`: `{}` and `{}` stand in each other's place", name,
                         parameters[places.first].name, parameters[places.second].name, shown(first.begin, first.end),
                         shown(second.begin, second.end)),
             fmt::format("write {}({})", name, instead));
    }

    std::map<std::string_view, std::vector<Call>> calls_;  // by what is called
    std::map<std::string_view, Kind> kinds_, elements_;    // of the caller's variables, and of its arrays
};

}  // namespace

std::vector<SuspiciousPlace> suspicious_calls(const Outline& outline) { return Calls(outline).found; }

}  // namespace warpgrade
