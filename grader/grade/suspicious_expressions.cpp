#include "grade/suspicious_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/code_text.hpp"
#include "base/text.hpp"

namespace warpgrade {

namespace {

bool is_number(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// #define NAME BODY, #define NAME(a, b) BODY
struct MacroText {
    std::string_view name, body;
    std::vector<std::string_view> parameters;
    bool has_parameters = false;
    int line = 0;
};

std::map<std::string_view, MacroText> macros_of(std::string_view code) {
    std::map<std::string_view, MacroText> macros;
    int number = 0;
    for (std::string_view line : split(code, '\n')) {
        ++number;
        line = trimmed(line);
        if (!line.starts_with("#")) continue;
        line = trimmed(line.substr(1));
        if (!line.starts_with("define") || line.ends_with("\\")) continue;
        line = trimmed(line.substr(6));
        std::size_t end = 0;
        while (end < line.size() && is_word(line[end])) ++end;
        MacroText macro{line.substr(0, end), {}, {}, false, number};
        line.remove_prefix(end);
        if (line.starts_with("(")) {
            macro.has_parameters = true;
            const std::size_t close = std::min(line.find(')'), line.size() - 1);
            for (const std::string_view parameter : split(line.substr(1, close - 1), ','))
                macro.parameters.push_back(trimmed(parameter));
            line.remove_prefix(close + 1);
        }
        macro.body = trimmed(line);
        if (!macro.name.empty() && !macro.body.empty()) macros.insert_or_assign(macro.name, std::move(macro));
    }
    return macros;
}

class Expressions : public SuspiciousText {
public:
    Expressions(const std::string& source, const Outline& outline)
        : SuspiciousText(outline.tokens), code_(without_comments(source)), macros_(macros_of(code_)) {
        for (const FunctionText& function : outline.functions) {
            for (std::size_t i = function.body_begin; i < function.body_end; ++i) {
                const std::string_view word = text(i);
                if ((word == "if" || word == "while") && text(i + 1) == "(") condition(i + 1);
                if ((word == "for" || word == "while") && text(i + 1) == "(") empty_loop(i);
                if (word == "^") power(i);
                if (word == "/") division(i);
                if (word == "ceil" && text(i + 1) == "(") ceiling(i);
                if (word == "<<<") exchanged_launch(i);
                if (word == "extern") shared_pointer(i);
                if (tokens_[i].is_word) macro(i);
            }
        }
    }

private:
    // Whether two tokens make one operator: `&` `&`, `!` `=`.
    bool is_joined(std::size_t i) const {
        return i > 0 && i < tokens_.size() && !tokens_[i].is_word && !tokens_[i - 1].is_word &&
               tokens_[i].line == tokens_[i - 1].line &&
               tokens_[i].column == tokens_[i - 1].column + static_cast<int>(tokens_[i - 1].text.size());
    }
    // Past the bracket that closes the one at `open`, if one opens there; a longer expression is not looked through.
    std::size_t past(std::size_t open) const {
        constexpr std::size_t longest = 2000;
        return text(open) == "(" ? SuspiciousText::past(open, open + longest, open + 1) : open + 1;
    }
    // The `<` of static_cast<int>(x) and of name<32>(x).
    bool opens_template(std::size_t i) const {
        if (text(i) != "<" || i == 0 || !tokens_[i - 1].is_word) return false;
        if (text(i - 1).ends_with("_cast")) return true;
        int depth = 0;
        for (std::size_t end = i; end < std::min(i + 16, tokens_.size()); ++end) {
            if (text(end) == "<") ++depth;
            if (text(end) == ">" && --depth == 0) return text(end + 1) == "(" || text(end + 1) == "::";
            if (!tokens_[end].is_word && text(end) != "<" && text(end) != "::" && text(end) != "," && text(end) != "*")
                return false;
        }
        return false;
    }

    // The && or || between two parts of a condition; the brackets around them all.
    struct Joint {
        std::size_t begin = 0, end = 0;  // tokens
        std::string_view sign;
    };
    // What stands between && and || in the brackets that open at `open`, and in those inside of them.
    void condition(std::size_t open, int depth_of_brackets = 0) {
        constexpr int deepest = 8;
        const std::size_t end = past(open) - 1;
        if (end <= open || depth_of_brackets > deepest) return;
        std::vector<Joint> joints{{open, open + 1, {}}};
        int depth = 0;
        for (std::size_t i = open + 1; i < end; ++i) {
            if (text(i) == "(" && (text(i - 1) == "(" || !tokens_[i - 1].is_word) && text(i - 1) != "]" &&
                text(i - 1) != ")" && text(i - 1) != ">")
                condition(i, depth_of_brackets + 1);
            depth += (text(i) == "(" || text(i) == "[") - (text(i) == ")" || text(i) == "]");
            if (depth != 0) continue;
            if (text(i) == "and" || text(i) == "or") joints.push_back({i, i + 1, text(i) == "and" ? "&&" : "||"});
            if (is_joined(i) && text(i) == text(i - 1) && (text(i) == "&" || text(i) == "|"))
                joints.push_back({i - 1, i + 1, text(i) == "&" ? "&&" : "||"});
        }
        joints.push_back({end, end + 1, {}});
        for (std::size_t part = 0; part + 1 < joints.size(); ++part)
            look_at_part(joints[part].end, joints[part + 1].begin, joints.size() > 2);
        for (std::size_t part = 1; part + 1 < joints.size(); ++part) look_at_pair(joints, part);
    }

    // `y < 0`: what is compared, how, and with what.
    struct Comparison {
        std::string left, sign, right;
    };
    Comparison comparison(std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin + 1; i < end; ++i) {
            if (text(i) != "<" && text(i) != ">" && text(i) != "<=") continue;
            const bool is_equal = text(i) != "<=" && text(i + 1) == "=" && is_joined(i + 1);
            const std::size_t right = i + (is_equal ? 2 : 1);
            return {shown(begin, i), std::string(text(i)) + (is_equal ? "=" : ""), shown(right, end)};
        }
        return {};
    }
    // y < 0 && y >= rows, which nothing is; y >= 0 || y < rows, which everything is.
    void look_at_pair(const std::vector<Joint>& joints, std::size_t middle) {
        const std::string_view joint = joints[middle].sign;
        const bool is_and = joint == "&&";
        // Beside an &&, an || joins more than these two.
        if (!is_and && std::any_of(joints.begin(), joints.end(), [](const Joint& one) { return one.sign == "&&"; }))
            return;
        Comparison low = comparison(joints[middle - 1].end, joints[middle].begin);
        Comparison high = comparison(joints[middle].end, joints[middle + 1].begin);
        if (low.left.empty() || low.left != high.left) return;
        if (high.right == "0") std::swap(low, high);
        if (low.right != "0" || high.right.empty() || !is_word(high.right.front())) return;
        const bool is_never = is_and && low.sign == "<" && high.sign.front() == '>';
        const bool is_always = !is_and && low.sign == ">=" && high.sign.front() == '<';
        if (!is_never && !is_always) return;
        warn(joints[middle].begin,
             fmt::format("`{}` {}", shown(joints[middle - 1].end, joints[middle + 1].begin),
                         is_never ? "is never true" : "always holds, whatever `" + low.left + "` is"),
             is_never ? "outside is what is on one side or on the other: write ||"
                      : "inside is what is within both bounds: write &&");
    }

    void look_at_part(std::size_t begin, std::size_t end, bool has_more) {
        int depth = 0;
        std::size_t less = 0, more = 0, bits = 0;  // tokens
        bool has_comparison = false, is_plain_before_bits = false, is_plain_behind_bits = true;
        for (std::size_t i = begin; i < end; ++i) {
            if (opens_template(i)) {
                while (i < end && text(i) != ">") ++i;
                continue;
            }
            depth += (text(i) == "(" || text(i) == "[") - (text(i) == ")" || text(i) == "]");
            if (depth != 0) continue;
            const bool is_less = text(i) == "<" || text(i) == "<=", is_more = text(i) == ">";
            // What stands between has its own comparison.
            if (text(i) == "&" || text(i) == "|" || text(i) == "^" || text(i) == "?" || text(i) == ":" ||
                text(i) == "," || text(i) == "=")
                less = more = 0;
            if (is_less && less != 0) return chain(begin, less, i);
            if (is_more && more != 0) return chain(begin, more, i);
            if (is_less) less = i;
            if (is_more) more = i;
            const bool is_equal = text(i) == "==" || (text(i) == "=" && is_joined(i) && text(i - 1) == "!");
            if (is_less || is_more || is_equal) {
                has_comparison = true;
                is_plain_behind_bits = false;
            }
            if ((text(i) == "&" || text(i) == "|") && i > begin && bits == 0 && !is_joined(i) && !is_joined(i + 1) &&
                (tokens_[i - 1].is_word || text(i - 1) == ")" || text(i - 1) == "]")) {
                bits = i;
                is_plain_before_bits = !has_comparison;
                is_plain_behind_bits = true;
            }
            if (has_more && text(i) == "=" && i > begin && !is_joined(i) && text(i + 1) != "=" &&
                tokens_[i - 1].is_word && !is_declaration(begin, i))
                return warn(
                    i, fmt::format("one `=` stores: this condition sets `{}`, and does not compare it", text(i - 1)),
                    "to compare, write ==");
        }
        if (bits != 0 && has_comparison && is_plain_before_bits != is_plain_behind_bits)
            warn(bits,
                 fmt::format("`{}` joins bits, here of a number with the outcome of a comparison, which is 0 or 1",
                             text(bits)),
                 fmt::format("comparisons are worked out first: write a < n {0}{0} b < n, or (a {0} b) < n",
                             text(bits)));
    }
    // int n = next()
    bool is_declaration(std::size_t begin, std::size_t equals) const {
        return equals >= begin + 2 &&
               (tokens_[equals - 2].is_word || text(equals - 2) == "*" || text(equals - 2) == "&");
    }
    void chain(std::size_t begin, std::size_t first, std::size_t second) {
        if (first <= begin || second <= first + 1) return;
        const std::string middle = shown(first + 1, second);
        warn(second,
             fmt::format("`{}` is 0 or 1, and that is what `{}` compares here", shown(begin, second), text(second)),
             fmt::format("C++ compares two at a time: write {} && {} {} ...", shown(begin, second), middle,
                         text(second)));
    }

    void empty_loop(std::size_t i) {
        const std::size_t behind = past(i + 1);
        if (behind > i + 2 && text(behind) == ";" && text(behind + 1) == "{")
            warn(behind,
                 fmt::format("this `;` is all that the `{}` repeats: the {{ }} behind it is done once", text(i)),
                 "take the `;` behind the ) out");
    }

    void power(std::size_t i) {
        if (i == 0 || (text(i - 1) != "2" && text(i - 1) != "10") || text(i + 1) == "=") return;
        if (i > 1 && (text(i - 2) == "." || text(i - 2) == "^")) return;
        warn(i, fmt::format("`{} ^ {}` is no power: ^ compares bit by bit (exclusive or)", text(i - 1), text(i + 1)),
             text(i - 1) == "2" ? fmt::format("2 to the {0} is 1 << {0}; twice {0} is 2 * {0}", text(i + 1))
                                : "write the number out");
    }

    void division(std::size_t i) {
        if (i == 0 || !is_number(text(i - 1)) || !is_number(text(i + 1)) || text(i + 2) == ".") return;
        if (i > 1 && (text(i - 2) == "." || tokens_[i - 2].is_word)) return;
        const auto less = [](std::string_view a, std::string_view b) {
            return a.size() != b.size() ? a.size() < b.size() : a < b;
        };
        const bool is_behind_product = i > 1 && (text(i - 2) == "*" || text(i - 2) == "/" || text(i - 2) == "%");
        if (!less(text(i - 1), text(i + 1)) || is_behind_product) return;
        warn(i, fmt::format("`{} / {}` is 0: whole numbers are divided without a rest", text(i - 1), text(i + 1)),
             fmt::format("multiply first and divide by {} last, or write {}.0f / {}", text(i + 1), text(i - 1),
                         text(i + 1)));
    }

    // Every word of it a whole number, as the file declares them.
    bool is_of_whole_numbers(std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i) {
            if (text(i) == "." || text(i) == "<" || text(i) == "[") return false;
            if (!tokens_[i].is_word || is_number(text(i))) continue;
            bool is_whole = false;
            for (std::size_t at = 1; at < tokens_.size(); ++at) {
                if (text(at) != text(i)) continue;
                const std::string_view type = text(at - 1);
                if (type == "float" || type == "double" || type == "auto") return false;
                is_whole = is_whole || type == "int" || type == "unsigned" || type == "size_t";
            }
            if (!is_whole) return false;
        }
        return true;
    }
    void ceiling(std::size_t i) {
        const std::size_t end = past(i + 1) - 1;
        if (searches_left_-- <= 0) return;
        for (std::size_t at = i + 2; at < end; ++at)
            if (text(at) == "/" && is_of_whole_numbers(i + 2, end))
                return warn(
                    at,
                    fmt::format("`{}` is rounded down before ceil sees it: both are whole numbers", shown(i + 2, end)),
                    fmt::format("to round up: ({0} + {1} - 1) / {1}", shown(i + 2, at), shown(at + 1, end)));
    }

