#include "compile/nvrtc_log.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <regex>

#include "base/characters.hpp"
#include "base/text.hpp"
#include "compile/job.hpp"

namespace warpgrade {
namespace {

// Lines after the first that one message keeps: argument types, the instantiations nearest to the error.
constexpr int most_continuations = 5;

struct Header {
    std::string_view path;
    int line = 0;
    Severity severity = Severity::error;
    std::string_view text;
};

// path(line): error #123-D: text; At end of source: error: text; or, of what comes behind the front end, warning:
// path(line): Warning: text
std::optional<Header> header_of(std::string_view line) {
    constexpr std::string_view from_behind = "warning: ";
    if (line.starts_with(from_behind) && line.find("): Warning: ") != std::string_view::npos)
        line.remove_prefix(from_behind.size());
    if (line.empty() || line.front() == ' ') return std::nullopt;
    Header header;
    std::string_view rest;
    if (constexpr std::string_view at_end = "At end of source: "; line.starts_with(at_end)) {
        rest = line.substr(at_end.size());  // which has no line of its own
    } else {
        const std::size_t close = line.find("): ");
        if (close == std::string_view::npos) return std::nullopt;
        const std::size_t open = line.rfind('(', close);
        if (open == std::string_view::npos || open == 0) return std::nullopt;
        header.path = line.substr(0, open);
        const auto parsed = std::from_chars(line.data() + open + 1, line.data() + close, header.line);
        if (parsed.ec != std::errc() || parsed.ptr != line.data() + close) return std::nullopt;
        rest = line.substr(close + 3);
    }
    constexpr std::array<std::pair<std::string_view, Severity>, 7> words{{{"catastrophic error", Severity::error},
                                                                          {"internal error", Severity::error},
                                                                          {"error", Severity::error},
                                                                          {"warning", Severity::warning},
                                                                          {"Warning", Severity::warning},
                                                                          {"note", Severity::note},
                                                                          {"remark", Severity::note}}};
    for (const auto& [word, severity] : words) {
        if (!rest.starts_with(word)) continue;
        rest.remove_prefix(word.size());
        if (rest.starts_with(" #")) rest.remove_prefix(std::min(rest.find(':'), rest.size()));
        if (!rest.starts_with(":")) return std::nullopt;
        header.severity = severity;
        header.text = trimmed(rest.substr(1));
        return header;
    }
    return std::nullopt;
}

bool is_caret_line(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first != std::string_view::npos && trimmed(line) == "^";
}

bool is_summary(std::string_view line) {
    return line.find(" detected in the compilation of ") != std::string_view::npos ||
           line.starts_with("Compilation terminated") || line.starts_with("Remark: The warnings can be suppressed");
}

// What __HOST in compile/include, or compile/sides, brings: function "std::min(const T &, const T &) [with T=int]" was
// declared ...
std::optional<std::string> host_entity(std::string_view text) {
    constexpr std::string_view end = "\" was declared deprecated (\"__host__\")";
    const std::size_t close = text.find(end);
    const std::string_view begin = text.starts_with("variable \"") ? "variable \"" : "function \"";
    if (!text.starts_with(begin) || close == std::string_view::npos) return std::nullopt;
    std::string name;
    int depth = 0;
    for (const char c : text.substr(begin.size(), close - begin.size())) {
        const bool is_operator = name.ends_with("operator");
        if (c == '<' && !is_operator) ++depth;
        if (depth == 0 && ((c == '(' && !is_operator) || (c == ' ' && !is_operator))) break;
        if (depth == 0) name += c;
        if (c == '>' && depth > 0) --depth;
    }
    return name;
}

// "at line 7 of /some/where/x.h" and quoted names inside a message.
void map_paths_inside(std::string& text, const PathNames& names) {
    for (const std::string& folder : names.folders)
        for (std::size_t at; !folder.empty() && (at = text.find(folder + "/")) != std::string::npos;)
            text.erase(at, folder.size() + 1);
    for (const char* own : {submission_name, appended_name})
        for (std::size_t at = 0; (at = text.find(own, at)) != std::string::npos;) {
            const std::string shown =
                own == std::string_view(submission_name) ? names.submission : "the grader's lines";
            text.replace(at, std::string_view(own).size(), shown);
            at += shown.size();
        }
}

}  // namespace

std::string PathNames::shown(std::string_view path) const {
    const std::size_t slash = path.rfind('/');
    const std::string_view base = slash == std::string_view::npos ? path : path.substr(slash + 1);
    for (const std::string& folder : folders) {
        if (folder.empty() || !path.starts_with(folder + "/")) continue;
        const std::string_view below = path.substr(folder.size() + 1);
        // NVRTC prints the submission and its built-in header as if they lay in the worker's working folder.
        return below == submission_name ? submission
               : below == appended_name ? appended_path
                                        : "<" + std::string(below) + ">";
    }
    if (path == submission_name) return submission;
    if (path == appended_name) return appended_path;
    if (base.starts_with("__nv_nvrtc")) return "<" + std::string(base) + ">";
    return {};
}

std::string printable(std::string_view text, std::size_t cap) {
    std::string result;
    std::size_t at = 0;
    while (at < text.size() && result.size() < cap) {
        const Character character = character_at(text, at);
        if (text[at] == '\t' || text[at] == '\n')
            result += ' ';
        else if (character.is_valid && is_shown(character.code_point))
            result += text.substr(at, character.bytes);
        else
            result.append(character.bytes, '?');
        at += character.bytes;
    }
    if (at < text.size()) result += " ...";
    return result;
}

std::vector<CompilerMessage> parse_nvrtc_log(std::string_view log, const PathNames& names,
                                             std::vector<HostUse>* host_uses) {
    std::vector<CompilerMessage> messages;
    bool was_host_use = false;
    std::vector<std::string_view> extra;  // lines since the header, not yet known to be text or source excerpt
    std::string text;
    bool is_inside = false;
    int joined = 0;
    const auto join = [&](std::string_view line) {
        if (trimmed(line).empty() || ++joined > most_continuations + 1) return;
        if (joined > most_continuations)
            text += " ...";
        else
            text.append(text.ends_with(":") ? " " : "; ").append(trimmed(line));
    };
    // A warning about CUDA's headers, or the kit's, is nothing a learner can act on; nor is the note behind a host use.
    const auto drop_what_is_no_message = [&] {
        const CompilerMessage& last = messages.back();
        const auto function = last.severity == Severity::warning ? host_entity(last.message) : std::nullopt;
        const bool is_in_submission = last.path == names.submission;
        if (function && is_in_submission && host_uses) host_uses->push_back({last.line, last.column, *function});
        const bool is_note_of_it = last.severity == Severity::note && was_host_use;
        was_host_use = function || is_note_of_it;
        if (was_host_use || (last.severity == Severity::warning && !is_in_submission)) messages.pop_back();
    };
    const auto finish = [&] {
        if (is_inside) {
            for (std::string_view line : extra) join(line);
            map_paths_inside(text, names);
            messages.back().message = printable(text, longest_message);
            drop_what_is_no_message();
        }
        extra.clear();
        is_inside = false;
    };
    while (!log.empty() && messages.size() < most_messages) {
        const std::size_t end = std::min(log.find('\n'), log.size());
        const std::string_view line = log.substr(0, end);
        log.remove_prefix(std::min(end + 1, log.size()));
        if (const auto header = header_of(line)) {
            finish();
            CompilerMessage message{header->severity, names.shown(header->path), header->line, 0, {}};
            if (message.path.empty()) {  // not a file of ours to show lines of
                message.path = names.submission;
                message.line = 0;
            }
            messages.push_back(std::move(message));
            text = header->text;
            joined = 0;
            is_inside = true;
        } else if (is_summary(line)) {
            finish();
        } else if (is_inside && is_caret_line(line)) {
            // The line above the caret is the excerpt, indented by two; the caret stands under the column.
            if (!extra.empty()) extra.pop_back();
            if (messages.back().line > 0 && messages.back().column == 0)
                messages.back().column = static_cast<int>(line.find('^')) - 1;
            for (std::string_view continuation : extra) join(continuation);
            extra.clear();
        } else if (is_inside && !trimmed(line).empty()) {
            extra.push_back(line);
        }
    }
    finish();
    return messages;
}

std::string with_shown_files(std::string_view ptx, const PathNames& names) {
    std::string result;
    result.reserve(ptx.size() + 64);
    while (!ptx.empty()) {
        const std::size_t end = std::min(ptx.find('\n'), ptx.size() - 1) + 1;
        const std::string_view line = ptx.substr(0, end);
        ptx.remove_prefix(end);
        const std::size_t open = line.find('"'), close = line.rfind('"');
        if (!trimmed(line).starts_with(".file") || open == std::string_view::npos || open == close) {
            result += line;
            continue;
        }
        std::string shown = names.shown(line.substr(open + 1, close - open - 1));
        if (shown.empty()) shown = "<unknown>";
        result += line.substr(0, open + 1);
        for (char c : shown) {
            if (c == '"' || c == '\\') result += '\\';
            result += c == '\n' ? ' ' : c;
        }
        result += line.substr(close);
    }
    return result;
}

std::vector<std::string> missing_behind_headers(const std::vector<CompilerMessage>& messages, const std::string& path) {
    static const std::regex missing(R"re(^(?:cannot|could not) open source file "([^"]*)")re");
    std::vector<std::string> headers;
    std::smatch match;
    for (const CompilerMessage& message : messages)
        if (message.path != path && message.severity == Severity::error &&
            std::regex_search(message.message, match, missing))
            headers.push_back(match[1]);
    return headers;
}

}  // namespace warpgrade
