// Tokens to nodes: statements and declarations by recursive descent, expressions by the precedence of operators.
// Internal to source/.
#pragma once

#include <set>

#include "source/syntax.hpp"

namespace warpgrade::source {

int power_of(std::string_view sign);         // of an operator between operands, 1 to 15; 0: it is none
bool is_type_word(std::string_view word);    // "unsigned", "float"
bool is_specifier(std::string_view word);    // "const", "__shared__"
bool is_reserved(std::string_view word);     // "return": not a name
bool takes_brackets(std::string_view word);  // "__launch_bounds__": its brackets are not a function's

class Parser {
public:
    explicit Parser(Tree& tree);
    void run();

private:
    struct Head;
    // Brackets within brackets; deeper ones are `other`.
    static constexpr int most_depth = 200;

    // Tokens.
    std::string_view text(TokenId i) const { return i < end_ ? code_[i].text : std::string_view(); }
    std::string_view text() const { return text(at_); }
    TokenKind kind(TokenId i) const { return i < end_ ? code_[i].kind : TokenKind::blank; }
    bool is_word(TokenId i) const { return kind(i) == TokenKind::word; }
    bool is_name(TokenId i) const { return is_word(i) && !is_reserved(text(i)) && !is_type_word(text(i)); }
    bool accept(std::string_view sign);
    // Behind the bracket at `open` and what it encloses.
    TokenId past(TokenId open) const;
    TokenId past_angles(TokenId open) const;  // no_token: no template arguments
    TokenId find_past_angles(TokenId open) const;
    TokenId past_specifiers(TokenId i) const;
    TokenId past_type(TokenId i) const;  // with its specifiers; `i`: there is none
    TokenId past_qualified(TokenId i) const;
    bool is_template_name(TokenId name, TokenId after, bool is_qualified) const;

    // Nodes.
    NodeId make(NodeKind kind, TokenId first, std::string_view word, const std::vector<NodeId>& children = {});
    NodeId missing() { return make(NodeKind::missing, at_, {}); }

    // Declarations.
    void find_templates();
    std::vector<NodeId> items(TokenId end, bool is_class);
    NodeId item(TokenId end, bool is_class);
    Head head(TokenId end) const;
    bool is_next_head(const Head& head, TokenId i) const;
    bool opens_initialiser(const Head& head, TokenId brace) const;
    TokenId name_of_function(const Head& head) const;
    NodeId function(const Head& head);
    NodeId body_of_group(const Head& head, NodeKind kind);
    NodeId enumeration(const Head& head);
    NodeId record(const Head& head);
    bool has_parameters(TokenId open) const;
    bool is_declaration(TokenId i, bool is_condition = false) const;
    NodeId declaration(bool ends_statement);
    NodeId type(TokenId end);
    NodeId declarator();
    NodeId parameter();

    // Statements.
    NodeId statement();
    NodeId block();
    NodeId block_without_brace();
    NodeId statement_of_word(std::string_view word);
    NodeId if_statement();
    NodeId for_statement();
    NodeId while_statement(NodeKind kind);
    NodeId do_statement();
    NodeId case_label();
    NodeId other_statement();
    NodeId body();
    NodeId condition(TokenId close);
    NodeId expression_or_declaration();
    TokenId open_condition();
    void close_condition(TokenId close);

    // Expressions.
    NodeId expression(int least = 0);
    NodeId prefix();
    NodeId primary();
    NodeId postfix(NodeId operand, TokenId first);
    NodeId launch(NodeId callee, TokenId first);
    NodeId qualified_name();
    NodeId bracketed();
    NodeId cast(TokenId first, std::string_view word, TokenId type_end);
    NodeId lambda();
    NodeId sized();
    NodeId garbage();
    std::vector<NodeId> arguments(TokenId close);
    std::string_view binary_operator(TokenId& length) const;
    bool is_cast() const;

    Tree& tree_;
    const std::vector<CodeToken>& code_;
    TokenId at_ = 0, end_ = 0;
    int depth_ = 0;
    bool is_in_launch_ = false;  // `>>>` ends an expression
    std::set<std::string_view> templates_;
    static constexpr TokenId unknown_token = no_token - 1;
    mutable std::vector<TokenId> past_angles_;  // by token, where it was asked for
};

}  // namespace warpgrade::source
