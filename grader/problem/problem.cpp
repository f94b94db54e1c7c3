#include "problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "base/parallel.hpp"
#include "problem/described_diagnosis.hpp"
#include "problem/described_values.hpp"
#include "problem/moves.hpp"
#include "problem/oracle.hpp"
#include "problem/pattern.hpp"

namespace warpgrade {

namespace {

constexpr std::uint32_t poison = 0x7FA5A5A5u;  // a NaN, where elements are floats
// Of an input: what is judged afterwards is made once; of what is large nothing is kept.
constexpr std::size_t most_copied_bytes = 32 << 20;
constexpr std::uint64_t salt_of_check = 0xDE5C, salt_of_few = 0xFE35, salt_of_timing = 0x71AE;

std::string element_of(const LauncherParameter& parameter, const std::string& type) {
    return parameter.type == "T" ? type : parameter.type;
}

std::string demangled_type(const LauncherParameter& parameter, const std::string& type) {
    const std::string element = element_of(parameter, type);
    const NamedType* named = type_named(element);
    const std::string name = named ? named->demangled : element;
    if (!parameter.is_pointer) return name;
    return name + (parameter.is_const ? " const*" : "*");
}

std::string demangled_types(const LauncherText& launcher, const std::string& type) {
    std::vector<std::string> named;
    for (const LauncherParameter& parameter : launcher.parameters) named.push_back(demangled_type(parameter, type));
    return fmt::format("{}", fmt::join(named, ", "));
}

// A course file that was right when it was read and has no value all the same.
template <class T>
T must(Result<T> result) {
    if (!result) throw std::logic_error(result.error().title);
    return std::move(*result);
}

}  // namespace

Problem::Problem(ProblemDescription description)
    : description_(std::move(description)), oracle_(std::make_unique<Oracle>(description_)) {
    const auto outputs = description_.outputs();
    if (outputs.size() < 2) return;
    for (const std::size_t b : outputs)
        by_output_.emplace(b, std::make_unique<const Problem>(description_.with_output(b)));
    description_.mistakes = by_output_.rbegin()->second->description().mistakes;
}

Problem::~Problem() = default;

std::shared_ptr<const DescribedValues> Problem::values(const Shape& shape) const {
    constexpr std::size_t most_kept = 64;
    const std::string key = fmt::format("{} {}", shape.type, fmt::join(shape.extents, " "));
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = values_.find(key); known != values_.end()) return known->second;
    }
    auto made = std::make_shared<const DescribedValues>(must(values_of(description_, shape.extents, shape.type)));
    const std::lock_guard lock(mutex_);
    if (values_.size() >= most_kept) values_.clear();
    return values_.try_emplace(key, std::move(made)).first->second;
}

std::string Problem::signature(const std::string& type) const {
    std::vector<std::string> parameters;
    for (const LauncherParameter& p : description_.launcher.parameters)
        parameters.push_back(
            fmt::format("{}{}{} {}", p.is_const ? "const " : "", element_of(p, type), p.is_pointer ? "*" : "", p.name));
    return fmt::format("void {}({})", launcher_name(), fmt::join(parameters, ", "));
}

std::string Problem::demangled(const std::string& type) const {
    return fmt::format("{}({})", launcher_name(), demangled_types(description_.launcher, type));
}

std::string Problem::instantiation(const std::string& type) const {
    return fmt::format("template void {}<{}>({});", launcher_name(), type,
                       demangled_types(description_.launcher, type));
}

std::vector<Shape> Problem::drawn(const std::vector<DescribedShape>& list, ExpressionScope& scope,
                                  const std::string& type) const {
    std::vector<Shape> all;
    for (const DescribedShape& source : list)
        for (Shape& shape : must(shapes_from(description_, source, scope, type))) all.push_back(std::move(shape));
    return all;
}