    // kernel<<<block, grid>>>: the names say which is which.
    void exchanged_launch(std::size_t i) {
        const std::size_t behind = text(i + 4) == "(" ? past(i + 4) : i + 4;
        if (text(i + 2) != "," || (text(behind) != ">>>" && text(behind) != ",")) return;
        const auto is_grid = [](std::string_view name) {
            return name.find("grid") != name.npos || name.find("Grid") != name.npos ||
                   name.find("blocks") != name.npos || name.find("Blocks") != name.npos ||
                   name.find("BLOCKS") != name.npos;
        };
        const auto is_block = [&](std::string_view name) {
            return !is_grid(name) && (name.starts_with("block") || name.find("thread") != name.npos ||
                                      name.find("Thread") != name.npos || name.find("THREADS") != name.npos);
        };
        if (is_block(text(i + 1)) && is_grid(text(i + 3)))
            warn(i + 1,
                 fmt::format("`{}` stands in the grid's place, and `{}` in the block's", text(i + 1), text(i + 3)),
                 fmt::format("the grid comes first: <<<{}, {}>>>", shown(i + 3, behind), text(i + 1)));
    }

    // extern __shared__ float* tile;
    void shared_pointer(std::size_t i) {
        if (text(i + 1) != "__shared__" || searches_left_-- <= 0) return;
        std::size_t end = i;
        while (end < tokens_.size() && text(end) != ";" && text(end) != "[") ++end;
        if (text(end) != ";" || text(end - 2) != "*") return;
        for (std::size_t at = end; at + 1 < tokens_.size(); ++at)
            if (text(at) == text(end - 1) && text(at + 1) == "=") return;  // somebody sets it
        warn(end - 1, fmt::format("`{}` is a pointer here, which nothing is stored to: no array", text(end - 1)),
             fmt::format("write extern __shared__ {} {}[];", shown(i + 2, end - 2), text(end - 1)));
    }

