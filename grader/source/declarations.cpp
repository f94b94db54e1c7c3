// Declarations: heads at the scope of a file, a namespace or a class, and variables anywhere.
#include <algorithm>
#include <array>
#include <utility>

#include "source/parser.hpp"

namespace warpgrade::source {

// What stands before the `{` or the `;` of a declaration at namespace or class scope.
struct Parser::Head {
    TokenId begin = 0, end = 0;
    TokenId bracket = no_token, equals = no_token;  // the first `(` of a function or variable, the first `=`
    TokenId stray = no_token;                       // `)` without a `(`, before the `{`
    bool is_record = false, is_namespace = false, is_enumeration = false;
};

Parser::Parser(Tree& tree) : tree_(tree), code_(tree.tokens.code) {}

Tree parse(std::string_view text) {
    Tree tree;
    tree.tokens = tokens_of(text);
    Parser(tree).run();
    return tree;
}

void Parser::run() {
    end_ = tree_.tokens.file_end;
    find_templates();
    const std::vector<NodeId> read = items(end_, false);
    at_ = end_;
    tree_.root = make(NodeKind::file, 0, "", read);
    for (const Macro& macro : tree_.tokens.macros) {
        at_ = macro.first;
        end_ = macro.last;
        const bool is_value = at_ < end_ && !is_declaration(at_) && (!is_word(at_) || !is_reserved(text()));
        const NodeId body = is_value ? expression() : no_node;
        tree_.macro_bodies.push_back(at_ == end_ ? body : no_node);
    }
}

NodeId Parser::make(NodeKind kind, TokenId first, std::string_view word, const std::vector<NodeId>& children) {
    const auto id = static_cast<NodeId>(tree_.nodes.size());
    Node node;
    node.kind = kind;
    node.word = word;
    node.first = first;
    node.last = std::max(first, kind == NodeKind::missing ? first : at_);
    NodeId* link = &node.child;
    for (const NodeId child : children) {
        *link = child;
        tree_.nodes[child].parent = id;
        link = &tree_.nodes[child].next;
    }
    tree_.nodes.push_back(node);
    return id;
}

bool Parser::accept(std::string_view sign) {
    if (text() != sign) return false;
    ++at_;
    return true;
}

TokenId Parser::past(TokenId open) const {
    if (open >= end_) return end_;
    const std::string_view sign = code_[open].text;
    if (sign != "(" && sign != "[" && sign != "{") return open + 1;
    const TokenId close = closing(tree_.tokens, open);
    return std::min(end_, code_[open].partner == no_token ? std::max(close, open + 1) : close + 1);
}

// Functions and classes that the text itself declares as templates.
void Parser::find_templates() {
    for (TokenId i = 0; i + 1 < end_; ++i) {
        if (text(i) != "template" || text(i + 1) != "<") continue;
        const TokenId after = past_angles(i + 1);
        if (after == no_token) continue;
        std::string_view name;
        for (TokenId j = after; j < end_ && j < after + 64;
             j = takes_brackets(text(j)) && text(j + 1) == "(" ? past(j + 1) : j + 1) {
            if (text(j) == "(" || text(j) == "{" || text(j) == ";" || text(j) == "=" || text(j) == ":") break;
            if (is_name(j)) name = text(j);
        }
        if (!name.empty()) templates_.insert(name);
    }
}

std::vector<NodeId> Parser::items(TokenId end, bool is_class) {
    const TokenId outer = std::exchange(end_, std::min(end_, end));
    std::vector<NodeId> found;
    while (at_ < end_) {
        const TokenId before = at_;
        if (text() == ";" || text() == "}" || text() == ")" || text() == "]") {
            ++at_;
            continue;
        }
        if ((text() == "public" || text() == "private" || text() == "protected") && text(at_ + 1) == ":") {
            at_ += 2;
            continue;
        }
        found.push_back(item(end_, is_class));
        if (at_ == before) ++at_;
    }
    end_ = outer;
    return found;
}

Parser::Head Parser::head(TokenId end) const {
    Head read;
    read.begin = at_;
    TokenId i = at_;
    while (i < end) {
        const std::string_view word = text(i);
        if (word == ";" || word == "}" || is_next_head(read, i)) break;
        if (word == "{") {
            if (!opens_initialiser(read, i)) break;
            i = past(i);
            continue;
        }
        if (word == "template" && text(i + 1) == "<" && past_angles(i + 1) != no_token) {
            i = past_angles(i + 1);
            continue;
        }
        if (word == "(" && read.bracket == no_token && read.equals == no_token && i > read.begin &&
            !takes_brackets(text(i - 1)))
            read.bracket = i;
        if (word == "=" && read.equals == no_token && (i == 0 || text(i - 1) != "operator")) read.equals = i;
        if (word == "(" || word == "[") {
            i = past(i);
            continue;
        }
        if (word == ")" && text(i + 1) == "{" && read.bracket == no_token && read.equals == no_token) read.stray = i;
        if (is_word(i) && read.bracket == no_token) {
            read.is_record |= word == "struct" || word == "class" || word == "union";
            read.is_enumeration |= word == "enum";
            read.is_namespace |= word == "namespace";
        }
        ++i;
    }
    read.end = i;
    return read;
}

// A line that cannot continue the head: the `;` or the `{` before it was left out.
bool Parser::is_next_head(const Head& head, TokenId i) const {
    if (!is_word(i) || code_[i].at.column != code_[i].indent || (head.bracket == no_token && head.equals == no_token))
        return false;
    static constexpr std::array<std::string_view, 7> trailing{"const",    "noexcept", "override", "final",
                                                              "requires", "try",      "volatile"};
    const bool is_trailing = std::ranges::find(trailing, text(i)) != trailing.end();
    if (is_trailing && head.equals == no_token &&
        (text(i + 1) == "{" || is_specifier(text(i + 1)) || text(i) == "requires"))
        return false;
    if (code_[i].indent <= code_[head.begin].indent) return true;
    return head.equals == no_token && code_[head.bracket].partner == i - 1;
}

// A brace that belongs to a variable (`int x{3}`, `= {1, 2}`) or to what a constructor initialises.
bool Parser::opens_initialiser(const Head& head, TokenId brace) const {
    if (head.is_record || head.is_namespace || head.is_enumeration || brace == head.begin || text(brace - 1) == ")")
        return false;
    if (head.equals != no_token) return true;
    if (head.bracket == no_token) return is_word(brace - 1) && text(head.begin) != "extern";
    for (TokenId i = past(head.bracket); i < brace; i = past(i))
        if (text(i) == ":") return is_word(brace - 1) || text(brace - 1) == ">";
    return false;
}

NodeId Parser::item(TokenId end, bool is_class) {
    const TokenId first = at_;
    static constexpr std::array<std::string_view, 9> statements{"if",     "for",  "while", "do",      "switch",
                                                                "return", "else", "break", "continue"};
    if (std::ranges::find(statements, text()) != statements.end()) return statement();
    if (text() == "{") return depth_ < most_depth ? block() : garbage();
    if (depth_ >= most_depth) return garbage();
    ++depth_;
    const Head read = head(end);
    const bool has_body = text(read.end) == "{" && read.end < end;
    NodeId made = no_node;
    const std::string_view word = text(first) == "static_assert" ? text(first) : text(past_specifiers(first));
    if (has_body && (read.is_namespace || (text(first) == "extern" && read.bracket == no_token))) {
        made = body_of_group(read, NodeKind::name_space);
    } else if (has_body && read.is_enumeration && read.bracket == no_token) {
        made = enumeration(read);
    } else if (has_body && read.is_record && read.bracket == no_token) {
        made = record(read);
    } else if (read.bracket == no_token ? read.stray != no_token : has_body || has_parameters(read.bracket)) {
        made = function(read);
    } else if (word == "using" || word == "typedef" || word == "friend" || word == "static_assert" ||
               read.is_namespace) {
        made = other_statement();
    } else if (is_declaration(at_) && !has_body) {
        made = declaration(true);
    } else {
        made = is_class || has_body ? no_node : statement();
        if (made == no_node) {
            at_ = std::max(read.end, first);
            if (text() == ";") ++at_;
            made = make(NodeKind::other, first, "");
        }
    }
    --depth_;
    return made;
}

NodeId Parser::body_of_group(const Head& head, NodeKind kind) {
    const TokenId first = at_;
    const TokenId brace = head.end;
    const TokenId name = brace > first && is_name(brace - 1) ? brace - 1 : no_token;
    const TokenId after = past(brace);
    at_ = brace + 1;
    const std::vector<NodeId> members =
        items(code_[brace].partner == no_token ? after : after - 1, kind == NodeKind::record);
    at_ = after;
    return make(kind, first, name == no_token ? std::string_view() : text(name), members);
}

NodeId Parser::record(const Head& head) {
    const TokenId first = at_;
    std::string_view name;
    for (TokenId i = first; i < head.end && text(i) != ":";
         i = takes_brackets(text(i)) && text(i + 1) == "(" ? past(i + 1) : i + 1)
        if (is_name(i)) name = text(i);
    const NodeId made = body_of_group(head, NodeKind::record);
    tree_.nodes[made].word = name;
    while (at_ < end_ && (is_name(at_) || text() == "*" || text() == "," || text() == "[")) at_ = past(at_);
    accept(";");
    tree_.nodes[made].last = at_;
    return made;
}

NodeId Parser::enumeration(const Head& head) {
    const TokenId first = at_;
    const TokenId after = past(head.end);
    const TokenId close = code_[head.end].partner == no_token ? after : after - 1;
    std::vector<NodeId> values;
    at_ = head.end + 1;
    const TokenId end = std::exchange(end_, std::min(end_, close));
    while (at_ < end_) {
        const TokenId name = at_++;
        std::vector<NodeId> children;
        if (const TokenId equals = at_; accept("=")) {
            const NodeId value = expression(2);
            children.push_back(make(NodeKind::initialiser, equals, "=", {value}));
        }
        values.push_back(make(NodeKind::declarator, name, is_word(name) ? text(name) : std::string_view(), children));
        accept(",");
    }
    end_ = end;
    at_ = after;
    accept(";");
    return make(NodeKind::enumeration, first, is_name(head.end - 1) ? text(head.end - 1) : std::string_view(), values);
}

// Tells `int f(int a);` and `int f();` from `dim3 block(32, 8);`.
bool Parser::has_parameters(TokenId open) const {
    const TokenId begin = open + 1;
    if (open == 0 || !is_word(open - 1)) return text(open - 1) == ">";
    if (text(begin) == ")" || text(begin) == "..." || begin >= end_) return true;
    const TokenId name = past_specifiers(begin);
    const TokenId after = past_type(begin);
    if (after == begin) return false;
    return is_type_word(text(name)) || name > begin || is_name(after) || text(after) == "&" || text(after) == "*";
}

TokenId Parser::name_of_function(const Head& head) const {
    if (head.bracket == no_token) {
        const TokenId name = past_type(head.begin);
        return name < head.stray ? name : head.begin;
    }
    TokenId name = head.bracket - 1;
    for (TokenId i = head.begin; i < head.bracket; ++i)
        if (text(i) == "operator") name = i;
    while (name > head.begin && !is_word(name)) --name;  // past the arguments of a specialised template
    return name;
}

NodeId Parser::function(const Head& head) {
    const TokenId first = at_;
    const bool has_bracket = head.bracket != no_token;
    const TokenId name = name_of_function(head);
    const NodeId result = type(name);
    at_ = (has_bracket ? head.bracket : name) + 1;
    const TokenId after = has_bracket ? past(head.bracket) : head.stray + 1;
    const TokenId close = has_bracket && code_[head.bracket].partner == no_token ? after : after - 1;
    const TokenId end = std::exchange(end_, std::min(end_, close));
    std::vector<NodeId> children;
    while (at_ < end_) {
        const TokenId before = at_;
        children.push_back(parameter());
        while (at_ < end_ && text() != ",") at_ = past(at_);
        if (!accept(",") && at_ == before) ++at_;
    }
    end_ = end;
    at_ = std::max(head.end, after);
    const bool has_statements = is_word(at_) && code_[at_].indent > code_[first].indent;  // without a `{`
    const NodeId run = text() == "{" ? block() : has_statements ? block_without_brace() : missing();
    accept(";");
    children.insert(children.begin(), {result, run});
    return make(NodeKind::function, first, text(name), children);
}

NodeId Parser::parameter() {
    const TokenId first = at_;
    const NodeId of = type(past_type(at_));
    const NodeId named = declarator();
    return make(NodeKind::parameter, first, tree_[named].word, {of, named});
}

NodeId Parser::declaration(bool ends_statement) {
    const TokenId first = at_;
    const NodeId of = type(past_type(at_));
    std::vector<NodeId> children{of};
    do {
        if (at_ >= end_ || text() == ";" || (text() == ":" && kind(at_ + 1) != TokenKind::number)) break;
        const TokenId before = at_;
        children.push_back(declarator());
        if (at_ == before) break;
    } while (accept(","));
    if (ends_statement) accept(";");
    if (at_ == first) ++at_;
    return make(NodeKind::declaration, first, "", children);
}

// The tokens up to `end`.
NodeId Parser::type(TokenId end) {
    const TokenId first = at_;
    at_ = std::min(end_, std::max(at_, end));
    const TokenId begin = past_specifiers(first);
    TokenId last = at_;
    while (last > begin + 1 && (is_specifier(text(last - 1)) || text(last - 1) == "*")) --last;
    if (begin >= last || begin < first) return make(NodeKind::type, first, "");
    const std::size_t offset = code_[begin].at.offset;
    const std::string_view whole = *tree_.tokens.text;
    return make(NodeKind::type, first, whole.substr(offset, code_[last - 1].at.end() - offset));
}

NodeId Parser::declarator() {
    const TokenId first = at_;
    std::vector<NodeId> children;
    while (at_ < end_ &&
           (text() == "*" || text() == "&" || text() == "&&" || text() == "..." || is_specifier(text()))) {
        ++at_;
        if (!is_specifier(text(at_ - 1))) children.push_back(make(NodeKind::pointer, at_ - 1, text(at_ - 1)));
    }
    std::string_view name;
    if (is_name(at_)) {
        name = text(at_++);
    } else if (text() == "(" && text(at_ + 1) == "*") {  // void (*f)(int)
        if (is_name(at_ + 2)) name = text(at_ + 2);
        at_ = past(at_);
        if (text() == "(") at_ = past(at_);
    } else if (text() == "[") {  // auto [a, b]
        at_ = past(at_);
    }
    while (text() == "[") {
        const TokenId open = at_++;
        const TokenId after = past(open);
        const std::vector<NodeId> size = arguments(code_[open].partner == no_token ? after : after - 1);
        at_ = after;
        children.push_back(make(NodeKind::extent, open, "[", size.empty() ? std::vector{missing()} : size));
    }
    if (text() == ":" && kind(at_ + 1) == TokenKind::number) at_ += 2;  // of a bit field
    const TokenId sign_at = at_;
    if (text() == "=") {
        ++at_;
        const NodeId value = expression(2);
        children.push_back(make(NodeKind::initialiser, sign_at, "=", {value}));
    } else if (!name.empty() && (text() == "(" || text() == "{")) {
        ++at_;
        const TokenId after = past(sign_at);
        const std::vector<NodeId> values = arguments(code_[sign_at].partner == no_token ? after : after - 1);
        at_ = after;
        children.push_back(make(NodeKind::initialiser, sign_at, text(sign_at), values));
    }
    return make(NodeKind::declarator, first, name, children);
}

}  // namespace warpgrade::source
