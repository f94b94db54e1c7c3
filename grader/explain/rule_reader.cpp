#include "explain/rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/near_names.hpp"
#include "base/toml_reader.hpp"
#include "explain/finders.hpp"
#include "explain/generators.hpp"
#include "explain/say.hpp"

namespace warpgrade::explain {

namespace fs = std::filesystem;

namespace {

std::size_t choice(TomlTable& row, const char* key, const std::vector<std::string>& words, TomlErrors& errors) {
    const std::string word = row.text(key, false, words.front());
    const auto found = std::ranges::find(words, word);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    errors.report(row.node(key), "unknown_word", fmt::format("`{}` is not a `{}`", word, key), {},
                  near_or(word, words));
    return 0;
}

std::optional<source::Pattern> pattern(const std::string& text, const toml::node* node, TomlErrors& errors) {
    std::optional<source::Pattern> made = source::pattern_of(text);
    if (!made) errors.report(node, "bad_pattern", fmt::format("`{}` cannot be read as a pattern", text));
    return made;
}

// {name} of a template that the rule does not have.
void check_template(const std::string& text, const std::set<std::string>& names, const toml::node* node,
                    TomlErrors& errors) {
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
        const std::size_t close = text.find('}', open);
        const std::string name = text.substr(open + 1, close == std::string::npos ? close : close - open - 1);
        const bool is_name =
            !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
        if (is_name && !names.contains(name))
            errors.report(node, "unknown_word", fmt::format("the rule has no `{{{}}}`", name));
    }
}

std::set<std::string> metavariables(const std::string& where) {
    std::set<std::string> names{"line", "before", "after", "exit"};
    for (std::size_t at = where.find('$'); at != std::string::npos; at = where.find('$', at)) {
        at = std::min(where.find_first_not_of('$', at), where.size());
        const std::size_t end =
            std::min(where.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789", at),
                     where.size());
        if (end > at) names.insert(where.substr(at, end - at));
    }
    return names;
}

// A key whose value is one text or several.
std::vector<std::string> one_or_more(TomlTable& row, const char* key) {
    const toml::node* const node = row.any(key);
    return node != nullptr && node->is_string() ? std::vector{row.text(key, true)} : row.texts(key);
}

void check_function(const Rule& rule, const char* key, const std::vector<std::string>& known, TomlTable& row,
                    TomlErrors& errors) {
    if (std::ranges::find(known, rule.generator) != known.end()) return;
    errors.report(row.node(key), "unknown_word", fmt::format("there is no {} `{}`", key, rule.generator), {},
                  near_or(rule.generator, known));
}

void read_change(TomlTable& row, Rule& rule, std::set<std::string>& names, TomlErrors& errors) {
    rule.generator = row.text("generator", false);
    const std::string where = row.text("where", false);
    const toml::node* const change = row.any("change");
    if (!rule.generator.empty()) {
        check_function(rule, "generator", generator_names(), row, errors);
        if (!where.empty() || change)
            errors.report(row.node("generator"), "two_changes", say("row_generator_where_change"));
        names = {"line", "before", "after", "what", "other"};
        return;
    }
    if (where.empty() || !change)
        return errors.report_at(rule.line, 0, "missing_key", fmt::format("rule `{}` has no change", rule.id), {},
                                say("add_where_change_generator"));
    if (std::optional<source::Pattern> made = pattern(where, row.node("where"), errors))
        rule.where.push_back(std::move(*made));
    names = metavariables(where);
    for (const std::string& text : one_or_more(row, "change")) {
        for (const std::string& name : metavariables(text))
            if (!names.contains(name)) errors.report(change, "unknown_word", fmt::format("`where` has no `${}`", name));
        if (std::optional<source::Pattern> made = pattern(text, change, errors))
            rule.change.push_back(std::move(*made));
    }
}

// What stands between " | ".
std::vector<std::string> alternatives(std::string text) {
    std::vector<std::string> all;
    for (std::size_t bar = text.find(" | "); bar != std::string::npos; bar = text.find(" | ")) {
        all.push_back(text.substr(0, bar));
        text.erase(0, bar + 3);
    }
    all.push_back(text);
    return all;
}

void read_places(TomlTable& row, Rule& rule, std::set<std::string>& names, TomlErrors& errors) {
    rule.generator = row.text("finder", false);
    const std::vector<std::string> where = one_or_more(row, "where");
    if (!rule.generator.empty()) check_function(rule, "finder", finder_names(), row, errors);
    if (rule.generator.empty() == where.empty())
        errors.report_at(rule.line, 0, "missing_key", say("warning_where_finder", rule.id));
    for (const std::string& text : where) {
        names.merge(metavariables(text));
        if (std::optional<source::Pattern> made = pattern(text, row.node("where"), errors))
            rule.where.push_back(std::move(*made));
    }
    for (const std::string& text : row.texts("given")) {
        std::istringstream words(text);
        std::string name, verb, rest;
        words >> name >> verb;
        std::getline(words, rest);
        Given given{name.substr(std::min<std::size_t>(1, name.size())), verb == "is", {}};
        if (!names.contains(given.name))
            errors.report(row.node("given"), "unknown_word", fmt::format("`where` has no `${}`", given.name));
        for (const std::string& one : alternatives(rest)) {
            names.merge(metavariables(one));
            if (std::optional<source::Pattern> made = pattern(one, row.node("given"), errors))
                given.any.push_back(std::move(*made));
        }
        rule.given.push_back(std::move(given));
    }
    names.merge(std::set<std::string>{"match", "left", "sign", "function", "what", "other", "line", "more", "instead"});
}

void read_conditions(TomlTable& row, Rule& rule, const std::set<std::string>& names, TomlErrors& errors) {
    for (const std::string& text : row.texts("if")) {
        const std::optional<Condition> condition = condition_of(text);
        if (!condition) {
            errors.report(row.node("if"), "unknown_word", fmt::format("`{}` is not a condition", text), {},
                          near_or(text, condition_names()));
            continue;
        }
        for (const std::string& name : condition->of)
            if (!names.contains(name))
                errors.report(row.node("if"), "unknown_word", fmt::format("`where` has no `${}`", name));
        rule.conditions.push_back(*condition);
    }
}

Rule read_rule(const toml::table& table, bool is_warning, TomlErrors& errors) {
    TomlTable row(table, is_warning ? "`[[warning]]`" : "`[[rule]]`", errors);
    Rule rule;
    rule.path = errors.path();
    rule.line = row.line();
    rule.id = row.text("id", true);
    std::set<std::string> names;
    if (is_warning) {
        read_places(row, rule, names, errors);
        rule.is_once = row.boolean("once", false);
        rule.at = row.text("at", false);
        rule.says = row.text("says", true);
        rule.examples = one_or_more(row, "example");
        rule.counter_examples = one_or_more(row, "counter_example");
    } else {
        rule.on = row.texts("on", {"*"});
        read_change(row, rule, names, errors);
        rule.reach = static_cast<RuleReach>(choice(row, "reach", {"any", "function", "line", "everywhere"}, errors));
        rule.is_general = row.boolean("general", false);
        rule.is_together = row.boolean("together", false);
        rule.rank = row.whole_number("rank", 50, 1, 99);
        rule.deed = row.text("deed", false);
        check_template(rule.deed, names, row.node("deed"), errors);
        rule.example = row.text("example", true);
        rule.example_after = row.text("example_after", true);
    }
    rule.commutes = row.boolean("commutes", true);
    rule.side = static_cast<RuleSide>(choice(row, "side", {"any", "kernel", "host"}, errors));
    read_conditions(row, rule, names, errors);
    rule.title = row.text("title", true);
    rule.help = row.text("help", true);
    check_template(rule.title, names, row.node("title"), errors);
    check_template(rule.help, names, row.node("help"), errors);
    row.finish();
    return rule;
}

}  // namespace

