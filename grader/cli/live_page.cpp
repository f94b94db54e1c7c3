#include "cli/live_page.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/json_text.hpp"
#include "classroom/reports.hpp"

namespace warpgrade::cli {
namespace {

// A file without a name, which a program that is started from here inherits.
class NamelessFile {
public:
    explicit NamelessFile(const std::string& text) : descriptor_(memfd_create("explain.json", 0)) {
        for (std::size_t done = 0; descriptor_ >= 0 && done < text.size();) {
            const ssize_t count = write(descriptor_, text.data() + done, text.size() - done);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                error_ = errno;
                return;
            }
            done += static_cast<std::size_t>(count);
        }
        if (descriptor_ < 0) error_ = errno;
    }
    NamelessFile(const NamelessFile&) = delete;
    NamelessFile& operator=(const NamelessFile&) = delete;
    ~NamelessFile() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    int error() const { return error_; }
    std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

private:
    int descriptor_ = -1, error_ = 0;
};

}  // namespace

Result<std::string> write_live_page(const Course& course, const nlohmann::ordered_json& report,
                                    const std::string& file) {
    auto maker = classroom::ReportMaker::open(course.root);
    if (!maker) return maker.error();
    const NamelessFile json(json_text(report, 0));
    if (json.error() != 0)
        return Diagnostic{.blame = Blame::host,
                          .code = "no_memory_file",
                          .title = "the page's data could not be written to memory",
                          .marks = {},
                          .facts = {std::strerror(json.error())},
                          .help = ""};
    return maker->run({"page", json.path(), "--out", std::filesystem::absolute(file).string()});
}

}  // namespace warpgrade::cli
