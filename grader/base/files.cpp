#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/contained_open.hpp"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;

Diagnostic failure(const char* code, const std::string& what, const fs::path& path, const std::string& why) {
    std::error_code error;
    if (std::string_view(code) == "cannot_write" && fs::is_directory(path, error))
        return {.blame = Blame::usage,
                .code = code,
                .title = what + " `" + path.string() + "`",
                .marks = {},
                .facts = {"it is a folder"},
                .help = "name a file"};
    return {.blame = Blame::host,
            .code = code,
            .title = what + " `" + path.string() + "`",
            .marks = {},
            .facts = {why},
            .help = "check the folder's permissions and the free space of its disk"};
}

bool write_all_of(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(fd, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

constexpr const char* half_written = ".new-";

}  // namespace

Result<std::string> read_start_of_file(const fs::path& path, std::uint64_t most_bytes) {
    // O_NONBLOCK: opening a named pipe must not wait.
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    return read_descriptor(file, path.string(), most_bytes);
}

Result<std::string> read_whole_file(const fs::path& path, std::uint64_t most_bytes) {
    auto bytes = read_start_of_file(path, most_bytes + 1);
    if (bytes && bytes->size() > most_bytes)
        return failure("unreadable", "cannot read", path, "it has more than " + std::to_string(most_bytes) + " bytes");
    return bytes;
}

Diagnostic not_a_file(const fs::path& path, std::string help) {
    struct stat found {};
    const bool exists = stat(path.c_str(), &found) == 0;
    return {.blame = Blame::usage,
            .code = exists ? "not_a_file" : "no_such_file",
            .title = exists ? "`" + path.string() + "` is " + kind_of_file(found.st_mode) + ", not a file"
                            : "there is no file `" + path.string() + "`",
            .marks = {},
            .facts = {},
            .help = exists ? "write it into a file, and name that" : std::move(help)};
}

bool is_half_written(const fs::path& path) { return path.filename().string().starts_with(half_written); }

Status replace_file(const fs::path& path, std::string_view bytes, mode_t mode, Flush flush) {
    std::error_code error;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    fs::create_directories(folder, error);
    static std::atomic<unsigned> counter{0};
    const fs::path temporary =
        folder / (half_written + std::to_string(getpid()) + "-" + std::to_string(counter.fetch_add(1)));
    {
        const Descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
        if (!file) return failure("cannot_write", "cannot write", path, std::strerror(errno));
        if (!write_all_of(file.get(), bytes) || (flush == Flush::to_disk && fsync(file.get()) != 0)) {
            const std::string why = std::strerror(errno);
            fs::remove(temporary, error);
            return failure("cannot_write", "cannot write", path, why);
        }
    }
    fs::rename(temporary, path, error);
    if (error) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        return failure("cannot_write", "cannot write", path, error.message());
    }
    // The rename itself is on the disk only once the folder is.
    if (flush == Flush::to_disk)
        if (const Descriptor directory = open_folder(folder)) fsync(directory.get());
    return Nothing{};
}

}  // namespace warpgrade
