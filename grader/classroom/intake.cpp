#include "classroom/intake.hpp"

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

#include "base/beneath.hpp"
#include "base/characters.hpp"
#include "base/files.hpp"
#include "base/near_names.hpp"
#include "classroom/archive.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;

constexpr int most_entries = 50'000;
constexpr int most_depth = 16;
constexpr std::uint64_t most_bytes = 64ull << 20;           // of a folder's .cu files
constexpr std::uint64_t most_archive_bytes = 256ull << 20;  // of an archive itself
constexpr std::size_t most_sources = 500;
constexpr std::uint64_t most_source_bytes = (1ull << 20) + 1;  // one more than the grader takes: it says so

bool is_source_name(const std::string& name) {
    return name.size() > 3 && squeezed(fs::path(name).extension().string()) == "cu";
}

Diagnostic usage_error(std::string code, std::string title, std::vector<std::string> facts, std::string help) {
    return {.blame = Blame::usage,
            .code = std::move(code),
            .title = std::move(title),
            .marks = {},
            .facts = std::move(facts),
            .help = std::move(help)};
}

Diagnostic no_such_path(const std::string& path) {
    std::vector<std::string> known;
    std::error_code error;
    const fs::path folder = fs::path(path).parent_path();
    for (const auto& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, error))
        known.push_back((folder / entry.path().filename()).string());
    const auto near = nearest_name(path, known);
    return usage_error("no_such_path", fmt::format("there is no file or folder `{}`", path), {},
                       near ? fmt::format("`{}` exists", *near) : "check the folder and the spelling");
}

bool is_hidden(const std::string& name) { return name.starts_with('.'); }

std::string reason(int error) { return error == ELOOP ? "it is a symbolic link" : std::strerror(error); }

// Made by `grade` itself: marks and copies of hand-ins, and nobody's.
bool is_graded_folder(const Descriptor& folder) {
    struct stat lock {
    }, store{};
    return fstatat(folder.get(), graded_lock, &lock, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(lock.st_mode) &&
           fstatat(folder.get(), graded_store, &store, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(store.st_mode);
}

// What systems and tools leave in folders.
bool is_litter(const std::string& name) {
    return name == "__MACOSX" || name == ".git" || name == ".svn" || name == ".ipynb_checkpoints" ||
           name == ".Trashes" || name.starts_with("._");
}

std::vector<fs::directory_entry> entries_of(const fs::path& folder) {
    std::vector<fs::directory_entry> entries;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (!is_litter(at->path().filename().string())) entries.push_back(*at);
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.path().filename() < b.path().filename(); });
    return entries;
}

// One student's: a stage's file, an assignment's folder or `assignments` directly inside.
bool is_one_hand_in(const fs::path& folder, const std::vector<Assignment>& course) {
    for (const fs::directory_entry& entry : entries_of(folder)) {
        const std::string name = entry.path().filename().string();
        if (is_hidden(name)) continue;
        std::error_code error;
        const bool is_folder = entry.is_directory(error);
        if (is_folder && name == "assignments") return true;
        for (const Assignment& assignment : course) {
            if (is_folder && name == assignment.name) return true;
            for (const Stage& stage : assignment.stages)
                if (!is_folder && squeezed(name) == squeezed(stage.file)) return true;
        }
    }
    return false;
}

HandIn hand_in_of(HandIn::Kind kind, const fs::path& path) {
    HandIn hand_in;
    hand_in.kind = kind;
    hand_in.path = path;
    const std::string bytes = path.filename().string(), name = utf8_name(bytes);
    hand_in.shown = name;
    const auto parse = [&](const std::string& text) {
        return parse_lms_name(kind == HandIn::Kind::archive ? without_archive_suffix(text) : text);
    };
    LmsName parsed = parse(name);
    // In another encoding it may read as somebody else's name.
    if (name != bytes) parsed.person.id = escape(parse(bytes).person.id);
    hand_in.people = {std::move(parsed.person)};
    hand_in.is_late = parsed.is_late;
    hand_in.order = parsed.order;
    if (kind == HandIn::Kind::file) hand_in.file_name = parsed.rest.empty() ? name : parsed.rest;
    return hand_in;
}

