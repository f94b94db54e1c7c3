// Standard input and output of a program: bytes, in the order of both streams, and a limit.
#pragma once

#include <string>
#include <string_view>

#include "host/program.hpp"

namespace warpgrade::host {

class Console {
public:
    Console(const Outside& outside, std::uint64_t most_bytes) : outside_(outside), left_(most_bytes) {}

    // False once more is written than may be.
    bool write(Outside::Stream stream, std::string_view text);
    void flush();

    // The next byte of standard input, -1 at its end; and the one before it once more, where there was one.
    int next();
    void back() {
        if (at_ > 0) --at_;
    }

private:
    const Outside& outside_;
    std::uint64_t left_;
    Outside::Stream stream_ = Outside::Stream::output;
    std::string waiting_;
    std::string input_;
    std::size_t at_ = 0;
    bool is_at_end_ = false;
};

}  // namespace warpgrade::host
