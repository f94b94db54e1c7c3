#include "compile/registers.hpp"

#include <charconv>

namespace warpgrade {

namespace {

// The text between two marks, or nothing.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = text.substr(at + before.size());
    return rest.substr(0, rest.find(after));
}

}  // namespace

std::map<std::string, int> registers_in_log(std::string_view log) {
    std::map<std::string, int> registers;
    std::string entry;
    while (!log.empty()) {
        const std::size_t end = log.find('\n');
        const std::string_view line = log.substr(0, end);
        log = end == std::string_view::npos ? std::string_view() : log.substr(end + 1);
        if (!line.starts_with("ptxas info")) continue;
        if (const auto name = between(line, "Compiling entry function '", "'"); !name.empty()) entry = name;
        const std::string_view count = between(line, "Used ", " registers");
        int value = 0;
        if (!entry.empty() && std::from_chars(count.data(), count.data() + count.size(), value).ec == std::errc() &&
            value > 0) {
            registers[entry] = value;
            entry.clear();
        }
    }
    return registers;
}

}  // namespace warpgrade
