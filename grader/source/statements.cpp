// Statements, by their first word.
#include <algorithm>
#include <utility>

#include "source/parser.hpp"

namespace warpgrade::source {

NodeId Parser::statement() {
    if (depth_ >= most_depth) return garbage();
    ++depth_;
    const TokenId first = at_;
    NodeId made = no_node;
    if (text() == "{") {
        made = block();
    } else if (text() == ";") {
        ++at_;
        made = make(NodeKind::expression_statement, first, "", {make(NodeKind::missing, first, "")});
    } else if (is_word(at_) && text(at_ + 1) == ":" && is_name(at_)) {
        at_ += 2;
        made = make(NodeKind::label, first, text(first));
    } else {
        made = is_word(at_) ? statement_of_word(text()) : expression_or_declaration();
    }
    --depth_;
    return made;
}

NodeId Parser::statement_of_word(std::string_view word) {
    const TokenId first = at_;
    if (word == "if") return if_statement();
    if (word == "for") return for_statement();
    if (word == "while") return while_statement(NodeKind::while_statement);
    if (word == "switch") return while_statement(NodeKind::switch_statement);
    if (word == "do") return do_statement();
    if (word == "case" || word == "default") return case_label();
    if (word == "return") {
        ++at_;
        const NodeId value = text() == ";" || text() == "}" ? missing() : expression();
        accept(";");
        return make(NodeKind::return_statement, first, word, {value});
    }
    if (word == "break" || word == "continue") {
        ++at_;
        accept(";");
        return make(word == "break" ? NodeKind::break_statement : NodeKind::continue_statement, first, word);
    }
    const bool is_other =
        word == "goto" || word == "using" || word == "typedef" || word == "asm" || word == "static_assert";
    if (is_other) return other_statement();
    if (word == "try" || word == "else" || word == "catch") {
        ++at_;
        if (word == "catch" && text() == "(") at_ = past(at_);
        return text() == "{" ? block() : statement();
    }
    if (word == "struct" || word == "class" || word == "union" || word == "enum") {
        TokenId brace = at_ + 1;
        while (is_word(brace) || text(brace) == ":" || text(brace) == "::") ++brace;
        if (text(brace) == "{") return item(end_, false);
    }
    return expression_or_declaration();
}

NodeId Parser::expression_or_declaration() {
    const TokenId first = at_;
    if (text().starts_with("$$$")) {  // of a pattern: any number of statements
        ++at_;
        const NodeId any = make(NodeKind::name, first, text(first));
        accept(";");
        return make(NodeKind::expression_statement, first, ";", {any});
    }
    if (is_declaration(at_)) return declaration(true);
    const NodeId value = expression();
    const bool is_whole = accept(";");
    if (at_ == first) {
        ++at_;
        return make(NodeKind::other, first, "");
    }
    return make(NodeKind::expression_statement, first, is_whole ? ";" : "", {value});
}

NodeId Parser::other_statement() {
    const TokenId first = at_;
    while (at_ < end_ && text() != ";" && text() != "}") at_ = past(at_);
    accept(";");
    return make(NodeKind::other, first, text(first));
}

NodeId Parser::block() {
    const TokenId first = at_++;
    const TokenId after = past(first);
    const bool is_closed = code_[first].partner != no_token;
    const TokenId end = std::exchange(end_, std::min(end_, is_closed ? after - 1 : after));
    const bool was_in_launch = std::exchange(is_in_launch_, false);
    std::vector<NodeId> statements;
    while (at_ < end_) statements.push_back(statement());
    end_ = end;
    is_in_launch_ = was_in_launch;
    at_ = std::min(after, end_);
    return make(NodeKind::block, first, "{", statements);
}

// Statements up to a `}` that closes nothing.
NodeId Parser::block_without_brace() {
    const TokenId first = at_;
    std::vector<NodeId> statements;
    while (at_ < end_ && text() != "}") statements.push_back(statement());
    accept("}");
    return make(NodeKind::block, first, "{", statements);
}

// The statement that an `if` or a loop has; none before a `}` or at the end.
NodeId Parser::body() { return at_ >= end_ || text() == "}" ? missing() : statement(); }

// `(` of a condition; what is read then ends at the token that is returned.
TokenId Parser::open_condition() {
    if (text() != "(") return tree_.tokens.statement_end[at_];
    const TokenId open = at_++;
    const TokenId after = past(open);
    return code_[open].partner == no_token ? after : after - 1;
}
void Parser::close_condition(TokenId close) {
    at_ = std::max(at_, close);
    accept(")");
}

NodeId Parser::condition(TokenId close) {
    const TokenId first = at_;
    const TokenId end = std::exchange(end_, std::min(end_, close));
    const bool was_in_launch = std::exchange(is_in_launch_, false);
    NodeId read = is_declaration(at_, true) ? declaration(false) : expression();
    if (accept(";")) {  // if (int a = f(); a > 0)
        const NodeId test = is_declaration(at_, true) ? declaration(false) : expression();
        read = make(NodeKind::list, first, ";", {read, test});
    }
    end_ = end;
    is_in_launch_ = was_in_launch;
    return read;
}

NodeId Parser::if_statement() {
    const TokenId first = at_++;
    if (text() == "constexpr") ++at_;
    const TokenId close = open_condition();
    const NodeId test = condition(close);
    close_condition(close);
    const NodeId then = body();
    NodeId otherwise = no_node;
    if (text() == "else") {
        ++at_;
        otherwise = body();
    } else {
        otherwise = missing();
    }
    return make(NodeKind::if_statement, first, "if", {test, then, otherwise});
}

NodeId Parser::while_statement(NodeKind kind) {
    const TokenId first = at_++;
    const TokenId close = open_condition();
    const NodeId test = condition(close);
    close_condition(close);
    const NodeId run = body();
    return make(kind, first, text(first), {test, run});
}

NodeId Parser::do_statement() {
    const TokenId first = at_++;
    const NodeId run = body();
    NodeId test = no_node;
    if (text() == "while") {
        ++at_;
        const TokenId close = open_condition();
        test = condition(close);
        close_condition(close);
        accept(";");
    } else {
        test = missing();
    }
    return make(NodeKind::do_statement, first, "do", {run, test});
}

NodeId Parser::for_statement() {
    const TokenId first = at_++;
    TokenId close = open_condition();
    if (close < end_ && text(close) == ";") {  // `for (` that is never closed: its head has two semicolons
        for (int i = 0; i < 2 && text(close) == ";"; ++i) close = tree_.tokens.statement_end[close + 1];
    }
    const TokenId end = std::exchange(end_, std::min(end_, close));
    const auto part = [&] {
        if (at_ >= end_ || text() == ";") return missing();
        return is_declaration(at_) ? declaration(false) : expression();
    };
    const NodeId start = part();
    if (text() == ":") {
        ++at_;
        const NodeId range = expression();
        end_ = end;
        close_condition(close);
        return make(NodeKind::range_for, first, "for", {start, range, body()});
    }
    accept(";");
    const NodeId test = part();
    accept(";");
    const NodeId step = part();
    end_ = end;
    close_condition(close);
    return make(NodeKind::for_statement, first, "for", {start, test, step, body()});
}

NodeId Parser::case_label() {
    const TokenId first = at_++;
    const NodeId value = text() == ":" ? missing() : expression(4);
    accept(":");
    return make(NodeKind::case_label, first, text(first), {value});
}

}  // namespace warpgrade::source
