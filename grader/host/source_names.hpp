// What memory is called where a program allocates it.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::host {

struct NamedMemory {
    std::string name;        // "d_in"; "" if the line does not say
    int element_bytes = 1;   // of what it is declared to point to; 1: not known
    int column = 0;          // where the call begins, in a line with several; 0: in one with one
    std::string freed_by{};  // "free", "delete", "delete[]"; "" if the line does not say
};

// Of a line with cudaMalloc(&NAME ...) or NAME = malloc(...) or NAME = new T[...]. `which`: of the allocations that the
// line has, begun again after the last one.
NamedMemory named_at(std::string_view source, int line, std::size_t which = 0);

// "free", "delete" or "delete[]", where a line has one of them; "" otherwise.
std::string_view freeing_word(std::string_view source, int line);

// Whether the value of the call is thrown away: the line begins with it.
bool ignores_result(std::string_view source, int line, std::string_view call);

// A line; and its words, without blanks around them.
std::string_view line_of_source(std::string_view source, int line);
std::string_view text_of_line(std::string_view source, int line);

}  // namespace warpgrade::host
