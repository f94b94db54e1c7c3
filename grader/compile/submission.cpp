#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "compile/compiler.hpp"

namespace warpgrade {
namespace {

constexpr off_t largest_bytes = 1 << 20;
constexpr std::size_t longest_line = 20'000;  // characters; far beyond anything typed, far below what hurts a report

Diagnostic problem(Blame blame, std::string code, std::string title, const std::string& path, std::string fact,
                   std::string help, int line = 0) {
    Diagnostic diagnostic{.blame = blame,
                          .code = std::move(code),
                          .title = std::move(title),
                          .marks = {},
                          .facts = {},
                          .help = std::move(help)};
    diagnostic.marks.push_back({.path = path, .line = line, .column = 0, .length = 1, .label = {}});
    if (!fact.empty()) diagnostic.facts.push_back(std::move(fact));
    return diagnostic;
}

Diagnostic cannot_open(const std::string& path, int error) {
    if (error == ENOENT || error == ENOTDIR)
        return problem(Blame::usage, "no_such_file", "there is no file `" + path + "`", path, "",
                       "check the spelling; `warpgrade list` shows the stages and their files");
    if (error == ELOOP)
        return problem(Blame::usage, "not_a_file", "`" + path + "` is a symbolic link", path, "",
                       "name the file itself");
    return problem(Blame::usage, "unreadable", "`" + path + "` cannot be read", path, std::strerror(error),
                   "check the file's permissions");
}

std::string kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a named pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) close(fd);
    }
};

}  // namespace

Result<std::string> read_submission(const std::string& path) {
    // O_NONBLOCK: opening a named pipe must not wait. O_NOFOLLOW: in a folder of submissions, a link could lead
    // anywhere.
    const Descriptor file{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)};
    if (file.fd < 0) {
        struct stat found {};
        if (errno == ENXIO && stat(path.c_str(), &found) == 0)
            return problem(Blame::usage, "not_a_file", "`" + path + "` is " + kind_of(found.st_mode), path, "",
                           "name a .cu file");
        return cannot_open(path, errno);
    }
    struct stat status {};
    if (fstat(file.fd, &status) != 0) return cannot_open(path, errno);
    if (!S_ISREG(status.st_mode))
        return problem(Blame::usage, "not_a_file", "`" + path + "` is " + kind_of(status.st_mode) + ", not a file",
                       path, "", S_ISDIR(status.st_mode) ? "name the .cu file inside it" : "name a .cu file");
    if (status.st_size > largest_bytes)
        return problem(Blame::learner, "too_large", "the submission is larger than 1 MiB", path,
                       "it has " + std::to_string(status.st_size) + " bytes; a solution has a few thousand",
                       "hand in the source text only");
    std::string text(static_cast<std::size_t>(largest_bytes) + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const ssize_t count = read(file.fd, text.data() + size, text.size() - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return cannot_open(path, errno);
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    text.resize(size);
    if (size > static_cast<std::size_t>(largest_bytes))
        return problem(Blame::learner, "too_large", "the submission is larger than 1 MiB", path, "",
                       "hand in the source text only");
    if (text.find_first_not_of(" \t\r\n\f\v") == std::string::npos)
        return problem(Blame::learner, "empty_file", "the submission is empty", path, "",
                       "save the file in the editor, then check again");
    if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
        return problem(Blame::learner, "binary_file", "the submission is not a text file", path,
                       text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")
                           ? "it is UTF-16 text"
                           : "byte " + std::to_string(nul + 1) + " is NUL; compiled files and archives look like this",
                       "hand in the .cu source, saved as UTF-8");
    int line = 1;
    for (std::size_t begin = 0; begin < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end - begin > longest_line)
            return problem(Blame::learner, "line_too_long", "a line is too long to be source text", path,
                           "line " + std::to_string(line) + " has " + std::to_string(end - begin) +
                               " characters, at most " + std::to_string(longest_line) + " are read",
                           "break the line", line);
        begin = end + 1;
    }
    return text;
}

}  // namespace warpgrade
