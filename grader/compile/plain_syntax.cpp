// Plain words for what is no sentence of C++.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "compile/plain_words.hpp"

namespace warpgrade {
namespace {

// Operators that C++ does not have, as they stand before or at the place.
std::string no_operator(const Complaint& c) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> wrong{
        {{"=<", "<="}, {"=>", ">="}, {"===", "=="}, {"!==", "!="}, {"<>", "!="}, {"&&&", "&&"}, {"|||", "||"}}};
    const auto at = static_cast<std::size_t>(std::max(0, c.message.column - 1));
    for (const auto& [text, right] : wrong)
        for (std::size_t begin = at >= 2 ? at - 2 : 0; begin <= at; ++begin)
            if (c.line().substr(begin).starts_with(text) && begin + text.size() > at)
                return "C++ has no `" + std::string(text) + "`: write " + std::string(right);
    return {};
}

std::string number_of_line(const Complaint& c) {
    const std::size_t first = c.view.token_at(c.message.line, 1);
    const bool is_number = !c.text(first).empty() && std::all_of(c.text(first).begin(), c.text(first).end(),
                                                                 [](char d) { return d >= '0' && d <= '9'; });
    return is_number && (c.token == first || c.token == first + 1)
               ? "the number in front of the line came with copied text: take it out"
               : "";
}

std::string comma_missing(const Complaint& c) {
    const std::size_t open = c.open_bracket();
    if (open == c.view.tokens().size() || c.token == 0 || c.token >= c.view.tokens().size()) return {};
    const std::string_view before = c.text(c.token - 1);
    const std::string_view around = c.bracket_of();
    if (around == "if" || around == "while" || around == "for") return {};
    if (!c.view.tokens()[c.token].is_word || before == "(" || before == ",") return {};
    return "is a , missing in front of `" + std::string(c.text(c.token)) + "`?";
}

std::string parts_of_for(const Complaint& c) {
    if (c.bracket_of() != "for") return {};
    const std::size_t open = c.open_bracket(), end = c.view.past(open);
    int semicolons = 0;
    for (std::size_t i = open; i < end; ++i) semicolons += c.text(i) == ";";
    return semicolons == 2 ? "" : "a for has three parts, with a ; between them: for (start; condition; step)";
}

std::string head_without_brackets(const Complaint& c) {
    if (c.token == 0 || c.token > c.view.tokens().size()) return {};
    const std::string_view word = c.text(c.token - 1);
    if (word != "if" && word != "while" && word != "for" && word != "switch") return {};
    return std::string("behind ") + std::string(word) +
           (word == "for" ? " stand three parts in ( ): for (int i = 0; i < n; ++i)" : " stands a condition in ( )");
}

std::string cast_unfinished(const Complaint& c) {
    return c.line_has("_cast") ? "a cast has its type in < > and its value in ( ): static_cast<std::size_t>(x)" : "";
}

std::string function_in_function(const Complaint& c) {
    if (c.text(c.token) != "{" || c.token < 2 || c.text(c.token - 1) != ")") return {};
    for (const auto& [name, declared] : c.view.declared())
        if (declared.line == c.message.line && declared.is_function && declared.scope_ends != 0)
            return "a function cannot be defined inside of another one: move `" + name + "` above it";
    return {};
}

std::string function_cut_off(const Complaint& c) {
    return c.text(c.token) == "{" && c.token > 1 && c.text(c.token - 1) == ";" && c.text(c.token - 2) == ")"
               ? "the ; in front of { ends the function before its body begins: take it out"
               : "";
}

std::string function_begins(const Complaint&) {
    return "a function begins inside of another one: above, a closing } is missing";
}

std::string extents_apart(const Complaint& c) {
    const std::size_t from = c.view.token_at(c.message.line, 1);
    for (std::size_t i = from; i < c.view.tokens().size() && c.view.tokens()[i].line == c.message.line; ++i) {
        if (c.text(i) != "[") continue;
        for (std::size_t end = i + 1; end < c.view.tokens().size() && c.text(end) != "]"; ++end) {
            if (c.text(end) == "[" || c.text(end) == "(" || c.text(end) == ";") break;
            if (c.text(end) == ",") return "[a, b] has one index, b: each extent takes brackets of its own, [a][b]";
        }
    }
    return {};
}

std::string foreign_character(const Complaint& c) {
    const std::string_view line = c.line();
    for (std::size_t at = 0; at < line.size(); ++at) {
        const auto byte = static_cast<unsigned char>(line[at]);
        if (byte < 0x80) continue;
        std::size_t end = at + 1;
        while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) ++end;
        const std::string_view character = line.substr(at, end - at);
        if (character == "\xc2\xa0")
            return "a blank of this line is none of C++'s, it came with copied text: type it again";
        return "`" + std::string(character) +
               "` is no character of C++, it came with copied text: type it again (-, \", ', *)";
    }
    return {};
}

