#include "run/guard_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>

#include "base/text.hpp"
#include "course/source_text.hpp"

namespace warpgrade {

namespace {

std::size_t closing(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth == 0) return i;
    }
    return std::string_view::npos;
}

// At the outermost level of brackets.
std::vector<std::string_view> split(std::string_view text, std::string_view connector) {
    std::vector<std::string_view> all;
    int depth = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i + connector.size() <= text.size(); ++i) {
        depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
        if (depth != 0 || text.substr(i, connector.size()) != connector) continue;
        all.push_back(text.substr(first, i - first));
        first = i + connector.size();
    }
    all.push_back(text.substr(first));
    return all;
}

std::string_view without_brackets(std::string_view text) {
    text = trimmed(text);
    while (text.size() > 1 && text.front() == '(' && closing(text, 0) == text.size() - 1)
        text = trimmed(text.substr(1, text.size() - 2));
    return text;
}

bool read_condition(std::string_view condition, GuardText& guard) {
    condition = without_brackets(condition);
    const bool has_and = split(condition, "&&").size() > 1, has_or = split(condition, "||").size() > 1;
    if (!has_and || !has_or) guard.connector = has_and ? "&&" : has_or ? "||" : "";
    static const std::regex comparison(R"re(^([^<>=!]+?)\s*(<=|>=|<|>)\s*([^<>=!&|]+)$)re");
    for (const std::string_view side : split(condition, "||"))
        for (const std::string_view one : split(side, "&&")) {
            const std::string part(without_brackets(one));
            std::smatch match;
            if (part.find("<<") == part.npos && std::regex_match(part, match, comparison))
                guard.parts.push_back({match[1], match[2], match[3]});
        }
    return !guard.parts.empty();
}

// Between the test and the access: does the access stand in it?
bool holds(std::string_view between) {
    // Another head comes first: for (...) for (...) the access.
    static constexpr std::string_view heads[]{"for", "while", "if"};
    for (const std::string_view head : heads) {
        const std::string_view rest = trimmed(between);
        const std::size_t open = rest.starts_with(head) ? rest.find_first_not_of(" \t\n", head.size()) : rest.npos;
        const std::size_t close = open != rest.npos && rest[open] == '(' ? closing(rest, open) : rest.npos;
        if (close != rest.npos) return holds(rest.substr(close + 1));
    }
    if (trimmed(between).starts_with('{')) {
        int depth = 0;
        for (const char c : between) {
            depth += (c == '{') - (c == '}');
            if (c == '}' && depth == 0) return false;
        }
        return true;
    }
    return between.find(';') == between.npos;
}

bool all_are(const GuardText& guard, char sign) {
    return std::all_of(guard.parts.begin(), guard.parts.end(),
                       [&](const GuardPart& part) { return part.sign.front() == sign; });
}

bool is_one_word(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") != text.npos &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool looks_below_zero(const GuardText& guard) {
    return std::any_of(guard.parts.begin(), guard.parts.end(), [](const GuardPart& part) {
        return part.right == "0" || part.right == "-1" || part.left == "0" ||
               part.left.find("unsigned") != part.left.npos;
    });
}

// What the index adds to something that the test looks at without it: `y + j` of y; "" where it adds nothing.
std::string left_out(const GuardText& guard, std::string_view subscript) {
    static const std::regex sum(R"re(\b(\w+)\s*\+\s*(?=(\w+)\b(?!\.)))re");
    const std::string text(subscript);
    for (auto at = std::sregex_iterator(text.begin(), text.end(), sum); at != std::sregex_iterator(); ++at) {
        const auto looks_at = [&](const std::string& what) {
            return std::any_of(guard.parts.begin(), guard.parts.end(),
                               [&](const GuardPart& part) { return column_of(part.left, what) != 0; });
        };
        if (at->position() > 0 && text[static_cast<std::size_t>(at->position()) - 1] == '.') continue;  // threadIdx.x
        const bool is_alone = std::any_of(guard.parts.begin(), guard.parts.end(), [&](const GuardPart& part) {
            return part.left == (*at)[1] && is_one_word(part.right);
        });
        if (is_alone && !looks_at((*at)[2])) return fmt::format("{} + {}", (*at)[1].str(), (*at)[2].str());
    }
    return {};
}

std::string left_out_text(const GuardText& guard, std::string_view subscript) {
    const std::string more = left_out(guard, subscript);
    return more.empty() ? ""
                        : fmt::format("the index goes to {}, and the test in line {} looks at {} alone", more,
                                      guard.line, more.substr(0, more.find(' ')));
}

