#include "problem/effect_reader.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "base/code_text.hpp"
#include "problem/description_fields.hpp"

namespace warpgrade {

namespace {

// "chunk = 2 * threads"
void read_lets(EffectRule& rule, TomlTable& table, TomlErrors& errors) {
    for (const std::string& text : table.texts("let")) {
        const std::size_t sign = text.find('=');
        const std::string name = text.substr(0, text.find_last_not_of(' ', std::min(sign, text.size()) - 1) + 1);
        if (sign == text.npos || !is_identifier(name))
            errors.report(table.node("let"), "bad_let", fmt::format("`{}` gives nothing a name", text), {},
                          "write let = [\"chunk = 2 * threads\"]");
        else
            rule.lets.emplace_back(name, text.substr(sign + 1));
    }
}

// `holds`: a place in the input, its index or one of each dimension; or a list of such.
void read_holds(EffectRule& rule, TomlTable& table, TomlErrors& errors) {
    const toml::node* node = table.any("holds");
    if (!node) return;
    const toml::array* list = node->as_array();
    if (!list || list->empty() || !list->front().is_array()) {
        rule.holds.push_back(expressions(node, "holds", errors));
        return;
    }
    for (const toml::node& each : *list) rule.holds.push_back(expressions(&each, "holds", errors));
}

}  // namespace

EffectRule read_rule(const toml::table& source, const EffectCase& names, TomlErrors& errors) {
    TomlTable table(source, "a [[mistake]]", errors);
    EffectRule rule;
    rule.line = table.line();
    rule.name = table.text("name", true);
    rule.title = table.text("title", true);
    rule.help = table.text("help", true);
    rule.fact = table.text("fact", false);
    rule.part = table.text("part", false);
    rule.condition = expression(table, "if", false, errors);
    read_holds(rule, table, errors);
    read_lets(rule, table, errors);
    rule.tries = expressions(table.any("tries"), "tries", errors);
    rule.steps = expressions(table.any("steps"), "steps", errors);
    rule.to = expression(table, "to", false, errors);
    if (const toml::table* shows = table.table("shows"))
        for (const auto& [name, value] : *shows)
            for (const std::string& each : expressions(&value, "shows", errors))
                rule.shows[std::string(name.str())] = each;
    rule.place = mistake_place(table, errors);
    const std::string rank = choice(table, "rank", false, {"recognised", "cause", "general"}, errors);
    rule.is_cause = rank == "cause";
    rule.is_general = rank == "general";
    table.finish();
    identifier(rule.name, table.node("name"), errors);
    if (errors.first()) return rule;
    if (const auto wrong = wrong_with(rule, names))
        errors.report_at(rule.line, 0, "bad_expression",
                         fmt::format("`{}` of the mistake `{}`: {}", wrong->key, rule.name, wrong->error.says),
                         {fmt::format("in `{}`", wrong->expression)}, wrong->error.help);
    return rule;
}

std::vector<EffectRule> rules_inside(const char* text, const std::string& file, const EffectCase& names) {
    TomlErrors errors(file);
    const toml::table root = toml::parse(std::string_view(text));
    std::vector<EffectRule> rules;
    for (const toml::table* each : TomlTable(root, "the file", errors).tables("mistake"))
        rules.push_back(read_rule(*each, names, errors));
    if (errors.first()) throw std::logic_error(file + ": " + errors.first()->title);
    return rules;
}

}  // namespace warpgrade
