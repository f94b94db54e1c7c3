#include "problem/description_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "problem/contents.hpp"
#include "problem/description_fields.hpp"
#include "problem/effect_reader.hpp"
#include "problem/moves.hpp"
#include "problem/words.hpp"

namespace warpgrade {

namespace {

constexpr std::int64_t newest_format = 1;

ReferenceForm form_named(const std::string& word) {
    return word == "scatter"      ? ReferenceForm::scatter
           : word == "sequential" ? ReferenceForm::sequential
           : word == "moves"      ? ReferenceForm::moves
           : word == "sum"        ? ReferenceForm::sum
                                  : ReferenceForm::gather;
}
const std::vector<std::string> forms{"gather", "scatter", "sequential"};  // of functions
const std::vector<std::string> references{"gather", "scatter", "sequential", "moves", "sum"};

void read_comparison(TomlTable& table, OutputComparison& compare, TomlErrors& errors) {
    const toml::node* node = table.any("compare");
    const std::string help =
        "bits, exact, rounding, { ulps = 4 }, { summation = \"n\", magnitude = \"f\" } or { function = \"f\" }";
    if (!node) return errors.report_at(table.line(), 0, "missing_key", "there is no `compare`", {}, help);
    if (const auto* word = node->as_string()) {
        if (word->get() == "exact")
            compare.kind = OutputComparison::Kind::exact;
        else if (word->get() == "rounding")
            compare.kind = OutputComparison::Kind::rounding;
        else if (word->get() != "bits")
            errors.report(node, "unknown_word", fmt::format("`{}` is not a comparison", word->get()), {}, help);
        return;
    }
    if (!node->is_table()) return errors.report(node, "wrong_type", "`compare` is not a comparison", {}, help);
    TomlTable inner(*node->as_table(), "`compare`", errors);
    compare.ulps = inner.whole_number("ulps", 0, 1, 1 << 20);
    compare.terms = expression(inner, "summation", false, errors);
    const std::string magnitude = inner.text("magnitude", !compare.terms.empty());
    const std::string function = inner.text("function", false);
    inner.finish();
    const int kinds = (compare.ulps != 0) + !compare.terms.empty() + !function.empty();
    if (kinds != 1 || (compare.terms.empty() && !magnitude.empty()))
        return errors.report(node, "bad_comparison", "`compare` is not one comparison", {}, help);
    compare.kind = compare.ulps != 0        ? OutputComparison::Kind::ulps
                   : !compare.terms.empty() ? OutputComparison::Kind::summation
                                            : OutputComparison::Kind::function;
    compare.function = function.empty() ? magnitude : function;
    if (compare.kind != OutputComparison::Kind::ulps) identifier(compare.function, node, errors);
}

EffectRule read_rule_of(const toml::table& source, const ProblemDescription& problem, TomlErrors& errors) {
    EffectRule rule = read_rule(source, {names_of_rules(problem), places_of_rules(problem.reference), {}}, errors);
    if (has_function(problem.reference))
        errors.report_at(rule.line, 0, "bad_mistake", fmt::format("the mistake `{}` is an expression", rule.name),
                         {"the reference is a function: mistakes are functions, too"},
                         "write a function in problem.cu, and leave out `if` and `holds`");
    return rule;
}

DescribedMistake read_mistake(const toml::table& source, const ProblemDescription& problem, TomlErrors& errors) {
    TomlTable table(source, "a [[mistake]]", errors);
    DescribedMistake mistake;
    mistake.line = table.line();
    mistake.name = table.text("name", true);
    mistake.title = table.text("title", true);
    mistake.help = table.text("help", true);
    mistake.form = has_function(problem.reference) ? problem.reference : ReferenceForm::gather;
    if (table.node("form"))
        mistake.form = form_named(choice(table, "form", true, forms, errors));
    else
        (void)table.any("form");
    mistake.tries = table.whole_numbers("tries", 1, 1 << 20);
    mistake.place = mistake_place(table, errors);
    mistake.output = table.text("output", false);
    table.finish();
    std::vector<std::string> outputs;
    for (const std::size_t b : problem.outputs()) outputs.push_back(problem.buffers[b].name);
    if (!mistake.output.empty() && std::ranges::find(outputs, mistake.output) == outputs.end())
        errors.report(table.node("output"), "unknown_buffer", fmt::format("`{}` is not an output", mistake.output), {},
                      near_or(mistake.output, outputs, ""));
    if (mistake.output.empty() && mistake.form == ReferenceForm::gather && outputs.size() > 1)
        errors.report_at(mistake.line, 0, "missing_key", fmt::format("the mistake `{}` has no `output`", mistake.name),
                         {"there are several, and its function gives an element of one"});
    identifier(mistake.name, table.node("name"), errors);
    if (mistake.form == ReferenceForm::scatter && problem.scatter_over.empty())
        errors.report(table.node("form"), "missing_key",
                      "a mistake is of the form scatter, and there is no `scatter_over`");
    for (const DescribedMistake& other : problem.mistakes)
        if (other.name == mistake.name)
            errors.report(table.node("name"), "duplicate_name",
                          fmt::format("two mistakes are called `{}`", other.name));
    return mistake;
}

void check_names(const ProblemDescription& problem, const toml::table& root, TomlErrors& errors) {
    std::set<std::string> known;
    const auto add = [&](const std::string& name, const char* key) {
        identifier(name, root.get(key), errors);
        if (!known.insert(name).second)
            errors.report(root.get(key), "duplicate_name", fmt::format("two numbers are called `{}`", name));
    };
    for (const std::string& name : problem.extents) add(name, "extents");
    for (const auto& [name, value] : problem.numbers) add(name, "numbers");
    for (const auto& [name, value] : problem.constants) add(name, "constants");
    for (const auto& [name, value] : problem.reals) add(name, "constants");
    if (problem.extents.empty() || problem.extents.size() > 4)
        errors.report(root.get("extents"), "bad_extents",
                      fmt::format("the problem has {} extents", problem.extents.size()), {"it has 1 to 4"});
}

// Contents for sums are floats, and what is timed is made on a card.
void check_contents(const ProblemDescription& problem, const toml::table& root, TomlErrors& errors) {
    for (const DescribedBuffer& buffer : problem.buffers) {
        if (buffer.contents.empty()) continue;
        std::vector<std::string> all{buffer.contents};
        for (const auto& [variant, contents] : buffer.variants) all.push_back(contents);
        for (const std::string& name : all) {
            const KnownContents* known = contents_named(name);
            if (known && known->is_for_sums && buffer.type != "float")
                errors.report(root.get("buffer"), "bad_contents",
                              fmt::format("`{}` of `{}` are contents of floats", name, buffer.name),
                              {fmt::format("the elements of `{}` are {}", buffer.name, buffer.type)});
            const bool is_extent = buffer.extents.size() == 1 &&
                                   std::ranges::find(problem.extents, buffer.extents[0]) != problem.extents.end();
            if (name == "whole" && !is_extent)
                errors.report(root.get("buffer"), "bad_contents",
                              fmt::format("`whole` numbers of `{}`: how many are there?", buffer.name),
                              {"as many as an extent says, which is the only extent of the buffer"});
        }
        if (const KnownContents* usual = contents_named(buffer.contents); usual && !usual->is_on_card)
            errors.report(root.get("buffer"), "bad_contents",
                          fmt::format("`{}` of `{}` are for some shapes only", buffer.contents, buffer.name), {},
                          "put it into `variants`");
    }
}

// What an output holds before is made anew for each comparison, on the host and on a card.
void check_updated(const ProblemDescription& problem, const toml::table& root, TomlErrors& errors) {
    if (errors.first() || !problem.output().is_updated()) return;
    const DescribedBuffer& out = problem.output();
    if (problem.reference != ReferenceForm::gather && problem.reference != ReferenceForm::scatter)
        errors.report(root.get("reference"), "bad_reference",
                      fmt::format("`{}` is read and written, and the reference is of another form", out.name),
                      {"gather: an element from what the buffers held before; scatter: what is added to that"});
    const bool is_own = !contents_named(out.contents) || std::ranges::any_of(out.variants, [](const auto& variant) {
        return !contents_named(variant.second);
    });
    if (is_own)
        errors.report(root.get("buffer"), "bad_contents",
                      fmt::format("contents of `{}` are a function of problem.cu", out.name),
                      {"what is read and written has contents that the kit makes"},
                      "pattern, small, halves, bytes, sparse, zeros, ones or index");
}

void check_sum(const ProblemDescription& problem, const toml::node* node, TomlErrors& errors) {
    if (errors.first()) return;
    const DescribedBuffer &in = problem.input(), &out = problem.output();
    const bool is_one = out.extents == std::vector<std::string>{"1"};
    if (!is_one || in.type != "float" || out.type != "float" || in.contents != "whole")
        errors.report(node, "bad_sum", "the reference is a sum, and the buffers do not fit",
                      {"the first input holds floats, `whole` ones, and the output has 1 float, their sum"});
}

DescribedWords read_words(const toml::table& source, const ProblemDescription& problem, TomlErrors& errors) {
    TomlTable table(source, "a [[words]]", errors);
    DescribedWords words;
    words.of = table.text("of", true);
    words.name = table.text("name", false);
    words.title = table.text("title", false);
    words.help = table.text("help", false);
    table.finish();
    const std::vector<std::string>& known = known_mistakes(problem.reference);
    const std::vector<std::string>& names = named_in_words();
    if (std::ranges::find(known, words.of) == known.end())
        errors.report(table.node("of"), "unknown_mistake", fmt::format("the kit recognises no `{}`", words.of), {},
                      near_or(words.of, known, ""));
    if (!words.name.empty()) identifier(words.name, table.node("name"), errors);
    for (const char* key : {"title", "help"}) {
        const std::string& text = key[0] == 't' ? words.title : words.help;
        for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
            const std::string name = text.substr(at + 1, text.find('}', at) - at - 1);
            if (std::ranges::find(names, name) == names.end())
                errors.report(table.node(key), "unknown_name", fmt::format("what is `{{{}}}`?", name),
                              {fmt::format("there are: {}", fmt::join(names, ", "))}, near_or(name, names, ""));
        }
    }
    return words;
}

void check_comparison(const ProblemDescription& problem, const toml::node* node, TomlErrors& errors) {
    const auto kind = problem.compare.kind;
    if ((kind == OutputComparison::Kind::rounding) != (problem.reference == ReferenceForm::sum))
        errors.report(node, "bad_comparison", "`compare` and `reference` do not fit", {},
                      "a sum is compared by `rounding`, and nothing else is");
    if (problem.reference == ReferenceForm::moves && kind != OutputComparison::Kind::bits)
        errors.report(node, "bad_comparison", "elements that are moved are compared by `bits`");
    if (problem.buffers.empty() || kind == OutputComparison::Kind::bits || kind == OutputComparison::Kind::function)
        return;
    if (problem.output().type == "float4")
        errors.report(node, "bad_comparison", "elements of several numbers are compared by `bits` or a function");
}

void read_launcher(TomlTable& table, ProblemDescription& problem, TomlErrors& errors) {
    problem.name = table.text("name", true);
    problem.title = table.text("title", false, problem.name);
    problem.launcher_text = table.text("launcher", true);
    if (!problem.launcher_text.empty()) {
        auto launcher = parse_launcher(problem.launcher_text);
        if (launcher)
            problem.launcher = std::move(*launcher);
        else
            errors.report(table.node("launcher"), launcher.error().code, launcher.error().title, launcher.error().facts,
                          launcher.error().help);
    }
}

// What it takes: bytes, operations, and what its rate is held against.
void read_work(TomlTable& table, ProblemDescription& problem, TomlErrors& errors) {
    for (const char* key : {"useful_bytes", "flops", "elements", "scatter_over"})
        if (const toml::node* node = table.node(key)) problem.lines[key] = static_cast<int>(node->source().begin.line);
    problem.useful_bytes = expression(table, "useful_bytes", true, errors);
    problem.flops = expression(table, "flops", false, errors);
    problem.elements = expression(table, "elements", false, errors);
    const std::string yardstick = choice(table, "yardstick", false, {"copy", "read", "compute"}, errors);
    for (const Yardstick one : {Yardstick::read, Yardstick::compute})
        if (yardstick == to_string(one)) problem.yardstick = one;
    if (problem.yardstick == Yardstick::compute && problem.flops.empty())
        errors.report(table.node("yardstick"), "missing_key", "the yardstick is arithmetic, and there is no `flops`",
                      {"the yardstick makes as many floating-point operations as the problem takes"},
                      "add flops = \"2 * rows * cols * depth\", a multiplication and an addition for each product");
}

}  // namespace

