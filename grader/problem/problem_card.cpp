// A described problem on a card: the kernels that fill what is timed and check what came out (oracle_source.hpp).
#include <algorithm>

#include "problem/case_bytes.hpp"
#include "problem/described_values.hpp"
#include "problem/oracle_source.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

namespace {

KernelCall over(std::string kernel, std::uint64_t elements, std::vector<std::byte> parameters) {
    constexpr std::uint64_t threads = 256, most_blocks = 2048;
    KernelCall call;
    call.kernel = std::move(kernel);
    call.block = {threads, 1, 1};
    call.grid = {
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>((elements + threads - 1) / threads, 1, most_blocks)), 1,
        1};
    call.parameters = std::move(parameters);
    return call;
}

std::vector<std::byte> parameters_of(std::initializer_list<std::uint64_t> first,
                                     const std::vector<std::uint64_t>& sources, const std::vector<std::int64_t>& then) {
    ParameterBytes parameters(first);
    for (const std::uint64_t source : sources) parameters.add(source);
    for (const std::int64_t value : then) parameters.add(static_cast<std::uint64_t>(value));
    return parameters.take();
}

// Addresses of what its contents are made from.
std::vector<std::uint64_t> sources_of(const DescribedBuffer& buffer, std::span<const std::uint64_t> addresses) {
    std::vector<std::uint64_t> sources;
    for (const std::size_t b : buffer.after) sources.push_back(addresses[b]);
    return sources;
}

}  // namespace

std::string_view Problem::card_source() const {
    const std::lock_guard lock(mutex_);
    if (card_source_.empty()) {
        const OracleSource text = oracle_source(description_, "float");
        card_source_ = text.source + "\n" + text.appended;
        for (const auto& [buffer, one] : by_output_)
            if (buffer + 1 != description_.buffers.size()) card_source_ += card_check_source(one->description());
    }
    return card_source_;
}

std::uint64_t Problem::check_bytes(const Shape& shape) const {
    const bool has_extra = description_.reference == ReferenceForm::scatter || description_.output().is_updated();
    return has_extra ? values(shape)->bytes.back() : 0;
}

std::vector<KernelCall> Problem::fill_calls(const Shape& shape, std::uint64_t seed,
                                            std::span<const std::uint64_t> addresses) const {
    const auto numbers = values(shape);
    std::vector<KernelCall> calls;
    for (std::size_t b = 0; b < description_.buffers.size(); ++b)
        if (!description_.buffers[b].contents.empty())
            calls.push_back(over(fill_kernel(b, contents_of(description_.buffers[b], shape.contents)),
                                 numbers->elements[b],
                                 parameters_of({addresses[b], 0, numbers->elements[b], seed + b},
                                               sources_of(description_.buffers[b], addresses), numbers->extents)));
    return calls;
}

std::vector<KernelCall> Problem::check_calls(const Shape& shape, std::uint64_t seed,
                                             std::span<const std::uint64_t> addresses, std::uint64_t report) const {
    const auto numbers = values(shape);
    std::vector<KernelCall> calls;
    for (std::size_t b = 0; b < description_.buffers.size() && description_.buffers[b].role == BufferRole::in; ++b)
        calls.push_back(over(changed_kernel(b), numbers->elements[b],
                             parameters_of({addresses[b], numbers->elements[b], report, b == 0, seed + b},
                                           sources_of(description_.buffers[b], addresses), numbers->extents)));
    const std::size_t out = description_.buffers.size() - 1;
    if (description_.reference == ReferenceForm::sum)
        calls.push_back(over(sum_kernel, numbers->elements[0],
                             parameters_of({report, numbers->elements[0], seed}, {}, numbers->extents)));
    const auto with_arguments = [&](std::initializer_list<std::uint64_t> first, std::span<const std::uint64_t> where) {
        ParameterBytes parameters(first);
        for (const auto& argument : arguments_of(description_, *numbers, where)) parameters.add_bytes(argument);
        return parameters.take();
    };
    const bool is_updated = description_.output().is_updated();
    // Into the extra buffer: what the output held before.
    const std::uint64_t expected = check_bytes(shape) != 0 ? addresses[out + 1] : 0;
    if (is_updated)
        calls.push_back(over(fill_kernel(out, contents_of(description_.output(), shape.contents)),
                             numbers->elements[out],
                             parameters_of({expected, 0, numbers->elements[out], seed + out}, {}, numbers->extents)));
    if (description_.reference == ReferenceForm::scatter) {
        // From zeros, or from that.
        if (!is_updated)
            calls.push_back(
                over(clear_kernel, numbers->bytes[out], parameters_of({expected, numbers->bytes[out]}, {}, {})));
        std::vector<std::uint64_t> where(addresses.begin(), addresses.begin() + static_cast<std::ptrdiff_t>(out));
        where.push_back(expected);
        const auto count = static_cast<std::uint64_t>(number_of(description_.scatter_over, *numbers));
        calls.push_back(over(reference_kernel, count, with_arguments({expected, 0, count}, where)));
    }
    const std::uint64_t terms = description_.compare.terms.empty()
                                    ? 0
                                    : static_cast<std::uint64_t>(number_of(description_.compare.terms, *numbers));
    const auto check = [&](std::size_t b, const ProblemDescription& of) {
        calls.push_back(over(card_kernel(of), numbers->elements[b],
                             with_arguments({expected, numbers->elements[b], report, terms}, addresses)));
    };
    for (const auto& [buffer, one] : by_output_) check(buffer, one->description());
    if (by_output_.empty()) check(out, description_);
    return calls;
}

}  // namespace warpgrade
