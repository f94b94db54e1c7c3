// The virtual side of the differential test: runs units of kernels (unit.hpp) and writes what `out` holds, what was
// found and what was counted.
//
//     run_virtual STEM...      or "-": stems on standard input
//
// STEM.virtual.txt has a line for each finding: kernel, kind, line, other line (0: none), detail. STEM.virtual.csv has
// the counters, a row for each kernel.
#include <algorithm>
#include <cstring>

#include "ptx/module.hpp"
#include "unit.hpp"
#include "vgpu/vgpu.hpp"

using namespace warpgrade;

namespace {

constexpr std::uint64_t most_instructions = 20'000'000;  // of a kernel: none of them means to take more than 200,000

std::string one_line(const Diagnostic& d) {
    std::string text = d.code + ": " + d.title;
    for (const std::string& fact : d.facts) text += "; " + fact;
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

void put_address(vgpu::Launch& launch, int offset, std::uint64_t address) {
    std::memcpy(launch.parameters.data() + offset, &address, sizeof address);
}

std::vector<std::vector<std::byte>> contents_of(vgpu::Memory& memory) {
    std::vector<std::vector<std::byte>> all;
    for (int i = 0; i < memory.count(); ++i) {
        if (memory.buffer(i).is_freed)
            all.emplace_back();
        else
            all.emplace_back(memory.bytes(i).begin(), memory.bytes(i).end());
    }
    return all;
}

void restore(vgpu::Memory& memory, const std::vector<std::vector<std::byte>>& contents) {
    for (int i = 0; i < memory.count(); ++i) {
        const std::vector<std::byte>& bytes = contents[static_cast<std::size_t>(i)];
        std::copy(bytes.begin(), bytes.end(), memory.bytes(i).begin());
    }
}

void run_unit(const std::string& stem) {
    const differential::Unit unit = differential::read_unit(stem);
    differential::Outcome outcome(stem, "virtual");
    std::ofstream counters(stem + ".virtual.csv");
    counters << "kernel";
    for (const vgpu::CounterField& field : vgpu::counter_fields()) counters << ',' << field.name;
    counters << '\n';

    const std::vector<std::uint32_t> nothing(unit.most_out_words());
    const auto none_runs = [&](const Diagnostic& d) {
        outcome.say("* not_loaded 0 0 " + one_line(d));
        for (const differential::Kernel& k : unit.kernels) outcome.add(2, nothing.data(), k.out_words);
        outcome.write();
    };
    const auto module = ptx::parse(unit.ptx);
    if (!module) return none_runs(module.error());
    const auto program = vgpu::load(*module, "unit.cu");
    if (!program) return none_runs(program.error());
    vgpu::Memory memory(std::uint64_t{1} << 30, vgpu::Memory::Pages::small);
    auto session = vgpu::Session::open(*program, memory);
    if (!session) return none_runs(session.error());
    const std::vector<vgpu::KernelInfo> infos = vgpu::kernels(**program);

    for (const differential::Kernel& k : unit.kernels) {
        const auto info = std::find_if(infos.begin(), infos.end(), [&](const auto& i) { return i.name == k.name; });
        if (info == infos.end() || info->parameter_offsets.size() != 2)
            throw std::runtime_error(stem + ".ptx has no kernel " + k.name + " of two parameters");
        vgpu::BufferSpec spec;
        spec.name = "in";
        spec.bytes = differential::in_words * 4;
        spec.is_read_only = spec.is_written = true;
        const int in = memory.allocate(spec).value();
        spec.name = "out";
        spec.bytes = k.out_words * 4;
        spec.is_read_only = false;
        const int out = memory.allocate(spec).value();
        auto words = memory.view<std::uint32_t>(in);
        for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = differential::in_word(unit.seed, i);
        words = memory.view<std::uint32_t>(out);
        for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = differential::out_word(unit.seed, i);

        vgpu::Launch launch;
        launch.kernel = k.name;
        launch.grid = {k.grid_x, 1, 1};
        launch.block = {k.block_x, k.block_y, 1};
        launch.dynamic_shared_bytes = k.shared_bytes;
        launch.parameters.resize(info->parameter_total_bytes);
        put_address(launch, info->parameter_offsets[0], memory.buffer(in).address);
        put_address(launch, info->parameter_offsets[1], memory.buffer(out).address);
        vgpu::RunOptions options;
        options.threads = 1;
        options.limits.warp_instructions = most_instructions;
        const std::vector<std::vector<std::byte>> before = contents_of(memory);
        const auto run = [&] {
            vgpu::RunResult ran = (*session)->run(launch, options);
            const auto is_shared_race = [](const vgpu::Finding& f) { return f.kind == vgpu::FindingKind::race_shared; };
            // As device/virtual.cpp does: a second run, with everything remembered that orders threads, judges these.
            if (!std::any_of(ran.findings.begin(), ran.findings.end(), is_shared_race)) return ran;
            restore(memory, before);
            options.explains_races = true;
            return (*session)->run(launch, options);
        };
        vgpu::RunResult result = run();
        outcome.add(result.is_complete ? 0 : 1, words.data(), k.out_words);
        // As `check` does: once more in another order, for what one order hides.
        if (result.is_complete && result.findings.empty()) {
            restore(memory, before);
            options.schedule = 1;
            result.findings = run().findings;
        }
        for (const vgpu::Finding& f : result.findings)
            outcome.say(k.name + " " + to_string(f.kind) + " " + std::to_string(f.place.line) + " " +
                        std::to_string(f.has_other ? f.other.line : 0) + " " + std::string(to_string(f.reason)) +
                        f.detail);
        counters << k.name;
        for (const vgpu::CounterField& field : vgpu::counter_fields()) counters << ',' << result.counters.*field.field;
        counters << '\n';
        memory.release(in);
        memory.release(out);
    }
    outcome.write();
}

}  // namespace

int main(int count, char** arguments) {
    try {
        return differential::run_stems(count, arguments, run_unit);
    } catch (const std::exception& e) {
        std::cerr << "run_virtual: " << e.what() << "\n";
        return 2;
    }
}
