// cudaMemcpy in every direction: what each side is, what does not fit, and the bytes.
#include <algorithm>

#include "base/code_text.hpp"
#include "base/text.hpp"
#include "course/source_text.hpp"
#include "host/runtime.hpp"

namespace warpgrade::host {

namespace {

enum CopyKind { host_to_host, host_to_device, device_to_host, device_to_device, by_addresses };
constexpr const char* kind_names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                      "cudaMemcpyDeviceToDevice"};

// `cudaMemcpy(d, h, sizeof(h), ...)`: the name in sizeof is also one that is copied.
bool has_size_of_argument(std::string_view text) {
    constexpr std::string_view size_of = "sizeof(";
    const std::size_t at = text.find(size_of);
    if (at == std::string_view::npos) return false;
    const std::size_t begin = at + size_of.size(), end = text.find(')', begin);
    const std::string_view name = trimmed(text.substr(begin, end - begin));
    return is_identifier(name) && column_of(text.substr(0, at), name) != 0;
}

}  // namespace

Runtime::Side Runtime::side_of(Call& call, std::uint64_t address) const {
    Side side;
    side.address = address;
    const vgpu::Memory& memory = loaded_.memory;
    side.buffer = memory.find(address);
    if (side.buffer < 0) {
        side.bytes = call.bytes(address, std::uint64_t{1} << 40);  // a variable on the stack
        side.room = side.bytes.size();
        if (!side.bytes.empty()) side.where = Side::Where::host;
        const int nearest = side.bytes.empty() ? memory.find_nearest(address) : -1;
        if (nearest >= 0 && memory.buffer(nearest).is_freed && memory.buffer(nearest).holds(address, 1)) {
            side.where = Side::Where::freed;
            side.buffer = nearest;
        }
        return side;
    }
    const vgpu::Buffer& buffer = memory.buffer(side.buffer);
    const std::uint64_t offset = address - buffer.address;
    side.bytes = loaded_.memory.bytes(side.buffer).subspan(offset);
    side.room = buffer.spec.bytes - offset;
    if (const auto block = heap_.size_of(address)) side.room = std::min(side.room, *block);
    const auto found = allocations_.find(side.buffer);
    if (found != allocations_.end()) {
        constexpr Side::Where by_kind[] = {Side::Where::device, Side::Where::pinned, Side::Where::managed};
        side.where = by_kind[static_cast<int>(found->second.kind)];
    } else if (loaded_.session.variable_at(buffer.address) != nullptr && call.bytes(address, 1).empty()) {
        side.where = Side::Where::device;  // a variable of the GPU
    } else {
        side.where = Side::Where::host;
    }
    return side;
}

bool Runtime::fits_direction(const Copy& copy, const Side& to, const Side& from) const {
    switch (copy.kind) {
        case host_to_host: return !to.on_device() && !from.on_device();
        case host_to_device: return !to.on_host() && !from.on_device();
        case device_to_host: return !to.on_device() && !from.on_host();
        case device_to_device: return !to.on_host() && !from.on_host();
        default: return true;
    }
}

// In CUDA the name of such a variable is, in host code, the address of a stand-in that no copy takes.
bool Runtime::names_variable(Call& call, const Copy& copy, const Side& side, bool is_target) {
    if (copy.is_of_symbol || side.buffer < 0 || !side.on_device()) return false;
    const std::string* const variable = loaded_.session.variable_at(loaded_.memory.buffer(side.buffer).address);
    if (variable == nullptr || addressed_.contains(*variable)) return false;
    Mistake mistake{MistakeKind::copy_variable, call.line(), 0, copy.name, vgpu::display_name(*variable)};
    mistake.is_target = is_target;
    mistakes_.add(std::move(mistake));
    return true;
}

