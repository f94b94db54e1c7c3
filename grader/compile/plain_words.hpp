// The compiler's terms, said again for who has not met them: what is meant here, and what to try. A row is a phrase of
// the compiler's and a function that looks at the place and says it; "" where what it looked for is not there, and then
// the next row is asked. Internal to compile/.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compile/compiler.hpp"
#include "compile/source_view.hpp"

namespace warpgrade {

struct Complaint {
    Complaint(const CompilerMessage& complaint, const SourceView& source)
        : message(complaint),
          view(source),
          token(complaint.column > 0 ? source.token_at(complaint.line, complaint.column) : source.tokens().size()),
          name(complaint.column > 0 ? source.word_at(complaint.line, complaint.column) : "") {}

    const CompilerMessage& message;
    const SourceView& view;
    std::size_t token;  // where it points; the number of tokens: nowhere
    std::string name;   // the identifier there, or ""

    bool says(std::string_view words) const { return message.message.find(words) != std::string::npos; }
    // The n-th "quoted" part of the message, from 0.
    std::string quoted(int n) const;
    std::string_view text(std::size_t i) const { return view.text(i); }
    std::string_view line() const { return view.line(message.line); }
    bool line_has(std::string_view words) const { return line().find(words) != std::string_view::npos; }
    // The ( that is open at the place, and the word in front of it: "if", "naive_read", ">>>". "" none.
    std::size_t open_bracket() const;
    std::string_view bracket_of() const;
};

struct PlainWord {
    std::string_view phrase;
    std::string (*words)(const Complaint&);
};

std::span<const PlainWord> plain_words_of_syntax();
std::span<const PlainWord> plain_words_of_launches();
std::span<const PlainWord> plain_words_of_declarations();
std::span<const PlainWord> plain_words_of_values();
std::span<const PlainWord> plain_words_of_warnings();

// What to put beneath a message; "" where its own words are plain enough.
std::string in_plain_words(const CompilerMessage& message, const SourceView& view);

// "const float* in, float* out" of the function that the file declares; "" of none, or of several.
std::string parameters_of(const SourceView& view, std::string_view function);

}  // namespace warpgrade
