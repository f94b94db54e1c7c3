#include "run/access_place.hpp"

#include <algorithm>
#include <vector>

#include "base/code_text.hpp"
#include "base/text.hpp"

namespace warpgrade {

namespace {

// One name with a subscript behind it.
struct Use {
    std::size_t at = 0, length = 0;
    bool loads = false, stores = false;
};

constexpr std::size_t nowhere = std::string_view::npos;

// The = of an assignment, of text outside of brackets.
std::size_t assignment_in(std::string_view statement) {
    int depth = 0;
    for (std::size_t i = 1; i + 1 < statement.size(); ++i) {
        const char c = statement[i - 1];
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (depth != 0 || statement[i] != '=') continue;
        if (statement[i + 1] == '=') {
            ++i;
            continue;
        }
        const bool is_shift = i > 1 && c == statement[i - 2];
        if (c != '!' && c != '=' && ((c != '<' && c != '>') || is_shift)) return i;
    }
    return nowhere;
}

void add_uses(std::string_view statement, std::size_t offset, std::vector<Use>& uses) {
    const std::size_t sign = assignment_in(statement);
    const bool is_compound = sign != nowhere && std::string_view("+-*/%&|^<>").find(statement[sign - 1]) != nowhere;
    int round = 0, square = 0;
    for (std::size_t i = 0; i < statement.size(); ++i) {
        round += (statement[i] == '(') - (statement[i] == ')');
        square += (statement[i] == '[') - (statement[i] == ']');
        if (!is_word(statement[i]) || (i > 0 && is_word(statement[i - 1]))) continue;
        std::size_t end = i;
        while (end < statement.size() && is_word(statement[end])) ++end;
        const std::size_t next = statement.find_first_not_of(' ', end);
        const bool is_pointed_to = i > 0 && statement[i - 1] == '*' && sign != nowhere && i < sign && round == 0 &&
                                   trimmed(statement.substr(end, sign - end)).size() <= 1;
        if (!is_pointed_to && (next == nowhere || statement[next] != '[')) continue;
        Use use{offset + i, end - i, true, sign == nowhere};
        if (square > 0 || (sign != nowhere && i < sign && round > 0)) use.stores = false;
        if (square == 0 && round == 0 && sign != nowhere && i < sign) use = {offset + i, end - i, is_compound, true};
        uses.push_back(use);
    }
}

// Code only: no comments.
std::vector<Use> uses_in(std::string_view code) {
    std::vector<Use> uses;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= code.size(); ++i) {
        const bool is_end = i == code.size();
        if (!is_end) depth += (code[i] == '(') - (code[i] == ')');
        if (!is_end && (depth > 0 || (code[i] != ';' && code[i] != '{' && code[i] != '}'))) continue;
        add_uses(code.substr(begin, i - begin), begin, uses);
        begin = i + 1;
    }
    return uses;
}

// A word of the code with no subscript behind it.
std::size_t plain_word(std::string_view code, std::string_view name) {
    for (std::size_t at = code.find(name); at != nowhere; at = code.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at > 0 && is_word(code[at - 1])) || (end < code.size() && is_word(code[end]))) continue;
        const std::size_t next = code.find_first_not_of(' ', end);
        if (next == nowhere || code[next] != '[') return at;
    }
    return nowhere;
}

AccessPlace to_place(const Use& use) { return {static_cast<int>(use.at) + 1, static_cast<int>(use.length)}; }

// `atomicAdd` of a call.
AccessPlace atomic_call(std::string_view code) {
    const std::size_t at = code.find("atomic");
    if (at == nowhere || (at > 0 && is_word(code[at - 1]))) return {};
    std::size_t end = at;
    while (end < code.size() && is_word(code[end])) ++end;
    return {static_cast<int>(at) + 1, static_cast<int>(end - at)};
}

}  // namespace

std::set<std::string, std::less<>> shared_names(std::string_view source) {
    constexpr std::string_view word = "__shared__";
    const std::string code = without_comments(source);
    std::set<std::string, std::less<>> names;
    for (std::size_t at = code.find(word); at != nowhere; at = code.find(word, at + 1)) {
        std::size_t end = code.find_first_of("[;=\n", at);
        if (end == nowhere || code[end] != '[') continue;
        while (end > at && is_blank(code[end - 1])) --end;
        std::size_t begin = end;
        while (begin > at && is_word(code[begin - 1])) --begin;
        names.insert(code.substr(begin, end - begin));
    }
    return names;
}

AccessPlace access_place(std::string_view line, std::string_view name, vgpu::AccessKind access,
                         const std::set<std::string, std::less<>>& others) {
    const std::string code = without_comments(line);
    const std::vector<Use> uses = uses_in(code);
    const auto text = [&](const Use& use) { return std::string_view(code).substr(use.at, use.length); };
    const bool is_store = access == vgpu::AccessKind::write, is_load = access == vgpu::AccessKind::read;
    std::vector<Use> side, pure;  // what it may be, and of these what does nothing else
    for (const Use& use : uses) {
        if (text(use) != name && others.contains(text(use))) continue;
        if ((is_store && !use.stores) || (is_load && !use.loads)) continue;
        side.push_back(use);
        if (is_load ? !use.stores : !use.loads) pure.push_back(use);
    }
    for (const std::vector<Use>* some : {&pure, &side})
        for (const Use& use : *some)
            if (!name.empty() && text(use) == name) return to_place(use);
    if (!name.empty())
        if (const std::size_t at = plain_word(code, name); at != nowhere)
            return {static_cast<int>(at) + 1, static_cast<int>(name.size())};
    if (!is_store && !is_load) return atomic_call(code);
    const std::vector<Use>& rest = pure.empty() ? side : pure;
    const bool is_one = !rest.empty() && std::all_of(rest.begin(), rest.end(),
                                                     [&](const Use& use) { return text(use) == text(rest.front()); });
    return is_one ? to_place(rest.front()) : AccessPlace{};
}

std::string_view stored_array(std::string_view line) {
    const std::string code = without_comments(line);
    const AccessPlace place = access_place(line, "", vgpu::AccessKind::write);
    for (const Use& use : uses_in(code))
        if (place.column == static_cast<int>(use.at) + 1 && use.stores && !use.loads)
            return line.substr(use.at, use.length);
    return {};
}

}  // namespace warpgrade
