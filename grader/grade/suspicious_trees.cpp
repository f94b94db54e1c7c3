#include "grade/suspicious_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace warpgrade {

namespace {

class Trees : public SuspiciousText {
public:
    explicit Trees(const Outline& outline) : SuspiciousText(outline.tokens) {
        for (const FunctionText& function : outline.functions) {
            if (!function.is_on_device()) continue;
            std::string_view loop;  // the variable of the last `for`
            Growth growth;          // of that, and how far the loop goes
            std::size_t loop_end = 0;
            for (std::size_t i = function.body_begin; i < function.body_end; ++i) {
                if (text(i) == "for" && text(i + 1) == "(") {
                    loop = variable_of(i + 1);
                    const std::size_t head_end = past(i + 1, function.body_end, i);
                    growth = growth_of(loop, head_end);
                    loop_end = text(head_end) == "{" ? past(head_end, function.body_end, head_end)
                                                     : next_statement(head_end, function.body_end);
                }
                if (text(i) == "__ffs" && text(i + 1) == "(") first_lane(i);
                if (loop.empty() || !tokens_[i].is_word) continue;
                const bool is_step =
                    ((adds_partner(i, text(i + 2), loop) || takes_before(i, loop)) && has_barrier(i, loop_end)) ||
                    adds_lane(i, loop);
                if (i < loop_end) stores_before(i, loop, function.body_begin);
                if (growth.at != 0 && i < loop_end && is_step && (growth.by == "1" || is_tested(i, loop))) {
                    steps_by_addition(growth, loop);
                    growth = {};
                }
                multiples(i, loop);
                products(i, loop);
                sums(i, loop);
                if (takes_before(i, loop)) one_too_few(i, loop);
                if (text(i).starts_with("__shfl_") && text(i + 1) == "(") shuffle(i, loop, function.body_end);
            }
        }
    }

private:
    bool reads(std::size_t i, std::initializer_list<std::string_view> words) const {
        for (const std::string_view word : words)
            if (text(i++) != word) return false;
        return true;
    }
    // for (int s = ...
    std::string_view variable_of(std::size_t open) const {
        for (std::size_t i = open + 1; i < open + 8 && i < tokens_.size(); ++i)
            if (text(i) == "=") return text(i - 1);
        return {};
    }
    // a[x] += a[x + s], from a on; past the first bracket 0 if it is not.
    bool adds_partner(std::size_t i, std::string_view index, std::string_view step) const {
        const std::string_view array = text(i);
        if (!reads(i, {array, "[", index, "]"})) return false;
        std::size_t at = i + 4;
        if (text(at) == "+=") {
            ++at;
        } else if (text(at) == "+" && text(at + 1) == "=") {
            at += 2;
        } else if (reads(at, {"=", array, "[", index, "]", "+"})) {
            at += 6;
        } else {
            return false;
        }
        return reads(at, {array, "[", index, "+", step, "]"}) || reads(at, {array, "[", step, "+", index, "]"});
    }

    // a[x - s]
    bool takes_before(std::size_t i, std::string_view step) const {
        return tokens_[i].is_word && reads(i + 1, {"["}) && reads(i + 3, {"-", step, "]"});
    }
    // before = a[x - s]; and then a[x] = before;
    void stores_before(std::size_t i, std::string_view step, std::size_t begin) {
        if (!reads(i + 1, {"["}) || !reads(i + 3, {"]", "="}) || i + 6 >= tokens_.size() || !tokens_[i + 5].is_word)
            return;
        const std::string_view array = text(i), index = text(i + 2), value = text(i + 5);
        if (text(i + 6) != ";") return;
        for (std::size_t at = i; at-- > begin && i - at < 60;) {
            if (text(at) != value || text(at + 1) != "=") continue;
            for (std::size_t k = at + 2; k < i && text(k) != ";"; ++k)
                if (text(k) == array && text(k + 2) == index && takes_before(k, step))
                    return warn(
                        i,
                        fmt::format("each step stores what stands `{}` before in place of the element's own sum, "
                                    "which is lost",
                                    step),
                        fmt::format("to add it, write {}[{}] += {}", array, index, value));
            return;
        }
    }

