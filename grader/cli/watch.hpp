// Waits for files to change. Polling, so that network folders, containers and editors that write a new file and rename
// it over the old one all work alike.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpgrade::cli {

// What tells one version of a file from another. Compared, never interpreted.
struct FileStamp {
    bool exists = false;
    std::int64_t modified_ns = 0;
    std::int64_t bytes = 0;
    std::uint64_t inode = 0;
    bool operator==(const FileStamp&) const = default;
};
FileStamp stamp_of(const std::string& path);

class Watcher {
public:
    explicit Watcher(std::vector<std::string> paths);
    // Returns the indices of paths that changed since the last call (or since construction), once they have stood still
    // for a moment: a half-written file is not reported. A deleted file is reported once, after half a second.
    // `is_stopped` is asked between polls; when it says so, the result is empty.
    std::vector<std::size_t> wait(const std::function<bool()>& is_stopped = [] { return false; });

private:
    std::vector<std::string> paths_;
    std::vector<FileStamp> known_;
};

// What was typed meanwhile, each letter with Enter: the first letter of the last line, or '\0'. Never waits; where the
// standard input is no terminal, nothing is typed.
char typed_letter();

// Ctrl-C from here on ends the program with exit code 130 and the terminal as it was.
void stop_on_interrupt();

}  // namespace warpgrade::cli
