#include "cli/doctor_checks.hpp"
#include "cli/diagnose.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/confined.hpp"
#include "base/processor.hpp"
#include "cli/course.hpp"
#include "compile/cache.hpp"
#include "compile/compiler.hpp"
#include "compile/include_scan.hpp"
#include "compile/kit_root.hpp"
#include "device/card.hpp"
#include "device/device.hpp"
#include "proof/prove.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int probe_blocks = 3;
constexpr int probe_threads = 64;

// Threads exchange values through shared memory: a barrier, a divergent branch and a launch with arguments all take
// part.
constexpr const char* probe_source = R"(
__global__ void probe_kernel(int* out, int factor) {
    __shared__ int turned[64];
    const int i = threadIdx.x;
    turned[63 - i] = i * factor;
    __syncthreads();
    int value = turned[i];
    if (i % 2 == 1) value += 1000 * (blockIdx.x + 1);
    out[blockIdx.x * 64 + i] = value;
}
void probe(int* out, int factor) { probe_kernel<<<3, 64>>>(out, factor); }
)";

int expected_value(int block, int thread, int factor) {
    return (probe_threads - 1 - thread) * factor + (thread % 2 == 1 ? 1000 * (block + 1) : 0);
}

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

HealthLine from(const std::string& what, const Diagnostic& error) {
    HealthLine line{what, false, true, error.title, error.help, error.blame};
    if (line.blame == Blame::learner) line.blame = Blame::kit;  // the probe is ours
    for (const std::string& fact : error.facts) line.found += "\n" + fact;
    return line;
}

