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

// In lower case.
constexpr std::array<Mark, 11> known_starts{{{"<!doctype html", "it is a web page"},
                                             {"<html", "it is a web page"},
                                             {"<?xml", "it is an XML document"},
                                             {"{\"", "it is JSON, as notebooks are kept"},
                                             {"diff --git", "it is a patch, not the file"},
                                             {"--- ", "it is a patch, not the file"},
                                             {"index: ", "it is a patch, not the file"},
                                             {"```", "it is Markdown with a program in it"},
                                             {"mime-version:", "it is a mail or a saved page"},
                                             {"from: ", "it is a mail or a saved page"},
                                             {"begin 644", "it is an encoded file"}}};

// A letter, a directive, a comment, an attribute, an empty declaration, a line that goes on; or a character beyond
// ASCII, of which a compiler has something to say.
bool may_begin_program(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("_#/;[\\:}").find(c) != std::string_view::npos || byte >= 0x80;
}

// "<title>", "<!--"
bool begins_with_tag(std::string_view text) {
    if (text.size() < 2 || text[0] != '<') return false;
    const char c = text[1];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '!';
}

// Several words, and nothing that ends, opens or directs anything.
bool is_prose(std::string_view text) {
    if (text.starts_with("//") || text.starts_with("/*") || text.find_first_of(";{}#") != std::string_view::npos)
        return false;
    constexpr std::size_t fewest_words = 3;
    return words_in(std::string(text.substr(0, 4096))).size() >= fewest_words;
}

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
    const std::string text = to_utf8(bytes);
    if (text.find('\0') != std::string::npos) return "it is no text";
    const std::string_view program =
        std::string_view(text).substr(std::min(text.find_first_not_of(blanks), text.size()));
    const std::string begin = lower_case(program.substr(0, 32));
    for (const Mark& mark : known_starts)
        if (begin.starts_with(mark.begins)) return std::string(mark.says);
    if (begins_with_tag(program)) return "it is a document with tags";
    if (!may_begin_program(program.front())) return "it does not begin as a program does";
    return is_prose(program) ? "it is words, and no program" : "";
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
