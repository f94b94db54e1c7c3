#include "vgpu/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "base/parallel.hpp"

namespace warpgrade::vgpu {

namespace {

// Gaps are wider than any stray index a course exercise makes, and addresses look like a GPU's.
constexpr std::uint64_t kFirstAddress = std::uint64_t{0x3} << 32;
constexpr std::uint64_t kGap = std::uint64_t{1} << 32;
constexpr std::uint64_t kAlignment = 256;

// Anonymous pages: zero, and only there once touched. Locked ones do not count against RLIMIT_DATA. A large page is
// cleared whole: a buffer of a few elements does without.
void* map(std::uint64_t bytes, Memory::Pages pages, bool is_locked) {
    void* place = ::mmap(nullptr, bytes, is_locked ? PROT_NONE : PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) return nullptr;
    constexpr std::uint64_t large_page = std::uint64_t{2} << 20;
    const bool has_large = pages == Memory::Pages::large && bytes >= large_page;
    ::madvise(place, bytes, has_large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    return place;
}

std::uint64_t mapped_bytes(const Buffer& b) { return b.spec.bytes + b.spec.offset_bytes + kAlignment; }
std::uint64_t shadow_bytes(const Buffer& b) { return (mapped_bytes(b) / 4 + 2) * 4; }

// What is unlocked at a time: little, and few enough that the system can keep a list of them.
std::uint64_t part_bytes(const Buffer& b) {
    constexpr std::uint64_t least = std::uint64_t{256} << 10, most_parts = 4096;
    return std::max(least, std::bit_ceil(mapped_bytes(b) / most_parts));
}

void unlock(void* start, std::uint64_t bytes, std::uint64_t part, std::uint64_t part_bytes) {
    const std::uint64_t first = part * part_bytes;
    const std::uint64_t count = std::min(part_bytes, bytes - first);
    if (::mprotect(static_cast<std::byte*>(start) + first, count, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
}

// The system takes pages back by stopping every thread of the process: of few they are written instead.
void zero(void* start, std::uint64_t bytes) {
    constexpr std::uint64_t few = std::uint64_t{16} << 10;
    if (bytes <= few)
        std::memset(start, 0, bytes);
    else
        ::madvise(start, bytes, MADV_DONTNEED);
}

}  // namespace

Memory::Memory(std::uint64_t budget_bytes, Pages pages)
    : next_address_(kFirstAddress), budget_bytes_(budget_bytes), pages_(pages) {}

Memory::~Memory() { release_all(); }

Result<int> Memory::allocate(const BufferSpec& spec) {
    Buffer b;
    b.spec = spec;
    if (!inside(used_bytes_, spec.bytes, 0, budget_bytes_)) {
        Diagnostic d;
        d.blame = Blame::host;
        d.code = "out_of_memory";
        d.title = "the virtual GPU's memory budget is spent";
        d.facts.push_back(std::to_string(spec.bytes) + " bytes asked for `" + spec.name + "`, " +
                          std::to_string(used_bytes_) + " of " + std::to_string(budget_bytes_) + " in use");
        d.help = "use a smaller --shape";
        return d;
    }
    void* place = map(mapped_bytes(b), pages_, static_cast<bool>(spec.contents));
    if (place == nullptr) {
        Diagnostic d;
        d.blame = Blame::host;
        d.code = "out_of_memory";
        d.title = "this machine has not enough memory for `" + spec.name + "`";
        d.help = "use a smaller --shape";
        return d;
    }
    next_address_ = (next_address_ + spec.align_bytes - 1) / spec.align_bytes * spec.align_bytes;
    b.address = next_address_ + spec.offset_bytes;
    b.data = static_cast<std::byte*>(place) + spec.offset_bytes;
    if (spec.contents) {
        b.is_there.assign((spec.bytes + piece_bytes - 1) / piece_bytes, 0);
        b.is_open.assign(mapped_bytes(b) / part_bytes(b) + 1, 0);
    }
    next_address_ = (next_address_ + mapped_bytes(b) + kGap) / kAlignment * kAlignment;
    used_bytes_ += mapped_bytes(b);
    buffers_.push_back(b);
    const int index = count() - 1;
    if (!spec.is_written && spec.bytes > 0) ensure_shadow(index);
    return index;
}

void Memory::ensure_shadow(int index) {
    Buffer& b = buffers_[static_cast<std::size_t>(index)];
    if (b.shadow != nullptr) return;
    // Indexed by (address - aligned start) / 4, like the data itself.
    b.shadow = static_cast<std::uint32_t*>(map(shadow_bytes(b), pages_, static_cast<bool>(b.spec.contents)));
    if (b.shadow == nullptr) throw std::bad_alloc();
    used_bytes_ += shadow_bytes(b);
    for (std::size_t part = 0; part < b.is_open.size(); ++part)
        if (b.is_open[part] != 0) unlock(b.shadow, shadow_bytes(b), part, part_bytes(b));
}

void Memory::release(int index) {
    Buffer& b = buffers_[static_cast<std::size_t>(index)];
    if (b.is_freed) return;
    b.is_freed = true;
    ::munmap(b.data - b.spec.offset_bytes, mapped_bytes(b));
    used_bytes_ -= mapped_bytes(b);
    if (b.shadow != nullptr) {
        ::munmap(b.shadow, shadow_bytes(b));
        used_bytes_ -= shadow_bytes(b);
    }
    b.data = nullptr;
    b.shadow = nullptr;
}

void Memory::release_all() {
    for (int i = 0; i < count(); ++i) release(i);
}

std::span<std::byte> Memory::bytes(int index) {
    Buffer& b = buffers_[static_cast<std::size_t>(index)];
    return {b.data, b.spec.bytes};
}

// `first`, `last`: bytes of its pages. A shadow has as many bytes as what it is of.
void Memory::open(Buffer& b, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t each = part_bytes(b);
    for (std::uint64_t part = first / each; part <= last / each; ++part) {
        if (b.is_open[part] != 0) continue;
        unlock(b.data - b.spec.offset_bytes, mapped_bytes(b), part, each);
        if (b.shadow != nullptr) unlock(b.shadow, shadow_bytes(b), part, each);
        b.is_open[part] = 1;
    }
}

void Memory::forget_tags() {
    const auto forget = [](Buffer& b, std::uint64_t first, std::uint64_t end) {
        for (std::uint64_t word = first / 4; word < (end + 3) / 4; ++word) b.shadow[word] &= 0xF;
    };
    for (Buffer& b : buffers_) {
        if (b.shadow == nullptr) continue;
        if (!b.spec.contents) forget(b, 0, b.spec.bytes + b.spec.offset_bytes);
        for (const std::uint32_t piece : b.pieces) {
            const std::uint64_t first = piece * piece_bytes;
            forget(b, first + b.spec.offset_bytes, std::min(first + piece_bytes, b.spec.bytes) + b.spec.offset_bytes);
        }
    }
    next_tag = 1;
}

void Memory::provide(int index, std::uint64_t address, std::uint64_t bytes) {
    Buffer& b = buffers_[static_cast<std::size_t>(index)];
    const std::uint64_t first = (address - b.address) / piece_bytes;
    const std::uint64_t last = (address - b.address + std::max<std::uint64_t>(bytes, 1) - 1) / piece_bytes;
    for (std::uint64_t piece = first; piece <= last; ++piece) {
        if (b.is_there[piece] != 0) continue;
        const std::uint64_t at = piece * piece_bytes;
        open(b, at + b.spec.offset_bytes, std::min(at + piece_bytes, b.spec.bytes) + b.spec.offset_bytes - 1);
        b.is_there[piece] = 1;
        b.pieces.push_back(static_cast<std::uint32_t>(piece));
        b.spec.contents(at, {b.data + at, std::min(piece_bytes, b.spec.bytes - at)});
        // A store looks at the shadow before it marks it: a page that is read first is one of zeros that all share, and
        // to exchange it later stops every thread.
        if (b.shadow != nullptr) static_cast<volatile std::uint32_t*>(b.shadow)[(at + b.spec.offset_bytes + 3) / 4] = 0;
    }
}

void Memory::poison(int index, std::uint32_t pattern) {
    Buffer& b = buffers_[static_cast<std::size_t>(index)];
    // Pages that nothing has touched take the system longer than what is stored to them.
    constexpr std::uint64_t piece = std::uint64_t{16} << 20;
    const std::uint64_t pieces = (b.spec.bytes + piece - 1) / piece;
    for_each_in_parallel(pieces, threads_for(pieces), [&](std::size_t i) {
        std::byte* at = b.data + i * piece;
        const std::uint64_t bytes = std::min(piece, b.spec.bytes - i * piece), whole = bytes / 4;
        for (std::uint64_t k = 0; k < whole; ++k, at += 4) std::memcpy(at, &pattern, 4);
        std::memcpy(at, &pattern, bytes - 4 * whole);
    });
    b.spec.is_written = false;
    ensure_shadow(index);
    zero(b.shadow, shadow_bytes(b));
}

void Memory::fill(int index, std::uint64_t address, std::uint64_t count, int value) {
    const Buffer& b = buffers_[static_cast<std::size_t>(index)];
    std::memset(b.data + (address - b.address), value, count);
    if (b.shadow == nullptr || b.spec.is_written) return;
    const std::uint64_t first = address - (b.address - b.spec.offset_bytes), end = first + count;
    const auto mark = [&](std::uint64_t from, std::uint64_t to) {
        for (; from < to; ++from) b.shadow[from / 4] = (b.shadow[from / 4] & 0xF) | 1u << (from % 4);
    };
    const std::uint64_t whole = std::min((first + 3) / 4 * 4, end), whole_end = std::max(whole, end / 4 * 4);
    mark(first, whole);
    std::fill(b.shadow + whole / 4, b.shadow + whole_end / 4, 0xFu);
    mark(whole_end, end);
}

void Memory::clear(int index) {
    Buffer& b = buffers_[static_cast<std::size_t>(index)];
    zero(b.data - b.spec.offset_bytes, mapped_bytes(b));
}

bool Memory::is_written(int index, std::uint64_t first, std::uint64_t count) const {
    const Buffer& b = buffers_[static_cast<std::size_t>(index)];
    if (count == 0 || b.spec.is_written) return true;
    if (b.shadow == nullptr) return false;
    // Whole words, where all pages are there: many at a time.
    constexpr std::uint64_t words_at_a_time = 1024;
    const std::uint64_t start = first + b.spec.offset_bytes;
    if (b.is_open.empty() && start % 4 == 0 && count % 4 == 0) {
        for (std::uint64_t word = start / 4, end = word + count / 4; word < end;) {
            const std::uint64_t stop = std::min(word + words_at_a_time, end);
            std::uint32_t all = 0xF;
            for (; word < stop; ++word) all &= b.shadow[word];
            if (all != 0xF) return false;
        }
        return true;
    }
    for (std::uint64_t i = first; i < first + count;) {
        const std::uint64_t place = i + b.spec.offset_bytes;
        if (!b.is_open.empty() && b.is_open[place / part_bytes(b)] == 0) return false;
        const std::uint32_t state = b.shadow[place / 4];
        if (place % 4 == 0 && i + 4 <= first + count) {
            if ((state & 0xF) != 0xF) return false;
            i += 4;
        } else {
            if (((state >> (place % 4)) & 1) == 0) return false;
            ++i;
        }
    }
    return true;
}

// Addresses only ever rise.
int Memory::find(std::uint64_t address) const {
    const auto next = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                       [](std::uint64_t at, const Buffer& b) { return at < b.address; });
    if (next == buffers_.begin()) return -1;
    const Buffer& b = *std::prev(next);
    if (b.is_freed || address - b.address >= b.spec.bytes) return -1;
    return static_cast<int>(std::prev(next) - buffers_.begin());
}

int Memory::find_nearest(std::uint64_t address) const {
    // The one that begins at or before it, or the one behind that.
    const auto next = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                       [](std::uint64_t at, const Buffer& b) { return at < b.address; });
    int best = -1;
    std::uint64_t best_distance = kGap / 2;
    const auto look_at = [&](std::vector<Buffer>::const_iterator b) {
        const std::uint64_t end = b->address + b->spec.bytes;
        const std::uint64_t distance = address < b->address ? b->address - address : address < end ? 0 : address - end;
        if (distance >= best_distance) return;
        best = static_cast<int>(b - buffers_.begin());
        best_distance = distance;
    };
    if (next != buffers_.begin()) look_at(std::prev(next));
    if (next != buffers_.end()) look_at(next);
    return best;
}

}  // namespace warpgrade::vgpu
