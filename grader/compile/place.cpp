#include "compile/place.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace warpgrade {

using source::NodeId;
using source::NodeKind;
using source::TokenId;

SourceText::SourceText(std::string_view text)
    : tree_(source::parse(text)), facts_(source::facts_of(tree_)), lines_(split(*tree_.tokens.text, '\n')) {
    for (const source::Definition& definition : facts_.definitions) {
        if (definition.kind > source::DefinitionKind::declared) continue;
        NamedThing thing{definition.name, {}, definition.at.line, definition.scope_end};
        thing.is_parameter = definition.kind == source::DefinitionKind::parameter;
        thing.around = definition.around.function;
        const NodeId parent = tree_[definition.node].parent, type = child_of(tree_, parent);
        thing.is_const = tree_[parent].kind == NodeKind::enumeration;
        if (tree_[type].kind == NodeKind::type) {
            thing.type = text_of(tree_, type);
            for (TokenId i = tree_[type].first; i < tree_[type].last; ++i)
                thing.is_const |= this->text(i) == "const" || this->text(i) == "constexpr";
        }
        for (const NodeId part : children_of(tree_, definition.node)) {
            thing.is_pointer |= tree_[part].kind == NodeKind::pointer && tree_[part].word == "*";
            thing.extents += tree_[part].kind == NodeKind::extent ? 1 : 0;
        }
        named_.push_back(thing);
    }
    for (const auto* heads : {&facts_.functions, &facts_.prototypes})
        for (const source::Function& head : *heads) {
            NamedThing thing{head.name, {}, head.line, tree_.tokens.line_count};
            thing.type = text_of(tree_, child_of(tree_, head.node));
            thing.head = &head;
            named_.push_back(thing);
        }
}

