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
std::uint64_t number_of(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); }

bool has_suffix_cu(const std::string& name) {
    return name.size() > 3 && squeezed(name.substr(name.size() - 2)) == "cu" && name[name.size() - 3] == '.';
}

bool leads_out(const std::string& name) {
    const std::filesystem::path path(name);
    if (path.is_absolute() || name.find('\0') != std::string::npos) return true;
    for (const auto& part : path)
        if (part == "..") return true;
    return name.find("..\\") != std::string::npos || (name.size() > 1 && name[1] == ':');
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
        if (library_.read_open_filename(archive_, path.c_str(), 1 << 16) != LibArchive::ok) return why();
        for (int entries = 0;; ++entries) {
            archive_entry* entry = nullptr;
            const int status = library_.read_next_header(archive_, &entry);
            if (status == LibArchive::end_of_file) return entries == 0 ? "it holds nothing" : "";
            if (status < LibArchive::warn) return why();
            if (entries == limits_.entries) return fmt::format("it holds more than {} files", limits_.entries);
            if (std::string problem = read_entry(entry); !problem.empty()) return problem;
        }
    }
    Unpacked take() { return {std::move(sources_), std::move(notes_)}; }

private:
    std::string why() const {
        const char* text = library_.error_string(archive_);
        return text != nullptr ? text : "it is no archive of a known kind";
    }
    std::string name_of(archive_entry* entry) const {
        if (const char* name = library_.entry_pathname_utf8(entry)) return name;
        const char* name = library_.entry_pathname(entry);
        if (name == nullptr) return "";
        return utf8_name(name);
    }
    void leave_out(const std::string& name, const char* reason) {
        if (notes_.size() < 20) notes_.push_back(fmt::format("`{}` was left out: {}", name, reason));
    }

    std::string read_entry(archive_entry* entry) {
        const std::string name = name_of(entry);
        const unsigned type = library_.entry_filetype(entry) & 0170000u;
        if (name.empty()) leave_out("?", "its name cannot be read");
        if (name.empty() || is_litter(name)) return "";
        if (type != regular_file_ && type != 0040000) {
            leave_out(name, type == 0120000 ? "it is a symbolic link" : "it is not a file");
            return "";
        }
        if (!has_suffix_cu(name)) {
            if (is_archive_name(name)) leave_out(name, "it is an archive inside the archive");
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
        if (sources_.size() == static_cast<std::size_t>(limits_.sources))
            return fmt::format("it holds more than {} .cu files", limits_.sources);
        return read_source(name);
    }
    std::string read_source(const std::string& name) {
        std::string text;
        std::string part(1 << 16, '\0');
        while (text.size() < limits_.source_bytes) {
            const ssize_t count = library_.read_data(archive_, part.data(), part.size());
            if (count < 0) return why();
            if (count == 0) break;
            text.append(part.data(), static_cast<std::size_t>(count));
        }
        text.resize(std::min<std::uint64_t>(text.size(), limits_.source_bytes));
        unpacked_ += text.size();
        if (unpacked_ > limits_.unpacked_bytes)
            return fmt::format("its files are larger than {} MiB", limits_.unpacked_bytes >> 20);
        sources_.emplace_back(name, std::move(text));
        return "";
    }

    static constexpr unsigned regular_file_ = 0100000;
    const LibArchive& library_;
    const UnpackLimits& limits_;
    archive* archive_;
    std::uint64_t unpacked_ = 0;
    std::vector<std::pair<std::string, std::string>> sources_;
    std::vector<std::string> notes_;
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

// Job: path, the limits. Reply: "ready", then "host", code..., or "unreadable", why, or "ok", count of notes, the
// notes, then path and text of each source.
int unpack_worker_main() {
    const auto job = wire::unpack(read_message(STDIN_FILENO));
    if (!job || job->size() != 7) return 0;
    UnpackLimits limits;
    limits.cpu_seconds = static_cast<int>(number_of((*job)[1]));
    limits.memory_bytes = number_of((*job)[2]);
    limits.unpacked_bytes = number_of((*job)[3]);
    limits.entries = static_cast<int>(number_of((*job)[4]));
    limits.sources = static_cast<int>(number_of((*job)[5]));
    limits.source_bytes = number_of((*job)[6]);
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
        reply = {"ok", text_of(unpacked->notes.size())};
        reply.insert(reply.end(), unpacked->notes.begin(), unpacked->notes.end());
        for (const auto& [name, text] : unpacked->sources) {
            reply.push_back(name);
            reply.push_back(text);
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
                           text_of(limits.source_bytes)};
    auto worker = Worker::start(worker_verb, WorkerEnvironment::empty);
    if (!worker) return worker.error();
    const auto deadline = Worker::Clock::now() + std::chrono::seconds(6 * limits.cpu_seconds);
    const auto answer = worker->exchange(wire::pack(job), deadline, limits.unpacked_bytes + (16u << 20), false);
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
    if (message->size() < 2 || message->front() != "ok") return kit_defect("it answered in no known way");
    const std::size_t notes = number_of((*message)[1]);
    Unpacked unpacked;
    for (std::size_t i = 2; i < message->size(); ++i) {
        if (i < notes + 2) {
            unpacked.notes.push_back(std::move((*message)[i]));
        } else if (i + 1 < message->size()) {
            unpacked.sources.emplace_back(std::move((*message)[i]), std::move((*message)[i + 1]));
            ++i;
        }
    }
    return unpacked;
}

}  // namespace warpgrade::classroom
