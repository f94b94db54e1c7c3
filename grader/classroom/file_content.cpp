#include "classroom/file_content.hpp"

#include <algorithm>
#include <array>

#include "classroom/plain_names.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {
namespace {

using namespace std::string_view_literals;

struct Mark {
    std::string_view begins;
    std::string_view says;
};

// The first bytes, as each format's own description gives them.
constexpr std::array<Mark, 6> archives{{{"PK\x03\x04"sv, ".zip"},
                                        {"\x1f\x8b"sv, ".gz"},
                                        {"7z\xbc\xaf\x27\x1c"sv, ".7z"},
                                        {"Rar!\x1a\x07"sv, ".rar"},
                                        {"\xfd"
                                         "7zXZ\0"sv,
                                         ".xz"},
                                        {"\x28\xb5\x2f\xfd"sv, ".zst"}}};
constexpr std::array<Mark, 9> others{{{"{\\rtf"sv, "it is a rich text document, not plain text"},
                                      {"%PDF-"sv, "it is a PDF"},
                                      {"\xd0\xcf\x11\xe0"sv, "it is a document of an office program"},
                                      {"\x7f"
                                       "ELF"sv,
                                       "it is a compiled program"},
                                      {"\x89PNG"sv, "it is a picture"},
                                      {"\xff\xd8\xff"sv, "it is a picture"},
                                      {"GIF8"sv, "it is a picture"},
                                      {"L\0\0\0\x01\x14\x02\0"sv, "it is a shortcut, not the file"},
                                      {"version https://git-lfs"sv, "it is a pointer of Git LFS, not the file"}}};

constexpr std::string_view blanks = " \t\r\n\v\f\0\xef\xbb\xbf"sv;

}  // namespace

std::string_view archive_suffix_of(std::string_view bytes) {
    for (const Mark& mark : archives)
        if (bytes.starts_with(mark.begins)) return mark.says;
    return {};
}

std::string why_no_program(std::string_view bytes) {
    for (const Mark& mark : others)
        if (bytes.starts_with(mark.begins)) return std::string(mark.says);
    const auto first = bytes.find_first_not_of(blanks);
    if (first == std::string_view::npos) return "it is empty";
    const std::string begin = lower_case(bytes.substr(first, 32));
    if (begin.starts_with("<!doctype html") || begin.starts_with("<html")) return "it is a web page";
    const std::string text = is_utf16(bytes) ? to_utf8(bytes) : std::string();
    if ((text.empty() ? bytes : std::string_view(text)).find('\0') != std::string_view::npos) return "it is no text";
    return "";
}

bool is_document_name(const std::string& name) {
    const auto dot = name.rfind('.');
    const std::string suffix = dot == std::string::npos ? "" : lower_case(name.substr(dot + 1));
    constexpr std::array<std::string_view, 11> documents{"pdf", "doc",   "docx", "odt", "rtf", "pages",
                                                         "ps",  "ipynb", "gdoc", "one", "wps"};
    return std::find(documents.begin(), documents.end(), suffix) != documents.end();
}

bool is_about_work(const std::string& name) {
    constexpr std::array<std::string_view, 27> words{
        "report",    "readme",      "notes",    "note",     "answer",  "answers",    "bericht",
        "protokoll", "log",         "worklog",  "analysis", "writeup", "discussion", "results",
        "plot",      "plots",       "figure",   "figures",  "quiz",    "summary",    "reflection",
        "cover",     "declaration", "comments", "feedback", "rapport", "informe"};
    const std::vector<std::string> parts = words_in(name.substr(name.rfind('/') + 1));
    return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
        std::string plain = lower_case(part);
        while (!plain.empty() && plain.back() >= '0' && plain.back() <= '9') plain.pop_back();
        return std::find(words.begin(), words.end(), plain) != words.end();
    });
}

}  // namespace warpgrade::classroom
