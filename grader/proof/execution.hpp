// One thread of a function, run with unknowns in place of numbers: every access, barrier and launch that it can reach,
// with the condition that leads there.
//
// Theory of operation. A register holds a polynomial that equals the register's value modulo 2^width: additions and
// products of machine words are exact there, whatever wraps. Where an instruction looks at the value itself (a
// comparison, a widening, a quotient), the polynomial must lie in the range of its type: that becomes an obligation
// (Fit), and what follows is of threads that keep it. If all Fits hold of every thread, the first one that is broken
// does not exist, and so no later step rests on one that is. Where both ways of a branch are possible, the state is
// forked; states that meet at the same instruction after the same number of barriers are merged if they hold the same
// numbers. What is loaded is Data: it may be stored or computed with, and nothing else may depend on it.
// What is not known here, an instruction or an idiom, is Unsupported: never passed over.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "proof/context.hpp"
#include "ptx/module.hpp"

namespace warpgrade::proof {

struct Pointer {
    int buffer = -1;  // index among the launcher's buffers; or of a shared variable, where it is in shared memory
    bool is_shared = false;
    Polynomial offset;  // bytes
    bool operator==(const Pointer&) const = default;
};
// What was loaded, and sums and products of it: a polynomial over events, each of which stands for what it has loaded
// where it happens, and for 0 where it does not. Whole: modulo 2^32; real: without rounding.
struct Data {
    enum class Arithmetic : std::uint8_t { none, whole, real };
    bool is_known = false;
    Polynomial terms{};
    Arithmetic arithmetic = Arithmetic::none;  // bit by bit what was loaded
    int part = 0, parts = 1;                   // of a vector that was loaded: which of how many registers
    bool operator==(const Data&) const = default;
    int event() const;  // that it is, bit by bit, where that happens; -1: it is not one event
};
// a | b, of which only the sign may be asked; or, with its lower bits off, only whether it is 0.
struct SignOfEither {
    std::vector<Polynomial> values;
    Integer low = 0;  // 2^k of those bits; 0: none are off
    bool operator==(const SignOfEither&) const = default;
};
// A kernel, by its mangled name; or the launch's buffer of arguments.
struct KernelName {
    std::string name;
    bool operator==(const KernelName&) const = default;
};
struct ArgumentBuffer {
    bool operator==(const ArgumentBuffer&) const = default;
};
using Value = std::variant<std::monostate, Polynomial, Condition, Pointer, Data, SignOfEither, KernelName,
                           ArgumentBuffer>;  // monostate: not set

struct Event {
    bool is_store = false;
    Pointer at;
    int width_bytes = 0;
    Path path;
    int barriers = 0;  // that the thread has passed
    int line = 0;
    Data stored;
};
struct BarrierReached {
    Path path;
    int line = 0;
    bool is_of_warp = false;  // a shuffle: of all lanes
};
struct Fit {
    Polynomial value;
    Integer low = 0, high = 0;
    Path path;
    int line = 0;
};
struct Argument {
    Value value;
    int bytes = 0;
    bool operator==(const Argument&) const = default;
};
struct SymbolicLaunch {
    std::string kernel;
    std::array<Polynomial, 3> grid, block;
    Polynomial dynamic_shared_bytes;
    std::map<std::int64_t, Argument> arguments;  // by offset
    Path path;                                   // of the launcher, to it
    int line = 0;
    bool operator==(const SymbolicLaunch&) const = default;
};
// One end of a launcher: the way that led there, and what it launched.
struct Way {
    Path path;
    std::vector<SymbolicLaunch> launches;
    int line = 0;
    std::map<std::pair<std::string, std::int64_t>, Value> passed{};  // by name and offset: results
};
struct SharedArray {
    std::string name;
    std::uint64_t bytes = 0;  // 0: as many as the launch asks for, whatever an extern array says
    std::uint64_t align_bytes = 1;
};
struct Executed {
    std::vector<Event> events;
    std::vector<BarrierReached> barriers;
    std::vector<Fit> fits;
    std::vector<Way> ways;  // of a launcher
    std::vector<SharedArray> shared;
};

// `parameters`: by their names. `source_file`: lines are of it. Throws Unsupported, and SplitWanted.
Executed execute(Context& context, const ptx::Module& module, const ptx::Function& function,
                 const std::map<std::string, Value>& parameters, std::string_view source_file);

}  // namespace warpgrade::proof
