#include "grade/suspicious_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace warpgrade {

namespace {

// A variable of a function, and the tokens in which its name means it.
struct Local {
    std::size_t at = 0, end = 0;  // of its name, and one past its scope
    std::size_t value_end = 0;    // one past its initialiser; 0: it has none
};

class Variables : public SuspiciousText {
public:
    explicit Variables(const Outline& outline) : SuspiciousText(outline.tokens) {
        for (const FunctionText& function : outline.functions) {
            if (!function.is_on_device() || function.has_conditions) continue;
            if (function.body_end - function.body_begin > longest) continue;
            locals_.clear();
            read_block(function.body_begin, function.body_end);
            look_for_hidden();
            look_for_loads_of_no_use();
            look_for_lost_stores(function);
            look_for_unset_sums();
            if (function.side == Side::kernel) look_for_element_in_each_sum();
            look_for_lost_turns(function);
            look_for_unread_arrays(function);
        }
    }

private:
    static constexpr std::size_t longest = 5000;  // tokens

    std::size_t past(std::size_t open, std::size_t end) const { return SuspiciousText::past(open, end, end); }
    static bool is_type(std::string_view word) {
        static constexpr std::array types{"int",  "float", "double", "unsigned", "size_t", "long", "bool",
                                          "auto", "char",  "short",  "float4",   "float2", "T",    "int64_t"};
        return std::find(types.begin(), types.end(), word) != types.end();
    }
    // One past a statement: its ; or its last }.
    std::size_t statement_end(std::size_t i, std::size_t end) const {
        while (i < end) {
            if (text(i) == "(" || text(i) == "[") {
                i = past(i, end);
            } else if (text(i) == "{") {
                i = past(i, end);
                return text(i) == "else" ? statement_end(i + 1, end) : i;
            } else if (text(i) == ";") {
                return text(i + 1) == "else" ? statement_end(i + 2, end) : i + 1;
            } else {
                ++i;
            }
        }
        return end;
    }
    // int a = 1, b; from the type on: the names, whose scope ends at `scope_end`.
    void read_declaration(std::size_t i, std::size_t scope_end) {
        while (is_type(text(i)) || text(i) == "const") ++i;
        for (;;) {
            if (!tokens_[i].is_word) return;
            const std::string_view next = text(i + 1);
            if (next != "=" && next != ";" && next != ",") return;
            if (next == "=" && text(i + 2) == "=") return;
            Local local{i, scope_end, 0};
            std::size_t at = i + 1;
            while (at < scope_end && text(at) != ";" && text(at) != ",")
                at = text(at) == "(" || text(at) == "[" || text(at) == "{" ? past(at, scope_end) : at + 1;
            if (next == "=") local.value_end = at;
            locals_.push_back(local);
            if (text(at) != ",") return;
            i = at + 1;
        }
    }
    void read_block(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (text(i) == "{") {
                const std::size_t close = past(i, end);
                read_block(i + 1, close - 1);
                i = close - 1;
            } else if (text(i) == "for" && text(i + 1) == "(") {
                const std::size_t close = past(i + 1, end), last = statement_end(close, end);
                if (is_type(text(i + 2)) || text(i + 2) == "const") read_declaration(i + 2, last);
                read_block(close, last);
                i = last - 1;
            } else if (is_type(text(i)) && !is_type(text(i + 1)) && (i == begin || starts_statement(i, begin))) {
                read_declaration(i, end);
            }
        }
    }
    bool starts_statement(std::size_t i, std::size_t begin) const {
        while (i > begin && (is_type(text(i - 1)) || text(i - 1) == "const" || text(i - 1) == "std" ||
                             text(i - 1) == "::" || text(i - 1) == "constexpr" || text(i - 1) == "static"))
            --i;
        return i == begin || text(i - 1) == ";" || text(i - 1) == "{" || text(i - 1) == "}";
    }

