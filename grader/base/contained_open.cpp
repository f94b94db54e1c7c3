#include "base/contained_open.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace warpgrade {
namespace {

// linux/openat2.h, written out because older systems' headers lack it (openat2(2)).
struct OpenHow {
    std::uint64_t flags, mode, resolve;
};
constexpr long openat2_call = 437;
constexpr std::uint64_t no_magic_links = 2, no_symbolic_links = 4, beneath = 8;

constexpr int always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

Diagnostic unreadable(const std::string& shown, const std::string& why) {
    return {.blame = Blame::host,
            .code = "unreadable",
            .title = "cannot read `" + shown + "`",
            .marks = {},
            .facts = {why},
            .help = "check the permissions of the file and of the folders above it"};
}

}  // namespace

Descriptor::~Descriptor() {
    if (fd_ < 0) return;
    const int kept = errno;
    close(fd_);
    errno = kept;
}

Descriptor open_folder(const std::filesystem::path& folder) {
    return Descriptor(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

Descriptor open_beneath(const Descriptor& folder, const std::string& inside, int flags) {
    const OpenHow how{static_cast<std::uint64_t>(flags | always), 0, no_magic_links | no_symbolic_links | beneath};
    for (int attempt = 0; attempt < 8; ++attempt) {
        const long fd = syscall(openat2_call, folder.get(), inside.c_str(), &how, sizeof how);
        if (fd >= 0) return Descriptor(static_cast<int>(fd));
        if (errno != EAGAIN && errno != EINTR) break;  // somebody renamed a folder meanwhile
    }
    // No such call: an older kernel, or a filter of system calls that does not know it.
    if (errno == ENOSYS || errno == EPERM) return open_beneath_by_parts(folder, inside, flags);
    return Descriptor();
}

Descriptor open_beneath_by_parts(const Descriptor& folder, const std::string& inside, int flags) {
    Descriptor here(fcntl(folder.get(), F_DUPFD_CLOEXEC, 3));
    for (std::size_t begin = 0; here && begin <= inside.size();) {
        const std::size_t end = std::min(inside.find('/', begin), inside.size());
        const std::string part = inside.substr(begin, end - begin);
        if (part.empty() || part == "..") {
            errno = EXDEV;
            return Descriptor();
        }
        const bool is_last = end == inside.size();
        here = Descriptor(openat(here.get(), part.c_str(), always | (is_last ? flags : O_RDONLY | O_DIRECTORY)));
        begin = end + 1;
    }
    return here;
}

std::string kind_of_file(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a named pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

Result<std::string> read_descriptor(const Descriptor& file, const std::string& shown, std::uint64_t most_bytes) {
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0)
        return unreadable(shown, errno == ELOOP ? "it is a symbolic link" : std::strerror(errno));
    if (!S_ISREG(status.st_mode)) return unreadable(shown, "it is " + kind_of_file(status.st_mode) + ", not a file");
    std::string bytes;
    std::string part(1 << 16, '\0');
    while (bytes.size() < most_bytes) {
        const std::uint64_t wanted = std::min<std::uint64_t>(part.size(), most_bytes - bytes.size());
        const ssize_t count = read(file.get(), part.data(), wanted);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return unreadable(shown, std::strerror(errno));
        if (count == 0) break;
        bytes.append(part.data(), static_cast<std::size_t>(count));
    }
    return bytes;
}

}  // namespace warpgrade
