#include "device/cuda_server.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <sstream>

namespace warpgrade::cuda {

std::uint64_t number_in(const std::string& text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

namespace {

constexpr std::uint64_t smallest_kept = 1 << 18, largest_kept = 1 << 24;

}  // namespace

CardFacts Server::facts(int device) {
    CardFacts f;
    char text[256] = {};
    if (call(driver_.cuDeviceGetName(text, sizeof text, device), "cuDeviceGetName")) f.name = text;
    if (call(driver_.cuDeviceGetPCIBusId(text, sizeof text, device), "cuDeviceGetPCIBusId")) f.pci_bus_id = text;
    call(driver_.cuDriverGetVersion(&f.cuda_version), "cuDriverGetVersion");
    call(driver_.cuDeviceGetCount(&f.device_count), "cuDeviceGetCount");
    const auto attribute = [&](int which) {
        int value = 0;
        call(driver_.cuDeviceGetAttribute(&value, which, device), "cuDeviceGetAttribute");
        return static_cast<std::uint32_t>(std::max(value, 0));
    };
    f.compute_major = static_cast<int>(attribute(attribute_compute_capability_major));
    f.compute_minor = static_cast<int>(attribute(attribute_compute_capability_minor));
    f.multiprocessors = static_cast<int>(attribute(attribute_multiprocessors));
    f.l2_bytes = attribute(attribute_l2_bytes);
    f.memory_bus_bits = static_cast<int>(attribute(attribute_memory_bus_bits));
    f.registers_per_sm = attribute(attribute_registers_per_sm);
    f.shared_bytes_per_sm = attribute(attribute_shared_bytes_per_sm);
    f.shared_bytes_per_block = attribute(attribute_shared_bytes_per_block);
    f.shared_bytes_per_block_optin = attribute(attribute_shared_bytes_per_block_optin);
    f.max_threads_per_sm = static_cast<int>(attribute(attribute_max_threads_per_sm));
    f.max_blocks_per_sm = static_cast<int>(attribute(attribute_max_blocks_per_sm));
    f.max_threads_per_block = attribute(attribute_max_threads_per_block);
    f.max_block = {attribute(attribute_max_block_x), attribute(attribute_max_block_x + 1),
                   attribute(attribute_max_block_x + 2)};
    f.max_grid = {attribute(attribute_max_grid_x), attribute(attribute_max_grid_x + 1),
                  attribute(attribute_max_grid_x + 2)};
    nvml_ = std::make_unique<Nvml>(f.pci_bus_id);
    f.driver = nvml_->driver_version();
    f.sm_clock_mhz = nvml_->max_sm_clock_mhz();
    f.memory_clock_mhz = nvml_->max_memory_clock_mhz();
    if (f.sm_clock_mhz == 0) f.sm_clock_mhz = attribute(attribute_clock_khz) / 1000.0;
    if (f.memory_clock_mhz == 0) f.memory_clock_mhz = attribute(attribute_memory_clock_khz) / 1000.0;
    return f;
}

std::optional<CardFacts> Server::open(int index) {
    int device = 0, count = 0;
    Handle context = nullptr;
    CardFacts f;
    std::size_t free_bytes = 0, total_bytes = 0;
    const bool is_open = call(driver_.cuInit(0), "cuInit") &&
                         call(driver_.cuDeviceGetCount(&count), "cuDeviceGetCount") &&
                         call(driver_.cuDeviceGet(&device, index), "cuDeviceGet") &&
                         call(driver_.cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain") &&
                         call(driver_.cuCtxSetCurrent(context), "cuCtxSetCurrent") &&
                         call(driver_.cuStreamCreate(&stream_, stream_non_blocking), "cuStreamCreate") &&
                         call(driver_.cuMemGetInfo(&free_bytes, &total_bytes), "cuMemGetInfo");
    if (is_open) f = facts(device);
    f.free_bytes = free_bytes;
    f.total_bytes = total_bytes;
    if (error_) return std::nullopt;
    return f;
}

bool Server::works() {
    constexpr const char* nothing =
        ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry nothing()\n{\n    ret;\n}\n";
    Command launch;
    launch.kind = Command::Kind::launch;
    launch.module = static_cast<int>(load(nothing));
    launch.kernel = "nothing";
    launch.grid = launch.block = {1, 1, 1};
    run({launch});
    reset();
    const bool works = !error_;
    error_.reset();
    log_.clear();
    return works;
}

bool Server::compile(const std::string& ptx, std::string& image) {
    std::vector<char> log(1 << 14);
    int options[] = {jit_error_log, jit_error_log_size};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    Handle linker = nullptr;
    if (!call(driver_.cuLinkCreate(2, options, values, &linker), "cuLinkCreate")) return false;
    std::string text = ptx;  // cuLinkAddData counts the final NUL
    void* code = nullptr;
    std::size_t size = 0;
    int result =
        driver_.cuLinkAddData(linker, jit_input_ptx, text.data(), text.size() + 1, "submission", 0, nullptr, nullptr);
    if (result == success) result = driver_.cuLinkComplete(linker, &code, &size);
    log.back() = '\0';
    log_ = log.data();
    if (call(result, "compiling PTX for this card")) image.assign(static_cast<const char*>(code), size);
    driver_.cuLinkDestroy(linker);
    return result == success;
}

std::uint64_t Server::load(const std::string& ptx) {
    std::string& image = images_[ptx];
    Module module;
    if (!image.empty() || compile(ptx, image)) {
        module.image = image;
        reload(module);
    }
    if (error_) return 0;
    modules_[next_] = std::move(module);
    return next_++;
}

void Server::reload(Module& module) {
    if (module.handle) call(driver_.cuModuleUnload(module.handle), "cuModuleUnload");
    module.handle = nullptr;
    module.functions.clear();
    call(driver_.cuModuleLoadData(&module.handle, module.image.data()), "cuModuleLoadData");
}

Address Server::allocate(std::uint64_t bytes) {
    const std::uint64_t size = bytes <= largest_kept ? std::bit_ceil(std::max(bytes, smallest_kept)) : bytes;
    if (const auto found = spare_.find(size); found != spare_.end()) {
        const Address address = found->second;
        spare_.erase(found);
        return address;
    }
    Address address = 0;
    if (call(driver_.cuMemAlloc(&address, size), "cuMemAlloc")) sizes_[address] = size;
    return address;
}

void Server::release(Address address) {
    const auto found = sizes_.find(address);
    if (found == sizes_.end()) {
        call(400, "memory that was never allocated");  // CUDA_ERROR_INVALID_HANDLE
    } else if (found->second <= largest_kept) {
        spare_.emplace(found->second, address);
    } else {
        call(driver_.cuMemFree(address), "cuMemFree");
        sizes_.erase(found);
    }
}

void Server::reset() {
    for (const auto& [number, graph] : graphs_) call(driver_.cuGraphExecDestroy(graph), "cuGraphExecDestroy");
    for (const auto& [number, module] : modules_) call(driver_.cuModuleUnload(module.handle), "cuModuleUnload");
    for (const auto& [address, size] : sizes_) call(driver_.cuMemFree(address), "cuMemFree");
    graphs_.clear();
    modules_.clear();
    sizes_.clear();
    spare_.clear();
}

Handle Server::function(const Command& command) {
    const auto found = modules_.find(static_cast<std::uint64_t>(command.module));
    if (found == modules_.end()) {
        call(400, "a module that was never loaded");  // CUDA_ERROR_INVALID_HANDLE
        return nullptr;
    }
    Handle& handle = found->second.functions[command.kernel];
    if (!handle)
        call(driver_.cuModuleGetFunction(&handle, found->second.handle, command.kernel.c_str()), "cuModuleGetFunction");
    return handle;
}

void Server::enqueue_launch(const Command& command) {
    Handle kernel = function(command);
    if (!kernel) return;
    constexpr std::uint32_t without_opt_in = 48 * 1024;
    if (command.shared_bytes > without_opt_in &&
        !call(driver_.cuFuncSetAttribute(kernel, function_max_dynamic_shared_bytes,
                                         static_cast<int>(command.shared_bytes)),
              "cuFuncSetAttribute"))
        return;
    // CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END
    std::vector<std::byte> parameters = command.parameters;
    std::size_t size = parameters.size();
    void* extra[] = {reinterpret_cast<void*>(1), parameters.data(), reinterpret_cast<void*>(2), &size, nullptr};
    if (command.cluster.x != 0) {
        LaunchAttribute cluster;
        cluster.id = attribute_cluster_dimension;
        cluster.value[0] = command.cluster.x;
        cluster.value[1] = command.cluster.y;
        cluster.value[2] = command.cluster.z;
        const LaunchConfig config{{command.grid.x, command.grid.y, command.grid.z},
                                  {command.block.x, command.block.y, command.block.z},
                                  command.shared_bytes,
                                  stream_,
                                  &cluster,
                                  1};
        call(driver_.cuLaunchKernelEx(&config, kernel, nullptr, size == 0 ? nullptr : extra), "cuLaunchKernelEx");
        return;
    }
    call(
        driver_.cuLaunchKernel(kernel, command.grid.x, command.grid.y, command.grid.z, command.block.x, command.block.y,
                               command.block.z, command.shared_bytes, stream_, nullptr, size == 0 ? nullptr : extra),
        "cuLaunchKernel");
}

void Server::mark() {
    if (marks_ == events_.size()) {
        Handle event = nullptr;
        if (!call(driver_.cuEventCreate(&event, 0), "cuEventCreate")) return;
        events_.push_back(event);
    }
    call(driver_.cuEventRecord(events_[marks_++], stream_), "cuEventRecord");
}

void Server::enqueue(const Command& command) {
    using Kind = Command::Kind;
    switch (command.kind) {
        case Kind::launch: return enqueue_launch(command);
        case Kind::fill:
            call(driver_.cuMemsetD32Async(command.address, command.value, command.count, stream_), "cuMemsetD32Async");
            return;
        case Kind::fill_byte:
            call(driver_.cuMemsetD8Async(command.address, static_cast<unsigned char>(command.value), command.count,
                                         stream_),
                 "cuMemsetD8Async");
            return;
        case Kind::copy:
            call(driver_.cuMemcpyDtoDAsync(command.address, command.source, command.count, stream_),
                 "cuMemcpyDtoDAsync");
            return;
        case Kind::mark: return mark();
        case Kind::graph:
            call(driver_.cuGraphLaunch(graphs_[static_cast<std::uint64_t>(command.module)], stream_), "cuGraphLaunch");
            return;
        case Kind::reset_l2: call(driver_.cuCtxResetPersistingL2Cache(), "cuCtxResetPersistingL2Cache"); return;
        case Kind::wait: call(driver_.cuStreamSynchronize(stream_), "cuStreamSynchronize"); return;
    }
}

std::uint64_t Server::graph(const std::vector<Command>& commands) {
    for (const Command& command : commands)  // looked up now: a capture admits launches only
        if (command.kind == Command::Kind::launch) function(command);
    if (error_ || !call(driver_.cuStreamBeginCapture(stream_, capture_thread_local), "cuStreamBeginCapture")) return 0;
    for (const Command& command : commands) {
        enqueue(command);
        if (error_) break;
    }
    Handle captured = nullptr, executable = nullptr;
    if (call(driver_.cuStreamEndCapture(stream_, &captured), "cuStreamEndCapture"))
        call(driver_.cuGraphInstantiate(&executable, captured, 0), "cuGraphInstantiate");
    if (captured) driver_.cuGraphDestroy(captured);
    if (error_) return 0;
    graphs_[next_] = executable;
    return next_++;
}

std::string Server::run(const std::vector<Command>& commands) {
    marks_ = 0;
    for (const Command& command : commands) {
        enqueue(command);
        if (error_) break;
    }
    call(driver_.cuStreamSynchronize(stream_), "cuStreamSynchronize");
    std::string times;
    for (std::size_t i = 1; i < marks_ && !error_; ++i) {
        float milliseconds = 0;
        call(driver_.cuEventElapsedTime(&milliseconds, events_[i - 1], events_[i]), "cuEventElapsedTime");
        const double nanoseconds = static_cast<double>(milliseconds) * 1e6;
        times.append(reinterpret_cast<const char*>(&nanoseconds), sizeof nanoseconds);
    }
    return times;
}

wire::Fields Server::answer(const wire::Fields& request) {
    if (request.empty()) return broken();
    const std::string& verb = request[0];
    const auto text = [&](std::size_t i) { return i < request.size() ? request[i] : std::string(); };
    const auto number = [&](std::size_t i) { return number_in(text(i)); };
    if (verb == "load") return reply({"ok", std::to_string(load(text(1)))});
    if (verb == "reload" || verb == "unload") {
        const auto found = modules_.find(number(1));
        if (found == modules_.end()) return broken();
        if (verb == "reload") {
            reload(found->second);
        } else {
            call(driver_.cuModuleUnload(found->second.handle), "cuModuleUnload");
            modules_.erase(found);
        }
        return reply({"ok"});
    }
    if (verb == "variable") {
        const auto found = modules_.find(number(1));
        if (found == modules_.end()) return broken();
        Address address = 0;
        std::size_t bytes = 0;
        call(driver_.cuModuleGetGlobal(&address, &bytes, found->second.handle, text(2).c_str()), "cuModuleGetGlobal");
        return reply({"ok", std::to_string(address)});
    }
    if (verb == "allocate") {
        const Address address = allocate(number(1));
        return reply({"ok", std::to_string(address)});
    }
    if (verb == "free") {
        release(number(1));
        return reply({"ok"});
    }
    if (verb == "write") {
        const std::string bytes = text(2);
        // It returns once the bytes are staged. They arrive in the order of the null stream, for which `stream_`, being
        // a non-blocking one, does not wait.
        call(driver_.cuMemcpyHtoD(number(1), bytes.data(), bytes.size()), "cuMemcpyHtoD") &&
            call(driver_.cuStreamSynchronize(nullptr), "cuStreamSynchronize");
        return reply({"ok"});
    }
    if (verb == "read") {
        std::string bytes(number(2), '\0');
        call(driver_.cuMemcpyDtoH(bytes.data(), number(1), bytes.size()), "cuMemcpyDtoH");
        return reply({"ok", bytes});
    }
    if (verb == "graph" || verb == "run") {
        const auto commands = commands_from(text(1));
        if (!commands) return broken();
        if (verb == "run") return reply({"ok", run(*commands)});
        return reply({"ok", std::to_string(graph(*commands))});
    }
    if (verb == "drop_graph") {
        const auto found = graphs_.find(number(1));
        if (found == graphs_.end()) return broken();
        call(driver_.cuGraphExecDestroy(found->second), "cuGraphExecDestroy");
        graphs_.erase(found);
        return reply({"ok"});
    }
    if (verb == "reset") {
        reset();
        return reply({"ok"});
    }
    if (verb == "telemetry") return reply({"ok", to_bytes(nvml_->read())});
    return broken();
}

}  // namespace warpgrade::cuda
