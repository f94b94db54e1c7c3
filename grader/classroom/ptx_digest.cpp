#include "classroom/ptx_digest.hpp"

#include <fmt/format.h>

#include <map>

#include "base/sha256.hpp"

namespace warpgrade::classroom {
namespace {

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// Mangled names begin so (Itanium C++ ABI 5.1.2); what the compiler adds, "_param_0", is behind them.
std::string canonical(const std::string& name, std::map<std::string, std::string>& names) {
    if (!name.starts_with("_Z")) return name;
    const auto param = name.rfind("_param_");
    const std::string own = name.substr(0, param);
    const auto [known, is_new] = names.emplace(own, fmt::format("@{}", names.size()));
    return known->second + (param == std::string::npos ? "" : name.substr(param));
}

}  // namespace

std::string ptx_digest(std::string_view ptx) {
    if (ptx.empty()) return "";
    Sha256 hash;
    std::map<std::string, std::string> names;
    while (!ptx.empty()) {
        const auto end = std::min(ptx.find('\n'), ptx.size());
        std::string_view line = ptx.substr(0, std::min(end, ptx.substr(0, end).find("//")));
        ptx.remove_prefix(std::min(end + 1, ptx.size()));
        const auto first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) continue;
        line.remove_prefix(first);
        if (line.starts_with(".section")) break;  // of debugging: the rest of the file
        if (line.starts_with(".loc") || line.starts_with(".file") || line.starts_with("$L__tmp") ||
            line.starts_with("$L__func_"))
            continue;
        std::string plain;
        for (std::size_t at = 0; at < line.size();) {
            std::size_t next = at;
            while (next < line.size() && is_name(line[next])) ++next;
            if (next > at)
                plain += canonical(std::string(line.substr(at, next - at)), names);
            else if (line[next++] != '\r')
                plain += line[at] == '\t' ? ' ' : line[at];
            at = next;
        }
        hash.add_field(plain);
    }
    return hash.hex();
}

}  // namespace warpgrade::classroom
