// What is in a hand-in: its source files, whatever they are called and wherever they lie, and the names of all others.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/characters.hpp"
#include "classroom/file_content.hpp"
#include "classroom/intake.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

constexpr int most_depth = 16;
constexpr std::size_t most_sources = 500;
constexpr std::size_t most_notes = 20;
constexpr std::uint64_t most_source_bytes = 64ull << 20;  // of .cu files
constexpr std::uint64_t most_other_bytes = 8ull << 20;

// The text of a page: what a browser would show, line by line.
std::string text_of_html(std::string_view html) {
    std::string text;
    for (std::size_t at = 0; at < html.size();) {
        if (html[at] == '<') {
            const auto end = html.find('>', at);
            // "<<<" and "a < b" that nobody escaped.
            const bool is_tag =
                at + 1 < html.size() && end != std::string_view::npos &&
                (html[at + 1] == '/' || html[at + 1] == '!' || (html[at + 1] >= 'a' && html[at + 1] <= 'z') ||
                 (html[at + 1] >= 'A' && html[at + 1] <= 'Z'));
            if (is_tag) {
                const std::string tag = lower_case(html.substr(at + 1, std::min<std::size_t>(end - at - 1, 6)));
                if (tag.starts_with("br") || tag.starts_with("/p") || tag.starts_with("/div") || tag.starts_with("/li"))
                    text += '\n';
                at = end + 1;
                continue;
            }
        }
        constexpr std::array<std::pair<std::string_view, std::string_view>, 7> entities{{{"&lt;", "<"},
                                                                                         {"&gt;", ">"},
                                                                                         {"&quot;", "\""},
                                                                                         {"&#39;", "'"},
                                                                                         {"&apos;", "'"},
                                                                                         {"&nbsp;", " "},
                                                                                         {"&amp;", "&"}}};
        const auto entity = std::find_if(entities.begin(), entities.end(),
                                         [&](const auto& one) { return html.substr(at).starts_with(one.first); });
        if (entity != entities.end()) {
            text += entity->second;
            at += entity->first.size();
        } else {
            text += html[at++];
        }
    }
    return text;
}

bool is_page(const std::string& name) {
    const std::string lower = lower_case(name);
    return lower.ends_with(".html") || lower.ends_with(".htm");
}

// What a platform makes of words that were typed into its form, and not handed in as a file.
bool is_text_box(const std::string& name, Platform platform) {
    const std::string lower = lower_case(name.substr(name.rfind('/') + 1));
    return (platform == Platform::canvas && lower == "text.html") ||
           (platform == Platform::moodle && lower.starts_with("onlinetext.htm"));
}

// The line ends of old Macs, which no compiler here takes for any. Returns whether there was one.
bool end_lines(std::string& text) {
    bool has_one = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r' || (i + 1 < text.size() && text[i + 1] == '\n')) continue;
        text[i] = '\n';
        has_one = true;
    }
    return has_one;
}

// Folders that `release` packs, and those that the launcher makes.
bool is_of_kit(const std::string& folder) {
    constexpr std::array<std::string_view, 4> folders{"grader", "handouts", "reports", "build"};
    return std::find(folders.begin(), folders.end(), folder) != folders.end();
}

class HandInReader {
public:
    HandInReader(HandIn& hand_in, const std::filesystem::path& scratch, Contents& contents)
        : hand_in_(hand_in), scratch_(scratch), contents_(contents) {}

    Status read() {
        for (std::size_t i = 0; i < hand_in_.parts.size(); ++i) {
            Node& part = hand_in_.parts[i];
            const std::string name = part.kind == Node::Kind::file ? hand_in_.part_names[i] : "";
            const std::string path = hand_in_.parts.size() > 1 && name.empty() ? part.name : name;
            if (auto status = walk(part, path, 0); !status) return status;
        }
        for (Source& source : contents_.sources) source.time = hand_in_.time;
        if (unsaid_ > 0) contents_.notes.push_back(fmt::format("{} more were left out", unsaid_));
        return Nothing{};
    }

private:
    void note(const std::string& text) {
        if (contents_.notes.size() < most_notes)
            contents_.notes.push_back(text);
        else
            ++unsaid_;
    }
    void leave_out(const std::string& path, const std::string& why) {
        note(fmt::format("`{}` was left out: {}", path, why));
        contents_.others.push_back({path, hand_in_.shown, why});
    }

