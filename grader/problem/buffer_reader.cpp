// The buffers of a problem.toml.
#include <fmt/format.h>

#include <algorithm>

#include "problem/contents.hpp"
#include "problem/description_fields.hpp"
#include "problem/description_reader.hpp"

namespace warpgrade {

namespace {

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
    for (const auto& [key, function] : {std::pair("reference", &buffer.reference), {"card_check", &buffer.card_check}})
        if (*function = table.text(key, false); !function->empty()) identifier(*function, table.node(key), errors);
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

// Of several outputs each has functions of its own: what it holds, or whether an element of it is right.
void check_outputs(const ProblemDescription& problem, const toml::node* node, TomlErrors& errors) {
    const auto outputs = problem.outputs();
    const bool is_gather = problem.reference == ReferenceForm::gather;
    const auto refuse = [&](std::string title, std::string fact, std::string help) {
        errors.report(node, "several_outputs", std::move(title), {std::move(fact)}, std::move(help));
    };
    for (const DescribedBuffer& buffer : problem.buffers)
        if (!(buffer.reference + buffer.card_check).empty() && (buffer.role != BufferRole::out || outputs.size() == 1))
            refuse(
                fmt::format("`{}` has a function of its own", buffer.name), "only one of several outputs has that",
                "the function `reference` gives the only output, and the problem's `card_check` checks it on a card");
    if (outputs.size() < 2) return;
    for (const std::size_t b : outputs) {
        const DescribedBuffer& out = problem.buffers[b];
        const std::string& needed = is_gather ? out.reference : out.card_check;
        if ((!is_gather && problem.reference != ReferenceForm::sequential) || out.is_updated())
            refuse(fmt::format("there are {} outputs", outputs.size()),
                   "a problem of several outputs has a reference of the form gather or sequential, and none with role "
                   "inout",
                   "write the reference in one of these forms");
        else if (needed.empty())
            refuse(fmt::format("the output `{}` has no `{}`", out.name, is_gather ? "reference" : "card_check"),
                   fmt::format("there are {} outputs", outputs.size()),
                   is_gather ? "name the function of problem.cu that gives an element of it"
                             : "name the function of problem.cu that says whether an element of it is right");
    }
}

}  // namespace

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
    const std::size_t outputs = problem.outputs().size();
    if (outputs == 0 || problem.buffers.front().role != BufferRole::in)
        errors.report(table.node("buffer"), "buffer_roles", "a problem has an input and an output",
                      {fmt::format("{} buffers have the role `out`", outputs)});
    check_outputs(problem, table.node("buffer"), errors);
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

}  // namespace warpgrade
