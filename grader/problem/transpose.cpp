// The transpose, and the copy that is its worked example: rows x cols in, cols x rows (or rows x cols) out.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "problem/pattern.hpp"
#include "problem/registry.hpp"
#include "problem/shapes.hpp"
#include "problem/transpose_card.hpp"
#include "problem/transpose_diagnosis.hpp"
#include "problem/value_grid.hpp"

namespace warpgrade {

namespace {

// A quiet NaN that no pattern contains, and bytes that read as 0xA5 each for the small types.
constexpr std::uint32_t output_poison = 0x7FA5A5A5u;
// Contents of one shape: no value of an element means anything to a transpose.
constexpr std::string_view special_values = "zeros, infinities and NaN";

const char* class_of(std::int64_t rows, std::int64_t cols) {
    if (rows == 0 || cols == 0) return "empty";
    const auto [low, high] = std::minmax(rows, cols);
    if (high <= 8) return "small";
    if (low * 32 <= high) return "thin";
    return rows % 32 == 0 && cols % 32 == 0 ? "aligned" : "odd";
}

Shape shape_of(std::int64_t rows, std::int64_t cols, const std::string& type) {
    Shape shape;
    shape.extents = {rows, cols};
    shape.type = type;
    shape.shape_class = class_of(rows, cols);
    return shape;
}

Pattern pattern_of(const Shape& shape, std::uint64_t seed);

class Transpose final : public Problem {
public:
    explicit Transpose(bool is_transposed) : is_transposed_(is_transposed) {}

    std::string_view name() const override { return is_transposed_ ? "transpose" : "copy"; }
    std::string launcher_name() const override { return std::string(name()); }
    std::string signature(const std::string& type) const override {
        return fmt::format("void {0}(const {1}* in, {1}* out, int rows, int cols)", name(), type);
    }
    std::string demangled(const std::string& type) const override {
        return fmt::format("{0}({1} const*, {1}*, int, int)", name(), type);
    }
    std::string instantiation(const std::string& type) const override {
        return fmt::format("template void {0}<{1}>(const {1}*, {1}*, int, int);", name(), type);
    }
    std::vector<Shape> shapes(std::uint64_t seed, std::span<const std::string> types) const override;
    std::vector<Shape> few_shapes(std::uint64_t seed, const std::string& type) const override;
    Shape technique_shape() const override { return shape_of(1024, 1024, "float"); }
    Shape large_shape() const override { return shape_of(4096, 4096, "float"); }
    std::uint64_t elements(const Shape& shape) const override {
        return static_cast<std::uint64_t>(shape.extents[0]) * static_cast<std::uint64_t>(shape.extents[1]);
    }
    Result<Shape> parse_shape(std::string_view text) const override;
    Result<Case> prepare(DeviceProgram& program, const Shape& shape, std::uint64_t seed) const override;
    Result<Judgement> judge(DeviceProgram& program, const Case& prepared) const override;
    std::optional<Shape> shape_to_see(const Shape& shape) const override {
        Shape seen = shape;
        seen.contents = counting_contents;
        constexpr std::int64_t most = 8;
        const bool is_small = shape.extents[0] <= most && shape.extents[1] <= most && elements(shape) > 0;
        return is_small ? std::optional(seen) : std::nullopt;
    }
    std::vector<std::string> values_seen(DeviceProgram& program, const Case& prepared) const override;