std::string_view SourceText::line(int number) const {
    if (number < 1 || static_cast<std::size_t>(number) > lines_.size()) return {};
    std::string_view line = lines_[static_cast<std::size_t>(number) - 1];
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

TokenId SourceText::token_at(int line, int column) const {
    const auto& code = tokens().code;
    const auto found = std::partition_point(code.begin(), code.begin() + end(), [&](const source::CodeToken& token) {
        return std::pair(token.at.line, token.at.column) < std::pair(line, column);
    });
    const auto token = static_cast<TokenId>(found - code.begin());
    return token < end() && found->at.line == line ? token : end();
}

std::string_view SourceText::word_at(int number, int column) const {
    const std::string_view whole = line(number);
    const std::size_t begin = column > 0 ? std::min(static_cast<std::size_t>(column) - 1, whole.size()) : whole.size();
    std::size_t end = begin;
    while (end < whole.size() && warpgrade::is_word(whole[end])) ++end;
    return whole.substr(begin, end - begin);
}

NodeId SourceText::part_of(int line) const {
    if (line < 1 || line > tokens().line_count) return source::no_node;
    NodeId part = facts_.statement_line[static_cast<std::size_t>(line)];
    while (part != source::no_node && tree_[part].parent != source::no_node &&
           tree_[tree_[part].parent].kind != NodeKind::file && tree_[tree_[part].parent].kind != NodeKind::name_space)
        part = tree_[part].parent;
    return part;
}

const NamedThing* SourceText::meaning(std::string_view name, int line) const {
    const NamedThing* found = nullptr;
    for (const NamedThing& thing : named_)
        if (thing.name == name && thing.line <= line && line <= thing.scope_end && !(found && thing.head))
            found = &thing;
    return found;
}

const NamedThing* SourceText::function_named(std::string_view name) const {
    const auto found =
        std::ranges::find_if(named_, [&](const NamedThing& thing) { return thing.head && thing.name == name; });
    return found == named_.end() ? nullptr : &*found;
}

int SourceText::uses_of(std::string_view name) const {
    return static_cast<int>(
        std::ranges::count_if(tokens().code, [&](const source::CodeToken& token) { return token.text == name; }));
}

std::string parameters_of(const SourceText& source, const source::Function& function) {
    std::string text;
    for (const source::Parameter& parameter : function.parameters) {
        if (!text.empty()) text += ", ";
        for (const char c : text_of(*source.facts().tree, parameter.node))
            if (!is_blank(c) && c != '\n')
                text += c;
            else if (!text.ends_with(' '))
                text += ' ';
    }
    return text;
}

bool has_one_of(std::string_view text, std::string_view pieces) {
    const auto all = split(pieces, '|');
    return std::ranges::any_of(all, [&](std::string_view piece) { return text.find(piece) != text.npos; });
}

Place::Place(const CompilerMessage& complaint, const SourceText& text)
    : message(complaint),
      source(text),
      token(complaint.column > 0 ? text.token_at(complaint.line, complaint.column) : text.end()),
      name(text.word_at(complaint.line, complaint.column)),
      meaning(text.meaning(name, complaint.line)) {
    if (!meaning) meaning = text.meaning(value("0"), complaint.line);
}

TokenId Place::open_bracket() const {
    constexpr TokenId furthest = 400;
    int depth = 0;
    for (TokenId i = token; i-- > 0 && token - i < furthest;) {
        if (source.text(i) == ")") ++depth;
        if (source.text(i) == "(" && depth-- == 0) return i;
        if (source.text(i) == "{" || source.text(i) == "}") break;
    }
    return source.end();
}

namespace {

std::string_view kind_of(const NamedThing* thing) {
    if (!thing) return "";
    if (thing->head) return "function";
    if (thing->is_pointer) return "pointer";
    return thing->extents > 1 ? "arrays" : thing->extents == 1 ? "array" : "number";
}

// What the name is in the same function above what it means.
const NamedThing* earlier_of(const Place& p) {
    const NamedThing* found = nullptr;
    for (const NamedThing& thing : p.source.named())
        if (thing.name == p.name && thing.line < (p.meaning ? p.meaning->line : p.message.line) &&
            p.source.is_same_part(thing.line, p.message.line))
            found = &thing;
    return found;
}

std::size_t column_of(const Place& p) {
    return std::min(static_cast<std::size_t>(std::max(p.message.column, 1)) - 1, p.source.line(p.message.line).size());
}

std::string_view bracket_of(const Place& p) {
    const TokenId open = p.open_bracket();
    if (open == p.source.end() || open == 0) return open == 0 ? "" : "none";
    const bool is_launch = open > 2 && p.source.text(open - 1) == ">" && p.source.text(open - 2) == ">";
    return is_launch ? ">>>" : p.source.text(open - 1);
}

// "static constexpr int n =": with a blank between tokens, and `enum {` before an enumerator.
std::string statement_before(const Place& p) {
    constexpr TokenId furthest = 64;
    std::string text;
    for (TokenId i = p.token; i-- > 0 && p.token - i < furthest; text = std::string(p.source.text(i)) + " " + text) {
        if (p.source.text(i) == ";" || p.source.text(i) == "}") break;
        if (p.source.text(i) == "{")
            return i > 1 && (p.source.text(i - 1) == "enum" || p.source.text(i - 2) == "enum") ? "enum " + text : text;
    }
    return text;
}

std::string listed_kernels(const Place& p, bool is_on_line) {
    std::string found;
    for (const NamedThing& thing : p.source.named()) {
        if (!thing.head || thing.head->side != source::Side::kernel || thing.name == found) continue;
        if (is_on_line && p.source.line(p.message.line).find(thing.name) == std::string_view::npos) continue;
        if (!found.empty() && !is_on_line) return "";
        found = thing.name;
    }
    return found;
}

std::string parameters_around(const source::Function& function) {
    std::vector<std::string_view> names;
    for (const source::Parameter& parameter : function.parameters)
        if (!parameter.name.empty()) names.push_back(parameter.name);
    constexpr std::size_t most = 6;
    return names.size() > most ? "" : listed(names);
}

// A key that begins with "next" or "before": how many tokens from the place.
std::string_view token_near(const Place& p, std::string_view key) {
    const bool is_next = key.starts_with("next");
    const auto steps = static_cast<TokenId>(warpgrade::is_digit(key.back()) ? key.back() - '0' : 1);
    if (!is_next && p.token < steps) return {};
    return p.source.text(is_next ? p.token + steps : p.token - steps);
}

std::string value_around(const Place& p, std::string_view key) {
    const source::Function* const function = p.source.facts().function_at(p.message.line);
    if (!function) return {};
    const source::Tree& tree = *p.source.facts().tree;
    if (key == "function") return std::string(function->name);
    if (key == "function_line") return std::to_string(function->line);
    if (key == "returns") return std::string(text_of(tree, child_of(tree, function->node)));
    return key == "parameters_here" ? parameters_around(*function) : "";
}

std::string value_of_name(const Place& p, std::string_view key) {
    if (!p.meaning) return {};
    if (key == "extents") return std::to_string(p.meaning->extents);
    if (key == "type") return std::string(p.meaning->type);
    if (key == "declared") return std::to_string(p.meaning->line);
    return key == "parameters" && p.meaning->head ? parameters_of(p.source, *p.meaning->head) : "";
}

}  // namespace

std::string_view quoted(std::string_view message, std::size_t n) {
    const auto parts = split(message, '"');
    return 2 * n + 1 < parts.size() ? parts[2 * n + 1] : "";
}

std::string listed(const std::vector<std::string_view>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "`" : i + 1 == names.size() ? " and `" : ", `") + std::string(names[i]) + "`";
    return text;
}

std::string Place::value(std::string_view key) const {
    if (const auto known = found.find(key); known != found.end()) return known->second;
    const std::string_view line = source.line(message.line);
    const std::size_t column = column_of(*this);
    if (key == "line") return std::string(line);
    if (key == "rest") return std::string(line.substr(column));
    if (key == "around") return std::string(line.substr(column < 2 ? 0 : column - 2, 5));
    if (key == "text") return *source.tokens().text;
    if (key == "name") return name;
    if (key == "message") return message.message;
    if (key == "here") return std::to_string(message.line);
    if (key == "0" || key == "1") return std::string(quoted(message.message, key == "0" ? 0 : 1));
    if (key == "unknown" && message.message.starts_with("name"))
        return message.message.starts_with("namespace") ? value("1") : name;
    if (key == "unknown") return value("0");
    if (key == "at") return std::string(source.text(token));
    if (key.starts_with("next") || key.starts_with("before")) return std::string(token_near(*this, key));
    if (key == "bracket") return std::string(bracket_of(*this));
    if (key == "statement") return statement_before(*this);
    if (key == "kind") return std::string(kind_of(meaning));
    if (key.starts_with("earlier")) {
        const NamedThing* const earlier = earlier_of(*this);
        return !earlier ? "" : key == "earlier" ? std::to_string(earlier->line) : std::string(kind_of(earlier));
    }
    if (key == "kernel" || key == "only_kernel") return listed_kernels(*this, key == "kernel");
    const std::string of_name = value_of_name(*this, key);
    return of_name.empty() ? value_around(*this, key) : of_name;
}

}  // namespace warpgrade
