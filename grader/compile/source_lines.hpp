// The preprocessor's first steps on CUDA C++ text: splices joined, comments removed, strings known. Internal to
// compile/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

// One line after splicing and comment removal. String and character literals keep their text, raw strings become R"".
struct SourceLine {
    int line = 0;  // 1-based, of its first character
    std::string text;
};

// Compilers differ in corners: is a backslash before trailing blanks a splice, are there trigraphs, is R"( ... )" read
// as a raw string inside skipped text, does a lone carriage return end a line. A scanner that must not be fooled looks
// at every reading.
struct Dialect {
    bool splices_over_blanks = false;
    bool has_trigraphs = false;
    bool has_raw_strings = true;
    bool ends_lines_at_cr = false;  // a carriage return alone
};

std::vector<SourceLine> source_lines(std::string_view source, const Dialect& dialect = {});

}  // namespace warpgrade
