#include "host/program.hpp"

#include <algorithm>

#include "device/guarded.hpp"
#include "host/runtime.hpp"
#include "ptx/module.hpp"

namespace warpgrade::host {

namespace {

constexpr int code_of_trap = 132, code_of_division = 136;  // as a shell shows SIGILL and SIGFPE

// Constants of the compiler's own, which have a $ in their names, and tables of virtual functions: where both sides
// name one, each has its own in CUDA. Managed variables are one.
bool is_shared_by_sides(const ptx::Variable& variable) {
    return variable.is_managed || variable.name.find('$') != std::string::npos || variable.name.starts_with("_ZTV");
}

template <class T>
std::vector<std::byte> bytes_of(T value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

Diagnostic no_main(const Program& program) {
    Diagnostic d;
    d.blame = Blame::learner;
    d.code = "no_main";
    d.title = "the file has no main()";
    d.marks.push_back({.path = program.text.path, .line = 0, .column = 0, .length = 1, .label = {}});
    d.help = "`warpgrade check` looks at a stage's file, which has a launcher in the place of main()";
    return d;
}

}  // namespace

Runtime::Runtime(const Program& program, const ProgramLimits& limits, const Outside& outside,
                 const LoadedProgram& loaded)
    : program_(program),
      limits_(limits),
      loaded_(loaded),
      console_(outside, limits.output_bytes),
      heap_(loaded.memory),
      budget_(limits.launch_work) {}

std::uint64_t Runtime::place_arguments() {
    const std::uint64_t table = heap_.allocate(8 * (program_.arguments.size() + 1), 0, {});
    vgpu::Memory& memory = loaded_.memory;
    const auto put = [&](std::uint64_t address, const void* from, std::size_t bytes) {
        const int buffer = memory.find(address);
        if (buffer < 0) return;
        std::memcpy(memory.bytes(buffer).data() + (address - memory.buffer(buffer).address), from, bytes);
    };
    for (std::size_t i = 0; i < program_.arguments.size(); ++i) {
        const std::string& argument = program_.arguments[i];
        const std::uint64_t text = heap_.allocate(argument.size() + 1, 0, {});
        put(text, argument.c_str(), argument.size() + 1);
        put(table + 8 * i, &text, sizeof text);
    }
    return table;
}

void Runtime::finish() {
    for (const auto& [buffer, allocation] : allocations_) {
        const vgpu::Buffer& memory = loaded_.memory.buffer(buffer);
        if (memory.is_freed || gpu_error_ != success || run.exit_code != 0) continue;
        Mistake mistake{MistakeKind::leak, allocation.line, 0,
                        allocation.kind == MemoryKind::pinned ? "cudaFreeHost" : "cudaFree", memory.spec.name};
        mistake.bytes = memory.spec.bytes;
        mistake.column = allocation.column;
        mistakes_.add(std::move(mistake));
        ++run.numbers.leaks;
    }
    for (const auto& [buffer, place] : heap_.places()) {
        if (place.freed_line != 0 || place.freed_by.empty() || !has_returned || run.exit_code != 0) continue;
        const vgpu::Buffer& memory = loaded_.memory.buffer(buffer);
        Mistake mistake{MistakeKind::leak, place.line, 0, place.freed_by, memory.spec.name};
        mistake.bytes = memory.spec.bytes - Heap::bytes_before;
        mistake.column = place.column;
        mistakes_.add(std::move(mistake));
    }
    run.numbers.launches = static_cast<double>(run.launch_count);
    run.numbers.streams = static_cast<double>(streams_with_launch_.size());
    run.numbers.overlap = time_.overlap();
    for (const auto& [line, counters] : by_line_) run.by_line.push_back({line, counters});
    // What failed after the last question.
    if (gpu_error_ != success && !is_gpu_error_known_ && !outstanding_)
        outstanding_ = Outstanding{gpu_error_, run.launches.empty() ? 0 : run.launches.back().line, ""};
    const auto is_refused_launch = [&](const vgpu::Finding& finding) {
        return finding.kind == vgpu::FindingKind::invalid_launch && finding.place.line == outstanding_->line;
    };
    if (outstanding_ && std::any_of(run.findings.begin(), run.findings.end(), is_refused_launch)) {
        run.unnoticed_line = outstanding_->line;
    } else if (outstanding_ && !mistakes_.mark_unnoticed(outstanding_->line)) {
        Mistake mistake{MistakeKind::unchecked_error, outstanding_->line, 0, outstanding_->name, ""};
        mistake.detail = name_of(outstanding_->error);
        mistakes_.add(std::move(mistake));
    }
    if (!kernel_output_.empty()) mistakes_.add({MistakeKind::lost_output, kernel_output_line_, 0, "", ""});
    console_.flush();
    run.mistakes = mistakes_.take();
}

// True: it is told as a mistake.
bool Runtime::note_host_fault(const vgpu::Finding& finding) {
    using enum vgpu::FindingKind;
    if (finding.kind == vgpu::FindingKind::timeout) {
        Mistake limit{MistakeKind::timeout, finding.place.line, 0, "", ""};
        limit.reason = finding.reason == vgpu::FindingReason::recursion ? MistakeReason::recursion
                       : finding.reason == vgpu::FindingReason::prints  ? MistakeReason::prints
                                                                        : MistakeReason::none;
        limit.limit = finding.limit;
        limit.column = finding.place.column;
        mistakes_.add(std::move(limit));
        return true;
    }
    if (finding.kind != out_of_bounds && finding.kind != host_dereference) return false;
    Mistake mistake{MistakeKind::host_out_of_bounds, finding.place.line, 0, "", finding.buffer};
    if (finding.kind == host_dereference) mistake.kind = MistakeKind::host_dereference;
    mistake.column = finding.place.column;
    mistake.is_store = finding.access != vgpu::AccessKind::read;
    mistake.offset = finding.offset_bytes;
    mistake.limit = finding.buffer_bytes;
    mistake.element_bytes = finding.element_bytes;
    mistake.bytes = finding.address;
    const int buffer = loaded_.memory.find_nearest(finding.address);
    const auto allocation = allocations_.find(buffer);
    const Heap::Place* const place = heap_.place_of(buffer);
    const int line = allocation != allocations_.end() ? allocation->second.line : place != nullptr ? place->line : 0;
    const int freed = allocation != allocations_.end() ? allocation->second.freed_line
                      : place != nullptr               ? place->freed_line
                                                       : 0;
    mistake.other_line = finding.is_freed ? freed : line;
    if (place != nullptr) {
        mistake.offset -= static_cast<std::int64_t>(Heap::bytes_before);
        mistake.limit -= std::min(mistake.limit, Heap::bytes_before);
    }
    if (finding.is_freed) mistake.reason = MistakeReason::freed;
    if (finding.reason == vgpu::FindingReason::variable) mistake.reason = MistakeReason::variable;
    mistakes_.add(std::move(mistake));
    return true;
}

// The system ends a program for most of them.
void Runtime::take_host_findings(std::vector<vgpu::Finding>&& findings) {
    for (vgpu::Finding& finding : findings) {
        using enum vgpu::FindingKind;
        const bool is_fault = finding.kind == out_of_bounds || finding.kind == host_dereference ||
                              finding.kind == out_of_bounds_local || finding.kind == misaligned;
        if (!has_exited)
            run.exit_code = is_fault                                                  ? code_of_segmentation_fault
                            : finding.kind != trap                                    ? 1
                            : finding.reason == vgpu::FindingReason::division_by_zero ? code_of_division
                                                                                      : code_of_trap;
        has_exited = true;
        if (!note_host_fault(finding)) run.findings.push_back(std::move(finding));
    }
}

namespace {

Result<ProgramRun> run_loaded(const Program& program, const ProgramLimits& limits, const Outside& outside) {
    Result<ptx::Module> module = ptx::parse(program.ptx);
    if (!module) return std::move(module).error();
    auto loaded = vgpu::load(*module, program.text.path);
    if (!loaded) return std::move(loaded).error();
    const vgpu::Program& code = **loaded;
    const auto main = code.by_name.find("main");
    if (main == code.by_name.end()) return no_main(program);
    vgpu::Memory memory(limits.memory_bytes, vgpu::Memory::Pages::small);
    auto session = vgpu::Session::open(*loaded, memory);
    if (!session) return std::move(session).error();
    for (const ptx::Variable& variable : code.variables)
        if (is_shared_by_sides(variable))
            memory.set_reach(memory.find((*session)->address_of(variable.name)), vgpu::Reach::both);
    Runtime runtime(program, limits, outside, {**session, code, memory});
    const std::uint64_t arguments = runtime.place_arguments();
    vgpu::Limits host_limits;
    host_limits.warp_instructions = limits.host_work;
    host_limits.is_time_over = limits.is_time_over;
    const std::vector<std::vector<std::byte>> values{bytes_of(static_cast<int>(program.arguments.size())),
                                                     bytes_of(arguments), bytes_of(std::uint64_t{0})};
    vgpu::RunResult result = (*session)->run_host(
        "main", values, [&](const vgpu::Session::HostCall& call) { return runtime.answer(call); }, host_limits,
        vgpu::Session::HostCode::program);
    runtime.take_host_findings(std::move(result.findings));
    // What atexit() was given, and destructors: host/include/__later.
    constexpr const char* at_end = "__warpgrade_at_end";
    if (runtime.has_returned && code.by_name.contains(at_end)) {
        result = (*session)->run_host(
            at_end, {}, [&](const vgpu::Session::HostCall& call) { return runtime.answer(call); }, host_limits,
            vgpu::Session::HostCode::program);
        runtime.take_host_findings(std::move(result.findings));
    }
    runtime.finish();
    return std::move(runtime.run);
}

}  // namespace

Result<ProgramRun> run_program(const Program& program, const ProgramLimits& limits, const Outside& outside) {
    return guarded("running the program", [&] { return run_loaded(program, limits, outside); });
}

}  // namespace warpgrade::host
