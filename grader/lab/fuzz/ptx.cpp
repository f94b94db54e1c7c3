// PTX text: parsed, lowered, and everything in it run on the virtual GPU under small budgets.
//
// A first line `//launch GRID_X GRID_Y BLOCK_X BLOCK_Y SHARED_BYTES SCHEDULE OPTIONS` says how kernels are launched
// (numbers; brought within bounds). OPTIONS: bit 0 traces the first warp, bit 1 explains races, bit 2 samples a block.
#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "device/card_ptx.hpp"
#include "device/device.hpp"
#include "ptx/dump.hpp"
#include "ptx/module.hpp"
#include "target.hpp"
#include "vgpu/vgpu.hpp"

namespace {

using namespace warpgrade;

constexpr std::uint64_t buffer_bytes = 8192;
// Memory is not what is looked for here: the kit's budget is 12 GiB, a fuzzer's is less.
constexpr std::uint64_t most_variable_bytes = 1 << 20;

struct LaunchOptions {
    std::array<std::uint64_t, 7> numbers{2, 1, 64, 1, 1024, 0, 0};
};

LaunchOptions options_in(std::string_view text) {
    LaunchOptions options;
    constexpr std::string_view word = "//launch ";
    if (!text.starts_with(word)) return options;
    std::istringstream line(std::string(text.substr(word.size(), std::min<std::size_t>(text.find('\n'), 200))));
    for (std::uint64_t& number : options.numbers)
        if (!(line >> number)) break;
    return options;
}

std::uint32_t within(std::uint64_t value, std::uint32_t least, std::uint32_t most) {
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(value, least, most));
}

template <class Limits>
void set_budget(Limits& limits, std::uint64_t most) {
    if constexpr (requires { limits.work; })
        limits.work = most;
    else
        limits.warp_instructions = most;
}

vgpu::RunOptions run_options(const LaunchOptions& asked) {
    vgpu::RunOptions options;
    options.threads = 1;
    options.schedule = asked.numbers[5];
    options.trace_first_warp = (asked.numbers[6] & 1) != 0;
    options.explains_races = (asked.numbers[6] & 2) != 0;
    set_budget(options.limits, 4000);
    options.limits.output_bytes = 1024;
    options.limits.resident_blocks = 4;
    return options;
}

// Of the module: a Session sets them all. What functions declare is bounded by lowering.
bool is_small(const ptx::Module& module) {
    std::uint64_t bytes = 0;
    for (const ptx::Variable& v : module.variables) bytes += std::min(v.bytes, most_variable_bytes + 1);
    return bytes <= most_variable_bytes;
}

// A pointer where one fits, else a small number: what launchers and kernels are called with.
std::vector<std::byte> argument(std::size_t index, std::size_t bytes, const std::array<std::uint64_t, 3>& pointers) {
    std::vector<std::byte> value(std::min<std::size_t>(bytes, 4096));
    const std::uint64_t number = value.size() < 8 ? 32 : pointers[index % pointers.size()];
    std::memcpy(value.data(), &number, std::min<std::size_t>(value.size(), 8));
    return value;
}

vgpu::BufferSpec buffer(std::size_t index) {
    vgpu::BufferSpec spec;
    spec.name = index == 0 ? "in" : index == 1 ? "out" : "scratch";
    spec.bytes = buffer_bytes;
    spec.is_read_only = spec.is_written = index == 0;
    return spec;
}

void run_kernels(const std::shared_ptr<const vgpu::Program>& program, const LaunchOptions& asked) {
    vgpu::Memory memory(std::uint64_t{64} << 20, vgpu::Memory::Pages::small);
    std::array<std::uint64_t, 3> pointers{};
    for (std::size_t i = 0; i < pointers.size(); ++i) pointers[i] = memory.buffer(*memory.allocate(buffer(i))).address;
    auto session = vgpu::Session::open(program, memory);
    if (!session) return;
    int left = 3;
    for (const vgpu::KernelInfo& kernel : vgpu::kernels(*program)) {
        if (left-- == 0) break;
        vgpu::Launch launch;
        launch.kernel = kernel.name;
        launch.grid = {within(asked.numbers[0], 1, 4), within(asked.numbers[1], 1, 2), 1};
        launch.block = {within(asked.numbers[2], 1, 96), within(asked.numbers[3], 1, 2), 1};
        if ((asked.numbers[6] & 8) != 0) launch.cluster = {launch.grid.x, 1, 1};
        launch.dynamic_shared_bytes = within(asked.numbers[4], 0, 16384);
        if (std::uint64_t{kernel.static_shared_bytes} + launch.dynamic_shared_bytes > 227 * 1024) continue;  // refused
        launch.parameters.resize(kernel.parameter_total_bytes);
        for (std::size_t i = 0; i < kernel.parameter_bytes.size(); ++i) {
            const auto value = argument(i, static_cast<std::size_t>(kernel.parameter_bytes[i]), pointers);
            const auto at = static_cast<std::size_t>(kernel.parameter_offsets[i]);
            if (at + value.size() <= launch.parameters.size())
                std::memcpy(launch.parameters.data() + at, value.data(), value.size());
        }
        vgpu::RunOptions options = run_options(asked);
        vgpu::Sample sample;
        sample.blocks = {launch.grid.count() - 1};
        if ((asked.numbers[6] & 4) != 0) options.sample = &sample;
        (*session)->run(launch, options);
    }
}

void run_launchers(std::string_view text, const ptx::Module& module, const LaunchOptions& asked) {
    auto program = make_virtual_device()->load(text, "fuzz.cu");
    if (!program) return;
    std::array<std::uint64_t, 3> pointers{};
    for (std::size_t i = 0; i < pointers.size(); ++i)
        pointers[i] = (*program)->address(*(*program)->allocate(buffer(i)));
    int left = 3;
    for (const ptx::Function& f : module.functions) {
        if (f.is_entry || f.is_declaration || left-- <= 0) continue;
        std::vector<std::vector<std::byte>> arguments;
        for (std::size_t i = 0; i < f.parameters.size(); ++i)
            arguments.push_back(argument(i, f.parameters[i].bytes, pointers));
        (void)(*program)->run(f.name, arguments, run_options(asked));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const auto module = ptx::parse(text);
    (void)function_names(text);
    (void)with_ptx_version(with_host_calls_emptied(text), "8.0");
    if (!module) return 0;
    (void)ptx::dump(*module);
    if (!is_small(*module)) return 0;
    const auto program = vgpu::load(*module, "fuzz.cu");
    if (!program) return 0;
    const LaunchOptions asked = options_in(text);
    run_kernels(*program, asked);
    if (!vgpu::functions(**program).empty()) run_launchers(text, *module, asked);
    return 0;
}
