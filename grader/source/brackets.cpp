#include "source/tokens.hpp"

#include <algorithm>

namespace warpgrade::source {

namespace {

char opening_of(std::string_view sign) {
    if (sign == ")") return '(';
    if (sign == "]") return '[';
    return sign == "}" ? '{' : '\0';
}
bool is_opening(std::string_view sign) { return sign == "(" || sign == "[" || sign == "{"; }

class BracketMatcher {
public:
    BracketMatcher(std::vector<CodeToken>& code, TokenId begin, TokenId end) : code_(code), begin_(begin), end_(end) {}

    void run() {
        if (pass(false)) return;
        for (TokenId i = begin_; i < end_; ++i) code_[i].partner = code_[i].end = no_token;
        pass(true);
    }

private:
    // Returns whether all of the curly brackets have found a partner.
    bool pass(bool by_indent) {
        open_.clear();
        bool is_balanced = true;
        for (TokenId i = begin_; i < end_; ++i) {
            const CodeToken& token = code_[i];
            if (by_indent) end_blocks(i);
            if (token.kind != TokenKind::sign) continue;
            if (is_opening(token.text)) open_.push_back({i, indent_of(i)});
            if (token.text == "}")
                is_balanced &= by_indent && is_first_on_line(i) ? close_by_indent(i) : close(i, '{');
            else if (const char opening = opening_of(token.text); opening != '\0')
                close(i, opening);
        }
        for (const Open& open : open_) is_balanced &= !is_block(open);
        return is_balanced;
    }

    struct Open {
        TokenId token = 0;
        int indent = 0;
    };
    bool is_block(const Open& open) const { return code_[open.token].text == "{"; }

    // Of the line on which the statement before a block begins, whose head may take several lines.
    int indent_of(TokenId i) const {
        constexpr int most_steps = 60;
        TokenId first = i;
        for (int step = 0; first > begin_ && step < most_steps; ++step) {
            const CodeToken& before = code_[first - 1];
            const bool is_label = before.text == ":" && first > begin_ + 1 && is_access(code_[first - 2].text);
            if (before.text == ";" || before.text == "{" || before.text == "}" || is_label) break;
            const bool is_end = (before.text == ")" || before.text == "]") && before.partner != no_token;
            first = is_end && before.partner < first ? before.partner : first - 1;
        }
        return code_[first].indent;
    }
    static bool is_access(std::string_view word) {
        return word == "public" || word == "protected" || word == "private";
    }

    bool is_first_on_line(TokenId i) const { return code_[i].at.column == code_[i].indent; }

    bool close(TokenId i, char opening) {
        std::size_t found = open_.size();
        while (found > 0 && code_[open_[found - 1].token].text[0] != opening) {
            if (is_block(open_[found - 1]) && opening != '{') return false;
            --found;
        }
        if (found == 0) return false;
        join(i, found - 1);
        return true;
    }
    void join(TokenId i, std::size_t depth) {
        code_[i].partner = open_[depth].token;
        code_[open_[depth].token].partner = i;
        drop(depth + 1, i);
        open_.resize(depth);
    }

    // Those that are open from `depth` on end before token `i`, without a partner.
    void drop(std::size_t depth, TokenId i) {
        for (std::size_t open = depth; open < open_.size(); ++open)
            if (is_block(open_[open])) code_[open_[open].token].end = i;
        open_.resize(std::min(depth, open_.size()));
    }

    // A `}` closes the block that begins as far to the right as it; deeper than all, it is one too many.
    bool close_by_indent(TokenId i) {
        for (std::size_t depth = open_.size(); depth-- > 0;) {
            if (!is_block(open_[depth]) || open_[depth].indent > code_[i].indent) continue;
            if (open_[depth].indent < code_[i].indent) return false;
            join(i, depth);
            return true;
        }
        return false;
    }

    // A line that begins no further to the right than a block's own first line is not inside of it, if the block's
    // first statement is further to the right.
    void end_blocks(TokenId i) {
        const CodeToken& token = code_[i];
        if (token.kind != TokenKind::word || !is_first_on_line(i)) return;
        for (std::size_t depth = open_.size(); depth-- > 0;) {
            const Open& open = open_[depth];
            if (!is_block(open)) continue;
            const bool is_label = i + 1 < end_ && (code_[i + 1].text == ":" || token.text == "case");
            const bool is_indented = open.token + 1 < end_ && code_[open.token + 1].indent > open.indent;
            if (!is_indented || token.indent > open.indent || is_label) return;
            drop(depth, i);
        }
    }

    std::vector<CodeToken>& code_;
    TokenId begin_, end_;
    std::vector<Open> open_;
};

}  // namespace

void match_brackets(Tokens& tokens) {
    BracketMatcher(tokens.code, 0, tokens.file_end).run();
    for (const Macro& macro : tokens.macros)
        if (macro.first < macro.last) BracketMatcher(tokens.code, macro.first, macro.last).run();
}

}  // namespace warpgrade::source
