// What further runs and the text say of wrong outputs: which elements are counted how often, where a value is narrowed.
#include <algorithm>

#include "explain/access_place.hpp"
#include "explain/advice_text.hpp"
#include "explain/say.hpp"
#include "grade/wrong_outputs.hpp"
#include "source/questions.hpp"

namespace warpgrade {

// What the first wrong element is the sum of, where there are many.
void WrongOutputs::explain_elements(const Counting& counting, const Submitted& text) {
    Mistake* const unknown = find(KnownMistake::unknown);
    if (unknown == nullptr) return;
    const auto is_its = [&](const CaseResult& one) {
        return one.verdict == Verdict::wrong && one.variant.empty() && one.judgement && one.judgement->first_wrong &&
               one.judgement->pattern == KnownMistake::unknown &&
               shape_argument(one.shape) == unknown->diagnostic.shape;
    };
    const auto one = std::ranges::find_if(result_.cases, is_its);
    if (one == result_.cases.end()) return;
    auto counted = counting.output(one->shape, *one->judgement->first_wrong);
    if (!counted) return;
    Diagnostic& told = unknown->diagnostic;
    told.facts.push_back(std::move(counted->fact));
    if (!counted->help.empty()) told.help = std::move(counted->help);
    if (!counted->title.empty()) told.title = std::move(counted->title);
    if (counted->line != 0) told.marks = {text.mark(counted->line)};
}

namespace {

// piece = n / threads;
SourceMark mark_of_rounded_share(const Submitted& text) {
    const source::Tree& tree = *text.facts.tree;
    for (const source::Definition& share : text.facts.definitions) {
        const source::NodeId value = binary(tree, share.value, "/");
        if (value != source::no_node && plain_name(tree, tree[value].child) == "n")
            return text.mark(share.at.line, "rounded down");
    }
    return {};
}

void add_facts(Diagnostic& told, const CountedElements& counted) {
    told.facts.push_back(counted.fact);
    told.facts.insert(told.facts.end(), counted.facts.begin(), counted.facts.end());
}

}  // namespace

void WrongOutputs::explain_counts(const Counting& counting, const Submitted& text) {
    const auto may_be_counts = [](const Mistake& m) {
        return m.diagnostic.code == "wrong_output" && !m.effect.is_of_value;
    };
    std::vector<Shape> wrong;
    for (const CaseResult& one : result_.cases)
        if (one.verdict == Verdict::wrong && one.variant.empty()) wrong.push_back(one.shape);
    const auto first = std::ranges::find_if(mistakes_, may_be_counts);
    if (first == mistakes_.end() || !are_errors_rare(static_cast<int>(wrong.size()))) return;
    rounded_ = mark_of_rounded_share(text);
    explain_elements(counting, text);
    const auto open = std::ranges::find_if(mistakes_, [](const Mistake& m) { return !m.is_recognised; });
    const auto counted = counting.elements(wrong, open == mistakes_.end());
    if (!counted) return;
    if (counted->pattern.empty()) {
        if (open != mistakes_.end()) tell_counted(*open, *counted, text);
        return;
    }
    // What is known of every block explains what all shapes look like.
    Mistake cause = *first;
    cause.pattern = counted->pattern;
    cause.effect = {};
    cause.is_recognised = cause.is_cause = true;
    cause.cases = 0;
    for (const Mistake& m : mistakes_)
        if (may_be_counts(m)) cause.cases += m.cases;
    dismiss(may_be_counts, counted->title);
    Diagnostic& told = cause.diagnostic;
    told.title = counted->title;
    told.help = counted->help;
    told.mend_line = counted->todo;
    told.facts.clear();
    if (!counted->shape.empty()) {
        told.shape = counted->shape;
        told.facts.push_back("shape " + counted->shape);
    }
    if (!counted->sums.empty()) told.facts.push_back(counted->sums);
    add_facts(told, *counted);
    told.marks = {counted->line != 0 ? text.mark(counted->line) : SourceMark{text.path, 0, 0, 1, ""}};
    mistakes_.insert(mistakes_.begin(), std::move(cause));
}

void WrongOutputs::tell_counted(Mistake& open, const CountedElements& counted, const Submitted& text) {
    Diagnostic& told = open.diagnostic;
    if (open.pattern == KnownMistake::wrong_sum && !counted.title.empty()) {
        told.title = counted.title;
        told.shape = counted.shape;
        told.facts = {"shape " + counted.shape, counted.sums};
    }
    add_facts(told, counted);
    if (open.pattern != KnownMistake::odd_block) told.help = counted.help;  // that says why
    if (counted.line != 0) told.marks = {text.mark(counted.line)};
}

namespace {

// "`tile` holds int, as line 10 has it": the shared array that the line stores to, or the only one of the type; ""
// where there is none.
Advice narrow_array(const source::Facts& facts, int line, std::string_view type) {
    const auto has_type = [&](const source::SharedArray& one) { return one.type.find(type) != one.type.npos; };
    const source::SharedArray* array = only_shared_array(facts, stored_array(facts, line));
    if (array == nullptr && std::ranges::count_if(facts.shared_arrays, has_type) == 1)
        array = &*std::ranges::find_if(facts.shared_arrays, has_type);
    if (array == nullptr || !has_type(*array)) return {};
    return {say("holds_line_make_type", array->name, type, array->line), array->line};
}

}  // namespace

namespace {

// The function that returns what the line makes, where its head has that type.
const source::Function* returning_at(const source::Facts& facts, int line, std::string_view type) {
    const source::Tree& tree = *facts.tree;
    const source::Function* const function = facts.function_at(line);
    const bool returns = std::ranges::any_of(tree.nodes, [&](const source::Node& node) {
        return node.kind == source::NodeKind::return_statement && tree.tokens.code[node.first].at.line == line;
    });
    if (function == nullptr || !returns) return nullptr;
    for (source::TokenId i = tree[function->node].first;
         i < tree[function->node].last && tree.tokens.code[i].text != "("; ++i)
        if (tree.tokens.code[i].text == type) return function;
    return nullptr;
}

}  // namespace

void WrongOutputs::explain_rounding(const NarrowValue& value, const Submitted& text) {
    static constexpr KnownMistake off_a_little[]{KnownMistake::inaccurate, KnownMistake::rounded,
                                                 KnownMistake::overflowed, KnownMistake::digits_lost};
    const bool is_float = value.into.starts_with("float"), is_whole = value.into == "whole numbers";
    const auto is_off = [&](const Mistake& m) {
        return std::ranges::any_of(off_a_little, [&](KnownMistake one) { return m.pattern == one; }) ||
               (m.pattern == KnownMistake::unknown && (is_whole || (is_float && m.is_of_large)));
    };
    const auto first = std::ranges::find_if(mistakes_, is_off);
    if (first == mistakes_.end()) return;
    Mistake narrowed = std::move(*first);
    mistakes_.erase(first);
    narrowed.is_recognised = narrowed.is_cause = true;
    const bool is_moved = narrowed.pattern == KnownMistake::digits_lost || narrowed.pattern == KnownMistake::unknown;
    narrowed.pattern = "narrowed";
    narrowed.effect = {};
    narrowed.effect.is_of_value = true;
    Diagnostic& told = narrowed.diagnostic;
    told.title = is_moved ? say("values_turned_into_stored", value.into) : say("values_turned_into_sum", value.into);
    told.marks = {{text.path, value.line, 0, 1, "here"}};
    told.help = is_moved ? say("keep_them_type_elements") : say("keep_them_float_load");
    if (Advice array = narrow_array(text.facts, value.line, is_float ? "float" : "int"); !array.empty()) {
        if (is_float) told.marks = {text.mark(array.line)};
        give(told, std::move(array));
    } else if (const source::Function* const function =
                   returning_at(text.facts, value.line, is_float ? "float" : "int")) {
        told.marks.insert(told.marks.begin(), text.mark(function->line, "", std::string(function->name)));
        told.help = say("function_returns_narrow", function->line, function->name, is_float ? "float" : "int");
    }
    // Of contents that are made to show such things the rest is a consequence: those cannot be given by --shape.
    const auto follows = [&](const Mistake& m) { return is_off(m) || m.diagnostic.shape.empty(); };
    for (const Mistake& m : mistakes_)
        if (follows(m)) narrowed.cases += m.cases;
    std::erase_if(mistakes_, follows);
    mistakes_.insert(mistakes_.begin(), std::move(narrowed));
}

}  // namespace warpgrade
