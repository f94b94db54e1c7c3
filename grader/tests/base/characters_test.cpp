#include "base/characters.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/json_text.hpp"
#include "support/catch.hpp"

using namespace warpgrade;

namespace {

// What must not reach a person as it is, and what stands for it.
const std::vector<std::pair<std::string, std::string>> escaped{
    {"\x1b[2J", "\\x1b[2J"},
    {"\n\t\r", "\\n\\t\\x0d"},
    {"\x7f", "\\x7f"},
    {"\xff\xc3", "\\xff\\xc3"},
    {"\xc0\xaf", "\\xc0\\xaf"},                    // overlong
    {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // a surrogate
    {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // beyond U+10FFFF
    {"\xc2\x9b", "\\u009b"},                       // the one-byte form of ESC [
    {"\xe2\x80\xae", "\\u202e"},                   // right-to-left override
    {"\xe2\x81\xa6", "\\u2066"},                   // left-to-right isolate
    {"\xe2\x80\x8b", "\\u200b"},                   // zero-width space
    {"\xe2\x80\xa8", "\\u2028"},                   // line separator
    {"\xef\xbb\xbf", "\\ufeff"},
    {"\xe3\x85\xa4", "\\u3164"},          // a Hangul filler, blank
    {"\xf3\xa0\x81\x81", "\\U000e0041"},  // a tag
    {"\xef\xbf\xbe", "\\ufffe"},          // no character, and no XML may hold it
    {"\xf4\x8f\xbf\xbf", "\\U0010ffff"},
};

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("UTF-8 is told from what only looks like it") {
    CHECK(is_utf8("plain"));
    CHECK(is_utf8("Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x98\x80"));
    CHECK(find_invalid_utf8("Zo\xeb") == 2);
    CHECK_FALSE(is_utf8("\xc0\xaf"));
    CHECK_FALSE(is_utf8("\xed\xa0\x80"));
    CHECK_FALSE(is_utf8("\xf4\x90\x80\x80"));
    CHECK_FALSE(is_utf8("\xe2\x82"));  // cut off
}

TEST_CASE("Windows-1252 becomes UTF-8") {
    CHECK(from_windows_1252("Zo\xeb \x80 \xff \x81") == "Zo\xc3\xab \xe2\x82\xac \xc3\xbf \xef\xbf\xbd");
}

TEST_CASE("what steers, hides or reorders is escaped, and nothing else is") {
    for (const auto& [raw, shown] : escaped) {
        CHECK(escape(raw) == shown);
        CHECK(escape("a" + raw + "b") == "a" + shown + "b");
        CHECK(escape(shown) == shown);
    }
    CHECK(escape("gr\xc3\xb6\xc3\x9f"
                 "er \xe4\xb8\x96\xe7\x95\x8c \xf0\x9f\x98\x80") ==
          "gr\xc3\xb6\xc3\x9f"
          "er \xe4\xb8\x96\xe7\x95\x8c \xf0\x9f\x98\x80");
    CHECK(escape_lines("one\r\ntwo\x1b\nthree\r") == "one\ntwo\\x1b\nthree");
}

TEST_CASE("JSON text is UTF-8 that steers nothing, and means what it meant") {
    for (const auto& [raw, shown] : escaped) {
        const nlohmann::ordered_json json{{"key" + raw, raw}};
        const std::string text = json_text(json);
        INFO(text);
        CHECK(escape(text) == text);
        const auto again = nlohmann::ordered_json::parse(text);
        if (is_utf8(raw)) CHECK(again == json);
    }
    CHECK(json_text(nlohmann::json{{"name", "Zo\xc3\xab"}}, 1) == "{\n \"name\": \"Zo\xc3\xab\"\n}");
    CHECK(json_text(nlohmann::json("\xff")) == "\"\xef\xbf\xbd\"");
}

TEST_CASE("nothing else turns JSON into text") {
    const std::filesystem::path folder = std::filesystem::path(WARPGRADE_SOURCE_DIR) / "grader";
    std::size_t looked_at = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string path = entry.path().lexically_relative(folder).string(), suffix = entry.path().extension();
        if (path.starts_with("tests/") || path == "base/json_text.hpp" || (suffix != ".cpp" && suffix != ".hpp"))
            continue;
        ++looked_at;
        const std::string text = bytes_of(entry.path());
        INFO(path);
        CHECK(text.find(".dump(") == std::string::npos);
        CHECK(text.find("error_handler_t") == std::string::npos);
    }
    CHECK(looked_at > 100);
}