// The entries of a class's folder.
class ClassFolder {
public:
    explicit ClassFolder(Discovery& discovery) : discovery_(discovery) {}

    void add(const fs::path& folder) {
        std::error_code error;
        const auto metadata = read_whole_file(folder / "submission_metadata.yml", 256ull << 20);
        const auto groups =
            metadata ? parse_gradescope_metadata(utf8_name(*metadata)) : std::vector<GradescopeFolder>{};
        for (const fs::directory_entry& entry : entries_of(folder)) {
            const std::string name = utf8_name(entry.path().filename().string());
            if (name.starts_with('.')) {
                // Not in silence: it may be somebody.
                const bool is_hand_in = entry.is_directory(error) || is_archive_name(name) || is_source_name(name);
                if (is_hand_in && !is_litter(name))
                    discovery_.notes.push_back(fmt::format("`{}` was left out: its name begins with a dot", name));
                continue;
            }
            if (entry.is_symlink(error)) {
                discovery_.notes.push_back(fmt::format("`{}` was left out: it is a symbolic link", name));
                continue;
            }
            std::optional<HandIn> hand_in;
            const bool is_file = entry.is_regular_file(error);
            if (entry.is_directory(error)) {
                if (is_graded_folder(open_folder(entry.path()))) {
                    discovery_.notes.push_back(fmt::format("`{}` was left out: an earlier `grade` wrote it", name));
                    continue;
                }
                hand_in = hand_in_of(HandIn::Kind::folder, entry.path());
            } else if (is_file && is_archive_name(name)) {
                hand_in = hand_in_of(HandIn::Kind::archive, entry.path());
            } else if (is_file && is_source_name(name)) {
                hand_in = hand_in_of(HandIn::Kind::file, entry.path());
            } else if (!is_file && (is_archive_name(name) || is_source_name(name))) {
                discovery_.notes.push_back(fmt::format("`{}` was left out: it is not a file", name));
            }
            if (!hand_in) continue;
            for (const GradescopeFolder& group : groups)
                if (group.folder == name && !group.people.empty()) hand_in->people = group.people;
            discovery_.hand_ins.push_back(std::move(*hand_in));
        }
    }

private:
    Discovery& discovery_;
};

}  // namespace

Result<Discovery> discover(const std::vector<std::string>& paths, const std::vector<Assignment>& course) {
    Discovery discovery;
    for (const std::string& path : paths) {
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (!fs::exists(status)) return no_such_path(path);
        fs::path clean = fs::path(path).lexically_normal();
        if (!clean.has_filename()) clean = clean.parent_path();  // a trailing slash
        if (clean == ".") clean = fs::current_path(error);
        const bool is_link = fs::is_symlink(fs::symlink_status(clean, error));
        if (is_link && (!fs::is_directory(status) || is_one_hand_in(clean, course))) {
            // As of `grade hand-ins/*`: it may lead to somebody else's work.
            discovery.notes.push_back(fmt::format("`{}` was left out: it is a symbolic link", utf8_name(path)));
        } else if (fs::is_directory(status)) {
            if (is_one_hand_in(clean, course))
                discovery.hand_ins.push_back(hand_in_of(HandIn::Kind::folder, clean));
            else
                ClassFolder(discovery).add(clean);
        } else if (fs::is_regular_file(status) && is_archive_name(path)) {
            discovery.hand_ins.push_back(hand_in_of(HandIn::Kind::archive, clean));
        } else if (fs::is_regular_file(status) && is_source_name(path)) {
            discovery.hand_ins.push_back(hand_in_of(HandIn::Kind::file, clean));
        } else {
            return usage_error("no_hand_in", fmt::format("`{}` is nothing that could be handed in", path),
                               {"a hand-in is a folder, an archive (zip, tar, 7z, rar) or a .cu file"},
                               "name the folder that the hand-ins are in");
        }
    }
    if (discovery.hand_ins.empty())
        return usage_error("no_hand_in", fmt::format("there are no hand-ins in `{}`", paths.front()),
                           {"a hand-in is a folder, an archive (zip, tar, 7z, rar) or a .cu file"},
                           "name the folder that the hand-ins are in");
    return discovery;
}

