#include "explain/change.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/listed.hpp"
#include "explain/generators.hpp"
#include "explain/words.hpp"

namespace warpgrade::explain {

using namespace source;

namespace {

constexpr std::size_t most_of_a_rule = 128;  // edits of one rule
constexpr std::size_t most_known = 160;      // of all rules that know a mistake
constexpr int distance_cost = 12;            // in ranks: of one step away from a marked line

bool is_expression(const Tree& tree, NodeId node) {
    switch (tree[node].kind) {
        case NodeKind::name:
        case NodeKind::number:
        case NodeKind::unary:
        case NodeKind::postfix:
        case NodeKind::binary:
        case NodeKind::assignment:
        case NodeKind::conditional:
        case NodeKind::call:
        case NodeKind::subscript:
        case NodeKind::member:
        case NodeKind::cast:
        case NodeKind::parenthesised: return true;
        default: return false;
    }
}

// Whether the compiler wants to know the value: of a size, a label, a template's argument, a constant.
bool is_constant_by_place(const Facts& facts, NodeId node) {
    const Tree& tree = *facts.tree;
    const Function* const function = function_around(facts, node);
    if (!function || function->is_constexpr) return true;
    for (; node != no_node; node = tree[node].parent) {
        const NodeKind kind = tree[node].kind;
        if (kind == NodeKind::extent || kind == NodeKind::type || kind == NodeKind::case_label) return true;
        if (kind != NodeKind::declaration) continue;
        const std::string_view text = text_of(tree, node);
        if (text.starts_with("constexpr") || text.starts_with("static")) return true;
    }
    return false;
}

// An expression whose place needs more than its value: a variable to store to, a name to call.
bool is_more_than_value(const Tree& tree, NodeId node) {
    const NodeId above = tree[node].parent;
    if (above == no_node) return true;
    const bool is_first = tree[above].child == node;
    switch (tree[above].kind) {
        case NodeKind::member:
        case NodeKind::arrow:
        case NodeKind::postfix: return true;
        case NodeKind::unary: return tree[above].word != "-" && tree[above].word != "!" && tree[above].word != "~";
        case NodeKind::assignment:
        case NodeKind::call:
        case NodeKind::launch: return is_first;
        default: return false;
    }
}

// The innermost expression that holds [begin, end) of the text and can be replaced by another value.
NodeId expression_around(const Facts& facts, std::size_t begin, std::size_t end) {
    const Tree& tree = *facts.tree;
    NodeId innermost = no_node;
    std::size_t length = tree.tokens.text->size() + 1;
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        if (!is_expression(tree, node) || is_more_than_value(tree, node)) continue;
        const Range range = range_of(tree, node);
        if (range.offset > begin || range.end() < end || range.length == 0 || range.length >= length) continue;
        innermost = node;
        length = range.length;
    }
    return innermost == no_node || is_constant_by_place(facts, innermost) ? no_node : innermost;
}

// An operator around the expression takes it as an operand.
bool is_operand(const Tree& tree, NodeId node) {
    const NodeId above = tree[node].parent;
    if (above == no_node) return false;
    switch (tree[above].kind) {
        case NodeKind::unary:
        case NodeKind::postfix:
        case NodeKind::binary:
        case NodeKind::conditional:
        case NodeKind::member:
        case NodeKind::arrow:
        case NodeKind::cast: return true;
        case NodeKind::subscript: return tree[above].child == node;
        default: return false;
    }
}

// Has operators of its own outside of all parentheses, which those around it may take before.
bool is_loose(const std::string& expression) {
    int depth = 0;
    for (const CodeToken& token : tokens_of(expression).code) {
        if (token.text == "(" || token.text == "[" || token.text == "{") ++depth;
        if (token.text == ")" || token.text == "]" || token.text == "}") --depth;
        const bool is_part = token.text == "." || token.text == "->" || token.text == "::" || depth != 0 ||
                             token.text == ")" || token.text == "]";
        if (token.kind == TokenKind::sign && !is_part) return true;
    }
    return false;
}

void find_choice(const Facts& facts, Change& change) {
    const Tree& tree = *facts.tree;
    const std::string &before = change.before, &after = change.after;
    if (before.empty() || after.find_first_of(";{}") != std::string::npos) return;
    const auto [first, other] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    const std::size_t begin = static_cast<std::size_t>(first - before.begin());
    std::size_t rest = 0;  // that is the same at the end
    while (rest < before.size() - begin && rest < after.size() - begin &&
           before[before.size() - 1 - rest] == after[after.size() - 1 - rest])
        ++rest;
    NodeId node = expression_around(facts, change.at.offset + begin, change.at.offset + before.size() - rest);
    for (; node != no_node; node = tree[node].parent) {
        const Range range = range_of(tree, node);
        if (range.offset < change.at.offset || range.end() > change.at.end()) return;
        change.choice_after =
            after.substr(range.offset - change.at.offset,
                         after.size() - (range.offset - change.at.offset) - (change.at.end() - range.end()));
        if (!is_expression(tree, node) || is_more_than_value(tree, node)) return;
        if (is_operand(tree, node) && is_loose(change.choice_after)) continue;
        change.choice = range;
        return;
    }
}

struct Candidate {
    Change change;
    int tier = 0;
    std::size_t number = 0;  // of the rule's edits in this tier
    std::size_t rule = 0;
};

class Search {
public:
    Search(const Tree& tree, const Facts& facts, const Symptoms& symptoms)
        : tree_(tree), facts_(facts), symptoms_(symptoms) {
        seen_.insert(*tree.tokens.text);
    }

