#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace warpgrade {
namespace {

namespace fs = std::filesystem;

struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) close(fd);
    }
};

Diagnostic failure(const char* code, const std::string& what, const fs::path& path, const std::string& why) {
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

// At most `most_bytes`, as far as the file goes.
Result<std::string> read_bytes(const fs::path& path, int flags, std::uint64_t most_bytes) {
    // O_NONBLOCK: opening a named pipe must not wait.
    const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)};
    if (file.fd < 0) return failure("unreadable", "cannot read", path, std::strerror(errno));
    struct stat status {};
    if (fstat(file.fd, &status) == 0 && !S_ISREG(status.st_mode))
        return failure("unreadable", "cannot read", path, "it is not a file");
    std::string bytes;
    std::string part(1 << 16, '\0');
    while (bytes.size() < most_bytes) {
        const std::uint64_t wanted = std::min<std::uint64_t>(part.size(), most_bytes - bytes.size());
        const ssize_t count = read(file.fd, part.data(), wanted);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failure("unreadable", "cannot read", path, std::strerror(errno));
        if (count == 0) break;
        bytes.append(part.data(), static_cast<std::size_t>(count));
    }
    return bytes;
}

}  // namespace

Result<std::string> read_whole_file(const fs::path& path, std::uint64_t most_bytes) {
    auto bytes = read_bytes(path, 0, most_bytes + 1);
    if (bytes && bytes->size() > most_bytes)
        return failure("unreadable", "cannot read", path, "it has more than " + std::to_string(most_bytes) + " bytes");
    return bytes;
}

Result<std::string> read_start_of_file(const fs::path& path, std::uint64_t most_bytes) {
    return read_bytes(path, O_NOFOLLOW, most_bytes);
}

Status replace_file(const fs::path& path, std::string_view bytes) {
    std::error_code error;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    fs::create_directories(folder, error);
    static std::atomic<unsigned> counter{0};
    const fs::path temporary =
        folder / (".new-" + std::to_string(getpid()) + "-" + std::to_string(counter.fetch_add(1)));
    {
        const Descriptor file{open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
        if (file.fd < 0) return failure("cannot_write", "cannot write", path, std::strerror(errno));
        if (!write_all_of(file.fd, bytes) || fsync(file.fd) != 0) {
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
    const Descriptor directory{open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (directory.fd >= 0) fsync(directory.fd);
    return Nothing{};
}

}  // namespace warpgrade
