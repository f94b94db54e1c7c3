// Plain words for expressions whose parts do not fit together, and for warnings.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "compile/plain_words.hpp"

namespace warpgrade {
namespace {

// The brackets of an if, a while or an assert are open at the place.
bool is_in_condition(const Complaint& c) {
    if (c.name == "assert") return true;
    const std::size_t from = std::min(c.token, c.view.tokens().size());
    int depth = 0;
    for (std::size_t i = from; i-- > 0;) {
        if (c.text(i) == ")") ++depth;
        if (c.text(i) == "(" && depth-- == 0) {
            const std::string_view head = i > 0 ? c.text(i - 1) : std::string_view();
            if (head == "if" || head == "while") return true;
            depth = 0;
        }
        if (c.text(i) == ";" || c.text(i) == "{" || c.text(i) == "}") return false;
    }
    return false;
}

std::string is_flat(const std::string& name) {
    return "`" + name + "` is flat, one pointer: element (row, col) is " + name + "[row * length_of_a_row + col]";
}

std::string parts_of_index(const Complaint& c) {
    if (!c.says("uint3") && !c.says("dim3")) return {};
    static constexpr std::array built_ins{"threadIdx", "blockIdx", "blockDim", "gridDim"};
    for (std::size_t i = c.view.token_at(c.message.line, 1);
         i < c.view.tokens().size() && c.view.tokens()[i].line == c.message.line; ++i)
        for (const std::string built_in : built_ins)
            if (c.text(i) == built_in && c.text(i + 1) != ".")
                return "`" + built_in + "` has three parts: write " + built_in + ".x, or .y";
    return {};
}

std::string members_of(const Complaint& c) {
    const std::string type = c.quoted(0);
    if (type == "uint3" || type == "dim3") return "its parts are .x, .y and .z";
    for (const auto& [ending, parts] :
         {std::pair("2", ".x and .y"), {"3", ".x, .y and .z"}, {"4", ".x, .y, .z and .w"}})
        if (type.ends_with(ending) &&
            (type.starts_with("float") || type.starts_with("int") || type.starts_with("uint")))
            return "the parts of a " + type + " are " + parts;
    return {};
}

std::string subscript_of_vector(const Complaint& c) {
    const std::size_t at = c.message.message.find("operand types are:");
    if (at == std::string::npos) return {};
    for (const char* type : {"float4", "float2", "int4", "int2"})
        if (c.message.message.find(type, at) != std::string::npos)
            return std::string("the parts of a ") + type + " are " +
                   (std::string_view(type).ends_with("4") ? ".x, .y, .z and .w" : ".x and .y") + ", without [ ]";
    return {};
}

std::string no_function(const Complaint& c) {
    if (c.name.empty()) return {};
    const auto declared = c.view.meaning(c.name, c.message.line);
    if (c.text(c.token + 1) == ".")
        return "`" + c.name + "." + std::string(c.text(c.token + 2)) + "` is a number, no function: take the ( ) out";
    if (declared && (declared->is_pointer || declared->extents > 0))
        return "elements of `" + c.name + "` are taken with [ ]: " + c.name +
               (declared->extents > 1 ? "[row][col]" : "[row * length_of_a_row + col]");
    if (declared && !declared->is_function) return "`" + c.name + "` is a number, no function: take the ( ) out";
    return {};
}

std::string not_stored_to(const Complaint& c) {
    if (is_in_condition(c)) return "one = stores; to compare, write ==";
    if (c.text(c.token) == "&") return "&x is the address of x: to store to x itself, take the & away";
    const auto declared = c.view.meaning(c.name, c.message.line);
    if (declared && declared->is_const)
        return "`" + c.name + "` is const" +
               (declared->line == c.message.line ? "" : " (line " + std::to_string(declared->line) + ")") +
               ": it can be read, not stored to";
    if (declared && declared->extents > 1)
        return "`" + c.name + "` has two extents, and one index is given: [row][col]";
    if (c.text(c.token) == "*" && c.text(c.token + 1) == "(")
        return "* takes what is in the brackets behind it, and the rest is added to the element: write the whole place "
               "in "
               "them, *(out + i), or out[i]";
    return "what stands left of = cannot be stored to";
}

std::string not_an_array(const Complaint& c) {
    if (c.name.empty()) return {};
    const auto declared = c.view.meaning(c.name, c.message.line);
    if (!declared)
        return "a single number has no elements: give `" + c.name +
               "` its extents where it is declared, as in [TILE][TILE]";
    const std::string line = std::to_string(declared->line);
    if (declared->is_pointer) return is_flat(c.name);
    for (const auto& [name, outer] : c.view.declared())
        if (name == c.name && outer.line != declared->line && c.view.is_same_part(outer.line, c.message.line) &&
            (outer.is_pointer || outer.extents > 0) && declared->extents == 0)
            return "the `" + c.name + "` of line " + line + " is one number, and hides the one of line " +
                   std::to_string(outer.line) + ": give it another name";
    if (c.view.code(declared->line).find("extern") != std::string_view::npos && declared->extents == 0)
        return "it is one number as line " + line + " has it: an array of as many as the launch asks for is " + c.name +
               "[]";
    if (declared->extents == 1)
        return "`" + c.name + "` has one extent in line " + line +
               ", and two indices are given: declare [rows][length_of_a_row], or index with row * length_of_a_row + "
               "col";
    if (declared->extents > 1)
        return "`" + c.name + "` has " + std::to_string(declared->extents) + " extents in line " + line +
               ", and more indices are given";
    if (declared->is_parameter)
        return "`" + c.name + "` is one number in line " + line + ": is a * missing there, as in float* " + c.name +
               "?";
    return "a single number has no elements: give `" + c.name + "` its extents where it is declared, in line " + line +
           ", as in [TILE][TILE]";
}

std::string whole_numbers(const Complaint& c) {
    const auto declared = c.name.empty() ? std::nullopt : c.view.meaning(c.name, c.message.line);
    if (declared && !declared->is_pointer && declared->extents == 0 && !declared->is_function &&
        (declared->type.ends_with("float") || declared->type.ends_with("double")))
        return "`" + c.name + "` is a " + declared->type.substr(declared->type.rfind(' ') + 1) + " in line " +
               std::to_string(declared->line) + ", and an array index, % and shifts want whole numbers: make it an int";
    return "an array index, % and shifts want whole numbers: is one of these a float?";
}

std::string star_of_what(const Complaint& c) {
    if (c.line_has("**")) return "C++ has no power operator: 2 to the s is 1 << s, twice s is 2 * s";
    if (c.line_has("=*")) return "=* stores what a pointer leads to; to multiply what is there, write *=";
    return "p[i] is the element already, and *p is p[0]: take the * away";
}

// float* tile[32][32]; where the line has a `tile` with all of its indices.
std::string array_of_pointers(const Complaint& c) {
    for (const auto& [name, declared] : c.view.declared())
        if (declared.is_pointer && declared.extents > 0 && c.line_has(name + "["))
            return "`" + name + "` holds addresses, as line " + std::to_string(declared.line) +
                   " has it: for numbers, take the * there away";
    return {};
}

std::string initial_value(const Complaint& c) {
    const std::string given = c.quoted(0), wanted = c.quoted(1);
    if (given == "void *" && wanted.ends_with("*")) return "C++ wants the type said: (" + wanted + ")malloc(...)";
    if (given == "void") return {};
    if (given.ends_with("*") && !wanted.ends_with("*"))
        if (const std::string array = array_of_pointers(c); !array.empty()) return array;
    if (given.ends_with("*") && !wanted.ends_with("*"))
        return "on the right is an address, and on the left a number: the element there is p[i]";
    const std::string_view left = c.token > 0 ? c.text(c.token - 1) : std::string_view();
    if (c.says("cannot be assigned") && given + " *" == wanted && c.view.meaning(left, c.message.line))
        return "`" + std::string(left) + "` is the address of many: say which element is meant, " + std::string(left) +
               "[...] =";
    if (!given.ends_with("*") && wanted.ends_with("*"))
        if (const std::string array = array_of_pointers(c); !array.empty()) return array;
    if (!given.ends_with("*") && wanted.ends_with("*"))
        return "on the left is an address, and on the right a number: the address of x is &x";
    return {};
}

std::string type_of_pointer(const Complaint& c) {
    return c.line_has("static_cast") && c.line_has("*")
               ? "static_cast does not turn one pointer into another: write reinterpret_cast, where the address is a "
                 "multiple of the new type's size"
               : "";
}

std::string const_stays(const Complaint&) {
    return "what may be read only stays so: write const in the < >, and for the pointer on the left";
}

std::string arrow_or_index(const Complaint& c) {
    return c.line_has("->") ? "elements are taken with [ ] right behind the name: in[i], without ->" : "";
}

std::string stands_alone(const Complaint& c) {
    // The line is `name;`, of a function of CUDA's, or of one that the file calls or declares elsewhere.
    if (!c.name.empty() && c.text(c.token + 1) == ";") {
        bool is_called = c.name.starts_with("__");
        for (std::size_t i = 0; i + 1 < c.view.tokens().size(); ++i)
            is_called = is_called || (c.text(i) == c.name && c.text(i + 1) == "(");
        if (is_called) return "a function's name alone does not call it: write " + c.name + "()";
    }
    if (is_in_condition(c) && c.line_has(",")) return "a, b is b alone: for both conditions write a && b";
    if (c.line_has("dim3") && c.line_has("=") && c.line_has(","))
        return "(a, b) behind = is b alone: write dim3 block(a, b), or = dim3(a, b)";
    const std::size_t from = c.view.token_at(c.message.line, 1);
    for (std::size_t i = from; i < c.view.tokens().size() && c.view.tokens()[i].line == c.message.line; ++i)
        if (c.text(i) == "==" && i >= c.token)
            return "== compares, and the answer is kept nowhere: to store, write one =";
    return "what it computes is kept nowhere: is an = missing, as in i += 2?";
}

std::string never_below_zero(const Complaint&) {
    return "an unsigned number is never below 0, so this always holds: test for > 0, or count with an int that goes "
           "below 0";
}
std::string not_set(const Complaint&) {
    return "which line is to set it? nothing is in a variable until something is stored there";
}
std::string no_return(const Complaint&) { return "what does the function give back where it ends here?"; }
std::string one_equals_sign(const Complaint&) { return "one = stores; to compare, write =="; }
std::string not_reached(const Complaint&) {
    return "no way leads here: which return, or which condition, stands before it?";
}
std::string own_assertion(const Complaint&) {
    return "the file itself asks for this: which of the numbers in the condition is not as it should be?";
}
std::string print_format(const Complaint&) {
    return "%d prints an int, %u an unsigned, %zu a size_t, %f a float or double: one for each value, in their order";
}
std::string unknown_pragma(const Complaint& c) {
    return c.line_has("unr") ? "it is left out: is it #pragma unroll?" : "";
}

std::string open_condition(const Complaint&) {
    return "what begins here ends with a line #endif: write it behind the last line that belongs to it";
}
std::string text_behind(const Complaint&) { return "the line ends behind the header's name: take the rest out"; }

// T sum = a + b; where T is float4 as well.
std::string arithmetic_of_vectors(const Complaint& c) {
    if (!c.says("float4 + ") && !c.says(" + float4") && !c.says("float4 - ") && !c.says("float4 * ") &&
        !c.says("float4 == ") && !c.says("float4 < ") && !c.says("float4 > "))
        return {};
    return std::string(c.view.uses_of("template") != 0 ? "one of the types that are asked for is float4: " : "") +
           "a float4 is four floats and no number, to be copied as a whole, or computed with by .x, .y, .z and .w";
}

constexpr std::array value_rows{PlainWord{"", &parts_of_index},
                                PlainWord{"no operator", &arithmetic_of_vectors},
                                PlainWord{"has no member", &members_of},
                                PlainWord{"no operator \"[]\"", &subscript_of_vector},
                                PlainWord{"apparent call must have", &no_function},
                                PlainWord{"modifiable lvalue", &not_stored_to},
                                PlainWord{"must have pointer-to-object type", &not_an_array},
                                PlainWord{"must have integral or unscoped enum type", &whole_numbers},
                                PlainWord{"operand of \"*\" must be a pointer", &star_of_what},
                                PlainWord{"a value of type", &initial_value},
                                PlainWord{"invalid type conversion", &type_of_pointer},
                                PlainWord{"cannot cast away const", &const_stays},
                                PlainWord{"expected a member name", &arrow_or_index}};

constexpr std::array warning_rows{PlainWord{"expression has no effect", &stands_alone},
                                  PlainWord{"pointless comparison of unsigned integer with zero", &never_below_zero},
                                  PlainWord{"is used before its value is set", &not_set},
                                  PlainWord{"missing return statement", &no_return},
                                  PlainWord{"where \"==\" may", &one_equals_sign},
                                  PlainWord{"is unreachable", &not_reached},
                                  PlainWord{"static assertion failed", &own_assertion},
                                  PlainWord{"format string", &print_format},
                                  PlainWord{"#endif for this directive is missing", &open_condition},
                                  PlainWord{"extra text after", &text_behind},
                                  PlainWord{"unrecognized #pragma", &unknown_pragma}};

}  // namespace

std::span<const PlainWord> plain_words_of_values() { return value_rows; }
std::span<const PlainWord> plain_words_of_warnings() { return warning_rows; }

}  // namespace warpgrade