void read_description(const toml::table& root, ProblemDescription& problem, TomlErrors& errors) {
    TomlTable table(root, "the problem", errors);
    if (const toml::node* format = table.any("format"); !format || !format->is_integer())
        errors.report(format, "missing_key", "the problem has no `format`", {}, "add format = 1");
    else if (format->as_integer()->get() != newest_format)
        errors.report(format, "unknown_format", fmt::format("this kit reads format {}", newest_format));
    read_launcher(table, problem, errors);
    problem.extents = table.texts("extents");
    problem.numbers = whole_numbers(table, "numbers", errors);
    problem.constants = whole_numbers(table, "constants", errors, &problem.reals);
    check_names(problem, root, errors);
    read_work(table, problem, errors);
    read_comparison(table, problem.compare, errors);
    problem.reference = form_named(choice(table, "reference", true, references, errors));
    const std::string moves = table.text("moves", problem.reference == ReferenceForm::moves);
    if (!moves.empty() && problem.reference != ReferenceForm::moves)
        errors.report(table.node("moves"), "unused_key", "`moves` says where elements go, and nothing asks for it", {},
                      "write reference = \"moves\"");
    problem.scatter_over = expression(table, "scatter_over", problem.reference == ReferenceForm::scatter, errors);
    read_buffers(table, problem, errors);
    const bool has_one_output = problem.outputs().size() < 2;
    problem.card_check = table.text("card_check", has_one_output && problem.reference == ReferenceForm::sequential);
    if (!problem.card_check.empty()) identifier(problem.card_check, table.node("card_check"), errors);
    if (!has_one_output) problem.card_check = problem.output().card_check;
    if (problem.elements.empty() && !problem.buffers.empty())
        problem.elements = "elements(" + problem.buffers.front().name + ")";
    check_contents(problem, root, errors);
    check_updated(problem, root, errors);
    check_comparison(problem, table.node("compare"), errors);
    if (problem.reference == ReferenceForm::moves && !errors.first()) {
        if (auto axes = moves_from(moves, problem))
            problem.moves = std::move(*axes);
        else
            errors.report(table.node("moves"), axes.error().code, axes.error().title, axes.error().facts,
                          axes.error().help);
    }
    if (problem.reference == ReferenceForm::sum) check_sum(problem, table.node("reference"), errors);
    read_all_shapes(table, problem, errors);
    for (const toml::table* source : table.tables("mistake"))
        if (source->contains("if") || source->contains("holds"))
            problem.rules.push_back(read_rule_of(*source, problem, errors));
        else
            problem.mistakes.push_back(read_mistake(*source, problem, errors));
    for (const toml::table* source : table.tables("words"))
        problem.words.push_back(read_words(*source, problem, errors));
    table.finish();
}

}  // namespace warpgrade
