#include "problem/case_bytes.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "problem/contents.hpp"

namespace warpgrade {

bool fill_known(const ProblemDescription& problem, const DescribedValues& values, const Shape& shape,
                std::uint64_t seed, std::size_t b, std::uint64_t first, std::span<std::byte> bytes) {
    const DescribedBuffer& buffer = problem.buffers[b];
    return fill_contents(contents_of(buffer, shape.contents), problem.element_type(buffer, shape.type),
                         values.elements[b], seed + b, first, bytes);
}

// Pages that nothing has touched take the system longer than what is stored to them.
bool fill_known_in_parallel(const ProblemDescription& problem, const DescribedValues& values, const Shape& shape,
                            std::uint64_t seed, std::size_t b, std::span<std::byte> bytes) {
    constexpr std::size_t piece = std::size_t{16} << 20;
    if (!fill_known(problem, values, shape, seed, b, 0, {})) return false;
    const auto size = static_cast<std::size_t>(problem.element_bytes(problem.buffers[b], shape.type));
    const std::size_t pieces = (bytes.size() + piece - 1) / piece;
    for_each_in_parallel(pieces, threads_for(pieces), [&](std::size_t i) {
        const std::size_t first = i * piece;
        fill_known(problem, values, shape, seed, b, first / size,
                   bytes.subspan(first, std::min(piece, bytes.size() - first)));
    });
    return true;
}

void ParameterBytes::add(std::uint64_t value, std::size_t bytes) {
    add_bytes({reinterpret_cast<const std::byte*>(&value), bytes});
}

void ParameterBytes::add_bytes(std::span<const std::byte> value) {
    bytes_.resize((bytes_.size() + value.size() - 1) / value.size() * value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
}

std::vector<std::vector<std::byte>> arguments_of(const ProblemDescription& problem, const DescribedValues& values,
                                                 std::span<const std::uint64_t> addresses) {
    std::vector<std::vector<std::byte>> all;
    const auto add = [&](const auto& value) {
        const auto* first = reinterpret_cast<const std::byte*>(&value);
        all.emplace_back(first, first + sizeof value);
    };
    for (const LauncherParameter& parameter : problem.launcher.parameters) {
        if (parameter.is_pointer) {
            for (std::size_t b = 0; b < problem.buffers.size(); ++b)
                if (problem.buffers[b].name == parameter.name) add(addresses[b]);
            continue;
        }
        const auto real = problem.reals.find(parameter.name);
        const std::int64_t value = real == problem.reals.end() ? values.scope.names.at(parameter.name) : 0;
        const double number = real == problem.reals.end() ? static_cast<double>(value) : real->second;
        if (parameter.type == "float")
            add(static_cast<float>(number));
        else if (parameter.type == "double")
            add(number);
        else if (type_named(parameter.type)->bytes == 4)
            add(static_cast<std::int32_t>(value));
        else
            add(value);
    }
    return all;
}

const std::string& contents_of(const DescribedBuffer& buffer, const std::string& variant) {
    const auto found = buffer.variants.find(variant);
    if (found != buffer.variants.end()) return found->second;
    static const std::string counting = "index";
    return variant == counting_contents ? counting : buffer.contents;
}

}  // namespace warpgrade
