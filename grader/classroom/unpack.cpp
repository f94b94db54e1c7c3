// Both sides of the unpack worker: the parent that asks, the child that reads the archive.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/walls.hpp"
#include "base/wire.hpp"
#include "base/worker.hpp"
#include "classroom/archive.hpp"
#include "classroom/libarchive.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

constexpr const char* worker_verb = "unpack-worker";

std::string text_of(std::uint64_t value) { return std::to_string(value); }
std::uint64_t count_of(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); }

// A drive of Windows or a root in front is no place here: the path goes on below the archive.
std::string without_root(std::string name) {
    if (name.size() > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\')) name.erase(0, 2);
    name.erase(0, std::min(name.find_first_not_of("/\\"), name.size()));
    return name;
}

bool leads_out(const std::string& name) {
    const std::filesystem::path path(name);
    if (path.is_absolute() || name.find('\0') != std::string::npos) return true;
    for (const auto& part : path)
        if (part == "..") return true;
    return name.find("..\\") != std::string::npos;
}

// "4_padding.cu" in "4_padding.cu.gz": such an archive holds one file, and says no name that could be relied on.
std::string name_of_only_file(const std::string& archive) {
    const std::string stem = without_archive_suffix(std::filesystem::path(archive).filename().string());
    return stem;
}

// What macOS and version control leave in archives.
bool is_litter(const std::string& name) {
    const std::filesystem::path path(name);
    for (const auto& part : path)
        if (part == "__MACOSX" || (part.string().size() > 1 && part.string()[0] == '.' && part != "..")) return true;
    return false;
}

// The child's side.
class ArchiveReader {
public:
    ArchiveReader(const LibArchive& library, const UnpackLimits& limits)
        : library_(library), limits_(limits), archive_(library.read_new()) {
        for (const auto support : library.support) support(archive_);
    }
    ~ArchiveReader() { library_.read_free(archive_); }
    ArchiveReader(const ArchiveReader&) = delete;
    ArchiveReader& operator=(const ArchiveReader&) = delete;

    // Empty where all went well, else why the archive cannot be read.
    std::string read_all(const std::string& path) {
        // Not for all: any file at all is a raw one.
        if (is_packed_file_name(path)) library_.support_raw(archive_);
        if (library_.read_open_filename(archive_, path.c_str(), 1 << 16) != LibArchive::ok) return why();
        only_file_ = name_of_only_file(path);
        for (int entries = 0;; ++entries) {
            archive_entry* entry = nullptr;
            const int status = library_.read_next_header(archive_, &entry);
            if (status == LibArchive::end_of_file) return entries == 0 ? "it holds nothing" : "";
            if (status < LibArchive::warn) return why();
            if (entries == limits_.entries) return fmt::format("it holds more than {} files", limits_.entries);
            if (std::string problem = read_entry(entry); !problem.empty()) return problem;
        }
    }
    Unpacked take() { return {std::move(files_), std::move(notes_), std::move(left_out_)}; }

private:
    std::string why() const {
        const char* text = library_.error_string(archive_);
        return text != nullptr ? text : "it is no archive of a known kind";
    }
    std::string name_of(archive_entry* entry) const {
        if (library_.is_raw(archive_)) return only_file_;
        if (const char* name = library_.entry_pathname_utf8(entry)) return name;
        const char* name = library_.entry_pathname(entry);
        if (name == nullptr) return "";
        return utf8_name(name);
    }
    void leave_out(const std::string& name, const char* reason) {
        if (notes_.size() < 20) notes_.push_back(fmt::format("`{}` was left out: {}", name, reason));
        if (left_out_.size() < 500) left_out_.push_back(name);
    }

    std::string read_entry(archive_entry* entry) {
        const std::string name = without_root(name_of(entry));
        const unsigned type = library_.entry_filetype(entry) & 0170000u;
        if (name.empty()) leave_out("?", "its name cannot be read");
        if (name.empty()) return "";
        if (is_litter(name)) {
            const std::filesystem::path path(name);
            if (is_kept_beside(path.filename().string()) && !is_litter(path.parent_path().string())) list_only(name);
            return "";
        }
        if (type == 0040000) return "";
        const FileKind kind = kind_of(name);
        if (type != regular_file_) {
            leave_out(name, type == 0120000 ? "it is a symbolic link" : "it is not a file");
            return "";
        }
        if (kind == FileKind::other) {
            list_only(name);
            return "";
        }
        if (library_.entry_hardlink(entry) != nullptr) {
            leave_out(name, "it is a hard link");
            return "";
        }
        if (leads_out(name)) {
            leave_out(name, "its path leads out of the archive");
            return "";
        }
        if (library_.entry_is_encrypted(entry) != 0) return "it is protected by a password";
        if (kind == FileKind::archive) return read_inner(name);
        if (kind == FileKind::text) return read_other(name);
        if (sources_++ == limits_.sources) return fmt::format("it holds more than {} .cu files", limits_.sources);
        return read_source(name);
    }
    // What is of no use is named at most so often.
    void list_only(const std::string& name) {
        if (files_.size() < 2000) files_.push_back({name, "", false});
    }
    // Up to so many bytes of the entry. False: `problem` says why it cannot be read.
    bool read_bytes(std::uint64_t most, std::string& bytes, std::string& problem) {
        std::string part(1 << 16, '\0');
        while (bytes.size() < most) {
            const ssize_t count = library_.read_data(archive_, part.data(), part.size());
            if (count < 0) problem = why();
            if (count <= 0) break;
            bytes.append(part.data(), static_cast<std::size_t>(count));
        }
        bytes.resize(std::min<std::uint64_t>(bytes.size(), most));
        return problem.empty();
    }
    std::string read_source(const std::string& name) {
        std::string text, problem;
        if (!read_bytes(limits_.source_bytes, text, problem)) return problem;
        unpacked_ += text.size();
        if (unpacked_ > limits_.unpacked_bytes)
            return fmt::format("its files are larger than {} MiB", limits_.unpacked_bytes >> 20);
        files_.push_back({name, std::move(text), true});
        return "";
    }
    std::string read_other(const std::string& name) {
        std::string text, problem;
        if (others_ >= limits_.other_bytes) {
            list_only(name);
            return "";
        }
        if (!read_bytes(limits_.source_bytes, text, problem)) return problem;
        others_ += text.size();
        files_.push_back({name, std::move(text), true});
        return "";
    }
    std::string read_inner(const std::string& name) {
        std::string bytes, problem;
        const std::uint64_t left = limits_.inner_bytes - inner_;
        if (!read_bytes(left + 1, bytes, problem)) return problem;
        if (bytes.size() > left) {
            leave_out(name, "the archives inside are too large");
            inner_ = limits_.inner_bytes;
            return "";
        }
        inner_ += bytes.size();
        files_.push_back({name, std::move(bytes), true});
        return "";
    }

    static constexpr unsigned regular_file_ = 0100000;
    const LibArchive& library_;
    const UnpackLimits& limits_;
    archive* archive_;
    std::uint64_t unpacked_ = 0, others_ = 0, inner_ = 0;
    int sources_ = 0;
    std::string only_file_;
    std::vector<UnpackedFile> files_;
    std::vector<std::string> notes_, left_out_;
};

Diagnostic unreadable(std::string why) {
    while (!why.empty() && (why.back() == '.' || why.back() == '\n')) why.pop_back();
    return {.blame = Blame::learner,
            .code = "unreadable_archive",
            .title = std::move(why),
            .marks = {},
            .facts = {},
            .help = "ask for the files again, as a zip"};
}

Diagnostic kit_defect(const std::string& what) {
    return {.blame = Blame::kit,
            .code = "unpack_worker",
            .title = "the unpack worker did not do its job",
            .marks = {},
            .facts = {what},
            .help = "this is a defect of the kit; please report it"};
}

}  // namespace

