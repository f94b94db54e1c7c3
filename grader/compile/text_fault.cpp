#include "compile/text_fault.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace warpgrade {
namespace {

std::string in_line(int line) { return "line " + std::to_string(line); }

// Reads brackets up to the first that does not fit.
class Brackets {
public:
    explicit Brackets(const SourceView& view) : view_(view), tokens_(view.tokens()) {
        for (const CodeToken& token : tokens_)
            if (token.is_directive && (token.text == "else" || token.text == "elif")) has_branches_ = true;
        for (const Macro& macro : view.macros())
            if (macro.body.find_first_of("{}()[]") != std::string::npos && !macro.has_parameters &&
                !is_even(macro.body))
                has_branches_ = true;
    }

    std::optional<TextFault> find() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (tokens_[i].is_directive) continue;
            if (auto fault = step(i)) return fault;
        }
        return left_open();
    }

private:
    struct Open {
        std::size_t token = 0;
        int semicolons = 0;  // of a head
    };
    struct Pair {
        std::size_t open = 0, close = 0;
    };

    std::string_view text(std::size_t i) const { return view_.text(i); }
    bool is_open(std::string_view bracket) const { return !open_.empty() && text(open_.back().token) == bracket; }
    TextFault at(std::size_t token, std::string message) const {
        return {tokens_[token].line, tokens_[token].column, std::move(message)};
    }
    static bool is_even(const std::string& body) {
        for (const char* pair : {"{}", "()", "[]"})
            if (std::count(body.begin(), body.end(), pair[0]) != std::count(body.begin(), body.end(), pair[1]))
                return false;
        return true;
    }
    bool is_first_of_line(std::size_t i) const { return i == 0 || tokens_[i - 1].line != tokens_[i].line; }
    // Where the line of a token begins.
    int indent(std::size_t i) const {
        const std::string_view line = view_.line(tokens_[i].line);
        return static_cast<int>(std::min(line.find_first_not_of(" \t"), line.size()));
    }
    bool is_of(std::size_t bracket, std::string_view word) const {
        if (bracket > 1 && text(bracket - 1) == "constexpr") --bracket;
        return bracket > 0 && text(bracket - 1) == word;
    }
    // for (start; condition; step), if (start; condition)
    int most_semicolons(std::size_t open) const {
        if (text(open) != "(") return 0;
        return is_of(open, "for") ? 2 : is_of(open, "if") || is_of(open, "switch") ? 1 : 0;
    }
    bool is_head(std::size_t open) const {
        return text(open) == "(" && (most_semicolons(open) != 0 || is_of(open, "while"));
    }
    // Whether this { is a part of the head that is open, as in for (int x : {1, 2}): the head is closed behind its }.
    bool is_within_head(std::size_t brace) const {
        constexpr std::size_t longest_head = 512;
        int depth = 0, semicolons = open_.back().semicolons;
        for (std::size_t i = brace; i < tokens_.size() && i - brace < longest_head; ++i) {
            const std::string_view token = text(i);
            if (tokens_[i].is_directive) continue;
            if (depth == 0 && i != brace) {
                if (token == ")") return true;
                if (token == "}" || token == "]") return false;
                if (token == ";" && ++semicolons > most_semicolons(open_.back().token)) return false;
            }
            depth += (token == "{" || token == "(" || token == "[") - (token == "}" || token == ")" || token == "]");
        }
        return false;
    }

    std::optional<TextFault> step(std::size_t i) {
        const std::string_view token = text(i);
        if (token == "\"")
            return at(i,
                      "this text does not end: its second \" is missing\nwrite a \" where it ends, in the same line");
        if (token == "(" || token == "[") {
            open_.push_back({i, 0});
        } else if (token == "{") {
            if (!open_.empty() && is_head(open_.back().token) && !is_within_head(i))
                return unclosed(open_.back().token, i);
            open_.push_back({i, 0});
        } else if (token == ";") {
            return semicolon(i);
        } else if (token == ")" || token == "]") {
            return close(i, token == ")" ? "(" : "[");
        } else if (token == "}") {
            if (is_open("(") || is_open("[")) return unclosed(open_.back().token, i);
            if (open_.empty() && has_branches_) return {};
            if (open_.empty()) return one_too_many(i);
            pairs_.push_back({open_.back().token, i});
            open_.pop_back();
        }
        return {};
    }

    std::optional<TextFault> semicolon(std::size_t i) {
        if (!is_open("(") && !is_open("[")) return {};
        Open& around = open_.back();
        const bool is_for = text(around.token) == "(" && is_of(around.token, "for");
        if (++around.semicolons <= most_semicolons(around.token)) return {};
        if (!is_head(around.token) && has_parts_of_for(around.token)) return {};  // for is misspelt
        if (text(around.token) == "(" && closes_behind(i)) {
            if (is_for)
                return at(i,
                          "this `;` is the third in the brackets of a for\na for has three parts, with a ; between "
                          "them: for (start; condition; step)");
            return at(i,
                      "this `;` stands inside of ( )\nwhat stands in ( ) is separated by commas: write , here, or take "
                      "the ; out");
        }
        return unclosed(around.token, i);
    }
    // ( start; condition; step ) on one line
    bool has_parts_of_for(std::size_t open) const {
        int depth = 0, semicolons = 0;
        for (std::size_t i = open; i < tokens_.size() && tokens_[i].line == tokens_[open].line; ++i) {
            depth += (text(i) == "(") - (text(i) == ")");
            if (text(i) == ";") ++semicolons;
            if (depth == 0) return semicolons == 2;
        }
        return false;
    }
    // Whether the rest of the line closes the bracket that is open at `i`.
    bool closes_behind(std::size_t i) const {
        int depth = 0;
        for (std::size_t next = i + 1; next < tokens_.size() && tokens_[next].line == tokens_[i].line; ++next) {
            depth += (text(next) == "(") - (text(next) == ")");
            if (depth < 0) return true;
        }
        return false;
    }

    std::optional<TextFault> close(std::size_t i, std::string_view opener) {
        if (is_open(opener)) {
            open_.pop_back();
            return {};
        }
        const std::string closer(text(i));
        if (open_.empty() || is_open("{"))
            return at(i, "no " + std::string(opener) + " is open that this `" + closer +
                             "` could close\ntake it out, or write the " + std::string(opener) + " that it belongs to");
        return unclosed(open_.back().token, i);
    }

    std::optional<TextFault> unclosed(std::size_t open, std::size_t before) const {
        const std::string closer = text(open) == "(" ? ")" : "]";
        const std::string there =
            "the `" + std::string(text(before)) + "` " +
            (tokens_[before].line == tokens_[open].line ? "behind it" : "of " + in_line(tokens_[before].line));
        return at(open, "this `" + std::string(text(open)) + "` is not closed\na " + closer +
                            " is missing between it and " + there);
    }

    // A } that closes nothing: an earlier one has taken a { that stands further left than itself.
    TextFault one_too_many(std::size_t i) const {
        for (const Pair& pair : pairs_)
            if (is_first_of_line(pair.close) && indent(pair.close) > indent(pair.open))
                return at(pair.close, "one } too many: this one closes the { of " + in_line(tokens_[pair.open].line) +
                                          "\ntake it out, or write the { that it belongs to");
        return at(i, "one } too many: no { is open here\ntake it out, or write the { that it belongs to");
    }

    std::optional<TextFault> left_open() const {
        if (open_.empty()) return {};
        const std::size_t last = open_.back().token;
        if (text(last) != "{")
            return at(last, "this `" + std::string(text(last)) +
                                "` is not closed\nnothing closes it up to the end of the file");
        if (has_branches_) return {};
        // A } that stands further left than the { it has closed belongs to another one.
        for (const Pair& pair : pairs_)
            if (is_first_of_line(pair.close) && indent(pair.close) < indent(pair.open))
                return at(pair.open, "this `{` is not closed\na } is missing in front of " +
                                         in_line(tokens_[pair.close].line) +
                                         ": the } there ends what begins further left");
        const std::size_t open = open_.front().token;
        for (std::size_t next = open + 1; next < tokens_.size(); ++next)
            if (is_first_of_line(next) && !tokens_[next].is_directive && tokens_[next].line > tokens_[open].line &&
                indent(next) <= indent(open) && text(next) != "}" && text(next) != "{")
                return at(open, "this `{` is not closed\na } is missing in front of " + in_line(tokens_[next].line));
        return at(open, "this `{` is not closed\na } is missing, at the end of the file as it seems");
    }

    const SourceView& view_;
    const std::vector<CodeToken>& tokens_;
    std::vector<Open> open_;
    std::vector<Pair> pairs_;
    bool has_branches_ = false;  // two texts for one place: braces need not be even
};

}  // namespace

