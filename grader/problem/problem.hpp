// A problem: what a launcher is called with, and whether what it left behind is right.
//
// Theory of operation. A folder describes a problem (described.hpp); `all_problems` knows those that were read. A
// problem makes the shapes to try, allocates and fills the buffers of a case, and judges the output. It never runs the
// launcher: grade/ does, between `prepare` and `judge`. Contents are functions of the index and the seed (pattern.hpp),
// so an expected value is computed, never stored where a submission could find it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "device/device.hpp"
#include "problem/effect.hpp"

namespace warpgrade {

struct Shape {
    std::vector<std::int64_t> extents;  // of a matrix: rows, cols
    std::string type = "float";         // element type, CUDA C++ spelling
    std::string shape_class;            // "aligned" | "odd" | "thin" | "small" | "empty"; "run" of a whole program
    int base_offset_bytes = 0;          // input and output start this far past a 256-byte boundary
    std::string contents;  // what the input holds; "" = the usual contents, else one of the problem's variants. Any
                           // problem that can be seen: "counting", the elements are 0, 1, 2, ...
    std::vector<std::int64_t>
        previous;  // extents of a run to do first on the same buffers (repeated calls); empty = none
    bool operator==(const Shape&) const = default;
};
std::string to_string(const Shape& shape);  // "1024 x 777", "1048576"
// With what sets it apart from other cases of the same extents: "64 x 48 unsigned char", "4096, one element past
// alignment".
std::string describe_case(const Shape& shape);

// Contents of a shape to see; no word for it is shown.
inline constexpr std::string_view counting_contents = "counting";

// As --shape takes it, "1024x777"; "" for a case that differs in more than its extents.
std::string shape_argument(const Shape& shape);

// A buffer in the learner's terms, for messages: in has 33 x 65 elements.
enum class BufferRole : std::uint8_t { in, out, scratch };
struct BufferLayout {
    std::string name;
    std::vector<std::int64_t> extents;
    BufferRole role = BufferRole::in;
    std::vector<std::string> extent_names{};  // "rows", "cols"; or expressions of such
    std::int64_t elements() const;
};

// What was seen of one launch of the judged run: error bounds depend on how the sum was split.
struct ObservedLaunch {
    std::uint64_t blocks = 0;
    std::uint64_t threads_per_block = 0;
    std::uint64_t longest_block = 0;  // instructions of its warps, of the block with the most; 0 = unknown
};
struct ObservedRun {
    std::vector<ObservedLaunch> launches;  // empty = unknown
    std::uint64_t atomic_operations = 0;   // on global and shared memory, one a lane
    std::uint64_t stored_floats = 0;       // at most so many floats were stored to global memory, over all launches
};

// One run of a launcher.
struct Case {
    Shape shape;
    std::uint64_t seed = 0;                                  // of the contents
    std::vector<int> buffers;                                // indices in the DeviceProgram
    std::vector<std::vector<std::byte>> arguments;           // of the launcher, in order
    std::vector<std::vector<std::byte>> previous_arguments;  // of a run to do first, output not judged; empty = none
    std::vector<BufferLayout> layout;                        // of `buffers`, same order
    std::string variant{};           // "" = compiled as handed in; or "THREADS=64", see CaseOptions
    std::uint64_t useful_bytes = 0;  // bytes the problem must move (read + written, or read where the output is little)
    ObservedRun observed;            // filled in by the grader between `prepare` and `judge`
    bool is_told = true;             // false: nobody reads why it is wrong
};

// Where a submission makes a mistake that its output shows: where it stores the output, in the atomic operations in
// shared or in global memory, in two launches that are alike, at the root of a scan in two sweeps, or where an index
// stops before the last elements.
enum class MistakePlace : std::uint8_t { output, shared_atomics, global_atomics, launches, root, end };

struct Judgement {
    bool is_right = false;
    std::string code;           // "", "wrong_output", "not_written", "write_to_input"
    std::string pattern;        // the diagnosis' stable name: "tile_not_moved", "rows_cols_swapped" ...
    bool is_recognised = true;  // false: no pattern fits, the words are general
    bool is_cause = false;      // of findings too: an index that is wrong in this way leaves the buffer as well
    std::string title;          // one sentence in the learner's terms
    // Byte of the output, the last buffer, where the first wrong element is that was stored; none: nothing wrong was.
    std::optional<std::uint64_t> first_wrong;
    std::vector<std::string> facts;    // first wrong element, counts
    std::vector<std::string> picture;  // small text picture, one string a row; may be empty
    std::string help;
    MistakePlace place = MistakePlace::output;
    Effect effect{};
    // Where the elements [0, n) of the output, counted flat, were written and are right, and no others: n.
    std::optional<std::uint64_t> written_prefix{};
};

// A device as far as the choice of timing shapes goes.
struct TimingLimits {
    std::uint64_t l2_bytes = 0;
    std::uint64_t free_bytes = 0;
    double peak_gb_per_s = 0;
};

// One launch of a kernel of `card_source`.
struct KernelCall {
    std::string kernel;
    vgpu::Dim3 grid, block;
    std::vector<std::byte> parameters;
};

// What the check kernels leave: zeroed before, read by the host after. Numbers of 8 bytes each.
struct CardReport {
    std::uint64_t wrong = 0;                   // elements of the output
    std::uint64_t first_wrong_complement = 0;  // ~index of the first of them
    std::uint64_t changed = 0;                 // elements of the input
    std::uint64_t fingerprint = 0;             // of the input: differs where contents do
    std::uint64_t sum = 0;                     // for the problem's own use
};

class Problem {
public:
    virtual ~Problem() = default;
    virtual std::string_view name() const = 0;                         // "scan"
    virtual std::string signature(const std::string& type) const = 0;  // the launcher as CUDA C++ source, for messages
    virtual std::string launcher_name() const = 0;                     // "scan"
    virtual std::string demangled(const std::string& type) const = 0;  // "scan(float const*, float*, int)"
    // For stages of several element types: the launcher is a template, and this makes the compiler instantiate it:
    // "template void scan<float>(float const*, float*, int);".
    virtual std::string instantiation(const std::string& type) const = 0;
    // Shapes of a graded check, from the seed; the same seed gives the same shapes. `types`: of the stage.
    virtual std::vector<Shape> shapes(std::uint64_t seed, std::span<const std::string> types) const = 0;
    // Larger ones, for which the launcher alone is asked what it would launch.
    virtual std::vector<Shape> planned_shapes(const std::string& type) const = 0;
    // Still larger ones, whose elements have one value: one block of the first that is large enough for it is run.
    virtual std::vector<Shape> sampled_shapes(const std::string& type) const = 0;
    virtual Shape technique_shape() const = 0;  // aligned; counters are read on it
    // 16 times the elements of the technique shape: launched only, not run to the end.
    virtual Shape large_shape() const = 0;
    // `shape` with the type of `other`, and those of its numbers that are no extents (how skewed the contents are).
    virtual Shape with_numbers_of(Shape shape, const Shape& other) const = 0;
    // A few of `shapes` that show most mistakes, for extra compilations (sweeps, hazard passes): several tiles or
    // blocks, ragged edges, quick to run.
    virtual std::vector<Shape> few_shapes(std::uint64_t seed, const std::string& type) const = 0;
    // Elements of a shape: what elements_per_thread divides by the threads that load them.
    virtual std::uint64_t elements(const Shape& shape) const = 0;
    virtual Result<Shape> parse_shape(std::string_view text) const = 0;
    virtual Result<Case> prepare(DeviceProgram& program, const Shape& shape, std::uint64_t seed) const = 0;
    virtual Result<Judgement> judge(DeviceProgram& program, const Case& prepared) const = 0;
    // The same shape with contents that can be followed by eye; nothing where it is too large for that.
    virtual std::optional<Shape> shape_to_see(const Shape&) const { return std::nullopt; }
    // Of such a case, after its run: input, what is expected and what was found beside one another, a line of at most
    // 78 columns each.
    virtual std::vector<std::string> values_seen(DeviceProgram&, const Case&) const { return {}; }

