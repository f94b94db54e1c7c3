// One run of a launcher: its shape, buffers and arguments, and the judgement of what it left behind.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// The code of an error: what is right takes more work than the problem's functions may take on one shape.
inline constexpr std::string_view reference_takes_too_long = "reference_takes_too_long";

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
    // The last buffer is the output that messages are about: of several, makes this one of `buffers` the last.
    void put_last(std::size_t buffer);
};

// Where a submission makes a mistake that its output shows.
enum class MistakePlace : std::uint8_t {
    output,          // where it is stored
    shared_atomics,  // the atomic operations in shared memory
    global_atomics,
    launches,  // two that are alike
    root,      // of a scan in two sweeps
    end,       // where an index stops before the last elements
    loads,     // of the input
    index,     // of these loads, where it is made
    start,     // of these loads: the first of them
    tree,      // the loads from shared memory
    shuffles,
    first_launch,
    second_launch,  // of what the first has left
    next_launch     // that is told too little of what the first has left
};

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
    std::optional<std::size_t> output{};  // which of the case's buffers is wrong, where that is not the last
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

}  // namespace warpgrade
