#include "ptx/syntax_error.hpp"

#include <fmt/format.h>

#include "ptx/literal.hpp"

namespace warpgrade::ptx {

namespace {

std::string_view line_of(std::string_view text, const Token& token) {
    if (token.text.empty() || token.text.data() < text.data() || token.text.data() > text.data() + text.size())
        return {};
    const auto position = static_cast<std::size_t>(token.text.data() - text.data());
    const std::size_t before = text.rfind('\n', position);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    std::string_view line = text.substr(start, std::min(text.find('\n', position), text.size()) - start);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    return line;
}

// The compiler names its files at the end of the text, usually behind the error.
std::string file_named(std::string_view text, int number) {
    for (std::size_t at = text.find(".file"); at != std::string_view::npos; at = text.find(".file", at + 1)) {
        Lexer lexer(text.substr(at));
        lexer.next();
        const auto found = read_literal(lexer.next().text);
        const Token path = lexer.next();
        if (found && found->bits == static_cast<std::uint64_t>(number) && path.kind == Token::Kind::string) {
            return std::string(path.text);
        }
    }
    return {};
}

}  // namespace

Diagnostic unreadable(Writer writer, const std::string& problem, SourceMark mark, std::string fact) {
    Diagnostic diagnostic;
    diagnostic.blame = writer == Writer::compiler ? Blame::kit : Blame::learner;
    diagnostic.code = "ptx_syntax";
    const auto subject = [&] {
        switch (writer) {
            case Writer::inline_asm: return "the PTX of an asm() cannot be read";
            case Writer::compiler_behind_asm: return "the PTX behind an asm() cannot be read";
            case Writer::compiler: break;
        }
        return "PTX cannot be read";
    };
    diagnostic.title = fmt::format("{}: {}", subject(), problem);
    if (mark.line > 0 && !mark.path.empty()) diagnostic.marks.push_back(std::move(mark));
    diagnostic.facts.push_back(std::move(fact));
    const auto help = [&] {
        switch (writer) {
            case Writer::inline_asm: return "compare the asm() text with the PTX manual, or write it as plain CUDA";
            case Writer::compiler_behind_asm:
                return "look in the asm() before it for a statement that does not end, or a name that is taken";
            case Writer::compiler: break;
        }
        return "report the course kit's defect, with the source file; it costs no points";
    };
    diagnostic.help = help();
    return diagnostic;
}

Diagnostic syntax_error(const Failure& failure, std::string_view text) {
    SourceMark mark;
    if (failure.location.line > 0) mark.path = file_named(text, failure.location.file);
    mark.line = failure.location.line;
    mark.column = failure.location.column;
    const std::string_view line = line_of(text, failure.at);
    return unreadable(writer_of(failure.at), failure.problem, std::move(mark),
                      line.empty() ? fmt::format("PTX line {}", failure.at.line)
                                   : fmt::format("PTX line {}: {}", failure.at.line, printable(line, 56)));
}

}  // namespace warpgrade::ptx
