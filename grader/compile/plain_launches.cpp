// Plain words for launches, kernels and the arguments of calls.
#include <algorithm>
#include <array>
#include <vector>

#include "compile/plain_words.hpp"

namespace warpgrade {
namespace {

std::string no_kernel(const Complaint&) {
    return "<<< >>> starts kernels: is __global__ missing in front of the function?";
}

std::string three_chevrons(const Complaint& c) {
    if (c.line_has("<<<") && c.line_has(">>>")) return {};
    if (!c.line_has("<<") && !c.line_has("< <") && !c.line_has(">>")) return {};
    for (const std::string& kernel : c.view.kernels())
        if (c.line_has(kernel))
            return "a launch has three of them on either side: " + kernel + "<<<grid, block>>>(...)";
    return {};
}

std::string arguments_of_launch(const Complaint& c) {
    if (!c.line_has("<<<")) return {};
    if (c.line_has(")<<<") && c.token > 0 && c.line().find(")<<<") < c.line().find(">>>"))
        for (const std::string& kernel : c.view.kernels())
            if (c.line_has(kernel + "("))
                return "<<< >>> stands between name and arguments: " + kernel + "<<<grid, block>>>(...)";
    return "behind <<<grid, block>>> stand the kernel's arguments in ( ), and a ;";
}

// The place is between <<< and >>>.
bool is_in_chevrons(const Complaint& c) {
    const std::size_t open = c.line().find("<<<"), close = c.line().find(">>>");
    const auto at = static_cast<std::size_t>(c.message.column > 0 ? c.message.column - 1 : 0);
    return open != std::string_view::npos && open <= at && (close == std::string_view::npos || at <= close);
}

// The kernel whose arguments hold the place.
std::string_view launched(const Complaint& c) {
    for (std::size_t i = c.open_bracket(); i-- > 1;)
        if (c.text(i) == "<<<") return c.text(i - 1);
    return {};
}

std::string number_of_arguments(const Complaint& c) {
    if (is_in_chevrons(c))
        return "<<< >>> takes two to four: the grid, the block, then the bytes of dynamic shared memory, and a stream";
    // Of a launch, the kernel stands in front of <<<.
    std::string_view function = c.bracket_of();
    if (function == ">>>") function = launched(c);
    const std::string parameters = parameters_of(c.view, function);
    if (parameters.empty()) return {};
    return "`" + std::string(function) + "` takes (" + parameters + ")";
}

std::string order_in_chevrons(const Complaint& c) {
    return is_in_chevrons(c) ? "<<< >>> takes the grid first, then the block, then the bytes of dynamic shared memory"
                             : "";
}

// The arguments, or the parameters, between two brackets.
std::vector<std::string> parts_between(const SourceView& view, std::size_t open) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (std::size_t i = open + 1; i + 1 < view.past(open); ++i) {
        const std::string_view word = view.text(i);
        depth += (word == "(" || word == "[") - (word == ")" || word == "]");
        if (word == "," && depth == 0)
            parts.emplace_back();
        else
            parts.back() += (parts.back().empty() ? "" : " ") + std::string(word);
    }
    return parts;
}

// Another argument of the call, that may be stored to, stands where none is stored to: "out".
std::string exchanged_with(const Complaint& c, std::string_view function) {
    if (c.open_bracket() == c.view.tokens().size()) return {};
    const std::vector<std::string> arguments = parts_between(c.view, c.open_bracket());
    std::size_t head = 0;
    for (const auto& [name, declared] : c.view.declared())
        if (name == function && declared.is_function) head = c.view.token_at(declared.line, declared.column) + 1;
    if (head == 0 || c.text(head) != "(") return {};
    const std::vector<std::string> parameters = parts_between(c.view, head);
    for (std::size_t i = 0; i < std::min(arguments.size(), parameters.size()); ++i) {
        const auto declared = c.view.meaning(arguments[i], c.message.line);
        if (declared && declared->is_pointer && !declared->is_const && parameters[i].starts_with("const ") &&
            parameters[i].find('*') != std::string::npos)
            return arguments[i];
    }
    return {};
}

// "`f` takes (int a, int b), 2 of them, and 1 stands here: is b missing?"; "" where the call has as many as there are.
std::string fewer_arguments(const Complaint& c, std::string_view function, const std::string& parameters) {
    if (parameters.empty() || c.open_bracket() == c.view.tokens().size()) return {};
    const std::size_t given = parts_between(c.view, c.open_bracket()).size();
    for (const auto& [name, declared] : c.view.declared()) {
        if (name != function || !declared.is_function) continue;
        const auto wanted = static_cast<std::size_t>(declared.parameter_count);
        if (given == wanted) return {};
        return "`" + std::string(function) + "` takes " + std::to_string(wanted) + " arguments, (" + parameters +
               "), and " + std::to_string(given) + (given == 1 ? " stands" : " stand") +
               " here: " + (given < wanted ? "which one is missing?" : "which one is too many?");
    }
    return {};
}

// "const float *", "const int *": no pointer among the parameters is of such elements, so no two have changed places.
std::string other_elements(const Complaint& c, std::string_view function, std::string_view given,
                           std::string_view wanted) {
    const auto element = [](std::string_view type) {
        if (!type.ends_with(" *") || type.find('*') + 1 != type.size()) return std::string_view();
        type.remove_suffix(2);
        if (type.starts_with("const ")) type.remove_prefix(6);
        return type;
    };
    const std::string_view has = element(given), takes = element(wanted);
    if (has.empty() || takes.empty() || has == takes || c.name.empty() || c.text(c.token) != c.name) return {};
    for (const auto& [name, declared] : c.view.declared()) {
        if (name != function || !declared.is_function) continue;
        const std::size_t head = c.view.token_at(declared.line, declared.column) + 1;
        if (c.text(head) != "(") return {};
        for (const std::string& parameter : parts_between(c.view, head))
            if (parameter.find('*') != std::string::npos && parameter.find(has) != std::string::npos) return {};
        return "`" + c.name + "` points to " + std::string(has) + ", and `" + name + "` (line " +
               std::to_string(declared.line) + ") takes a pointer to " + std::string(takes) +
               " there: let both be of one type";
    }
    return {};
}

// "argument of type A is incompatible with parameter of type B"
std::string argument_type(const Complaint& c) {
    const std::string given = c.quoted(0), wanted = c.quoted(1);
    const std::string_view here = c.text(c.token);
    if (c.says("CUstream_st *") && is_in_chevrons(c))
        return "<<<grid, block, bytes, stream>>>: the fourth is a stream, and the bytes of shared memory are the third";
    if (here == "&" && given == wanted + "*")
        return "take the & away: it makes the address of what is an address already";
    if (here == "&" && given.ends_with("**")) return "take the & away: what is passed is an address already";
    if (here == "*" && wanted.ends_with("*"))
        return "take the * away: the kernel gets the address, and looks there itself";
    if (given == "char" && wanted.ends_with("char *")) return "a text stands in \" \"; ' ' is for a single character";
    // float tile[32][33], handed over as float** or float*.
    if (const std::size_t rows = given.find(" (*)["); rows != std::string::npos && wanted.ends_with("*")) {
        const std::string element = given.substr(0, rows), extents = given.substr(rows + 4);
        return (wanted.ends_with("**")
                    ? "an array of two extents holds its rows one behind the other, and no addresses "
                      "of rows: "
                    : "an array of two extents is handed over with the length of its rows: ") +
               std::string("write the parameter as ") + element + " " + (c.name.empty() ? "tile" : c.name) + "[]" +
               extents;
    }
    if (wanted.ends_with("**") && given.ends_with("*"))
        return "the parameter has one * too many: " + given +
               " is one line of elements, element (row, col) is "
               "[row * length_of_a_row + col]";
    std::string_view function = c.bracket_of();
    if (function == ">>>") function = launched(c);
    const std::string parameters = parameters_of(c.view, function);
    if (std::string fewer = fewer_arguments(c, function, parameters); !fewer.empty()) return fewer;
    if ("const " + wanted == given) {
        if (const std::string other = exchanged_with(c, function); !other.empty())
            return "`" + c.name + "` may only be read, and stands where something is stored: have `" + c.name +
                   "` and `" + other + "` changed places?";
        return "`" + c.name + "` may only be read, and the parameter could store to it: write const " + wanted +
               " in the parameters of `" + std::string(function) + "`";
    }
    const bool is_pointer = given.ends_with("*");
    if (is_pointer != wanted.ends_with("*") && c.text(c.token) == c.name && !c.name.empty() &&
        c.view.meaning(c.name, c.message.line) && (given + " *" == wanted || wanted + " *" == given))
        return is_pointer
                   ? "the parameter is one number, and `" + c.name + "` the address of many: is a * missing there?"
                   : "`" + c.name + "` is one number, and the parameter the address of many: an address is &" + c.name;
    if (std::string other = other_elements(c, function, given, wanted); !other.empty()) return other;
    return (parameters.empty() ? "" : "`" + std::string(function) + "` takes (" + parameters + "): ") +
           "compare the arguments with the parameters, one by one: have two changed places?" +
           (given.starts_with("const ") && wanted.ends_with("*") ? " what is const cannot go where something is stored"
                                                                 : "");
}

std::string launch_has_no_value(const Complaint& c) {
    if (c.quoted(0) != "void") return {};
    if (c.line_has("<<<"))
        return "a launch gives nothing back: ask in the next line, cudaError_t error = cudaGetLastError();";
    return "the function gives nothing back: is its type void where it is to be another one?";
}

// atomicAdd(&bins[i], 1) of unsigned char bins[256]
std::string address_first(const Complaint& c) {
    constexpr std::array too_narrow{"char *", "short *", "bool *"};
    const std::string given =
        c.message.message.substr(std::min(c.message.message.rfind('('), c.message.message.size()));
    for (const std::string_view type : too_narrow)
        if (const std::size_t end = given.find(type); end != std::string::npos)
            return "there is none for `" + given.substr(1, end + type.size() - 3) +
                   "`: it adds to int, unsigned, unsigned long long, float and double";
    return "the first argument is where to add, an address: &array[index]; the second is a value of the same type";
}

std::string mask_first(const Complaint& c) {
    return c.says("_sync\"") ? "its first argument is the mask of the lanes that take part, 0xffffffff for all" : "";
}

std::string template_argument(const Complaint& c) {
    for (const auto& [name, declared] : c.view.declared()) {
        if (name != c.name || !declared.is_function) continue;
        if (c.text(c.token + 1) == "<" && is_type_word(c.text(c.token + 2)) && c.text(c.token + 3) == ">")
            return "line " + std::to_string(c.message.line) + " takes it for " + std::string(c.text(c.token + 2)) +
                   ", whatever the arguments are: leave the < > out, or write <T>";
        if (c.text(c.token + 1) == "<")
            return "its template arguments are fixed when it is compiled: literals, or constexpr";
        if (c.text(c.token + 1) == "(" && c.line_has("<<<"))
            return "template arguments stand in < >: " + name + "<32><<<grid, block>>>(...)";
        if (c.text(c.token + 1) != "<<<" && c.text(c.token + 1) != "(") return {};
        // Does one of the types hang on the template's parameter, it could be told from the arguments.
        const bool is_of_type = declared.parameters.find("T") != std::string::npos;
        return is_of_type ? "the arguments do not say what T is, or say two different things: compare them with (" +
                                declared.parameters + ")"
                          : "its template argument cannot be told from the arguments: write " + name + "<...> with it" +
                                (c.text(c.token + 1) == "<<<" ? ", in front of <<<" : "");
    }
    return {};
}

std::string kernel_is_void(const Complaint&) {
    return "a kernel gives nothing back, it stores its results: write __global__ void";
}

std::string kernel_in_class(const Complaint&) {
    return "a kernel stands outside of every struct and class: move it out";
}

constexpr std::array launch_rows{PlainWord{"a function that is not __global__ cannot be launched", &no_kernel},
                                 PlainWord{"a host function call cannot be configured", &no_kernel},
                                 PlainWord{"the function being called must be a __global__", &no_kernel},
                                 PlainWord{"expected a \">>>\"", &three_chevrons},
                                 PlainWord{"no operator \"<<\"", &three_chevrons},
                                 PlainWord{"no operator \">>\"", &three_chevrons},
                                 PlainWord{"expected an expression", &three_chevrons},
                                 PlainWord{"expected a \"(\"", &arguments_of_launch},
                                 PlainWord{"too few arguments in function call", &number_of_arguments},
                                 PlainWord{"too many arguments in function call", &number_of_arguments},
                                 PlainWord{"no suitable conversion function from", &order_in_chevrons},
                                 PlainWord{"no suitable constructor exists to convert", &order_in_chevrons},
                                 PlainWord{"is incompatible with parameter of type", &argument_type},
                                 PlainWord{"a value of type", &launch_has_no_value},
                                 PlainWord{"no instance of overloaded function \"atomic", &address_first},
                                 PlainWord{"no instance of overloaded function \"__", &mask_first},
                                 PlainWord{"no instance of function template", &template_argument},
                                 PlainWord{"a __global__ function must have a void return type", &kernel_is_void},
                                 PlainWord{"cannot be a member function", &kernel_in_class}};

}  // namespace

std::span<const PlainWord> plain_words_of_launches() { return launch_rows; }

}  // namespace warpgrade
