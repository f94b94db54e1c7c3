// A submission on the virtual device from text to result.
#include "device/launchers.hpp"

using namespace launchers;

namespace {

std::unique_ptr<DeviceProgram> load_program() {
    auto program = make_virtual_device()->load(ptx_text(), "launchers.cu");
    INFO((program.ok() ? std::string() : program.error().title));
    REQUIRE(program.ok());
    return std::move(program).value();
}

int allocate(DeviceProgram& program, const char* name, std::size_t floats, bool is_input = false) {
    BufferSpec spec;
    spec.name = name;
    spec.bytes = floats * sizeof(float);
    spec.is_written = spec.is_read_only = is_input;
    const auto buffer = program.allocate(spec);
    REQUIRE(buffer.ok());
    return *buffer;
}
std::span<float> floats(DeviceProgram& program, int buffer) {
    const auto bytes = program.bytes(buffer);
    return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

RunOptions quick() {
    RunOptions options;
    options.threads = 1;
    return options;
}

std::string findings_of(const DeviceRun& run) {
    std::string text;
    for (const Finding& f : run.result.findings) text += summary(f) + " line " + std::to_string(f.place.line) + "; ";
    return text;
}

}  // namespace

TEST_CASE("the padded transpose, end to end") {
    auto program = load_program();
    for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{{1, 1}, {32, 32}, {33, 65}, {64, 7}, {100, 129}}) {
        const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
        const int in = allocate(*program, "in", count, true), out = allocate(*program, "out", count);
        for (std::size_t i = 0; i < count; ++i) floats(*program, in)[i] = static_cast<float>(i);
        program->poison(out, 0x7FC0FEEDu);
        REQUIRE(program->upload(in).ok());
        const auto run = program->run("_Z9transposePKfPfii",
                                      arguments(program->address(in), program->address(out), rows, cols), quick());
        REQUIRE(run.ok());
        REQUIRE(program->download(out).ok());
        INFO(rows << " x " << cols << ": " << findings_of(*run));
        CHECK(run->is_valid);
        CHECK(run->result.is_complete);
        CHECK(run->result.findings.empty());
        CHECK(run->plan.steps.size() == 1);
        CHECK(program->is_written(out, 0, count * 4));
        int wrong = 0;
        for (int y = 0; y < rows; ++y) {
            for (int x = 0; x < cols; ++x)
                wrong +=
                    floats(*program, out)[static_cast<std::size_t>(x * rows + y)] == static_cast<float>(y * cols + x)
                        ? 0
                        : 1;
        }
        CHECK(wrong == 0);
        program->release_all();
    }
}

TEST_CASE("the padded transpose counts what Nsight Compute would, and says where") {
    auto program = load_program();
    const int in = allocate(*program, "in", 128 * 64, true), out = allocate(*program, "out", 128 * 64);
    const auto run =
        program->run("_Z9transposePKfPfii", arguments(program->address(in), program->address(out), 128, 64), quick());
    REQUIRE(run.ok());
    const Counters& c = run->result.counters;
    CHECK(c.global_load_requests == 256);  // 8192 elements, 32 a request
    CHECK(c.global_load_sectors == 1024);
    CHECK(c.global_store_requests == 256);
    CHECK(c.global_store_sectors == 1024);
    CHECK(c.shared_store_wavefronts == 256);
    CHECK(c.shared_load_wavefronts == 256);  // no bank conflict
    CHECK(c.barriers == 256);
    Counters at_load, at_store, all;
    for (const LineCounters& l : run->result.by_line) {
        all += l.counters;
        if (l.line == line_named("load")) at_load = l.counters;
        if (l.line == line_named("store")) at_store = l.counters;
    }
    CHECK(all == c);
    CHECK(at_load.global_load_requests == 256);
    CHECK(at_load.shared_store_requests == 256);
    CHECK(at_load.global_store_requests == 0);
    CHECK(at_store.shared_load_requests == 256);
    CHECK(at_store.global_store_sectors == 1024);
    CHECK(run->plan.steps.size() == 1);
    const auto& launch = std::get<PlannedLaunch>(run->plan.steps[0]);
    CHECK(launch.launch.grid == vgpu::Dim3{2, 4, 1});
    CHECK(launch.display_name == "transpose_kernel");
}

