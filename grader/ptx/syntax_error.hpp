// The words of a parse error.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.hpp"
#include "ptx/cursor.hpp"

namespace warpgrade::ptx {

// Who wrote what cannot be read. The learner is to blame for an asm() of the submission and for what follows one,
// otherwise the kit is, since the rest was written by the compiler.
enum class Writer { compiler, compiler_behind_asm, inline_asm };
template <class TokenOrInstruction>
Writer writer_of(const TokenOrInstruction& at) {
    if (at.in_inline_asm) return Writer::inline_asm;
    return at.behind_inline_asm ? Writer::compiler_behind_asm : Writer::compiler;
}

// A mark of line 0 is left out.
Diagnostic unreadable(Writer writer, const std::string& problem, SourceMark mark, std::string fact);
Diagnostic syntax_error(const Failure& failure, std::string_view text);

}  // namespace warpgrade::ptx
