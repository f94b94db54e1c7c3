#include "problem/described_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/make_diagnostic.hpp"

namespace warpgrade {

namespace {

Diagnostic bad_shape(std::string title, std::string fact, std::string help = {}) {
    Diagnostic diagnostic = make_error(Blame::usage, "bad_shape", std::move(title));
    if (!fact.empty()) diagnostic.facts.push_back(std::move(fact));
    diagnostic.help = std::move(help);
    return diagnostic;
}

Diagnostic bad_expression(const std::string& expression, const ExpressionError& error) {
    Diagnostic diagnostic = bad_shape(fmt::format("`{}` has no value", expression), error.says, error.help);
    diagnostic.code = "bad_expression";
    return diagnostic;
}

std::string text_of(const std::vector<std::int64_t>& extents) {
    std::string text;
    for (const std::int64_t extent : extents) text += (text.empty() ? "" : " x ") + std::to_string(extent);
    return text;
}

// What a parameter by value holds.
std::pair<double, double> range_of(const std::string& type) {
    if (type == "int") return {-2147483648.0, 2147483647.0};
    if (type == "unsigned int") return {0, 4294967295.0};
    if (type == "unsigned long long" || type == "std::size_t") return {0, 9.2e18};
    return {-9.2e18, 9.2e18};
}

}  // namespace

Result<DescribedValues> values_of(const ProblemDescription& problem, const std::vector<std::int64_t>& extents,
                                  std::string_view type) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    DescribedValues values;
    values.extents = extents;
    auto& names = values.scope.names;
    for (const auto& [name, value] : problem.constants) names[name] = value;
    std::size_t at = 0;
    for (const std::string& name : problem.extents) {
        const std::int64_t extent = at < extents.size() ? extents[at] : 0;
        if (extent < 0 || extent > most)
            return bad_shape(fmt::format("{} cannot be {}", name, extent),
                             fmt::format("an extent is a whole number from 0 to {}", most));
        names[name] = extent;
        ++at;
    }
    values.extents.resize(std::max(values.extents.size(), problem.extents.size()));
    for (const auto& [name, usual] : problem.numbers) {
        if (at >= values.extents.size()) values.extents.push_back(usual);
        names[name] = values.extents[at++];
    }
    for (const LauncherParameter& parameter : problem.launcher.parameters) {
        if (parameter.is_pointer || problem.reals.contains(parameter.name)) continue;
        const auto [least, greatest] = range_of(parameter.type);
        const auto value = static_cast<double>(names.at(parameter.name));
        if (value < least || value > greatest)
            return bad_shape(fmt::format("{} does not fit the launcher's parameters", text_of(extents)),
                             fmt::format("{} is {}: {} to {:.0f}", parameter.name, parameter.type, least, greatest));
    }
    for (const DescribedBuffer& buffer : problem.buffers) {
        auto& all = values.buffer_extents.emplace_back();
        std::int64_t count = 1;
        for (const std::string& expression : buffer.extents) {
            const ExpressionValue extent = evaluate(expression, values.scope);
            if (extent.error) return bad_expression(expression, *extent.error);
            if (extent.value < 0 || __builtin_mul_overflow(count, extent.value, &count) || count > most)
                return bad_shape(fmt::format("{} gives `{}` no size", text_of(extents), buffer.name),
                                 fmt::format("`{}` is {}", expression, extent.value));
            all.push_back(extent.value);
        }
        const auto bytes =
            static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(problem.element_bytes(buffer, type));
        values.elements.push_back(static_cast<std::uint64_t>(count));
        values.bytes.push_back(bytes);
        values.all_bytes += bytes;
    }
    const auto of_buffer = [&problem](const std::vector<std::uint64_t>& sizes) {
        return [&problem, sizes](std::string_view name) -> std::optional<std::int64_t> {
            for (std::size_t b = 0; b < problem.buffers.size(); ++b)
                if (problem.buffers[b].name == name) return static_cast<std::int64_t>(sizes[b]);
            return std::nullopt;
        };
    };
    values.scope.of_names["elements"] = of_buffer(values.elements);
    values.scope.of_names["bytes"] = of_buffer(values.bytes);
    return values;
}

std::int64_t number_of(const std::string& expression, const DescribedValues& values) {
    const ExpressionValue result = evaluate(expression, values.scope);
    if (result.error) throw std::logic_error(fmt::format("`{}`: {}", expression, result.error->says));
    return result.value;
}

