// A PTX module as data, one struct for each construct of the PTX manual. Parsing executes nothing and knows no opcode:
// an instruction is its dotted words and its operands; what they mean is said in vgpu/ops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace warpgrade::ptx {

// State spaces (PTX manual, "State Spaces"). `generic` = no space given.
enum class Space : std::uint8_t { generic, reg, sreg, constant, global, local, param, shared };

// Fundamental types (PTX manual, "Types"). `none` = no type.
enum class Type : std::uint8_t {
    none,
    pred,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    f32,
    f64
};

int size_bytes(Type type);               // 0 for none and pred
std::string_view name(Type type);        // "s32"
Type type_named(std::string_view word);  // Type::none if it is not one
std::string_view name(Space space);      // "shared"

// One `.loc`: file is the number of a `.file` directive, inlined_at an index into Function::locations or -1.
struct Location {
    int file = 0;
    int line = 0;    // 1-based source line; 0 = unknown
    int column = 0;  // 1-based
    int inlined_at = -1;
};

struct Operand {
    enum class Kind : std::uint8_t {
        reg,      // %r1            index = register, negated for !%p1
        special,  // %tid.x         name = "%tid.x"
        integer,  // 42, -1, 0x1F   bits = two's complement value
        f32,      // 0f3F800000     bits = the 32 bits
        f64,      // 0d..., 1.5     bits = the 64 bits
        symbol,   // tile, tile+4   name, offset
        address,  // [%rd1+8], [tile+4], [16]: elements[0] is reg, symbol or integer, offset;
                  //   tensor form [%rd1, {%r1, %r2}]: elements[1] is the vector
        vector,   // {%f1, %f2}     elements
        pair,     // %p1|%p2        elements
        tuple,    // (param0, param1) of call
        label,    // branch target  index = instruction index in Function::body, body.size() at its very end;
                  //   a branch table, call prototype or list of call targets: name, index -1
        sink      // _
    };
    Kind kind = Kind::sink;
    bool negated = false;
    int index = -1;
    std::int64_t offset = 0;
    std::uint64_t bits = 0;
    std::string name;
    std::vector<Operand> elements;
};

struct Instruction {
    std::string opcode;                  // "ld"
    std::vector<std::string> modifiers;  // {"global", "nc", "v4", "f32"}; "shared::cta" stays one word
    std::vector<Operand> operands;
    int guard = -1;              // register index of @%p, or -1
    bool guard_negated = false;  // @!%p
    int location = -1;           // index into Function::locations, or -1
    int ptx_line = 0;            // 1-based line of the PTX text
    bool in_inline_asm = false;
    bool behind_inline_asm = false;  // what is wrong with it is then the fault of who wrote the asm()
};

// "ld.global.nc.v4.f32"
std::string full_name(const Instruction& instruction);
bool has_word(const Instruction& instruction, std::string_view modifier);
// The last modifier that is a type; Type::none if there is none.
Type last_type(const Instruction& instruction);

// A pointer inside an initialiser: the address of `symbol` + addend, stored at `offset` (8 bytes).
struct InitialAddress {
    std::size_t offset = 0;
    std::string symbol;
    std::int64_t addend = 0;
    bool generic = false;  // written generic(symbol)
};

struct Variable {
    std::string name;
    Space space = Space::generic;
    Type type = Type::none;
    std::uint64_t align_bytes = 1;  // a power of two, any: whether there is such a place is not the reader's to say
    std::uint64_t bytes = 0;        // 0 for `.extern .shared x[]`
    bool is_external = false;
    bool is_managed = false;            // .attribute(.managed): the host reaches it as well
    std::vector<std::uint8_t> initial;  // the first bytes; the rest, all if empty, is zero
    std::vector<InitialAddress> initial_addresses;
    int location = -1;  // in a function: index into Function::locations, or -1
};

struct Register {
    std::string name;
    Type type = Type::none;
};

// A `.callprototype`: how an indirect call passes its values. Parameter names mean nothing.
struct CallPrototype {
    std::vector<Variable> returns;
    std::vector<Variable> parameters;
};

struct Function {
    std::string name;       // mangled
    bool is_entry = false;  // .entry (a kernel) or .func
    bool is_declaration = false;
    bool is_visible = false;
    std::vector<Variable> returns;
    std::vector<Variable> parameters;
    std::vector<Register> registers;  // those that the body uses; Operand::index points here; names in nested { }
                                      // are made unique (tmp, tmp#1)
    std::vector<Variable>
        variables;  // .shared, .local and call-site .param, hoisted out of nested { } under unique names
    std::vector<Instruction> body;
    std::vector<int> nounroll;  // indices into body: heads of loops behind .pragma "nounroll"
    std::vector<Location> locations;
    std::map<std::string, std::vector<int>> branch_tables;  // .branchtargets: name -> instruction indices
    std::map<std::string, CallPrototype> call_prototypes;
    std::map<std::string, std::vector<std::string>> call_targets;
    std::map<std::string, std::vector<std::uint32_t>>
        directives;  // "maxntid" -> {256, 1, 1}, "reqntid", "minnctapersm", ...
    int ptx_line = 0;
};

struct Module {
    std::string version;  // "9.0"
    std::string target;   // "sm_80"
    int address_size_bits = 64;
    std::map<int, std::string> files;  // .file numbers
    std::vector<Variable> variables;   // module scope, .extern .shared included
    std::vector<Function> functions;   // one for each name: a definition takes the place of its declaration
    std::map<std::string, std::string, std::less<>> aliases;  // .alias: name -> the function it stands for

    // The function of that name or alias; nullptr if there is none.
    const Function* find(std::string_view name) const;
};

// Where in `source_file` an instruction comes from: of the frames of its inlining chain that lie in that file, the
// innermost (the code itself) and the outermost (what called it, and what inlined code is counted for).
// They are the same where nothing was inlined, and of line 0 where no frame lies in the file.
struct SourcePlace {
    Location innermost, outermost;
};
SourcePlace source_place(const Module& module, const Function& function, int location, std::string_view source_file);
// Of all its locations. Recursion of templates nests them as deep as there are some.
std::vector<SourcePlace> source_places(const Module& module, const Function& function, std::string_view source_file);

// Whole-module parse. An error names the PTX line, and the source line where a .loc is in force.
Result<Module> parse(std::string_view text);

}  // namespace warpgrade::ptx