    std::vector<Shape> timing_shapes(const TimingLimits& limits, std::uint64_t seed) const override;
    std::vector<Shape> bench_shapes(const TimingLimits& limits) const override;
    std::vector<vgpu::BufferSpec> buffers(const Shape& shape) const override;
    std::vector<std::vector<std::byte>> arguments(const Shape& shape,
                                                  std::span<const std::uint64_t> addresses) const override;
    std::uint64_t useful_bytes(const Shape& shape) const override;
    bool only_reads() const override { return false; }
    std::string_view card_source() const override { return transpose_card_source(); }
    std::vector<KernelCall> fill_calls(const Shape& shape, std::uint64_t seed,
                                       std::span<const std::uint64_t> addresses) const override {
        return {transpose_fill_call(elements(shape), seed, addresses[0])};
    }
    std::vector<KernelCall> check_calls(const Shape& shape, std::uint64_t seed,
                                        std::span<const std::uint64_t> addresses, std::uint64_t report) const override {
        return {transpose_check_call(shape, is_transposed_, seed, addresses, report)};
    }
    void contents(const Shape& shape, std::uint64_t seed, std::size_t buffer, std::uint64_t first,
                  std::span<std::byte> bytes) const override;
    bool expected(const Shape& shape, std::uint64_t seed, std::uint64_t first,
                  std::span<std::byte> bytes) const override;
    double seconds_on_host(const Shape& shape) const override {
        return transpose_seconds_on_host(shape, is_transposed_);
    }

private:
    std::vector<bool> left_by_previous(const TransposeOutput& output, const Case& prepared) const;

