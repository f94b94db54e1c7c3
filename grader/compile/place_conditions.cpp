// Conditions of the rows in messages.cpp, by name.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "compile/place.hpp"

namespace warpgrade {
namespace {

using source::NodeId;
using source::NodeKind;
using source::TokenId;

bool holds_token(const Place& p, NodeId node) {
    const source::Tree& tree = *p.source.facts().tree;
    return node != source::no_node && tree[node].first <= p.token && p.token < tree[node].last;
}

std::vector<TokenId> tokens_of_line(const Place& p) {
    std::vector<TokenId> found;
    for (TokenId i = p.source.token_at(p.message.line, 1);
         i < p.source.end() && p.source.tokens().code[i].at.line == p.message.line; ++i)
        found.push_back(i);
    return found;
}

// Between <<< and >>>.
bool in_chevrons(Place& p) {
    const std::string line = p.value("line");
    const std::size_t open = line.find("<<<"), close = line.find(">>>");
    const auto at = static_cast<std::size_t>(std::max(p.message.column, 1)) - 1;
    return open <= at && (close == line.npos || at <= close);
}

bool kernel_on_line(Place& p) {
    for (const NamedThing& thing : p.source.named())
        if (thing.head && thing.head->side == source::Side::kernel &&
            p.value("line").find(thing.name) != std::string::npos)
            return p.finds("kernel", std::string(thing.name));
    return false;
}

// The call, or the launch, whose arguments hold the place, and the one function of that name.
struct CallAt {
    std::vector<NodeId> arguments;
    const source::Function* function = nullptr;
};
CallAt call_at(const Place& p) {
    const source::Tree& tree = *p.source.facts().tree;
    CallAt found;
    std::string_view name;
    TokenId length = source::no_token;
    const auto look_at = [&](const auto& call, std::string_view called) {
        const source::Node& node = tree[call.node];
        if (!holds_token(p, call.node) || p.token < tree[node.child].last || node.last - node.first >= length) return;
        length = node.last - node.first;
        name = called;
        found.arguments = call.arguments;
    };
    for (const source::Call& call : p.source.facts().calls) look_at(call, call.name);
    for (const source::Launch& launch : p.source.facts().launches) look_at(launch, launch.kernel);
    for (const NamedThing& thing : p.source.named()) {
        if (!thing.head || thing.name != name) continue;
        if (found.function && parameters_of(p.source, *found.function) != parameters_of(p.source, *thing.head))
            return {};
        found.function = thing.head;
    }
    return found;
}

bool called(Place& p) {
    const CallAt call = call_at(p);
    if (!call.function) return false;
    p.finds("called", std::string(call.function->name));
    p.finds("called_line", std::to_string(call.function->line));
    p.finds("wanted", std::to_string(call.function->parameters.size()));
    p.finds("given", std::to_string(call.arguments.size()));
    return p.finds("parameters", parameters_of(p.source, *call.function));
}

// Another argument of the call, which may be stored to, stands where none is stored to.
bool exchanged(Place& p) {
    const CallAt call = call_at(p);
    for (std::size_t i = 0; call.function && i < std::min(call.arguments.size(), call.function->parameters.size());
         ++i) {
        const source::Parameter& parameter = call.function->parameters[i];
        const std::string_view argument = text_of(*p.source.facts().tree, call.arguments[i]);
        const NamedThing* const declared = p.source.meaning(argument, p.message.line);
        if (declared && declared->is_pointer && !declared->is_const && parameter.is_const && parameter.pointers > 0)
            return p.finds("other", std::string(argument));
    }
    return false;
}

// "const float *", "const int *": no pointer among the parameters is of such elements, so no two have changed places.
bool other_elements(Place& p) {
    const auto element = [](std::string_view type) {
        if (!type.ends_with(" *") || type.find('*') + 1 != type.size()) return std::string_view();
        type.remove_suffix(2);
        return type.starts_with("const ") ? type.substr(6) : type;
    };
    const std::string given = p.value("0"), wanted = p.value("1");
    const std::string_view has = element(given), takes = element(wanted);
    const CallAt call = call_at(p);
    if (has.empty() || takes.empty() || has == takes || !call.function || p.text(0) != p.name) return false;
    for (const source::Parameter& parameter : call.function->parameters)
        if (parameter.pointers > 0 &&
            text_of(*p.source.facts().tree, parameter.node).find(has) != std::string_view::npos)
            return false;
    p.finds("has", std::string(has));
    return p.finds("takes", std::string(takes));
}

// "float (*)[32]"
bool rows_of_array(Place& p) {
    const std::string given = p.value("0");
    const std::size_t at = given.find(" (*)[");
    return at != given.npos && p.finds("element", given.substr(0, at)) && p.finds("extents", given.substr(at + 4));
}

bool is_function(Place& p) {
    const NamedThing* const function = p.source.function_named(p.name);
    return function && p.finds("parameters", parameters_of(p.source, *function->head));
}

bool number_of_line(Place& p) {
    const std::vector<TokenId> line = tokens_of_line(p);
    if (line.empty() || (p.token != line[0] && p.token != line[0] + 1)) return false;
    const std::string_view first = p.source.text(line[0]);
    return std::all_of(first.begin(), first.end(), is_digit);
}

bool not_three_parts(Place& p) {
    const TokenId open = p.open_bracket();
    if (open == p.source.end()) return false;
    const auto& code = p.source.tokens().code;
    return std::count_if(code.begin() + open, code.begin() + closing(p.source.tokens(), open),
                         [](const source::CodeToken& token) { return token.text == ";"; }) != 2;
}

bool inner_function(Place& p) {
    if (p.text(0) != "{" || p.token < 2 || p.source.text(p.token - 1) != ")") return false;
    const TokenId open = p.source.tokens().code[p.token - 1].partner;
    if (open == source::no_token || open < 2 || !p.source.facts().function_at(p.message.line)) return false;
    const auto& code = p.source.tokens().code;
    const bool has_type = code[open - 2].kind == source::TokenKind::word || code[open - 2].text == "*";
    return has_type && code[open - 1].kind == source::TokenKind::word &&
           p.finds("inner", std::string(code[open - 1].text));
}

// a[row, col]
bool comma_in_index(Place& p) {
    const source::Tree& tree = *p.source.facts().tree;
    for (const TokenId open : tokens_of_line(p)) {
        if (p.source.text(open) != "[") continue;
        const TokenId close = closing(tree.tokens, open);
        for (TokenId i = open + 1; i < close && p.source.text(i) != "(" && p.source.text(i) != "["; ++i)
            if (p.source.text(i) == ",") return true;
    }
    return false;
}

bool foreign_character(Place& p) {
    const std::string line = p.value("line");
    const auto begin =
        std::find_if(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (begin == line.end()) return false;
    const auto end = std::find_if(begin + 1, line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    const std::string character(begin, end);
    return p.finds("character", character == "\xc2\xa0" ? "no-break space" : character);
}

bool declared_above(Place& p) {
    for (const NamedThing& thing : p.source.named())
        if (thing.name == p.name && thing.line < p.message.line && thing.scope_end >= p.message.line &&
            p.source.is_same_part(thing.line, p.message.line))
            return p.finds("declared", std::to_string(thing.line));
    return false;
}

// What the compiler has to know of what stands there, and what to try.
bool fixed(Place& p) {
    struct Fixed {
        std::string_view word, what, advice;
    };
    constexpr std::string_view literal = "a literal, or a constexpr";
    static constexpr std::array brackets{
        Fixed{"static_assert", "what static_assert tests is", "assert tests as the kernel runs"},
        Fixed{"constexpr", "what `if constexpr` tests is", "write if, without constexpr"},
        Fixed{"alignas", "an alignment is", literal}};
    static constexpr std::array heads{
        Fixed{"case", "what stands behind case is", "write if for what is compared as it runs"},
        Fixed{"constexpr", "what a constexpr is set to is", "write const in its place"},
        Fixed{"enum", "the values of an enum are", literal}};
    const auto is = [&](const Fixed& row) {
        p.finds("what", std::string(row.what));
        return p.finds("advice", std::string(row.advice));
    };
    for (const Fixed& row : brackets)
        if (p.value("bracket") == row.word) return is(row);
    bool is_behind_equals = false;
    for (TokenId i = p.token; i-- > 0;) {
        const std::string_view word = p.source.text(i);
        const bool is_enum = word == "{" && i > 1 && (p.source.text(i - 1) == "enum" || p.source.text(i - 2) == "enum");
        if (word == "case") return is(heads[0]);
        if (word == "constexpr" && is_behind_equals) return is(heads[1]);
        if (is_enum) return is(heads[2]);
        if (word == "[" || word == ";" || word == "{" || word == "}") break;
        is_behind_equals |= word == "=";
    }
    return is({"", "extents are",
               p.value("line").find("__shared__") == std::string::npos
                   ? literal
                   : "a literal, a constexpr, or `extern __shared__` with the bytes as third launch argument"});
}

bool in_void_function(Place& p) {
    const source::Function* const function = p.source.facts().function_at(p.message.line);
    if (!function || function->side == source::Side::kernel) return false;
    const source::Tree& tree = *p.source.facts().tree;
    if (tree[child_of(tree, function->node)].word != "void") return false;
    p.finds("function", std::string(function->name));
    return p.finds("function_line", std::to_string(function->line));
}

bool of_local(Place& p) {
    if (!p.meaning || p.meaning->is_global()) return false;
    const int around = p.meaning->around;
    return p.finds("function",
                   around < 0 ? "" : std::string(p.source.facts().functions[static_cast<std::size_t>(around)].name));
}

// In a text of templates, a variable of the line is a float.
bool float_of_template(Place& p) {
    for (const NamedThing& thing : p.source.named())
        if (!thing.is_parameter && !thing.head && thing.type.find("float") != thing.type.npos &&
            p.value("line").find(thing.name) != std::string::npos &&
            p.source.is_same_part(thing.line, p.message.line)) {
            p.finds("other", std::string(thing.name));
            p.finds("type", std::string(thing.type));
            return p.finds("declared", std::to_string(thing.line));
        }
    return false;
}

bool built_in_alone(Place& p) {
    static constexpr std::array<std::string_view, 4> built_ins{"threadIdx", "blockIdx", "blockDim", "gridDim"};
    for (const TokenId i : tokens_of_line(p))
        if (std::find(built_ins.begin(), built_ins.end(), p.source.text(i)) != built_ins.end() &&
            p.source.text(i + 1) != ".")
            return p.finds("built_in", std::string(p.source.text(i)));
    return false;
}

bool in_condition(Place& p) {
    const source::Facts& facts = p.source.facts();
    const source::Tree& tree = *facts.tree;
    return p.name == "assert" ||
           std::any_of(facts.guards.begin(), facts.guards.end(),
                       [&](const source::Guard& guard) {
                           return tree[guard.node].kind == NodeKind::if_statement && holds_token(p, guard.condition);
                       }) ||
           std::any_of(facts.loops.begin(), facts.loops.end(), [&](const source::Loop& loop) {
               return tree[loop.node].kind == NodeKind::while_statement && holds_token(p, loop.condition);
           });
}

// `float out` where an `out` of the same function can be indexed.
bool hides_array(Place& p) {
    for (const NamedThing& outer : p.source.named())
        if (p.meaning && outer.name == p.name && outer.line != p.meaning->line &&
            (outer.is_pointer || outer.extents > 0) && p.meaning->extents == 0 &&
            p.source.is_same_part(outer.line, p.message.line))
            return p.finds("outer", std::to_string(outer.line));
    return false;
}

// float* tile[32][32]; where the line has a `tile` with all of its indices.
bool array_of_pointers(Place& p) {
    for (const NamedThing& thing : p.source.named())
        if (thing.is_pointer && thing.extents > 0 &&
            p.value("line").find(std::string(thing.name) + "[") != std::string::npos) {
            p.finds("other", std::string(thing.name));
            return p.finds("other_line", std::to_string(thing.line));
        }
    return false;
}

// A function of CUDA's, or one that the file calls or declares.
bool can_be_called(Place& p) {
    const std::vector<source::Call>& calls = p.source.facts().calls;
    return p.name.starts_with("__") || p.source.function_named(p.name) ||
           std::any_of(calls.begin(), calls.end(), [&](const source::Call& call) { return call.name == p.name; });
}

struct Condition {
    std::string_view name;
    PlaceCondition holds;
};
constexpr std::array conditions{
    Condition{"in_chevrons", &in_chevrons},
    Condition{"kernel_on_line", &kernel_on_line},
    Condition{"called", &called},
    Condition{"fewer", [](Place& p) { return std::stoi(p.value("given")) < std::stoi(p.value("wanted")); }},
    Condition{"exchanged", &exchanged},
    Condition{"other_elements", &other_elements},
    Condition{"rows_of_array", &rows_of_array},
    Condition{"is_function", &is_function},
    Condition{"number_of_line", &number_of_line},
    Condition{"not_three_parts", &not_three_parts},
    Condition{"inner_function", &inner_function},
    Condition{"comma_in_index", &comma_in_index},
    Condition{"foreign_character", &foreign_character},
    Condition{"declared_above", &declared_above},
    Condition{"fixed", &fixed},
    Condition{"in_void_function", &in_void_function},
    Condition{"of_local", &of_local},
    Condition{"of_global", [](Place& p) { return p.meaning && p.meaning->is_global(); }},
    Condition{"const", [](Place& p) { return p.meaning && p.meaning->is_const; }},
    Condition{"parameter", [](Place& p) { return p.meaning && p.meaning->is_parameter; }},
    Condition{"template", [](Place& p) { return p.source.uses_of("template") != 0; }},
    Condition{"float_of_template", &float_of_template},
    Condition{"built_in_alone", &built_in_alone},
    Condition{"in_condition", &in_condition},
    Condition{"hides_array", &hides_array},
    Condition{"array_of_pointers", &array_of_pointers},
    Condition{"can_be_called", &can_be_called},
    Condition{"is_word",
              [](Place& p) {
                  return p.token < p.source.end() && p.source.tokens().code[p.token].kind != source::TokenKind::sign &&
                         p.source.tokens().code[p.token].kind != source::TokenKind::text;
              }},
    Condition{"is_address_before",
              [](Place& p) { return p.source.meaning(p.value("before"), p.message.line) != nullptr; }}};

}  // namespace

PlaceCondition place_condition(std::string_view name) {
    const auto found =
        std::find_if(conditions.begin(), conditions.end(), [&](const Condition& row) { return row.name == name; });
    return found == conditions.end() ? name_condition(name) : found->holds;
}

}  // namespace warpgrade
