// A program compiled: NVRTC takes it as device code, so that some of what nvcc refuses is refused here.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/json_text.hpp"
#include "build/legality.hpp"
#include "compile/place.hpp"
#include "host/checked_indices.hpp"
#include "host/compile_words.hpp"
#include "host/program.hpp"
#include "source/facts.hpp"

namespace warpgrade::host {

namespace {

void refuse(CompileOutput& output, const std::string& path, int line, std::string message) {
    output.ok = false;
    output.messages.push_back({Severity::error, path, line, 0, std::move(message)});
}

void refuse_what_nvcc_refuses(CompileOutput& output, const std::string& path, const std::string& source) {
    const source::Tree tree = source::parse(source);
    const source::Facts facts = source::facts_of(tree);
    // NVRTC only warns of it.
    std::erase_if(output.messages, [](const CompilerMessage& message) {
        return message.message.starts_with("return type of function \"main\"");
    });
    for (const source::Function& function : facts.functions)
        if (function.name == "main" && !function.is_member && source::text_of(tree, function.node).starts_with("void"))
            refuse(output, path, function.line, "main() returns int: write `int main()`");
    std::vector<CompilerMessage> illegal = illegal_places(facts, output.ptx, path, output.host_uses, true);
    output.ok = output.ok && illegal.empty();
    std::ranges::move(illegal, std::back_inserter(output.messages));
}

// By the line of the text: what each of its pieces has.
std::string chosen_by_line(const ProgramText& text, const std::function<std::string(const ProgramText::Piece&)>& of) {
    std::string chosen = of(text.pieces.front());
    for (std::size_t i = 1; i < text.pieces.size(); ++i)
        chosen = fmt::format("__LINE__>={}?{}:{}", text.pieces[i].first, of(text.pieces[i]), chosen);
    return "(" + chosen + ")";
}

// __FILE__ and __LINE__: the compiler is given one file, by another name. In a macro they are of where it is used; next
// to a literal, of where it is written.
std::string with_places(const ProgramText& text) {
    std::string changed = text.text;
    const source::Tokens tokens = source::tokens_of(text.text);
    std::map<std::size_t, std::pair<std::size_t, std::string>> places;
    const std::string file_here =
        chosen_by_line(text, [](const ProgramText::Piece& piece) { return json_text(nlohmann::json(piece.path)); });
    const std::string line_here = chosen_by_line(
        text, [](const ProgramText::Piece& piece) { return fmt::format("__LINE__-{}", piece.first - piece.line); });
    for (source::TokenId i = 0; i < tokens.code.size(); ++i) {
        const source::CodeToken& token = tokens.code[i];
        const bool is_file = token.text == "__FILE__";
        if (!is_file && (token.text != "__LINE__" || !text.has_several_files())) continue;
        const bool is_next_to_literal =
            (i > 0 && tokens.code[i - 1].kind == source::TokenKind::text) ||
            (i + 1 < tokens.code.size() && tokens.code[i + 1].kind == source::TokenKind::text);
        const bool is_in_macro = i >= tokens.file_end && !is_next_to_literal && text.has_several_files();
        const ProgramText::Piece place = text.place_of(token.at.line);
        const std::string here = is_file ? json_text(nlohmann::json(place.path)) : std::to_string(place.line);
        places[token.at.offset] = {token.at.length, !is_in_macro ? here : is_file ? file_here : line_here};
    }
    for (auto place = places.rbegin(); place != places.rend(); ++place)
        changed.replace(place->first, place->second.first, place->second.second);
    return changed;
}

}  // namespace

Result<CompileOutput> compile_program(const ProgramText& text, const LaunchLimits& gpu) {
    // NVRTC has these, and the virtual GPU is like one of them.
    constexpr int oldest = 75, newest = 90;
    const int capability = 10 * gpu.compute_capability_major + gpu.compute_capability_minor;
    CompileRequest request;
    request.path = text.path;
    const std::string plain = with_places(text);
    const CheckedIndices checked = with_checked_indices(plain);
    request.source = checked.text;
    request.arch = "compute_" + std::to_string(std::clamp(capability, oldest, newest));
    request.is_program = true;
    auto output = compile(request);
    if (!output) return output;
    if (!output->ok && !checked.insertions.empty()) {  // its messages are of the text as it is written
        request.source = plain;
        output = compile(request);
        if (!output) return output;
    } else {
        output->ptx = checked.with_columns_before(output->ptx, text.path);
        for (CompilerMessage& message : output->messages)
            message.column = checked.column_before(message.line, message.column);
    }
    if (output->ok) refuse_what_nvcc_refuses(*output, text.path, text.text);
    // Of headers that are not the program's: which functions were tried.
    std::erase_if(output->messages, [&](const CompilerMessage& message) {
        return message.severity == Severity::note && message.path != text.path;
    });
    const SourceText source(request.source), plain_text(text.text);
    for (CompilerMessage& message : output->messages) {
        reword(message, plain_text);
        const bool has_help = message.message.find('\n') != std::string::npos;
        if (message.path == text.path && message.line > 0 && !has_help)
            message.message = in_plain_words(message, source, true);
    }
    std::vector<CompilerMessage>& messages = output->messages;
    const auto is_same = [](const CompilerMessage& a, const CompilerMessage& b) {
        return a.line == b.line && a.column == b.column && a.message == b.message;
    };
    messages.erase(std::unique(messages.begin(), messages.end(), is_same), messages.end());
    return output;
}

}  // namespace warpgrade::host
