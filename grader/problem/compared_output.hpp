// An output beside the expected one: which elements are wrong, what they look like, and where they are.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problem/case.hpp"
#include "problem/description.hpp"
#include "problem/oracle.hpp"

namespace warpgrade {

struct ComparedOutput {
    ComparedOutput(const ProblemDescription& description, DeviceProgram& device_program, const Case& of,
                   const KnownCase& due_case);

    std::size_t count() const { return size == 0 ? 0 : out.size() / size; }
    const std::byte* found(std::size_t i) const { return out.data() + i * size; }
    const std::byte* due(std::size_t i) const { return known.expected.data() + i * size; }
    bool is_like(const std::byte* a, const std::byte* b) const { return std::memcmp(a, b, size) == 0; }
    bool written(std::size_t i) const { return program.is_written(prepared.buffers.back(), i * size, size); }
    const BufferLayout& layout() const { return prepared.layout.back(); }
    bool all_wrong(auto&& test) const { return std::ranges::all_of(wrong, test); }
    // Every wrong element is what a mistake leaves there.
    bool fits(std::span<const std::byte> left) const;

    const ProblemDescription& problem;
    DeviceProgram& program;
    const Case& prepared;
    const KnownCase& known;
    std::string type;  // of an element
    std::size_t size;  // of it, bytes
    std::span<const std::byte> out;
    std::vector<std::size_t> wrong;  // indices, in order
};

// An element as a learner would print it: "17.25", "7", "(1, 2, 3, 4)"; exact enough to tell it from `other`.
std::string print_of_type(const std::string& type, const std::byte* bytes, const std::byte* other);
// "out[3][65]".
std::string element_name(const BufferLayout& layout, std::uint64_t index);

Judgement judgement_of(std::string code, std::string pattern, std::string title, std::string help);
inline Judgement wrong_output(std::string pattern, std::string title, std::string help) {
    return judgement_of("wrong_output", std::move(pattern), std::move(title), std::move(help));
}
// Where every wrong element was never stored.
std::optional<Judgement> judge_unwritten(const ComparedOutput& output);
// By what all wrong elements have in common; not recognised where that is nothing.
Judgement general_look(const ComparedOutput& output);
// Where at least half of the wrong rows, or columns, hold all of what belongs in another one.
std::optional<Judgement> exchanged_lines(const ComparedOutput& output);
// With the first wrong element, how many there are, and where.
Judgement with_facts(const ComparedOutput& output, Judgement judgement);

}  // namespace warpgrade