    bool is_name(std::size_t i, std::string_view name) const {
        return text(i) == name && (i == 0 || (text(i - 1) != "." && text(i - 1) != "->" && text(i - 1) != "::"));
    }
    // Of this variable, and not of another of its name.
    std::size_t uses_of(const Local& local) const {
        std::size_t uses = 0;
        const std::string_view name = text(local.at);
        for (std::size_t i = local.at + 1; i < local.end; ++i) {
            if (!is_name(i, name)) continue;
            const bool is_other = std::any_of(locals_.begin(), locals_.end(), [&](const Local& other) {
                return other.at > local.at && text(other.at) == name && other.at <= i && i < other.end;
            });
            uses += !is_other;
        }
        return uses;
    }

    void look_for_hidden() {
        for (const Local& inner : locals_)
            for (const Local& outer : locals_) {
                const bool hides = text(outer.at) == text(inner.at) && outer.at < inner.at && inner.at < outer.end &&
                                   inner.end <= outer.end;
                if (!hides) continue;
                const std::string_view name = text(inner.at);
                const int line = tokens_[outer.at].line;
                if (uses_of(inner) == 0)
                    return warn(
                        inner.at,
                        fmt::format("this `{}` is a new variable, used nowhere: the `{}` of line {} stays as "
                                    "it is",
                                    name, name, line),
                        fmt::format("to set the one of line {}, leave out the type in front of `{}`", line, name));
                if (uses_of(outer) == 0)
                    return warn(
                        inner.at,
                        fmt::format("this `{}` hides the `{}` of line {}, which is used nowhere", name, name, line),
                        fmt::format("from here on `{}` is the new one: is the one of line {} meant?", name, line));
            }
    }

    // float sum; and the first that is done with it, in a loop, is sum += ... The compiler sees it outside of loops.
    bool begins_in_loop(const Local& local) {
        const std::string_view name = text(local.at);
        std::size_t use = local.at + 1;
        bool is_in_loop = false;
        for (; use < local.end && !is_name(use, name); ++use)
            is_in_loop = is_in_loop || text(use) == "for" || text(use) == "while";
        const bool adds = text(use + 2) == "=" && text(use + 3) != "=" &&
                          (text(use + 1) == "+" || text(use + 1) == "-" || text(use + 1) == "*");
        bool is_of_itself = text(use + 1) == "=" && text(use + 2) != "=";
        if (is_of_itself) {
            const std::size_t end = statement_end(use, local.end);
            std::size_t at = use + 2;
            while (at < end && !is_name(at, name)) ++at;
            is_of_itself = at < end;
        }
        if (use >= local.end || !is_in_loop || !(adds || is_of_itself)) return false;
        warn(local.at, fmt::format("`{}` begins with no value, and line {} adds to it", name, tokens_[use].line),
             "it holds anything before that: is it to begin with 0?");
        return true;
    }

    // const float b = in[i]; and no more of b
    void look_for_loads_of_no_use() {
        for (const Local& local : locals_) {
            if (local.value_end == 0 || uses_of(local) != 0) continue;
            for (std::size_t i = local.at; i < local.value_end; ++i)
                if (text(i) == "[") {
                    warn(local.at, fmt::format("`{}` gets an element here, and is used nowhere", text(local.at)),
                         "where is it to be added, or stored?");
                    break;
                }
        }
    }

    // The operator behind a name, as one word: "+=" also where it is two tokens.
    std::string operator_behind(std::size_t i) const {
        const std::string_view one = text(i + 1), two = text(i + 2);
        if (one.size() == 1 && (two == "=" || (two == one && (one == "+" || one == "-"))) &&
            std::string_view("+-*/=<>!&|").find(one) != std::string_view::npos)
            return std::string(one) + std::string(two);
        return std::string(one);
    }

