// Functions of the device runtime that a kernel may call: vprintf and __assertfail.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

// Reads device memory through a generic address, for strings and argument buffers. Null if it is nowhere.
const char* look(const Warp& w, std::uint64_t address, int lane, std::uint64_t& available) {
    if (address - kLocalWindow < kWindowBytes) {
        const std::uint64_t offset = address - kLocalWindow;
        if (offset >= w.local_bytes) return nullptr;
        available = w.local_bytes - offset;
        return w.local + static_cast<std::uint64_t>(lane) * w.local_bytes + offset;
    }
    if (address - kSharedWindow < kWindowBytes) {
        const std::uint64_t offset = address - kSharedWindow;
        if (offset >= w.shared_bytes) return nullptr;
        available = w.shared_bytes - offset;
        return w.shared + offset;
    }
    const Memory& memory = *w.worker->launch->memory;
    const int index = memory.find(address);
    if (index < 0) return nullptr;
    const Buffer& b = memory.buffer(index);
    available = b.spec.bytes - (address - b.address);
    return reinterpret_cast<const char*>(b.data) + (address - b.address);
}

std::string text_at(const Warp& w, std::uint64_t address, int lane) {
    std::uint64_t available = 0;
    const char* at = look(w, address, lane, available);
    if (at == nullptr) return "(null)";
    return std::string(at, ::strnlen(at, std::min<std::uint64_t>(available, 1024)));
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
std::string format(const Warp& w, const std::string& pattern, std::uint64_t arguments, int lane, std::uint64_t most) {
    std::string out;
    std::uint64_t offset = 0;
    const auto take = [&]<class T>(T) {
        offset = (offset + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        std::uint64_t available = 0;
        const char* at = look(w, arguments + offset, lane, available);
        T value{};
        if (at != nullptr && available >= sizeof(T)) std::memcpy(&value, at, sizeof(T));
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
            out += formatted(specification + "s", text_at(w, take(std::uint64_t{}), lane).c_str());
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
    if (name == "vprintf" && arguments.size() == 2) {
        // Who prints runs on one thread.
        const std::uint64_t room = launch.options->limits.output_bytes;
        const std::uint64_t used = launch.output == nullptr ? room : launch.output->size();
        int length = 0;
        if (used < room) {
            const std::string text = format(w, text_at(w, value_of<std::uint64_t>(arguments[0]), lane),
                                            value_of<std::uint64_t>(arguments[1]), lane, room - used);
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
                                 text_at(w, value_of<std::uint64_t>(arguments[0]), lane), is_new);
        if (is_new) f.place = place_of(w, lane, site);
        launch.is_stopped = true;
        return true;
    }
    return false;
}

}  // namespace warpgrade::vgpu
