#include "classroom/tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/files.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_archive_bytes = 1ull << 30;
constexpr std::uint64_t most_file_bytes = (1ull << 20) + 1;  // one more than the grader takes: it says so
constexpr std::size_t most_notes_of_file = 20;

std::string reason(int error) { return error == ELOOP ? "it is a symbolic link" : std::strerror(error); }

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};

// Made by `grade` itself: marks and copies of hand-ins, and nobody's.
bool is_graded_folder(const Descriptor& folder) {
    struct stat lock {
    }, store{};
    return fstatat(folder.get(), graded_lock, &lock, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(lock.st_mode) &&
           fstatat(folder.get(), graded_store, &store, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(store.st_mode);
}

void leave_out(Node& node, const std::string& name, const std::string& why) {
    if (node.notes.size() < most_notes_of_file) node.notes.push_back(fmt::format("`{}` was left out: {}", name, why));
    if (node.left_out.size() < 500) node.left_out.push_back(name);
}

Descriptor open_on_disk(const Node& node, int flags) {
    const Descriptor base = open_folder(node.base);
    if (!base) return Descriptor();
    return open_beneath(base, node.inside.empty() ? "." : node.inside, flags);
}

Node child_on_disk(const Node& parent, const std::string& name, Node::Kind kind) {
    Node child;
    child.kind = kind;
    child.name = utf8_name(name);
    child.bytes_name = name;
    child.base = parent.base;
    child.inside = parent.inside.empty() ? name : parent.inside + "/" + name;
    child.archive_depth = parent.archive_depth;
    return child;
}

void open_folder_node(Node& node, Budget& budget) {
    const Descriptor folder = open_on_disk(node, O_RDONLY | O_DIRECTORY);
    if (!folder) {
        node.problem = reason(errno);
        return;
    }
    if (is_graded_folder(folder)) {
        node.problem = "an earlier `grade` wrote it";
        return;
    }
    Descriptor copy(fcntl(folder.get(), F_DUPFD_CLOEXEC, 3));
    const std::unique_ptr<DIR, CloseFolder> open(copy ? fdopendir(copy.get()) : nullptr);
    if (open == nullptr) {
        node.problem = reason(errno);
        return;
    }
    copy.release();
    const int most = budget.entries;
    while (const dirent* entry = readdir(open.get())) {
        const std::string name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (budget.entries-- <= 0) {
            node.problem = fmt::format("it holds more than {} files", most);
            node.children.clear();
            return;
        }
        struct stat status {};
        if (fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;  // gone by now
        const std::string shown = utf8_name(name);
        if (is_litter(name) && !is_kept_beside(name)) continue;
        if (S_ISREG(status.st_mode) && status.st_nlink > 1 && node.notes.size() < most_notes_of_file)
            node.notes.push_back(
                fmt::format("`{}` is a hard link: the same file has {} names on this machine", shown, status.st_nlink));
        if (S_ISDIR(status.st_mode))
            node.children.push_back(child_on_disk(node, name, Node::Kind::folder));
        else if (S_ISREG(status.st_mode))
            node.children.push_back(
                child_on_disk(node, name, is_archive_name(shown) ? Node::Kind::archive : Node::Kind::file));
        else if (S_ISLNK(status.st_mode))
            leave_out(node, shown, "it is a symbolic link");
        else
            leave_out(node, shown, "it is not a file");
    }
}

// A copy that its student cannot change while it is unpacked, in a folder that nobody else can look into.
class PrivateCopy {
public:
    ~PrivateCopy() {
        std::error_code error;
        if (!folder_.empty()) fs::remove_all(folder_, error);
    }
    // Empty where all went well, else why not.
    std::string take(const Node& node, const fs::path& scratch) {
        std::string pattern = (scratch / "archive-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) return reason(errno);
        folder_ = pattern;
        path_ = folder_ / ("archive" + node.name.substr(without_archive_suffix(node.name).size()));
        const Descriptor to(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!to) return reason(errno);
        if (!node.is_on_disk) return write_all_of(to, node.bytes);
        const Descriptor from = open_on_disk(node, O_RDONLY);
        struct stat status {};
        if (!from || fstat(from.get(), &status) != 0) return reason(errno);
        if (!S_ISREG(status.st_mode)) return "it is not a file";
        std::string part(1 << 16, '\0');
        std::uint64_t bytes = 0;
        for (;;) {
            const ssize_t count = ::read(from.get(), part.data(), part.size());
            if (count < 0 && errno == EINTR) continue;
            if (count == 0) return "";
            if (count < 0) return reason(errno);
            bytes += static_cast<std::uint64_t>(count);
            if (bytes > most_archive_bytes) return fmt::format("it is larger than {} MiB", most_archive_bytes >> 20);
            if (auto why = write_all_of(to, std::string_view(part).substr(0, static_cast<std::size_t>(count)));
                !why.empty())
                return why;
        }
    }
    std::string path() const { return path_.string(); }

private:
    static std::string write_all_of(const Descriptor& to, std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t some = write(to.get(), bytes.data(), bytes.size());
            if (some < 0 && errno != EINTR) return reason(errno);
            if (some > 0) bytes.remove_prefix(static_cast<std::size_t>(some));
        }
        return "";
    }

    fs::path folder_, path_;
};

// Where a file out of an archive belongs below it; folders are made on the way.
Node& place_for(Node& archive, const std::string& path) {
    Node* at = &archive;
    std::size_t begin = 0;
    int levels = 0;
    for (std::size_t slash = path.find_first_of("/\\"); slash != std::string::npos;
         begin = slash + 1, slash = path.find_first_of("/\\", begin)) {
        const std::string part = path.substr(begin, slash - begin);
        if (part.empty() || part == "." || ++levels > 32) continue;
        const auto known = std::find_if(at->children.begin(), at->children.end(), [&](const Node& child) {
            return child.kind == Node::Kind::folder && child.name == part;
        });
        if (known != at->children.end()) {
            at = &*known;
            continue;
        }
        Node folder;
        folder.name = folder.bytes_name = part;
        folder.is_on_disk = false;
        folder.is_open = true;
        folder.archive_depth = archive.archive_depth + 1;
        at->children.push_back(std::move(folder));
        at = &at->children.back();
    }
    Node file;
    file.name = file.bytes_name = path.substr(begin);
    file.is_on_disk = false;
    file.archive_depth = archive.archive_depth + 1;
    at->children.push_back(std::move(file));
    return at->children.back();
}

void sort_all(Node& node) {
    std::sort(node.notes.begin(), node.notes.end());
    std::sort(node.children.begin(), node.children.end(),
              [](const Node& a, const Node& b) { return a.bytes_name < b.bytes_name; });
    if (!node.is_on_disk || node.kind == Node::Kind::archive)
        for (Node& child : node.children)
            if (child.kind == Node::Kind::folder) sort_all(child);
}

Status open_archive(Node& node, const fs::path& scratch, Budget& budget) {
    if (node.archive_depth >= budget.depth) {
        node.problem = fmt::format("it is {} archives deep", node.archive_depth);
        return Nothing{};
    }
    if (budget.archives-- <= 0) {
        node.problem = "the hand-in holds too many archives";
        return Nothing{};
    }
    PrivateCopy copy;
    node.problem = copy.take(node, scratch);
    if (!node.problem.empty()) return Nothing{};
    UnpackLimits limits;
    limits.unpacked_bytes = budget.source_bytes;
    limits.entries = std::min(limits.entries, std::max(budget.entries, 1));
    limits.sources = budget.sources;
    limits.inner_bytes = budget.inner_bytes;
    limits.other_bytes = budget.other_bytes;
    limits.memory_bytes = std::max<std::uint64_t>(limits.memory_bytes, 3 * limits.inner_bytes + (512ull << 20));
    auto unpacked = unpack_sources(copy.path(), limits);
    if (!unpacked && unpacked.error().blame == Blame::host) return unpacked.error();
    if (!unpacked) {
        const Diagnostic& why = unpacked.error();
        node.problem =
            why.blame == Blame::learner || why.facts.empty() ? why.title : why.title + ": " + why.facts.front();
        return Nothing{};
    }
    node.notes = std::move(unpacked->notes);
    node.left_out = std::move(unpacked->left_out);
    for (UnpackedFile& file : unpacked->files) {
        // The copy's name is not the archive's.
        const bool is_packed_file = is_packed_file_name(node.name) && file.path == "archive";
        Node& place = place_for(node, is_packed_file ? without_archive_suffix(node.name) : file.path);
        const FileKind kind = kind_of(place.name);
        place.kind = kind == FileKind::archive ? Node::Kind::archive : Node::Kind::file;
        place.is_read = file.is_read;
        --budget.entries;
        if (kind == FileKind::source && budget.sources > 0) --budget.sources;
        std::uint64_t& left = kind == FileKind::archive  ? budget.inner_bytes
                              : kind == FileKind::source ? budget.source_bytes
                                                         : budget.other_bytes;
        left -= std::min<std::uint64_t>(left, file.bytes.size());
        place.bytes = std::move(file.bytes);
    }
    node.bytes.clear();
    return Nothing{};
}

}  // namespace

Budget Budget::of_class() {
    Budget budget;
    budget.archives = 4;
    budget.sources = 20'000;
    budget.source_bytes = 256ull << 20;
    budget.other_bytes = 64ull << 20;
    budget.inner_bytes = 512ull << 20;
    return budget;
}

Node node_at(const fs::path& path) {
    std::error_code error;
    Node node;
    const bool is_folder = fs::is_directory(path, error);
    node.bytes_name = path.filename().string();
    node.name = utf8_name(node.bytes_name);
    node.base = is_folder ? path : path.parent_path();
    node.inside = is_folder ? "" : node.bytes_name;
    node.kind = is_folder ? Node::Kind::folder : is_archive_name(node.name) ? Node::Kind::archive : Node::Kind::file;
    return node;
}

bool is_hidden(const std::string& name) { return name.starts_with('.'); }

bool is_litter(const std::string& name) {
    return name == "__MACOSX" || name == ".git" || name == ".svn" || name == ".ipynb_checkpoints" ||
           name == ".Trashes" || name == "desktop.ini" || name == "Thumbs.db" || name.starts_with("._") ||
           name.starts_with("~$");
}

Status open_node(Node& node, const fs::path& scratch, Budget& budget) {
    if (node.is_open || node.kind == Node::Kind::file) return Nothing{};
    node.is_open = true;
    if (node.kind == Node::Kind::folder)
        open_folder_node(node, budget);
    else if (auto status = open_archive(node, scratch, budget); !status)
        return status;
    sort_all(node);
    return Nothing{};
}

Result<std::string> read_node(const Node& node) {
    if (!node.is_on_disk) return node.bytes;
    const Descriptor file = open_on_disk(node, O_RDONLY);
    if (!file)
        return Diagnostic{.blame = Blame::host,
                          .code = "cannot_read",
                          .title = "`" + node.name + "` cannot be read",
                          .marks = {},
                          .facts = {reason(errno)},
                          .help = ""};
    return read_descriptor(file, node.name, most_file_bytes);
}

}  // namespace warpgrade::classroom