Result<Unpacked> read_archive(const std::string& path, const UnpackLimits& limits) {
    const auto library = open_libarchive();
    if (!library) return library.error();
    ArchiveReader reader(**library, limits);
    if (std::string why = reader.read_all(path); !why.empty()) return unreadable(std::move(why));
    return reader.take();
}

// Job: path, the limits. Reply: "ready", then "host", code..., or "unreadable", why, or "ok", count of notes, count of
// what was left out, both, then path, whether it was read, and the bytes of each file.
int unpack_worker_main() {
    const auto job = wire::unpack(read_message(STDIN_FILENO));
    if (!job || job->size() != 9) return 0;
    UnpackLimits limits;
    limits.cpu_seconds = static_cast<int>(count_of((*job)[1]));
    limits.memory_bytes = count_of((*job)[2]);
    limits.unpacked_bytes = count_of((*job)[3]);
    limits.entries = static_cast<int>(count_of((*job)[4]));
    limits.sources = static_cast<int>(count_of((*job)[5]));
    limits.source_bytes = count_of((*job)[6]);
    limits.inner_bytes = count_of((*job)[7]);
    limits.other_bytes = count_of((*job)[8]);
    close_descriptors_from(STDERR_FILENO + 1);
    limit_process(
        {.cpu_seconds = static_cast<std::uint64_t>(limits.cpu_seconds), .address_space_bytes = limits.memory_bytes});
    const auto library = open_libarchive();
    if (!library) {
        write_all(STDOUT_FILENO, wire::pack({"host", library.error().facts.front()}));
        return 0;
    }
    setlocale(LC_CTYPE, "C.UTF-8");  // or names beyond ASCII cannot be had at all
    put_up({.calls = SystemCalls::reading,
            .readable = {(*job)[0], "/lib", "/lib64", "/usr/lib", "/usr/lib64"},  // of iconv, for names
            .threads = 16});
    write_all(STDOUT_FILENO, wire::pack({"ready"}));
    wire::Fields reply;
    if (const auto unpacked = read_archive((*job)[0], limits); !unpacked) {
        reply = {"unreadable", unpacked.error().title};
    } else {
        reply = {"ok", text_of(unpacked->notes.size()), text_of(unpacked->left_out.size())};
        reply.insert(reply.end(), unpacked->notes.begin(), unpacked->notes.end());
        reply.insert(reply.end(), unpacked->left_out.begin(), unpacked->left_out.end());
        for (const UnpackedFile& file : unpacked->files) {
            reply.push_back(file.path);
            reply.push_back(file.is_read ? "read" : "");
            reply.push_back(file.bytes);
        }
    }
    write_all(STDOUT_FILENO, wire::pack(reply));
    return 0;
}

