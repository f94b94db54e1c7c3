// The parallel sum: out[0] = sum of in[0] to in[n - 1], with n / 32 + 4096 floats of scratch.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "problem/pattern.hpp"
#include "problem/reduction_card.hpp"
#include "problem/reduction_diagnosis.hpp"
#include "problem/reduction_input.hpp"
#include "problem/registry.hpp"
#include "problem/shapes.hpp"
#include "problem/value_grid.hpp"

namespace warpgrade {

namespace {

constexpr std::uint32_t poison = 0x7FA5A5A5u;  // a NaN: whoever adds it has it in the sum

Shape shape_of(std::int64_t n, std::string contents = {}) {
    Shape shape;
    shape.extents = {n};
    shape.shape_class = n == 0 ? "empty" : n <= 32 ? "small" : n % 1024 == 0 ? "aligned" : "odd";
    shape.contents = std::move(contents);
    return shape;
}

std::uint64_t scratch_elements(std::uint64_t n) { return n / 32 + 4096; }

template <class T>
std::vector<std::byte> value_bytes(const T& value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

class Reduction final : public Problem {
public:
    std::string_view name() const override { return "reduction"; }
    std::string launcher_name() const override { return "reduce"; }
    std::string signature(const std::string& type) const override {
        return fmt::format("void reduce(const {0}* in, std::size_t n, {0}* scratch, {0}* out)", type);
    }
    std::string demangled(const std::string& type) const override {
        return fmt::format("reduce({0} const*, unsigned long, {0}*, {0}*)", type);
    }
    std::string instantiation(const std::string& type) const override {
        return fmt::format("template void reduce<{0}>(const {0}*, unsigned long, {0}*, {0}*);", type);
    }
    std::vector<Shape> shapes(std::uint64_t seed, std::span<const std::string> types) const override;
    std::vector<Shape> few_shapes(std::uint64_t seed, const std::string&) const override {
        return {shape_of(4097), shape_of(33), shape_of(Choices(hash_of(seed, 0xFE35)).rough_between(20000, 40000))};
    }
    Shape technique_shape() const override { return shape_of(1 << 20); }
    Shape large_shape() const override { return shape_of(1 << 24); }
    std::uint64_t elements(const Shape& shape) const override { return static_cast<std::uint64_t>(shape.extents[0]); }
    Result<Shape> parse_shape(std::string_view text) const override {
        auto shape = parse_extents(text, 1, "1048576");
        if (!shape) return shape;
        return shape_of(shape->extents[0]);
    }
    Result<Case> prepare(DeviceProgram& program, const Shape& shape, std::uint64_t seed) const override;
    Result<Judgement> judge(DeviceProgram& program, const Case& prepared) const override;
    std::optional<Shape> shape_to_see(const Shape& shape) const override {
        Shape seen = shape;
        seen.contents = counting_contents;
        constexpr std::uint64_t most = 64;
        return elements(shape) > 0 && elements(shape) <= most ? std::optional(seen) : std::nullopt;
    }
    std::vector<std::string> values_seen(DeviceProgram& program, const Case& prepared) const override;

    std::vector<Shape> timing_shapes(const TimingLimits& limits, std::uint64_t seed) const override;
    std::vector<Shape> bench_shapes(const TimingLimits& limits) const override;
    std::vector<vgpu::BufferSpec> buffers(const Shape& shape) const override;
    std::vector<std::vector<std::byte>> arguments(const Shape& shape,
                                                  std::span<const std::uint64_t> addresses) const override;
    std::uint64_t useful_bytes(const Shape& shape) const override { return elements(shape) * sizeof(float); }
    bool only_reads() const override { return true; }
    std::string_view card_source() const override { return reduction_card_source(); }
    std::vector<KernelCall> fill_calls(const Shape& shape, std::uint64_t seed,
                                       std::span<const std::uint64_t> addresses) const override {
        return {reduction_fill_call(ReductionInput(elements(shape), seed, ""), seed, addresses[0])};
    }
    std::vector<KernelCall> check_calls(const Shape& shape, std::uint64_t seed,
                                        std::span<const std::uint64_t> addresses, std::uint64_t report) const override {
        return reduction_check_calls(ReductionInput(elements(shape), seed, ""), seed, addresses, report);
    }
    void contents(const Shape& shape, std::uint64_t seed, std::size_t buffer, std::uint64_t first,
                  std::span<std::byte> bytes) const override {
        if (buffer != 0) return fill_with(poison, first, bytes);
        const ReductionInput input(elements(shape), seed, shape.contents);
        input.fill({reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)}, first / sizeof(float));
    }
    bool expected(const Shape&, std::uint64_t, std::uint64_t, std::span<std::byte>) const override { return false; }
    double seconds_on_host(const Shape& shape) const override { return reduction_seconds_on_host(elements(shape)); }
};

std::vector<vgpu::BufferSpec> Reduction::buffers(const Shape& shape) const {
    vgpu::BufferSpec in;
    in.name = "in";
    in.bytes = elements(shape) * sizeof(float);
    in.offset_bytes = static_cast<std::uint64_t>(shape.base_offset_bytes);
    in.is_read_only = in.is_written = true;
    vgpu::BufferSpec scratch = in, out = in;
    scratch.name = "scratch";
    scratch.bytes = scratch_elements(elements(shape)) * sizeof(float);
    out.name = "out";
    out.bytes = sizeof(float);
    for (vgpu::BufferSpec* spec : {&scratch, &out}) spec->is_read_only = spec->is_written = false;
    return {in, scratch, out};
}

std::vector<std::vector<std::byte>> Reduction::arguments(const Shape& shape,
                                                         std::span<const std::uint64_t> addresses) const {
    return {value_bytes(addresses[0]), value_bytes(elements(shape)), value_bytes(addresses[1]), value_bytes(addresses[2])};
}

std::vector<Shape> Reduction::bench_shapes(const TimingLimits& limits) const {
    const std::uint64_t most = limits.free_bytes / 2 / sizeof(float);
    std::vector<Shape> all;
    for (int power = 16; power <= 30; power += 2)
        if (std::uint64_t{1} << power <= most) all.push_back(shape_of(std::int64_t{1} << power));
    for (Shape& shape : all)
        if (shape.extents[0] <= 1 << 20) shape.shape_class = "small";
    for (const Shape& shape : timing_shapes(limits, 0))
        if (std::find(all.begin(), all.end(), shape) == all.end()) all.push_back(shape);
    return all;
}

std::vector<Shape> Reduction::timing_shapes(const TimingLimits& limits, std::uint64_t seed) const {
    const auto wanted = static_cast<std::int64_t>(timing_elements(limits, sizeof(float), 2));
    std::int64_t n = 1 << 20;
    while (n < wanted) n *= 2;
    std::int64_t odd = n - 12'347, small = 1 << 20;
    if (seed != 0) {
        Choices choose(hash_of(seed, 0x71AE));
        odd = choose.rough_between(n - n / 16, n - 1);
        small += 4096 * choose.between(-16, 16);
        n += 4096 * choose.between(0, n / 65536);
    }
    std::vector<Shape> all{shape_of(n), shape_of(odd), shape_of(small)};
    all.back().shape_class = "small";  // of the time, where the launch weighs
    return all;
}

std::vector<Shape> Reduction::shapes(std::uint64_t seed, std::span<const std::string>) const {
    Choices choose(hash_of(seed, 0x5E0));
    std::vector<Shape> all;
    // Those that tell most mistakes apart come first; then every edge of a warp, a block and two blocks, a few of them
    // with numbers of so many digits that what is rounded on the way shows in any order.
    for (const std::int64_t n : {4097, 4096, 1000, 1025}) all.push_back(shape_of(n));
    for (const std::int64_t n : {0,   1,   2,   3,   31,  32,  33,   63,   64,   65,   127,  128, 129,
                                 255, 256, 257, 511, 512, 513, 1023, 1024, 2047, 2048, 2049, 4095})
        all.push_back(shape_of(n, n == 127 || n == 511 || n == 2047 ? "fractions" : ""));
    all.push_back(shape_of((1 << 20) - 1));
    all.push_back(shape_of((1 << 20) + 1));
    all.push_back(shape_of(choose.rough_between(900'000, 1'000'000)));
    for (int i = 0; i < 3; ++i) all.push_back(shape_of(choose.rough_between(5'000, 200'000)));

    for (const char* contents : {"tenths", "cancellation"})
        all.push_back(shape_of(choose.rough_between(200'000, 300'000), contents));
    for (const char* contents : {"needle_first", "needle_last", "needle_edge", "nan", "infinity"})
        all.push_back(shape_of(choose.rough_between(10'000, 90'000), contents));

    Shape shifted = shape_of(choose.rough_between(5'000, 9'000));
    shifted.base_offset_bytes = 4;
    all.push_back(shifted);
    Shape again = shape_of(choose.rough_between(300, 3'000));
    again.previous = {choose.rough_between(100'000, 200'000)};
    all.push_back(again);
    return all;
}

Result<Case> Reduction::prepare(DeviceProgram& program, const Shape& shape, std::uint64_t seed) const {
    const std::uint64_t n = elements(shape);
    const std::uint64_t most = shape.previous.empty() ? n : std::max(n, static_cast<std::uint64_t>(shape.previous[0]));
    Case prepared;
    prepared.shape = shape;
    prepared.seed = seed;

    vgpu::BufferSpec spec;
    spec.element_bytes = sizeof(float);
    spec.offset_bytes = static_cast<std::uint64_t>(shape.base_offset_bytes);
    const auto allocate = [&](const char* name, std::uint64_t count, bool is_input) {
        spec.name = name;
        spec.bytes = count * sizeof(float);
        spec.is_read_only = spec.is_written = is_input;
        return program.allocate(spec);
    };
    const auto in = allocate("in", n, true);
    if (!in) return in.error();
    const auto scratch = allocate("scratch", scratch_elements(most), false);
    if (!scratch) return scratch.error();
    const auto out = allocate("out", 1, false);
    if (!out) return out.error();
    prepared.buffers = {*in, *scratch, *out};
    prepared.layout = {{"in", {static_cast<std::int64_t>(n)}},
                       {"scratch", {static_cast<std::int64_t>(scratch_elements(most))}},
                       {"out", {1}}};

    const auto upload = [&](int buffer, const ReductionInput& input) {
        const auto bytes = program.bytes(buffer);
        input.fill({reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)});
        return program.upload(buffer);
    };
    if (auto status = upload(*in, ReductionInput(n, seed, shape.contents)); !status) return status.error();
    program.poison(*scratch, poison);
    program.poison(*out, poison);

    const auto arguments = [&](int input, std::uint64_t count) {
        return std::vector{value_bytes(program.address(input)), value_bytes(count), value_bytes(program.address(*scratch)),
                           value_bytes(program.address(*out))};
    };
    prepared.arguments = arguments(*in, n);
    if (!shape.previous.empty()) {
        const auto before = allocate("in", most, true);
        if (!before) return before.error();
        if (auto status = upload(*before, ReductionInput(static_cast<std::uint64_t>(shape.previous[0]), seed + 1, ""));
            !status)
            return status.error();
        prepared.previous_arguments = arguments(*before, static_cast<std::uint64_t>(shape.previous[0]));
    }
    prepared.useful_bytes = n * sizeof(float);
    return prepared;
}

Result<Judgement> Reduction::judge(DeviceProgram& program, const Case& prepared) const {
    const ReductionInput input(elements(prepared.shape), prepared.seed, prepared.shape.contents);
    const int in = prepared.buffers[0], out = prepared.buffers[2];
    if (auto status = program.download(in); !status) return status.error();
    if (auto status = program.download(out); !status) return status.error();

    Judgement judgement;
    const auto bytes = program.bytes(in);
    for (std::uint64_t i = 0; i < input.n(); ++i) {
        const float expected = input.element(i);
        if (std::memcmp(bytes.data() + i * sizeof expected, &expected, sizeof expected) == 0) continue;
        judgement.code = "write_to_input";
        judgement.pattern = "input_changed";
        judgement.title = "the input was changed";
        judgement.facts = {fmt::format("in[{}] is not what it was before the run", i)};
        judgement.help = "store only to `out` and `scratch`";
        return judgement;
    }
    if (!program.is_written(out, 0, sizeof(float))) {
        judgement.code = "not_written";
        if (input.n() > 0 && program.is_written(prepared.buffers[1], 0, sizeof(float))) {
            judgement.pattern = "sums_not_combined";
            judgement.title = "out[0] was not written: the partial sums stay in `scratch`";
            judgement.help = "another launch has to add what the blocks left in `scratch`, until one sum is left for out[0]";
            return judgement;
        }
        judgement.pattern = "nothing_written";
        judgement.title = "out[0] was not written";
        judgement.help = input.n() == 0 ? "the sum of nothing is 0, and has to be stored too"
                                        : "is a kernel launched for this size, with at least one block, and does one "
                                          "of its threads store the sum to out[0]?";
        return judgement;
    }
    float found = 0;
    std::memcpy(&found, program.bytes(out).data(), sizeof found);
    if (prepared.shape.previous.empty()) return judge_sum(found, input, prepared, nullptr);
    const ReductionInput previous(static_cast<std::uint64_t>(prepared.shape.previous[0]), prepared.seed + 1, "");
    return judge_sum(found, input, prepared, &previous);
}

std::vector<std::string> Reduction::values_seen(DeviceProgram& program, const Case& prepared) const {
    const ReductionInput input(elements(prepared.shape), prepared.seed, prepared.shape.contents);
    const auto value_at = [&](int buffer, std::uint64_t i) {
        if (!program.is_written(buffer, i * sizeof(float), sizeof(float))) return std::string(not_written);
        float value = 0;
        std::memcpy(&value, program.bytes(buffer).data() + i * sizeof value, sizeof value);
        return fmt::format("{:.7g}", value);
    };
    constexpr std::uint64_t most_partial = 8;
    const int scratch = prepared.buffers[1], out = prepared.buffers[2];
    ValueGrid in{"in", 8, {}, {}}, partial{"scratch", 1, {}, {}};
    for (std::uint64_t i = 0; i < input.n(); ++i) in.cells.push_back(fmt::format("{}", input.element(i)));
    for (std::uint64_t i = 0; i < most_partial && value_at(scratch, i) != not_written; ++i)
        partial.cells.push_back(value_at(scratch, i));
    const std::string expected = fmt::format("{:.7g}", input.sum()), found = value_at(out, 0);
    std::vector<ValueGrid> grids{in};
    if (!partial.cells.empty()) grids.push_back(std::move(partial));
    grids.push_back({"expected", 1, {expected}, {}});
    grids.push_back({"found", 1, {found}, {found != expected}});
    return side_by_side(grids);
}

}  // namespace

const Problem& reduction_problem() {
    static const Reduction problem;
    return problem;
}

}  // namespace warpgrade
