// Sentences for mistakes of host code.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "explain/wording.hpp"
#include "host/mistake.hpp"
#include "host/source_names.hpp"

namespace warpgrade::host {

namespace {

struct KindRow {
    MistakeKind kind;
    const char* name;
    bool is_error;
};
constexpr KindRow kinds[] = {
    {MistakeKind::host_pointer, "host_pointer", true},
    {MistakeKind::host_dereference, "host_dereference", true},
    {MistakeKind::host_out_of_bounds, "host_out_of_bounds", true},
    {MistakeKind::copy_direction, "copy_direction", true},
    {MistakeKind::copy_out_of_bounds, "copy_out_of_bounds", true},
    {MistakeKind::copy_freed, "copy_freed", true},
    {MistakeKind::copy_invalid, "copy_invalid", true},
    {MistakeKind::copy_short, "copy_short", true},
    {MistakeKind::copy_pointer_size, "copy_pointer_size", true},
    {MistakeKind::copy_variable, "copy_variable", true},
    {MistakeKind::copy_unwritten, "copy_unwritten", false},
    {MistakeKind::double_free, "double_free", true},
    {MistakeKind::free_invalid, "free_invalid", true},
    {MistakeKind::leak, "leak", false},
    {MistakeKind::unchecked_error, "unchecked_error", true},
    {MistakeKind::unsynchronized_access, "unsynchronized_access", true},
    {MistakeKind::lost_output, "lost_output", false},
    {MistakeKind::event_not_recorded, "event_not_recorded", true},
    {MistakeKind::event_not_ready, "event_not_ready", true},
    {MistakeKind::invalid_handle, "invalid_handle", true},
    {MistakeKind::set_value, "set_value", false},
    {MistakeKind::symbol_not_set, "symbol_not_set", false},
    {MistakeKind::timeout, "timeout", true},
    {MistakeKind::exception, "exception", true},
    {MistakeKind::memory_limit, "memory_limit", false},
    {MistakeKind::no_file, "no_file", false},
};
const KindRow& row_of(MistakeKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

std::string quoted(const std::string& name, const char* otherwise) {
    return name.empty() ? otherwise : "`" + name + "`";
}
const char* store_or_read(const Mistake& m) { return m.is_store ? "stores to" : "reads"; }

std::string bytes_text(std::uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }
std::string size_text(const Mistake& m) {
    const auto element = static_cast<std::uint64_t>(m.element_bytes);
    if (element <= 1 || m.limit % element != 0) return bytes_text(m.limit);
    return fmt::format("{} elements of {} = {}", m.limit / element, bytes_text(element), bytes_text(m.limit));
}

struct Words {
    std::string title, help;
    std::string fact;   // "" = none
    std::string other;  // label of the second place
};

Words words_of_copy(const Mistake& m) {
    const char* const side = m.is_target ? "destination" : "source";
    switch (m.kind) {
        case MistakeKind::copy_direction:
            if (m.call == "cudaMemset")
                return {"cudaMemset gets a pointer to host memory", "use memset for host memory", "", ""};
            if (m.is_exchanged)
                return {fmt::format("the pointers and the direction of {} do not fit", m.call),
                        fmt::format("which way is the copy to go? the destination comes first: exchange the pointers, "
                                    "or write `{}`",
                                    m.detail),
                        "what the pointers point to needs " + m.detail, ""};
            return {fmt::format("{} has the wrong direction", m.call), fmt::format("`{}`", m.detail),
                    "what the pointers point to needs " + m.detail, ""};
        case MistakeKind::copy_out_of_bounds:
            return {fmt::format("{} leaves {}", m.call, quoted(m.object, "the memory")),
                    "check the number of bytes: number of elements * sizeof(element)",
                    fmt::format("it asks for {}, and {} has {} from there", bytes_text(m.bytes),
                                quoted(m.object, "the memory"), bytes_text(m.limit)),
                    "allocated here"};
        case MistakeKind::copy_freed:
            return {fmt::format("{} uses {} after it was freed", m.call, quoted(m.object, "memory")),
                    "free the memory after its last use", "", "freed here"};
        case MistakeKind::copy_invalid:
            return {fmt::format("the {} of {} is not allocated memory", side, m.call),
                    "allocate the memory before the copy, and check the order of the arguments: destination first", "",
                    ""};
        case MistakeKind::copy_short:
            return {fmt::format("{} copies {} of {}", m.call, bytes_text(m.bytes), quoted(m.object, "the array")),
                    fmt::format("multiply the number of elements by sizeof(element), which is {}", m.element_bytes),
                    fmt::format("the size is the number of elements; both arrays have {}", size_text(m)), ""};
        case MistakeKind::copy_variable: {
            const char* const call = m.is_target ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
            return {fmt::format("{} gets the name of the GPU's variable {}", m.call, quoted(m.object, "")),
                    fmt::format("use {}", call),
                    "in host code that name is not an address of the GPU: the copy fails with cudaErrorInvalidValue",
                    ""};
        }
        case MistakeKind::copy_pointer_size:
            return {fmt::format("{} copies the size of a pointer, 8 bytes", m.call),
                    "give the size of the data: number of elements * sizeof(element)",
                    fmt::format("{} has {}", quoted(m.object, "the array"), size_text(m)), ""};
        default:
            return {fmt::format("{} copies {} that nothing has stored", m.call, bytes_text(m.bytes)),
                    "let a kernel, a copy or cudaMemset store all that is copied back",
                    fmt::format("{} of the {} copied from {} were never written", m.bytes, bytes_text(m.limit),
                                quoted(m.object, "the GPU")),
                    "allocated here"};
    }
}

Words words_of_bounds(const Mistake& m) {
    const std::string object = quoted(m.object, "memory");
    if (m.object.empty())
        return {fmt::format("host code {} address {:#x}, where nothing is allocated", store_or_read(m), m.bytes),
                "check that the pointer was set", "on a real machine this is a segmentation fault", ""};
    if (m.reason == MistakeReason::freed)
        return {fmt::format("host code {} {} after it was freed", store_or_read(m), object),
                "free the memory after its last use", "", "freed here"};
    const auto element = static_cast<std::int64_t>(std::max(m.element_bytes, 1));
    const bool is_before = m.offset < 0;
    const std::string fact = element > 1 && m.offset % element == 0
                                 ? fmt::format("{}[{}], but {} has {} elements", m.object, m.offset / element, m.object,
                                               m.limit / static_cast<std::uint64_t>(element))
                                 : fmt::format("byte {} of {}", m.offset, bytes_text(m.limit));
    return {fmt::format("host code {} past the {} of {}", m.is_store ? "stores" : "reads", is_before ? "start" : "end",
                        object),
            m.reason == MistakeReason::local ? "compare the index with the length of the array"
                                             : "compare the index with the size that was allocated",
            fact, m.reason == MistakeReason::local ? "declared here" : "allocated here"};
}

Words words_of_access(const Mistake& m) {
    const std::string object = quoted(m.object, "memory");
    switch (m.kind) {
        case MistakeKind::host_pointer:
            return {m.object.empty() ? fmt::format("the kernel `{}` {} memory of the host", m.detail, store_or_read(m))
                                     : fmt::format("the kernel `{}` {} {}, which is host memory", m.detail,
                                                   store_or_read(m), object),
                    "copy the data to memory of cudaMalloc and pass that pointer", "", "launched here"};
        case MistakeKind::unsynchronized_access:
            return {fmt::format("the host {} {} while the GPU may still {} it", store_or_read(m), object,
                                m.is_target ? "store to" : "read"),
                    "call cudaDeviceSynchronize() or cudaStreamSynchronize() before this line",
                    "launches and asynchronous copies return before they are done", "the GPU uses it from here on"};
        case MistakeKind::host_dereference:
            return {fmt::format("host code {} {}, which is in GPU memory", store_or_read(m), object),
                    m.reason == MistakeReason::variable ? "copy it with cudaMemcpyFromSymbol or cudaMemcpyToSymbol"
                                                        : "copy the data with cudaMemcpy, and use the copy",
                    m.reason == MistakeReason::variable
                        ? "on a real machine the host has another variable of that name, with a value of its own"
                        : "on a real machine this is a segmentation fault",
                    "allocated here"};
        default: return words_of_bounds(m);
    }
}

Words words_of_handle(const Mistake& m) {
    switch (m.kind) {
        case MistakeKind::event_not_recorded:
            if (m.reason == MistakeReason::timing)
                return {"an event of cudaEventElapsedTime was made without timing",
                        "create it without cudaEventDisableTiming", "", ""};
            return {fmt::format("the {} event of cudaEventElapsedTime was never recorded",
                                m.is_target ? "second" : "first"),
                    "call cudaEventRecord(event) before", "", ""};
        case MistakeKind::event_not_ready:
            return {"cudaEventElapsedTime is called before the second event is complete",
                    "call cudaEventSynchronize(stop) before this line", "", "recorded here"};
        default: {
            const bool is_event = m.reason == MistakeReason::event;
            const char* const handle = is_event ? "event" : "stream";
            return {fmt::format("{} gets {} {} that {}", m.call, is_event ? "an" : "a", handle,
                                m.is_store ? "was destroyed" : "was never created"),
                    m.is_store ? fmt::format("destroy the {} after its last use", handle)
                               : fmt::format("create the {} first", handle),
                    "", ""};
        }
    }
}

// Limits of `run`.
Words words_of_limit(const Mistake& m) {
    if (m.reason == MistakeReason::prints)
        return {"the program prints too much", "print less, or for a smaller size",
                fmt::format("only the first {} bytes are shown", m.limit), ""};
    if (m.reason == MistakeReason::bytes)
        return {"the program copies too much", "try a smaller size", "stopped at this line, after what came before it",
                ""};
    if (m.reason == MistakeReason::recursion)
        return {"the stack of host code is full", "check what ends the recursion, or use a loop",
                fmt::format("{} calls inside each other", m.limit), ""};
    return {"host code does not come to an end", "check what ends the loop around this line, or try a smaller size",
            fmt::format("stopped after the work of {} instructions", m.limit), ""};
}

Words words_of(const Mistake& m) {
    switch (m.kind) {
        case MistakeKind::host_pointer:
        case MistakeKind::host_dereference:
        case MistakeKind::host_out_of_bounds:
        case MistakeKind::unsynchronized_access: return words_of_access(m);
        case MistakeKind::timeout: return words_of_limit(m);
        case MistakeKind::exception:
            return {"the program throws an exception, and `run` ends it there", "handle the error without an exception",
                    m.detail.empty() ? "no handler is run" : "it says: " + m.detail, ""};
        case MistakeKind::memory_limit:
            return {fmt::format("{} fails here, and not on the GPU, which has the memory", m.call),
                    "try a smaller size",
                    fmt::format("it asks for {}; `run` has {} for a program", bytes_text(m.bytes), bytes_text(m.limit)),
                    ""};
        case MistakeKind::no_file:
            return {fmt::format("`run` opens no file: `{}` fails to open", m.detail),
                    "read standard input and print to standard output",
                    "a program has standard input, standard output and standard error here", ""};
        case MistakeKind::double_free:
            return {fmt::format("{} is freed twice", quoted(m.object, "memory")), "free it once", "",
                    "freed here before"};
        case MistakeKind::free_invalid:
            if (!m.detail.empty())
                return {fmt::format("{} gets {}, which {} must free", m.call, quoted(m.object, "memory"), m.detail),
                        fmt::format("`{}`", m.detail), "", "allocated here"};
            return {fmt::format("{} gets a pointer that no allocation returned", m.call),
                    "free the pointer that the allocation returned", "", ""};
        case MistakeKind::leak: {
            const std::string object = m.object.find(' ') == std::string::npos ? m.object : "...";
            const char* const form = m.call.starts_with("delete") ? "{} {}" : "{}({})";
            return {fmt::format("{} is not freed", quoted(m.object, "memory of the GPU")),
                    fmt::format("write `{}` before the end of main()", fmt::format(fmt::runtime(form), m.call, object)),
                    bytes_text(m.bytes), ""};
        }
        case MistakeKind::unchecked_error:
            return {m.call.empty() ? fmt::format("the launch fails with {}, and the program does not notice", m.detail)
                                   : fmt::format("{} fails with {}, and the program does not notice", m.call, m.detail),
                    m.call.empty()
                        ? "check cudaGetLastError() after the launch, and what cudaDeviceSynchronize() returns"
                        : "check what it returns",
                    "", ""};
        case MistakeKind::lost_output:
            return {"what the kernel printed may never be shown",
                    "call cudaDeviceSynchronize() before the end of main()",
                    "nothing waits for the GPU after this launch", ""};
        case MistakeKind::set_value:
            return {fmt::format("cudaMemset sets each byte, and {} does not fit into one", m.offset),
                    "set elements to other values than 0 or -1 in a kernel, or copy them",
                    fmt::format("each byte becomes {}", static_cast<int>(static_cast<unsigned char>(m.offset))), ""};
        case MistakeKind::symbol_not_set:
            return {fmt::format("`{}` is read by kernels before anything is copied to it", m.object),
                    fmt::format("call cudaMemcpyToSymbol({}, ...) before this launch", m.object), "", ""};
        case MistakeKind::event_not_recorded:
        case MistakeKind::event_not_ready:
        case MistakeKind::invalid_handle: return words_of_handle(m);
        default: return words_of_copy(m);
    }
}

struct WordAt {
    std::size_t at = std::string_view::npos, length = 1;
};

// The call; or the memory's name, as what is touched.
WordAt word_in(std::string_view line, const Mistake& m) {
    if (m.kind == MistakeKind::leak) {  // of several allocations in the line, this one
        const auto at = static_cast<std::size_t>(std::max(m.column, 1)) - 1;
        std::size_t end = at;
        while (end < line.size() && is_word(line[end])) ++end;
        return m.column > 0 && end > at ? WordAt{at, end - at} : WordAt{};
    }
    if (!m.call.empty()) return {line.find(m.call), m.call.size()};
    if (m.object.empty()) return {};
    if (const std::size_t at = line.find(m.object + "["); at != line.npos) return {at, m.object.size()};
    if (const std::size_t at = line.find("*" + m.object); at != line.npos) return {at, m.object.size() + 1};
    return {};
}

// Where the compiler gives the place of the function or of an `if` for what is behind it: the only access of the line
// that it can be.
std::optional<source::Range> access_of(const Mistake& m, const std::string& source) {
    const std::string_view line = line_of_source(source, m.line);
    std::size_t end = static_cast<std::size_t>(std::max(m.column, 1)) - 1;
    while (end < line.size() && is_word(line[end])) ++end;
    end = std::min(line.find_first_not_of(' ', end), line.size());
    if (m.column == 0 || end == line.size() || line[end] != '(') return std::nullopt;
    const source::Tree tree = source::parse(source);
    const source::Facts facts = source::facts_of(tree);
    std::optional<source::Range> found;
    for (const source::Access& access : facts.accesses_on(m.line)) {
        using enum source::AccessKind;
        const bool fits = access.kind == update || access.kind == atomic || (access.kind == store) == m.is_store;
        if (!fits || access.kind == address) continue;
        if (found) return std::nullopt;
        found = source::range_of(tree, access.node);
    }
    return found;
}

SourceMark first_mark(const Mistake& m, const std::string& path, const std::string& source) {
    SourceMark mark = mark_of_line(m.line, path, source, "");
    const WordAt word = word_in(line_of_source(source, m.line), m);
    if (word.at != std::string_view::npos) {
        mark.column = static_cast<int>(word.at) + 1;
        mark.length = static_cast<int>(word.length);
    } else if (m.column > 0 && m.kind != MistakeKind::leak) {
        const auto access = m.call.empty() ? access_of(m, source) : std::nullopt;
        mark.column = access ? access->column : m.column;
        mark.length = access && access->line == m.line ? static_cast<int>(access->length) : 1;
    }
    return mark;
}

}  // namespace

std::string to_string(MistakeKind kind) { return row_of(kind).name; }
bool is_error(MistakeKind kind) { return row_of(kind).is_error; }

Diagnostic describe(const Mistake& mistake, const std::string& path, const std::string& source) {
    const Words words = words_of(mistake);
    Diagnostic d;
    d.blame = Blame::learner;
    d.code = to_string(mistake.kind);
    d.object = mistake.object;
    d.severity = is_error(mistake.kind) ? Severity::error : Severity::warning;
    d.title = words.title;
    d.marks.push_back(first_mark(mistake, path, source));
    if (mistake.other_line > 0 && mistake.other_line != mistake.line)
        d.marks.push_back(mark_of_line(mistake.other_line, path, source, words.other));
    if (!words.fact.empty()) d.facts.push_back(words.fact);
    if (mistake.is_unnoticed) d.facts.push_back(unnoticed_text);
    if (mistake.occurrences > 1) d.facts.push_back(fmt::format("{} times", mistake.occurrences));
    d.help = words.help;
    return d;
}

}  // namespace warpgrade::host