namespace {

// What is left out of one hand-in, said a bounded number of times.
class Notes {
public:
    explicit Notes(std::vector<std::string>& notes) : notes_(notes) {}
    ~Notes() {
        if (unsaid_ > 0) notes_.push_back(fmt::format("{} more were left out", unsaid_));
    }
    void leave_out(const std::string& name, const std::string& reason) {
        if (notes_.size() < most_notes)
            notes_.push_back(fmt::format("`{}` was left out: {}", name, reason));
        else
            ++unsaid_;
    }

private:
    static constexpr std::size_t most_notes = 20;
    std::vector<std::string>& notes_;
    std::size_t unsaid_ = 0;
};

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};

// Reads what is in a folder that its student may still write to: every file is opened below the folder above it, and
// looked at once it is open.
class FolderReader {
public:
    explicit FolderReader(Contents& contents) : contents_(contents), notes_(contents.notes) {}

    void read(const Descriptor& folder, const std::string& inside, int depth) {
        for (const std::string& name : names_in(folder, inside)) {
            if (!contents_.problem.empty()) return;
            const std::string path = inside.empty() ? name : inside + "/" + name, shown = utf8_name(path);
            struct stat status {};
            if (fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;  // gone by now
            if (S_ISDIR(status.st_mode))
                read_folder(folder, name, path, depth);
            else if (!is_hidden(name) && is_source_name(name))
                read_source(folder, name, shown, status.st_mode);
        }
    }

private:
    std::vector<std::string> names_in(const Descriptor& folder, const std::string& inside) {
        std::vector<std::string> names;
        Descriptor copy(fcntl(folder.get(), F_DUPFD_CLOEXEC, 3));
        const std::unique_ptr<DIR, CloseFolder> open(copy ? fdopendir(copy.get()) : nullptr);
        if (open == nullptr) {
            notes_.leave_out(utf8_name(inside), std::strerror(errno));
            return names;
        }
        copy.release();
        while (const dirent* entry = readdir(open.get())) {
            const std::string name = entry->d_name;
            if (name == "." || name == "..") continue;
            if (++entries_ > most_entries) {
                contents_.problem = fmt::format("it holds more than {} files", most_entries);
                return {};
            }
            names.push_back(name);
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    void read_folder(const Descriptor& above, const std::string& name, const std::string& path, int depth) {
        if (is_hidden(name) || is_litter(name)) return;
        if (depth == most_depth) return notes_.leave_out(utf8_name(path), "it is too deep");
        const Descriptor folder = open_beneath(above, name, O_RDONLY | O_DIRECTORY);
        if (!folder) return notes_.leave_out(utf8_name(path), reason(errno));
        if (is_graded_folder(folder)) return notes_.leave_out(utf8_name(path), "an earlier `grade` wrote it");
        read(folder, path, depth + 1);
    }
    void read_source(const Descriptor& folder, const std::string& name, const std::string& shown, mode_t mode) {
        if (S_ISLNK(mode)) return notes_.leave_out(shown, "it is a symbolic link");
        if (!S_ISREG(mode)) return notes_.leave_out(shown, "it is not a file");
        const Descriptor file = open_beneath(folder, name, O_RDONLY);
        if (!file) return notes_.leave_out(shown, reason(errno));
        auto text = read_descriptor(file, shown, most_source_bytes);
        if (!text) return notes_.leave_out(shown, text.error().facts.front());
        bytes_ += text->size();
        if (contents_.sources.size() == most_sources)
            contents_.problem = fmt::format("it holds more than {} .cu files", most_sources);
        else if (bytes_ > most_bytes)
            contents_.problem = fmt::format("its files are larger than {} MiB", most_bytes >> 20);
        else
            contents_.sources.push_back({shown, std::move(*text), 0});
    }

    Contents& contents_;
    Notes notes_;
    int entries_ = 0;
    std::uint64_t bytes_ = 0;
};

// A copy that its student cannot change while it is unpacked, in a folder that nobody else can look into.
class PrivateCopy {
public:
    ~PrivateCopy() {
        std::error_code error;
        if (!folder_.empty()) fs::remove_all(folder_, error);
    }
    // Empty where all went well, else why not.
    std::string take(const Descriptor& from, const std::string& name, const fs::path& scratch) {
        std::string pattern = (scratch / "archive-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) return reason(errno);
        folder_ = pattern;
        path_ = folder_ / ("archive" + name.substr(without_archive_suffix(name).size()));
        const Descriptor to(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        struct stat status {};
        if (!to || fstat(from.get(), &status) != 0) return reason(errno);
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
            for (ssize_t written = 0; written < count;) {
                const ssize_t some = write(to.get(), part.data() + written, static_cast<std::size_t>(count - written));
                if (some < 0 && errno != EINTR) return reason(errno);
                if (some > 0) written += some;
            }
        }
    }
    std::string path() const { return path_.string(); }

private:
    fs::path folder_, path_;
};

Result<Contents> read_archive(const Descriptor& file, const HandIn& hand_in, const fs::path& scratch) {
    Contents contents;
    PrivateCopy copy;
    contents.problem = copy.take(file, hand_in.path.filename().string(), scratch);
    if (!contents.problem.empty()) return contents;
    auto unpacked = unpack_sources(copy.path());
    if (!unpacked && unpacked.error().blame == Blame::host) return unpacked.error();
    if (!unpacked) {
        const Diagnostic& why = unpacked.error();
        contents.problem =
            why.blame == Blame::learner || why.facts.empty() ? why.title : why.title + ": " + why.facts.front();
        return contents;
    }
    contents.notes = std::move(unpacked->notes);
    for (auto& [path, text] : unpacked->sources) contents.sources.push_back({path, std::move(text), 0});
    return contents;
}

Result<Contents> read_opened(const HandIn& hand_in, const fs::path& scratch) {
    // The folder that it is in is the user's, what is called so in it may be a link by now.
    const Descriptor above = open_folder(hand_in.path.parent_path());
    const bool is_folder = hand_in.kind == HandIn::Kind::folder;
    const Descriptor opened =
        above ? open_beneath(above, hand_in.path.has_filename() ? hand_in.path.filename().string() : ".",
                             is_folder ? O_RDONLY | O_DIRECTORY : O_RDONLY)
              : Descriptor();
    Contents contents;
    if (!opened) {
        contents.problem = reason(errno);
        return contents;
    }
    if (hand_in.kind == HandIn::Kind::archive) return read_archive(opened, hand_in, scratch);
    if (is_folder) {
        FolderReader(contents).read(opened, "", 0);
        if (!contents.problem.empty()) contents.sources.clear();
        return contents;
    }
    auto text = read_descriptor(opened, hand_in.shown, most_source_bytes);
    if (text)
        contents.sources.push_back({hand_in.file_name, std::move(*text), 0});
    else
        contents.problem = text.error().facts.front();
    return contents;
}

}  // namespace

Result<Contents> read_hand_in(const HandIn& hand_in, const fs::path& scratch) {
    auto contents = read_opened(hand_in, scratch);
    if (contents)
        for (Source& source : contents->sources) source.order = hand_in.order;
    return contents;
}

}  // namespace warpgrade::classroom