int Runtime::refuse_copy(Call& call, const Copy& copy, const Side& side, bool is_target) {
    Mistake mistake{MistakeKind::copy_invalid, call.line(), 0, copy.name, ""};
    mistake.is_target = is_target;
    mistake.bytes = copy.bytes;
    mistake.limit = side.room;
    if (side.buffer >= 0) {
        const vgpu::Buffer& buffer = loaded_.memory.buffer(side.buffer);
        mistake.object = buffer.spec.name;
        mistake.element_bytes = buffer.spec.element_bytes;
        mistake.offset = static_cast<std::int64_t>(side.address - buffer.address);
        const auto allocation = allocations_.find(side.buffer);
        const Heap::Place* const place = heap_.place_of(side.buffer);
        if (side.where == Side::Where::freed) {
            mistake.kind = MistakeKind::copy_freed;
            mistake.other_line = allocation != allocations_.end() ? allocation->second.freed_line
                                 : place != nullptr               ? place->freed_line
                                                                  : 0;
        } else {
            mistake.kind = MistakeKind::copy_out_of_bounds;
            mistake.other_line = allocation != allocations_.end() ? allocation->second.line
                                 : place != nullptr               ? place->line
                                                                  : 0;
        }
        if (side.on_host() && std::string_view(copy.name) == "cudaMemset") mistake.kind = MistakeKind::copy_direction;
    } else if (side.where == Side::Where::host) {
        mistake.kind = MistakeKind::copy_out_of_bounds;
        if (std::string_view(copy.name) == "cudaMemset") mistake.kind = MistakeKind::copy_direction;
    }
    mistakes_.add(std::move(mistake));
    return invalid_value;
}

// A size that is right for nothing else.
void Runtime::look_at_size(Call& call, const Copy& copy, const Side& to, const Side& from) {
    constexpr std::uint64_t pointer_bytes = 8;
    if (copy.bytes == 0 || to.buffer < 0) return;
    const int element = loaded_.memory.buffer(to.buffer).spec.element_bytes;
    Mistake mistake{MistakeKind::copy_short, call.line(), 0, copy.name, loaded_.memory.buffer(to.buffer).spec.name};
    mistake.bytes = copy.bytes;
    mistake.limit = to.room;
    mistake.element_bytes = element;
    const auto is_all_of = [&](const Side& side) {
        return heap_.size_of(side.address) ||
               (side.buffer >= 0 && loaded_.memory.buffer(side.buffer).spec.bytes == side.room);
    };
    // A part of the arrays may be as long as that by chance, in a copy of each part.
    const std::string_view line = text_of_line(program_.text.text, call.line()), text = line.substr(0, line.find("//"));
    const bool is_whole = from.room == to.room && is_all_of(from) && is_all_of(to);
    if (is_whole && element > 1 && copy.bytes * static_cast<std::uint64_t>(element) == to.room &&
        text.find("sizeof") == std::string_view::npos) {
        mistakes_.add(std::move(mistake));
    } else if (copy.bytes == pointer_bytes && to.room > 4 * pointer_bytes && from.room > 4 * pointer_bytes &&
               has_size_of_argument(text)) {
        mistake.kind = MistakeKind::copy_pointer_size;
        mistakes_.add(std::move(mistake));
    }
}

bool Runtime::spend_copy(Call& call, std::uint64_t bytes) {
    budget_.spend(bytes / vgpu::price::copied_bytes + vgpu::price::host_call);
    if (!budget_.is_spent()) return true;
    Mistake mistake{MistakeKind::timeout, call.line(), 0, "", ""};
    mistake.reason = MistakeReason::bytes;
    mistakes_.add(std::move(mistake));
    stop(call, 1);
    return false;
}