    static bool is_outside(std::string_view body, std::size_t at) {
        int depth = 0;
        for (std::size_t i = 0; i < at; ++i)
            depth += (std::string_view("([{").find(body[i]) != std::string_view::npos) -
                     (std::string_view(")]}").find(body[i]) != std::string_view::npos);
        return depth == 0;
    }
    // A + or - between two values, outside of brackets.
    static bool has_sum(std::string_view body) {
        for (std::size_t i = 1; i + 1 < body.size(); ++i)
            if ((body[i] == '+' || body[i] == '-') && is_outside(body, i)) {
                const std::string_view before = trimmed(body.substr(0, i));
                if (!before.empty() && (is_word(before.back()) || before.back() == ')')) return true;
            }
        return false;
    }
    static bool binds_stronger(std::string_view op) { return op == "*" || op == "/" || op == "%"; }

    // `n / TILE` where TILE is put in as 16 + 16.
    void macro(std::size_t i) {
        const auto found_macro = macros_.find(text(i));
        if (found_macro == macros_.end()) return;
        const MacroText* known = &found_macro->second;
        if (known->has_parameters && text(i + 1) != "(") return;
        const std::size_t behind = known->has_parameters ? past(i + 1) : i + 1;
        const bool is_sum = has_sum(known->body);
        const std::string_view before = i > 0 ? text(i - 1) : std::string_view();
        const std::string_view neighbour = binds_stronger(before) || before == "-" ? before
                                           : binds_stronger(text(behind))          ? text(behind)
                                                                                   : std::string_view();
        if (is_sum && !neighbour.empty() && (neighbour != "-" || !is_unary(i - 1)) && told_.insert(known->name).second)
            return warn(i,
                        fmt::format("`{}` is put in as `{}`, of which the `{}` beside it takes one part", known->name,
                                    known->body, neighbour),
                        fmt::format("write brackets around it in line {}: ({})", known->line, known->body));
        if (known->has_parameters) arguments(*known, i, behind);
    }
    bool is_unary(std::size_t i) const { return i == 0 || (!tokens_[i - 1].is_word && text(i - 1) != ")"); }