// `y < 0 || y >= rows || x >= cols`: of one number both ends are looked at, and of another one alone.
std::string one_below_zero(const GuardText& guard, std::string_view subscript) {
    const auto is_zero = [](const std::string& text) { return text == "0" || text == "-1"; };
    const auto looks_below = [&](const std::string& name) {
        return std::any_of(guard.parts.begin(), guard.parts.end(), [&](const GuardPart& part) {
            return (is_zero(part.right) && part.left == name) || (is_zero(part.left) && part.right == name);
        });
    };
    std::string both, one;
    for (const GuardPart& part : guard.parts) {
        if (!is_one_word(part.left) || is_zero(part.right) || column_of(subscript, part.left) == 0) continue;
        (looks_below(part.left) ? both : one) = part.left;
    }
    if (both.empty() || one.empty()) return {};
    return fmt::format("of `{}` the test in line {} looks at both ends, and of `{}` at one alone: is it below 0 here?",
                       both, guard.line, one);
}

std::string flaw_of(const GuardText& guard, std::string_view subscript, bool is_below_zero) {
    const bool is_several = guard.parts.size() > 1;
    const char* all = guard.parts.size() == 2 ? "both" : "all";
    if (guard.returns && guard.connector == "&&" && is_several && all_are(guard, '>'))
        return fmt::format(
            "the test in line {} keeps out only where {} comparisons hold, and one is enough to be outside: write || "
            "in place of &&",
            guard.line, all);
    if (!guard.returns && guard.connector == "||" && is_several && all_are(guard, '<'))
        return fmt::format(
            "the test in line {} is content where one comparison holds, and who is inside fulfils {}: write && in "
            "place of ||",
            guard.line, all);
    if (is_below_zero && looks_below_zero(guard)) return one_below_zero(guard, subscript);
    if (is_below_zero)
        return fmt::format("the test in line {} does not look below zero: it has to keep out what makes the index < 0",
                           guard.line);
    for (const GuardPart& part : guard.parts) {
        const bool takes_extent_in = guard.returns ? part.sign == ">" : part.sign == "<=";
        if (takes_extent_in && is_one_word(part.left) && part.right.find('*') != part.right.npos &&
            part.right.find_first_of("+-/") == part.right.npos && subscript.find(part.left) != subscript.npos)
            return fmt::format(
                "the last index inside is one less than `{0}`, and the test in line {1} lets that through: write {2} "
                "in "
                "place of {3}",
                part.right, guard.line, guard.returns ? ">=" : "<", part.sign);
        if (takes_extent_in && is_one_word(part.right))
            return fmt::format(
                "the last index inside is {0} - 1, and the test in line {1} lets {0} through: write {2} in place of "
                "{3}",
                part.right, guard.line, guard.returns ? ">=" : "<", part.sign);
    }
    return left_out_text(guard, subscript);
}

// `x < cols ? in[...` : the test of a conditional expression right before the array.
std::optional<GuardText> conditional_before(std::string_view before) {
    before = trimmed(before);
    if (!before.ends_with('?')) return std::nullopt;
    before = trimmed(before.substr(0, before.size() - 1));
    int depth = 0;
    std::size_t begin = before.size();
    while (begin > 0) {
        const char c = before[begin - 1];
        depth += (c == ')') - (c == '(');
        const bool is_assigned =
            c == '=' && begin > 1 && std::string_view("<>=!").find(before[begin - 2]) == before.npos;
        if (depth < 0 || (depth == 0 && (c == ';' || c == '?' || c == ',' || c == '{' || is_assigned))) break;
        --begin;
    }
    GuardText guard;
    return read_condition(before.substr(begin), guard) ? std::optional(guard) : std::nullopt;
}

}  // namespace

LoopText loop_around(std::string_view source, int line) {
    const auto all = loops_around(source, line);
    return all.empty() ? LoopText{} : all.back();
}

std::vector<LoopText> loops_around(std::string_view source, int line) {
    const std::string code = without_comments(source);
    const std::size_t end = offset_of_line(code, line);
    std::vector<LoopText> all;
    if (end == std::string::npos) return all;
    const std::size_t from = start_of_function(code, end);
    const std::string text = code.substr(from, end - from);
    static const std::regex head(R"re(\bfor\s*\()re");
    for (auto at = std::sregex_iterator(text.begin(), text.end(), head); at != std::sregex_iterator(); ++at) {
        const std::size_t open = static_cast<std::size_t>(at->position() + at->length()) - 1;
        const std::size_t close = closing(text, open);
        if (close == std::string::npos || !holds(std::string_view(text).substr(close + 1))) continue;
        all.push_back(
            {line_at(code, from + static_cast<std::size_t>(at->position())), text.substr(open + 1, close - open - 1)});
    }
    return all;
}

