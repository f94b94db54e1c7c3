#include "device/card_ptx.hpp"

#include <cctype>

namespace warpgrade {
namespace {

constexpr std::string_view external = ".extern .func";
constexpr std::string_view directive = ".version ";
constexpr std::string_view quiet_printf = "__warpgrade_vprintf";

bool is_recorded_call(std::string_view declaration) {
    return declaration.find("__cudaCDP2") != std::string_view::npos ||
           declaration.find("__warpgrade_") != std::string_view::npos ||
           declaration.find(quiet_printf) != std::string_view::npos;
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

// ptxas knows vprintf, and admits no other of that name.
std::string with_printf_renamed(std::string_view ptx) {
    constexpr std::string_view name = "vprintf";
    std::string out;
    for (std::size_t at; (at = ptx.find(name)) != std::string_view::npos;) {
        const bool is_whole =
            (at == 0 || !is_name(ptx[at - 1])) && (at + name.size() == ptx.size() || !is_name(ptx[at + name.size()]));
        out += ptx.substr(0, at);
        out += is_whole ? quiet_printf : name;
        ptx.remove_prefix(at + name.size());
    }
    return out + std::string(ptx);
}

}  // namespace

std::string with_host_calls_emptied(std::string_view text) {
    const std::string renamed = with_printf_renamed(text);
    std::string_view ptx = renamed;
    std::string out;
    for (;;) {
        const std::size_t begin = ptx.find(external);
        const std::size_t end = begin == std::string_view::npos ? begin : ptx.find(';', begin);
        if (end == std::string_view::npos) return out + std::string(ptx);
        const std::string_view declaration = ptx.substr(begin, end - begin);
        out += ptx.substr(0, begin);
        if (is_recorded_call(declaration))
            out += ".func" + std::string(declaration.substr(external.size())) + "{\n\tret;\n}";
        else
            out += std::string(declaration) + ";";
        ptx.remove_prefix(end + 1);
    }
}

std::string ptx_version_of(int cuda_version) {
    const int major = cuda_version / 1000, minor = cuda_version % 1000 / 10;
    if (major < 11) return {};
    // CUDA 12.6 came with 8.5, and 12.7 to 12.9 with 8.6 to 8.8.
    const int ptx_minor = major == 12 && minor >= 6 ? minor - 1 : minor;
    return std::to_string(major - 4) + "." + std::to_string(ptx_minor);
}

std::string ptx_version(std::string_view ptx) {
    const std::size_t at = ptx.find(directive);
    if (at == std::string_view::npos) return {};
    std::size_t end = at + directive.size();
    while (end < ptx.size() && (std::isdigit(static_cast<unsigned char>(ptx[end])) || ptx[end] == '.')) ++end;
    return std::string(ptx.substr(at + directive.size(), end - at - directive.size()));
}

std::string with_ptx_version(std::string_view ptx, const std::string& version) {
    const std::string before = ptx_version(ptx);
    if (before.empty()) return std::string(ptx);
    std::string out(ptx);
    return out.replace(out.find(directive) + directive.size(), before.size(), version);
}

}  // namespace warpgrade
