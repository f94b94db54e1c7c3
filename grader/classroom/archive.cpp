#include "classroom/archive.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "classroom/libarchive.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

constexpr std::array<std::string_view, 17> suffixes{".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tgz", ".tbz2",
                                                    ".txz",    ".tzst",    ".zip",    ".tar",     ".7z",  ".rar",
                                                    ".tbz",    ".gz",      ".bz2",    ".xz",      ".zst"};

std::string_view suffix_of(const std::string& name) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    for (const std::string_view suffix : suffixes)
        if (lower.size() > suffix.size() && lower.ends_with(suffix)) return suffix;
    return {};
}

constexpr unsigned regular_file = 0100000;

// archive_write_free closes what is still open.
class Writer {
public:
    explicit Writer(const LibArchive& library) : library_(library), archive_(library.write_new()) {}
    ~Writer() { library_.write_free(archive_); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    bool open(const std::string& path) {
        return library_.write_add_filter_gzip(archive_) == LibArchive::ok &&
               library_.write_set_format_ustar(archive_) == LibArchive::ok &&
               library_.write_set_options(archive_, "gzip:!timestamp,gzip:compression-level=9") == LibArchive::ok &&
               library_.write_open_filename(archive_, path.c_str()) == LibArchive::ok;
    }
    bool add(const ArchiveMember& member) {
        archive_entry* entry = library_.entry_new();
        library_.entry_set_pathname(entry, member.name.c_str());
        library_.entry_set_size(entry, static_cast<std::int64_t>(member.bytes.size()));
        library_.entry_set_filetype(entry, regular_file);
        library_.entry_set_perm(entry, member.is_executable ? 0755 : 0644);
        library_.entry_set_mtime(entry, 0, 0);
        const bool is_written = library_.write_header(archive_, entry) == LibArchive::ok &&
                                library_.write_data(archive_, member.bytes.data(), member.bytes.size()) ==
                                    static_cast<ssize_t>(member.bytes.size());
        library_.entry_free(entry);
        return is_written;
    }
    bool close() { return library_.write_close(archive_) == LibArchive::ok; }
    std::string why() const {
        const char* text = library_.error_string(archive_);
        return text != nullptr ? text : "libarchive gives no reason";
    }

private:
    const LibArchive& library_;
    archive* archive_;
};

}  // namespace

FileKind kind_of(const std::string& name) {
    if (is_archive_name(name)) return FileKind::archive;
    const auto slash = name.rfind('/');
    const std::string file = slash == std::string::npos ? name : name.substr(slash + 1);
    const auto dot = file.rfind('.');
    const std::string suffix = dot == std::string::npos || dot == 0 ? "" : squeezed(file.substr(dot + 1));
    if (suffix == "cu") return FileKind::source;
    // Also a name whose dot begins no suffix: "8. open".
    constexpr std::array<std::string_view, 26> texts{"",    "cuh",  "txt",  "text", "cpp", "cc",  "cxx",  "c",    "h",
                                                     "hpp", "hxx",  "html", "htm",  "md",  "bak", "old",  "orig", "tmp",
                                                     "rtf", "cuda", "cu1",  "cu2",  "doc", "cp",  "save", "yml"};
    const bool is_text = std::find(texts.begin(), texts.end(), suffix) != texts.end() || suffix.size() > 5 ||
                         file.substr(dot + 1).find(' ') != std::string::npos;
    return is_text ? FileKind::text : FileKind::other;
}

bool is_kept_beside(const std::string& name) {
    if (!name.starts_with('.')) return false;
    std::string program = name.substr(name.starts_with("._") ? 2 : 1);
    if (program.ends_with(".swp") || program.ends_with(".swo")) program.resize(program.size() - 4);
    return kind_of(program) == FileKind::source;
}

bool is_archive_name(const std::string& name) { return !suffix_of(name).empty(); }

bool is_packed_file_name(const std::string& name) {
    const std::string_view suffix = suffix_of(name);
    return suffix == ".gz" || suffix == ".bz2" || suffix == ".xz" || suffix == ".zst";
}

std::string without_archive_suffix(const std::string& name) {
    return name.substr(0, name.size() - suffix_of(name).size());
}

Status write_tar_gz(const std::string& path, std::vector<ArchiveMember> members) {
    const auto library = open_libarchive();
    if (!library) return library.error();
    std::sort(members.begin(), members.end(),
              [](const ArchiveMember& a, const ArchiveMember& b) { return a.name < b.name; });
    const std::string temporary = path + ".new";
    Writer writer(**library);
    bool is_written = writer.open(temporary);
    for (const ArchiveMember& member : members) is_written = is_written && writer.add(member);
    is_written = is_written && writer.close();
    std::error_code error;
    if (is_written) std::filesystem::rename(temporary, path, error);
    if (is_written && !error) return Nothing{};
    Diagnostic failure{.blame = Blame::host,
                       .code = "cannot_write",
                       .title = "cannot write `" + path + "`",
                       .marks = {},
                       .facts = {error ? error.message() : writer.why()},
                       .help = "check the folder's permissions and the free space of its disk"};
    std::filesystem::remove(temporary, error);
    return failure;
}

}  // namespace warpgrade::classroom
