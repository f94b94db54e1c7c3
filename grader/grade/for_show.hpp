// Operations that a technique rule asks for and that the output does not need: a shuffle whose result nobody uses, an
// addition to shared memory that nobody reads.
//
// Theory of operation. What an operation is of use for is not to be seen from its count. So it is taken out of the
// kernels, and they run again: where the output is right all the same, nothing depends on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "course/assignment.hpp"
#include "ptx/module.hpp"

namespace warpgrade {

enum class Operation : std::uint8_t {
    shuffle,       // each lane is left with its own value
    shared_store,  // shared memory holds zeros: nothing else is stored or added to it
    shared_atomic  // they do nothing, and what they return is 0
};
// In a message: "shuffles".
std::string_view plural_of(Operation operation);

// Of a rule that holds from so many of them on.
std::optional<Operation> operation_asked_for(const TechniqueRule& rule);

// Takes it out of the kernels of a module and of what they call. False: some that may be of its kind are left (through
// a generic address, or by an asynchronous copy), so what follows from the module tells nothing.
bool leave_out(ptx::Module& module, Operation operation);

}  // namespace warpgrade
