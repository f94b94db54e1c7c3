// The bytes of a case: a launcher's arguments, and what buffers hold.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "problem/described_values.hpp"
#include "problem/description.hpp"

namespace warpgrade {

// Parameters of a kernel one after another, each at a multiple of its size.
class ParameterBytes {
public:
    ParameterBytes(std::initializer_list<std::uint64_t> first = {}) {
        for (const std::uint64_t value : first) add(value);
    }
    void add(std::uint64_t value, std::size_t bytes = 8);
    void add_bytes(std::span<const std::byte> value);
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

// The launcher's arguments. `addresses`: by buffer of the description.
std::vector<std::vector<std::byte>> arguments_of(const ProblemDescription& problem, const DescribedValues& values,
                                                 std::span<const std::uint64_t> addresses);
// What the buffer holds on this shape.
const std::string& contents_of(const DescribedBuffer& buffer, const std::string& variant);
// Fills with what input `b` holds from element `first` on. False: contents of the author's own, which only run in the
// oracle.
bool fill_known(const ProblemDescription& problem, const DescribedValues& values, const Shape& shape,
                std::uint64_t seed, std::size_t b, std::uint64_t first, std::span<std::byte> bytes);
// All of it, on as many threads as there are.
bool fill_known_in_parallel(const ProblemDescription& problem, const DescribedValues& values, const Shape& shape,
                            std::uint64_t seed, std::size_t b, std::span<std::byte> bytes);

}  // namespace warpgrade
