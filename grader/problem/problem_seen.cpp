// Small shapes to follow by eye, and the plain loop on this machine: of what is moved or added up.
#include <fmt/format.h>

#include <cstring>

#include "problem/card_calls.hpp"
#include "problem/compared_output.hpp"
#include "problem/moves.hpp"
#include "problem/problem.hpp"
#include "problem/sum_input.hpp"
#include "problem/value_grid.hpp"

namespace warpgrade {

namespace {

std::vector<std::string> moved_values(const ProblemDescription& problem, const KnownCase& known, DeviceProgram& program,
                                      const Case& prepared) {
    const std::string type = problem.element_type(problem.output(), prepared.shape.type);
    const auto size = static_cast<std::size_t>(problem.element_bytes(problem.output(), prepared.shape.type));
    const auto count = static_cast<std::size_t>(prepared.layout.front().elements());
    const auto axes = moved_axes(problem.moves, prepared.layout.front().extents);
    const std::span<const std::byte> out = program.bytes(prepared.buffers.back());
    // Element i of the input is i, of a type of several numbers in all of them.
    const auto print = [&](const std::byte* value) {
        for (std::size_t i = 0; i < count; ++i)
            if (std::memcmp(value, known.inputs.front().data() + i * size, size) == 0) return std::to_string(i);
        return print_of_type(type, value, nullptr);
    };
    ValueGrid in{problem.input().name, prepared.layout.front().extents[1], {}, {}};
    ValueGrid expected{"expected", prepared.layout.back().extents[1], {}, {}}, found = expected;
    found.name = "found";
    for (std::size_t i = 0; i < count; ++i) {
        in.cells.push_back(std::to_string(i));
        expected.cells.push_back(std::to_string(moved_from(axes, i)));
        const bool is_written = program.is_written(prepared.buffers.back(), i * size, size);
        const std::byte* value = out.data() + i * size;
        found.is_wrong.push_back(!is_written || std::memcmp(value, known.expected.data() + i * size, size) != 0);
        found.cells.push_back(is_written ? print(value) : not_written);
    }
    return side_by_side({in, expected, found});
}

std::vector<std::string> summed_values(const ProblemDescription& problem, DeviceProgram& program,
                                       const Case& prepared) {
    const SumInput input(static_cast<std::uint64_t>(prepared.layout.front().elements()), prepared.seed,
                         contents_of(problem.input(), prepared.shape.contents));
    const auto value_at = [&](int buffer, std::uint64_t i) {
        const auto bytes = program.bytes(buffer);
        if ((i + 1) * sizeof(float) > bytes.size() || !program.is_written(buffer, i * sizeof(float), sizeof(float)))
            return std::string(not_written);
        float value = 0;
        std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
        return fmt::format("{:.7g}", value);
    };
    ValueGrid in{problem.input().name, 8, {}, {}};
    for (std::uint64_t i = 0; i < input.n(); ++i) in.cells.push_back(fmt::format("{}", input.element(i)));
    std::vector<ValueGrid> grids{in};
    constexpr std::uint64_t most_partial = 8;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        if (problem.buffers[b].role != BufferRole::scratch) continue;
        ValueGrid partial{problem.buffers[b].name, 1, {}, {}};
        for (std::uint64_t i = 0; i < most_partial && value_at(prepared.buffers[b], i) != not_written; ++i)
            partial.cells.push_back(value_at(prepared.buffers[b], i));
        if (!partial.cells.empty()) grids.push_back(std::move(partial));
    }
    const std::string expected = fmt::format("{:.7g}", input.sum()), found = value_at(prepared.buffers.back(), 0);
    grids.push_back({"expected", 1, {expected}, {}});
    grids.push_back({"found", 1, {found}, {found != expected}});
    return side_by_side(grids);
}

}  // namespace

std::optional<Shape> Problem::shape_to_see(const Shape& shape) const {
    constexpr std::int64_t most_side = 8;
    constexpr std::uint64_t most = 64;
    const std::uint64_t count = values(shape)->elements.front();
    const bool is_small =
        description_.reference == ReferenceForm::sum ? count <= most
        : description_.reference == ReferenceForm::moves
            ? shape.extents.size() == 2 && shape.extents[0] <= most_side && shape.extents[1] <= most_side
            : false;
    if (!is_small || count == 0) return std::nullopt;
    Shape seen = shape;
    seen.contents = counting_contents;
    return seen;
}

std::vector<std::string> Problem::values_seen(DeviceProgram& program, const Case& prepared) const {
    if (description_.reference == ReferenceForm::sum) return summed_values(description_, program, prepared);
    const auto known = oracle_->known(prepared.shape, prepared.seed, true);
    if (!known || description_.reference != ReferenceForm::moves) return {};
    return moved_values(description_, **known, program, prepared);
}

double Problem::seconds_on_host(const Shape& shape) const {
    if (has_function(description_.reference)) return 0;  // its code runs on no host
    const auto numbers = values(shape);
    std::vector<float> in(numbers->elements.front());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 7);
    volatile float seen = 0;  // the loop has to have happened
    if (description_.reference == ReferenceForm::sum)
        return best_of_three([&] {
            float sum = 0;
            for (const float value : in) sum += value;
            seen = sum;
        });
    std::vector<float> out(in.size(), 1.0f);  // its pages are there before the clock starts
    const auto axes = moved_axes(description_.moves, numbers->buffer_extents.front());
    const double seconds = best_of_three([&] {
        move_elements(axes, sizeof(float), std::as_bytes(std::span(in)), std::as_writable_bytes(std::span(out)));
    });
    if (!out.empty()) seen = out.back();
    return seconds;
}

}  // namespace warpgrade
