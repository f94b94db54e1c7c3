// Functions of the device runtime that a kernel may call: vprintf and __assertfail.
#include <algorithm>
#include <cstring>

#include "vgpu/printed.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

// Who calls, and where: what a call's addresses are read with.
struct Caller {
    Warp& w;
    const Site& site;
    int lane;
};

constexpr std::uint64_t kLongestText = 1024;
constexpr const char* kHeapName = "memory of malloc()";

BytesAt bytes_of(const Caller& caller) {
    return [caller](std::uint64_t address, std::uint64_t most) {
        return bytes_at(caller.w, caller.site, caller.lane, address, most);
    };
}
std::string caller_text(const Caller& caller, std::uint64_t address) {
    return text_at(bytes_of(caller), address, kLongestText);
}

template <class T>
T value_of(const std::vector<std::byte>& bytes) {
    T value{};
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), std::min(sizeof(T), bytes.size()));
    return value;
}

// malloc in a kernel of a whole program: each block is a buffer, with room before it, where `new T[n]` keeps its n.
constexpr std::uint64_t kBytesBefore = 16, kMostHeapBytes = std::uint64_t{8} << 20;  // CUDA's heap has as much
constexpr int kMostHeapBlocks = 8192;

std::uint64_t allocate_in_kernel(Warp& w, std::uint64_t bytes) {
    Memory& memory = *w.worker->launch->memory;
    int blocks = 0;
    std::uint64_t used = 0;
    for (int i = 0; i < memory.count(); ++i) {
        const Buffer& b = memory.buffer(i);
        if (b.spec.name != kHeapName || b.is_freed) continue;
        ++blocks;
        used += b.spec.bytes;
    }
    w.worker->spend(price::fresh_bytes + static_cast<std::uint64_t>(memory.count()) / 8);
    if (blocks >= kMostHeapBlocks || memory.count() >= 8 * kMostHeapBlocks || !inside(used, bytes, 0, kMostHeapBytes))
        return 0;
    BufferSpec spec;
    spec.name = kHeapName;
    spec.bytes = bytes + kBytesBefore;
    spec.element_bytes = 1;
    const Result<int> buffer = memory.allocate(spec);
    if (!buffer) return 0;
    memory.ensure_shadow(*buffer);
    return memory.buffer(*buffer).address + kBytesBefore;
}

// False: it is no block of that heap, or was freed.
bool free_in_kernel(Warp& w, std::uint64_t address) {
    if (address == 0) return true;
    Memory& memory = *w.worker->launch->memory;
    const int buffer = memory.find(address - kBytesBefore);
    if (buffer < 0 || memory.buffer(buffer).spec.name != kHeapName) return false;
    if (memory.buffer(buffer).address != address - kBytesBefore) return false;
    memory.release(buffer);
    std::fill(w.worker->caches.begin(), w.worker->caches.end(), SiteCache());
    return true;
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
            const std::string text =
                printed(bytes_of(caller), caller_text(caller, value_of<std::uint64_t>(arguments[0])),
                        value_of<std::uint64_t>(arguments[1]), room - used, kLongestText);
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
    if (launch.has_heap && name == "malloc" && arguments.size() == 1) {
        const std::uint64_t address = allocate_in_kernel(w, value_of<std::uint64_t>(arguments[0]));
        result.resize(sizeof address);
        std::memcpy(result.data(), &address, sizeof address);
        return true;
    }
    if (launch.has_heap && name == "free" && arguments.size() == 1) {
        const auto address = value_of<std::uint64_t>(arguments[0]);
        if (free_in_kernel(w, address)) return true;
        bool is_new = false;
        Finding& f = add_finding(*w.worker, &block, FindingKind::invalid_call, line_of(w, site), AccessKind::none,
                                 FindingReason::free_unknown, is_new);
        if (is_new) f.place = place_of(w, lane, site);
        launch.is_stopped = true;
        return true;
    }
    if (name == "__assertfail" && arguments.size() >= 3) {
        bool is_new = false;
        Finding& f =
            add_finding(*w.worker, &block, FindingKind::assertion, line_of(w, site), AccessKind::none,
                        FindingReason::none, is_new, caller_text(caller, value_of<std::uint64_t>(arguments[0])));
        if (is_new) f.place = place_of(w, lane, site);
        launch.is_stopped = true;
        return true;
    }
    return false;
}

}  // namespace warpgrade::vgpu
