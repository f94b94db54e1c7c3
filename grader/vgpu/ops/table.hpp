// The opcode table: PTX mnemonics and the handlers that execute them.
//
// One opcode is one row in ops/<chapter of the PTX manual>.cpp. A row gives the mnemonic with the modifiers that
// matter, the operand types ("s32=s32,s32": destinations, '=', sources; "p" = predicate), and the handlers. Modifiers
// that change nothing here (rn, uni, approx ...) are dropped by lowering before look-up; anything else that is not in
// the table is "not supported".
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vgpu/exec.hpp"

namespace warpgrade::vgpu {

struct OpEntry {
    std::string key;        // "add.s32"
    std::string signature;  // "s32=s32,s32"
    Handler full = nullptr;
    Handler masked = nullptr;
};

class OpTable {
public:
    // Plain pointers, so that the files compiled for one instruction set emit no shared template code.
    void add(const char* key, const char* signature, Handler full, Handler masked);
    const OpEntry* find(std::string_view key) const;
    // All rows, sorted by key.
    std::vector<const OpEntry*> rows() const;

private:
    std::unordered_map<std::string, OpEntry> entries_;
};

// The table for the best instruction set this processor has, or the one $WARPGRADE_ISA names (baseline, avx2).
const OpTable& op_table();
std::string_view op_table_isa();

}  // namespace warpgrade::vgpu