TEST_CASE("an empty matrix is a launch of no blocks, which CUDA refuses") {
    auto program = load_program();
    const int in = allocate(*program, "in", 0, true), out = allocate(*program, "out", 0);
    const auto run =
        program->run("_Z9transposePKfPfii", arguments(program->address(in), program->address(out), 0, 5), quick());
    REQUIRE(run.ok());
    CHECK_FALSE(run->is_valid);
    REQUIRE(run->result.findings.size() == 1);
    CHECK(run->result.findings[0].kind == FindingKind::invalid_launch);
    CHECK(run->result.findings[0].detail == "gridDim.y is 0");
    CHECK(run->result.counters == Counters{});
}

TEST_CASE("a buffer that is too small is a finding, and what fits is still written") {
    auto program = load_program();
    const int in = allocate(*program, "in", 33 * 65, true), out = allocate(*program, "out", 33 * 65 - 1);
    const auto run =
        program->run("_Z9transposePKfPfii", arguments(program->address(in), program->address(out), 33, 65), quick());
    REQUIRE(run.ok());
    REQUIRE(run->result.findings.size() == 1);
    const Finding& f = run->result.findings[0];
    CHECK(f.kind == FindingKind::out_of_bounds);
    CHECK(f.buffer == "out");
    CHECK(f.offset_bytes == 4 * (33 * 65 - 1));
    CHECK(f.place.line == line_named("store"));
    CHECK(f.kernel == "transpose_kernel");
    CHECK(program->is_written(out, 0, 4 * (33 * 65 - 1)));
}

TEST_CASE("launches of one plan see what those before them wrote, and their counters add up") {
    auto program = load_program();
    const int data = allocate(*program, "data", 1024), scratch = allocate(*program, "scratch", 1024);
    for (float& v : floats(*program, data)) v = 1;
    // The launcher's own input: written from the start.
    BufferSpec written;
    written.name = "values";
    written.bytes = 4096;
    written.is_written = true;
    const int values = *program->allocate(written);
    for (int i = 0; i < 1024; ++i) floats(*program, values)[static_cast<std::size_t>(i)] = static_cast<float>(i);
    const auto run =
        program->run("_Z6reducePfS_i", arguments(program->address(values), program->address(scratch), 1024), quick());
    REQUIRE(run.ok());
    INFO(findings_of(*run));
    CHECK(run->is_valid);
    CHECK(run->result.findings.empty());
    CHECK(run->plan.steps.size() == 10);
    CHECK(floats(*program, values)[0] == 1023 * 1024 / 2);  // ten launches: the sum comes back
    CHECK(run->result.counters.global_store_requests == 16u + 8 + 4 + 2 + 1 + 1 + 1 + 1 + 1 + 1);
    CHECK(run->result.output.find("launches read from") != std::string::npos);
}

TEST_CASE("a memset writes, and is checked like a store") {
    auto program = load_program();
    const int out = allocate(*program, "out", 64);
    program->poison(out, 0);
    const auto good = program->run("_Z4fillPfim", arguments(program->address(out), 0x3F, std::uint64_t{201}), quick());
    REQUIRE(good.ok());
    CHECK(findings_of(*good) == "");
    CHECK(good->is_valid);
    CHECK(program->bytes(out)[200] == std::byte{0x3F});
    CHECK(program->bytes(out)[201] == std::byte{0});
    CHECK(program->is_written(out, 0, 201));
    CHECK_FALSE(program->is_written(out, 201, 1));
    CHECK(floats(*program, out)[4] == 0.0f);  // the second memset, after the launch
    CHECK(floats(*program, out)[8] == 1.0f);  // the launch, after the first
    const auto stored = [&](std::uint64_t element) { return good->last_store(program->address(out) + element * 4); };
    REQUIRE(stored(8));
    CHECK_FALSE(stored(8)->kernel.empty());
    CHECK(stored(8)->place.line > 0);
    REQUIRE(stored(4));
    CHECK(stored(4)->kernel == "");  // set by the launcher
    CHECK(stored(4)->place.line > 0);
    CHECK_FALSE(stored(60));
    const auto bad = program->run("_Z4fillPfim", arguments(program->address(out), 1, std::uint64_t{257}), quick());
    REQUIRE(bad.ok());
    REQUIRE(bad->result.findings.size() == 1);
    CHECK(bad->result.findings[0].kind == FindingKind::out_of_bounds);
    CHECK(bad->result.findings[0].buffer == "out");
    CHECK(bad->result.findings[0].offset_bytes == 256);
    CHECK(bad->result.findings[0].place.line == line_named("memset"));
    CHECK(program->bytes(out)[0] == std::byte{0x3F});  // none of it was done
    const int in = allocate(*program, "in", 64, true);
    const auto into_input = program->run("_Z4fillPfim", arguments(program->address(in), 1, std::uint64_t{4}), quick());
    REQUIRE(into_input.ok());
    REQUIRE_FALSE(into_input->result.findings.empty());
    CHECK(into_input->result.findings[0].kind == FindingKind::write_to_input);
}