Result<std::vector<Rule>> load_rules(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::ranges::sort(files);
    if (files.empty()) {
        TomlErrors errors(folder.string());
        errors.report(nullptr, "missing_file", fmt::format("`{}` has no rules", folder.string()));
        return *errors.first();
    }
    std::vector<Rule> rules;
    std::set<std::string> ids;
    for (const fs::path& file : files) {
        TomlErrors errors(file.string());
        const std::optional<toml::table> text = parse_toml(errors);
        if (text) {
            TomlTable table(*text, "the file", errors);
            for (const char* kind : {"rule", "warning"})
                for (const toml::table* row : table.tables(kind)) {
                    rules.push_back(read_rule(*row, kind == std::string_view("warning"), errors));
                    if (!ids.insert(rules.back().id).second)
                        errors.report(row->get("id"), "doubled_name",
                                      fmt::format("there are two rules `{}`", rules.back().id));
                }
            table.finish();
        }
        if (errors.first()) return *errors.first();
    }
    return rules;
}

std::string wrapped(const Rule& rule, const std::string& example) {
    if (example.find("void ") != std::string::npos) return example;
    const std::string head = rule.side == RuleSide::host ? "void" : "__global__ void";
    return head + " example(const float* in, float* out, int rows, int cols) {\n" + example + "\n}\n";
}

}  // namespace warpgrade::explain