    // IDX(y + 1, x) where IDX(r, c) is r * cols + c; and a division in the text that comes before its sum.
    void arguments(const MacroText& macro, std::size_t i, std::size_t behind) {
        const std::string_view body = macro.body;
        for (std::size_t at = 1; at < body.size(); ++at) {
            if (body[at] != '/' || !is_outside(body, at) || !has_sum(body.substr(0, at))) continue;
            return warn(i, fmt::format("in `{}`, which `{}` stands for, the division comes first", body, macro.name),
                        fmt::format("write brackets in line {}, around the sum and around the whole", macro.line));
        }
        std::size_t begin = i + 2;
        int depth = 0;
        std::size_t number = 0;
        for (std::size_t at = begin; at < behind; ++at) {
            if ((text(at) == "," && depth == 0) || at + 1 == behind) {
                if (number < macro.parameters.size() && is_factor(body, macro.parameters[number]) &&
                    has_sum(shown(begin, at)))
                    return warn(begin,
                                fmt::format("`{}` is put into `{}` as text: the product takes one part of it",
                                            shown(begin, at), body),
                                fmt::format("write ({0}) for {0} in the macro, line {1}", macro.parameters[number],
                                            macro.line));
                begin = at + 1;
                ++number;
            }
            depth += (text(at) == "(" || text(at) == "[") - (text(at) == ")" || text(at) == "]");
        }
    }
    // The parameter stands beside a *, / or % without brackets of its own.
    static bool is_factor(std::string_view body, std::string_view parameter) {
        for (std::size_t at = body.find(parameter); at != body.npos; at = body.find(parameter, at + 1)) {
            const std::size_t end = at + parameter.size();
            if ((at > 0 && is_word(body[at - 1])) || (end < body.size() && is_word(body[end]))) continue;
            const std::string_view before = trimmed(body.substr(0, at)), behind = trimmed(body.substr(end));
            if ((!before.empty() && binds_stronger(before.substr(before.size() - 1))) ||
                binds_stronger(behind.substr(0, 1)))
                return true;
        }
        return false;
    }

    const std::string code_;
    std::map<std::string_view, MacroText> macros_;  // by name, the last of each
    std::set<std::string_view> told_;               // macros
    int searches_left_ = 100;                       // through the whole file
};

}  // namespace

std::vector<SuspiciousPlace> suspicious_expressions(const std::string& source, const Outline& outline) {
    return Expressions(source, outline).found;
}

}  // namespace warpgrade
