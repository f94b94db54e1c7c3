#include "problem/description_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "problem/contents.hpp"
#include "problem/description_fields.hpp"
#include "problem/moves.hpp"
#include "problem/words.hpp"

namespace warpgrade {

namespace {

constexpr std::int64_t newest_format = 1;

// Of MistakePlace, in its order.
const std::vector<std::string> mistake_places{"output", "shared_atomics", "global_atomics", "launches", "root", "end"};
MistakePlace place_named(const std::string& word) {
    const auto at = std::ranges::find(mistake_places, word);
    return at == mistake_places.end() ? MistakePlace::output : static_cast<MistakePlace>(at - mistake_places.begin());
}

ReferenceForm form_named(const std::string& word) {
    return word == "scatter"      ? ReferenceForm::scatter
           : word == "sequential" ? ReferenceForm::sequential
           : word == "moves"      ? ReferenceForm::moves
           : word == "sum"        ? ReferenceForm::sum
                                  : ReferenceForm::gather;
}
const std::vector<std::string> forms{"gather", "scatter", "sequential"};  // of functions
const std::vector<std::string> references{"gather", "scatter", "sequential", "moves", "sum"};

void read_comparison(TomlTable& table, Comparison& compare, TomlErrors& errors) {
    const toml::node* node = table.any("compare");
    const std::string help =
        "bits, exact, rounding, { ulps = 4 }, { summation = \"n\", magnitude = \"f\" } or { function = \"f\" }";
    if (!node) return errors.report_at(table.line(), 0, "missing_key", "there is no `compare`", {}, help);
    if (const auto* word = node->as_string()) {
        if (word->get() == "exact")
            compare.kind = Comparison::Kind::exact;
        else if (word->get() == "rounding")
            compare.kind = Comparison::Kind::rounding;
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
    compare.kind = compare.ulps != 0        ? Comparison::Kind::ulps
                   : !compare.terms.empty() ? Comparison::Kind::summation
                                            : Comparison::Kind::function;
    compare.function = function.empty() ? magnitude : function;
    if (compare.kind != Comparison::Kind::ulps) identifier(compare.function, node, errors);
}

void read_contents(DescribedBuffer& buffer, bool is_input, TomlTable& table, TomlErrors& errors) {
    buffer.contents = table.text("contents", is_input);
    const toml::table* variants = table.table("variants");
    if (!is_input && (!buffer.contents.empty() || variants))
        return errors.report(table.node(buffer.contents.empty() ? "variants" : "contents"), "contents_of_output",
                             fmt::format("`{}` is not an input, but has contents", buffer.name), {},
                             "the kit fills it with what no right program leaves");
    const auto name = [&](const std::string& contents, const toml::node* node) {
        if (!contents_named(contents)) identifier(contents, node, errors);
    };
    if (is_input) name(buffer.contents, table.node("contents"));
    if (!variants) return;
    for (const auto& [key, node] : *variants) {
        const auto* contents = node.as_string();
        if (!contents) {
            errors.report(&node, "wrong_type", fmt::format("the variant `{}` must be the name of contents", key.str()));
            continue;
        }
        name(contents->get(), &node);
        buffer.variants[std::string(key.str())] = contents->get();
    }
}

// The inputs that the author's contents are made from: those above it in the file.
void read_after(DescribedBuffer& buffer, TomlTable& table, const ProblemDescription& problem, TomlErrors& errors) {
    std::vector<std::string> known;
    for (const DescribedBuffer& other : problem.buffers)
        if (other.role == BufferRole::in) known.push_back(other.name);
    for (const std::string& name : table.texts("after")) {
        const auto at = std::ranges::find(problem.buffers, name, &DescribedBuffer::name);
        if (buffer.role != BufferRole::in || std::ranges::find(known, name) == known.end())
            errors.report(table.node("after"), "unknown_buffer",
                          fmt::format("`{}` cannot be made from `{}`", buffer.name, name),
                          {"contents are made from inputs that are described above"}, near_or(name, known, ""));
        else
            buffer.after.push_back(static_cast<std::size_t>(at - problem.buffers.begin()));
    }
    const bool is_own = !buffer.contents.empty() && !contents_named(buffer.contents);
    if (!buffer.after.empty() && !is_own)
        errors.report(table.node("after"), "unused_key",
                      fmt::format("`{}` are contents that need no other buffer", buffer.contents), {},
                      "name a function of problem.cu in `contents`");
}

DescribedBuffer read_buffer(const toml::table& source, const ProblemDescription& problem, TomlErrors& errors) {
    TomlTable table(source, "a [[buffer]]", errors);
    DescribedBuffer buffer;
    buffer.name = table.text("name", true);
    const std::string role = choice(table, "role", true, {"in", "out", "scratch", "inout"}, errors);
    buffer.role = role == "out" || role == "inout" ? BufferRole::out
                  : role == "scratch"              ? BufferRole::scratch
                                                   : BufferRole::in;
    if (!table.node("extents"))
        errors.report(&source, "missing_key", fmt::format("the buffer `{}` has no `extents`", buffer.name), {},
                      "add extents = [\"rows\", \"cols\"]");
    buffer.extents = expressions(table.any("extents"), "extents", errors);
    read_contents(buffer, buffer.role == BufferRole::in || role == "inout", table, errors);
    read_after(buffer, table, problem, errors);
    table.finish();

    std::vector<std::string> known;
    for (const LauncherParameter& parameter : problem.launcher.parameters) {
        if (!parameter.is_pointer) continue;
        known.push_back(parameter.name);
        if (parameter.name != buffer.name) continue;
        buffer.type = parameter.type;
        if (parameter.is_const != (buffer.role == BufferRole::in))
            errors.report(table.node("role"), "role_differs",
                          fmt::format("`{}` is {} in the launcher, and its role is `{}`", buffer.name,
                                      parameter.is_const ? "const" : "not const", role),
                          {"an input is const, an output or scratch is not"});
        return buffer;
    }
    errors.report(table.node("name"), "unknown_buffer", fmt::format("the launcher has no pointer `{}`", buffer.name),
                  {}, near_or(buffer.name, known, ""));
    return buffer;
}

// Inputs first, the output last.
void read_buffers(TomlTable& table, ProblemDescription& problem, TomlErrors& errors) {
    for (const toml::table* source : table.tables("buffer"))
        problem.buffers.push_back(read_buffer(*source, problem, errors));
    for (const LauncherParameter& parameter : problem.launcher.parameters) {
        const auto count =
            std::ranges::count_if(problem.buffers, [&](const DescribedBuffer& b) { return b.name == parameter.name; });
        if (parameter.is_pointer && count != 1)
            errors.report(
                table.node("launcher"), "missing_buffer",
                fmt::format("`{}` has {}", parameter.name, count == 0 ? "no [[buffer]]" : "more than one [[buffer]]"));
    }
    const auto rank = [](const DescribedBuffer& b) {
        return b.role == BufferRole::in ? 0 : b.role == BufferRole::scratch ? 1 : 2;
    };
    std::ranges::stable_sort(problem.buffers,
                             [&](const DescribedBuffer& a, const DescribedBuffer& b) { return rank(a) < rank(b); });
    const auto outputs =
        std::ranges::count_if(problem.buffers, [](const DescribedBuffer& b) { return b.role == BufferRole::out; });
    if (outputs != 1 || problem.buffers.front().role != BufferRole::in)
        errors.report(table.node("buffer"), "buffer_roles", "a problem has an input and one output",
                      {fmt::format("{} buffers have the role `out`", outputs)});
    for (const LauncherParameter& parameter : problem.launcher.parameters) {
        if (parameter.is_pointer || problem.numbers.contains(parameter.name) ||
            problem.constants.contains(parameter.name) ||
            std::ranges::find(problem.extents, parameter.name) != problem.extents.end())
            continue;
        if (problem.reals.contains(parameter.name)) {
            if (parameter.type != "float" && parameter.type != "double")
                errors.report(table.node("constants"), "wrong_type",
                              fmt::format("`{}` of `constants` is {}, and {} in the launcher", parameter.name,
                                          problem.reals.at(parameter.name), parameter.type),
                              {"only a float or a double takes a number with a fraction"});
            continue;
        }
        std::vector<std::string> known = problem.extents;
        for (const auto* names : {&problem.numbers, &problem.constants})
            for (const auto& [name, value] : *names) known.push_back(name);
        for (const auto& [name, value] : problem.reals) known.push_back(name);
        errors.report(table.node("launcher"), "unknown_parameter",
                      fmt::format("what is passed as `{}` of the launcher?", parameter.name),
                      {"a parameter by value is an extent, one of `numbers` or one of `constants`"},
                      near_or(parameter.name, known, ""));
    }
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
    mistake.place = place_named(choice(table, "at", false, mistake_places, errors));
    table.finish();
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
    const std::vector<std::string> names = named_in_words(words.of);
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
    if ((kind == Comparison::Kind::rounding) != (problem.reference == ReferenceForm::sum))
        errors.report(node, "bad_comparison", "`compare` and `reference` do not fit", {},
                      "a sum is compared by `rounding`, and nothing else is");
    if (problem.reference == ReferenceForm::moves && kind != Comparison::Kind::bits)
        errors.report(node, "bad_comparison", "elements that are moved are compared by `bits`");
    if (problem.buffers.empty() || kind == Comparison::Kind::bits || kind == Comparison::Kind::function) return;
    if (problem.output().type == "float4")
        errors.report(node, "bad_comparison", "elements of several numbers are compared by `bits` or a function");
}

}  // namespace

void read_description(const toml::table& root, ProblemDescription& problem, TomlErrors& errors) {
    TomlTable table(root, "the problem", errors);
    if (const toml::node* format = table.any("format"); !format || !format->is_integer())
        errors.report(format, "missing_key", "the problem has no `format`", {}, "add format = 1");
    else if (format->as_integer()->get() != newest_format)
        errors.report(format, "unknown_format", fmt::format("this kit reads format {}", newest_format));
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
    problem.extents = table.texts("extents");
    problem.numbers = whole_numbers(table, "numbers", errors);
    problem.constants = whole_numbers(table, "constants", errors, &problem.reals);
    check_names(problem, root, errors);
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
    read_comparison(table, problem.compare, errors);
    problem.reference = form_named(choice(table, "reference", true, references, errors));
    const std::string moves = table.text("moves", problem.reference == ReferenceForm::moves);
    if (!moves.empty() && problem.reference != ReferenceForm::moves)
        errors.report(table.node("moves"), "unused_key", "`moves` says where elements go, and nothing asks for it", {},
                      "write reference = \"moves\"");
    problem.scatter_over = expression(table, "scatter_over", problem.reference == ReferenceForm::scatter, errors);
    problem.card_check = table.text("card_check", problem.reference == ReferenceForm::sequential);
    if (!problem.card_check.empty()) identifier(problem.card_check, table.node("card_check"), errors);
    read_buffers(table, problem, errors);
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
        problem.mistakes.push_back(read_mistake(*source, problem, errors));
    for (const toml::table* source : table.tables("words"))
        problem.words.push_back(read_words(*source, problem, errors));
    table.finish();
}

}  // namespace warpgrade