ExpressionScope draw_scope(const ProblemDescription& problem, ShapeDraw& draw) {
    ExpressionScope scope;
    for (const auto& [name, value] : problem.constants) scope.names[name] = value;
    using Numbers = std::span<const std::int64_t>;
    const auto between = [&draw](std::int64_t a, std::int64_t b) { return draw.choose.between(a, std::max(a, b)); };
    // A range without such a number would be searched for ever.
    const auto rough = [&draw](std::int64_t a, std::int64_t b) {
        return b - a < 24 ? draw.choose.between(a, std::max(a, b)) : draw.choose.rough_between(a, b);
    };
    scope.functions["between"] = {2, [between](Numbers n) { return between(n[0], n[1]); }};
    scope.functions["rough"] = {2, [rough](Numbers n) { return rough(n[0], n[1]); }};
    scope.functions["near"] = {3, [&draw, between](Numbers n) { return draw.is_usual ? n[0] : between(n[1], n[2]); }};
    scope.functions["rough_near"] = {3, [&draw, rough](Numbers n) { return draw.is_usual ? n[0] : rough(n[1], n[2]); }};
    return scope;
}

std::string class_of(const ProblemDescription& problem, const std::vector<std::int64_t>& extents) {
    const auto end = extents.begin() + static_cast<std::ptrdiff_t>(std::min(extents.size(), problem.extents.size()));
    const auto [low, high] = std::minmax_element(extents.begin(), end);
    if (low == end || *low == 0) return "empty";
    std::int64_t all = 1;
    for (auto at = extents.begin(); at != end; ++at)
        all = std::min<std::int64_t>(all * std::min<std::int64_t>(*at, 65), 65);
    if (all <= 64) return "small";
    if (problem.extents.size() == 2 && *low * 32 <= *high) return "thin";
    const std::int64_t step = problem.extents.size() == 1 ? 1024 : 32;
    return std::all_of(extents.begin(), end, [&](std::int64_t extent) { return extent % step == 0; }) ? "aligned"
                                                                                                      : "odd";
}

Result<std::vector<Shape>> shapes_from(const ProblemDescription& problem, const DescribedShape& source,
                                       const ExpressionScope& scope, const std::string& type) {
    std::vector<Shape> all;
    for (int i = 0; i < source.count; ++i) {
        Shape shape;
        shape.type = type;
        for (const auto& [from, to] :
             {std::pair{&source.extents, &shape.extents}, std::pair{&source.previous, &shape.previous}}) {
            for (const std::string& expression : *from) {
                const ExpressionValue extent = evaluate(expression, scope);
                if (extent.error) return bad_expression(expression, *extent.error);
                to->push_back(extent.value);
            }
            if (to->empty()) continue;
            if (auto values = values_of(problem, *to, type); !values) return values.error();
        }
        shape.contents = source.contents;
        shape.shape_class = source.shape_class.empty() ? class_of(problem, shape.extents) : source.shape_class;
        if (source.offset != 0) {
            int largest = 1;
            for (const DescribedBuffer& buffer : problem.buffers)
                largest = std::max(largest, problem.element_bytes(buffer, type));
            shape.base_offset_bytes = source.offset * largest;
        }
        all.push_back(std::move(shape));
    }
    return all;
}

Status add_timing_names(const ProblemDescription& problem, const TimingLimits& limits, ExpressionScope& scope) {
    // An element moves what one of the technique shape moves, and brings the buffers that it brings there.
    ShapeDraw draw{Choices(0), true};
    const auto usual = shapes_from(problem, problem.technique, draw_scope(problem, draw), "float");
    if (!usual) return usual.error();
    const auto values = values_of(problem, usual->front().extents, "float");
    if (!values) return values.error();
    const auto elements = std::max<std::int64_t>(1, number_of(problem.elements, *values));
    const auto useful = std::max<std::int64_t>(1, number_of(problem.useful_bytes, *values));
    const auto bytes_each = static_cast<std::uint64_t>(std::max<std::int64_t>(1, useful / elements));
    const std::uint64_t share = 2 + (values->all_bytes - 1) / static_cast<std::uint64_t>(useful);
    scope.names["wanted"] = static_cast<std::int64_t>(timing_elements(limits, bytes_each, share));
    std::map<std::string, std::int64_t> found;
    for (const auto& [name, expression] : problem.lets) {
        const ExpressionValue value = evaluate(expression, scope);
        if (value.error) return bad_expression(expression, *value.error);
        found[name] = value.value;
    }
    for (const auto& [name, value] : found) scope.names[name] = value;
    return Nothing{};
}

}  // namespace warpgrade