void Runtime::move_bytes(Call& call, const Copy& copy, const Side& to, const Side& from) {
    vgpu::Memory& memory = loaded_.memory;
    const auto offset_of = [&](const Side& side) { return side.address - memory.buffer(side.buffer).address; };
    constexpr std::uint64_t most_looked_at = std::uint64_t{64} << 20;
    const bool is_whole =
        from.buffer < 0 || copy.bytes > most_looked_at || memory.is_written(from.buffer, offset_of(from), copy.bytes);
    std::vector<bool> written;
    if (!is_whole) {
        written.resize(copy.bytes);
        for (std::uint64_t i = 0; i < copy.bytes; ++i)
            written[i] = memory.is_written(from.buffer, offset_of(from) + i, 1);
        if (!to.on_device()) note_unwritten(call, copy, from, std::count(written.begin(), written.end(), false));
    }
    const bool has_shadow = to.buffer >= 0 && memory.buffer(to.buffer).shadow != nullptr;
    const auto put = [&](std::uint64_t first, std::uint64_t bytes) {
        if (has_shadow) memory.fill(to.buffer, copy.to + first, bytes, 0);
    };
    if (has_shadow && from.buffer == to.buffer) {  // they may overlap, and fill() stores
        const std::vector<std::byte> kept(from.bytes.begin(),
                                          from.bytes.begin() + static_cast<std::ptrdiff_t>(copy.bytes));
        put(0, copy.bytes);
        std::copy(kept.begin(), kept.end(), to.bytes.begin());
        return;
    }
    if (is_whole) put(0, copy.bytes);
    for (std::uint64_t i = 0; i < written.size(); ++i)
        if (written[i]) put(i, 1);
    std::memmove(to.bytes.data(), from.bytes.data(), copy.bytes);
}

void Runtime::note_unwritten(Call& call, const Copy& copy, const Side& from, std::ptrdiff_t bytes) {
    if (gpu_error_ != success) return;  // what was to be stored there is missing because of it
    Mistake mistake{MistakeKind::copy_unwritten, call.line(), 0, copy.name,
                    loaded_.memory.buffer(from.buffer).spec.name};
    mistake.bytes = static_cast<std::uint64_t>(bytes);
    mistake.limit = copy.bytes;
    mistake.element_bytes = loaded_.memory.buffer(from.buffer).spec.element_bytes;
    if (const auto found = allocations_.find(from.buffer); found != allocations_.end())
        mistake.other_line = found->second.line;
    mistakes_.add(std::move(mistake));
}

void Runtime::wait_after_copy(Call& call, const Copy& copy, const Side& to, const Side& from) {
    const bool crosses =
        to.on_host() || from.on_host() || to.where == Side::Where::pinned || from.where == Side::Where::pinned;
    const CopyPath path = !crosses                         ? CopyPath::on_device
                          : to.on_host() && from.on_host() ? CopyPath::on_host
                          : to.on_host() || from.on_host() ? CopyPath::pageable
                                                           : CopyPath::pinned;
    ++copies_;
    const bool is_to_gpu = crosses && to.on_device(), is_to_host = crosses && from.on_device();
    if (is_to_gpu) run.numbers.bytes_to_gpu += static_cast<double>(copy.bytes);
    if (is_to_host) run.numbers.bytes_to_host += static_cast<double>(copy.bytes);
    time_.add(copy.stream, copy_seconds(copy.bytes, path),
              is_to_gpu    ? Timeline::Engine::copies_to_gpu
              : is_to_host ? Timeline::Engine::copies_to_host
                           : Timeline::Engine::kernels);
    if (!copy.is_async) {
        settle(copy.stream);
    } else if (to.on_host() || from.on_host()) {
        time_.wait_for(copy.stream);  // through a buffer of CUDA's own: the copy is done when the call returns
    } else {
        ++run.numbers.async_copies;
        if (to.where == Side::Where::pinned || to.where == Side::Where::managed)
            hold(call, to.buffer, copy.stream, true);
        if (from.where == Side::Where::pinned) hold(call, from.buffer, copy.stream, false);
    }
}