template <class T>
std::vector<std::byte> bytes_of(T value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

Result<std::string> run_probe(Device& device, const std::string& ptx, const std::string& path) {
    constexpr int factor = 7;
    auto program = device.load(ptx, path);
    if (!program) return program.error();
    auto names = function_names(ptx);
    if (!names) return names.error();
    std::string launcher;
    for (const FunctionName& name : *names)
        if (!name.is_kernel && name.demangled == "probe(int*, int)") launcher = name.mangled;
    constexpr int count = probe_blocks * probe_threads;
    auto out = (*program)->allocate({.name = "out", .bytes = count * sizeof(int), .element_bytes = 4});
    if (!out) return out.error();
    const std::vector<std::vector<std::byte>> arguments{bytes_of((*program)->address(*out)), bytes_of(factor)};
    const auto start = Clock::now();
    auto run = (*program)->run(launcher, arguments, {});
    if (!run) return run.error();
    const double elapsed = milliseconds_since(start);
    if (auto status = (*program)->download(*out); !status) return status.error();
    const Diagnostic wrong =
        diagnose(Blame::kit, "wrong_probe", "a small kernel was compiled and run, and its result is wrong",
                 "report this, with the machine's name and processor");
    if (!run->is_valid || !run->result.findings.empty()) return wrong;
    const auto bytes = (*program)->bytes(*out);
    for (int i = 0; i < count; ++i) {
        int value = 0;
        std::memcpy(&value, bytes.data() + static_cast<std::size_t>(i) * sizeof value, sizeof value);
        if (value != expected_value(i / probe_threads, i % probe_threads, factor)) return wrong;
    }
    return fmt::format("ran a kernel of {} blocks in {:.1f} ms, the result is right", probe_blocks, elapsed);
}

// "nv/target", "nv/target, cuda_fp16.h"
std::string in_a_row(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

void examine_compiler(std::vector<HealthLine>& lines) {
    auto nvrtc = find_nvrtc();
    if (!nvrtc) {
        lines.push_back(from("NVRTC", nvrtc.error()));
        // Who started this program has tried, and has said what to type.
        if (const char* failed = std::getenv("WARPGRADE_SETUP_FAILED"); failed && *failed)
            lines.back().help = "what is written above this table";
        return;
    }
    lines.push_back({"NVRTC", true, true, fmt::format("{}, {}", nvrtc->version, nvrtc->path), ""});
    const bool has_folder = !nvrtc->cuda_include.empty();
    const auto missing = has_folder ? missing_usual_headers(nvrtc->cuda_include) : std::vector<std::string>{};
    std::string found = has_folder ? nvrtc->cuda_include
                                   : "not found: files that include cooperative_groups.h and the like do not compile";
    if (!missing.empty()) found += " has no " + in_a_row(missing) + ": files that ask for such headers do not compile";
    lines.push_back(
        {"CUDA headers", has_folder && missing.empty(), false, found,
         "install the CUDA toolkit, or set CUDA_HOME to where it is (pip: nvidia-cuda-runtime, nvidia-cuda-cccl)"});

    // The comment makes the text new each time, so that the cache cannot answer in place of the compiler.
    CompileRequest request;
    request.path = "probe.cu";
    request.source = fmt::format("// {} {}", getpid(), Clock::now().time_since_epoch().count()) + probe_source;
    const auto start = Clock::now();
    auto compiled = compile(request);
    if (!compiled) {
        lines.push_back(from("compile worker", compiled.error()));
        return;
    }
    if (!compiled->ok) {
        const std::string why = compiled->messages.empty() ? "" : ": " + compiled->messages.front().message;
        lines.push_back({"compile worker", false, true, "a small kernel that is right does not compile" + why,
                         "report this, with the version of NVRTC above", Blame::kit});
        return;
    }
    lines.push_back(
        {"compile worker", true, true, fmt::format("compiled a kernel in {:.0f} ms", milliseconds_since(start)), ""});
    auto ran = run_probe(*make_virtual_device(), compiled->ptx, request.path);
    lines.push_back(ran ? HealthLine{"virtual GPU", true, true, *ran, ""} : from("virtual GPU", ran.error()));
}

// Around a process that looks at a submission: as they stand there, not as the kernel announces them.
void examine_walls(std::vector<HealthLine>& lines, WallSet walls) {
    for (const WallWords& one : wall_words()) {
        HealthLine line{one.name, walls.has(one.wall), false, std::string("stops ") + one.stops, one.help, Blame::host};
        if (!line.is_ok) line.found = std::string("is not to be had here; it would stop ") + one.stops;
        lines.push_back(std::move(line));
    }
}

// The probe on the card itself: the driver takes this NVRTC's PTX, and the result is right.
void examine_card(std::vector<HealthLine>& lines) {
    auto card = Card::open();
    if (!card) {
        lines.push_back({"GPU", false, false, card.error().title + "; the virtual GPU is used",
                         card.error().code == "old_driver" ? card.error().help : ""});
        return;
    }
    const cuda::CardFacts& facts = (*card)->facts();
    lines.push_back(
        {"GPU", true, false,
         fmt::format("{}, driver {}for CUDA {}.{}{}", facts.name, facts.driver.empty() ? "" : facts.driver + " ",
                     facts.cuda_version / 1000, facts.cuda_version % 1000 / 10,
                     facts.device_count > 1 ? fmt::format(", the first of {}", facts.device_count) : ""),
         ""});
    const WallSet walls = (*card)->walls();
    lines.push_back({"GPU process", walls.holds(), false,
                     walls.holds() ? "stands behind " + walls.names()
                                   : "stands behind no walls: the driver does not work there, or a profiler is with it",
                     ""});
    CompileRequest request;
    request.path = "probe.cu";
    request.source = probe_source;
    request.arch = (*card)->arch();
    const auto compiled = compile(request);
    if (!compiled || !compiled->ok) return;  // said by the compiler's own line
    auto ran = run_probe(*make_cuda_device(**card), compiled->ptx, request.path);
    if (!ran) {
        lines.push_back(from("GPU kernels", ran.error()));
        lines.back().is_needed = false;
        return;
    }
    lines.push_back({"GPU kernels", true, false, *ran, ""});
}

HealthLine examine_processor() {
#if defined(__x86_64__)
    const char* features = has_avx2() ? "AVX2" : "x86-64 without AVX2: checks take several times as long";
#elif defined(__aarch64__)
    const char* features = "NEON";
#else
    const char* features = "baseline";
#endif
    return {"processor", true, false,
            fmt::format("{}, {} threads", features, std::max(1u, std::thread::hardware_concurrency())), ""};
}

HealthLine examine_proofs() {
    if (proof::is_available()) return {"proofs", true, false, "isl (libisl.so.23)", ""};
    return {"proofs", false, false,
            "isl (libisl.so.23) is not here: nothing is proved for every shape; checks are the same",
            "install libisl23, which also comes with GCC"};
}

HealthLine examine_cache() {
    const fs::path folder = ContentCache::of_user().folder();
    if (folder.empty())
        return {"cache", false, false, "switched off: every check compiles anew", "unset WARPGRADE_CACHE, or set HOME"};
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path probe = folder / fmt::format("doctor.{}", getpid());
    bool is_written = false;
    {
        std::ofstream file(probe);
        file << "probe\n";
        is_written = static_cast<bool>(file.flush());
    }
    fs::remove(probe, error);
    if (is_written) return {"cache", true, false, folder.string(), ""};
    return {"cache", false, false, folder.string() + " cannot be written: every check compiles anew",
            "make it writable, or set WARPGRADE_CACHE to a folder that is"};
}

HealthLine examine_python(const std::string& root, const std::string& command) {
    const fs::path python = kit_python(root);
    const std::string help = fmt::format("`{} check STAGE --report FOLDER` sets it up", command);
    std::error_code error;
    if (fs::symlink_status(python, error).type() == fs::file_type::not_found)
        return {"reports", false, false, "no Python environment .venv yet: needed for figures and PDF only", help};
    if (::access(python.c_str(), X_OK) != 0)
        return {"reports", false, false,
                fmt::format("{} is there, but cannot be run: {}", shown_path(python.string()), std::strerror(errno)),
                fmt::format("ask who owns it for leave, or remove its folder: {}", help)};
    if (is_python_given()) return {"reports", true, false, "made by " + python.string(), ""};
    for (const auto& version : fs::directory_iterator(python.parent_path().parent_path() / "lib", error)) {
        for (const auto& package : fs::directory_iterator(version.path() / "site-packages", error)) {
            const std::string name = package.path().filename().string();
            if (name.starts_with("matplotlib-") && name.ends_with(".dist-info"))
                return {"reports", true, false,
                        fmt::format("matplotlib {} in .venv", name.substr(11, name.size() - 11 - 10)), ""};
        }
    }
    return {"reports", false, false, ".venv is there, but matplotlib is not in it: needed for figures and PDF only",
            help};
}

}  // namespace

std::vector<HealthLine> examine(WallSet walls) {
    std::vector<HealthLine> lines;
    auto course = open_course();
    if (course)
        lines.push_back({"course", true, true, course->root, ""});
    else
        lines.push_back(from("course", course.error()));
    examine_compiler(lines);
    examine_walls(lines, walls);
    lines.push_back(examine_processor());
    lines.push_back(examine_proofs());
    lines.push_back(examine_cache());
    examine_card(lines);
    if (course) lines.push_back(examine_python(course->root, course->command));
    return lines;
}

}  // namespace warpgrade::cli