    void add(const Rule& rule, std::size_t number) {
        const Scene scene{facts_, symptoms_, rule.on};
        if (!is_triggered(rule)) return;
        rule_ = &rule;
        number_ = number;
        if (!rule.where.empty())
            add_matches(rule, scene);
        else
            for (Edit& edit : generator_named(rule.generator)(scene)) add_edit(scene, std::move(edit), {});
    }

    std::vector<Change> ranked(std::size_t most) {
        const auto score = [](const Candidate& candidate) {
            return candidate.change.rule->rank + distance_cost * candidate.tier;
        };
        std::ranges::stable_sort(found_, [&](const Candidate& a, const Candidate& b) {
            return std::tuple(score(a), a.number, a.tier, a.rule) < std::tuple(score(b), b.number, b.tier, b.rule);
        });
        std::vector<Change> changes;
        std::map<const Rule*, std::size_t> kept;
        std::size_t known = 0;
        for (Candidate& candidate : found_) {
            if (changes.size() >= most) break;
            const Rule* const rule = candidate.change.rule;
            if (!rule->is_general && known == most_known) continue;
            if (!seen_.insert(candidate.change.text).second || ++kept[rule] > most_of_a_rule) continue;
            if (!rule->is_general) ++known;
            changes.push_back(std::move(candidate.change));
            find_choice(facts_, changes.back());
        }
        return changes;
    }

private:
    bool is_triggered(const Rule& rule) const {
        if (rule.is_general && !symptoms_.first_code.empty())
            return std::ranges::find(rule.on, symptoms_.first_code) != rule.on.end();
        const auto is_found = [&](const std::string& code) {
            if (code == "*") return !symptoms_.codes.empty() || !symptoms_.by_line.empty();
            if (symptoms_.codes.contains(code)) return true;
            return std::ranges::any_of(symptoms_.by_line, [&](const auto& line) { return line.second.contains(code); });
        };
        return std::ranges::any_of(rule.on, is_found);
    }

    void add_matches(const Rule& rule, const Scene& scene) {
        const std::string& whole = *tree_.tokens.text;
        std::vector<std::pair<Edit, Words>> places;  // of the first replacement
        for (const Match& match : matches(rule.where.front(), tree_, no_node, {rule.commutes})) {
            const auto holds = [&](const Condition& condition) { return is_true(condition, facts_, match); };
            if (!fits_side(rule, facts_, match.first) || !std::ranges::all_of(rule.conditions, holds)) continue;
            Words words = words_of(tree_, match.bindings);
            words.emplace_back("exit", exit_word(facts_, match.first));
            for (const Pattern& replacement : rule.change) {
                const std::string text = rewrite(replacement, tree_, match);
                const std::size_t length = text.size() - (whole.size() - match.at.length);
                Edit edit{match.at, text.substr(match.at.offset, length), match.at.line, {}, {}, match.first};
                if (rule.is_together && &replacement == &rule.change.front()) places.emplace_back(edit, words);
                add_edit(scene, std::move(edit), words);
            }
        }
        add_together(scene, places);
    }

    // All places of a mistake that stands in several.
    void add_together(const Scene& scene, std::vector<std::pair<Edit, Words>>& places) {
        if (places.size() < 2) return;
        Edit all = places.front().first;
        std::set<int> lines{all.line};
        for (std::size_t i = 1; i < places.size(); ++i) {
            const Edit& next = places[i].first;
            if (next.at.offset < all.at.end()) return;  // one within the other
            all.after += tree_.tokens.text->substr(all.at.end(), next.at.offset - all.at.end()) + next.after;
            all.at.length = next.at.end() - all.at.offset;
            lines.insert(next.line);
        }
        Words words = std::move(places.front().second);
        // A message quotes the first of them.
        words.insert(words.begin(), {{"before", in_one_line(text_of(tree_, places.front().first.at))},
                                     {"after", in_one_line(places.front().first.after)}});
        if (lines.size() > 1) add_edit(scene, std::move(all), std::move(words), "change lines " + listed(lines));
    }

