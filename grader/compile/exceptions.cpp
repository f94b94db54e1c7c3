#include "compile/exceptions.hpp"

#include "source/syntax.hpp"
#include "source/tokens.hpp"

namespace warpgrade {
namespace {

constexpr std::string_view refused_exceptions = "device code does not support exception handling";

// `catch (const std::exception& e)` -> `if (false) for (const std::exception& e = ::__warpgrade::Never(); false;)`.
std::string handler(std::string_view declaration, bool has_name) {
    if (declaration == "...") return "if (false)";
    return "if (false) for (" + std::string(declaration) + (has_name ? "" : " __caught") +
           " = ::__warpgrade::Never(); false;)";
}

}  // namespace

std::optional<std::string> without_exceptions(std::string_view source, std::string_view log) {
    if (log.find(refused_exceptions) == log.npos) return std::nullopt;
    const source::Tree tree = source::parse(source);
    const auto& tokens = tree.tokens.code;
    std::string text(source);
    for (std::size_t i = tokens.size(); i-- > 0;) {
        const source::CodeToken& token = tokens[i];
        const std::string_view next = i + 1 < tokens.size() ? tokens[i + 1].text : "";
        if (token.text == "try") {
            text.replace(token.at.offset, token.at.length, "");
        } else if (token.text == "throw" && next != "(") {
            text.replace(token.at.offset, token.at.length,
                         next == ";" ? "::__warpgrade::Thrown() = 0" : "::__warpgrade::Thrown() =");
        } else if (token.text == "catch" && next == "(" && tokens[i + 1].partner != source::no_token) {
            const source::TokenId close = tokens[i + 1].partner;
            const std::size_t first = tokens[i + 1].at.end(), last = tokens[close].at.offset;
            const std::string_view before = tokens[close - 1].text;
            const bool has_name = close - i > 3 && before != "&" && before != "*" && tokens[close - 2].text != "::";
            text.replace(token.at.offset, tokens[close].at.end() - token.at.offset,
                         handler(source.substr(first, last - first), has_name));
        }
    }
    return text == source ? std::nullopt : std::optional(text);
}

}  // namespace warpgrade
