#include "compile/source_view.hpp"

#include <algorithm>
#include <array>

#include "base/code_text.hpp"
#include "base/text.hpp"

namespace warpgrade {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        begin = end + 1;
    }
    return lines;
}

template <std::size_t Size>
bool is_one_of(std::string_view word, const std::array<std::string_view, Size>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::size_t length_of_token(std::string_view rest) {
    static constexpr std::array<std::string_view, 18> operators{"<<<", ">>>", "::", "->", "==", "<=", ">=", "!=", "&&",
                                                                "||",  "++",  "--", "+=", "-=", "*=", "/=", "%=", "^="};
    if (is_word(rest.front())) {
        std::size_t length = 1;
        const bool is_number = rest.front() >= '0' && rest.front() <= '9';
        while (length < rest.size() && (is_word(rest[length]) || (is_number && rest[length] == '.'))) ++length;
        return length;
    }
    if (rest.front() == '"' || rest.front() == '\'') {  // the contents are blank
        const std::size_t end = rest.find_first_of(rest.front() == '"' ? "\"\n" : "'\n", 1);
        return end != std::string_view::npos && rest[end] != '\n' ? end + 1 : 1;
    }
    for (const std::string_view op : operators)
        if (rest.starts_with(op)) return op.size();
    return 1;
}

}  // namespace

bool is_type_word(std::string_view word) {
    static constexpr std::array<std::string_view, 32> words{
        "void",     "int",    "float",  "double", "unsigned",   "signed",     "char",         "bool",
        "long",     "short",  "auto",   "size_t", "std",        "const",      "constexpr",    "static",
        "volatile", "extern", "inline", "dim3",   "__global__", "__device__", "__host__",     "__shared__",
        "float2",   "float4", "int4",   "T",      "uint",       "struct",     "__constant__", "template"};
    return is_one_of(word, words);
}

bool is_keyword(std::string_view word) {
    static constexpr std::array<std::string_view, 26> words{
        "if",       "else",   "for",  "while",       "do",    "return", "switch", "case",  "break",
        "continue", "sizeof", "new",  "delete",      "using", "goto",   "throw",  "class", "namespace",
        "typename", "try",    "true", "static_cast", "false", "union",  "enum",   "this"};
    return is_type_word(word) || is_one_of(word, words);
}

SourceView::SourceView(std::string_view source) : source_(source), code_(without_comments(source)) {
    lines_ = lines_of(source_);
    code_lines_ = lines_of(code_);
    read_tokens();
    closing_.assign(tokens_.size(), tokens_.size());
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (tokens_[i].is_directive) continue;
        const std::string_view token = tokens_[i].text;
        if (token == "{" || token == "(") open.push_back(i);
        if (token != "}" && token != ")") continue;
        // A } ends all that is open within its braces; a ) nothing but its own.
        while (!open.empty() && token == "}" && text(open.back()) != "{") open.pop_back();
        if (open.empty() || (token == ")" && text(open.back()) != "(")) continue;
        closing_[open.back()] = i;
        open.pop_back();
    }
    read_parts();
    read_declarations();
}

std::string_view SourceView::line(int number) const {
    return number > 0 && static_cast<std::size_t>(number) <= lines_.size() ? lines_[number - 1] : std::string_view();
}

std::string_view SourceView::code(int number) const {
    return number > 0 && static_cast<std::size_t>(number) <= code_lines_.size() ? trimmed(code_lines_[number - 1])
                                                                                : std::string_view();
}

int SourceView::code_line_before(int number) const {
    for (int line = std::min(number, line_count() + 1) - 1; line > 0; --line)
        if (!code(line).empty() && !code(line).starts_with('#')) return line;
    return 0;
}

void SourceView::read_tokens() {
    int line = 1;
    std::size_t line_begin = 0;
    bool is_directive = false, is_line_start = true;
    for (std::size_t at = 0; at < code_.size();) {
        const char c = code_[at];
        if (c == '\n') {
            const bool goes_on =
                is_directive && trimmed(std::string_view(code_).substr(line_begin, at - line_begin)).ends_with('\\');
            ++line, ++at;
            line_begin = at;
            is_directive = goes_on;
            is_line_start = true;
        } else if (is_blank(c)) {
            ++at;
        } else {
            if (is_line_start && c == '#') is_directive = true;
            is_line_start = false;
            const std::size_t length = length_of_token(std::string_view(code_).substr(at));
            std::string_view token = std::string_view(code_).substr(at, length);
            if ((c == '"' || c == '\'') && length > 1) token = "\"\"";
            tokens_.push_back({token, line, static_cast<int>(at - line_begin) + 1, is_word(c), is_directive});
            at += length;
        }
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i)
        if (tokens_[i].is_directive && text(i) == "#" && text(i + 1) == "define") read_macro(i);
}