    Status walk(Node& node, const std::string& path, int depth) {
        if (is_stopped_) return Nothing{};
        if (node.kind == Node::Kind::file) return take(node, path.empty() ? node.name : path);
        if (depth == most_depth) {
            leave_out(path, "it is too deep");
            return Nothing{};
        }
        if (auto status = open_node(node, scratch_, budget_); !status) return status;
        if (!node.problem.empty()) {
            if (node.problem.starts_with("an earlier"))
                leave_out(path, node.problem);
            else
                contents_.problems.push_back(
                    fmt::format("`{}` cannot be read: {}", path.empty() ? hand_in_.shown : path, node.problem));
            return Nothing{};
        }
        const std::string below = path.empty() ? "" : path + "/";
        const std::size_t sources_before = contents_.sources.size(), problems_before = contents_.problems.size();
        const std::size_t others_before = contents_.others.size();
        for (const std::string& text : node.notes) note(text);
        for (const std::string& name : node.left_out)
            contents_.others.push_back({below + name, hand_in_.shown, "it was left out"});
        const auto has_folder = [&](const char* name) {
            return std::any_of(node.children.begin(), node.children.end(), [&](const Node& child) {
                return child.kind == Node::Kind::folder && child.name == name;
            });
        };
        // The whole kit: what came with it, and what was built, is not the student's.
        const bool has_assignments = has_folder("assignments"), is_kit = has_assignments && has_folder("grader");
        for (Node& child : node.children) {
            const bool is_file = child.kind == Node::Kind::file;
            if (is_file ? is_litter(child.name) && !is_kept_beside(child.name)
                        : is_litter(child.name) || is_hidden(child.name))
                continue;
            if (is_kit && child.kind == Node::Kind::folder && is_of_kit(child.name)) continue;
            if (lower_case(child.name).starts_with("feedback attachment")) {
                note(fmt::format("`{}` was left out: it is what the teacher gave back", below + child.name));
                continue;
            }
            const std::size_t before = contents_.sources.size();
            if (auto status = walk(child, below + child.name, depth + 1); !status) return status;
            // Beside the place for one's own work, `solutions` may be somebody else's.
            if (has_assignments && child.kind == Node::Kind::folder && child.name == "solutions")
                for (std::size_t i = before; i < contents_.sources.size(); ++i)
                    contents_.sources[i].is_set_aside = true;
        }
        if (node.kind == Node::Kind::archive) node.children.clear();
        if (node.kind != Node::Kind::archive || is_stopped_) return Nothing{};
        const bool has_source = contents_.sources.size() > sources_before,
                   has_problem = contents_.problems.size() > problems_before;
        const std::string shown = path.empty() ? hand_in_.shown : path;
        if (!has_source && !has_problem && contents_.others.size() == others_before)
            contents_.problems.push_back(fmt::format("`{}` holds no files", shown));
        else if (!has_source && !has_problem)
            contents_.others.push_back({shown, hand_in_.shown, "no program is in it"});
        return Nothing{};
    }

