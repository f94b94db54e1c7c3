#include "source/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpgrade::source {

namespace {

using Number = std::optional<std::int64_t>;
constexpr int most_depth = 64;

Number value_of(const Tree& tree, NodeId node, const Numbers& names, int depth);

Number literal(std::string_view word) {
    std::string digits;
    std::ranges::copy_if(word, std::back_inserter(digits), [](char c) { return c != '\''; });
    int base = 10;
    std::size_t begin = 0;
    if (digits.size() > 1 && digits[0] == '0') {
        const char mark = static_cast<char>(digits[1] | 0x20);
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        begin = base == 8 ? 1 : 2;
    }
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data() + begin, end, value, base);
    const bool is_zero = base == 8 && rest == digits.data() + begin;
    if ((error != std::errc() && !is_zero) || value > static_cast<std::uint64_t>(INT64_MAX)) return {};
    const bool is_suffix = std::all_of(
        rest, end, [](char c) { return c == 'u' || c == 'U' || c == 'l' || c == 'L' || c == 'z' || c == 'Z'; });
    return is_suffix ? Number(static_cast<std::int64_t>(value)) : std::nullopt;
}

// Of the types whose size CUDA's programming guide gives (built-in vector types).
Number size_of(std::string_view type) {
    struct Size {
        std::string_view name;
        std::int64_t bytes;
    };
    static constexpr std::array<Size, 28> sizes{
        {{"bool", 1},           {"char", 1},        {"unsigned char", 1}, {"short", 2},
         {"unsigned short", 2}, {"int", 4},         {"unsigned", 4},      {"unsigned int", 4},
         {"float", 4},          {"double", 8},      {"long long", 8},     {"unsigned long long", 8},
         {"size_t", 8},         {"std::size_t", 8}, {"int2", 8},          {"int4", 16},
         {"float2", 8},         {"float3", 12},     {"float4", 16},       {"double2", 16},
         {"uint2", 8},          {"uint4", 16},      {"std::uint32_t", 4}, {"std::int32_t", 4},
         {"uint32_t", 4},       {"int32_t", 4},     {"std::uint64_t", 8}, {"uint64_t", 8}}};
    const auto* const found = std::ranges::find_if(sizes, [&](const Size& row) { return row.name == type; });
    return found == sizes.end() ? std::nullopt : Number(found->bytes);
}

Number shifted(std::string_view sign, std::int64_t left, std::int64_t right) {
    if (right < 0 || right > 62 || left < 0) return {};
    if (sign == ">>") return left >> right;
    return left > (INT64_MAX >> right) ? std::nullopt : Number(left << right);
}

Number combined(std::string_view sign, std::int64_t left, std::int64_t right) {
    std::int64_t value = 0;
    if (sign == "+") return __builtin_add_overflow(left, right, &value) ? std::nullopt : Number(value);
    if (sign == "-") return __builtin_sub_overflow(left, right, &value) ? std::nullopt : Number(value);
    if (sign == "*") return __builtin_mul_overflow(left, right, &value) ? std::nullopt : Number(value);
    if (sign == "/" || sign == "%") {
        if (right == 0 || (right == -1 && left == INT64_MIN)) return {};
        return sign == "/" ? left / right : left % right;
    }
    if (sign == "<<" || sign == ">>") return shifted(sign, left, right);
    if (sign == "&") return left & right;
    if (sign == "|") return left | right;
    if (sign == "^") return left ^ right;
    if (sign == "<") return left < right;
    if (sign == ">") return left > right;
    if (sign == "<=") return left <= right;
    if (sign == ">=") return left >= right;
    if (sign == "==") return left == right;
    if (sign == "!=") return left != right;
    if (sign == "&&") return left != 0 && right != 0;
    if (sign == "||") return left != 0 || right != 0;
    return {};
}

Number of_unary(const Tree& tree, const Node& node, const Numbers& names, int depth) {
    if (node.word == "sizeof" && tree[node.child].kind == NodeKind::type)
        return tree.tokens.code[tree[node.child].last - 1].text == "*" ? Number(8) : size_of(tree[node.child].word);
    if (node.word == "sizeof") return size_of(text_of(tree, inside(tree, node.child)));
    const Number operand = value_of(tree, node.child, names, depth + 1);
    if (!operand) return {};
    if (node.word == "-") return combined("-", 0, *operand);
    if (node.word == "+") return operand;
    if (node.word == "~") return ~*operand;
    return node.word == "!" ? Number(*operand == 0) : std::nullopt;
}

Number value_of(const Tree& tree, NodeId id, const Numbers& names, int depth) {
    if (id == no_node || depth > most_depth) return {};
    const Node& node = tree[id];
    const auto part = [&](std::size_t n) { return value_of(tree, child_of(tree, id, n), names, depth + 1); };
    switch (node.kind) {
        case NodeKind::number: return literal(node.word);
        case NodeKind::parenthesised: return part(0);
        case NodeKind::cast:
            return tree[child_of(tree, id)].word.find("float") == std::string_view::npos ? part(1) : std::nullopt;
        case NodeKind::unary: return of_unary(tree, node, names, depth);
        case NodeKind::name:
        case NodeKind::member: {
            const auto known = names.find(node.kind == NodeKind::name ? node.word : text_of(tree, id));
            return known == names.end() ? std::nullopt : Number(known->second);
        }
        case NodeKind::conditional: {
            const Number condition = part(0);
            return condition ? part(*condition != 0 ? 1 : 2) : std::nullopt;
        }
        case NodeKind::binary: {
            const Number left = part(0), right = left ? part(1) : std::nullopt;
            return right ? combined(node.word, *left, *right) : std::nullopt;
        }
        default: return {};
    }
}

}  // namespace

std::optional<std::int64_t> number_of(const Tree& tree, NodeId expression, const Numbers& names) {
    return value_of(tree, expression, names, 0);
}

std::vector<std::int64_t> values_of(const Tree& tree, const Loop& loop, const Numbers& names, std::size_t most) {
    const Number start = number_of(tree, loop.start, names), bound = number_of(tree, loop.bound, names);
    const bool is_by_one = loop.step_sign == "++" || loop.step_sign == "--";
    const Number step = is_by_one ? Number(1) : number_of(tree, loop.step, names);
    if (!start || !bound || !step || loop.step_sign.empty()) return {};
    const std::string_view sign = loop.step_sign == "++"   ? "+"
                                  : loop.step_sign == "--" ? "-"
                                                           : loop.step_sign.substr(0, loop.step_sign.size() - 1);
    std::vector<std::int64_t> values;
    for (std::int64_t value = *start; combined(loop.sign, value, *bound).value_or(0) != 0;) {
        if (values.size() == most) return {};
        values.push_back(value);
        const Number next = combined(sign, value, *step);
        if (!next || *next == value) return {};
        value = *next;
    }
    return values;
}

}  // namespace warpgrade::source
