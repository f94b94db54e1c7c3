// Plain words for what is declared: types, extents, shared memory, functions.
#include <array>

#include "compile/plain_words.hpp"
#include "compile/unknown_name.hpp"

namespace warpgrade {
namespace {

std::string line_named(int line) { return "line " + std::to_string(line); }

std::string word_in_front(const Complaint& c) {
    if (const std::string near = near_cuda_word(c.name); !near.empty() && near != c.name)
        return "`" + c.name + "` is none of C++'s words: is it `" + near + "`?";
    return "a declaration begins with a type, as in int n, and a function with what it gives back, void if nothing";
}

std::string type_in_front(const Complaint& c) {
    return c.line_has("__global__") ? "a kernel gives nothing back: write __global__ void"
                                    : "in front of a function's name stands the type that it gives back: float, int, "
                                      "void if nothing";
}

std::string already_declared(const Complaint& c) {
    for (const auto& [name, declared] : c.view.declared())
        if (name == c.name && declared.line < c.message.line && c.view.is_same_part(declared.line, c.message.line) &&
            (declared.scope_ends == 0 || declared.scope_ends >= c.message.line))
            return "`" + name + "` is " + (declared.is_parameter ? "a parameter, of " : "declared in ") +
                   line_named(declared.line) +
                   ": to store to it, leave the type out here; another variable takes another "
                   "name";
    return {};
}

std::string already_defined(const Complaint&) {
    return "two functions have this name and these parameters: take one out, or give it another name";
}

std::string one_dynamic_array(const Complaint& c) {
    // One line, once for each type of a template.
    if (c.line_has("extern") && c.line_has("__shared__") &&
        c.says("(declared at line " + std::to_string(c.message.line) + ")"))
        return "one name has one type, and a template gives it one for each T: declare extern __shared__ unsigned char "
               "bytes[], and T* " +
               c.name + " = reinterpret_cast<T*>(bytes)";
    return c.line_has("extern") && c.line_has("__shared__")
               ? "all extern __shared__ arrays begin at the same place, and one name has one type: give this one "
                 "another name"
               : "";
}

std::string shared_starts_empty(const Complaint& c) {
    const auto declared = c.view.meaning(c.name, c.message.line);
    if (declared && declared->is_pointer) return "an array of a block's own: __shared__ float " + c.name + "[...];";
    return declared && declared->extents == 0
               ? "let one thread of the block store to it, if (threadIdx.x == 0), then __syncthreads()"
               : "store to it in the kernel, one thread an element, then __syncthreads()";
}

std::string extents_in_brackets(const Complaint& c) {
    return c.line_has("__shared__") ? "the extents of an array stand in [ ], each in a pair of its own: [TILE][TILE]"
                                    : "";
}

// What the compiler has to know of what stands there, and what to try.
struct Fixed {
    std::string what = "the extents of an array are", also = "extents are", advice = "a literal, or a constexpr";
};
Fixed fixed_at(const Complaint& c) {
    const auto of = [](const std::string& what, const std::string& advice) { return Fixed{what, what, advice}; };
    const std::string_view bracket = c.bracket_of();
    if (bracket == "static_assert") return of("what static_assert tests is", "assert tests as the kernel runs");
    if (bracket == "constexpr") return of("what `if constexpr` tests is", "write if, without constexpr");
    if (bracket == "alignas") return of("an alignment is", "a literal, or a constexpr");
    bool is_behind_equals = false;
    for (std::size_t i = c.token; i-- > 0;) {
        const std::string_view word = c.text(i);
        if (word == "case") return of("what stands behind case is", "write if for what is compared as it runs");
        if (word == "constexpr" && is_behind_equals)
            return of("what a constexpr is set to is", "write const in its place");
        if (word == "{" && i > 1 && (c.text(i - 1) == "enum" || c.text(i - 2) == "enum"))
            return of("the values of an enum are", "a literal, or a constexpr");
        if (word == "[" || word == ";" || word == "{" || word == "}") break;
        is_behind_equals = is_behind_equals || word == "=";
    }
    return {};
}

std::string extents_are_constants(const Complaint& c) {
    if (c.token > 0 && c.text(c.token - 1) == "<")
        return "what stands in < > is fixed when it is compiled: a literal, or a constexpr";
    const Fixed fixed = fixed_at(c);
    const bool is_array = fixed.also == "extents are";
    const bool is_shared = is_array && c.line_has("__shared__");
    const auto declared = c.view.meaning(c.name, c.message.line);
    if (declared && declared->function.empty() && !declared->is_const)
        return "`" + c.name + "` can change while the program runs: write constexpr in front of it in " +
               line_named(declared->line);
    if (declared && !declared->function.empty() && declared->type.find("const") != 0)
        return "`" + c.name + "` " +
               (declared->is_parameter ? "is given when `" + declared->function + "` runs"
                                       : "can change (" + line_named(declared->line) + ")") +
               ", and " + fixed.also + " fixed when it is compiled: " + (is_array ? "use a constexpr" : fixed.advice) +
               (is_shared ? ", or `extern __shared__` with the bytes as third launch argument" : "");
    if (is_shared)
        return "the extents of a __shared__ array are fixed when it is compiled: a constexpr, or `extern "
               "__shared__` with the bytes as third launch argument";
    return fixed.what + " fixed when it is compiled: " + fixed.advice;
}

std::string extern_is_missing(const Complaint& c) {
    return c.line_has("__shared__") && !c.line_has("extern")
               ? "give it its extent, " + (c.name.empty() ? "partial" : c.name) +
                     "[...]; or, for dynamic shared memory, "
                     "write extern __shared__, and give its bytes as third launch argument"
               : "";
}

std::string one_open_extent(const Complaint& c) {
    return c.line_has("[]")
               ? "only the first extent may be left open: take one [], and the index row * length_of_a_row + col"
               : "";
}

std::string shared_and_const(const Complaint& c) {
    if (c.line_has("__shared__"))
        return "shared memory is filled by the kernel, so that it cannot be const: take const out";
    const std::string name = c.quoted(0);
    const auto declared = c.view.meaning(name, c.message.line);
    return declared && declared->extents > 0 ? "what is const is never stored to, and `" + name +
                                                   "` holds nothing yet: take const out; what a whole "
                                                   "block is to share is __shared__"
                                             : "a const has its value from the beginning: write = ... behind it";
}

std::string shared_as_parameter(const Complaint& c) {
    return c.says("__shared__") ? "shared memory is declared inside of the kernel, and is no parameter" : "";
}

std::string returned_type(const Complaint& c) {
    const std::string function = c.view.function_at(c.message.line);
    for (const auto& [name, declared] : c.view.declared())
        if (name == function && declared.is_function && declared.type.find("__global__") == std::string::npos &&
            declared.type.find("void") != std::string::npos)
            return "`" + function + "` is void in " + line_named(declared.line) +
                   ": write the type of what is returned there, or return; alone here";
    return "what is returned has to be of the type in front of the function's name; a void function, as every kernel "
           "is, ends with return; alone";
}

bool is_template(const Complaint& c) { return c.view.uses_of("typename") != 0 || c.view.uses_of("template") != 0; }

// T value = 0; where T is float4 as well.
std::string number_for_vector(const Complaint& c) {
    const std::string given = c.quoted(0), wanted = c.quoted(1);
    const bool is_number = given == "int" || given == "float" || given == "double" || given == "unsigned int";
    const bool is_vector = (wanted.starts_with("float") || wanted.starts_with("int") || wanted.starts_with("uint")) &&
                           (wanted.ends_with("2") || wanted.ends_with("3") || wanted.ends_with("4"));
    if (!is_number || !is_vector) return {};
    return (is_template(c) ? "one of the types that are asked for is " + wanted + ", and no number" : "no number") +
           " turns into a " + wanted +
           ": = {} sets a variable of any type to zero, and what is set later needs no value";
}

std::string types_of_template(const Complaint& c) {
    for (const auto& [name, declared] : c.view.declared())
        if (declared.type.find("float") != std::string::npos && !declared.is_parameter && !declared.is_function &&
            c.view.is_same_part(declared.line, c.message.line) && c.line_has(name) && is_template(c))
            return "`" + name + "` is " + declared.type + " in line " + std::to_string(declared.line) +
                   ", and the elements are T: write T there";
    for (const std::string_view cast : {"(float)", "(double)", "(int)"})
        if (is_template(c) && c.line_has(cast) && c.says("float4"))
            return "one of the types that are asked for is float4, and the cast " + std::string(cast) +
                   " makes a number of one alone: leave it out";
    return is_template(c) ? "two element types meet here: does a declaration say float where T belongs?" : "";
}

std::string no_auto(const Complaint&) { return "a parameter has a type of its own: write float, int, ..."; }

std::string template_name_alone(const Complaint& c) {
    return c.says("argument list for") && !c.name.empty()
               ? "a template's name alone is no value: write " + c.name + "<T>"
               : "";
}

std::string struct_for_lambda(const Complaint&) {
    return "write a struct with `__device__ ... operator()(...) const` in place of the lambda";
}

std::string in_a_namespace(const Complaint& c) {
    if (c.name == "cg") return "write namespace cg = cooperative_groups; at the top";
    if (const std::string header = header_of_name(c.name); !header.empty())
        return "write #include <" + header + "> at the top";
    return "no namespace, struct or class is called `" + c.name + "` here";
}

constexpr std::array declaration_rows{PlainWord{"no storage class or type specifier", &word_in_front},
                                      PlainWord{"explicit type is missing", &type_in_front},
                                      PlainWord{"already been declared in the current scope", &already_declared},
                                      PlainWord{"has already been defined", &already_defined},
                                      PlainWord{"declaration is incompatible with previous", &one_dynamic_array},
                                      PlainWord{"initializer not allowed for __shared__", &shared_starts_empty},
                                      PlainWord{"too many initializer values", &extents_in_brackets},
                                      PlainWord{"expression must have a constant value", &extents_are_constants},
                                      PlainWord{"incomplete type", &extern_is_missing},
                                      PlainWord{"an array may not have elements of this type", &one_open_extent},
                                      PlainWord{"requires an initializer", &shared_and_const},
                                      PlainWord{"does not apply here", &shared_as_parameter},
                                      PlainWord{"return value type does not match the function type", &returned_type},
                                      PlainWord{"no suitable conversion function from", &types_of_template},
                                      PlainWord{"no suitable constructor exists to convert", &number_for_vector},
                                      PlainWord{"no suitable constructor exists to convert", &types_of_template},
                                      PlainWord{"no operator \"=\"", &types_of_template},
                                      PlainWord{"\"auto\" is not allowed here", &no_auto},
                                      PlainWord{"is missing", &template_name_alone},
                                      PlainWord{"annotation on lambda requires", &struct_for_lambda},
                                      PlainWord{"name followed by \"::\"", &in_a_namespace}};

}  // namespace

std::span<const PlainWord> plain_words_of_declarations() { return declaration_rows; }

}  // namespace warpgrade
