// A submission's text as it is read by those who explain what the compiler says of it: its lines, its tokens, and what
// its names stand for. It is text that need not be a program: everything here is looked for, nothing is relied on.
// Internal to compile/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

struct CodeToken {
    std::string_view text;  // a word, a number, an operator; `""` of a literal, `"` of one that its line does not end
    int line = 0, column = 0;
    bool is_word = false;       // numbers too
    bool is_directive = false;  // on a line of the preprocessor's
};

// #define NAME BODY
struct Macro {
    std::string name, body;
    int line = 0;
    bool has_parameters = false;
};

// What the text says of a name: `const float* in`, `float tile[32][33]`, `static int twice(int a)`.
struct DeclaredName {
    int line = 0, column = 0;
    std::string type;  // the words before the name, "const float"
    bool is_const = false, is_pointer = false, is_shared = false, is_function = false;
    bool is_parameter = false;
    int extents = 0;          // of an array: pairs of brackets
    int scope_ends = 0;       // the line of the } behind which nobody knows it; 0: the end of the file
    std::string function;     // whose it is; "" of one outside of all
    std::string parameters;   // of a function: "const float* in, int n"
    int parameter_count = 0;  // of a function
};

class SourceView {
public:
    explicit SourceView(std::string_view source);
    SourceView(const SourceView&) = delete;
    SourceView& operator=(const SourceView&) = delete;

    // Line `number` as it is, and without its comments; empty where there is none.
    std::string_view line(int number) const;
    std::string_view code(int number) const;
    int line_count() const { return static_cast<int>(lines_.size()); }
    // The last line before `number` that has code; 0: none.
    int code_line_before(int number) const;

    const std::vector<CodeToken>& tokens() const { return tokens_; }
    const std::vector<Macro>& macros() const { return macros_; }
    std::string_view text(std::size_t token) const {
        return token < tokens_.size() ? tokens_[token].text : std::string_view();
    }
    // The first token at or behind a place of a line; tokens().size(): none on that line.
    std::size_t token_at(int line, int column) const;
    // The identifier that begins at a place, or "".
    std::string word_at(int line, int column) const;
    // Past the bracket that closes the one at `token`.
    std::size_t past(std::size_t token) const;

    // Whether two lines lie in one declaration outside of all braces: one function, mostly.
    bool is_same_part(int line, int other) const { return part_of(line) == part_of(other); }
    // The function whose head or braces hold the line; "" none.
    std::string function_at(int line) const;
    // Names that a kernel's head gives.
    std::vector<std::string> kernels() const;
    // Every declaration of the name, in the order of the text.
    const std::vector<std::pair<std::string, DeclaredName>>& declared() const { return declared_; }
    // What `name` means in `line`: the last declaration before it whose scope holds the line.
    std::optional<DeclaredName> meaning(std::string_view name, int line) const;
    int uses_of(std::string_view name) const;

private:
    struct Part {
        int first_line = 0, last_line = 0;
        std::string function;  // "" where it is none
    };
    std::size_t part_of(int line) const;
    void read_tokens();
    void read_macro(std::size_t hash);
    void read_parts();
    void read_declarations();
    std::optional<DeclaredName> declaration_at(std::size_t token) const;

    std::string_view source_;
    std::string code_;
    std::vector<std::string_view> lines_, code_lines_;
    std::vector<CodeToken> tokens_;
    std::vector<std::size_t> closing_;  // of the { and ( at a token: where it is closed; the number of tokens: nowhere
    std::vector<Macro> macros_;
    std::vector<Part> parts_;
    std::vector<std::pair<std::string, DeclaredName>> declared_;
};

// Words with which a declaration begins.
bool is_type_word(std::string_view word);
// A word of the language, or of CUDA's, that cannot be a name.
bool is_keyword(std::string_view word);

}  // namespace warpgrade
