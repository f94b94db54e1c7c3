// What problem.toml says, as data: read once, checked as a whole, never changed after.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "problem/case.hpp"
#include "problem/yardstick.hpp"

namespace warpgrade {

// An element or a scalar of a launcher, in CUDA C++.
struct NamedType {
    const char* name;       // "unsigned int"
    const char* demangled;  // as the compiler's names have it; differs for std::size_t
    int bytes;
    bool is_element;  // of a buffer
    bool is_scalar;   // of a parameter by value
};
// Also by the usual short names ("unsigned", "size_t"); nullptr if there is none.
const NamedType* type_named(std::string_view name);

struct LauncherParameter {
    std::string name;
    std::string type;  // NamedType::name, or "T": the element type
    bool is_pointer = false;
    bool is_const = false;
};
struct LauncherText {
    std::string name;
    std::vector<LauncherParameter> parameters;
    bool uses_type() const;  // T
};
// "void scan(const T* in, T* out, int n)". Error: what is wrong, in words; blame course, without a place.
Result<LauncherText> parse_launcher(std::string_view text);

// The first three are functions of problem.cu; what the others leave is known without one.
enum class ReferenceForm : std::uint8_t { gather, scatter, sequential, moves, sum };
inline bool has_function(ReferenceForm form) { return form < ReferenceForm::moves; }

struct DescribedBuffer {
    std::string name;
    std::string type;  // as the launcher's parameter
    BufferRole role = BufferRole::in;
    std::vector<std::string> extents;             // expressions
    std::string contents;                         // of what is read: role in, or inout
    std::map<std::string, std::string> variants;  // other contents, by the name that shapes ask for them with
    std::vector<std::size_t> after;               // inputs before it, which its own contents are made from
    std::string reference, card_check;            // of one of several outputs: the functions for it
    // Role inout: an output that holds something already, as C of C += A B.
    bool is_updated() const { return role == BufferRole::out && !contents.empty(); }
};

struct DescribedShape {
    std::vector<std::string> extents;   // expressions; may go on with numbers
    std::vector<std::string> previous;  // empty: none
    std::string contents, shape_class;  // empty: the usual ones
    int offset = 0;                     // elements past alignment
    int count = 1;
    int line = 0, column = 0;
};

// A [[mistake]] that shows in numbers (effects.hpp): no function leaves it.
struct EffectRule {
    std::string name, title, help, fact;
    std::string condition;                                  // `if`
    std::string part;                                       // of a sum, where it goes wrong: counts.toml
    std::vector<std::pair<std::string, std::string>> lets;  // names and expressions, in their order
    std::vector<std::string> tries, steps;                  // expressions: each try with each step
    std::string to;                                         // steps from 1 to this
    std::vector<std::vector<std::string>> holds;            // where the input has what stands here; one of several
    std::map<std::string, std::string> shows;               // members of Effect
    MistakePlace place = MistakePlace::output;              // `at`
    bool is_cause = false, is_general = false;
    int line = 0;
};

struct DescribedMistake {
    std::string name, title, help;
    ReferenceForm form = ReferenceForm::gather;
    std::vector<int> tries;  // empty: the function takes none
    MistakePlace place = MistakePlace::output;
    std::string output;  // the one that the function gives an element of; empty: the only one, or all of them
    int line = 0;
};

// Words for a mistake that the kit recognises by itself (`of`), in place of its own; what is empty stays.
struct DescribedWords {
    std::string of, name, title, help;
};

// rounding: of a sum, as far off as the additions that were seen may be.
struct OutputComparison {
    enum class Kind : std::uint8_t { bits, exact, ulps, summation, function, rounding };
    Kind kind = Kind::bits;
    int ulps = 0;
    std::string terms;     // summation: an expression
    std::string function;  // of the author's: the comparison, or the magnitude of a summation
};

struct ProblemDescription {
    std::string name, title;
    std::string launcher_text;
    LauncherText launcher;
    std::vector<std::string> extents;
    std::map<std::string, std::int64_t> numbers, constants;
    std::map<std::string, double> reals;  // constants that are no whole numbers: for the launcher alone
    std::string useful_bytes, flops, elements, scatter_over, card_check;  // flops, elements: may be empty
    std::map<std::string, int> lines;  // where each of these expressions stands, by its key
    Yardstick yardstick = Yardstick::copy;
    OutputComparison compare;
    ReferenceForm reference = ReferenceForm::gather;
    std::vector<DescribedBuffer> buffers;  // inputs first, the outputs last
    // moves: where index i of an element of the first input stands among the indices of its place in the output.
    std::vector<std::size_t> moves;
    std::vector<DescribedShape> check, few, timing, bench;
    std::vector<DescribedShape> planned, sampled;  // of the launcher alone; of one block
    std::vector<DescribedShape> other_types;       // empty: the quick ones of `check`
    DescribedShape technique, large;
    std::map<std::string, std::string> lets;
    std::vector<DescribedMistake> mistakes;
    std::vector<EffectRule> rules;
    std::vector<DescribedWords> words;

    std::string toml_path, cuda_path, cuda;  // problem.cu's text; empty where there is none
    std::string digest;                      // of both texts

    const DescribedBuffer& output() const { return buffers.back(); }
    std::vector<std::size_t> outputs() const;
    // The same problem as if buffer `b` were its only output, and the others scratch.
    ProblemDescription with_output(std::size_t b) const;
    const DescribedBuffer& input() const { return buffers.front(); }
    // Its size where the element type is `type`.
    int element_bytes(const DescribedBuffer& buffer, std::string_view type) const;
    std::string element_type(const DescribedBuffer& buffer, std::string_view type) const;
};

}  // namespace warpgrade
