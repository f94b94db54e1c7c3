// What operands each instruction takes: how many, of which kinds and widths. Lowering asks before it looks at any of
// them, since inline assembly may hold anything; behind this check it may rely on what a form says.
//
// Theory of operation. A form is written as the signatures of the opcode table are (ops/table.hpp): results, `=`,
// sources, with commas between. An instruction that is a row of that table has its row's signature; the others (memory,
// branches, warps, barriers) have a row in operand_forms.cpp. Forms of several lengths stand side by side with `/`
// between. An item is
//   a PTX type   a register of exactly its width; as a source also a constant
//   p            a predicate; as a source it may be negated
//   T            of the instruction's own type, its last one
//   V            as T, but in a wider register too, and as many in { } as .v2 or .v4 say: ld and st
//   wide         a register of 32 or 64 bits, or a constant: a generic address
//   addr         [...]
//   imm          a whole number
//   label        a place of the function; `table`: the name of a .branchtargets
//   any          whatever stands there: the instruction does nothing here
// and behind the first result `_` (it may be left out), `|p` (a predicate may stand beside it) or `&p` (it has to).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ptx/module.hpp"

namespace warpgrade::vgpu {

// The form of an instruction that is no row of the opcode table; nothing if it is unknown.
std::optional<std::string_view> form_of(const ptx::Instruction& instruction);

// What does not fit, as a sentence without its full stop; empty if all does.
std::string operand_problem(const ptx::Function& function, const ptx::Instruction& instruction, std::string_view form);
// The same for mov, whose operands may be packed.
std::string move_problem(const ptx::Function& function, const ptx::Instruction& instruction);

// Words of the submission as a message quotes them: printable, and no longer than a line.
std::string shown(std::string_view text);

// What no version of PTX has of an opcode with these types and words (modifier_grammar.cpp), as a sentence; empty if it
// has, or the opcode is not among those that are looked at.
std::string spelling_problem(const ptx::Instruction& instruction);

// The first word of it that PTX does not have, as a sentence; empty if PTX has them all.
std::string unknown_word(const ptx::Instruction& instruction);
bool is_special_register(std::string_view name);  // of PTX, whether the virtual GPU has it or not

}  // namespace warpgrade::vgpu
