#include "problem/description_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/code_text.hpp"
#include "base/text.hpp"

namespace warpgrade {

namespace {

bool as_expression(const toml::node& node, std::string& expression) {
    if (const auto* text = node.as_string())
        expression = text->get();
    else if (const auto* number = node.as_integer())
        expression = std::to_string(number->get());
    else
        return false;
    return true;
}

}  // namespace

std::string choice(TomlTable& table, const char* key, bool is_required, const std::vector<std::string>& words,
                   TomlErrors& errors) {
    const std::string word = table.text(key, is_required, words.front());
    if (std::ranges::find(words, word) == words.end())
        errors.report(table.node(key), "unknown_word", fmt::format("`{}` is not a `{}`", word, key),
                      {fmt::format("there are: {}", fmt::join(words, ", "))}, near_or(word, words, ""));
    return word;
}

MistakePlace mistake_place(TomlTable& table, TomlErrors& errors) {
    // Of MistakePlace, in its order.
    static const std::vector<std::string> places{"output",   "shared_atomics", "global_atomics", "launches",   "root",
                                                 "end",      "loads",          "index",          "start",      "tree",
                                                 "shuffles", "first_launch",   "second_launch",  "next_launch"};
    const auto at = std::ranges::find(places, choice(table, "at", false, places, errors));
    return at == places.end() ? MistakePlace::output : static_cast<MistakePlace>(at - places.begin());
}

void identifier(const std::string& word, const toml::node* node, TomlErrors& errors) {
    if (!is_identifier(word))
        errors.report(node, "bad_name", fmt::format("`{}` is not a name that CUDA C++ can have", word), {},
                      "letters, digits and _, no digit first");
}

std::vector<std::string> expressions(const toml::node* node, const char* key, TomlErrors& errors) {
    std::vector<std::string> all;
    const auto read = [&](const toml::node& at) {
        std::string& one = all.emplace_back();
        if (!as_expression(at, one))
            errors.report(&at, "wrong_type", fmt::format("`{}` does not hold an expression", key),
                          {"an expression is text in quotes, or a whole number"});
        else if (trimmed(one).empty())
            errors.report(&at, "bad_expression", fmt::format("`{}` holds an empty expression", key), {},
                          "write a whole number, or an expression in quotes");
    };
    if (node != nullptr && node->is_array())
        for (const toml::node& each : *node->as_array()) read(each);
    else if (node != nullptr)
        read(*node);
    return all;
}

std::string expression(TomlTable& table, const char* key, bool is_required, TomlErrors& errors) {
    const toml::node* node = table.any(key);
    if (!node && is_required)
        table.report_missing(key, fmt::format("there is no `{}`", key), fmt::format("add {} = \"...\"", key));
    const auto all = expressions(node, key, errors);
    return all.empty() ? "" : all.front();
}

std::map<std::string, std::int64_t> whole_numbers(TomlTable& table, const char* key, TomlErrors& errors,
                                                  std::map<std::string, double>* reals) {
    std::map<std::string, std::int64_t> all;
    const toml::table* source = table.table(key);
    if (!source) return all;
    for (const auto& [name, node] : *source) {
        const auto* number = node.as_integer();
        const auto* real = reals ? node.as_floating_point() : nullptr;
        if (!number && !real) {
            errors.report(&node, "wrong_type",
                          fmt::format("`{}` of `{}` must be a {}number", name.str(), key, reals ? "" : "whole "));
            continue;
        }
        identifier(std::string(name.str()), &node, errors);
        if (real) {
            (*reals)[std::string(name.str())] = real->get();
            continue;
        }
        all[std::string(name.str())] = number->get();
    }
    return all;
}

namespace {

DescribedShape read_shape(const toml::node& node, const char* list, TomlErrors& errors) {
    DescribedShape shape;
    shape.line = static_cast<int>(node.source().begin.line);
    shape.column = static_cast<int>(node.source().begin.column);
    if (!node.is_table()) {
        shape.extents = expressions(&node, list, errors);
        return shape;
    }
    TomlTable table(*node.as_table(), fmt::format("a shape of `{}`", list), errors);
    if (!table.node("extents"))
        errors.report(&node, "missing_key", fmt::format("a shape of `{}` has no `extents`", list));
    shape.extents = expressions(table.any("extents"), "extents", errors);
    shape.previous = expressions(table.any("previous"), "previous", errors);
    shape.contents = table.text("contents", false);
    if (table.node("class"))
        shape.shape_class = choice(table, "class", true, {"aligned", "odd", "thin", "small"}, errors);
    else
        (void)table.any("class");
    shape.offset = table.whole_number("offset", 0, 0, 255);
    shape.count = table.whole_number("count", 1, 1, 100);
    table.finish();
    return shape;
}

std::vector<DescribedShape> read_shapes(TomlTable& table, const char* key, bool is_required, TomlErrors& errors) {
    std::vector<DescribedShape> shapes;
    const toml::node* node = table.any(key);
    const toml::array* array = node ? node->as_array() : nullptr;
    if (node && !array) errors.report(node, "wrong_type", fmt::format("`{}` must be a list of shapes", key));
    if (is_required && (!node || (array && array->empty())))
        errors.report_at(node ? static_cast<int>(node->source().begin.line) : table.line(), 0, "missing_key",
                         fmt::format("[shapes] has no `{}`", key), {}, fmt::format("add {} = [...]", key));
    if (array)
        for (const toml::node& each : *array) shapes.push_back(read_shape(each, key, errors));
    return shapes;
}

DescribedShape read_one_shape(TomlTable& table, const char* key, TomlErrors& errors) {
    const toml::node* node = table.any(key);
    if (node) return read_shape(*node, key, errors);
    errors.report_at(table.line(), 0, "missing_key", fmt::format("[shapes] has no `{}`", key), {}, "");
    return {};
}

}  // namespace

void read_all_shapes(TomlTable& root, ProblemDescription& problem, TomlErrors& errors) {
    const toml::table* source = root.table("shapes");
    if (!source) return errors.report_at(root.line(), 0, "missing_key", "the problem has no [shapes]");
    TomlTable table(*source, "[shapes]", errors);
    problem.check = read_shapes(table, "check", true, errors);
    problem.planned = read_shapes(table, "planned", false, errors);
    problem.sampled = read_shapes(table, "sampled", false, errors);
    problem.other_types = read_shapes(table, "other_types", false, errors);
    problem.few = read_shapes(table, "few", true, errors);
    problem.technique = read_one_shape(table, "technique", errors);
    problem.large = read_one_shape(table, "large", errors);
    if (const toml::table* lets = table.table("let")) {
        for (const auto& [name, node] : *lets) {
            std::string text;
            if (!as_expression(node, text))
                errors.report(&node, "wrong_type", fmt::format("`{}` of `let` must be an expression", name.str()));
            identifier(std::string(name.str()), &node, errors);
            problem.lets[std::string(name.str())] = text;
        }
    }
    problem.timing = read_shapes(table, "timing", true, errors);
    problem.bench = read_shapes(table, "bench", false, errors);
    table.finish();
}

}  // namespace warpgrade