    // float sum; and the first that is said of it is sum += in[i];
    void look_for_unset_sums() {
        for (const Local& local : locals_) {
            if (local.value_end != 0 || begins_in_loop(local) || text(local.at + 1) != ";") continue;
            const std::string_view name = text(local.at), before = text(local.at - 1);
            if (!is_type(before)) continue;
            std::size_t first = local.at + 1;
            while (first < local.end && !is_name(first, name)) ++first;
            if (first >= local.end) continue;
            const std::string sign = operator_behind(first);
            if (sign == "+=" || sign == "-=" || sign == "*=" || sign == "++")
                warn(local.at,
                     fmt::format("`{}` begins with no value, and line {} adds to it", name, tokens_[first].line),
                     fmt::format("it holds anything before that: let it begin with a value, {} {} = 0", before, name));
        }
    }

    // float sum = in[0]; for (i = this thread; ...) sum += in[i];
    void look_for_element_in_each_sum() {
        for (const Local& local : locals_) {
            if (text(local.at + 1) != "=" || text(local.at + 3) != "[" || text(local.at + 4) != "0" ||
                text(local.at + 5) != "]" || text(local.at + 6) != ";")
                continue;
            const std::string_view name = text(local.at), array = text(local.at + 2);
            bool is_in_loop = false;
            for (std::size_t i = local.at + 7; i < local.end; ++i) {
                is_in_loop = is_in_loop || text(i) == "for" || text(i) == "while";
                if (text(i) == "=" && text(i + 1) == "1" && text(i + 2) == ";") break;  // goes on behind it
                if (!is_in_loop || !is_name(i, name) || operator_behind(i) != "+=") continue;
                const std::size_t value = text(i + 1) == "+=" ? i + 2 : i + 3;
                if (text(value) == array && text(value + 1) == "[")
                    warn(local.at,
                         fmt::format("every thread begins with {}[0], so that it is in the sum once for each thread",
                                     array),
                         fmt::format("begin with 0: {} = 0", name));
                break;
            }
        }
    }

    // for (...) sum = in[i]; where the loop never looks at sum
    void look_for_lost_turns(const FunctionText& function) {
        for (std::size_t i = function.body_begin; i + 1 < function.body_end; ++i) {
            if ((text(i) != "for" && text(i) != "while") || text(i + 1) != "(") continue;
            const std::size_t head = past(i + 1, function.body_end), last = statement_end(head, function.body_end);
            for (std::size_t at = head; at + 4 < last; ++at) {
                const std::string_view before = text(at - 1);
                if (before != ";" && before != "{" && before != "}" && before != ")") continue;
                if (!tokens_[at].is_word) continue;
                const std::size_t sign = text(at + 1) == "[" ? past(at + 1, last) : at + 1;
                if (text(sign) != "=" || text(sign + 1) == "=" || text(sign + 2) != "[") continue;
                if (text(past(sign + 2, last)) == ";") look_for_lost_turn(i, at, sign, last);
            }
        }
    }
    // One that the loop sets, in its head or in its body.
    bool is_set_in(std::size_t begin, std::size_t end, std::string_view name) const {
        for (std::size_t k = begin; k < end; ++k) {
            if (!is_name(k, name)) continue;
            const std::string sign = operator_behind(k);
            const bool sets = sign.size() == 2 && sign != "==" && sign != "<=" && sign != ">=" && sign != "!=";
            if (sign == "=" || (sets && (sign.back() == '=' || sign == "++" || sign == "--"))) return true;
            if (k > 1 && (text(k - 1) == "++" || text(k - 1) == "--")) return true;
            if (k > 2 && text(k - 1) == text(k - 2) && (text(k - 1) == "+" || text(k - 1) == "-")) return true;
        }
        return false;
    }
    void look_for_lost_turn(std::size_t loop, std::size_t at, std::size_t sign, std::size_t last) {
        const std::string_view name = text(at);
        std::size_t uses = 0;
        // Of an array, a thread's own element: partial[tid], partial[threadIdx.x].
        const bool is_own = sign == at + 1 || sign == at + 4 || (sign == at + 6 && text(at + 2) == "threadIdx");
        if (!is_own) return;
        // An element that is another one in each turn keeps what it has.
        for (std::size_t k = at + 1; k < sign; ++k)
            if (tokens_[k].is_word && (is_set_in(loop, last, text(k)) || text(k + 1) == "(")) return;
        // What comes from one place is the same in each turn.
        bool differs = false;
        for (std::size_t k = sign + 2; k < last && text(k) != ";"; ++k)
            differs = differs || (tokens_[k].is_word && is_set_in(loop, last, text(k)));
        if (!differs) return;
        for (std::size_t k = loop; k < last; ++k) {
            uses += is_name(k, name);
            if (text(k) == "break" || text(k) == "return" || text(k) == "if" || text(k) == "?") return;
        }
        const bool is_outer = std::any_of(locals_.begin(), locals_.end(), [&](const Local& local) {
            return text(local.at) == name && local.at < loop && last < local.end;
        });
        if (uses != 1 || (!is_outer && sign == at + 1)) return;
        std::string element(name);
        for (std::size_t k = at + 1; k < sign; ++k) element += text(k);
        warn(at, fmt::format("each turn of the loop stores over what `{}` had from the one before", element),
             fmt::format("to add, write {} +=", element));
    }

