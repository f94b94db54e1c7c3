// The C library: printing, exit, malloc, numbers.
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

#include "host/runtime.hpp"

namespace warpgrade::host {

namespace {

constexpr std::uint64_t most_text = std::uint64_t{1} << 20;
constexpr int code_of_abort = 134;  // as a shell shows SIGABRT

}  // namespace

void Runtime::put(Call& call, Outside::Stream stream, std::string_view text) {
    budget_.spend(vgpu::price::printed_line / 4 + text.size() / vgpu::price::copied_bytes);
    if (console_.write(stream, text)) return;
    Mistake mistake{MistakeKind::timeout, call.line(), 0, "", ""};
    mistake.reason = MistakeReason::prints;
    mistake.limit = limits_.output_bytes;
    mistakes_.add(std::move(mistake));
    stop(call, 1);
}

void Runtime::stop(Call& call, int code) {
    call.reply.stop = true;
    if (!has_exited) run.exit_code = code;
    has_exited = true;
}

void Runtime::print(Call& call) {
    const std::string text =
        vgpu::printed(call.reader(), call.text(call.address(0)), call.address(1), most_text, most_text);
    put(call, Outside::Stream::output, text);
    call.give(static_cast<int>(text.size()));
}

// A FILE* of none of the three streams, which are 1 to 3: on a real machine the null of an fopen that failed.
bool Runtime::is_file(Call& call) {
    const auto file = call.address(0);
    if (file >= 1 && file <= 3) return true;
    Mistake mistake{MistakeKind::host_out_of_bounds, call.line(), 0, "", ""};
    mistake.bytes = file;
    mistakes_.add(std::move(mistake));
    stop(call, code_of_segmentation_fault);
    return false;
}

void Runtime::no_file(Call& call) {
    Mistake mistake{MistakeKind::no_file, call.line(), 0, "", ""};
    mistake.detail = call.text(call.address(0), 256);
    mistakes_.add(std::move(mistake));
}

void Runtime::unread(Call&) { console_.back(); }

void Runtime::print_to(Call& call) {
    if (!is_file(call)) return;
    const std::string text =
        vgpu::printed(call.reader(), call.text(call.address(1)), call.address(2), most_text, most_text);
    put(call, call.value<std::int64_t>(0) == 2 ? Outside::Stream::errors : Outside::Stream::output, text);
    call.give(static_cast<int>(text.size()));
}

void Runtime::print_into(Call& call) {
    const std::string text =
        vgpu::printed(call.reader(), call.text(call.address(2)), call.address(3), most_text, most_text);
    if (const auto most = call.value<std::uint64_t>(1); most > 0) {
        const std::string kept = text.substr(0, static_cast<std::size_t>(most - 1));
        call.store(call.address(0), std::as_bytes(std::span(kept.c_str(), kept.size() + 1)));
    }
    call.give(static_cast<int>(text.size()));
}

void Runtime::write(Call& call) {
    if (!is_file(call)) return;
    const auto bytes = call.bytes(call.address(1), call.value<std::uint64_t>(2));
    put(call, call.value<std::int64_t>(0) == 2 ? Outside::Stream::errors : Outside::Stream::output,
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    call.give(static_cast<int>(bytes.size()));
}

void Runtime::read(Call& call) {
    std::string text;
    const std::uint64_t most = std::min(call.value<std::uint64_t>(1), most_text);
    const bool is_line = call.value<int>(2) != 0;
    for (int c = 0; text.size() < most && c != '\n';) {
        c = console_.next();
        if (c < 0) break;
        text += static_cast<char>(c);
        if (!is_line && text.size() == most) break;
    }
    call.store(call.address(0), std::as_bytes(std::span(text)));
    call.give(static_cast<int>(text.size()));
}

void Runtime::fail_assertion(Call& call) {
    std::string name = program_.arguments.front();
    name.erase(0, name.rfind('/') + 1);
    const std::string what = call.text(call.address(0)), function = call.text(call.address(3));
    const ProgramText::Piece place = program_.text.place_of(call.value<int>(2));
    put(call, Outside::Stream::errors,
        fmt::format("{}: {}:{}: {}: Assertion `{}' failed.\n", name, place.path, place.line, function, what));
    stop(call, code_of_abort);
}

void Runtime::exit_program(Call& call) {
    has_returned = !has_exited;
    exit_quickly(call);
}

void Runtime::exit_quickly(Call& call) { stop(call, call.value<int>(0) & 0xff); }

void Runtime::abort_program(Call& call) { stop(call, code_of_abort); }

void Runtime::throw_exception(Call& call) {
    Mistake mistake{MistakeKind::exception, call.line(), 0, "", ""};
    if (call.address(0) != 0) mistake.detail = call.text(call.address(0), 1024);
    mistakes_.add(std::move(mistake));
    stop(call, code_of_abort);
}

void Runtime::host_allocate(Call& call) {
    const auto bytes = call.address(0);
    const NamedMemory named = named_at(program_.text.text, call.line(), allocations_of_line_[call.line()]++);
    const std::uint64_t address = heap_.allocate(bytes, call.line(), named);
    budget_.spend(address == 0 ? 2 : 2 + bytes / vgpu::price::fresh_bytes / 8);
    call.give(address);
}

// `free` of what `new` gave, `delete` of an array.
void Runtime::note_other_free(Call& call, std::uint64_t address) {
    const int buffer = heap_.size_of(address) ? loaded_.memory.find(address) : -1;
    const Heap::Place* const place = heap_.place_of(buffer);
    const std::string word(freeing_word(program_.text.text, call.line()));
    if (place == nullptr || place->freed_by.empty() || word.empty() || word == place->freed_by) return;
    Mistake mistake{MistakeKind::free_invalid, call.line(), place->line, word, loaded_.memory.buffer(buffer).spec.name};
    mistake.detail = place->freed_by;
    mistakes_.add(std::move(mistake));
}

void Runtime::host_free(Call& call) {
    const std::uint64_t address = call.address(0);
    if (address == 0) return;
    Mistake mistake{MistakeKind::free_invalid, call.line(), 0, "free", ""};
    note_other_free(call, address);
    switch (heap_.release(address, call.line())) {
        case Heap::Freed::block: return;
        case Heap::Freed::buffer: call.reply.has_released = true; return;
        case Heap::Freed::twice: mistake.kind = MistakeKind::double_free; break;
        case Heap::Freed::unknown: break;
    }
    const int buffer = loaded_.memory.find_nearest(address);
    if (const Heap::Place* const place = heap_.place_of(buffer)) {
        mistake.other_line = place->freed_line;
        mistake.object = loaded_.memory.buffer(buffer).spec.name;
    } else if (const auto found = allocations_.find(buffer); found != allocations_.end()) {
        mistake.other_line = found->second.line;
        mistake.object = loaded_.memory.buffer(buffer).spec.name;
        mistake.detail = found->second.kind == MemoryKind::pinned ? "cudaFreeHost" : "cudaFree";
    }
    mistakes_.add(std::move(mistake));
    stop(call, code_of_abort);  // as the C library does
}

void Runtime::host_reallocate(Call& call) {
    const std::uint64_t from = call.address(0), bytes = call.address(1);
    const std::uint64_t to = heap_.allocate(bytes, call.line(), {});
    const auto size = heap_.size_of(from);
    if (to != 0 && size) {
        const auto source = call.bytes(from, std::min(*size, bytes));
        const auto target = call.bytes(to, source.size());
        std::copy(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(target.size()), target.begin());
        call.reply.has_released = heap_.release(from, call.line()) == Heap::Freed::buffer;
    }
    budget_.spend(to == 0 ? 2 : 2 + bytes / vgpu::price::copied_bytes);
    call.give(to);
}

// The additive feedback generator of the C library on Linux (r[i] = r[i - 3] + r[i - 31], glibc's random_r.c as
// documented in its manual as TYPE_3), so that rand() gives what it gives there.
void Runtime::seed_random(Call& call) {
    constexpr std::size_t degree = 31, first_out = 344;
    const unsigned seed = call.value<unsigned>(0) == 0 ? 1 : call.value<unsigned>(0);
    std::vector<std::int64_t> start(degree);
    start[0] = static_cast<std::int32_t>(seed);
    for (std::size_t i = 1; i < degree; ++i) {
        start[i] = 16807 * start[i - 1] % 2147483647;
        if (start[i] < 0) start[i] += 2147483647;
    }
    random_.assign(first_out, 0);
    for (std::size_t i = 0; i < degree; ++i) random_[i] = static_cast<std::uint32_t>(start[i]);
    for (std::size_t i = degree; i < degree + 3; ++i) random_[i] = random_[i - degree];
    for (std::size_t i = degree + 3; i < first_out; ++i) random_[i] = random_[i - degree] + random_[i - 3];
    random_.erase(random_.begin(), random_.end() - static_cast<std::ptrdiff_t>(degree));
    random_at_ = 0;
}

void Runtime::random_number(Call& call) {
    if (random_.empty()) {
        const vgpu::Session::HostCall first{"", {{std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0}}}, 0, nullptr};
        Call seed(first, loaded_.memory);
        seed_random(seed);
    }
    // random_[random_at_] is the oldest of the last 31.
    const std::size_t n = random_.size();
    const std::uint32_t next = random_[random_at_] + random_[(random_at_ + n - 3) % n];
    random_[random_at_] = next;
    random_at_ = (random_at_ + 1) % n;
    call.give(static_cast<int>(next >> 1));
}

// A C string of the program's; where there is none the program ends, as on a real machine.
bool Runtime::is_text(Call& call, std::uint64_t address) {
    if (!call.bytes(address, 1).empty()) return true;
    Mistake mistake{MistakeKind::host_out_of_bounds, call.line(), 0, "", ""};
    mistake.bytes = address;
    mistakes_.add(std::move(mistake));
    stop(call, code_of_segmentation_fault);
    return false;
}

void Runtime::text_to_real(Call& call) {
    if (!is_text(call, call.address(0))) return;
    const std::string text = call.text(call.address(0), 4096);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (call.address(1) != 0)
        call.store_value(call.address(1), call.address(0) + static_cast<std::uint64_t>(end - text.c_str()));
    call.give(value);
}

void Runtime::text_to_whole(Call& call) {
    if (!is_text(call, call.address(0))) return;
    const std::string text = call.text(call.address(0), 4096);
    const int base = call.value<int>(2);
    char* end = nullptr;
    const bool is_base = base == 0 || (base >= 2 && base <= 36);
    const long long value = !is_base                  ? 0
                            : call.value<int>(3) != 0 ? static_cast<long long>(std::strtoull(text.c_str(), &end, base))
                                                      : std::strtoll(text.c_str(), &end, base);
    if (call.address(1) != 0)
        call.store_value(call.address(1),
                         call.address(0) + static_cast<std::uint64_t>(end == nullptr ? 0 : end - text.c_str()));
    call.give(value);
}

// Of a local array, which is left where the compiler put it: what is there belongs to the program as well.
void Runtime::note_outside(Call& call) {
    constexpr int of_elements = 2;  // any number that stands for more than bytes
    Mistake mistake{MistakeKind::host_out_of_bounds, call.line(), call.value<int>(3), "",
                    call.text(call.address(2), 256)};
    mistake.is_store = call.value<int>(4) != 0;
    mistake.element_bytes = of_elements;
    mistake.offset = call.value<std::int64_t>(0) * of_elements;
    mistake.limit = call.value<std::uint64_t>(1) * of_elements;
    mistake.reason = MistakeReason::local;
    mistakes_.add(std::move(mistake));
}

void Runtime::now(Call& call) {
    run.asked_for_time = true;
    time_.pass(1e-7);
    call.give(static_cast<long long>(1e9 * time_.now()));
}

}  // namespace warpgrade::host