    Status take(Node& node, const std::string& path) {
        const FileKind kind = kind_of(path);
        if (const std::string name = path.substr(path.rfind('/') + 1); is_hidden(name)) {
            if (is_kept_beside(name))
                contents_.others.push_back(
                    {path, hand_in_.shown, "it is a hidden file, as systems and editors keep them"});
            return Nothing{};
        }
        if (lower_case(path).ends_with("timestamp.txt") || lower_case(path).ends_with("timestamp")) {
            const auto text = read_node(node);
            if (const auto time = text ? time_in(*text) : std::nullopt; time) {
                if (!hand_in_.time) hand_in_.time = time;
                return Nothing{};
            }
        }
        if (kind == FileKind::other || !(node.is_on_disk || node.is_read)) {
            contents_.others.push_back({path, hand_in_.shown, "it is no source text"});
            return Nothing{};
        }
        if (kind == FileKind::text && other_bytes_ > most_other_bytes) {
            contents_.others.push_back({path, hand_in_.shown, "there is too much beside it"});
            return Nothing{};
        }
        auto bytes = read_node(node);
        if (!bytes) {
            leave_out(path, bytes.error().facts.empty() ? bytes.error().title : bytes.error().facts.front());
            return Nothing{};
        }
        const std::string_view suffix = is_document_name(path) ? std::string_view() : archive_suffix_of(*bytes);
        if (!suffix.empty() && bytes->size() <= (1u << 20)) {
            Node archive;
            archive.kind = Node::Kind::archive;
            archive.name = archive.bytes_name = path.substr(path.rfind('/') + 1) + std::string(suffix);
            archive.is_on_disk = false;
            archive.archive_depth = node.archive_depth;
            archive.bytes = std::move(*bytes);
            return walk(archive, path, most_depth - 1);
        }
        if (kind == FileKind::source && ++programs_ > most_sources) {
            stop(fmt::format("it holds more than {} .cu files", most_sources));
            return Nothing{};
        }
        const bool is_typed = is_text_box(path, hand_in_.platform);
        const std::string why = is_typed ? "" : is_page(path) ? "it is a web page" : why_no_program(*bytes);
        if (!why.empty()) {
            const bool may_be_work = is_cuda_text(is_page(path) ? text_of_html(*bytes) : to_utf8(*bytes));
            contents_.others.push_back({path, hand_in_.shown, why, may_be_work});
            return Nothing{};
        }
        Source source;
        source.path = path;
        source.hand_in = hand_in_.shown;
        source.platform = hand_in_.platform;
        source.is_late = hand_in_.is_late;
        source.text = to_utf8(*bytes);
        if (path == whole_receipt) {
            contents_.others.push_back({path, hand_in_.shown, "the platform wrote it", is_cuda_text(source.text)});
            return Nothing{};
        }
        if (is_utf16(*bytes)) source.remark = "it was UTF-16 text, and is graded as UTF-8";
        if (is_typed) source.text = text_of_html(source.text);
        if (end_lines(source.text)) source.remark = "its lines ended in carriage returns, and end in line feeds now";
        if (kind != FileKind::source) return take_other(source);
        bytes_ += source.text.size();
        if (bytes_ > most_source_bytes) stop(fmt::format("its files are larger than {} MiB", most_source_bytes >> 20));
        if (!is_stopped_) contents_.sources.push_back(std::move(source));
        return Nothing{};
    }

    Status take_other(Source& source) {
        other_bytes_ += source.text.size();
        if (!is_cuda_text(source.text)) {
            contents_.others.push_back({source.path, hand_in_.shown, "it is no CUDA source"});
            return Nothing{};
        }
        source.remark = source.remark.empty() ? "it is CUDA source by what is in it" : source.remark;
        contents_.sources.push_back(std::move(source));
        return Nothing{};
    }

    // Too much for a hand-in: none of it is graded.
    void stop(const std::string& why) {
        contents_.problems = {fmt::format("`{}` cannot be read: {}", hand_in_.shown, why)};
        contents_.sources.clear();
        is_stopped_ = true;
    }

    HandIn& hand_in_;
    const std::filesystem::path& scratch_;
    Contents& contents_;
    Budget budget_;
    std::size_t unsaid_ = 0, programs_ = 0;
    std::uint64_t bytes_ = 0, other_bytes_ = 0;
    bool is_stopped_ = false;
};

}  // namespace

Result<Contents> read_hand_in(HandIn& hand_in, const std::filesystem::path& scratch) {
    Contents contents;
    if (auto status = HandInReader(hand_in, scratch, contents).read(); !status) return status.error();
    return contents;
}

}  // namespace warpgrade::classroom
