// Whole programs: a .cu file with main(), run on no GPU.
//
// Theory of operation. The file is compiled once, all of it as device code (CompileRequest::is_program), so that main()
// is a PTX function which the virtual GPU interprets as one thread; no instruction of it runs on this machine's
// processor. What it asks of CUDA and of the C library are calls of external functions (host/include declares them),
// and `Runtime` answers them: a row for each in calls.cpp.
//
// Two memories. cudaMalloc gives buffers of Reach::launches and malloc gives buffers of Reach::host, in one address
// space: a pointer of the wrong side is seen where it is used. Pinned and managed memory is Reach::both, and of
// Reach::launches again while something on the GPU uses it: the host asks to touch it then, and is told of it.
//
// Order. A launch or a copy runs where it is called, so that all streams are in the order of the calls; that is one of
// the orders that CUDA allows. What would have to be waited for is kept beside it: by stream, since the last
// synchronisation. Time is modelled: each stream has a time at which it is done, and the host waits for it.
//
// Mistakes are data (mistake.hpp) with both places; mistake_words.cpp makes sentences of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "compile/compiler.hpp"
#include "course/program_numbers.hpp"
#include "device/limits.hpp"
#include "host/mistake.hpp"
#include "host/program_text.hpp"
#include "vgpu/finding.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade::host {

// What a program asks of the world.
struct Outside {
    enum class Stream : std::uint8_t { output, errors };
    std::function<void(Stream stream, std::string_view text)> write;
    // Of standard input: some bytes, or none at its end.
    std::function<std::string()> read;
};

struct ProgramLimits {
    std::uint64_t host_work = std::uint64_t{1} << 31;  // in the unit of vgpu/budget.hpp
    std::uint64_t launch_work = std::uint64_t{1} << 31;
    std::uint64_t memory_bytes = std::uint64_t{3} << 29;  // of both sides together
    std::uint64_t output_bytes = std::uint64_t{8} << 20;  // of both streams together
    const std::atomic<bool>* is_time_over = nullptr;
    // What warps access is recorded, as vgpu::RunOptions say.
    bool traces = false, traces_whole_blocks = false;
    std::optional<vgpu::Dim3> traced_block{};
};

struct Program {
    std::string ptx;
    ProgramText text;                    // that `ptx` is of
    std::vector<std::string> arguments;  // argv, with the program's name
    LaunchLimits gpu;
    std::string gpu_name;
    int cuda_major = 13;  // whose error codes launches have
};

struct Launched {
    std::string kernel;
    vgpu::Dim3 grid, block;
    std::uint32_t shared_bytes = 0;
    int line = 0;
    double seconds = 0;  // modelled
};

struct ProgramRun {
    int exit_code = 0;
    std::vector<Mistake> mistakes;        // of host code
    std::vector<vgpu::Finding> findings;  // of kernels, and what stopped the host
    std::vector<Launched> launches;       // the first thousand
    std::uint64_t launch_count = 0;
    int unnoticed_line = 0;       // of a launch among `findings` whose error nothing has asked for
    bool asked_for_time = false;  // it may have printed modelled times
    ProgramNumbers numbers;       // that a stage's rules may ask about
    vgpu::Counters counters;      // of all launches
    std::vector<vgpu::LineCounters> by_line;
    std::vector<vgpu::Access> trace;      // where it was asked for
    std::vector<std::size_t> trace_ends;  // of each launch, in `trace`
    bool trace_is_cut = false;
};

// The text as a program for this GPU. Errors: those of compile(); what does not compile is a value.
Result<CompileOutput> compile_program(const ProgramText& text, const LaunchLimits& gpu);

// Error: the PTX cannot be run (a gap of the kit, or the program's fault: see blame), the machine's memory is over.
Result<ProgramRun> run_program(const Program& program, const ProgramLimits& limits, const Outside& outside);

// What was found, in words: errors first.
std::vector<Diagnostic> findings_of(const ProgramRun& run, const std::string& path, const std::string& source);

}  // namespace warpgrade::host