    // Where a `for` counts its variable up or down by addition, and by what; 0: it does not.
    struct Growth {
        std::size_t at = 0;
        std::string by;
        bool is_down = false;
    };
    Growth growth_of(std::string_view variable, std::size_t head_end) const {
        if (variable.empty() || head_end < 7 || text(head_end - 1) != ")") return {};
        for (const std::string_view sign : {"+", "-"}) {
            const std::string twice = std::string(sign) + std::string(sign), with = std::string(sign) + "=";
            for (std::size_t begin = head_end - 6; begin < head_end - 2; ++begin) {
                if (text(begin) != ";") continue;
                std::string step;
                for (std::size_t i = begin + 1; i < head_end - 1; ++i) step += text(i);
                const std::string name(variable);
                if (step == name + twice || step == twice + name) return {begin + 1, "1", sign == "-"};
                if (!step.starts_with(name + with)) continue;
                const std::string by = step.substr(name.size() + with.size());
                if (!by.empty() && by.find_first_not_of("0123456789") == std::string::npos)
                    return {begin + 1, by, sign == "-"};
            }
        }
        return {};
    }
    // if (tid % (2 * s) == 0) a[tid] += ..., from a on: the test is one of a step that doubles.
    bool is_tested(std::size_t i, std::string_view step) const {
        const std::size_t nearest = i > 24 ? i - 24 : 0;
        for (std::size_t at = i; at-- > nearest && text(at) != ";";)
            if (text(at) == "%" &&
                (reads(at + 1, {"(", "2", "*", step, ")"}) || reads(at + 1, {"(", step, "*", "2", ")"})))
                return true;
        return false;
    }
    // v += __shfl_down_sync(mask, v, s)
    bool adds_lane(std::size_t i, std::string_view step) const {
        if (!text(i).starts_with("__shfl_") || text(i + 1) != "(" || i < 3) return false;
        const std::string_view sum = text(i - 1) == "+="                        ? text(i - 2)
                                     : text(i - 1) == "=" && text(i - 2) == "+" ? text(i - 3)
                                                                                : std::string_view();
        return !sum.empty() && argument(i + 1, 1).is(sum, tokens_) && argument(i + 1, 2).is(step, tokens_);
    }
    std::size_t next_statement(std::size_t i, std::size_t end) const {
        while (i < end && text(i) != ";") ++i;
        return i;
    }
    bool has_barrier(std::size_t from, std::size_t end) const {
        for (std::size_t i = from; i < end; ++i)
            if (text(i) == "__syncthreads" || text(i) == "__syncwarp") return true;
        return false;
    }

    // for (int s = 1; s < THREADS; s++) { ... a[tid] += a[tid + s]; __syncthreads(); }
    void steps_by_addition(const Growth& growth, std::string_view step) {
        warn(growth.at,
             fmt::format("`{}` {} by {} in each step, and the partners of a tree stand {} as far apart from step to "
                         "step: elements are added more than once{}",
                         step, growth.is_down ? "shrinks" : "grows", growth.by, growth.is_down ? "half" : "twice",
                         growth.by == "1" ? "" : ", or not at all"),
             growth.is_down ? fmt::format("halve it in each step: {} /= 2", step)
                            : fmt::format("double it in each step: {} *= 2", step));
    }

    // if (tid % s == 0) a[tid] += a[tid + s];
    void multiples(std::size_t i, std::string_view step) {
        if (text(i) != "if" || text(i + 1) != "(" || !reads(i + 3, {"%", step})) return;
        const std::string_view index = text(i + 2);
        std::size_t at = i + 5;
        if (reads(at, {"==", "0", ")"}))
            at += 3;
        else if (reads(at, {"=", "=", "0", ")"}))
            at += 4;
        else
            return;
        if (text(at) == "{") ++at;
        if (!adds_partner(at, index, step)) return;
        warn(i + 2,
             fmt::format("`{0} % {1} == 0` lets in {0} + {1} as well: `{2}[{0} + {1}]` is that thread's own element",
                         index, step, text(at)),
             fmt::format("let every second one of them add: {0} % (2 * {1}) == 0", index, step));
    }

    // const int index = s * tid; a[index] += a[index + s];
    void products(std::size_t i, std::string_view step) {
        if (text(i + 1) != "=" || text(i + 3) != "*" || text(i + 5) != ";") return;
        const bool is_first = text(i + 2) == step, is_second = text(i + 4) == step;
        if (is_first == is_second) return;
        const std::string_view index = text(i), thread = text(is_first ? i + 4 : i + 2);
        if (index == step || thread.find_first_not_of("0123456789") == std::string_view::npos) return;
        for (std::size_t at = i + 6; at < i + 40 && at < tokens_.size(); ++at)
            if (adds_partner(at, index, step))
                return warn(i,
                            fmt::format("the `{0}` of the next thread is `{0} + {1}`: `{2}[{0} + {1}]` is that "
                                        "thread's own element",
                                        index, step, text(at)),
                            fmt::format("each adds two elements, so they stand two steps apart: {} = 2 * {} * {}",
                                        index, step, thread));
    }