    void add_edit(const Scene& scene, Edit edit, Words words, std::string deed = {}) {
        const std::string& whole = *tree_.tokens.text;
        if (edit.at.end() > whole.size() || !fits_side(*rule_, facts_, edit.node)) return;
        const int tier = tier_of(scene, edit);
        if ((rule_->reach == RuleReach::line && tier > 0) || (rule_->reach == RuleReach::function && tier > 2)) return;
        Change change;
        change.rule = rule_;
        change.at = edit.at;
        change.line = edit.line;
        change.before = whole.substr(edit.at.offset, edit.at.length);
        change.after = std::move(edit.after);
        change.text = whole.substr(0, edit.at.offset) + change.after + whole.substr(edit.at.end());
        if (change.text == whole) return;
        words.insert(words.end(), {{"line", std::to_string(change.line)},
                                   {"before", in_one_line(change.before)},
                                   {"after", in_one_line(change.after)},
                                   {"what", in_one_line(edit.what)},
                                   {"other", in_one_line(edit.other)}});
        change.title = with_words(rule_->title, words);
        change.help = with_words(rule_->help, words);
        change.deed = deed.empty() ? with_words(rule_->deed, words) : std::move(deed);
        found_.push_back({std::move(change), tier, numbers_[{number_, tier}]++, number_});
    }

    // 0: on a line that the rule's findings mark; 1: on a line that decides what happens there; 2: elsewhere in its
    // function, in one that launches or calls it, or that it calls; 3: elsewhere.
    int tier_of(const Scene& scene, const Edit& edit) const {
        if (rule_->reach == RuleReach::everywhere) return 0;
        int last = edit.line, tier = 3;
        for (std::size_t i = edit.at.offset; i < edit.at.end(); ++i) last += (*tree_.tokens.text)[i] == '\n' ? 1 : 0;
        for (const auto& [marked, codes] : symptoms_.by_line) {
            if (!scene.marks(marked)) continue;
            if (edit.line <= marked && marked <= last) return 0;
            const std::set<int>& deciding = deciding_lines(marked);
            if (deciding.lower_bound(edit.line) != deciding.upper_bound(last))
                tier = std::min(tier, 1);
            else if (is_near(edit, marked))
                tier = std::min(tier, 2);
        }
        return tier;
    }
    bool is_near(const Edit& edit, int marked) const {
        const Function* const function = edit.node == no_node ? nullptr : function_around(facts_, edit.node);
        const Function* const failing = facts_.function_at(marked);
        if (!function || !failing) return false;
        return function == failing || leads(function, failing) || leads(failing, function);
    }
    // By a launch or a call.
    bool leads(const Function* from, const Function* to) const {
        const auto [known, is_new] = leads_.try_emplace({from, to}, false);
        if (!is_new) return known->second;
        const auto is_one = [&](std::string_view name, NodeId node) {
            return name == to->name && function_around(facts_, node) == from;
        };
        known->second =
            std::ranges::any_of(facts_.launches, [&](const Launch& l) { return is_one(l.kernel, l.node); }) ||
            std::ranges::any_of(facts_.calls, [&](const Call& call) { return is_one(call.name, call.node); });
        return known->second;
    }
    // The tests and loops around a line, and the definitions of the names in it, where a launch passes one, too.
    const std::set<int>& deciding_lines(int marked) const {
        const auto [known, is_new] = deciding_.try_emplace(marked);
        if (!is_new || marked <= 0 || static_cast<std::size_t>(marked) >= facts_.statement_line.size())
            return known->second;
        std::set<int>& lines = known->second;
        for (const Guard* guard : facts_.guards_before(marked)) lines.insert(guard->line);
        for (NodeId node = facts_.statement_line[static_cast<std::size_t>(marked)]; node != no_node;
             node = tree_[node].parent)
            for (const Loop& loop : facts_.loops)
                if (loop.node == node) lines.insert(loop.line);
        for (const Definition& definition : facts_.definitions)
            if (facts_.function_at(definition.at.line) == facts_.function_at(marked) &&
                is_named_on(definition.name, marked))
                lines.insert(definition.at.line);
        if (const Function* const kernel = facts_.function_at(marked))
            if (std::ranges::any_of(kernel->parameters, [&](const Parameter& parameter) {
                    return parameter.pointers == 0 && is_named_on(parameter.name, marked);
                }))
                for (const Launch& launch : facts_.launches)
                    if (launch.kernel == kernel->name) lines.insert(launch.line);
        return lines;
    }
    bool is_named_on(std::string_view name, int line) const {
        const NodeId statement = facts_.statement_line[static_cast<std::size_t>(line)];
        return statement != no_node && tree_[statement].kind != NodeKind::block &&
               names_in(tree_, statement).contains(name);
    }

    const Tree& tree_;
    const Facts& facts_;
    const Symptoms& symptoms_;
    const Rule* rule_ = nullptr;
    std::size_t number_ = 0;
    std::vector<Candidate> found_;
    std::map<std::pair<std::size_t, int>, std::size_t> numbers_;
    std::set<std::string> seen_;
    mutable std::map<int, std::set<int>> deciding_;
    mutable std::map<std::pair<const Function*, const Function*>, bool> leads_;
};

}  // namespace

std::vector<Change> changes_for(const Tree& tree, const Facts& facts, const Symptoms& symptoms,
                                const std::vector<Rule>& rules, std::size_t most) {
    Search search(tree, facts, symptoms);
    for (std::size_t i = 0; i < rules.size(); ++i) search.add(rules[i], i);
    return search.ranked(most);
}

}  // namespace warpgrade::explain
