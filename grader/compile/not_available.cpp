#include "compile/not_available.hpp"

#include <array>
#include <set>

namespace warpgrade {
namespace {

constexpr std::string_view belongs = "a submission holds kernels and the launcher only";
constexpr std::string_view does_the_exercise = "libraries do the exercise for you";
constexpr std::string_view allocation = "the grader allocates; the launcher gets device pointers that are ready to use";
constexpr std::string_view timing = "the grader times the launches itself";

struct HostName {
    std::string_view prefix;  // of the identifier; the first match serves
    std::string_view reason;
};

constexpr std::array host_prefixes{
    HostName{"cudaMalloc", allocation},
    HostName{"cudaHostAlloc", allocation},
    HostName{"cudaHostRegister", allocation},
    HostName{"cudaFree", "the grader frees what it allocated"},
    HostName{"cudaMemcpy",
             "the grader copies; data is on the device before the launcher runs and is read after it, and what is to "
             "be copied there, a kernel copies"},
    HostName{"cudaMemPrefetch", "the grader places the data on the device before the launcher runs"},
    HostName{"cudaStream", "everything runs in the default stream, as in kernel<<<grid, block, shared_bytes>>>(...)"},
    HostName{"cudaEvent", timing},
    HostName{"cudaLaunch", "launch as in kernel<<<grid, block, shared_bytes>>>(...)"},
    HostName{"cudaGraph", "the grader records the launches; launch as in kernel<<<grid, block, shared_bytes>>>(...)"},
    HostName{"cudaDeviceReset", "the grader owns the device"},
    HostName{"cudaThread", "it is gone from CUDA, cudaDeviceSynchronize() took its place"},
    HostName{"cublas", does_the_exercise},
    HostName{"thrust", does_the_exercise},
    HostName{"cutlass", does_the_exercise},
    HostName{"cuda", "the grader does what host programs do around the launches"},
};

constexpr std::array host_words{
    HostName{"cub", does_the_exercise},
    HostName{"time", timing},
    HostName{"gettimeofday", timing},
    HostName{"clock_gettime", timing},
    HostName{"rand", "the grader makes the input"},
    HostName{"srand", "the grader makes the input"},
    HostName{"fopen", "there are no files"},
    HostName{"scanf", "there is no input to read"},
    HostName{"getenv", "there is no environment"},
    HostName{"system", "there are no other programs"},
};

// What <vector>, <iostream> ... bring into std.
const std::set<std::string, std::less<>> host_library{"vector",
                                                      "string",
                                                      "cout",
                                                      "cerr",
                                                      "endl",
                                                      "cin",
                                                      "unique_ptr",
                                                      "shared_ptr",
                                                      "make_unique",
                                                      "map",
                                                      "chrono",
                                                      "thread",
                                                      "function",
                                                      "random_device",
                                                      "mt19937",
                                                      "sort",
                                                      "accumulate",
                                                      "iota",
                                                      "ifstream",
                                                      "ofstream",
                                                      "to_string",
                                                      "runtime_error",
                                                      "exception",
                                                      "unordered_map",
                                                      "set",
                                                      "list",
                                                      "stringstream",
                                                      "default_random_engine",
                                                      "uniform_real_distribution",
                                                      "mutex",
                                                      "future",
                                                      "async",
                                                      "reduce",
                                                      "transform",
                                                      "generate",
                                                      "this_thread",
                                                      "string_view"};

std::string unavailable(std::string_view name, std::string_view reason) {
    return "`" + std::string(name) + "` is not available: " + std::string(reason) + "; " + std::string(belongs);
}

}  // namespace

std::string advice_for_name(std::string_view name) {
    for (const HostName& word : host_words)
        if (name == word.prefix) return unavailable(name, word.reason);
    for (const HostName& known : host_prefixes)
        if (name.starts_with(known.prefix)) return unavailable(name, known.reason);
    return {};
}

std::string advice_for_std(const std::string& name) {
    if (host_library.count(name) == 0) return {};
    return "`std::" + name + "` is for host programs; " + std::string(belongs) +
           ": the grader allocates, copies, checks and times";
}

}  // namespace warpgrade
