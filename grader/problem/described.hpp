// A problem that a folder describes: assignments/<p>/problem.toml and problem.cu.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "problem/description.hpp"
#include "problem/oracle.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

class DescribedProblem final : public Problem {
public:
    explicit DescribedProblem(ProblemDescription description)
        : description_(std::move(description)), oracle_(description_) {}

    const ProblemDescription& description() const { return description_; }
    Oracle& oracle() const { return oracle_; }

    std::string_view name() const override { return description_.name; }
    std::string signature(const std::string& type) const override;
    std::string launcher_name() const override { return description_.launcher.name; }
    std::string demangled(const std::string& type) const override;
    std::string instantiation(const std::string& type) const override;
    std::vector<Shape> shapes(std::uint64_t seed, std::span<const std::string> types) const override;
    std::vector<Shape> planned_shapes(const std::string& type) const override;
    std::vector<Shape> sampled_shapes(const std::string& type) const override;
    Shape technique_shape() const override;
    Shape large_shape() const override;
    Shape with_numbers_of(Shape shape, const Shape& other) const override;
    std::vector<Shape> few_shapes(std::uint64_t seed, const std::string& type) const override;
    std::uint64_t elements(const Shape& shape) const override;
    Result<Shape> parse_shape(std::string_view text) const override;
    Result<Case> prepare(DeviceProgram& program, const Shape& shape, std::uint64_t seed) const override;
    Result<Judgement> judge(DeviceProgram& program, const Case& prepared) const override;

    std::vector<Shape> timing_shapes(const TimingLimits& limits, std::uint64_t seed) const override;
    std::vector<Shape> bench_shapes(const TimingLimits& limits) const override;
    std::vector<vgpu::BufferSpec> buffers(const Shape& shape) const override;
    std::vector<std::vector<std::byte>> arguments(const Shape& shape,
                                                  std::span<const std::uint64_t> addresses) const override;
    std::uint64_t useful_bytes(const Shape& shape) const override;
    double flops(const Shape& shape) const override;
    Yardstick yardstick() const override { return description_.yardstick; }
    std::string_view card_source() const override;
    std::uint64_t check_bytes(const Shape& shape) const override;
    std::vector<KernelCall> fill_calls(const Shape& shape, std::uint64_t seed,
                                       std::span<const std::uint64_t> addresses) const override;
    std::vector<KernelCall> check_calls(const Shape& shape, std::uint64_t seed,
                                        std::span<const std::uint64_t> addresses, std::uint64_t report) const override;
    void contents(const Shape& shape, std::uint64_t seed, std::size_t buffer, std::uint64_t first,
                  std::span<std::byte> bytes) const override;
    bool expected(const Shape& shape, std::uint64_t seed, std::uint64_t first,
                  std::span<std::byte> bytes) const override;
    double seconds_on_host(const Shape& shape) const override;
    std::optional<Shape> shape_to_see(const Shape& shape) const override;
    std::vector<std::string> values_seen(DeviceProgram& program, const Case& prepared) const override;

private:
    bool expected_moved(const Shape& shape, std::uint64_t seed, std::uint64_t first, std::span<std::byte> bytes) const;
    std::shared_ptr<const DescribedValues> values(const Shape& shape) const;
    std::vector<Shape> fixed(const std::vector<DescribedShape>& list, const std::string& type) const;
    std::vector<Shape> drawn(const std::vector<DescribedShape>& list, ExpressionScope& scope,
                             const std::string& type) const;

    ProblemDescription description_;
    mutable Oracle oracle_;     // a cache and a lock
    mutable std::mutex mutex_;  // of what is below
    mutable std::string card_source_;
    mutable std::map<std::string, std::shared_ptr<const DescribedValues>> values_;  // of shapes asked about
};

// Reads <assignments>/*/problem.toml, which find_problem then knows. A folder that was read before is read again only
// where its texts have changed; problems live as long as the process. Error: the first that is wrong.
Status load_problems(const std::string& assignments);

}  // namespace warpgrade