int Runtime::copy(Call& call, const Copy& copy) {
    if (!is_stream(call, copy.stream, copy.name)) return invalid_resource_handle;
    if (!copy.is_async) settle(copy.stream);
    if (copy.bytes == 0) return success;
    const Side to = side_of(call, copy.to), from = side_of(call, copy.from);
    for (const bool is_target : {true, false}) {
        const Side& side = is_target ? to : from;
        if (side.where == Side::Where::nowhere || side.where == Side::Where::freed)
            return refuse_copy(call, copy, side, is_target);
        if (names_variable(call, copy, side, is_target)) return invalid_value;
    }
    if (copy.kind < host_to_host || copy.kind > by_addresses) return invalid_memcpy_direction;
    if (!fits_direction(copy, to, from)) {
        Mistake mistake{MistakeKind::copy_direction, call.line(), 0, copy.name, ""};
        const int right = (to.on_device() ? 1 : 0) + (from.on_device() ? 2 : 0);
        mistake.detail = kind_names[right];
        mistake.is_exchanged = (right == host_to_device || right == device_to_host) &&
                               copy.kind == host_to_device + device_to_host - right;
        if (to.buffer >= 0) mistake.object = loaded_.memory.buffer(to.buffer).spec.name;
        mistakes_.add(std::move(mistake));
        return invalid_value;
    }
    for (const bool is_target : {true, false}) {
        const Side& side = is_target ? to : from;
        if (copy.bytes > side.room) return refuse_copy(call, copy, side, is_target);
    }
    if (gpu_error_ != success) return failure_of_gpu();  // nothing runs behind a launch that failed
    look_at_size(call, copy, to, from);
    if (!spend_copy(call, copy.bytes)) return success;
    move_bytes(call, copy, to, from);
    wait_after_copy(call, copy, to, from);
    return success;
}

void Runtime::copy(Call& call) {
    const bool is_async = call.value<int>(5) != 0;
    const Copy asked{call.address(0),
                     call.address(1),
                     call.value<std::uint64_t>(2),
                     call.value<int>(3),
                     call.address(4),
                     is_async,
                     is_async ? "cudaMemcpyAsync" : "cudaMemcpy"};
    finish_call(call, copy(call, asked), asked.name);
}

void Runtime::copy_2d(Call& call) {
    const bool is_async = call.value<int>(8) != 0;
    const char* const name = is_async ? "cudaMemcpy2DAsync" : "cudaMemcpy2D";
    const auto to_pitch = call.value<std::uint64_t>(1), from_pitch = call.value<std::uint64_t>(3);
    const auto width = call.value<std::uint64_t>(4), height = call.value<std::uint64_t>(5);
    int error = width > to_pitch || width > from_pitch ? invalid_value : success;
    if (width == 0) return finish_call(call, error, name);
    for (std::uint64_t row = 0; row < height && error == success && !call.reply.stop; ++row)
        error = copy(call, {call.address(0) + row * to_pitch, call.address(2) + row * from_pitch, width,
                            call.value<int>(6), call.address(7), is_async, name});
    finish_call(call, error, name);
}

void Runtime::copy_symbol(Call& call) {
    const bool is_to_symbol = call.value<int>(7) != 0;
    const char* const name = is_to_symbol ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
    const std::uint64_t symbol = call.address(0);
    const std::string* const variable = loaded_.session.variable_at(symbol);
    const int buffer = loaded_.memory.find(symbol);
    if (variable == nullptr || buffer < 0) return finish_call(call, invalid_symbol, name);
    const vgpu::Buffer& memory = loaded_.memory.buffer(buffer);
    const auto bytes = call.value<std::uint64_t>(2), offset = call.value<std::uint64_t>(3);
    Side inside{Side::Where::device, symbol, memory.spec.bytes, buffer, {}};
    Copy asked{is_to_symbol ? symbol : call.address(1),
               is_to_symbol ? call.address(1) : symbol,
               bytes,
               call.value<int>(4),
               call.address(5),
               call.value<int>(6) != 0,
               name,
               true};
    if (!vgpu::inside(offset, bytes, 0, memory.spec.bytes)) {
        inside.room = memory.spec.bytes - std::min(offset, memory.spec.bytes);
        return finish_call(call, refuse_copy(call, asked, inside, is_to_symbol), name);
    }
    (is_to_symbol ? asked.to : asked.from) += offset;
    if (is_to_symbol) symbols_set_.insert(*variable);
    // A variable that only the host names lies on its side here, and on the GPU in CUDA.
    const Side other = side_of(call, call.address(1));
    if (asked.kind == (is_to_symbol ? host_to_device : device_to_host) && !other.on_device()) asked.kind = by_addresses;
    finish_call(call, copy(call, asked), name);
}

}  // namespace warpgrade::host
