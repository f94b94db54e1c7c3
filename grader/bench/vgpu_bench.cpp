// How fast the virtual GPU is: warp instructions a second with every check on, for solutions of the course.
//
//   vgpu_bench [--threads N] [--repeat N] FILE:SHAPE ...      from the root, e.g.
//   solutions/transpose/4_padding.cu:8192x8192
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "compile/compiler.hpp"
#include "device/device.hpp"
#include "problem/problem.hpp"

using namespace warpgrade;

namespace {

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}
double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int fail(const Diagnostic& d) {
    std::fprintf(stderr, "%s: %s\n", d.code.c_str(), d.title.c_str());
    return exit_code(d.blame);
}

int run_one(const std::string& argument, int threads, int repeat) {
    const std::size_t colon = argument.rfind(':');
    const std::string path = argument.substr(0, colon),
                      shape_text = colon == std::string::npos ? "" : argument.substr(colon + 1);
    // The problem is called as the folder that the file is in.
    const std::string name = std::filesystem::path(path).parent_path().filename().string();
    if (auto status = load_problems("assignments"); !status) return fail(status.error());
    const Problem* problem = find_problem(name);
    if (!problem) {
        std::fprintf(stderr, "no problem is called `%s`; the folder of a file says which one it is\n", name.c_str());
        return 2;
    }
    const auto shape = problem->parse_shape(shape_text);
    if (!shape) return fail(shape.error());
    const auto source = read_submission(path);
    if (!source) return fail(source.error());
    CompileRequest request;
    request.path = path;
    request.source = *source;
    const auto compiled = compile(request);
    if (!compiled) return fail(compiled.error());
    const auto device = make_virtual_device();
    auto program = device->load(compiled->ptx, path);
    if (!program) return fail(program.error());
    const auto names = function_names(compiled->ptx);
    std::string launcher;
    for (const FunctionName& f : *names) {
        if (f.demangled == problem->demangled("float")) launcher = f.mangled;
    }
    const auto prepared = problem->prepare(**program, *shape, 1);
    if (!prepared) return fail(prepared.error());
    double best_wall = 1e30, best_cpu = 1e30;
    std::uint64_t instructions = 0;
    for (int i = 0; i < repeat; ++i) {
        const double cpu = cpu_seconds(), wall = wall_seconds();
        vgpu::RunOptions options;
        options.threads = threads;
        const auto run = (*program)->run(launcher, prepared->arguments, options);
        if (!run) return fail(run.error());
        best_wall = std::min(best_wall, wall_seconds() - wall);
        best_cpu = std::min(best_cpu, cpu_seconds() - cpu);
        instructions = run->result.counters.warp_instructions;
        for (const auto& f : run->result.findings)
            std::fprintf(stderr, "finding: %s, line %d\n", to_string(f.kind).c_str(), f.place.line);
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%-42s %14s %12llu %9.4f %9.4f %10.1f %9.1f\n", path.c_str(), to_string(*shape).c_str(),
                static_cast<unsigned long long>(instructions), best_wall, best_cpu,
                static_cast<double>(instructions) / best_cpu / 1e6, static_cast<double>(usage.ru_maxrss) / 1024);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "compile-worker") == 0) return compile_worker_main();
    int threads = 0, repeat = 3;
    std::printf("%-42s %14s %12s %9s %9s %10s %9s\n", "file", "shape", "warp inst.", "wall s", "CPU s", "M/s a core",
                "peak MiB");
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            threads = std::atoi(argv[++i]);
        else if (std::strcmp(argv[i], "--repeat") == 0 && i + 1 < argc)
            repeat = std::atoi(argv[++i]);
        else if (const int code = run_one(argv[i], threads, repeat); code != 0)
            return code;
    }
    return 0;
}