std::optional<TextFault> pasted_text(const SourceView& view) {
    for (int line = 1; line <= view.line_count(); ++line) {
        const std::string_view text = view.line(line);
        if (text.starts_with("<<<<<<< ") || text.starts_with(">>>>>>> ") || text == "=======")
            return TextFault{line, 1,
                             "a merge has left both versions of these lines here\nkeep one of them, and take out the "
                             "lines with <<<<<<<, ======= and >>>>>>>"};
        const std::string_view code = view.code(line);
        if (code.starts_with("```"))
            return TextFault{line, 1, "``` is how Markdown marks code, it is no C++\ntake the line out"};
        // The compiler reads a comment on over a \ at its end.
        const bool is_comment =
            text.find("//") != std::string_view::npos && trimmed(text).ends_with('\\') && !code.ends_with('\\');
        if (is_comment && !view.code(line + 1).empty())
            return TextFault{line, static_cast<int>(trimmed(text, "\r\n \t").size() + text.find_first_not_of(" \t")),
                             "the \\ at the end of this comment makes the next line a part of it\ntake the \\ out"};
    }
    return {};
}

std::optional<TextFault> unmatched_bracket(const SourceView& view) { return Brackets(view).find(); }

std::optional<TextFault> macro_with_more(const SourceView& view, int line) {
    for (const Macro& macro : view.macros()) {
        if (macro.has_parameters || macro.line == line) continue;
        const bool ends = macro.body.ends_with(';') && macro.body.find(';') + 1 == macro.body.size();
        const bool begins = macro.body.starts_with('=');
        if (!ends && !begins) continue;
        bool is_used = false;
        for (std::size_t i = view.token_at(line, 1); i < view.tokens().size() && view.tokens()[i].line == line; ++i)
            is_used = is_used || view.text(i) == macro.name;
        if (!is_used) continue;
        const std::string plain = begins ? "a #define has no = between name and value: take it out"
                                         : "a #define ends with its line: take the ; out";
        const std::string_view text = view.line(macro.line);
        const std::size_t at = text.find(macro.body);
        return TextFault{macro.line,
                         at == std::string_view::npos ? 0 : static_cast<int>(at + (begins ? 1 : macro.body.size())),
                         "`" + macro.name + "` stands for `" + macro.body + "`, the `" + (begins ? "=" : ";") +
                             "` with it, as in line " + std::to_string(line) + "\n" + plain};
    }
    return {};
}

}  // namespace warpgrade
