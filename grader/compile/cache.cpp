#include "compile/cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "base/files.hpp"
#include "base/sha256.hpp"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view magic = "warpgrade-ptx-1\n";
constexpr std::size_t digest_size = 64;
constexpr std::uint64_t most_entry_bytes = 256ull << 20;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// What compiled code is taken from decides marks: nobody else may have written it.
bool is_own(const fs::path& path, mode_t kind) {
    struct stat found {};
    return lstat(path.c_str(), &found) == 0 && (found.st_mode & S_IFMT) == kind && found.st_uid == geteuid() &&
           (found.st_mode & S_IWOTH) == 0;
}

}  // namespace

ContentCache ContentCache::of_user() {
    if (const fs::path store = environment(store_variable); store.is_absolute()) return ContentCache(store);
    if (std::getenv("WARPGRADE_CACHE")) {
        const fs::path named = environment("WARPGRADE_CACHE");
        return ContentCache(named.empty() ? fs::path() : named / "ptx");
    }
    if (const fs::path base = environment("XDG_CACHE_HOME"); base.is_absolute())
        return ContentCache(base / "warpgrade" / "ptx");
    if (const fs::path home = environment("HOME"); !home.empty())
        return ContentCache(home / ".cache" / "warpgrade" / "ptx");
    return ContentCache(fs::path());
}

std::optional<std::string> ContentCache::find(const std::string& key) const {
    if (folder_.empty()) return std::nullopt;
    const fs::path path = folder_ / key;
    if (!is_own(path, S_IFREG)) return std::nullopt;
    const auto read = read_whole_file(path, most_entry_bytes);
    if (!read) return std::nullopt;
    const std::string& bytes = *read;
    const std::size_t head = magic.size() + digest_size;
    if (bytes.size() < head || !bytes.starts_with(magic)) return std::nullopt;
    std::string value = bytes.substr(head);
    // The key is part of the checksum: a renamed entry is a corrupt one.
    if (bytes.substr(magic.size(), digest_size) != sha256_hex(key + value)) return std::nullopt;
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);  // oldest means: longest unused
    return value;
}

void ContentCache::keep(const std::string& key, std::string_view value) const {
    if (folder_.empty()) return;
    std::error_code error;
    fs::create_directories(folder_, error);
    if (!is_own(folder_, S_IFDIR)) return;
    std::string entry(magic);
    entry += sha256_hex(key + std::string(value));
    entry += value;
    (void)replace_file(folder_ / key, entry, 0600, Flush::never);  // what cannot be kept is compiled again
    // Listing the folder at every write would cost more than the write.
    static std::atomic<unsigned> writes{0};
    if (capacity_bytes_ < default_capacity_bytes || writes.fetch_add(1) % 64 == 0) trim();
}

void ContentCache::trim() const {
    struct Entry {
        fs::file_time_type used;
        std::uint64_t bytes;
        fs::path path;
    };
    std::vector<Entry> entries;
    std::uint64_t total = 0;
    std::error_code error, ignored;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
        if (!at->path().extension().empty()) continue;  // somebody else's: entries have no suffix
        const auto used = fs::last_write_time(at->path(), ignored);
        const bool is_leftover = is_half_written(at->path());
        if (is_leftover && now - used > std::chrono::hours(1)) fs::remove(at->path(), ignored);
        if (is_leftover) continue;
        const std::uint64_t bytes = fs::file_size(at->path(), ignored);
        if (ignored) continue;  // another process removed it meanwhile
        entries.push_back({used, bytes, at->path()});
        total += bytes;
    }
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        if (total <= capacity_bytes_) break;
        fs::remove(entry.path, ignored);
        total -= entry.bytes;
    }
}

}  // namespace warpgrade
