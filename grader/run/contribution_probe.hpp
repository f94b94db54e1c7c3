// How often each element is in a sum, found by running the program on made-up values.
//
// Theory of operation. The launcher runs with values that are 0 but for a few, which are powers of one base: the digits
// of the sum in that base are how often each of these elements was added.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "run/cases.hpp"

namespace warpgrade {

using Counts = std::vector<std::uint32_t>;

class ContributionProbe {
public:
    explicit ContributionProbe(const Bench& bench);

    // False: no case of the kind that is counted.
    bool prepare(const Shape& shape);

    std::size_t n() const { return values_.size(); }
    const Shape& shape() const { return shape_; }
    const std::vector<float>& values() const { return values_; }  // that the shape has
    const std::vector<LaunchInfo>& launches() const { return launches_; }
    const vgpu::RunResult& result() const { return result_; }

    const std::string& out_name() const { return case_.layout.back().name; }

    // After a run of two launches: do the sums that the first one left add up to the sum of the values? They are whole
    // numbers.
    bool has_right_sums(const std::vector<float>& values);

    // The sum that the launcher makes of these values.
    std::optional<float> sum(const std::vector<float>& values);

    // Of the elements in [first, last), one by one.
    std::optional<Counts> one_by_one(std::size_t first, std::size_t last);

    // That all elements in [first, last) have.
    std::optional<std::uint32_t> of_all(std::size_t first, std::size_t last);

    // Whether counts of all elements give the sum of the shape's own values.
    bool explain(const Counts& counts, float found) const;

private:
    std::span<std::byte> bytes(int buffer) const { return bench_.program.bytes(buffer); }
    static bool is_count(float found) { return found >= 0 && found <= 0x1p24f && found == std::floor(found); }

    // at_a_time digits of this base make no larger number than floats count to.
    std::optional<Counts> one_by_one(std::size_t first, std::size_t last, std::size_t at_a_time, std::uint32_t base);

    const Bench& bench_;
    vgpu::Budget budget_;
    Case case_;
    Shape shape_;
    std::vector<float> values_;
    std::vector<LaunchInfo> launches_;
    vgpu::RunResult result_;
    std::size_t runs_ = 0;
};

}  // namespace warpgrade