std::vector<Shape> Problem::shapes(std::uint64_t seed, std::span<const std::string> types) const {
    ShapeDraw draw{Choices(hash_of(seed, salt_of_check)), false};
    ExpressionScope scope = draw_scope(description_, draw);
    const std::string first = shown_type(types);
    std::vector<Shape> all = drawn(description_.check, scope, first);
    if (!description_.other_types.empty()) {
        for (const std::string& type : types)
            if (type != first)
                for (Shape& shape : drawn(description_.other_types, scope, type)) all.push_back(std::move(shape));
        return all;
    }
    // Of the other types those that are quick: what is wrong with an extent is wrong for all of them.
    constexpr std::size_t most_of_a_type = 10;
    const std::vector<Shape> known = all;
    for (const std::string& type : types) {
        if (type == first) continue;
        std::size_t count = 0;
        for (Shape shape : known) {
            if (count == most_of_a_type || elements(shape) > 50'000 || !shape.previous.empty() ||
                shape.base_offset_bytes != 0)
                continue;
            shape.type = type;
            all.push_back(std::move(shape));
            ++count;
        }
    }
    return all;
}

std::vector<Shape> Problem::fixed(const std::vector<DescribedShape>& list, const std::string& type) const {
    ShapeDraw draw{Choices(0), true};
    ExpressionScope scope = draw_scope(description_, draw);
    return drawn(list, scope, type);
}

std::vector<Shape> Problem::few_shapes(std::uint64_t seed, const std::string& type) const {
    ShapeDraw draw{Choices(hash_of(seed, salt_of_few)), false};
    ExpressionScope scope = draw_scope(description_, draw);
    return drawn(description_.few, scope, type);
}

std::vector<Shape> Problem::planned_shapes(const std::string& type) const { return fixed(description_.planned, type); }

std::vector<Shape> Problem::sampled_shapes(const std::string& type) const { return fixed(description_.sampled, type); }

Shape Problem::technique_shape() const { return fixed({description_.technique}, "float").front(); }

Shape Problem::large_shape() const { return fixed({description_.large}, "float").front(); }

Shape Problem::with_numbers_of(Shape shape, const Shape& other) const {
    shape.extents.resize(description_.extents.size());
    for (std::size_t i = shape.extents.size(); i < other.extents.size(); ++i) shape.extents.push_back(other.extents[i]);
    shape.type = other.type;
    return shape;
}

std::vector<Shape> Problem::timing_shapes(const TimingLimits& limits, std::uint64_t seed) const {
    ShapeDraw draw{Choices(hash_of(seed, salt_of_timing)), seed == 0};
    ExpressionScope scope = draw_scope(description_, draw);
    must(add_timing_names(description_, limits, scope));
    return drawn(description_.timing, scope, "float");
}

std::vector<Shape> Problem::bench_shapes(const TimingLimits& limits) const {
    ShapeDraw draw{Choices(0), true};
    ExpressionScope scope = draw_scope(description_, draw);
    must(add_timing_names(description_, limits, scope));
    std::vector<Shape> all = drawn(description_.bench, scope, "float");
    std::erase_if(all, [&](const Shape& shape) { return values(shape)->all_bytes > limits.free_bytes / 2; });
    for (const Shape& shape : timing_shapes(limits, 0)) {
        const auto is_it = [&](const Shape& known) { return known.extents == shape.extents; };
        if (std::ranges::none_of(all, is_it)) all.push_back(shape);
    }
    return all;
}

std::uint64_t Problem::elements(const Shape& shape) const {
    return static_cast<std::uint64_t>(number_of(description_.elements, *values(shape)));
}

std::uint64_t Problem::useful_bytes(const Shape& shape) const {
    return static_cast<std::uint64_t>(number_of(description_.useful_bytes, *values(shape)));
}

double Problem::flops(const Shape& shape) const {
    return description_.flops.empty() ? 0 : static_cast<double>(number_of(description_.flops, *values(shape)));
}

Result<Shape> Problem::parse_shape(std::string_view text) const {
    const std::size_t least = description_.extents.size(), most = least + description_.numbers.size();
    const auto given =
        static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c == 'x' || c == 'X'; })) + 1;
    auto shape = parse_extents(text, std::clamp(given, least, most), shape_argument(technique_shape()));
    if (!shape) return shape;
    if (auto status = values_of(description_, shape->extents, "float"); !status) return status.error();
    shape->shape_class = class_of(description_, shape->extents);
    return shape;
}

