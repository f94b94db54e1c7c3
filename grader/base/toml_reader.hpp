// Reads tables of a TOML file (a course file, a GPU profile) key by key and remembers the first thing that is wrong,
// with its line.
#pragma once

#include <toml++/toml.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpgrade {

// One file. The first error wins; later reads return defaults, so that a loader reads on and asks once at the end.
class TomlErrors {
public:
    explicit TomlErrors(std::string path) : path_(std::move(path)) {}
    void report(const toml::node* node, std::string code, std::string title, std::vector<std::string> facts = {},
                std::string help = {});
    void report_at(int line, int column, std::string code, std::string title, std::vector<std::string> facts = {},
                   std::string help = {});
    // What is not the text's fault.
    void report(Diagnostic diagnostic) {
        if (!first_) first_ = std::move(diagnostic);
    }
    const std::optional<Diagnostic>& first() const { return first_; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
    std::optional<Diagnostic> first_;
};

// A table whose every key must be asked for: `finish` reports the others, with a near-name.
class TomlTable {
public:
    TomlTable(const toml::table& table, std::string name, TomlErrors& errors)
        : table_(table), name_(std::move(name)), errors_(errors) {}

    // Each gives what is in its range: `otherwise` (or `least`) where the file has nothing, or what is refused.
    std::string text(const char* key, bool is_required, std::string otherwise = {});
    double number(const char* key, double otherwise, double least, double most);
    double required_number(const char* key, double least, double most);
    int whole_number(const char* key, int otherwise, int least, int most);
    bool boolean(const char* key, bool otherwise);
    std::vector<std::string> texts(const char* key, std::vector<std::string> otherwise = {});
    std::vector<int> whole_numbers(const char* key, int least, int most);
    const toml::table* table(const char* key);
    std::vector<const toml::table*> tables(const char* key);

    // Of a key that may hold more than one kind of value; nullptr if it is not there.
    const toml::node* any(const char* key) { return ask(key); }

    const toml::node* node(const char* key) const { return table_.get(key); }
    // A required key that is not there; a key like it, where nobody has asked for that, is pointed to.
    void report_missing(const char* key, std::string title, std::string help);
    int line() const { return static_cast<int>(table_.source().begin.line); }
    void finish();

private:
    const toml::node* ask(const char* key);
    void wrong_type(const char* key, const toml::node& node, const char* expected);
    template <class Read>
    void each(const char* key, const char* expected, Read&& read);

    const toml::table& table_;
    std::string name_;
    TomlErrors& errors_;
    std::vector<std::string> known_;
};

// Parses a file. Nothing is returned when it cannot be read or is not TOML: errors says why.
std::optional<toml::table> parse_toml(TomlErrors& errors);

}  // namespace warpgrade