TEST_CASE("__device__ variables live until the buffers are released") {
    auto program = load_program();
    int out = allocate(*program, "out", 1);
    for (const float expected : {1.0f, 2.0f, 3.0f}) {
        REQUIRE(program->run("_Z7countedPf", arguments(program->address(out)), quick()).ok());
        CHECK(floats(*program, out)[0] == expected);
    }
    program->release_all();
    out = allocate(*program, "out", 1);
    REQUIRE(program->run("_Z7countedPf", arguments(program->address(out)), quick()).ok());
    CHECK(floats(*program, out)[0] == 1.0f);
}

TEST_CASE("what launcher and kernels print is one text, with one limit") {
    auto program = load_program();
    const auto run = program->run("_Z6chattyv", {}, quick());
    REQUIRE(run.ok());
    CHECK(run->result.output == "launcher\nkernel 0\nkernel 1\nkernel 0\n");
    RunOptions options = quick();
    options.limits.output_bytes = 15;
    const auto cut = program->run("_Z6chattyv", {}, options);
    REQUIRE(cut.ok());
    CHECK(cut->result.output == "launcher\nkernel");
}

TEST_CASE("after a launcher that dereferenced device memory nothing is launched") {
    auto program = load_program();
    const int out = allocate(*program, "out", 32);
    program->poison(out, 0);
    const auto run = program->run("_Z4peekPKfPf", arguments(program->address(out), program->address(out)), quick());
    REQUIRE(run.ok());
    CHECK_FALSE(run->is_valid);
    CHECK_FALSE(program->is_written(out, 0, 4));
    REQUIRE(run->result.findings.size() == 1);
    CHECK(run->result.findings[0].kind == FindingKind::host_dereference);
}

TEST_CASE("a launch that is refused does not stop those that are good, but the run does not count") {
    auto program = load_program();
    const int out = allocate(*program, "out", 64);
    const auto run = program->run("_Z15launch_opted_inPfii", arguments(program->address(out), 1 << 20, 256), quick());
    REQUIRE(run.ok());
    CHECK_FALSE(run->is_valid);
    CHECK(run->plan.steps.size() == 1);
    CHECK(run->result.counters.global_store_requests == 2);
}

TEST_CASE("functions are listed by mangled and by demangled name") {
    const auto names = function_names(ptx_text());
    REQUIRE(names.ok());
    const auto find = [&](const std::string& mangled) -> const FunctionName& {
        for (const FunctionName& f : *names) {
            if (f.mangled == mangled) return f;
        }
        FAIL(mangled);
        return names->front();
    };
    CHECK(find("_Z9transposePKfPfii").demangled == "transpose(float const*, float*, int, int)");
    CHECK_FALSE(find("_Z9transposePKfPfii").is_kernel);
    CHECK(find("_Z16transpose_kernelPKfPfii").is_kernel);
    for (const FunctionName& f : *names) CHECK(f.mangled.find("__cudaCDP2") == std::string::npos);
}

TEST_CASE("text that is not PTX is an error, not an exception") {
    CHECK_FALSE(make_virtual_device()->load("int main() {}", "a.cu").ok());
    CHECK_FALSE(
        make_virtual_device()
            ->load(".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k() { tcgen05.alloc [0], 1; }",
                   "a.cu")
            .ok());
    CHECK_FALSE(function_names("}").ok());
    CHECK(make_virtual_device()->info().kind == "virtual");
}
