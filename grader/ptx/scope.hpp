// The names of one function: registers, variables, labels, in nested { } that may hide each other. What is declared
// inside is hoisted into the Function under a unique name, so that a finished Function has no scopes.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/cursor.hpp"
#include "ptx/module.hpp"

namespace warpgrade::ptx {

class Scopes {
public:
    // `module_names`: variables and functions that a nested variable, once hoisted, must not be mistaken for.
    Scopes(Cursor& cursor, Function& function, const std::unordered_set<std::string_view>& module_names);

    void open(const Token& brace);
    // Closes the innermost scope: its labels are known now, so the names that wait for them are resolved.
    void close();
    std::size_t depth() const { return scopes_.size(); }
    // The `{` of the innermost scope, for a message about its missing `}`.
    const SymbolReference& innermost_brace() const { return scopes_.back().brace; }

    // `count` < 0: one register of that name; otherwise name0 ... name(count - 1).
    void declare_registers(const Token& name, Type type, int vector_size, std::int64_t count);
    // Moves the variable into Function::variables; a parameter stays where it is, see declare_parameter.
    void declare_variable(const Token& name, Variable variable);
    void declare_parameter(const Variable& parameter);
    // A label, at the instruction that comes next; or, if `names_table`, the name of a branch table, call prototype or
    // list of call targets. Returns the unique name.
    std::string declare_label(const Token& name, bool names_table);

    // The operand that a bare name stands for: register, vector of registers, special register, variable or, until
    // the scopes close, unknown. Unknown names come back as symbols; hand those that may be labels to `wait`.
    Operand resolve(const Token& name, std::string_view text, bool& is_known);
    void wait_for_label(const Token& name, int instruction, int operand);
    // The same for one entry of a branch table, whose vector must stay where it is.
    void wait_for_label(const Token& name, std::vector<int>& table, std::size_t entry);

private:
    struct Name {
        enum class Kind : std::uint8_t { reg, vector_reg, variable } kind;
        int index = -1;  // reg: of Function::registers; -1 until used
        int vector_size = 1;
        Type type = Type::none;
        std::string unique;  // variable
    };
    struct Range {
        std::int64_t count;
        Type type;
    };
    struct Label {
        int instruction;
        std::string table;
    };
    struct Waiting {
        SymbolReference reference;
        int instruction;
        int operand;
        std::vector<int>* table;
        std::size_t entry;
    };
    struct Scope {
        SymbolReference brace;
        std::unordered_map<std::string_view, Name> names;
        std::unordered_map<std::string_view, Range> ranges;
        std::unordered_map<std::string_view, Label> labels;
        std::vector<Waiting> waiting;
    };

    int add_register(std::string_view name, Type type);
    void add_name(const Token& token, std::string_view name, Name entry);
    const Name* find(std::string_view name);
    Name* find_in_ranges(Scope& scope, std::string_view name);
    bool is_outside_its_range(std::string_view name) const;
    bool resolve_label(const Waiting& waiting, const Scope& scope);
    std::string unique_name(std::string_view name);

    Cursor& cursor_;
    Function& function_;
    const std::unordered_set<std::string_view>& module_names_;
    std::vector<Scope> scopes_;
    std::unordered_map<std::string, int> used_names_;  // how often each was declared
    std::deque<std::string> component_names_;          // keys such as v.x, which the text need not hold
};

}  // namespace warpgrade::ptx
