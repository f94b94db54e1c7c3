// Expressions, by the precedence of their operators.
#include <algorithm>
#include <array>
#include <utility>

#include "source/parser.hpp"

namespace warpgrade::source {

namespace {

struct Operator {
    std::string_view sign;
    int power;
};
constexpr int comma_power = 1, assignment_power = 2, prefix_power = 16;
constexpr std::array<Operator, 33> operators{
    {{",", 1},  {"=", 2},   {"+=", 2},  {"-=", 2}, {"*=", 2},  {"/=", 2},  {"%=", 2},   {"&=", 2},  {"|=", 2},
     {"^=", 2}, {"<<=", 2}, {">>=", 2}, {"?", 3},  {"||", 4},  {"&&", 5},  {"|", 6},    {"^", 7},   {"&", 8},
     {"==", 9}, {"!=", 9},  {"<", 10},  {">", 10}, {"<=", 10}, {">=", 10}, {"<=>", 11}, {"<<", 12}, {">>", 12},
     {"+", 13}, {"-", 13},  {"*", 14},  {"/", 14}, {"%", 14},  {".*", 15}}};

bool is_named_cast(std::string_view word) {
    return word == "static_cast" || word == "reinterpret_cast" || word == "const_cast" || word == "dynamic_cast";
}

}  // namespace

int power_of(std::string_view sign) {
    const auto* const found = std::ranges::find_if(operators, [&](const Operator& row) { return row.sign == sign; });
    return found == operators.end() ? 0 : found->power;
}

// The operator between two operands, and how many tokens it takes; "" where there is none.
std::string_view Parser::binary_operator(TokenId& length) const {
    length = 1;
    const std::string_view sign = text();
    if (sign == "and" || sign == "or") return sign == "and" ? "&&" : "||";
    if (kind(at_) != TokenKind::sign) return {};
    if (sign != ">") return power_of(sign) > 0 ? sign : std::string_view();
    const bool is_glued = code_[at_].is_glued;
    if (is_glued && text(at_ + 1) == ">") {
        if (is_in_launch_ && code_[at_ + 1].is_glued && text(at_ + 2) == ">") return {};
        length = 2;
        return ">>";
    }
    if (is_glued && text(at_ + 1) == ">=") {
        length = 2;
        return ">>=";
    }
    return sign;
}

NodeId Parser::expression(int least) {
    if (depth_ >= most_depth) return garbage();
    ++depth_;
    const TokenId first = at_;
    NodeId left = prefix();
    while (at_ < end_) {
        TokenId length = 1;
        const std::string_view sign = binary_operator(length);
        const int power = power_of(sign);
        if (power == 0 || power < least) break;
        at_ += length;
        if (sign == "?") {
            const NodeId then = expression(comma_power);
            const NodeId otherwise = accept(":") ? expression(assignment_power) : missing();
            left = make(NodeKind::conditional, first, sign, {left, then, otherwise});
            continue;
        }
        const bool is_assignment = power == assignment_power;
        const NodeId right = expression(is_assignment ? power : power + 1);
        left = make(is_assignment ? NodeKind::assignment : NodeKind::binary, first, sign, {left, right});
    }
    --depth_;
    return left;
}

NodeId Parser::prefix() {
    static constexpr std::array<std::string_view, 9> signs{"+", "-", "!", "~", "*", "&", "++", "--", "&&"};
    const TokenId first = at_;
    const std::string_view sign = text();
    const bool is_sign = kind(at_) == TokenKind::sign && std::ranges::find(signs, sign) != signs.end();
    if (is_sign || sign == "delete" || sign == "throw" || sign == "co_await") {
        ++at_;
        if (is_word(first) && text() == "[" && text(at_ + 1) == "]") at_ += 2;
        const NodeId operand = expression(prefix_power);
        return make(NodeKind::unary, first, sign, {operand});
    }
    if (sign == "sizeof" || sign == "alignof") return sized();
    if (sign == "(" && is_cast()) {
        ++at_;
        const TokenId close = past(first) - 1;
        const NodeId to = type(close);
        at_ = close + 1;
        const NodeId operand = expression(prefix_power);
        return make(NodeKind::cast, first, "(", {to, operand});
    }
    return postfix(primary(), first);
}

// `sizeof(float)`, `sizeof value`
NodeId Parser::sized() {
    const TokenId first = at_++;
    if (text() != "(") {
        const NodeId operand = expression(prefix_power);
        return make(NodeKind::unary, first, text(first), {operand});
    }
    const TokenId close = past(at_);
    const TokenId after_type = past_type(at_ + 1);
    if (after_type > at_ + 1 && is_type_word(text(past_specifiers(at_ + 1)))) {
        ++at_;
        const NodeId of = type(close - 1);
        at_ = close;
        return make(NodeKind::unary, first, text(first), {of});
    }
    const NodeId operand = bracketed();
    return make(NodeKind::unary, first, text(first), {operand});
}

// `(` with a type in it, and an operand behind it.
bool Parser::is_cast() const {
    const TokenId close = code_[at_].partner;
    if (close == no_token || close >= end_) return false;
    const TokenId begin = past_specifiers(at_ + 1);
    TokenId i = past_type(at_ + 1);
    if (i == at_ + 1) return false;
    const TokenId after_type = i;
    while (text(i) == "*" || text(i) == "&" || text(i) == "const" || text(i) == "__restrict__") ++i;
    if (i != close) return false;
    const bool has_operand =
        is_word(close + 1) ? !is_reserved(text(close + 1)) || text(close + 1) == "sizeof" || text(close + 1) == "this"
                           : kind(close + 1) == TokenKind::number || kind(close + 1) == TokenKind::text;
    if (has_operand) return true;
    static constexpr std::array<std::string_view, 7> signs{"(", "!", "~", "*", "&", "-", "+"};
    const bool is_type = is_type_word(text(begin)) || begin > at_ + 1 || after_type < close;
    return is_type && std::ranges::find(signs, text(close + 1)) != signs.end();
}

NodeId Parser::primary() {
    const TokenId first = at_;
    const std::string_view word = text();
    if (at_ >= end_) return missing();
    switch (kind(at_)) {
        case TokenKind::number: ++at_; return make(NodeKind::number, first, word);
        case TokenKind::text:
            while (kind(at_) == TokenKind::text) ++at_;
            return make(NodeKind::text, first, word);
        case TokenKind::word: break;
        default:
            if (word == "(") return bracketed();
            if (word == "[") return lambda();
            if (word == "{") {
                ++at_;
                const TokenId close = past(first);
                const std::vector<NodeId> values = arguments(code_[first].partner == no_token ? close : close - 1);
                at_ = close;
                return make(NodeKind::list, first, word, values);
            }
            return word == "::" ? qualified_name() : missing();
    }
    if (is_named_cast(word) && text(at_ + 1) == "<") {
        const TokenId angles = past_angles(at_ + 1);
        if (angles != no_token) {
            at_ += 2;
            const NodeId to = type(angles - 1);
            at_ = angles;
            const NodeId operand = text() == "(" ? bracketed() : missing();
            return make(NodeKind::cast, first, word, {to, operand});
        }
    }
    if (word == "new" || word == "typename") {
        ++at_;
        const NodeId of = type(past_type(at_));
        return make(NodeKind::unary, first, word, {of});
    }
    if (is_type_word(word) && word != "auto") {
        const TokenId after = past_type(at_);
        if (text(after) == "(" || text(after) == "{") {
            const NodeId to = type(after);
            const NodeId operand = text() == "(" ? bracketed() : primary();
            return make(NodeKind::cast, first, "", {to, operand});
        }
        return type(after);
    }
    if (word == "decltype") return type(past_type(at_));
    return is_reserved(word) && word != "this" && word != "operator" ? missing() : qualified_name();
}

// `a`, `std::min`, `sum<float, 4>`
NodeId Parser::qualified_name() {
    const TokenId first = at_;
    std::vector<NodeId> template_arguments;
    TokenId last = first;
    bool is_qualified = false;
    if (text() == "::") ++at_;
    while (is_word(at_)) {
        last = at_++;
        const TokenId angles = text() == "<" ? past_angles(at_) : no_token;
        if (angles != no_token && is_template_name(last, angles, is_qualified)) {
            ++at_;
            while (at_ < angles - 1) {
                TokenId end = at_;
                while (end < angles - 1 && text(end) != ",")
                    end = text(end) == "(" || text(end) == "[" ? std::min(past(end), angles - 1) : end + 1;
                template_arguments.push_back(type(end));
                at_ = end + (end < angles - 1 ? 1 : 0);
            }
            at_ = angles;
        }
        if (text() != "::" || !is_word(at_ + 1)) break;
        is_qualified = true;
        ++at_;
    }
    if (at_ == first) return missing();
    const std::size_t begin = code_[first].at.offset;
    const std::string_view whole = std::string_view(*tree_.tokens.text).substr(begin, code_[last].at.end() - begin);
    return make(NodeKind::name, first, whole, template_arguments);
}

NodeId Parser::bracketed() {
    const TokenId first = at_++;
    const TokenId after = past(first);
    const TokenId close = code_[first].partner == no_token ? after : after - 1;
    const TokenId end = std::exchange(end_, std::min(end_, close));
    const bool was_in_launch = std::exchange(is_in_launch_, false);
    const NodeId operand = expression(comma_power);
    end_ = end;
    is_in_launch_ = was_in_launch;
    at_ = std::min(after, end_);
    return make(NodeKind::parenthesised, first, "(", {operand});
}

// Up to the bracket at `close`, which is not read. What follows an argument and is no comma is left out.
std::vector<NodeId> Parser::arguments(TokenId close) {
    std::vector<NodeId> found;
    const TokenId end = std::exchange(end_, std::min(end_, close));
    const bool was_in_launch = std::exchange(is_in_launch_, false);
    while (at_ < end_) {
        const TokenId before = at_;
        found.push_back(expression(assignment_power));
        while (at_ < end_ && text() != ",") at_ = past(at_);
        if (at_ < end_) ++at_;
        if (at_ == before) ++at_;
    }
    end_ = end;
    is_in_launch_ = was_in_launch;
    return found;
}

NodeId Parser::postfix(NodeId operand, TokenId first) {
    while (at_ < end_) {
        const TokenId sign_at = at_;
        const std::string_view sign = text();
        if (sign == "(" || sign == "[" ||
            (sign == "{" && tree_[operand].kind == NodeKind::name && code_[at_ - 1].is_glued)) {
            ++at_;
            const TokenId after = past(sign_at);
            std::vector<NodeId> children = arguments(code_[sign_at].partner == no_token ? after : after - 1);
            children.insert(children.begin(), operand);
            at_ = std::min(after, end_);
            operand = make(sign == "[" ? NodeKind::subscript : NodeKind::call, first, sign, children);
        } else if (sign == "." || sign == "->") {
            ++at_;
            if (text() == "template") ++at_;
            std::string_view name;
            if (is_word(at_) && !is_reserved(text())) {
                name = text();
                ++at_;
                const TokenId angles = text() == "<" ? past_angles(at_) : no_token;
                if (angles != no_token && is_template_name(at_ - 1, angles, false)) at_ = angles;
            }
            operand = make(sign == "." ? NodeKind::member : NodeKind::arrow, first, name, {operand});
        } else if (sign == "++" || sign == "--") {
            ++at_;
            operand = make(NodeKind::postfix, first, sign, {operand});
        } else if (sign == "<<<") {
            operand = launch(operand, first);
        } else {
            break;
        }
    }
    return operand;
}

// kernel<<<grid, block, bytes, stream>>>(arguments)
NodeId Parser::launch(NodeId callee, TokenId first) {
    const TokenId open = at_++;
    const bool was_in_launch = std::exchange(is_in_launch_, true);
    std::vector<NodeId> configuration;
    while (at_ < end_ && text() != ">" && text() != ";" && text() != "{" && text() != "}") {
        const TokenId before = at_;
        configuration.push_back(expression(assignment_power));
        if (!accept(",") && at_ == before) ++at_;
    }
    is_in_launch_ = was_in_launch;
    for (int i = 0; i < 3; ++i) accept(">");
    const NodeId settings = make(NodeKind::list, open, "<<<", configuration);
    const TokenId bracket = at_;
    if (text() != "(") return make(NodeKind::launch, first, "<<<", {callee, settings, missing()});
    ++at_;
    const TokenId after = past(bracket);
    const std::vector<NodeId> values = arguments(code_[bracket].partner == no_token ? after : after - 1);
    at_ = std::min(after, end_);
    const NodeId list = make(NodeKind::list, bracket, "(", values);
    return make(NodeKind::launch, first, "<<<", {callee, settings, list});
}

NodeId Parser::lambda() {
    const TokenId first = at_;
    at_ = past(first);
    if (text() == "(") at_ = past(at_);
    while (at_ < end_ && text() != "{" && text() != ";" && text() != ")" && text() != ",")
        at_ = text() == "(" ? past(at_) : at_ + 1;
    const NodeId body = text() == "{" ? block() : missing();
    return make(NodeKind::lambda, first, "", {body});
}

// Too deep: past the brackets, or one token.
NodeId Parser::garbage() {
    const TokenId first = at_;
    if (at_ < end_) at_ = std::min(std::max(past(at_), at_ + 1), end_);
    return make(NodeKind::other, first, "");
}

}  // namespace warpgrade::source
