// A problem: what a launcher is called with, and whether what it left behind is right.
//
// Theory of operation. A folder describes a problem (assignments/<p>/problem.toml and problem.cu); `all_problems` knows
// those that were read. A problem makes the shapes to try, allocates and fills the buffers of a case, and judges the
// output. It never runs the launcher: grade/ does, between `prepare` and `judge`. Contents are functions of the index
// and the seed (pattern.hpp), so an expected value is computed, never stored where a submission could find it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "problem/case.hpp"
#include "problem/description.hpp"

namespace warpgrade {

class Oracle;
struct DescribedValues;
struct ExpressionScope;

class Problem {
public:
    explicit Problem(ProblemDescription description);
    ~Problem();

    const ProblemDescription& description() const { return description_; }
    Oracle& oracle() const { return *oracle_; }

    std::string_view name() const { return description_.name; }  // "scan"
    std::string signature(const std::string& type) const;        // the launcher as CUDA C++ source, for messages
    std::string launcher_name() const { return description_.launcher.name; }  // "scan"
    std::string demangled(const std::string& type) const;                     // "scan(float const*, float*, int)"
    // For stages of several element types: the launcher is a template, and this makes the compiler instantiate it:
    // "template void scan<float>(float const*, float*, int);".
    std::string instantiation(const std::string& type) const;
    // Shapes of a graded check, from the seed; the same seed gives the same shapes. `types`: of the stage.
    std::vector<Shape> shapes(std::uint64_t seed, std::span<const std::string> types) const;
    // Larger ones, for which the launcher alone is asked what it would launch.
    std::vector<Shape> planned_shapes(const std::string& type) const;
    // Still larger ones, whose elements have one value: one block of the first that is large enough for it is run.
    std::vector<Shape> sampled_shapes(const std::string& type) const;
    Shape technique_shape() const;  // aligned; counters are read on it
    // 16 times the elements of the technique shape: launched only, not run to the end.
    Shape large_shape() const;
    // `shape` with the type of `other`, and those of its numbers that are no extents (how skewed the contents are).
    Shape with_numbers_of(Shape shape, const Shape& other) const;
    // A few of `shapes` that show most mistakes, for extra compilations (sweeps, hazard passes): several tiles or
    // blocks, ragged edges, quick to run.
    std::vector<Shape> few_shapes(std::uint64_t seed, const std::string& type) const;
    // Elements of a shape: what elements_per_thread divides by the threads that load them.
    std::uint64_t elements(const Shape& shape) const;
    Result<Shape> parse_shape(std::string_view text) const;
    Result<Case> prepare(DeviceProgram& program, const Shape& shape, std::uint64_t seed) const;
    // Of several outputs, each as of a problem of its own: the first that is wrong.
    Result<Judgement> judge(DeviceProgram& program, const Case& prepared) const;
    // Of several outputs, by buffer: the problem as if this one was its only output.
    const std::map<std::size_t, std::unique_ptr<const Problem>>& by_output() const { return by_output_; }
    // The same shape with contents that can be followed by eye; nothing where it is too large for that.
    std::optional<Shape> shape_to_see(const Shape& shape) const;
    // Of such a case, after its run: input, what is expected and what was found beside one another, a line of at most
    // 78 columns each.
    std::vector<std::string> values_seen(DeviceProgram& program, const Case& prepared) const;

    // ---- bandwidth: shapes so large that kernels fill the input and check the output ----

    // One a class, the aligned one first: at least 4 times the L2 and 100 us of memory traffic, within the free memory.
    // Seed 0: those that profiles and handouts name. Any other: near those, so that no kernel can be made for them.
    std::vector<Shape> timing_shapes(const TimingLimits& limits, std::uint64_t seed = 0) const;
    // A sweep over sizes and forms, for `bench`; aligned ones first, by size.
    std::vector<Shape> bench_shapes(const TimingLimits& limits) const;
    // The first is the input, the last the output.
    std::vector<vgpu::BufferSpec> buffers(const Shape& shape) const;
    std::vector<std::vector<std::byte>> arguments(const Shape& shape, std::span<const std::uint64_t> addresses) const;
    // Bytes that must be moved: read and written, or read where the output is one number.
    std::uint64_t useful_bytes(const Shape& shape) const;
    double flops(const Shape& shape) const;  // floating-point operations that it takes; 0: not counted
    Yardstick yardstick() const { return description_.yardstick; }
    // CUDA C++, element type float, with the kernels that the calls below name.
    std::string_view card_source() const;
    std::vector<KernelCall> fill_calls(const Shape& shape, std::uint64_t seed,
                                       std::span<const std::uint64_t> addresses) const;
    // Of an extra buffer that the checks want on a card: its address follows those of `buffers`. 0: none.
    std::uint64_t check_bytes(const Shape& shape) const;
    std::vector<KernelCall> check_calls(const Shape& shape, std::uint64_t seed,
                                        std::span<const std::uint64_t> addresses, std::uint64_t report) const;
    // What one of `buffers` holds before the run, from byte `first` on: what `prepare` fills it with.
    void contents(const Shape& shape, std::uint64_t seed, std::size_t buffer, std::uint64_t first,
                  std::span<std::byte> bytes) const;
    // What the output holds after it, from byte `first` on. False: no part of it can be told from the others (a sum).
    bool expected(const Shape& shape, std::uint64_t seed, std::uint64_t first, std::span<std::byte> bytes) const;
    // The plain loop on one core of this machine, on contents of this shape; seconds of the best of three. 0: there is
    // no such loop.
    double seconds_on_host(const Shape& shape) const;

private:
    Result<int> allocate(DeviceProgram& program, const vgpu::BufferSpec& spec, std::size_t b, const Shape& shape,
                         std::uint64_t seed) const;
    Result<Judgement> judge_last(DeviceProgram& program, const Case& prepared) const;
    bool expected_moved(const Shape& shape, std::uint64_t seed, std::uint64_t first, std::span<std::byte> bytes) const;
    std::shared_ptr<const DescribedValues> values(const Shape& shape) const;
    std::vector<Shape> fixed(const std::vector<DescribedShape>& list, const std::string& type) const;
    std::vector<Shape> drawn(const std::vector<DescribedShape>& list, ExpressionScope& scope,
                             const std::string& type) const;

    ProblemDescription description_;
    std::map<std::size_t, std::unique_ptr<const Problem>> by_output_;
    std::unique_ptr<Oracle> oracle_;  // a cache and a lock
    mutable std::mutex mutex_;        // of what is below
    mutable std::string card_source_;
    mutable std::map<std::string, std::shared_ptr<const DescribedValues>> values_;  // of shapes asked about
};

std::vector<const Problem*> all_problems();
const Problem* find_problem(std::string_view name);
// In place of the one of its name, if there is one; that one lives on for those who hold it. It is found until the
// process ends, and in processes started from here by a fork.
void add_problem(std::unique_ptr<const Problem> problem);
// Reads <assignments>/*/problem.toml, which find_problem then knows. A folder that was read before is read again only
// where its texts have changed; problems live as long as the process. Error: the first that is wrong.
Status load_problems(const std::string& assignments);

}  // namespace warpgrade
