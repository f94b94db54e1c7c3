#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "base/characters.hpp"
#include "base/confined.hpp"
#include "base/contained_open.hpp"
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
    const std::string title = "`" + path + "` cannot be read";
    if (error == EACCES || error == EPERM)
        return problem(Blame::usage, "unreadable", title, path, std::strerror(error), "check the file's permissions");
    return problem(Blame::host, "unreadable", title, path, std::strerror(error),
                   "this is the disk's or the machine's doing, not the file's: try again, or copy the file elsewhere");
}

Result<std::string> bytes_of(const std::string& path) {
    // O_NONBLOCK: opening a named pipe must not wait. O_NOFOLLOW: in a folder of submissions, a link could lead
    // anywhere.
    const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY));
    if (!file) {
        struct stat found {};
        if (errno == ENXIO && stat(path.c_str(), &found) == 0)
            return problem(Blame::usage, "not_a_file", "`" + path + "` is " + kind_of_file(found.st_mode), path, "",
                           "name a .cu file");
        return cannot_open(path, errno);
    }
    struct stat status {};
    if (fstat(file.get(), &status) != 0) return cannot_open(path, errno);
    if (!S_ISREG(status.st_mode))
        return problem(Blame::usage, "not_a_file", "`" + path + "` is " + kind_of_file(status.st_mode) + ", not a file",
                       path, "", S_ISDIR(status.st_mode) ? "name the .cu file inside it" : "name a .cu file");
    if (status.st_size > largest_bytes)
        return problem(Blame::learner, "too_large", "the file is larger than 1 MiB", path,
                       "it has " + std::to_string(status.st_size) + " bytes; a program has a few thousand",
                       "give the source text only");
    std::string text(static_cast<std::size_t>(largest_bytes) + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const ssize_t count = read(file.get(), text.data() + size, text.size() - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return cannot_open(path, errno);
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
    }
    text.resize(size);
    if (size > static_cast<std::size_t>(largest_bytes))
        return problem(Blame::learner, "too_large", "the file is larger than 1 MiB", path, "",
                       "give the source text only");
    return text;
}

// With its mark, or with a zero in every second byte.
bool is_utf16(std::string_view text) {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return true;
    const std::string_view start = text.substr(0, 200);
    const auto zeros = static_cast<std::size_t>(std::ranges::count(start, '\0'));
    return zeros * 5 > start.size() * 2 && zeros * 5 < start.size() * 3;
}

int line_at(std::string_view text, std::size_t position) {
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

int column_at(std::string_view text, std::size_t position) {
    const std::size_t before = position == 0 ? text.npos : text.rfind('\n', position - 1);
    return static_cast<int>(position - (before == text.npos ? 0 : before + 1)) + 1;
}

CompilerMessage warning(const std::string& path, std::string_view text, std::size_t position, std::string message) {
    return {Severity::warning, path, line_at(text, position), column_at(text, position), std::move(message)};
}

// The text that is compiled, shown and kept, all of which are the same: UTF-8, without the mark that editors put in
// front. A byte of another encoding would be one thing to a person and another to NVRTC, which takes 0xff for the end
// of the file.
SourceFile source_of(std::string bytes, const std::string& path) {
    SourceFile source;
    const bool is_text = bytes.find('\0') == std::string::npos;
    const std::size_t foreign = is_text ? find_invalid_utf8(bytes) : std::string::npos;
    if (foreign != std::string::npos) {
        const auto byte = static_cast<unsigned char>(bytes[foreign]);
        const std::string meant = escape(from_windows_1252(bytes.substr(foreign, 1)));
        source.notes.push_back(warning(path, bytes, foreign,
                                       fmt::format("byte 0x{:02x} is not UTF-8; the file was read as Windows-1252, in "
                                                   "which it is `{}`: save the file as UTF-8",
                                                   byte, meant)));
        bytes = from_windows_1252(bytes);
    }
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (bytes.starts_with(mark)) bytes.erase(0, mark.size());
    for (std::size_t at = 0; is_text && (at = bytes.find('\r', at)) != std::string::npos; ++at) {
        if (at + 1 == bytes.size() || bytes[at + 1] == '\n') continue;
        source.notes.push_back(warning(path, bytes, at,
                                       "a carriage return alone ends no line for the compiler, though editors may "
                                       "show one: save the file with line ends of Unix or Windows"));
        break;
    }
    source.text = std::move(bytes);
    return source;
}

Result<SourceFile> read_bytes(const std::string& path) {
    auto bytes = bytes_of(path);
    if (!bytes) return bytes.error();
    return source_of(std::move(*bytes), path);
}

// By path; looked at in confined processes, which have the map as it was when they were started.
std::map<std::string, Result<SourceFile>>& files_read_ahead() {
    static std::map<std::string, Result<SourceFile>> files;
    return files;
}

}  // namespace

Status read_ahead(const std::string& path) {
    const auto& known = files_read_ahead().insert_or_assign(path, read_bytes(path)).first->second;
    if (known || known.error().blame == Blame::learner) return Nothing{};
    return known.error();
}

const std::string* text_read_ahead(const std::string& path) {
    const auto known = files_read_ahead().find(path);
    return known == files_read_ahead().end() || !known->second ? nullptr : &known->second.value().text;
}

Result<std::string> read_submission(const std::string& path) {
    auto source = read_source_file(path);
    if (!source) return source.error();
    return std::move(source->text);
}

Result<SourceFile> read_source_file(const std::string& path) {
    auto read = [&]() -> Result<SourceFile> {
        if (opens_files()) return read_bytes(path);
        const auto known = files_read_ahead().find(path);
        return known == files_read_ahead().end() ? cannot_open(path, EACCES) : known->second;
    }();
    if (!read) return read;
    const std::string& text = read->text;
    if (text.find_first_not_of(" \t\r\n\f\v") == std::string::npos)
        return problem(Blame::learner, "empty_file", "the file is empty", path, "",
                       "save the file in the editor, then check again");
    if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
        return problem(Blame::learner, "binary_file", "the file is not a text file", path,
                       is_utf16(text)
                           ? "it is UTF-16 text"
                           : fmt::format("byte {}, in line {}, is NUL; compiled files and archives look like this",
                                         nul + 1, line_at(text, nul)),
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
    return read;
}

}  // namespace warpgrade
