#include "host/console.hpp"

#include <algorithm>

namespace warpgrade::host {

bool Console::write(Outside::Stream stream, std::string_view text) {
    constexpr std::size_t at_a_time = 32 * 1024;
    if (stream != stream_) flush();
    stream_ = stream;
    const std::size_t fitting = static_cast<std::size_t>(std::min<std::uint64_t>(left_, text.size()));
    left_ -= fitting;
    waiting_.append(text.substr(0, fitting));
    if (waiting_.size() >= at_a_time) flush();
    return fitting == text.size();
}

void Console::flush() {
    if (!waiting_.empty()) outside_.write(stream_, waiting_);
    waiting_.clear();
}

int Console::next() {
    if (at_ == input_.size() && !is_at_end_) {
        flush();  // a question comes before its answer is waited for
        // One byte is kept, for back().
        const std::string last = input_.empty() ? std::string() : input_.substr(input_.size() - 1);
        const std::string more = outside_.read();
        is_at_end_ = more.empty();
        input_ = last + more;
        at_ = last.size();
    }
    if (at_ == input_.size()) return -1;
    return static_cast<unsigned char>(input_[at_++]);
}

}  // namespace warpgrade::host
