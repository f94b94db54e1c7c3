#include "cli/check_page.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/files.hpp"
#include "cli/diagnose.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

// A folder that is gone with this.
class ScratchFolder {
public:
    ScratchFolder() {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "warpgrade-page-XXXXXX").string();
        if (const char* made = ::mkdtemp(name.data()); made != nullptr) path_ = made;
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code error;
        if (!path_.empty()) fs::remove_all(path_, error);
    }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

}  // namespace

Result<CheckPage> CheckPage::open(std::string file, std::string report, bool is_served) {
    CheckPage page;
    page.file_ = std::move(file);
    page.report_ = std::move(report);
    if (!is_served) return page;
    auto server = PageServer::start();
    if (!server) return server.error();
    page.server_ = std::make_unique<PageServer>(std::move(*server));
    return page;
}

Result<std::string> CheckPage::make(const Course& course, const Machine& machine, const SharedOptions& options,
                                    const Target& target) {
    if (!server_) return explain_to_page(course, machine, options, target, file_of(target));
    const ScratchFolder folder;
    if (folder.path().empty())
        return diagnose(Blame::host, "no_scratch", std::string("no folder for the page: ") + std::strerror(errno),
                        "set TMPDIR to a folder that can be written to");
    const std::string file = (folder.path() / "page.html").string();
    auto made = explain_to_page(course, machine, options, target, file, PageUse::served);
    if (!made) {
        server_->say(made.error().title + ": this page is of an earlier version");
        if (made.error().blame != Blame::learner) return made.error();
        return std::string();
    }
    auto text = read_whole_file(file);
    if (!text) return text.error();
    server_->show(std::move(*text));
    return std::string();
}

std::string CheckPage::file_of(const Target& target) const {
    if (!file_.empty()) return file_;
    std::error_code error;
    if (!report_.empty()) fs::create_directories(report_, error);  // what is wrong with it, who writes there says
    return (fs::path(report_) / (target.stage->assignment + "_" + target.stage->id + ".html")).string();
}

std::string CheckPage::where() const {
    if (!server_) return "";
    const std::string forwarding = forwarding_line(::getenv("SSH_CONNECTION"), server_->port());
    return server_->address() + (forwarding.empty() ? "" : "\n" + forwarding);
}

}  // namespace warpgrade::cli
