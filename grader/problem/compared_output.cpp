#include "problem/compared_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "problem/gathered.hpp"
#include "problem/known_mistake.hpp"
#include "problem/moved_output.hpp"
#include "problem/pattern.hpp"

namespace warpgrade {

ComparedOutput::ComparedOutput(const ProblemDescription& description, DeviceProgram& device_program, const Case& of,
                               const KnownCase& due_case)
    : problem(description),
      program(device_program),
      prepared(of),
      known(due_case),
      type(problem.element_type(problem.output(), prepared.shape.type)),
      size(static_cast<std::size_t>(problem.element_bytes(problem.output(), prepared.shape.type))),
      out(program.bytes(prepared.buffers.back())) {}

bool ComparedOutput::fits(std::span<const std::byte> left) const {
    return all_wrong([&](std::size_t i) { return is_like(found(i), left.data() + i * size); }) &&
           !all_wrong([&](std::size_t i) { return is_like(due(i), found(i)); });
}

Judgement judgement_of(std::string code, std::string pattern, std::string title, std::string help) {
    Judgement judgement;
    judgement.code = std::move(code);
    judgement.pattern = std::move(pattern);
    judgement.title = std::move(title);
    judgement.help = std::move(help);
    return judgement;
}

namespace {

// Of a matrix: what has the shape of an edge, of a tile, of skipped rows.
std::optional<FoundEffect> missing_region(const ComparedOutput& o) {
    if (o.layout().extents.size() != 2 || o.prepared.layout.front().extents.size() != 2) return std::nullopt;
    MovedOutput output;
    output.in_layout = o.prepared.layout.front();
    output.out_layout = o.layout();
    OutputMap map;
    map.cells.assign(o.count(), CellState::right);
    for (const std::size_t i : o.wrong) map.cells[i] = CellState::unwritten;
    map.unwritten = o.wrong.size();
    return recognise_region(output, map);
}

}  // namespace

std::optional<Judgement> judge_unwritten(const ComparedOutput& o) {
    if (std::ranges::any_of(o.wrong, [&](std::size_t i) { return o.written(i); })) return std::nullopt;
    const std::string& name = o.problem.output().name;
    if (o.wrong.size() == o.count())
        return judgement_of("not_written", "nothing_written", fmt::format("nothing was written to `{}`", name),
                            "is a kernel launched for this shape, with at least one block, and does it store?");
    const bool is_tail = o.wrong.front() + o.wrong.size() == o.count(), is_one = o.wrong.size() == 1;
    Judgement judgement;
    const auto region = missing_region(o);
    if (region) {
        judgement = judgement_of("not_written", region->pattern, region->title, region->help);
    } else if (is_tail) {
        judgement = judgement_of(
            "not_written", "tail_not_written",
            fmt::format("the last {} of `{}` {} not written",
                        is_one ? "element" : fmt::format("{} elements", o.wrong.size()), name, is_one ? "was" : "were"),
            "round the number of blocks up, and guard the last one: are there threads for all elements?");
        if (o.wrong.size() <= 8) judgement.effect.left_out = o.wrong.size();
    } else {
        judgement =
            judgement_of("not_written", "some_not_written", fmt::format("some elements of `{}` were not written", name),
                         "which threads store, and where? Try a small shape on paper");
    }
    judgement.facts = {fmt::format("{} of {} element{} {} not written, the first is {}", o.wrong.size(), o.count(),
                                   o.count() == 1 ? "" : "s", o.wrong.size() == 1 ? "was" : "were",
                                   element_name(o.layout(), o.wrong.front()))};
    return judgement;
}

namespace {

bool is_float(const ComparedOutput& o) { return o.type == "float" || o.type == "double"; }
bool is_nan(const ComparedOutput& o, const std::byte* bytes) {
    return o.type == "float" ? std::isnan(read_as<float>(bytes)) : std::isnan(read_as<double>(bytes));
}
// The input whose elements are where the wrong ones are; "" of none.
std::string like_input(const ComparedOutput& o) {
    for (std::size_t b = 0; b < o.known.inputs.size(); ++b)
        if (o.known.inputs[b].size() == o.out.size() && o.problem.buffers[b].type == o.problem.output().type &&
            o.fits(o.known.inputs[b]))
            return o.problem.buffers[b].name;
    return "";
}

// What the wrong elements have in common; {0} is the output, {1} the input that they are like.
struct Look {
    const char *pattern, *title, *help;
    bool (*is_so)(const ComparedOutput& o);
    Effect effect{};
};

// Of whole numbers, where each wrong one is right but for its upper bits; few may be so by chance.
template <int bits>
bool lacks_upper_bits(const ComparedOutput& o) {
    return !is_float(o) && o.size == 4 && o.wrong.size() >= 4 && o.all_wrong([&](std::size_t i) {
        const auto right = read_as<std::uint32_t>(o.due(i)), held = read_as<std::uint32_t>(o.found(i));
        return held < right && (right - held) % (1u << bits) == 0;
    });
}
// At the end that nothing is moved to, anything may be.
template <int by>
bool is_shifted(const ComparedOutput& o) {
    return o.wrong.size() > 2 && o.all_wrong([&](std::size_t i) {
        const auto from = static_cast<std::ptrdiff_t>(i) - by;
        return from < 0 || from >= static_cast<std::ptrdiff_t>(o.count()) ||
               o.is_like(o.found(i), o.due(static_cast<std::size_t>(from)));
    });
}

const Look looks[]{
    {"zeros",
     "the wrong elements of `{0}` are 0",
     "nothing has come there: is the test before it ever true, or was it stored before it was computed?",
     [](const ComparedOutput& o) {
         const std::vector<std::byte> zero(o.size);
         return o.all_wrong([&](std::size_t i) { return o.is_like(o.found(i), zero.data()); });
     },
     {.is_symptom = true}},
    {"not_a_number",
     "the wrong elements of `{0}` are not numbers",
     "something is read that was never written: shared memory, or a buffer past its end",
     [](const ComparedOutput& o) {
         return is_float(o) && o.all_wrong([&](std::size_t i) { return is_nan(o, o.found(i)); });
     },
     {.is_symptom = true, .is_of_unwritten = true}},
    {"constant",
     "the wrong elements of `{0}` all hold the same",
     "which index does the store have, and which the value?",
     [](const ComparedOutput& o) {
         return o.wrong.size() > 2 &&
                o.all_wrong([&](std::size_t i) { return o.is_like(o.found(i), o.found(o.wrong.front())); });
     },
     {.is_symptom = true, .is_of_unwritten = true}},
    {"input_left", "the wrong elements of `{0}` are those of `{1}`, unchanged",
     "is the result computed before it is stored?",
     [](const ComparedOutput& o) { return o.wrong.size() > 1 && !like_input(o).empty(); }},
    {"shifted", "the wrong elements of `{0}` are those of one place before",
     "look at the index of the store: is it off by one?", is_shifted<1>},
    {"shifted", "the wrong elements of `{0}` are those of one place after",
     "look at the index of the store: is it off by one?", is_shifted<-1>},
    {"bits_lost",
     "of `{0}` only the last 16 bits of a value were kept on the way",
     "every wrong element is off by a multiple of 65536: which variable, or array, holds no more than 16 bits?",
     lacks_upper_bits<16>,
     {.kept_bits = 16}},
    {"bits_lost",
     "of `{0}` only the last 8 bits of a value were kept on the way",
     "every wrong element is off by a multiple of 256: which variable, or array, holds no more than 8 bits?",
     lacks_upper_bits<8>,
     {.kept_bits = 8}},
    // The first of 32 or more is wrong for another reason than being the last.
    {"last_wrong",
     "the last element of `{0}` is wrong",
     "does the loop, or the guard, end one too early?",
     [](const ComparedOutput& o) {
         return o.count() > 1 && o.wrong.size() == 1 && o.wrong.front() + 1 == o.count() && o.wrong.front() % 32 != 0;
     },
     {.left_out = 1}},
    {"unknown", "elements of `{0}` are wrong",
     "follow the first wrong element: which thread stores it, and what has it read?",
     [](const ComparedOutput&) { return true; }},
};

}  // namespace

Judgement general_look(const ComparedOutput& o) {
    const Look& look = *std::ranges::find_if(looks, [&](const Look& each) { return each.is_so(o); });
    Judgement judgement = wrong_output(
        look.pattern, fmt::format(fmt::runtime(look.title), o.problem.output().name, like_input(o)), look.help);
    judgement.effect = look.effect;
    judgement.is_recognised = judgement.pattern != KnownMistake::unknown;
    return judgement;
}

namespace {

// The rows of a matrix, or its columns.
struct Lines {
    std::string name;
    std::size_t number = 0, length = 0;  // of them, of each
    std::size_t to_next = 0, step = 0;   // from a line to the next one, from an element of a line to the next one
    std::size_t element(std::size_t line, std::size_t i) const { return line * to_next + i * step; }
};

// The line where all of what this one holds belongs; its own number: none.
std::size_t belongs_to(const ComparedOutput& o, const Lines& lines, std::size_t line) {
    const auto found = [&](std::size_t i) { return o.found(lines.element(line, i)); };
    bool is_constant = true;
    for (std::size_t i = 1; i < lines.length && is_constant; ++i) is_constant = o.is_like(found(0), found(i));
    for (std::size_t other = 0; other < lines.number && !is_constant; ++other) {
        std::size_t i = 0;
        while (i < lines.length && o.is_like(found(i), o.due(lines.element(other, i)))) ++i;
        if (i == lines.length) return other;
    }
    return line;
}

}  // namespace

std::optional<Judgement> exchanged_lines(const ComparedOutput& o) {
    if (o.layout().extents.size() != 2) return std::nullopt;
    const auto rows = static_cast<std::size_t>(o.layout().extents[0]),
               cols = static_cast<std::size_t>(o.layout().extents[1]);
    constexpr std::size_t shortest = 4;
    for (const Lines& lines : {Lines{"row", rows, cols, cols, 1}, Lines{"column", cols, rows, 1, cols}}) {
        if (lines.length < shortest) continue;
        std::set<std::size_t> wrong;
        for (const std::size_t i : o.wrong) wrong.insert(i / lines.to_next % lines.number);
        std::optional<std::size_t> first;
        std::size_t exchanged = 0;
        for (const std::size_t line : wrong) {
            if (belongs_to(o, lines, line) == line) continue;
            if (!first) first = line;
            ++exchanged;
        }
        if (exchanged < 2 || 2 * exchanged < wrong.size()) continue;
        Judgement judgement =
            wrong_output("lines_exchanged",
                         fmt::format("{0} {1} of `{2}` holds what belongs in {0} {3}", lines.name, *first,
                                     o.problem.output().name, belongs_to(o, lines, *first)),
                         fmt::format("the values are right: compare the {0} that a thread computes them for with the "
                                     "{0} that it stores them to",
                                     lines.name));
        judgement.facts = {
            fmt::format("{} of {} wrong {}s hold what belongs in another one", exchanged, wrong.size(), lines.name)};
        return judgement;
    }
    return std::nullopt;
}

namespace {

// In which column of every 32 all wrong elements are: a warp's first or last lane.
std::optional<int> only_lane(const ComparedOutput& o) {
    if (o.layout().extents.size() != 2 || o.layout().extents[1] < 64) return std::nullopt;
    const std::int64_t cols = o.layout().extents[1];
    for (const int lane : {0, 31})
        if (o.all_wrong([&](std::size_t i) { return static_cast<std::int64_t>(i) % cols % 32 == lane; })) return lane;
    return std::nullopt;
}

}  // namespace

namespace {

// "1025 x 1024", of a multiple of a power of two that blocks, and groups of them, are as long as; "" of another number.
std::string as_multiple(std::size_t number) {
    constexpr std::size_t shortest = 32;  // a warp
    const std::size_t length = number & (~number + 1);
    return number <= length || length < shortest ? "" : fmt::format("{} x {}", number / length, length);
}

std::string help_at(Edge edge) {
    const auto of_line = [](const char* line, const char* beside) {
        return fmt::format(
            "only elements of the {} are wrong: what do they take for the neighbour {}, which is outside?", line,
            beside);
    };
    switch (edge) {
        case Edge::first_column: return of_line("first column", "to the left");
        case Edge::last_column: return of_line("last column", "to the right");
        case Edge::first_row: return of_line("first row", "above");
        case Edge::last_row: return of_line("last row", "below");
        default: return "only elements at the edge are wrong: what do they take for the neighbours that are outside?";
    }
}

}  // namespace

Judgement with_facts(const ComparedOutput& o, Judgement judgement) {
    const std::size_t first = o.wrong.front();
    judgement.facts.insert(
        judgement.facts.begin(),
        fmt::format("{} is {}, expected {}", element_name(o.layout(), first),
                    o.written(first) ? print_of_type(o.type, o.found(first), o.due(first)) : "not written",
                    print_of_type(o.type, o.due(first), o.found(first))));
    auto [where, edge] = o.layout().extents.size() == 2
                             ? where_wrong(o.layout().extents[0], o.layout().extents[1], o.wrong)
                             : WrongPlace{};
    if (o.layout().extents.size() == 1 && first != 0 && o.wrong.size() > 1 && o.wrong.size() == o.count() - first) {
        where = fmt::format("all from {} on", element_name(o.layout(), first));
        if (const std::string multiple = as_multiple(first);
            !multiple.empty() && judgement.pattern == KnownMistake::unknown)
            judgement.help = fmt::format(
                "all elements before are right, and {} is {}: which sum, or which launch, do the elements from there "
                "on lack?",
                first, multiple);
    }
    if (judgement.pattern == KnownMistake::zeros && edge == Edge::any)
        judgement.help = "an element at the edge is computed like all others; only its neighbours outside count as 0";
    if (edge != Edge::none && judgement.pattern == KnownMistake::unknown) judgement.help = help_at(edge);
    judgement.facts.insert(
        judgement.facts.begin() + 1,
        fmt::format("{} of {} element{} {} wrong{}{}", o.wrong.size(), o.count(), o.count() == 1 ? "" : "s",
                    o.wrong.size() == 1 ? "is" : "are", where.empty() ? "" : ", ", where));
    if (o.written(first)) judgement.first_wrong = first * o.size;
    judgement.effect.lane = only_lane(o);
    return judgement;
}

std::string element_name(const BufferLayout& layout, std::uint64_t index) {
    std::string text;
    for (std::size_t i = layout.extents.size(); i-- > 0;) {
        const auto extent = static_cast<std::uint64_t>(std::max<std::int64_t>(1, layout.extents[i]));
        text = fmt::format("[{}]", i == 0 ? index : index % extent) + text;
        index /= extent;
    }
    return layout.name + text;
}

std::string print_of_type(const std::string& type, const std::byte* bytes, const std::byte* other) {
    if (const auto known = element_type_named(type)) return print_element(*known, bytes, other);
    if (type == "int") return std::to_string(read_as<std::int32_t>(bytes));
    if (type == "unsigned int") return std::to_string(read_as<std::uint32_t>(bytes));
    if (type == "long long") return std::to_string(read_as<std::int64_t>(bytes));
    return std::to_string(read_as<std::uint64_t>(bytes));
}

}  // namespace warpgrade
