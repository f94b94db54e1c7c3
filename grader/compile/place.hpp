// A submission's text, which need not be a program, and what it says at the place of a compiler's message. Internal to
// compile/.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compilation.hpp"
#include "source/facts.hpp"

namespace warpgrade {

// A declaration, or a function's head.
struct NamedThing {
    std::string_view name;
    std::string_view type;  // as it is written, "const float"
    int line = 0, scope_end = 0;
    bool is_const = false, is_pointer = false, is_parameter = false;
    int extents = 0;
    int around = -1;                         // the function that it is in, by index
    const source::Function* head = nullptr;  // of a function
    bool is_global() const { return around < 0 && !is_parameter; }
};

// Between a sentence that leads a message and the message of NVRTC's.
inline constexpr std::string_view words_of_compiler = "\nthe compiler says: ";

class SourceText {
public:
    explicit SourceText(std::string_view text);
    SourceText(const SourceText&) = delete;
    SourceText& operator=(const SourceText&) = delete;

    std::string_view line(int number) const;
    std::string_view text(source::TokenId token) const { return token < end() ? tokens().code[token].text : ""; }
    const source::Tokens& tokens() const { return tree_.tokens; }
    const source::Facts& facts() const { return facts_; }
    source::TokenId end() const { return tree_.tokens.file_end; }
    // The first token at or behind a place of a line; end(): none on that line.
    source::TokenId token_at(int line, int column) const;
    // The identifier that begins at a place, or "".
    std::string_view word_at(int line, int column) const;
    // Whether two lines lie in one declaration outside of all braces: one function, mostly.
    bool is_same_part(int line, int other) const { return part_of(line) == part_of(other); }

    // In the order of the text, functions last.
    const std::vector<NamedThing>& named() const { return named_; }
    // What `name` means in `line`; nullptr: nothing that is declared before it.
    const NamedThing* meaning(std::string_view name, int line) const;
    const NamedThing* function_named(std::string_view name) const;
    int uses_of(std::string_view name) const;

private:
    source::NodeId part_of(int line) const;

    source::Tree tree_;
    source::Facts facts_;
    std::vector<std::string_view> lines_;
    std::vector<NamedThing> named_;
};

// "const float* in, float* out"
std::string parameters_of(const SourceText& source, const source::Function& function);
// The n-th "quoted" part of a message, from 0; "" where there are fewer.
std::string_view quoted(std::string_view message, std::size_t n);
// "`a`, `b` and `c`"
std::string listed(const std::vector<std::string_view>& names);
// Whether the text has one of `pieces`, which | separates.
bool has_one_of(std::string_view text, std::string_view pieces);

// Where a message points, and what has been found out about it: the values that a sentence names in { }.
struct Place {
    Place(const CompilerMessage& message, const SourceText& source);

    const CompilerMessage& message;
    const SourceText& source;
    source::TokenId token;  // source.end(): nowhere
    std::string name;       // the identifier there, or ""
    const NamedThing* meaning;
    std::map<std::string, std::string, std::less<>> found;

    // The ( that is open at the place; source.end(): none.
    source::TokenId open_bracket() const;
    // Of a key: `found`; or "line", "rest" (of the line), "around" (2 characters to either side), "text" (all of it);
    // tokens: "at", "next", "next2", "before2" ..., "bracket" (before the open one; "none"), "statement" (up to here);
    // "message", "0" and "1" (quoted in it), "unknown" (the name it is about), "here" (its line); "name" and of what it
    // means "kind" (number, pointer, array, arrays, function), "extents", "type", "declared" (line), "parameters";
    // "earlier" (line), "earlier_kind" of what it was above that; "function" around and its "function_line", "returns",
    // "parameters_here"; "kernel" (named in the line), "only_kernel" (of the text).
    std::string value(std::string_view key) const;
    bool finds(std::string_view key, std::string value) {
        found.insert_or_assign(std::string(key), std::move(value));
        return true;
    }
};

// A condition by its name; what it finds out goes to `found`. nullptr: there is none of this name.
using PlaceCondition = bool (*)(Place&);
PlaceCondition place_condition(std::string_view name);

// messages.rows, which the library has inside: phrases of messages, conditions and sentences.
extern const char* const message_rows;
// The message with what a row puts behind it, or in its place; as it is where its own words are plain enough.
std::string in_plain_words(const CompilerMessage& message, const SourceText& source, bool is_program = false);

}  // namespace warpgrade
