// What a submission's text says: its functions with their sides, loops, tests, definitions, accesses, launches,
// constants, shared arrays and barriers.
//
// Theory of operation. All of it is collected in one pass over the tree, in the order of the text. Each fact names its
// node, so that its text and its range are `text_of` and `range_of` of that node. A question about a line or a name is
// one lookup. A fact is true of the text; that it matters for a failure is known from the run.
//
// This header is the seam: it says nothing of how the text is read. Facts refer to their tree, which must outlive them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <unordered_map>

#include "source/syntax.hpp"

namespace warpgrade::source {

// Where code runs; `both` is `__host__ __device__`.
enum class Side : std::uint8_t { host, device, both, kernel };

struct Parameter {
    std::string_view name, type;  // "in", "float"
    NodeId node = no_node;
    int pointers = 0;  // of `float**`: 2
    bool is_const = false, is_reference = false;
};

struct Function {
    std::string_view name;  // of a constructor the class; "operator" of operators
    Side side = Side::host;
    bool is_constexpr = false, is_template = false, is_member = false;
    bool has_directives = false;  // a line of the preprocessor's is in its body
    NodeId node = no_node, body = no_node;
    int line = 0, last_line = 0;  // of the name, of the closing brace
    std::vector<Parameter> parameters;
    bool is_on_device() const { return side != Side::host; }
};

// What surrounds a node or a line: the innermost of each; -1: none.
struct Around {
    int function = -1, loop = -1, guard = -1;
    bool operator==(const Around&) const = default;
};

// `for (int s = 1; s < n; s *= 2)`: variable s, start 1, sign <, bound n, step_sign *=, step 2 (no_node of ++). The
// variable of a `while` is the one that its condition compares and one statement of its body changes. What is not
// written like that is empty, or no_node.
struct Loop {
    NodeId node = no_node, condition = no_node, body = no_node;
    std::string_view variable, sign, step_sign;
    NodeId start = no_node, bound = no_node, step = no_node;
    int line = 0;
    Around around;
};

struct Comparison {
    NodeId node = no_node, left = no_node, right = no_node;  // a condition that is no comparison: left alone
    std::string_view sign;
    bool is_negated = false;
};

enum class Exit : std::uint8_t { none, returns, breaks, continues };

// An `if`, also the `?` of an expression.
struct Guard {
    NodeId node = no_node, condition = no_node, then = no_node, otherwise = no_node;
    std::vector<Comparison> comparisons;
    std::string_view connector;  // "&&" or "||"; "" of one comparison, or of both kinds of connectors
    Exit exit = Exit::none;      // what its `then` ends with
    int line = 0;
    Around around;
};

enum class DefinitionKind : std::uint8_t { parameter, declared, assigned, updated };

// A name gets a value. `sign`: "=", "+=", "++"; "(" or "{" of `dim3 grid(x, y)`.
struct Definition {
    std::string_view name, sign, type;
    DefinitionKind kind = DefinitionKind::declared;
    NodeId node = no_node;   // the declarator, or the assignment
    NodeId value = no_node;  // the initialiser, the right side
    Range at;                // of the name
    int scope_end = 0;       // of a declaration: the last line that knows the name
    Around around;
};

enum class AccessKind : std::uint8_t { load, store, update, atomic, address };

// `tile[y][x] = ...`, `*(a + i)`, `__ldg(&in[i])`, `atomicAdd(sums, v)`.
struct Access {
    std::string_view array;  // "" where no name leads there
    AccessKind kind = AccessKind::load;
    NodeId node = no_node;        // `tile[y][x]`
    std::vector<NodeId> indices;  // {y, x}; none of `*p`
    bool is_dereference = false;  // no brackets
    int line = 0;
    Around around;
};

struct Call {
    std::string_view name;  // "std::min"; of a member its own name, "sync"
    bool is_member = false;
    NodeId node = no_node;
    std::vector<NodeId> arguments;
    int line = 0;
    Around around;
};

struct Launch {
    std::string_view kernel;
    NodeId node = no_node;
    NodeId grid = no_node, block = no_node, dynamic_bytes = no_node, stream = no_node;
    std::vector<NodeId> arguments;
    int line = 0;
    Around around;
};

enum class ConstantOrigin : std::uint8_t { macro, variable, enumerator };

struct Constant {
    std::string_view name;
    ConstantOrigin origin = ConstantOrigin::variable;
    NodeId value = no_node;
    std::optional<std::int64_t> number;  // where it is a whole number by the names above it
    Range at;                            // of the name
    Around around;
};

struct SharedArray {
    std::string_view name, type;
    NodeId node = no_node;
    std::vector<NodeId> extents;  // the outer one first; none of a scalar
    std::vector<std::optional<std::int64_t>> sizes;
    bool is_dynamic = false;  // extern __shared__
    int line = 0;
    Around around;
};

// A variable at namespace scope.
struct Variable {
    std::string_view name;
    NodeId node = no_node;
    bool is_on_device = false;  // __device__, __constant__, __managed__ or __shared__
    bool is_array = false, is_constant = false;
    int line = 0;
};

struct Barrier {
    std::string_view name;  // "__syncthreads", "__syncwarp", "sync"
    NodeId node = no_node;
    int line = 0;
    Around around;
};

using Numbers = std::map<std::string_view, std::int64_t>;

struct Facts {
    const Tree* tree = nullptr;
    std::vector<Function> functions;  // with a body
    std::vector<Function> prototypes;
    std::vector<Loop> loops;
    std::vector<Guard> guards;
    std::vector<Definition> definitions;
    std::vector<Access> accesses;
    std::vector<Call> calls;
    std::vector<Launch> launches;
    std::vector<Constant> constants;
    std::vector<SharedArray> shared_arrays;
    std::vector<Variable> variables;
    std::vector<Barrier> barriers;
    Numbers numbers;  // of the constants with one value

    std::vector<Around> around_node;     // by node
    std::vector<Around> around_line;     // by line
    std::vector<NodeId> statement_line;  // by line: the innermost statement that it belongs to, or no_node
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> definitions_by_name, accesses_by_name;
    std::vector<std::uint32_t> first_access;  // by line: the first access on it or later

    const Function* function_at(int line) const;
    const Loop* loop_at(int line) const;
    const Guard* guard_at(int line) const;
    std::span<const Access> accesses_on(int line) const;
    const Function* function_named(std::string_view name) const;
    // What `name` means in a line: the last declaration before it whose scope holds the line.
    const Definition* declaration_of(std::string_view name, int line) const;
    // The last time that `name` gets a value above the line, in the same function or outside of all.
    const Definition* definition_before(std::string_view name, int line) const;
    // The tests that decide whether the line is reached, the nearest first: those around it, and those above it that
    // exit.
    std::vector<const Guard*> guards_before(int line) const;
};

Facts facts_of(const Tree& tree);

}  // namespace warpgrade::source
