// What a message says to try, and the line that it is about.
#pragma once

#include <string>
#include <utility>

#include "base/diagnostic.hpp"

namespace warpgrade {

struct Advice {
    std::string text;
    int line = 0;   // to be changed; 0: that of the finding's first mark, or none is known
    int shown = 0;  // that the words name, and that need not change

    Advice() = default;
    Advice(std::string words, int about = 0) : text(std::move(words)), line(about) {}
    Advice(const char* words) : text(words) {}
    bool empty() const { return text.empty(); }
};

inline void give(Diagnostic& diagnostic, Advice advice) {
    diagnostic.help = std::move(advice.text);
    diagnostic.mend_line = advice.line;
}

}  // namespace warpgrade
