#include "explain/warnings.hpp"

#include <algorithm>
#include <tuple>

#include "explain/finders.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

constexpr std::size_t most_warnings_of_a_rule = 64;

class Warner {
public:
    explicit Warner(const Facts& facts) : facts_(facts), tree_(*facts.tree) {}

    void add(const Rule& rule) {
        const std::size_t first = found.size();
        if (!rule.generator.empty())
            for (const Finding& finding : finder_named(rule.generator)(facts_)) tell(rule, first, finding);
        for (const Pattern& where : rule.where)
            for (const Match& match : matches(where, tree_, no_node, {rule.commutes})) {
                if (found.size() - first >= most_warnings_of_a_rule) break;
                Finding finding{match.first, {}, {}};
                if (!fits_side(rule, facts_, match.first) || !holds(rule, 0, match, finding)) continue;
                finding.words.emplace_back("match", in_one_line(text_of(tree_, match.at)));
                if (const Node& made = tree_[match.first]; made.kind == NodeKind::binary) {
                    finding.words.emplace_back("left", in_one_line(text_of(tree_, made.child)));
                    finding.words.emplace_back("sign", made.word);
                }
                tell(rule, first, finding);
            }
    }

    std::vector<Warning> found;

private:
    // With what the rule is given from `number` on, and under its conditions.
    bool holds(const Rule& rule, std::size_t number, const Match& match, Finding& finding) const {
        if (number == rule.given.size()) {
            const auto is_so = [&](const Condition& condition) { return is_true(condition, facts_, match); };
            if (!std::ranges::all_of(rule.conditions, is_so)) return false;
            finding.words = words_of(tree_, match.bindings);
            if (finding.at.line == 0) finding.at = place(rule, match);
            return true;
        }
        const Given& given = rule.given[number];
        const Binding* const name = match.binding(given.name);
        if (name == nullptr) return false;
        for (const Definition* definition : definitions_of(match, *name)) {
            const NodeId value = definition == nullptr ? name->first : definition->value;
            for (const NodeId node : given.is_whole ? std::vector{inside(tree_, value)} : nodes_in(tree_, value))
                for (const Pattern& pattern : given.any) {
                    const auto more = match_at(pattern, tree_, node, {rule.commutes}, match.bindings);
                    if (!more) continue;
                    Match all = match;
                    all.bindings = more->bindings;
                    if (!holds(rule, number + 1, all, finding)) continue;
                    if (rule.at == "given" && number + 1 == rule.given.size()) finding.at = range_of(tree_, node);
                    if (rule.at == "definition" && definition != nullptr) finding.at = definition->at;
                    return true;
                }
        }
        return false;
    }
    // That give the name its values in the function of the match; nullptr: it is no name, but a value.
    std::vector<const Definition*> definitions_of(const Match& match, const Binding& name) const {
        const std::string_view word = name.first == no_node ? name.word : plain_name(tree_, name.first);
        const auto known = facts_.definitions_by_name.find(word);
        if (word.empty() || known == facts_.definitions_by_name.end()) return {nullptr};
        std::vector<const Definition*> all;
        for (const std::uint32_t index : known->second) {
            const Definition& definition = facts_.definitions[index];
            const bool is_value = definition.kind != DefinitionKind::updated && !is_missing(tree_, definition.value);
            if (is_value && function_around(facts_, definition.node) == function_around(facts_, match.first))
                all.push_back(&definition);
        }
        return all;
    }
    Range place(const Rule& rule, const Match& match) const {
        const Node& made = tree_[match.first];
        if (rule.at.empty()) return match.at;
        if (rule.at == "last") return range_of(tree_, match.last);
        if (rule.at == "sign") return tree_.tokens.code[tree_[made.child].last].at;
        if (const Binding* const binding = match.binding(rule.at.substr(1)); rule.at[0] == '$' && binding != nullptr)
            return binding->at;
        for (TokenId i = made.first; i < tree_[match.last].last; ++i)
            if (tree_.tokens.code[i].text == rule.at) return tree_.tokens.code[i].at;
        return match.at;
    }

    void tell(const Rule& rule, std::size_t first, const Finding& finding) {
        const Function* const function = function_around(facts_, finding.node);
        const auto is_told = [&](const Warning& warning) {
            return (warning.line == finding.at.line && warning.column == finding.at.column) ||
                   (rule.is_once && facts_.function_at(warning.line) == function);
        };
        if (!fits_side(rule, facts_, finding.node)) return;
        if (std::any_of(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(), is_told)) return;
        Words words = finding.words;
        words.emplace_back("function", function == nullptr ? "" : function->name);
        words.emplace_back("line", std::to_string(line_of(tree_, finding.node)));
        found.push_back(
            {&rule, finding.at.line, finding.at.column, with_words(rule.title, words), with_words(rule.help, words)});
    }

    const Facts& facts_;
    const Tree& tree_;
};

}  // namespace

Finder finder_named(std::string_view name) {
    for (const auto* rows : {&finders_of_variables, &finders_of_expressions, &finders_of_calls})
        for (const FinderRow& row : *rows)
            if (row.name == name) return row.find;
    return nullptr;
}

std::vector<std::string> finder_names() {
    std::vector<std::string> names;
    for (const auto* rows : {&finders_of_variables, &finders_of_expressions, &finders_of_calls})
        for (const FinderRow& row : *rows) names.emplace_back(row.name);
    return names;
}

std::vector<Warning> warnings_of(const Facts& facts, const std::vector<Rule>& rules) {
    Warner warner(facts);
    for (const Rule& rule : rules)
        if (rule.is_warning()) warner.add(rule);
    std::ranges::stable_sort(warner.found, [](const Warning& a, const Warning& b) {
        return std::tuple(a.line, a.column) < std::tuple(b.line, b.column);
    });
    return std::move(warner.found);
}

}  // namespace warpgrade::explain