    bool is_transposed_;
};

std::vector<Shape> Transpose::shapes(std::uint64_t seed, std::span<const std::string> types) const {
    std::vector<Shape> all;
    const std::string first =
        std::find(types.begin(), types.end(), "float") != types.end() || types.empty() ? "float" : types[0];
    // Those that tell most mistakes apart come first; then the edges; then those that differ from run to run.
    const std::int64_t fixed[][2] = {{64, 96},
                                     {63, 65},
                                     {33, 31},
                                     {31, 33},
                                     {32, 33},
                                     {127, 129},
                                     {30, 61},
                                     {50, 63},
                                     {257, 263},
                                     {1, 1},
                                     {1, 67},
                                     {67, 1},
                                     {0, 5},
                                     {5, 0},
                                     {1000, 777},
                                     // One more than 65535 tiles of 32 rows, the most a grid has in y.
                                     {2097121, 1},
                                     {1, 2097121}};
    for (const auto& [rows, cols] : fixed) all.push_back(shape_of(rows, cols, first));
    all[7].contents = special_values;
    // A second call on the same output, with another input: nothing may be kept from the first one.
    Shape again = shape_of(45, 62, first);
    again.previous = {62, 45};
    all.push_back(again);
    Shape shifted = shape_of(96, 64, first);
    shifted.base_offset_bytes = size_bytes(element_type_named(first).value_or(ElementType::f32));
    all.push_back(shifted);

    Choices choose(hash_of(seed, 0x7A05));
    for (int i = 0; i < 2; ++i)
        all.push_back(shape_of(choose.rough_between(101, 499), choose.rough_between(101, 499), first));
    for (int i = 0; i < 2; ++i) all.push_back(shape_of(64 * choose.between(1, 7), 64 * choose.between(1, 7), first));
    all.push_back(shape_of(choose.between(2, 7), choose.between(5000, 20000), first));
    all.push_back(shape_of(choose.between(5000, 20000), choose.between(2, 7), first));

    for (const std::string& type : types) {
        if (type == first) continue;
        const std::int64_t edges[][2] = {{64, 96}, {63, 65}, {31, 33}, {127, 129},
                                         {30, 61}, {45, 62}, {50, 63}, {1, 1}};
        for (const auto& [rows, cols] : edges) all.push_back(shape_of(rows, cols, type));
        all.push_back(shape_of(choose.rough_between(101, 299), choose.rough_between(101, 299), type));
        all.push_back(shape_of(64 * choose.between(1, 5), 64 * choose.between(1, 5), type));
    }
    return all;
}

std::vector<Shape> Transpose::few_shapes(std::uint64_t seed, const std::string& type) const {
    Choices choose(hash_of(seed, 0xFE35));
    return {shape_of(63, 65, type), shape_of(128, 64, type),
            shape_of(choose.rough_between(101, 199), choose.rough_between(101, 199), type)};
}

Result<Shape> Transpose::parse_shape(std::string_view text) const {
    constexpr std::int64_t most = 2147483647;  // rows and cols are int
    auto shape = parse_extents(text, 2, "1000x777");
    if (!shape) return shape;
    if (shape->extents[0] > most || shape->extents[1] > most) {
        Diagnostic diagnostic;
        diagnostic.blame = Blame::usage;
        diagnostic.code = "bad_shape";
        diagnostic.title = fmt::format("`{}` does not fit the launcher's parameters", text);
        diagnostic.facts = {fmt::format("rows and cols are int: at most {}", most)};
        return diagnostic;
    }
    shape->shape_class = class_of(shape->extents[0], shape->extents[1]);
    return shape;
}

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

ElementType type_of(const Shape& shape) {
    const auto type = element_type_named(shape.type);
    if (!type) throw std::logic_error("no such element type: " + shape.type);  // the course loader checked it
    return *type;
}

Pattern pattern_of(const Shape& shape, std::uint64_t seed) {
    if (shape.contents == counting_contents) return Pattern::counting(type_of(shape));
    return Pattern(type_of(shape), seed, shape.contents == special_values);
}

std::uint64_t element_bytes(const Shape& shape) { return static_cast<std::uint64_t>(size_bytes(type_of(shape))); }

std::vector<vgpu::BufferSpec> Transpose::buffers(const Shape& shape) const {
    vgpu::BufferSpec in;
    in.name = "in";
    in.element_bytes = size_bytes(type_of(shape));
    in.bytes = elements(shape) * static_cast<std::uint64_t>(in.element_bytes);
    in.offset_bytes = static_cast<std::uint64_t>(shape.base_offset_bytes);
    vgpu::BufferSpec out = in;
    out.name = "out";
    in.is_read_only = in.is_written = true;
    return {in, out};
}

std::vector<std::vector<std::byte>> Transpose::arguments(const Shape& shape,
                                                         std::span<const std::uint64_t> addresses) const {
    return {bytes_of(addresses[0]), bytes_of(addresses[1]), bytes_of(static_cast<std::int32_t>(shape.extents[0])),
            bytes_of(static_cast<std::int32_t>(shape.extents[1]))};
}

std::uint64_t Transpose::useful_bytes(const Shape& shape) const {
    return 2 * elements(shape) * static_cast<std::uint64_t>(size_bytes(type_of(shape)));
}

std::vector<Shape> Transpose::timing_shapes(const TimingLimits& limits, std::uint64_t seed) const {
    // Input and output; a multiple of 1024, so that tiles of any size divide it.
    const std::uint64_t elements = timing_elements(limits, 2 * sizeof(float), 3);
    std::int64_t side = 1024;
    while (static_cast<std::uint64_t>(side * side) < elements) side += 1024;
    std::int64_t rows = side, cols = side, odd_rows = side - 1, odd_cols = side + 1, low = 100, small = 1024;
    if (seed != 0) {
        Choices choose(hash_of(seed, 0x71AE));
        rows += 128 * choose.between(0, side / 1024);
        cols += 128 * choose.between(0, side / 1024);
        odd_rows = choose.rough_between(side - 99, side + 99);
        odd_cols = choose.rough_between(side - 99, side + 99);
        low = choose.between(90, 110);
        small = 128 * choose.between(7, 9);
    }
    std::vector<Shape> all{shape_of(rows, cols, "float"), shape_of(odd_rows, odd_cols, "float"),
                           shape_of(low, side * side / low, "float"), shape_of(small, small, "float")};
    all.back().shape_class = "small";  // of the time, where the launch weighs
    return all;
}

std::vector<Shape> Transpose::bench_shapes(const TimingLimits& limits) const {
    const std::uint64_t most = limits.free_bytes / 3 / (2 * sizeof(float));
    std::vector<Shape> all;
    for (const std::int64_t side : {1024, 2048, 4096, 8192, 16384})
        if (static_cast<std::uint64_t>(side * side) <= most) all.push_back(shape_of(side, side, "float"));
    if (!all.empty()) all.front().shape_class = "small";
    const std::vector<Shape> timed = timing_shapes(limits, 0);
    for (const Shape& shape : timed)
        if (std::find(all.begin(), all.end(), shape) == all.end()) all.push_back(shape);
    for (const Shape& shape : timed)  // and the thin one lying down
        if (shape.shape_class == "thin") all.push_back(shape_of(shape.extents[1], shape.extents[0], "float"));
    return all;
}

void Transpose::contents(const Shape& shape, std::uint64_t seed, std::size_t buffer, std::uint64_t first,
                         std::span<std::byte> bytes) const {
    if (buffer == 0) return pattern_of(shape, seed).fill(bytes, first / element_bytes(shape));
    fill_with(output_poison, first, bytes);
}

bool Transpose::expected(const Shape& shape, std::uint64_t seed, std::uint64_t first,
                         std::span<std::byte> bytes) const {
    const Pattern pattern = pattern_of(shape, seed);
    const std::uint64_t size = element_bytes(shape);
    const auto rows = static_cast<std::uint64_t>(shape.extents[0]), cols = static_cast<std::uint64_t>(shape.extents[1]);
    for (std::uint64_t i = 0; i < bytes.size();) {
        const std::uint64_t element = (first + i) / size, in_element = (first + i) % size;
        const std::uint64_t source = is_transposed_ ? element % rows * cols + element / rows : element;
        const ElementBytes right = pattern.element(source);
        const std::uint64_t count = std::min(size - in_element, bytes.size() - i);
        std::memcpy(bytes.data() + i, right.data() + in_element, count);
        i += count;
    }
    return true;
}

Result<Case> Transpose::prepare(DeviceProgram& program, const Shape& shape, std::uint64_t seed) const {
    const Pattern pattern = pattern_of(shape, seed);
    Case prepared;
    prepared.shape = shape;
    prepared.seed = seed;
    std::vector<std::uint64_t> addresses;
    for (const vgpu::BufferSpec& spec : buffers(shape)) {
        const auto buffer = program.allocate(spec);
        if (!buffer) return buffer.error();
        prepared.buffers.push_back(*buffer);
        addresses.push_back(program.address(*buffer));
    }
    const int in = prepared.buffers[0], out = prepared.buffers[1];
    pattern.fill(program.bytes(in));
    if (auto status = program.upload(in); !status) return status.error();
    program.poison(out, output_poison);

    const std::int64_t rows = shape.extents[0], cols = shape.extents[1];
    prepared.arguments = arguments(shape, addresses);
    if (!shape.previous.empty()) {
        Shape before = shape;
        before.extents = shape.previous;  // as many elements: the output is the same buffer
        const auto buffer = program.allocate(buffers(before)[0]);
        if (!buffer) return buffer.error();
        Pattern(type_of(shape), seed + 1).fill(program.bytes(*buffer));
        if (auto status = program.upload(*buffer); !status) return status.error();
        addresses[0] = program.address(*buffer);
        prepared.previous_arguments = arguments(before, addresses);
    }
    prepared.layout = {{"in", {rows, cols}},
                       is_transposed_ ? BufferLayout{"out", {cols, rows}} : BufferLayout{"out", {rows, cols}}};
    prepared.useful_bytes = useful_bytes(shape);
    return prepared;
}

// The wrong elements that hold what a first call stored there: the second one has not written them.
std::vector<bool> Transpose::left_by_previous(const TransposeOutput& output, const Case& prepared) const {
    std::vector<bool> is_wrong(elements(prepared.shape), false);
    output.pattern.compare(output.out, static_cast<std::uint64_t>(output.rows), static_cast<std::uint64_t>(output.cols),
                           is_transposed_, [&](std::uint64_t i) { is_wrong[i] = true; });
    std::vector<bool> is_left = is_wrong;
    const auto extent = [&](std::size_t i) { return static_cast<std::uint64_t>(prepared.shape.previous[i]); };
    Pattern(output.pattern.type(), prepared.seed + 1)
        .compare(output.out, extent(0), extent(1), is_transposed_, [&](std::uint64_t i) { is_left[i] = false; });
    return is_left;
}

Result<Judgement> Transpose::judge(DeviceProgram& program, const Case& prepared) const {
    const Shape& shape = prepared.shape;
    const Pattern pattern = pattern_of(shape, prepared.seed);
    const int in = prepared.buffers[0], out = prepared.buffers[1];
    if (auto status = program.download(in); !status) return status.error();
    if (auto status = program.download(out); !status) return status.error();

    if (const auto changed = pattern.first_difference(program.bytes(in))) {
        const auto cols = static_cast<std::uint64_t>(shape.extents[1]);
        Judgement judgement;
        judgement.code = "write_to_input";
        judgement.pattern = "input_changed";
        judgement.title = "the input was changed";
        judgement.facts = {
            fmt::format("in[{}][{}] is not what it was before the run", *changed / cols, *changed % cols)};
        judgement.help = "store only to `out`";
        return judgement;
    }

    TransposeOutput output{pattern, shape.extents[0], shape.extents[1], is_transposed_, program.bytes(out), {}};
    const auto size = static_cast<std::uint64_t>(pattern.element_bytes());
    output.is_written = [&](std::uint64_t first, std::uint64_t count) {
        return program.is_written(out, first * size, count * size);
    };
    if (shape.previous.empty()) return judge_transpose(output);

    const std::vector<bool> is_left = left_by_previous(output, prepared);
    const auto is_written = output.is_written;
    output.is_written = [&](std::uint64_t first, std::uint64_t count) {
        const auto begin = is_left.begin() + static_cast<std::ptrdiff_t>(first);
        return is_written(first, count) && std::find(begin, begin + static_cast<std::ptrdiff_t>(count), true) ==
                                               begin + static_cast<std::ptrdiff_t>(count);
    };
    Judgement judgement = judge_transpose(output);
    const bool has_left = std::find(is_left.begin(), is_left.end(), true) != is_left.end();
    if (judgement.pattern == "nothing_written" && has_left) {
        judgement.pattern = "stale";
        judgement.title = "`out` holds the result of the call before: this call has written nothing";
        judgement.help = "every call has to do all of its work: nothing may be kept from the one before";
    } else if (has_left) {
        judgement.facts.push_back("what is not written still holds the result of the call before");
    }
    return judgement;
}

std::vector<std::string> Transpose::values_seen(DeviceProgram& program, const Case& prepared) const {
    const Shape& shape = prepared.shape;
    const Pattern pattern = pattern_of(shape, prepared.seed);
    const std::uint64_t size = element_bytes(shape);
    const std::int64_t rows = shape.extents[0], cols = shape.extents[1];
    const TransposeOutput output{pattern, rows, cols, is_transposed_, program.bytes(prepared.buffers[1]), {}};
    ValueGrid in{"in", cols, {}, {}}, expected{"expected", output.width(), {}, {}}, found{"found", output.width(), {}, {}};
    for (std::int64_t i = 0; i < rows * cols; ++i) in.cells.push_back(fmt::format("{}", i));
    for (std::int64_t y = 0; y < output.height(); ++y) {
        for (std::int64_t x = 0; x < output.width(); ++x) {
            const std::int64_t source = output.expected_source(y, x);
            expected.cells.push_back(fmt::format("{}", source));
            const auto at = static_cast<std::uint64_t>(y * output.width() + x) * size;
            const bool is_written = program.is_written(prepared.buffers[1], at, size);
            found.is_wrong.push_back(!is_written || !output.holds(y, x, source));
            const auto value = pattern.source_of(output.at(y, x), static_cast<std::uint64_t>(rows * cols));
            found.cells.push_back(!is_written ? not_written
                                  : value     ? fmt::format("{}", *value)
                                              : print_element(pattern.type(), output.at(y, x)));
        }
    }
    return side_by_side({in, expected, found});
}

}  // namespace

const Problem& transpose_problem() {
    static const Transpose problem(true);
    return problem;
}

const Problem& copy_problem() {
    static const Transpose problem(false);
    return problem;
}

}  // namespace warpgrade