std::vector<GuardText> guards_before(std::string_view source, int line, std::string_view name) {
    const std::string code = without_comments(source);
    std::vector<GuardText> all;
    const std::size_t start = offset_of_line(code, line);
    if (start == std::string::npos) return all;
    const int column = column_of(line_of(code, line), name);
    const std::string_view before =
        std::string_view(code).substr(0, start + static_cast<std::size_t>(std::max(column - 1, 0)));
    static const std::regex test(R"re(\bif\s*\()re");
    const std::size_t from = start_of_function(code, before.size());
    const std::string text(before.substr(from));
    for (auto at = std::sregex_iterator(text.begin(), text.end(), test); at != std::sregex_iterator(); ++at) {
        const std::size_t open = static_cast<std::size_t>(at->position() + at->length()) - 1;
        const std::size_t close = closing(text, open);
        if (close == std::string::npos) continue;
        const std::string_view between = std::string_view(text).substr(close + 1);
        std::string_view next = trimmed(between);
        if (next.starts_with('{')) next = trimmed(next.substr(1));
        GuardText guard;
        guard.returns = next.starts_with("return") || next.starts_with("break") || next.starts_with("continue");
        guard.line = line_at(code, from + static_cast<std::size_t>(at->position()));
        if (!guard.returns && !holds(between)) continue;
        if (read_condition(std::string_view(text).substr(open + 1, close - open - 1), guard))
            all.push_back(std::move(guard));
    }
    std::reverse(all.begin(), all.end());
    if (auto nearest = conditional_before(before); nearest && column > 0) {
        nearest->line = line;
        all.insert(all.begin(), std::move(*nearest));
    }
    return all;
}

ShortBound bound_that_stops_early(std::string_view source, int by) {
    static const std::regex subtracted(R"re(\b(\w+)\s*(<=?|>=?)\s*(\w+)\s*-\s*(\d+)\b(?!\s*[*/]))re"),
        added(R"re(\b(\w+)\s*\+\s*(\d+)\s*(<=?|>=?)\s*([A-Za-z_]\w*)\b(?!\s*[-+*/.(\[]))re");
    const std::string code = without_comments(source);
    ShortBound found;
    int count = 0;
    const auto note = [&](const std::smatch& match, std::ptrdiff_t at, const std::string& left, const std::string& sign,
                          const std::string& number, const std::string& end) {
        // `>=` and `<` stop at the bound itself, the others after it.
        const bool is_exact = sign == "<" || sign == ">=";
        if (number.size() > 6 || !is_one_word(left) || std::stoi(number) - (is_exact ? 0 : 1) != by) return;
        ++count;
        found.line = line_at(code, static_cast<std::size_t>(at));
        found.text = match.str();
        found.instead = fmt::format("{} {} {}", left, sign.front() == '<' ? "<" : ">=", end);
    };
    for (auto at = std::sregex_iterator(code.begin(), code.end(), subtracted); at != std::sregex_iterator(); ++at)
        note(*at, at->position(), (*at)[1], (*at)[2], (*at)[4], (*at)[3]);
    for (auto at = std::sregex_iterator(code.begin(), code.end(), added); at != std::sregex_iterator(); ++at)
        note(*at, at->position(), (*at)[1], (*at)[3], (*at)[2], (*at)[4]);
    return count == 1 ? found : ShortBound{};
}

Advice advice_on_left_out(std::string_view source, int line, std::string_view name) {
    const std::string code = without_comments(source);
    for (const GuardText& guard : guards_before(source, line, name))
        for (const std::string_view subscript : subscripts_of(line_of(code, line), name))
            if (std::string text = left_out_text(guard, subscript); !text.empty()) return {std::move(text), guard.line};
    return {};
}

std::string advice_on_column_loop(std::string_view source, int line, std::string_view name) {
    static const std::regex flat(R"re(\*\s*([A-Za-z_]\w*)\s*\+\s*([A-Za-z_]\w*)\s*$)re");
    const std::string code = without_comments(source);
    for (const std::string_view subscript : subscripts_of(line_of(code, line), name)) {
        const std::string text(subscript);
        std::smatch match, bound;
        if (text.size() > 200 || !std::regex_search(text, match, flat)) continue;
        const std::string pitch = match[1], column = match[2];
        const std::regex ends(R"re(;\s*)re" + column + R"re(\s*<\s*([A-Za-z_]\w*)\s*;)re");
        for (const LoopText& loop : loops_around(code, line))
            if (std::regex_search(loop.head, bound, ends) && bound[1] != pitch)
                return fmt::format(
                    "in {0}[{1}] a row has `{2}` elements, and the loop in line {3} lets `{4}` go along it up to "
                    "`{5}`: is "
                    "{4} < {2} meant?",
                    name, text, pitch, loop.line, column, bound[1].str());
    }
    return {};
}

Advice advice_on_guard(std::string_view source, int line, std::string_view name, bool is_below_zero) {
    const auto subscripts = subscripts_of(line_of(source, line), name);
    for (const GuardText& guard : guards_before(source, line, name)) {
        for (const std::string_view subscript : subscripts)
            if (std::string flaw = flaw_of(guard, subscript, is_below_zero); !flaw.empty())
                return {std::move(flaw), guard.line};
        if (subscripts.empty())
            if (std::string flaw = flaw_of(guard, "", is_below_zero); !flaw.empty())
                return {std::move(flaw), guard.line};
    }
    return {};
}

}  // namespace warpgrade