    // ---- bandwidth: shapes so large that kernels fill the input and check the output ----

    // One a class, the aligned one first: at least 4 times the L2 and 100 us of memory traffic, within the free memory.
    // Seed 0: those that profiles and handouts name. Any other: near those, so that no kernel can be made for them.
    virtual std::vector<Shape> timing_shapes(const TimingLimits& limits, std::uint64_t seed = 0) const = 0;
    // A sweep over sizes and forms, for `bench`; aligned ones first, by size.
    virtual std::vector<Shape> bench_shapes(const TimingLimits& limits) const = 0;
    // The first is the input, the last the output.
    virtual std::vector<vgpu::BufferSpec> buffers(const Shape& shape) const = 0;
    virtual std::vector<std::vector<std::byte>> arguments(const Shape& shape,
                                                          std::span<const std::uint64_t> addresses) const = 0;
    // Bytes that must be moved: read and written, or read where the output is one number.
    virtual std::uint64_t useful_bytes(const Shape& shape) const = 0;
    virtual bool only_reads() const = 0;  // the yardstick is a kernel that reads, not a copy
    // CUDA C++, element type float, with the kernels that the calls below name.
    virtual std::string_view card_source() const = 0;
    virtual std::vector<KernelCall> fill_calls(const Shape& shape, std::uint64_t seed,
                                               std::span<const std::uint64_t> addresses) const = 0;
    // Of an extra buffer that the checks want on a card: its address follows those of `buffers`. 0: none.
    virtual std::uint64_t check_bytes(const Shape&) const { return 0; }
    virtual std::vector<KernelCall> check_calls(const Shape& shape, std::uint64_t seed,
                                                std::span<const std::uint64_t> addresses,
                                                std::uint64_t report) const = 0;
    // What one of `buffers` holds before the run, from byte `first` on: what `prepare` fills it with.
    virtual void contents(const Shape& shape, std::uint64_t seed, std::size_t buffer, std::uint64_t first,
                          std::span<std::byte> bytes) const = 0;
    // What the output holds after it, from byte `first` on. False: no part of it can be told from the others (a sum).
    virtual bool expected(const Shape& shape, std::uint64_t seed, std::uint64_t first,
                          std::span<std::byte> bytes) const = 0;
    // The plain loop on one core of this machine, on contents of this shape; seconds of the best of three. 0: there is
    // no such loop.
    virtual double seconds_on_host(const Shape& shape) const = 0;
};

std::vector<const Problem*> all_problems();
const Problem* find_problem(std::string_view name);
// In place of the one of its name, if there is one; that one lives on for those who hold it. It is found until the
// process ends, and in processes started from here by a fork.
void add_problem(std::unique_ptr<const Problem> problem);

}  // namespace warpgrade