std::vector<vgpu::BufferSpec> Problem::buffers(const Shape& shape) const {
    const auto numbers = values(shape);
    std::vector<vgpu::BufferSpec> all;
    for (std::size_t b = 0; b < description_.buffers.size(); ++b) {
        const DescribedBuffer& buffer = description_.buffers[b];
        vgpu::BufferSpec spec;
        spec.name = buffer.name;
        spec.element_bytes = description_.element_bytes(buffer, shape.type);
        spec.bytes = numbers->bytes[b];
        // scratch is the program's own memory, which begins where an allocation does.
        if (buffer.role != BufferRole::scratch) spec.offset_bytes = static_cast<std::uint64_t>(shape.base_offset_bytes);
        spec.is_read_only = buffer.role == BufferRole::in;
        spec.is_written = !buffer.contents.empty();
        all.push_back(std::move(spec));
    }
    return all;
}

std::vector<std::vector<std::byte>> Problem::arguments(const Shape& shape,
                                                       std::span<const std::uint64_t> addresses) const {
    return arguments_of(description_, *values(shape), addresses);
}

// Buffer `b`, with its contents.
Result<int> Problem::allocate(DeviceProgram& program, const vgpu::BufferSpec& spec, std::size_t b, const Shape& shape,
                              std::uint64_t seed) const {
    const auto buffer = program.allocate(spec);
    if (!buffer) return buffer;
    if (description_.buffers[b].contents.empty()) {
        program.poison(*buffer, poison);
        return buffer;
    }
    const std::span<std::byte> bytes = program.bytes(*buffer);
    if (description_.buffers[b].is_updated()) {
        fill_known_in_parallel(description_, *values(shape), shape, seed, b, bytes);
    } else if (!bytes.empty() && (bytes.size() <= most_copied_bytes ||
                                  !fill_known_in_parallel(description_, *values(shape), shape, seed, b, bytes))) {
        const auto known = oracle_->known(shape, seed, false);
        if (!known) return known.error();
        std::memcpy(bytes.data(), (*known)->inputs[b].data(), bytes.size());
    }
    if (auto status = program.upload(*buffer); !status) return status.error();
    return buffer;
}

Result<Case> Problem::prepare(DeviceProgram& program, const Shape& shape, std::uint64_t seed) const {
    Case prepared;
    prepared.shape = shape;
    prepared.seed = seed;
    prepared.useful_bytes = useful_bytes(shape);
    Shape before = shape;
    before.extents = shape.previous;
    before.previous.clear();
    auto specs = buffers(shape);
    std::vector<vgpu::BufferSpec> specs_before;
    if (!shape.previous.empty()) {
        specs_before = buffers(before);
        // What an earlier call left in the scratch is there for the next one.
        for (std::size_t b = 0; b < specs.size(); ++b)
            if (description_.buffers[b].role == BufferRole::scratch)
                specs[b].bytes = std::max(specs[b].bytes, specs_before[b].bytes);
    }
    const auto numbers = values(shape);
    std::vector<std::uint64_t> addresses;
    for (std::size_t b = 0; b < specs.size(); ++b) {
        const auto buffer = allocate(program, specs[b], b, shape, seed);
        if (!buffer) return buffer.error();
        prepared.buffers.push_back(*buffer);
        addresses.push_back(program.address(*buffer));
        prepared.layout.push_back(
            {specs[b].name, numbers->buffer_extents[b], description_.buffers[b].role, description_.buffers[b].extents});
        if (specs[b].bytes != numbers->bytes[b])
            prepared.layout.back().extents = {
                static_cast<std::int64_t>(specs[b].bytes / static_cast<std::uint64_t>(specs[b].element_bytes))};
    }
    prepared.arguments = arguments(shape, addresses);
    if (shape.previous.empty()) return prepared;
    for (std::size_t b = 0; b < specs_before.size(); ++b) {
        const bool is_shared =
            description_.buffers[b].contents.empty() &&
            (description_.buffers[b].role == BufferRole::scratch || specs_before[b].bytes == specs[b].bytes);
        if (is_shared) continue;
        const auto buffer = allocate(program, specs_before[b], b, before, seed + 1);
        if (!buffer) return buffer.error();
        addresses[b] = program.address(*buffer);
    }
    prepared.previous_arguments = arguments(before, addresses);
    return prepared;
}