std::string else_alone(const Complaint& c) {
    if (c.text(c.token) != "else") return {};
    return c.token > 0 && c.text(c.token - 1) == ";"
               ? "an else stands right behind what its if does: two statements there take { }"
               : "an else stands right behind what its if does, and here is none";
}

std::string type_without_brackets(const Complaint& c) {
    if (c.token > 0 && c.text(c.token - 1) == "sizeof")
        return "the type of a sizeof stands in ( ): sizeof(" + std::string(c.text(c.token)) + ")";
    const std::string_view around = c.bracket_of();
    if (around == ">>>" || (c.open_bracket() < c.view.tokens().size() && !around.empty() && around != "for" &&
                            around != "if" && is_type_word(c.text(c.token)) && c.view.tokens()[c.token].is_word))
        return "types stand where something is declared: in a call write the names alone";
    return {};
}

std::string choice_of_two(const Complaint& c) {
    return c.line_has("?") ? "a choice has two values: condition ? value : other value" : "";
}

std::string placeholder_or_loop(const Complaint& c) {
    if (c.text(c.token) == "..." ||
        c.line().substr(static_cast<std::size_t>(std::max(0, c.message.column - 1))).starts_with("..."))
        return "... stands for code that is still to be written";
    if (c.line_has("for ") && c.line_has(" in ") && c.line_has("range"))
        return "a loop of C++: for (int i = 0; i < 10; ++i) { ... }";
    return {};
}

std::string comment_unclosed(const Complaint&) { return "/* begins it, and no */ stands behind it: write one"; }

std::string quote_unclosed(const Complaint&) { return "a text ends with a \" in the line in which it begins"; }

std::string jump_over_value(const Complaint& c) {
    if (c.text(c.token) != "goto") return "the cases behind have no value in it: put the lines of its case in braces";
    return "a jump may not go past the line that gives a variable its first value: declare it above the goto, or leave "
           "with return";
}

constexpr std::array syntax_rows{PlainWord{"expected", &no_operator},
                                 PlainWord{"expected", &number_of_line},
                                 PlainWord{"expected", &placeholder_or_loop},
                                 PlainWord{"expected a \")\"", &comma_missing},
                                 PlainWord{"expected a \"(\"", &head_without_brackets},
                                 PlainWord{"expected", &parts_of_for},
                                 PlainWord{"already been declared", &parts_of_for},
                                 PlainWord{"expected a \"<\"", &cast_unfinished},
                                 PlainWord{"expected a \"(\"", &cast_unfinished},
                                 PlainWord{"expected a \";\"", &function_in_function},
                                 PlainWord{"expected a declaration", &function_cut_off},
                                 PlainWord{"block-scope function may only have extern storage", &function_begins},
                                 PlainWord{"a function-definition is not allowed here", &function_begins},
                                 PlainWord{"function definition is not allowed", &function_begins},
                                 PlainWord{"expected a \"]\"", &extents_apart},
                                 PlainWord{"cannot be assigned to an entity of type", &extents_apart},
                                 PlainWord{"unrecognized token", &foreign_character},
                                 PlainWord{"is not valid in an identifier", &foreign_character},
                                 PlainWord{"expected a statement", &else_alone},
                                 PlainWord{"type name is not allowed", &type_without_brackets},
                                 PlainWord{"expected an expression", &type_without_brackets},
                                 PlainWord{"expected a \":\"", &choice_of_two},
                                 PlainWord{"transfer of control bypasses", &jump_over_value},
                                 PlainWord{"comment unclosed", &comment_unclosed},
                                 PlainWord{"missing closing quote", &quote_unclosed}};

}  // namespace

std::span<const PlainWord> plain_words_of_syntax() { return syntax_rows; }

}  // namespace warpgrade
