// A CUDA driver without a card: the functions of libcuda that the kit calls, with the virtual GPU behind them. Linked
// into a worker that looks for the driver in itself (WARPGRADE_LIBCUDA=self). What it shares with a real driver is what
// the kit relies on: memory, modules, an asynchronous stream with events, graphs, and errors that stay.
//
// $WARPGRADE_MADE_UP_CUDA  the CUDA version the driver is for, "12040"; it refuses newer PTX
// $WARPGRADE_MADE_UP_BYTES memory of the card
// $WARPGRADE_MADE_UP_CARDS names of the cards, "A;A;B": three, of which the first two are alike
// $WARPGRADE_MADE_UP_FILE  a file that it writes whenever a module is loaded, and cannot do without
// $WARPGRADE_MADE_UP_FAULT "17:2": the 17th call fails with error 2; "17:2+": and all that come after
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "device/card_ptx.hpp"
#include "device/cuda_driver.hpp"
#include "ptx/module.hpp"
#include "vgpu/vgpu.hpp"

using namespace warpgrade;
using namespace warpgrade::cuda;

namespace {

enum Error : int {
    invalid_value = 1,
    out_of_memory = 2,
    no_device = 100,
    invalid_ptx = 218,
    not_found = 500,
    illegal_address = 700,
    launch_failed = 719,
};

// Bytes a second that the made-up card moves, counted in 32-byte sectors, and what a launch costs.
constexpr double bytes_per_second = 1e9;
constexpr double launch_seconds = 2e-6;

struct Image {
    std::string ptx;
};
struct Function {
    vgpu::Session* session;
    std::string name;
};
struct Loaded {
    std::unique_ptr<vgpu::Session> session;
    std::map<std::string, Function> functions;
};
struct Operation {
    enum { launch, fill, fill_byte, copy } kind;
    Function* function = nullptr;
    vgpu::Launch what;
    Address to = 0, from = 0;
    std::size_t count = 0;
    unsigned value = 0;
};
struct Graph {
    std::vector<Operation> operations;
};
struct Event {
    double seconds = 0;
};

// A copy from the host that has returned and not arrived: as on a card, it is of the null stream.
struct Staged {
    Address to;
    std::vector<std::byte> bytes;
};

struct Gpu {
    // As on a card, nothing is where another program's interpretation of the launcher has it.
    Gpu() {
        vgpu::BufferSpec spec;
        spec.name = "of the context";
        spec.bytes = 8;
        for (int i = 0; i < 8; ++i) (void)memory.allocate(spec);
    }

