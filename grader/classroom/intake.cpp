#include "classroom/intake.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/near_names.hpp"
#include "classroom/archive.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;

constexpr int most_entries = 50'000;
constexpr int most_depth = 16;
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

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

std::vector<fs::directory_entry> entries_of(const fs::path& folder) {
    std::vector<fs::directory_entry> entries;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (!is_hidden(at->path()) && at->path().filename() != "__MACOSX") entries.push_back(*at);
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.path().filename() < b.path().filename(); });
    return entries;
}

// One student's: a stage's file, an assignment's folder or `assignments` directly inside.
bool is_one_hand_in(const fs::path& folder, const std::vector<Assignment>& course) {
    for (const fs::directory_entry& entry : entries_of(folder)) {
        const std::string name = entry.path().filename().string();
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
    std::string name = path.filename().string();
    if (!is_utf8(name)) name = from_windows_1252(name);
    hand_in.shown = name;
    LmsName parsed = parse_lms_name(kind == HandIn::Kind::archive ? without_archive_suffix(name) : name);
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
        const auto groups = metadata ? parse_gradescope_metadata(*metadata) : std::vector<GradescopeFolder>{};
        for (const fs::directory_entry& entry : entries_of(folder)) {
            const std::string name = entry.path().filename().string();
            if (entry.is_symlink(error)) {
                discovery_.notes.push_back(fmt::format("`{}` was left out: it is a symbolic link", name));
                continue;
            }
            std::optional<HandIn> hand_in;
            if (entry.is_directory(error)) {
                hand_in = hand_in_of(HandIn::Kind::folder, entry.path());
            } else if (entry.is_regular_file(error) && is_archive_name(name)) {
                hand_in = hand_in_of(HandIn::Kind::archive, entry.path());
            } else if (entry.is_regular_file(error) && is_source_name(name)) {
                hand_in = hand_in_of(HandIn::Kind::file, entry.path());
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
        if (fs::is_directory(status)) {
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

Contents read_folder(const fs::path& folder) {
    Contents contents;
    int entries = 0;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;  // and links are not followed
    std::vector<fs::path> paths;
    for (fs::recursive_directory_iterator at(folder, options, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        if (++entries > most_entries) {
            contents.problem = fmt::format("it holds more than {} files", most_entries);
            return contents;
        }
        const bool is_folder = at->is_directory(ignored) && !at->is_symlink(ignored);
        if (is_folder && (is_hidden(at->path()) || at->path().filename() == "__MACOSX" || at.depth() >= most_depth))
            at.disable_recursion_pending();
        if (is_folder || is_hidden(at->path()) || !is_source_name(at->path().filename().string())) continue;
        const std::string shown = at->path().lexically_relative(folder).string();
        if (at->is_symlink(ignored)) {
            contents.notes.push_back(fmt::format("`{}` was left out: it is a symbolic link", shown));
        } else if (!at->is_regular_file(ignored)) {
            contents.notes.push_back(fmt::format("`{}` was left out: it is not a file", shown));
        } else {
            paths.push_back(at->path());
        }
    }
    if (error) contents.problem = error.message();
    if (paths.size() > most_sources) contents.problem = fmt::format("it holds more than {} .cu files", most_sources);
    if (!contents.problem.empty()) return contents;
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
        auto text = read_start_of_file(path, most_source_bytes);
        const std::string shown = path.lexically_relative(folder).string();
        if (text)
            contents.sources.push_back({shown, std::move(*text), 0});
        else
            contents.notes.push_back(fmt::format("`{}` was left out: {}", shown, text.error().facts.front()));
    }
    return contents;
}

}  // namespace

Result<Contents> read_hand_in(const HandIn& hand_in) {
    Contents contents;
    switch (hand_in.kind) {
        case HandIn::Kind::folder: contents = read_folder(hand_in.path); break;
        case HandIn::Kind::archive: {
            auto unpacked = unpack_sources(hand_in.path.string());
            if (!unpacked && unpacked.error().blame != Blame::learner) return unpacked.error();
            if (!unpacked) {
                contents.problem = unpacked.error().title;
                break;
            }
            contents.notes = std::move(unpacked->notes);
            for (auto& [path, text] : unpacked->sources) contents.sources.push_back({path, std::move(text), 0});
            break;
        }
        case HandIn::Kind::file: {
            auto text = read_start_of_file(hand_in.path, most_source_bytes);
            if (text)
                contents.sources.push_back({hand_in.file_name, std::move(*text), 0});
            else
                contents.problem = text.error().facts.front();
            break;
        }
    }
    for (Source& source : contents.sources) source.order = hand_in.order;
    return contents;
}

}  // namespace warpgrade::classroom