void SourceView::read_macro(std::size_t hash) {
    if (hash + 2 >= tokens_.size() || !tokens_[hash + 2].is_word || tokens_[hash + 2].line != tokens_[hash].line)
        return;
    const CodeToken& name = tokens_[hash + 2];
    const std::string_view line = code_lines_[static_cast<std::size_t>(name.line) - 1];
    const std::string_view rest = line.substr(static_cast<std::size_t>(name.column) - 1 + name.text.size());
    macros_.push_back(
        {std::string(name.text), std::string(trimmed(rest)), name.line, !rest.empty() && rest.front() == '('});
}

std::size_t SourceView::token_at(int line, int column) const {
    const auto found = std::lower_bound(tokens_.begin(), tokens_.end(), std::pair(line, column),
                                        [](const CodeToken& token, const std::pair<int, int>& place) {
                                            return std::pair(token.line, token.column) < place;
                                        });
    return found == tokens_.end() || found->line != line ? tokens_.size()
                                                         : static_cast<std::size_t>(found - tokens_.begin());
}

std::string SourceView::word_at(int number, int column) const {
    const std::string_view whole = line(number);
    std::string word;
    for (std::size_t i = column > 0 ? column - 1 : whole.size(); i < whole.size() && is_word(whole[i]); ++i)
        word += whole[i];
    return word;
}

std::size_t SourceView::past(std::size_t token) const {
    return token < closing_.size() ? std::min(closing_[token] + 1, tokens_.size()) : tokens_.size();
}

// What stands between the braces of a namespace are parts of their own.
void SourceView::read_parts() {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (tokens_[i].is_directive) {
            if (begin == i) begin = i + 1;
            continue;
        }
        const std::string_view token = text(i);
        if (token == "(") {
            i = closing_[i] == tokens_.size() ? i : closing_[i];
            continue;
        }
        const bool is_namespace = token == "{" && i > begin && (text(begin) == "namespace" || text(begin) == "extern");
        if (is_namespace || (token == ";" && i >= begin)) {
            parts_.push_back({tokens_[begin].line, tokens_[i].line, ""});
            begin = i + 1;
        } else if (token == "{") {
            Part part{tokens_[begin].line, 0, ""};
            for (std::size_t name = begin; name + 1 < i && part.function.empty(); ++name)
                if (tokens_[name].is_word && !is_keyword(text(name)) && text(name + 1) == "(" &&
                    !text(name).starts_with("__launch_bounds__"))
                    part.function = text(name);
            const std::size_t end = closing_[i];
            part.last_line = end < tokens_.size() ? tokens_[end].line : line_count();
            parts_.push_back(part);
            i = std::min(end, tokens_.size() - 1);
            begin = i + 1;
        }
    }
}

std::size_t SourceView::part_of(int line) const {
    const auto after = std::upper_bound(parts_.begin(), parts_.end(), line,
                                        [](int wanted, const Part& part) { return wanted < part.first_line; });
    if (after == parts_.begin()) return none;
    const auto index = static_cast<std::size_t>(after - parts_.begin()) - 1;
    return line <= parts_[index].last_line ? index : none;
}

std::string SourceView::function_at(int line) const {
    const std::size_t part = part_of(line);
    return part == none ? "" : parts_[part].function;
}

std::vector<std::string> SourceView::kernels() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (text(i) != "__global__" || tokens_[i].is_directive) continue;
        for (std::size_t name = i + 1; name < std::min(i + 12, tokens_.size()) && text(name) != ";"; ++name)
            if (tokens_[name].is_word && !is_keyword(text(name)) && text(name + 1) == "(" &&
                text(name) != "__launch_bounds__") {
                if (std::find(names.begin(), names.end(), text(name)) == names.end()) names.emplace_back(text(name));
                break;
            }
    }
    return names;
}

