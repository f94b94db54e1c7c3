// NVRTC's log -> CompilerMessage. The log is data a submission can shape: it is capped, cleaned, and every path in it
// is mapped to the request's path or to a header's name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/compilation.hpp"

namespace warpgrade {

// How names in NVRTC's output become names for a learner.
struct PathNames {
    std::string submission;            // CompileRequest::path
    std::vector<std::string> folders;  // header folders; a header below one is named relative to it

    // submission.cu -> submission; the grader's lines -> "<appended>"; a header -> its name below its folder, as in
    // "<cuda/barrier>"; anything else -> "". In angle brackets nobody takes a name for a file beside the submission.
    std::string shown(std::string_view path) const;
};

inline constexpr std::size_t most_messages = 100;
inline constexpr std::size_t longest_message = 2000;

// `host_uses`: gets the warnings of compile/include's __HOST, which are no messages.
std::vector<CompilerMessage> parse_nvrtc_log(std::string_view log, const PathNames& names,
                                             std::vector<HostUse>* host_uses = nullptr);
// Headers that another header asks for and that are not there: nothing that the submission `path` could help.
std::vector<std::string> missing_behind_headers(const std::vector<CompilerMessage>& messages, const std::string& path);

// Printable text: control characters and bytes that are not UTF-8 become `?`, at most `cap` bytes.
std::string printable(std::string_view text, std::size_t cap);

// The PTX's `.file` lines with paths mapped as above (an unknown one becomes "unknown").
std::string with_shown_files(std::string_view ptx, const PathNames& names);

}  // namespace warpgrade
