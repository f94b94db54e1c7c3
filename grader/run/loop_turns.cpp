#include "run/loop_turns.hpp"

#include <fmt/format.h>

#include <regex>

#include "base/text.hpp"
#include "problem/expression.hpp"
#include "run/source_numbers.hpp"

namespace warpgrade {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 40;

bool holds(std::int64_t left, std::string_view sign, std::int64_t right) {
    if (sign == "<") return left < right;
    if (sign == "<=") return left <= right;
    if (sign == ">") return left > right;
    if (sign == ">=") return left >= right;
    return left != right;
}

// Of numbers below `most`; 0 steps nowhere.
std::int64_t stepped(std::int64_t value, std::string_view sign, std::int64_t by) {
    if (sign == "+=") return value + by;
    if (sign == "-=") return value - by;
    if (sign == "*=") return by > 0 && value > most / by ? most : value * by;
    if (sign == "/=") return by == 0 ? value : value / by;
    if (by < 0 || by > 40) return value;
    return sign == "<<=" ? (value > (most >> by) ? most : value << by) : value >> by;
}

}  // namespace

LoopTurns turns_of(const LoopText& loop, std::string_view source, std::int64_t block_x) {
    constexpr std::size_t longest = 300, most_turns = 64;
    static const std::regex head(
        R"re(^\s*(?:(?:const|unsigned|int|long|auto|(?:std::)?size_t)\s+)+(\w+)\s*=\s*([^;]+);\s*(\w+)\s*(<=|>=|<|>|!=)\s*([^;]+);\s*([^;]+)$)re");
    static const std::regex by_one(R"re(^(?:(\+\+|--)\s*(\w+)|(\w+)\s*(\+\+|--))\s*$)re");
    static const std::regex by_more(R"re(^(\w+)\s*(\+=|-=|\*=|/=|<<=|>>=)\s*(.+?)\s*$)re");
    std::smatch parts, step;
    if (loop.line == 0 || loop.head.size() > longest || !std::regex_match(loop.head, parts, head)) return {};
    LoopTurns turns{parts[1], {}};
    if (parts[3] != turns.variable) return {};
    ExpressionScope scope;
    for (const auto& [name, number] : named_numbers(source)) scope.names.emplace(name, number.value);
    const auto value_of = [&](std::string text) {
        static const std::regex block(R"re(\bblockDim\s*\.\s*x\b)re");
        if (block_x > 0) text = std::regex_replace(text, block, std::to_string(block_x));
        return evaluate(trimmed(text), scope);
    };
    const auto first = value_of(parts[2]), bound = value_of(parts[5]);
    std::string sign = "+=", by = "1";
    const std::string text = parts[6];
    if (std::regex_match(text, step, by_one)) {
        if (step[2].str() + step[3].str() != turns.variable) return {};
        sign = (step[1].str() + step[4].str()).front() == '+' ? "+=" : "-=";
    } else if (std::regex_match(text, step, by_more) && step[1] == turns.variable) {
        sign = step[2];
        by = step[3];
    } else {
        return {};
    }
    const auto width = value_of(by);
    if (!first.ok() || !bound.ok() || !width.ok() || std::abs(first.value) > most || std::abs(bound.value) > most ||
        std::abs(width.value) > most)
        return {};
    for (std::int64_t at = first.value; holds(at, parts[4].str(), bound.value);) {
        turns.values.push_back(at);
        const std::int64_t next = stepped(at, sign, width.value);
        if (turns.values.size() > most_turns || next == at || std::abs(next) >= most) return {};
        at = next;
    }
    return turns;
}

std::string listed(const std::vector<std::int64_t>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == values.size() ? " and " : ", ", values[i]);
    return text;
}

}  // namespace warpgrade
