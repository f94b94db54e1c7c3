// What those share that look through a submission's tokens for places that hardly ever mean what they say.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "course/source_outline.hpp"

namespace warpgrade {

struct SuspiciousPlace {
    int line = 0, column = 0;
    std::string message, help;
};

class SuspiciousText {
public:
    std::vector<SuspiciousPlace> found;

protected:
    // They must outlive it.
    explicit SuspiciousText(const std::vector<Token>& tokens) : tokens_(tokens) {}

    std::string_view text(std::size_t i) const {
        return i < tokens_.size() ? std::string_view(tokens_[i].text) : std::string_view();
    }
    void warn(std::size_t token, std::string message, std::string help) {
        found.push_back({tokens_[token].line, tokens_[token].column, std::move(message), std::move(help)});
    }
    // Past the bracket that closes the one at `open`; `otherwise`, where that comes not before `end`.
    std::size_t past(std::size_t open, std::size_t end, std::size_t otherwise) const {
        const std::string_view opening = text(open), closing = opening == "(" ? ")" : opening == "[" ? "]" : "}";
        int depth = 0;
        for (std::size_t i = open; i < end && i < tokens_.size(); ++i) {
            depth += (text(i) == opening) - (text(i) == closing);
            if (depth == 0) return i + 1;
        }
        return otherwise;
    }

    // "y + 1", as the tokens stand apart in the text.
    std::string shown(std::size_t begin, std::size_t end) const {
        std::string out;
        for (std::size_t i = begin; i < std::min(end, tokens_.size()); ++i) {
            const bool is_apart =
                i > begin && (tokens_[i].line != tokens_[i - 1].line ||
                              tokens_[i].column > tokens_[i - 1].column + static_cast<int>(tokens_[i - 1].text.size()));
            out += (is_apart ? " " : "") + tokens_[i].text;
        }
        return out;
    }

    const std::vector<Token>& tokens_;
};

}  // namespace warpgrade
