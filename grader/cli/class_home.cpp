#include "cli/class_home.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "classroom/tree.hpp"
#include "cli/diagnose.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using classroom::graded_lock;
using classroom::graded_store;

Diagnostic cannot_write(const fs::path& folder, const std::string& why) {
    return diagnose(Blame::host, "cannot_write", fmt::format("cannot write into `{}`", folder.string()),
                    "name another folder with --out", {why});
}

Status expect_own(const fs::path& path) {
    struct stat found {};
    const bool is_own = lstat(path.c_str(), &found) == 0 && found.st_uid == geteuid();
    const bool is_link = S_ISLNK(found.st_mode);
    // A file in its place is nobody's trick: the first result that cannot be kept says it.
    if (is_own && !is_link && (found.st_mode & S_IWOTH) == 0) return Nothing{};
    return usage("foreign_folder", fmt::format("`{}` is not yours alone", path.string()),
                 "name a folder of your own with --out",
                 {is_link  ? "it is a symbolic link"
                  : is_own ? "every user of this machine may write into it"
                           : "it belongs to another user, who could decide marks in it"});
}

}  // namespace

ClassHome::~ClassHome() {
    if (lock_ >= 0) close(lock_);
}

Status ClassHome::take(const fs::path& folder) {
    const fs::path store = folder / graded_store;
    std::error_code error;
    // What is kept there decides marks: another user's would decide them too.
    for (const fs::path& path : {folder, store}) {
        fs::create_directories(path, error);
        if (error && !fs::exists(fs::symlink_status(path))) return cannot_write(folder, error.message());
        if (auto status = expect_own(path); !status) return status;
    }
    // Whatever the umask was when it was made.
    fs::permissions(store, fs::perms::owner_all, error);
    lock_ = open((folder / graded_lock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (lock_ < 0) return cannot_write(folder, std::strerror(errno));
    if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return Nothing{};
    return usage("folder_in_use", fmt::format("another `grade` is at work in `{}`", folder.string()),
                 "wait for it, or name another folder with --out");
}

}  // namespace warpgrade::cli
