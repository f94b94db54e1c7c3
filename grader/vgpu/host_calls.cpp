// Functions of the device runtime that a kernel may call: vprintf and __assertfail.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

// Who calls, and where: what a call's addresses are read with.
struct Caller {
    Warp& w;
    const Site& site;
    int lane;
};

std::string text_at(const Caller& caller, std::uint64_t address) {
    const auto bytes = bytes_at(caller.w, caller.site, caller.lane, address, 1024);
    if (bytes.empty()) return "(null)";
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    return std::string(text, ::strnlen(text, bytes.size()));
}

template <class T>
T value_of(const std::vector<std::byte>& bytes) {
    T value{};
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), std::min(sizeof(T), bytes.size()));
    return value;
}

// Of a conversion: its width, its precision, and so its text. Nobody means to print more.
constexpr int kWidest = 512;

// One conversion with a C library that knows the same ones; the specification is checked first.
template <class T>
std::string formatted(const std::string& specification, T value) {
    char text[kWidest + 64];
    const int n = std::snprintf(text, sizeof text, specification.c_str(), value);
    return n < 0 ? std::string()
                 : std::string(text, std::min<std::size_t>(static_cast<std::size_t>(n), sizeof text - 1));
}

// At most so many bytes, and a little more.
std::string format(const Caller& caller, const std::string& pattern, std::uint64_t arguments, std::uint64_t most) {
    std::string out;
    std::uint64_t offset = 0;
    const auto take = [&]<class T>(T) {
        offset = (offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        const auto at = bytes_at(caller.w, caller.site, caller.lane, arguments + offset, sizeof(T));
        T value{};
        if (at.size() == sizeof(T)) std::memcpy(&value, at.data(), sizeof(T));
        offset += sizeof(T);
        return value;
    };
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            out += pattern[i];
            continue;
        }
        if (i + 1 < pattern.size() && pattern[i + 1] == '%') {
            out += '%';
            ++i;
            continue;
        }
        std::string specification = "%";
        std::size_t j = i + 1;
        bool is_long = false;
        while (j < pattern.size() && std::strchr("-+ #0", pattern[j]) != nullptr) {
            if (specification.find(pattern[j]) == std::string::npos) specification += pattern[j];
            ++j;
        }
        const auto number = [&] {
            int value = 0;
            if (j < pattern.size() && pattern[j] == '*') {
                ++j;
                return std::clamp(take(int{}), -kWidest, kWidest);
            }
            for (; j < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[j])); ++j)
                value = std::min(10 * value + (pattern[j] - '0'), kWidest);
            return value;
        };
        if (const int width = number(); width != 0) specification += std::to_string(width);
        if (j < pattern.size() && pattern[j] == '.') {
            ++j;
            if (const int precision = number(); precision >= 0) specification += "." + std::to_string(precision);
        }
        while (j < pattern.size() && std::strchr("hlLzjt", pattern[j]) != nullptr)
            is_long = is_long || pattern[j] != 'h', ++j;
        if (j >= pattern.size()) break;
        const char kind = pattern[j];
        if (std::strchr("di", kind) != nullptr) {
            out += is_long ? formatted(specification + "lld", static_cast<long long>(take(std::int64_t{})))
                           : formatted(specification + "d", take(int{}));
        } else if (std::strchr("ouxX", kind) != nullptr) {
            out += is_long
                       ? formatted(specification + "ll" + kind, static_cast<unsigned long long>(take(std::uint64_t{})))
                       : formatted(specification + kind, take(unsigned{}));
        } else if (std::strchr("eEfFgGaA", kind) != nullptr) {
            out += formatted(specification + kind, take(double{}));
        } else if (kind == 'c') {
            out += formatted(specification + "c", take(int{}));
        } else if (kind == 's') {
            out += formatted(specification + "s", text_at(caller, take(std::uint64_t{})).c_str());
        } else if (kind == 'p') {
            out += formatted("0x%llx", static_cast<unsigned long long>(take(std::uint64_t{})));
        } else {
            out += pattern.substr(i, j - i + 1);
        }
        if (out.size() > most) break;
        i = j;
    }
    return out;
}

}  // namespace

bool belongs_to_launcher(const std::string& external) {
    return external.starts_with("__cudaCDP2") || external.starts_with("__warpgrade_");
}

std::string display_name_of(const std::string& external) {
    if (external.starts_with("__cudaCDP2")) return "a kernel is launched inside of a kernel";
    if (external == "__warpgrade_memset") return "cudaMemset is called inside of a kernel";
    if (external.starts_with("__warpgrade_")) return "a function of the CUDA runtime is called inside of a kernel";
    if (external == "malloc" || external == "free") return external + "() in a kernel";
    return "a call of " + display_name(external);
}

bool call_builtin(BlockContext& block, Warp& w, const std::string& name,
                  const std::vector<std::vector<std::byte>>& arguments, int lane, const Site& site,
                  std::vector<std::byte>& result) {
    LaunchState& launch = *w.worker->launch;
    const Caller caller{w, site, lane};
    if (name == "vprintf" && arguments.size() == 2) {
        // Who prints runs on one thread.
        const std::uint64_t room = launch.options->limits.output_bytes;
        const std::uint64_t used = launch.output == nullptr ? room : launch.output->size();
        int length = 0;
        if (used < room) {
            const std::string text = format(caller, text_at(caller, value_of<std::uint64_t>(arguments[0])),
                                            value_of<std::uint64_t>(arguments[1]), room - used);
            launch.output->append(text, 0, room - used);
            length = static_cast<int>(text.size());
            w.worker->spend(price::printed_line);
        } else {
            ++launch.unseen_lines;
            w.worker->spend(price::unseen_line);
        }
        result.resize(4);
        std::memcpy(result.data(), &length, 4);
        return true;
    }
    if (name == "__assertfail" && arguments.size() >= 3) {
        bool is_new = false;
        Finding& f = add_finding(*w.worker, &block, FindingKind::assertion, line_of(w, site), AccessKind::none,
                                 text_at(caller, value_of<std::uint64_t>(arguments[0])), is_new);
        if (is_new) f.place = place_of(w, lane, site);
        launch.is_stopped = true;
        return true;
    }
    return false;
}

}  // namespace warpgrade::vgpu