    // const int index = 2 * s + tid; a[index] += a[index + s];
    void sums(std::size_t i, std::string_view step) {
        constexpr std::size_t longest = 10;
        if (text(i + 1) != "=") return;
        std::string_view thread;
        int plus = 0, steps = 0;
        std::size_t end = i + 2;
        for (; end < i + 2 + longest && text(end) != ";"; ++end) {
            const std::string_view one = text(end);
            if (one == "+") {
                ++plus;
            } else if (one == step) {
                ++steps;
            } else if (tokens_[end].is_word && one.find_first_not_of("0123456789") != std::string_view::npos) {
                if (!thread.empty()) return;
                // What is added, and no factor.
                const std::string_view before = text(end - 1), behind = text(end + 1);
                if ((before != "=" && before != "+") || (behind != ";" && behind != "+")) return;
                thread = one;
            } else if (one != "2" && one != "*" && one != "(" && one != ")") {
                return;
            }
        }
        const std::string_view index = text(i);
        if (text(end) != ";" || plus != 1 || steps != 1 || thread.empty() || index == step) return;
        for (std::size_t at = end + 1; at < i + 40 && at < tokens_.size(); ++at)
            if (adds_partner(at, index, step))
                return warn(i,
                            fmt::format("the `{0}` of the thread {1} further on is `{0} + {1}`: `{2}[{0} + {1}]` is "
                                        "that thread's own element",
                                        index, step, text(at)),
                            fmt::format("what the threads add stands two steps apart, a product and no sum: {} = 2 * "
                                        "{} * {}",
                                        index, step, thread));
    }

    // tid > s ? a[tid - s] : 0
    void one_too_few(std::size_t i, std::string_view step) {
        const std::string_view index = text(i + 2);
        const std::size_t nearest = i > 12 ? i - 12 : 0;
        for (std::size_t at = i; at-- > nearest && text(at) != ";";)
            if (reads(at, {index, ">", step}) && (text(at + 3) == "?" || text(at + 3) == ")" || text(at + 3) == "&&"))
                return warn(at,
                            fmt::format("`{0} > {1}` leaves out the thread that is {1}: `{2}[{0} - {1}]` comes to be "
                                        "{2}[0] for it",
                                        index, step, text(i)),
                            fmt::format("write {} >= {}", index, step));
    }

    // lane == __ffs(same)
    void first_lane(std::size_t i) {
        const std::size_t behind = argument(i + 1, 0).end + 1;
        const bool is_compared = text(i - 1) == "==" || (text(i - 1) == "=" && text(i - 2) == "=");
        if (behind == 1 || !is_compared || (text(behind) != ")" && text(behind) != "&&" && text(behind) != "&")) return;
        warn(i, "`__ffs` counts the lanes of a mask from 1, and the first lane is 0",
             fmt::format("the first lane of the mask is __ffs({}) - 1", text(i + 2)));
    }

    // The tokens of an argument of the call whose bracket opens at `open`; {0, 0}: there is none.
    struct Argument {
        std::size_t begin = 0, end = 0;
        bool is(std::string_view word, const std::vector<Token>& tokens) const {
            return end == begin + 1 && tokens[begin].text == word;
        }
    };
    Argument argument(std::size_t open, int which) const {
        constexpr std::size_t longest = 200;
        int depth = 0, number = 0;
        std::size_t begin = open + 1;
        for (std::size_t i = open; i < std::min(open + longest, tokens_.size()); ++i) {
            depth += (text(i) == "(" || text(i) == "[") - (text(i) == ")" || text(i) == "]");
            const bool ends_call = depth == 0;
            if (!ends_call && (depth != 1 || text(i) != ",")) continue;
            if (number++ == which) return {begin, i};
            if (ends_call) break;
            begin = i + 1;
        }
        return {};
    }

    void shuffle(std::size_t i, std::string_view loop, std::size_t end) {
        const Argument value = argument(i + 1, 1), distance = argument(i + 1, 2);
        if (distance.end == 0 || text(i) == "__shfl_sync") return;
        const bool has_loop = std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(distance.begin),
                                          tokens_.begin() + static_cast<std::ptrdiff_t>(distance.end),
                                          [&](const Token& token) { return token.text == loop; });
        if (value.is(loop, tokens_) && !has_loop)
            return warn(value.begin,
                        fmt::format("`{}`, by which the loop counts, is the value that is passed on here, and `{}` the "
                                    "distance",
                                    loop, text(distance.begin)),
                        fmt::format("the value comes second, the distance third: {}(mask, value, {})", text(i), loop));
        if (text(i) != "__shfl_up_sync" || distance.end != distance.begin + 1) return;
        // if (lane > s), lane > s ?
        const std::string_view step = text(distance.begin);
        for (std::size_t at = distance.end; at + 2 < std::min(end, distance.end + 40); ++at) {
            if (text(at) != ">" || text(at + 1) != step || !tokens_[at - 1].is_word) continue;
            if (text(at + 2) != ")" && text(at + 2) != "?") continue;
            return warn(at - 1,
                        fmt::format("`{0} > {1}` leaves out the lane that is {1}: `__shfl_up_sync` brings it the value "
                                    "of lane 0",
                                    text(at - 1), step),
                        fmt::format("write {} >= {}", text(at - 1), step));
        }
    }
};

}  // namespace

std::vector<SuspiciousPlace> suspicious_trees(const Outline& outline) { return Trees(outline).found; }

}  // namespace warpgrade
