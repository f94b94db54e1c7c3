// One instruction: guard, dotted words, operands, `;` (PTX manual, "Instruction Operands").
#pragma once

#include "ptx/cursor.hpp"
#include "ptx/module.hpp"
#include "ptx/scope.hpp"

namespace warpgrade::ptx {

// Appends the instruction at the cursor to the body. `location` indexes Function::locations, or is -1.
void parse_instruction(Cursor& cursor, Scopes& scopes, Function& function, int location);

}  // namespace warpgrade::ptx