// The words in front of a name, back to where a declaration can begin: "const float *" of `(const float* in`.
std::optional<DeclaredName> SourceView::declaration_at(std::size_t token) const {
    static constexpr std::array<std::string_view, 8> behind{";", "=", ",", ")", "[", "(", "{", ":"};
    static constexpr std::array<std::string_view, 6> before{"(", ",", ";", "{", "}", ")"};
    constexpr std::size_t most_words = 24;
    const CodeToken& name = tokens_[token];
    if (!name.is_word || name.is_directive || is_keyword(name.text) || !is_one_of(text(token + 1), behind)) return {};
    std::size_t first = token;
    while (first > 0 && token - first < most_words && !tokens_[first - 1].is_directive) {
        const std::string_view word = text(first - 1);
        if (!tokens_[first - 1].is_word && word != "*" && word != "&" && word != "::" && word != "<" && word != ">")
            break;
        // Without a `;` the line above goes on into this one, but its words are no part of the type.
        if (first < token && tokens_[first - 1].line != tokens_[first].line && is_type_word(text(first)) &&
            !is_type_word(word) && word != ">" && word != "*")
            break;
        if (word == "return" || word == "else" || word == "new" || word == "using" || word == "goto" || word == "case")
            return {};
        --first;
    }
    const bool begins_line = first < token && first > 0 && tokens_[first - 1].line != tokens_[first].line;
    if (first == token ||
        (first > 0 && !tokens_[first - 1].is_directive && !begins_line && !is_one_of(text(first - 1), before)))
        return {};
    const bool has_type = is_type_word(text(first)) || (tokens_[token - 1].is_word && tokens_[first].is_word &&
                                                        !(text(first)[0] >= '0' && text(first)[0] <= '9'));
    if (!has_type) return {};
    DeclaredName found;
    found.line = name.line, found.column = name.column;
    for (std::size_t i = first; i < token; ++i) {
        if (text(i) == "const" || text(i) == "constexpr") found.is_const = true;
        if (text(i) == "*") found.is_pointer = true;
        if (text(i) == "__shared__") found.is_shared = true;
        const bool is_glued = text(i) == "*" || text(i) == "&" || text(i) == "::" || text(i) == "<" || text(i) == ">" ||
                              found.type.ends_with("::") || found.type.ends_with("<");
        found.type += (found.type.empty() || is_glued ? "" : " ") + std::string(text(i));
    }
    // `float* const in` is a pointer that stays; what it leads to can be stored to.
    for (std::size_t i = token + 1; text(i) == "["; ++i, ++found.extents)
        while (i + 1 < tokens_.size() && text(i) != "]" && text(i) != ";") ++i;
    if (text(token + 1) == "(") {
        const std::size_t end = closing_[token + 1];
        if (end >= tokens_.size() || (text(end + 1) != "{" && text(end + 1) != ";")) return found;
        found.is_function = end == token + 2 || is_type_word(text(token + 2)) || text(end + 1) == "{";
        if (!found.is_function) return found;
        int depth = 0;
        for (std::size_t i = token + 2; i < end; ++i) {
            depth += (text(i) == "(" || text(i) == "<") - (text(i) == ")" || text(i) == ">");
            if (text(i) == "," && depth == 0) ++found.parameter_count;
            const bool is_glued = text(i) == "," || text(i) == "*" || text(i) == "&" || text(i) == "::" ||
                                  found.parameters.ends_with("::") || found.parameters.empty();
            found.parameters += (is_glued ? "" : " ") + std::string(text(i));
        }
        if (end > token + 2) ++found.parameter_count;
    }
    return found;
}

void SourceView::read_declarations() {
    std::vector<std::size_t> open;  // brackets around the token
    DeclaredName last;              // of the statement, for what follows a comma in it
    std::size_t last_depth = none;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (tokens_[i].is_directive) continue;
        const std::string_view token = text(i);
        if (token == "{" || token == "(") open.push_back(i);
        if ((token == "}" || token == ")") && !open.empty() && closing_[open.back()] == i) open.pop_back();
        if (token == "}" && !open.empty() && text(open.back()) == "(") {  // the ( was never closed
            while (!open.empty() && text(open.back()) == "(") open.pop_back();
            if (!open.empty() && closing_[open.back()] == i) open.pop_back();
        }
        if (token == ";" || token == "{" || token == "}") last_depth = none;
        auto found = declaration_at(i);
        if (!found && open.size() == last_depth && i > 0 && text(i - 1) == "," && tokens_[i].is_word &&
            !is_keyword(token) && (text(i + 1) == "=" || text(i + 1) == "," || text(i + 1) == ";")) {
            found = last;
            found->line = tokens_[i].line, found->column = tokens_[i].column;
            found->extents = 0;
        }
        if (!found) continue;
        found->function = function_at(found->line);
        std::size_t end = tokens_.size();
        if (!open.empty() && text(open.back()) == "(") {
            std::size_t behind = past(open.back());
            found->is_parameter = open.back() > 0 && text(open.back() - 1) != "for" && text(open.back() - 1) != "if" &&
                                  text(open.back() - 1) != "while";
            while (found->is_parameter && behind < tokens_.size() && tokens_[behind].is_word) ++behind;
            if (text(behind) == "{")
                end = closing_[behind];
            else
                while (behind < tokens_.size() && text(behind) != ";") end = ++behind;
        } else if (!open.empty()) {
            end = closing_[open.back()];
        }
        found->scope_ends = end < tokens_.size() ? tokens_[end].line : 0;
        if (found->is_function && open.empty()) found->function.clear();
        if (!found->is_parameter && !found->is_function) last = *found, last_depth = open.size();
        declared_.emplace_back(std::string(token), *found);
    }
}

std::optional<DeclaredName> SourceView::meaning(std::string_view name, int line) const {
    std::optional<DeclaredName> found;
    for (const auto& [known, declared] : declared_)
        if (known == name && declared.line <= line && (declared.scope_ends == 0 || line <= declared.scope_ends))
            found = declared;
    return found;
}

int SourceView::uses_of(std::string_view name) const {
    return static_cast<int>(
        std::count_if(tokens_.begin(), tokens_.end(), [&](const CodeToken& token) { return token.text == name; }));
}

}  // namespace warpgrade
