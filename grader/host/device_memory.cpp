// Memory of the GPU: cudaMalloc and its like, cudaFree, cudaMemset.
#include "host/runtime.hpp"

namespace warpgrade::host {

namespace {

constexpr int most_live_allocations = 4'000;
constexpr std::size_t most_allocations = 1'000'000;

const char* name_of_free(MemoryKind kind) { return kind == MemoryKind::pinned ? "cudaFreeHost" : "cudaFree"; }

}  // namespace

void Runtime::allocate(Call& call) {
    const auto kind = static_cast<MemoryKind>(call.value<int>(2));
    const auto bytes = call.value<std::uint64_t>(1);
    const char* const name = kind == MemoryKind::device   ? "cudaMalloc"
                             : kind == MemoryKind::pinned ? "cudaMallocHost"
                                                          : "cudaMallocManaged";
    if (bytes == 0) {
        call.store_value(call.address(0), std::uint64_t{0});
        return finish_call(call, kind == MemoryKind::managed ? invalid_value : success, name);
    }
    if (failure_of_gpu() != success) return finish_call(call, failure_of_gpu(), name);
    const NamedMemory named = named_at(program_.text.text, call.line(), allocations_of_line_[call.line()]++);
    vgpu::BufferSpec spec;
    spec.name = named.name.empty() ? "memory of line " + std::to_string(call.line()) : named.name;
    spec.bytes = bytes;
    spec.element_bytes = named.element_bytes;
    spec.reach = kind == MemoryKind::device ? vgpu::Reach::launches : vgpu::Reach::both;
    spec.is_written = kind == MemoryKind::pinned;
    const bool has_room = bytes <= limits_.memory_bytes && live_allocations_ < most_live_allocations &&
                          allocations_.size() < most_allocations;
    const auto buffer = has_room ? loaded_.memory.allocate(spec) : Result<int>(Diagnostic{});
    if (!buffer) return finish_call(call, memory_allocation, name);
    allocations_[*buffer] = {kind, call.line(), 0, named.column};
    ++live_allocations_;
    if (!call.store_value(call.address(0), loaded_.memory.buffer(*buffer).address))
        return finish_call(call, invalid_value, name);
    finish_call(call, success, name);
}

void Runtime::free_memory(Call& call) {
    const std::uint64_t address = call.address(0);
    const bool is_pinned = call.value<int>(1) == static_cast<int>(MemoryKind::pinned);
    const char* const name = name_of_free(is_pinned ? MemoryKind::pinned : MemoryKind::device);
    if (address == 0) return finish_call(call, success, name);
    settle(std::nullopt);  // cudaFree waits
    const int nearest = loaded_.memory.find_nearest(address);
    const auto found = allocations_.find(nearest);
    Mistake mistake{MistakeKind::free_invalid, call.line(), 0, name, ""};
    if (nearest >= 0) mistake.object = loaded_.memory.buffer(nearest).spec.name;
    if (found == allocations_.end() || loaded_.memory.buffer(nearest).address != address) {
        if (heap_.size_of(address)) mistake.detail = "free";
        mistakes_.add(std::move(mistake));
        return finish_call(call, invalid_value, name);
    }
    Allocation& allocation = found->second;
    if (loaded_.memory.buffer(nearest).is_freed) {
        mistake.kind = MistakeKind::double_free;
        mistake.other_line = allocation.freed_line;
        mistakes_.add(std::move(mistake));
        return finish_call(call, invalid_value, name);
    }
    if ((allocation.kind == MemoryKind::pinned) != is_pinned) {
        mistake.detail = name_of_free(allocation.kind);
        mistake.other_line = allocation.line;
        mistakes_.add(std::move(mistake));
        return finish_call(call, invalid_value, name);
    }
    loaded_.memory.release(nearest);
    allocation.freed_line = call.line();
    --live_allocations_;
    call.reply.has_released = true;
    finish_call(call, success, name);
}

void Runtime::pointer_kind(Call& call) {
    constexpr int unregistered = 0, pinned = 1, device = 2, managed = 3;
    const Side side = side_of(call, call.address(0));
    const int kind = side.where == Side::Where::device    ? device
                     : side.where == Side::Where::pinned  ? pinned
                     : side.where == Side::Where::managed ? managed
                                                          : unregistered;
    call.store_value(call.address(1), kind);
    finish_call(call, success, "cudaPointerGetAttributes");
}

void Runtime::memory_info(Call& call) {
    const std::uint64_t all = program_.gpu.memory_bytes;
    call.store_value(call.address(0), all - std::min(all, loaded_.memory.used_bytes()));
    call.store_value(call.address(1), all);
    finish_call(call, success, "cudaMemGetInfo");
}

void Runtime::symbol(Call& call) {
    const std::string* const variable = loaded_.session.variable_at(call.address(2));
    if (variable == nullptr) return finish_call(call, invalid_symbol, "cudaGetSymbolAddress");
    const int buffer = loaded_.memory.find(call.address(2));
    symbols_set_.insert(*variable);  // by whoever has its address
    addressed_.insert(*variable);
    call.store_value(call.address(0), call.address(2));
    call.store_value(call.address(1), loaded_.memory.buffer(buffer).spec.bytes);
    finish_call(call, success, "cudaGetSymbolAddress");
}

void Runtime::set_memory(Call& call) {
    Copy asked{call.address(0),         0,           call.value<std::uint64_t>(2), 0, call.address(3),
               call.value<int>(4) != 0, "cudaMemset"};
    if (!is_stream(call, asked.stream, asked.name)) return finish_call(call, invalid_resource_handle, asked.name);
    if (asked.bytes == 0) return finish_call(call, success, asked.name);
    const Side to = side_of(call, asked.to);
    if (!to.on_device() && to.where != Side::Where::managed && to.where != Side::Where::pinned)
        return finish_call(call, refuse_copy(call, asked, to, true), asked.name);
    if (asked.bytes > to.room) return finish_call(call, refuse_copy(call, asked, to, true), asked.name);
    if (gpu_error_ != success) return finish_call(call, failure_of_gpu(), asked.name);
    if (!spend_copy(call, asked.bytes)) return;
    if (const std::string* const variable = loaded_.session.variable_at(loaded_.memory.buffer(to.buffer).address))
        symbols_set_.insert(*variable);
    const int value = call.value<int>(1);
    if (value < -128 || value > 255) {
        Mistake mistake{MistakeKind::set_value, call.line(), 0, asked.name, ""};
        mistake.offset = value;
        mistakes_.add(std::move(mistake));
    }
    loaded_.memory.fill(to.buffer, asked.to, asked.bytes, value);
    time_.add(asked.stream, copy_seconds(asked.bytes / 2, CopyPath::on_device));
    if (!to.on_device()) hold(call, to.buffer, asked.stream, true);
    finish_call(call, success, asked.name);
}

}  // namespace warpgrade::host