    vgpu::Memory memory{std::uint64_t{8} << 30};
    std::map<Address, int> buffers;
    std::vector<Staged> staged;
    std::uint64_t used_bytes = 0;
    std::uint64_t total_bytes = std::uint64_t{2} << 30;
    double clock_seconds = 0;  // the stream's own
    int sticky = 0;
    bool is_hanging = false;
    std::unique_ptr<Graph> capture;
    std::string linker_text, linked;
    char* log = nullptr;
    std::size_t log_size = 0;
    int cuda_version = 13000;
};

Gpu& gpu() {
    static Gpu one;
    return one;
}

std::byte* place(Address address, std::size_t count) {
    const int index = gpu().memory.find(address);
    if (index < 0) return nullptr;
    const vgpu::Buffer& buffer = gpu().memory.buffer(index);
    if (address + count > buffer.address + buffer.spec.bytes) return nullptr;
    return buffer.data + (address - buffer.address);
}

void deliver() {
    for (const Staged& copy : std::exchange(gpu().staged, {}))
        if (std::byte* data = place(copy.to, copy.bytes.size()); data && !copy.bytes.empty())
            std::memcpy(data, copy.bytes.data(), copy.bytes.size());
}

int perform(const Operation& operation) {
    Gpu& g = gpu();
    if (operation.kind == Operation::launch) {
        vgpu::RunOptions options;
        options.check_races = false;
        options.limits.warp_instructions = 1'000'000'000;
        const vgpu::RunResult result = operation.function->session->run(operation.what, options);
        const vgpu::Counters& c = result.counters;
        g.clock_seconds += launch_seconds + 32.0 * static_cast<double>(c.global_load_sectors + c.global_store_sectors) /
                                                bytes_per_second;
        for (const vgpu::Finding& finding : result.findings) {
            using Kind = vgpu::FindingKind;
            if (finding.kind == Kind::out_of_bounds || finding.kind == Kind::misaligned) g.sticky = illegal_address;
            if (finding.kind == Kind::trap || finding.kind == Kind::assertion) g.sticky = launch_failed;
            if (finding.kind == Kind::timeout || finding.kind == Kind::deadlock) g.is_hanging = true;
        }
        return g.sticky;
    }
    const std::size_t bytes = operation.kind == Operation::fill ? operation.count * 4 : operation.count;
    std::byte* to = place(operation.to, bytes);
    if (!to) return g.sticky = illegal_address;
    if (operation.kind == Operation::copy) {
        const std::byte* from = place(operation.from, bytes);
        if (!from) return g.sticky = illegal_address;
        std::memmove(to, from, bytes);
        g.clock_seconds += launch_seconds + 2.0 * static_cast<double>(bytes) / bytes_per_second;
    } else if (operation.kind == Operation::fill) {
        for (std::size_t i = 0; i < operation.count; ++i) std::memcpy(to + 4 * i, &operation.value, 4);
    } else {
        std::memset(to, static_cast<int>(operation.value), bytes);
    }
    return success;
}

// Errors of a kernel show at the next synchronisation, as on a card.
int enqueue(Operation operation) {
    Gpu& g = gpu();
    if (g.sticky != 0) return g.sticky;
    if (g.capture) {
        g.capture->operations.push_back(std::move(operation));
        return success;
    }
    if (!g.is_hanging) perform(operation);
    return success;
}

// Counts the calls of the driver; the error that $WARPGRADE_MADE_UP_FAULT has for this one.
int injected() {
    static const std::string fault = [] {
        const char* text = std::getenv("WARPGRADE_MADE_UP_FAULT");
        return std::string(text ? text : "");
    }();
    static long calls = 0;
    ++calls;
    if (fault.empty()) return success;
    char* end = nullptr;
    const long number = std::strtol(fault.c_str(), &end, 10);
    const bool stays = fault.back() == '+';
    if (*end != ':' || calls < number || (calls > number && !stays)) return success;
    return std::atoi(end + 1);
}

const std::vector<std::string>& names() {
    static const std::vector<std::string> all = [] {
        const char* text = std::getenv("WARPGRADE_MADE_UP_CARDS");
        std::vector<std::string> found;
        std::istringstream stream(text ? text : "Made-up GPU");
        for (std::string name; std::getline(stream, name, ';');) found.push_back(name);
        return found;
    }();
    return all;
}

int attribute_value(int which) {
    switch (which) {
        case attribute_max_threads_per_block: return 1024;
        case attribute_max_block_x: return 1024;
        case attribute_max_block_x + 1: return 1024;
        case attribute_max_block_x + 2: return 64;
        case attribute_max_grid_x: return 2147483647;
        case attribute_max_grid_x + 1: return 65535;
        case attribute_max_grid_x + 2: return 65535;
        case attribute_shared_bytes_per_block: return 49152;
        case attribute_clock_khz: return 1'000'000;
        case attribute_multiprocessors: return 7;
        case attribute_memory_clock_khz: return 1'000'000;
        case attribute_memory_bus_bits: return 8;  // 2 GB/s
        case attribute_l2_bytes: return 1 << 16;
        case attribute_max_threads_per_sm: return 2048;
        case attribute_compute_capability_major: return 8;
        case attribute_compute_capability_minor: return 0;
        case attribute_shared_bytes_per_sm: return 167936;
        case attribute_registers_per_sm: return 65536;
        case attribute_shared_bytes_per_block_optin: return 166912;
        case attribute_max_blocks_per_sm: return 32;
        default: return 0;
    }
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
    if (const int error = injected()) return error;
    Gpu& g = gpu();
    if (const char* text = std::getenv("WARPGRADE_MADE_UP_CUDA")) g.cuda_version = std::atoi(text);
    if (const char* text = std::getenv("WARPGRADE_MADE_UP_BYTES")) g.total_bytes = std::strtoull(text, nullptr, 10);
    return g.cuda_version == 0 ? no_device : success;
}
int cuDriverGetVersion(int* version) {
    if (const int error = injected()) return error;
    *version = gpu().cuda_version;
    return success;
}
int cuGetErrorName(int error, const char** text) {
    static const std::map<int, const char*> names{{invalid_value, "CUDA_ERROR_INVALID_VALUE"},
                                                  {out_of_memory, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                  {no_device, "CUDA_ERROR_NO_DEVICE"},
                                                  {invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
                                                  {error_unsupported_ptx_version, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
                                                  {not_found, "CUDA_ERROR_NOT_FOUND"},
                                                  {illegal_address, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                                  {launch_failed, "CUDA_ERROR_LAUNCH_FAILED"}};
    const auto found = names.find(error);
    *text = found == names.end() ? nullptr : found->second;
    return found == names.end() ? invalid_value : success;
}
int cuGetErrorString(int error, const char** text) {
    *text = error == illegal_address ? "an illegal memory access was encountered" : "made-up words";
    return success;
}
int cuDeviceGetCount(int* count) {
    if (const int error = injected()) return error;
    *count = static_cast<int>(names().size());
    return success;
}
int cuDeviceGet(int* device, int index) {
    if (const int error = injected()) return error;
    *device = index;
    return index >= 0 && index < static_cast<int>(names().size()) ? success : 101;
}
int cuDeviceGetName(char* name, int size, int device) {
    if (const int error = injected()) return error;
    std::strncpy(name, names()[static_cast<std::size_t>(device)].c_str(), static_cast<std::size_t>(size));
    return success;
}
int cuDeviceGetAttribute(int* value, int which, int) {
    if (const int error = injected()) return error;
    *value = attribute_value(which);
    return success;
}
int cuDeviceGetPCIBusId(char* text, int size, int device) {
    if (const int error = injected()) return error;
    std::snprintf(text, static_cast<std::size_t>(size), "0000:%02d:00.0", device);
    return success;
}
int cuDevicePrimaryCtxRetain(Handle* context, int) {
    if (const int error = injected()) return error;
    *context = &gpu();
    return success;
}
int cuCtxSetCurrent(Handle) { return injected(); }
int cuCtxResetPersistingL2Cache() { return injected(); }
int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
    if (const int error = injected()) return error;
    *total_bytes = gpu().total_bytes;
    *free_bytes = gpu().total_bytes - gpu().used_bytes;
    return success;
}
int cuMemAlloc_v2(Address* address, std::size_t bytes) {
    if (const int error = injected()) return error;
    Gpu& g = gpu();
    if (g.used_bytes + bytes > g.total_bytes) return out_of_memory;
    vgpu::BufferSpec spec;
    spec.name = "memory";
    spec.bytes = bytes;
    spec.is_written = true;
    const auto buffer = g.memory.allocate(spec);
    if (!buffer) return out_of_memory;
    *address = g.memory.buffer(*buffer).address;
    g.buffers[*address] = *buffer;
    g.used_bytes += bytes;
    return success;
}
int cuMemFree_v2(Address address) {
    if (const int error = injected()) return error;
    deliver();
    Gpu& g = gpu();
    const auto found = g.buffers.find(address);
    if (found == g.buffers.end()) return invalid_value;
    g.used_bytes -= g.memory.buffer(found->second).spec.bytes;
    g.memory.release(found->second);
    g.buffers.erase(found);
    return success;
}
int cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
    if (const int error = injected()) return error;
    if (gpu().sticky != 0) return gpu().sticky;
    if (!place(to, bytes)) return invalid_value;
    const auto* first = static_cast<const std::byte*>(from);
    gpu().staged.push_back({to, {first, first + bytes}});
    return success;
}
int cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
    if (const int error = injected()) return error;
    if (gpu().sticky != 0) return gpu().sticky;
    deliver();
    const std::byte* data = place(from, bytes);
    if (!data && bytes > 0) return invalid_value;
    if (bytes > 0) std::memcpy(to, data, bytes);
    return success;
}
int cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, Handle) {
    if (const int error = injected()) return error;
    Operation operation{.kind = Operation::copy, .what = {}};
    operation.to = to;
    operation.from = from;
    operation.count = bytes;
    return enqueue(std::move(operation));
}
int cuMemsetD8Async(Address to, unsigned char value, std::size_t count, Handle) {
    if (const int error = injected()) return error;
    Operation operation{.kind = Operation::fill_byte, .what = {}};
    operation.to = to;
    operation.count = count;
    operation.value = value;
    return enqueue(std::move(operation));
}
int cuMemsetD32Async(Address to, unsigned value, std::size_t count, Handle) {
    if (const int error = injected()) return error;
    Operation operation{.kind = Operation::fill, .what = {}};
    operation.to = to;
    operation.count = count;
    operation.value = value;
    return enqueue(std::move(operation));
}
int cuLinkCreate_v2(unsigned count, int* options, void** values, Handle* state) {
    if (const int error = injected()) return error;
    Gpu& g = gpu();
    for (unsigned i = 0; i < count; ++i) {
        if (options[i] == jit_error_log) g.log = static_cast<char*>(values[i]);
        if (options[i] == jit_error_log_size) g.log_size = reinterpret_cast<std::size_t>(values[i]);
    }
    *state = &g.linker_text;
    return success;
}
int cuLinkAddData_v2(Handle, int, void* data, std::size_t size, const char*, unsigned, int*, void**) {
    if (const int error = injected()) return error;
    Gpu& g = gpu();
    g.linker_text.assign(static_cast<const char*>(data), size - 1);
    const auto rank = [](const std::string& version) { return std::atof(version.c_str()); };
    if (rank(ptx_version(g.linker_text)) > rank(ptx_version_of(g.cuda_version))) return error_unsupported_ptx_version;
    const auto module = ptx::parse(g.linker_text);
    if (module) return success;
    if (g.log) std::strncpy(g.log, module.error().title.c_str(), g.log_size);
    return invalid_ptx;
}
int cuLinkComplete(Handle, void** image, std::size_t* size) {
    if (const int error = injected()) return error;
    Gpu& g = gpu();
    g.linked = g.linker_text + '\0';
    *image = g.linked.data();
    *size = g.linked.size();
    return success;
}
int cuLinkDestroy(Handle) { return injected(); }
int cuModuleLoadData(Handle* handle, const void* image) {
    if (const int error = injected()) return error;
    if (const char* path = std::getenv("WARPGRADE_MADE_UP_FILE")) {
        std::FILE* file = std::fopen(path, "w");
        if (!file) return launch_failed;
        std::fclose(file);
    }
    auto module = ptx::parse(static_cast<const char*>(image));
    if (!module) return invalid_ptx;
    // A real driver would refuse a function that nobody defines; the calls of a launcher must have been given bodies.
    for (const ptx::Function& function : module->functions)
        if (function.is_declaration && function.name.starts_with("__cudaCDP2")) return invalid_ptx;
    auto program = vgpu::load(*module, "submission.cu");
    if (!program) return invalid_ptx;
    auto session = vgpu::Session::open(*program, gpu().memory);
    if (!session) return out_of_memory;
    auto* loaded = new Loaded{std::move(*session), {}};
    for (const vgpu::KernelInfo& kernel : vgpu::kernels(**program))
        loaded->functions[kernel.name] = {loaded->session.get(), kernel.name};
    *handle = loaded;
    return success;
}
int cuModuleUnload(Handle handle) {
    if (const int error = injected()) return error;
    delete static_cast<Loaded*>(handle);
    return success;
}
int cuModuleGetFunction(Handle* function, Handle module, const char* name) {
    if (const int error = injected()) return error;
    auto& functions = static_cast<Loaded*>(module)->functions;
    const auto found = functions.find(name);
    if (found == functions.end()) return not_found;
    *function = &found->second;
    return success;
}
int cuModuleGetGlobal_v2(Address* address, std::size_t* bytes, Handle module, const char* name) {
    if (const int error = injected()) return error;
    const vgpu::Memory& memory = gpu().memory;
    for (int i = 0; i < memory.count(); ++i) {
        const std::string* variable = static_cast<Loaded*>(module)->session->variable_at(memory.buffer(i).address);
        if (variable == nullptr || *variable != name) continue;
        *address = memory.buffer(i).address;
        *bytes = memory.buffer(i).spec.bytes;
        return success;
    }
    return not_found;
}
int cuFuncSetAttribute(Handle, int, int) { return injected(); }
int cuLaunchKernel(Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, Handle, void**, void** extra) {
    if (const int error = injected()) return error;
    Operation operation{.kind = Operation::launch, .what = {}};
    operation.function = static_cast<Function*>(function);
    operation.what.kernel = operation.function->name;
    operation.what.grid = {grid_x, grid_y, grid_z};
    operation.what.block = {block_x, block_y, block_z};
    operation.what.dynamic_shared_bytes = shared_bytes;
    if (extra) {
        const auto* bytes = static_cast<const std::byte*>(extra[1]);
        operation.what.parameters.assign(bytes, bytes + *static_cast<const std::size_t*>(extra[3]));
    }
    return enqueue(std::move(operation));
}
int cuLaunchKernelEx(const LaunchConfig* config, Handle function, void**, void** extra) {
    if (const int error = injected()) return error;
    Operation operation{.kind = Operation::launch, .what = {}};
    operation.function = static_cast<Function*>(function);
    operation.what.kernel = operation.function->name;
    operation.what.grid = {config->grid[0], config->grid[1], config->grid[2]};
    operation.what.block = {config->block[0], config->block[1], config->block[2]};
    for (unsigned i = 0; i < config->attribute_count; ++i)
        if (const LaunchAttribute& one = config->attributes[i]; one.id == attribute_cluster_dimension)
            operation.what.cluster = {one.value[0], one.value[1], one.value[2]};
    operation.what.dynamic_shared_bytes = config->shared_bytes;
    if (extra) {
        const auto* bytes = static_cast<const std::byte*>(extra[1]);
        operation.what.parameters.assign(bytes, bytes + *static_cast<const std::size_t*>(extra[3]));
    }
    return enqueue(std::move(operation));
}
int cuStreamCreate(Handle* stream, unsigned) {
    if (const int error = injected()) return error;
    *stream = &gpu();
    return success;
}
int cuStreamSynchronize(Handle stream) {
    if (const int error = injected()) return error;
    if (!stream) deliver();
    while (gpu().is_hanging) std::this_thread::sleep_for(std::chrono::hours(1));
    return gpu().sticky;
}
int cuStreamBeginCapture_v2(Handle, int) {
    if (const int error = injected()) return error;
    gpu().capture = std::make_unique<Graph>();
    return success;
}
int cuStreamEndCapture(Handle, Handle* graph) {
    if (const int error = injected()) return error;
    *graph = gpu().capture.release();
    return success;
}
int cuGraphInstantiateWithFlags(Handle* executable, Handle graph, unsigned long long) {
    if (const int error = injected()) return error;
    *executable = new Graph(*static_cast<Graph*>(graph));
    return success;
}
int cuGraphLaunch(Handle executable, Handle) {
    if (const int error = injected()) return error;
    for (const Operation& operation : static_cast<Graph*>(executable)->operations)
        if (const int error = enqueue(operation); error != success) return error;
    return success;
}
int cuGraphExecDestroy(Handle executable) {
    if (const int error = injected()) return error;
    delete static_cast<Graph*>(executable);
    return success;
}
int cuGraphDestroy(Handle graph) {
    if (const int error = injected()) return error;
    delete static_cast<Graph*>(graph);
    return success;
}
int cuEventCreate(Handle* event, unsigned) {
    if (const int error = injected()) return error;
    *event = new Event;
    return success;
}
int cuEventRecord(Handle event, Handle) {
    if (const int error = injected()) return error;
    static_cast<Event*>(event)->seconds = gpu().clock_seconds;
    return success;
}
int cuEventElapsedTime(float* milliseconds, Handle first, Handle last) {
    if (const int error = injected()) return error;
    *milliseconds =
        static_cast<float>(1e3 * (static_cast<Event*>(last)->seconds - static_cast<Event*>(first)->seconds));
    return success;
}

}  // extern "C"
