// A mistake of host code, as data.
#pragma once

#include <cstdint>
#include <string>

#include "base/diagnostic.hpp"
#include "source/facts.hpp"

namespace warpgrade::host {

enum class MistakeKind : std::uint8_t {
    host_pointer,           // a kernel touches memory of the host
    host_dereference,       // host code touches memory of the GPU
    host_out_of_bounds,     // host code leaves its own memory, or touches what was freed
    copy_direction,         // cudaMemcpyKind does not fit the two pointers
    copy_out_of_bounds,     // more bytes than one side has
    copy_freed,             // one side was freed
    copy_invalid,           // one side is no memory: not allocated yet
    copy_short,             // as many bytes as there are elements
    copy_pointer_size,      // as many bytes as a pointer has
    copy_variable,          // the name of a __device__ or __constant__ variable, in the place of an address
    copy_unwritten,         // to the host, what nothing has stored
    double_free,            // of the GPU's or the host's
    free_invalid,           // of what was never allocated, or by the function for the other side
    leak,                   // memory of the GPU at the end
    unchecked_error,        // an error that nothing has asked for
    unsynchronized_access,  // by the host, of what the GPU may still use
    lost_output,            // of a printf in a kernel, at the end
    event_not_recorded,
    event_not_ready,
    invalid_handle,  // of a stream or an event: destroyed, or never made
    set_value,       // of cudaMemset: more than a byte holds
    symbol_not_set,  // a __constant__ variable that kernels read
    timeout,         // of host code: `reason` says what is too much
    exception,       // a limit of `run`: `detail` is what it says
    memory_limit,    // a limit of `run`: the GPU has so much
    no_file          // a limit of `run`: `detail` is its name
};
std::string to_string(MistakeKind kind);
bool is_error(MistakeKind kind);  // else a warning

// What is known beyond the kind.
enum class MistakeReason : std::uint8_t {
    none,
    freed,      // host_out_of_bounds: the memory was
    local,      // host_out_of_bounds: of an array of a function
    variable,   // host_dereference: of the GPU, by its name
    timing,     // event_not_recorded: the event was made without
    event,      // invalid_handle: of an event; none: of a stream
    prints,     // timeout: more than `limit` bytes
    bytes,      // timeout: copied
    recursion,  // timeout: `limit` calls
};

struct Mistake {
    MistakeKind kind{};
    int line = 0;
    int other_line = 0;         // where the memory is from, where it was freed, launched ...; 0: there is none
    std::string call;           // "cudaMemcpy", "cudaFree"; "" of an access
    std::string object;         // the memory's name in the source, "" if it has none
    bool is_store = false;      // of an access
    bool is_target = false;     // of a copy: the side that is wrong; of unsynchronized_access: the GPU writes
    bool is_exchanged = false;  // of copy_direction: with the pointers exchanged it would be right
    std::uint64_t bytes = 0, limit = 0;
    std::int64_t offset = 0;  // in the memory
    int element_bytes = 1;
    // In words: copy_direction: the right kind; host_pointer: the kernel; unchecked_error: its name; free_invalid: what
    // must free it; exception, no_file: see MistakeKind
    std::string detail{};
    MistakeReason reason = MistakeReason::none;
    std::uint64_t occurrences = 1;
    int column = 0;             // 0: that of the call, or of the object, in the line
    bool is_unnoticed = false;  // the error that CUDA gives for it, which nothing has asked for
};

inline constexpr const char* unnoticed_text = "CUDA returns an error for it, which the program does not ask for";

// The words (mistake_words.cpp).
Diagnostic describe(const Mistake& mistake, const std::string& path, const std::string& source);

}  // namespace warpgrade::host
