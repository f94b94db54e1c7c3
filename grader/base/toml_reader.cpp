#include "base/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/files.hpp"
#include "base/near_names.hpp"

namespace warpgrade {

namespace {

const char* type_name(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table: return "a table";
        case toml::node_type::array: return "a list";
        case toml::node_type::string: return "text";
        case toml::node_type::integer: return "a whole number";
        case toml::node_type::floating_point: return "a number";
        case toml::node_type::boolean: return "true or false";
        default: return "a date or time";
    }
}

// The line of a key of very many parts, a.a.a: toml++ has a limit for values in values, not for these, and its tables
// take themselves apart one call inside another. 0: there is none.
int line_of_a_deep_key(std::string_view text) {
    constexpr int most_parts = 32;
    int line = 1, dots = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"' || c == '\'') {  // a part, or a value
            const std::string_view quotes = text.substr(at, text.substr(at).starts_with(std::string(3, c)) ? 3 : 1);
            for (at += quotes.size(); at < text.size() && !text.substr(at).starts_with(quotes); ++at) {
                if (text[at] == '\n') ++line;
                if (text[at] == '\\' && c == '"') ++at;
            }
            at += quotes.size() - 1;
        } else if (c == '#') {
            at = std::min(text.find('\n', at), text.size()) - 1;
        } else if (c == '.') {
            if (++dots >= most_parts) return line;
        } else if (c != ' ' && c != '\t' && c != '_' && c != '-' && std::isalnum(static_cast<unsigned char>(c)) == 0) {
            dots = 0;
            if (c == '\n') ++line;
        }
    }
    return 0;
}

}  // namespace

void TomlErrors::report(const toml::node* node, std::string code, std::string title, std::vector<std::string> facts,
                        std::string help) {
    const int line = node ? static_cast<int>(node->source().begin.line) : 0;
    const int column = node ? static_cast<int>(node->source().begin.column) : 0;
    report_at(line, column, std::move(code), std::move(title), std::move(facts), std::move(help));
}

void TomlErrors::report_at(int line, int column, std::string code, std::string title, std::vector<std::string> facts,
                           std::string help) {
    if (first_) return;
    Diagnostic diagnostic;
    diagnostic.blame = Blame::course;
    diagnostic.code = std::move(code);
    diagnostic.title = std::move(title);
    SourceMark mark;
    mark.path = path_;
    mark.line = line;
    mark.column = column;
    diagnostic.marks.push_back(mark);
    diagnostic.facts = std::move(facts);
    diagnostic.help = std::move(help);
    first_ = std::move(diagnostic);
}

std::optional<toml::table> parse_toml(TomlErrors& errors) {
    constexpr std::uint64_t most_bytes = 16 << 20;
    const auto text = read_whole_file(errors.path(), most_bytes);
    if (!text) {
        std::error_code ignored;
        if (!std::filesystem::exists(errors.path(), ignored))
            errors.report(nullptr, "missing_file", fmt::format("`{}` cannot be read", errors.path()));
        else
            errors.report(text.error());
        return std::nullopt;
    }
    if (const int line = line_of_a_deep_key(*text); line > 0) {
        errors.report_at(line, 0, "bad_toml", "a key has too many parts",
                         {"no file of a course names tables inside of more than a few others"});
        return std::nullopt;
    }
    try {
        return toml::parse(std::string_view(*text), errors.path());
    } catch (const toml::parse_error& error) {
        errors.report_at(static_cast<int>(error.source().begin.line), static_cast<int>(error.source().begin.column),
                         "bad_toml", "the file is not TOML", {std::string(error.description())});
        return std::nullopt;
    }
}

const toml::node* TomlTable::ask(const char* key) {
    known_.push_back(key);
    return table_.get(key);
}

void TomlTable::report_missing(const char* key, std::string title, std::string help) {
    std::vector<std::string> there;
    for (const auto& [word, value] : table_) {
        (void)value;
        if (std::find(known_.begin(), known_.end(), word.str()) == known_.end()) there.emplace_back(word.str());
    }
    const auto near = nearest_name(key, there);
    if (!near) return errors_.report(&table_, "missing_key", std::move(title), {}, std::move(help));
    const auto& place = table_.find(*near)->first.source().begin;
    errors_.report_at(static_cast<int>(place.line), static_cast<int>(place.column), "missing_key", std::move(title), {},
                      fmt::format("is `{}` meant to be `{}`?", *near, key));
}

void TomlTable::wrong_type(const char* key, const toml::node& node, const char* expected) {
    errors_.report(&node, "wrong_type", fmt::format("`{}` of {} must be {}", key, name_, expected),
                   {fmt::format("it is {}", type_name(node))});
}