Result<Unpacked> unpack_sources(const std::string& path, const UnpackLimits& limits) {
    std::error_code error;
    const std::string whole = std::filesystem::absolute(path, error).string();
    const wire::Fields job{whole,
                           text_of(static_cast<std::uint64_t>(limits.cpu_seconds)),
                           text_of(limits.memory_bytes),
                           text_of(limits.unpacked_bytes),
                           text_of(static_cast<std::uint64_t>(limits.entries)),
                           text_of(static_cast<std::uint64_t>(limits.sources)),
                           text_of(limits.source_bytes),
                           text_of(limits.inner_bytes),
                           text_of(limits.other_bytes)};
    auto worker = Worker::start(worker_verb, WorkerEnvironment::loader_only);
    if (!worker) return worker.error();
    const auto deadline = Worker::Clock::now() + std::chrono::seconds(6 * limits.cpu_seconds);
    const auto answer =
        worker->exchange(wire::pack(job), deadline,
                         limits.unpacked_bytes + limits.inner_bytes + limits.other_bytes + (16u << 20), false);
    const int status = worker->stop();
    std::string_view bytes = answer.received;
    auto message = wire::take(bytes);
    if (message && message->size() == 2 && message->front() == "host") {
        const auto here = open_libarchive();  // for the advice on what to install
        return here ? kit_defect((*message)[1]) : here.error();
    }
    const bool is_ready = message && message->front() == "ready";
    if (is_ready) message = wire::take(bytes);
    if (!is_ready) return kit_defect("it ended before it was ready, wait status " + std::to_string(status));
    if (!message) {
        const bool is_slow = answer.is_out_of_time || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
        return unreadable(is_slow ? fmt::format("unpacking it takes longer than {} s", limits.cpu_seconds)
                                  : "unpacking it ends the program that tries: it is broken, or a bomb");
    }
    if (message->size() == 2 && message->front() == "unreadable") return unreadable((*message)[1]);
    if (message->size() < 3 || message->front() != "ok") return kit_defect("it answered in no known way");
    const std::size_t notes = count_of((*message)[1]), left_out = count_of((*message)[2]);
    const std::size_t files = notes + left_out + 3;
    if (notes > message->size() || left_out > message->size() || files > message->size() ||
        (message->size() - files) % 3 != 0)
        return kit_defect("it answered in no known way");
    Unpacked unpacked;
    const auto first = message->begin() + 3;
    unpacked.notes.assign(first, first + static_cast<std::ptrdiff_t>(notes));
    unpacked.left_out.assign(first + static_cast<std::ptrdiff_t>(notes),
                             first + static_cast<std::ptrdiff_t>(notes + left_out));
    for (std::size_t i = files; i < message->size(); i += 3)
        unpacked.files.push_back({std::move((*message)[i]), std::move((*message)[i + 2]), !(*message)[i + 1].empty()});
    return unpacked;
}

}  // namespace warpgrade::classroom
