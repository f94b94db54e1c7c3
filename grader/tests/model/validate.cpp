// Predicts the time of kernels on a GPU and prints them, one line each: what validate.py compares with what was
// measured.
//
//   model_validate PROFILE.toml KERNELS [NAME=VALUE ...] < requests > predictions.csv
//
// A request is a line: name,problem,file,definitions (space between),shape (4096x4096 or 1048576). A line `set NAME
// VALUE` changes a parameter for what follows; requests seen before are not traced again. `run` times all requests so
// far.
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "build/launcher.hpp"
#include "compile/compiler.hpp"
#include "device/device.hpp"
#include "model/limiter.hpp"
#include "problem/problem.hpp"

using namespace warpgrade;

namespace {

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
    return parts;
}

struct Request {
    std::string name, shape;
    std::vector<SampledLaunch> launches;
    double trace_seconds = 0;
};

template <class T>
T must(Result<T> result, const std::string& what) {
    if (!result) {
        std::cerr << what << ": " << result.error().title << "\n";
        for (const std::string& f : result.error().facts) std::cerr << "  " << f << "\n";
        std::exit(1);
    }
    return std::move(*result);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "compile-worker") return compile_worker_main();
    if (argc < 2) return 2;
    const GpuProfile profile = must(load_profile(argv[1]), argv[1]);
    ModelParameters gpu = must(parameters_of(profile), argv[1]);
    const std::string arch =
        "sm_" + profile.device.compute_capability.substr(0, 1) + profile.device.compute_capability.substr(2);
    std::map<std::string, CompileOutput> compiled;
    std::map<std::string, std::map<std::string, int>> registers;
    std::vector<Request> requests;
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.starts_with("set ")) {
            const auto words = split(line, ' ');
            for (const ModelField& field : model_fields())
                if (field.name == words.at(1)) gpu.*field.field = std::stod(words.at(2));
            continue;
        }
        if (line == "run") {
            for (Request& r : requests) {
                const double before = now();
                const PlanTime time = time_of(r.launches, gpu);
                const double took = now() - before;
                const LaunchTime& first = time.launches.front();
                const MachineRun& run = first.run;
                const auto busy = [&](double cycles) { return cycles / std::max(run.cycles, 1.0); };
                fmt::print(
                    "{},{},{:.3f},{},{},{},{:.0f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.1f},{:.4f},{:.4f}",
                    r.name, r.shape, time.seconds * 1e6, time.launches.size(), r.launches.front().occupancy.blocks,
                    r.launches.front().resources.registers,
                    run.instructions / std::max<std::size_t>(1, r.launches.front().work.blocks.size() *
                                                                    r.launches.front().work.blocks[0].warps.size()),
                    busy(run.issue), busy(run.load_store), busy(run.l2_read), busy(run.l2_write), busy(run.dram),
                    busy(run.store_port), run.cycles, r.trace_seconds, took);
                for (std::size_t s = 0; s < run.stalls.size(); ++s)
                    fmt::print(",{:.3f}", run.stalls[s] / std::max(run.warp_cycles, 1.0));
                if (std::getenv("WG_EXPLAIN")) {
                    const double start = now();
                    const TimeExplanation why = explain_time(r.launches, time, gpu);
                    fmt::print(",{:.2f}x,line {},{:.3f}s,{}", why.gain_without_limit, why.line, now() - start,
                               why.limiter);
                }
                fmt::print("\n");
            }
            std::cout.flush();
            fmt::print("done\n");
            std::fflush(stdout);
            continue;
        }
        const auto cells = split(line, ',');
        if (cells.size() < 5) continue;
        const std::string key = cells[2] + " " + cells[3];
        const Problem* problem = find_problem(cells[1]);
        if (!problem && load_problems("assignments")) problem = find_problem(cells[1]);  // from the root
        if (!problem) return 2;
        if (!compiled.contains(key)) {
            std::ifstream file(cells[2]);
            std::stringstream text;
            text << file.rdbuf();
            CompileRequest request;
            request.path = cells[2];
            request.source = text.str();
            request.definitions = split(cells[3], ' ');
            if (cells[0].ends_with("any_type")) request.appended = problem->instantiation("float") + "\n";
            compiled[key] = must(compile(request), cells[0]);
            if (!compiled[key].ok) {
                std::cerr << cells[0] << " does not compile: " << compiled[key].messages.at(0).message << "\n";
                return 1;
            }
            request.arch = arch;
            request.reports_registers = true;
            registers[key] = must(compile(request), cells[0]).registers;
        }
        const double before = now();
        auto program = must(SampledProgram::load(compiled[key].ptx, cells[2], {}), cells[0]);
        const auto functions = must(function_names(compiled[key].ptx), cells[0]);
        const std::string launcher = must(find_launcher(functions, *problem, "float", cells[2], ""), cells[0]);
        Shape shape = must(problem->parse_shape(cells[4]), cells[4]);
        shape.type = "float";
        std::vector<vgpu::BufferSpec> buffers = problem->buffers(shape);
        for (std::size_t b = 0; b < buffers.size(); ++b)
            buffers[b].contents = [problem, shape, b](std::uint64_t first, std::span<std::byte> bytes) {
                problem->contents(shape, 0, b, first, bytes);
            };
        const auto addresses = must(program->allocate(buffers), cells[0]);
        Request r;
        r.name = cells[0];
        r.shape = cells[4];
        r.launches =
            must(program->sample(launcher, problem->arguments(shape, addresses), registers[key], gpu), cells[0])
                .launches;
        r.trace_seconds = now() - before;
        if (std::getenv("WG_DUMP")) {
            const WorkSample& work = r.launches.front().work;
            for (std::size_t w = 0; w < work.blocks[0].warps.size(); w += 3)
                for (const MicroOp& op : work.blocks[0].warps[w]) {
                    fmt::print("w{} unit {} ins {} reads {} {} {} writes {}", w, static_cast<int>(op.unit),
                               op.instructions, op.reads[0], op.reads[1], op.reads[2], op.writes[0]);
                    if (op.access >= 0) {
                        const MemoryAccess& a = work.accesses[static_cast<std::size_t>(op.access)];
                        fmt::print(" access lines {} wf {} lanes {}", a.lines, a.wavefronts, a.lanes);
                    }
                    fmt::print("\n");
                }
        }
        requests.push_back(std::move(r));
    }
}