std::string TomlTable::text(const char* key, bool is_required, std::string otherwise) {
    const toml::node* node = ask(key);
    if (!node) {
        if (is_required)
            report_missing(key, fmt::format("{} has no `{}`", name_, key), fmt::format("add {} = \"...\"", key));
        return otherwise;
    }
    if (const auto* value = node->as_string()) return value->get();
    wrong_type(key, *node, "text in quotes");
    return otherwise;
}

double TomlTable::number(const char* key, double otherwise, double least, double most) {
    const toml::node* node = ask(key);
    if (!node) return otherwise;
    if (!node->is_number()) {
        wrong_type(key, *node, "a number");
        return otherwise;
    }
    // node->value<double>() has none for a whole number of more than 53 bits.
    const double value =
        node->is_integer() ? static_cast<double>(node->as_integer()->get()) : node->as_floating_point()->get();
    if (!(value >= least && value <= most)) {
        errors_.report(node, "out_of_range", fmt::format("`{}` of {} is {}", key, name_, value),
                       {fmt::format("it must be from {} to {}", least, most)});
        return otherwise;
    }
    return value;
}

double TomlTable::required_number(const char* key, double least, double most) {
    if (!table_.get(key))
        report_missing(key, fmt::format("{} has no `{}`", name_, key), fmt::format("add {} = ...", key));
    return number(key, least, least, most);
}

int TomlTable::whole_number(const char* key, int otherwise, int least, int most) {
    const toml::node* node = ask(key);
    if (!node) return otherwise;
    const auto* value = node->as_integer();
    if (!value) {
        wrong_type(key, *node, "a whole number");
        return otherwise;
    }
    if (value->get() < least || value->get() > most) {
        errors_.report(node, "out_of_range", fmt::format("`{}` of {} is {}", key, name_, value->get()),
                       {fmt::format("it must be from {} to {}", least, most)});
        return otherwise;
    }
    return static_cast<int>(value->get());
}

bool TomlTable::boolean(const char* key, bool otherwise) {
    const toml::node* node = ask(key);
    if (!node) return otherwise;
    if (const auto* value = node->as_boolean()) return value->get();
    wrong_type(key, *node, "true or false");
    return otherwise;
}

template <class Read>
void TomlTable::each(const char* key, const char* expected, Read&& read) {
    const toml::node* node = ask(key);
    if (!node) return;
    const toml::array* array = node->as_array();
    if (!array) return wrong_type(key, *node, expected);
    for (const toml::node& item : *array)
        if (!read(item)) return wrong_type(key, item, expected);
}

std::vector<std::string> TomlTable::texts(const char* key, std::vector<std::string> otherwise) {
    std::vector<std::string> values;
    each(key, "a list of texts", [&](const toml::node& item) {
        if (const auto* value = item.as_string()) values.push_back(value->get());
        return item.is_string();
    });
    return node(key) ? values : otherwise;
}

std::vector<int> TomlTable::whole_numbers(const char* key, int least, int most) {
    std::vector<int> values;
    each(key, "a list of whole numbers", [&](const toml::node& item) {
        const auto* value = item.as_integer();
        if (!value) return false;
        if (value->get() < least || value->get() > most)
            errors_.report(&item, "out_of_range", fmt::format("`{}` of {} has {}", key, name_, value->get()),
                           {fmt::format("each must be from {} to {}", least, most)});
        else
            values.push_back(static_cast<int>(value->get()));
        return true;
    });
    return values;
}

const toml::table* TomlTable::table(const char* key) {
    const toml::node* node = ask(key);
    if (!node) return nullptr;
    if (!node->is_table()) wrong_type(key, *node, "a table");
    return node->as_table();
}

std::vector<const toml::table*> TomlTable::tables(const char* key) {
    std::vector<const toml::table*> values;
    each(key, "a list of tables", [&](const toml::node& item) {
        if (item.is_table()) values.push_back(item.as_table());
        return item.is_table();
    });
    return values;
}

void TomlTable::finish() {
    for (const auto& [key, value] : table_) {
        const std::string word(key.str());
        if (std::find(known_.begin(), known_.end(), word) != known_.end()) continue;
        (void)value;
        errors_.report_at(static_cast<int>(key.source().begin.line), static_cast<int>(key.source().begin.column),
                          "unknown_key", fmt::format("{} has an unknown key `{}`", name_, word), {},
                          near_or(word, known_, "remove it"));
    }
}

}  // namespace warpgrade