    bool is_same(std::size_t a, std::size_t b, std::size_t count) const {
        for (std::size_t i = 0; i < count; ++i)
            if (text(a + i) != text(b + i)) return false;
        return true;
    }
    // partial[tid] = a; partial[tid] = b;
    void look_for_lost_stores(const FunctionText& function) {
        for (std::size_t i = function.body_begin; i + 1 < function.body_end; ++i) {
            const std::string_view before = i == function.body_begin ? ";" : text(i - 1);
            if (!tokens_[i].is_word || text(i + 1) != "[") continue;
            if (before != ";" && before != "{" && before != "}") continue;
            std::size_t sign = i + 1;
            while (text(sign) == "[") sign = past(sign, function.body_end);
            if (text(sign) != "=" || text(sign + 1) == "=") continue;
            const std::size_t next = statement_end(sign, function.body_end), length = sign + 1 - i;
            if (next + length > function.body_end || !is_same(i, next, length)) continue;
            bool is_read = false;
            for (std::size_t at = next + length; at < statement_end(next, function.body_end); ++at)
                is_read = is_read || text(at) == text(i);
            if (!is_read)
                warn(next,
                     fmt::format("this stores over what line {} has stored to the same element of `{}`, which nobody "
                                 "has read",
                                 tokens_[i].line, text(i)),
                     "is += meant, or one sum of both?");
        }
    }

    // __shared__ float sums[8]; that nobody reads
    void look_for_unread_arrays(const FunctionText& function) {
        for (std::size_t i = function.body_begin; i < function.body_end; ++i) {
            if (text(i) != "__shared__") continue;
            std::size_t name = i;
            while (name < function.body_end && text(name + 1) != "[" && text(name + 1) != ";") ++name;
            if (text(name + 1) != "[" || text(i - 1) == "extern") continue;
            std::size_t store = 0;
            bool is_read = false;
            for (std::size_t at = name + 1; at < function.body_end; ++at) {
                if (!is_name(at, text(name))) continue;
                std::size_t sign = at + 1;
                while (text(sign) == "[") sign = past(sign, function.body_end);
                const bool is_store = sign > at + 1 && text(sign) == "=" && text(sign + 1) != "=";
                is_read = is_read || !is_store;
                if (is_store && store == 0) store = at;
            }
            if (store != 0 && !is_read)
                warn(store, fmt::format("`{}` is stored to here, and read nowhere", text(name)),
                     "which thread is to read it, behind a __syncthreads()?");
        }
    }

    std::vector<Local> locals_;
};

}  // namespace

std::vector<SuspiciousPlace> suspicious_variables(const Outline& outline) { return Variables(outline).found; }

}  // namespace warpgrade