Result<Judgement> Problem::judge(DeviceProgram& program, const Case& prepared) const {
    for (const int buffer : prepared.buffers)
        if (auto status = program.download(buffer); !status) return status.error();
    for (const auto& [buffer, one] : by_output_) {
        Case of_one = prepared;
        of_one.put_last(buffer);
        auto judgement = one->judge_last(program, of_one);
        if (judgement) judgement->output = buffer;
        if (!judgement || !judgement->is_right || buffer + 1 == prepared.buffers.size()) return judgement;
    }
    return judge_last(program, prepared);
}

Result<Judgement> Problem::judge_last(DeviceProgram& program, const Case& prepared) const {
    // A sum is judged by what it is made of, and that is the kit's own.
    const bool is_sum = description_.reference == ReferenceForm::sum;
    if (is_sum && program.bytes(prepared.buffers.front()).size() > most_copied_bytes)
        return judge_described(description_, *oracle_, program, prepared, KnownCase());
    // The input stands beside the output, and is the first that is looked at: of a large one there is no second.
    const std::span<const std::byte> input = program.bytes(prepared.buffers.front());
    const bool is_move = description_.reference == ReferenceForm::moves && prepared.layout.back().extents.size() == 2;
    if (is_move && input.size() > most_copied_bytes &&
        fill_known(description_, *values(prepared.shape), prepared.shape, prepared.seed, 0, 0, {})) {
        KnownCase due;
        due.expected = oracle_->moved(prepared.shape, input);
        return judge_described(description_, *oracle_, program, prepared, due);
    }
    const auto known = oracle_->known(prepared.shape, prepared.seed, !is_sum);
    if (!known) return known.error();
    return judge_described(description_, *oracle_, program, prepared, **known);
}

void Problem::contents(const Shape& shape, std::uint64_t seed, std::size_t buffer, std::uint64_t first,
                       std::span<std::byte> bytes) const {
    if (description_.buffers[buffer].contents.empty()) return fill_with(poison, first, bytes);
    const std::uint64_t size =
        static_cast<std::uint64_t>(description_.element_bytes(description_.buffers[buffer], shape.type));
    if (fill_known(description_, *values(shape), shape, seed, buffer, first / size, bytes)) return;
    must(oracle_->elements(shape, seed, buffer, first, bytes));
}

bool Problem::expected_moved(const Shape& shape, std::uint64_t seed, std::uint64_t first,
                             std::span<std::byte> bytes) const {
    const auto numbers = values(shape);
    const auto axes = moved_axes(description_.moves, numbers->buffer_extents.front());
    const auto size = static_cast<std::size_t>(description_.element_bytes(description_.output(), shape.type));
    std::array<std::byte, 16> element;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::uint64_t within = (first + at) % size;
        const std::size_t count = std::min<std::size_t>(size - within, bytes.size() - at);
        const std::uint64_t from = moved_from(axes, (first + at) / size);
        const std::span<std::byte> bytes_of_one = std::span(element).first(size);
        if (!fill_known(description_, *numbers, shape, seed, 0, from, bytes_of_one))
            must(oracle_->elements(shape, seed, 0, from * size, bytes_of_one));
        std::memcpy(bytes.data() + at, element.data() + within, count);
        at += count;
    }
    return true;
}

bool Problem::expected(const Shape& shape, std::uint64_t seed, std::uint64_t first, std::span<std::byte> bytes) const {
    // Element by element, and nearly bit by bit: else no few of them can be told to be right.
    const auto kind = description_.compare.kind;
    if (!by_output_.empty()) return false;
    if (description_.reference == ReferenceForm::moves) return expected_moved(shape, seed, first, bytes);
    if (description_.reference != ReferenceForm::gather || description_.output().is_updated()) return false;
    if (kind != OutputComparison::Kind::bits && kind != OutputComparison::Kind::exact) return false;
    // The inputs have their addresses a second time, in a process that may have 2 GB of them.
    constexpr std::uint64_t most_input_bytes = std::uint64_t{320} << 20;
    const auto numbers = values(shape);
    if (numbers->all_bytes - numbers->bytes.back() > most_input_bytes) return false;
    must(oracle_->elements(shape, seed, description_.buffers.size() - 1, first, bytes));
    return true;
}

}  // namespace warpgrade
