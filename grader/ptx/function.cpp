#include "ptx/function.hpp"

#include <fmt/format.h>

#include <limits>

#include "ptx/variable.hpp"

namespace warpgrade::ptx {

Linkage parse_linkage(Cursor& cursor) {
    Linkage linkage;
    for (;;) {
        if (cursor.accept_directive(".extern")) {
            linkage.is_external = true;
        } else if (cursor.accept_directive(".visible") || cursor.accept_directive(".weak") ||
                   cursor.accept_directive(".common")) {
            linkage.is_visible = true;
        } else {
            return linkage;
        }
    }
}

namespace {

// .maxntid 256, 1, 1   .noreturn   .pragma "nounroll";   Whatever stands between the parameters and the body.
void parse_function_directive(Cursor& cursor, Function& function) {
    const Token directive = cursor.take();
    if (directive.text == ".pragma") return void(parse_pragma(cursor));
    std::vector<std::uint32_t>& values = function.directives[std::string(directive.text.substr(1))];
    values.clear();
    if (cursor.peek().kind != Token::Kind::number) return;
    do {
        const auto value = cursor.expect_count("a count", std::numeric_limits<std::uint32_t>::max());
        values.push_back(static_cast<std::uint32_t>(value));
    } while (cursor.accept(','));
}

}  // namespace

Function parse_function_header(Cursor& cursor, const Linkage& linkage, bool is_entry) {
    Function function;
    function.is_entry = is_entry;
    function.is_visible = linkage.is_visible;
    skip_attribute(cursor);
    if (!is_entry && cursor.peek().is('(')) function.returns = parse_parameters(cursor);
    skip_attribute(cursor);
    function.ptx_line = cursor.peek().line;
    function.name = cursor.expect_word(is_entry ? "the name of the kernel" : "the name of the function");
    if (cursor.peek().is('(')) function.parameters = parse_parameters(cursor);
    while (cursor.peek().kind == Token::Kind::directive) parse_function_directive(cursor, function);
    function.is_declaration = cursor.accept(';');
    if (!function.is_declaration && !cursor.peek().is('{')) {
        cursor.fail_expected(fmt::format("`{{` or `;` after the header of `{}`", printable(function.name)));
    }
    return function;
}

void parse_file(Cursor& cursor, std::map<int, std::string>* files) {
    const auto number = cursor.expect_count("the number of a file", std::numeric_limits<int>::max());
    const std::string_view path = cursor.expect_string("the name of a file");
    if (files != nullptr && !cursor.failed()) (*files)[static_cast<int>(number)] = path;
    while (cursor.accept(',')) cursor.expect_count("a time or a size", std::numeric_limits<std::uint64_t>::max());
}

bool parse_pragma(Cursor& cursor) {
    bool is_nounroll = false;
    do {
        is_nounroll = cursor.expect_string("the text of a pragma") == "nounroll" || is_nounroll;
    } while (cursor.accept(','));
    cursor.expect(';', "after the pragma");
    return is_nounroll;
}

void skip_section(Cursor& cursor) {
    if (cursor.peek().kind != Token::Kind::directive && cursor.peek().kind != Token::Kind::word) {
        cursor.fail_expected("the name of a section");
        return;
    }
    cursor.take();
    const Token brace = cursor.peek();
    if (!cursor.expect('{', "after the name of a section")) return;
    for (int open = 1; open > 0 && !cursor.at_end();) {
        const Token token = cursor.take();
        if (token.is('{')) ++open;
        if (token.is('}')) --open;
        if (open > 0 && cursor.at_end()) cursor.fail(brace, "a section whose `{` is never closed");
    }
}

}  // namespace warpgrade::ptx
