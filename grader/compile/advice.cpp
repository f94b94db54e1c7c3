#include "compile/advice.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>

#include "base/near_names.hpp"
#include "base/text.hpp"
#include "compile/include_scan.hpp"
#include "compile/source_lines.hpp"

namespace warpgrade {
namespace {

constexpr std::string_view belongs = "a submission holds kernels and the launcher only";
constexpr std::string_view does_the_exercise = "libraries do the exercise for you";
constexpr std::string_view allocation = "the grader allocates; the launcher gets device pointers that are ready to use";
constexpr std::string_view timing = "the grader times the launches itself";

struct HostName {
    std::string_view prefix;  // of the identifier; the first match serves
    std::string_view reason;
};

constexpr std::array host_prefixes{
    HostName{"cudaMalloc", allocation},
    HostName{"cudaHostAlloc", allocation},
    HostName{"cudaHostRegister", allocation},
    HostName{"cudaFree", "the grader frees what it allocated"},
    HostName{"cudaMemcpy", "the grader copies; data is on the device before the launcher runs and is read after it"},
    HostName{"cudaMemPrefetch", "the grader places the data on the device before the launcher runs"},
    HostName{"cudaStream", "everything runs in the default stream, as in kernel<<<grid, block, shared_bytes>>>(...)"},
    HostName{"cudaEvent", timing},
    HostName{"cudaLaunch", "launch as in kernel<<<grid, block, shared_bytes>>>(...)"},
    HostName{"cudaGraph", "the grader records the launches; launch as in kernel<<<grid, block, shared_bytes>>>(...)"},
    HostName{"cudaDeviceReset", "the grader owns the device"},
    HostName{"cublas", does_the_exercise},
    HostName{"thrust", does_the_exercise},
    HostName{"cutlass", does_the_exercise},
    HostName{"cuda", "the grader does what host programs do around the launches"},
};

constexpr std::array host_words{
    HostName{"cub", does_the_exercise},
    HostName{"time", timing},
    HostName{"gettimeofday", timing},
    HostName{"clock_gettime", timing},
    HostName{"rand", "the grader makes the input"},
    HostName{"srand", "the grader makes the input"},
    HostName{"fopen", "there are no files"},
    HostName{"scanf", "there is no input to read"},
    HostName{"getenv", "there is no environment"},
    HostName{"system", "there are no other programs"},
};

// What <vector>, <iostream> ... bring into std.
const std::set<std::string, std::less<>> host_library{"vector",
                                                      "string",
                                                      "cout",
                                                      "cerr",
                                                      "endl",
                                                      "cin",
                                                      "unique_ptr",
                                                      "shared_ptr",
                                                      "make_unique",
                                                      "array",
                                                      "map",
                                                      "chrono",
                                                      "thread",
                                                      "function",
                                                      "random_device",
                                                      "mt19937",
                                                      "sort",
                                                      "accumulate",
                                                      "iota",
                                                      "ifstream",
                                                      "ofstream",
                                                      "to_string",
                                                      "runtime_error",
                                                      "exception",
                                                      "unordered_map",
                                                      "set",
                                                      "list",
                                                      "stringstream",
                                                      "default_random_engine",
                                                      "uniform_real_distribution",
                                                      "mutex",
                                                      "future",
                                                      "async",
                                                      "reduce",
                                                      "transform",
                                                      "generate",
                                                      "this_thread",
                                                      "string_view"};

// Misspelt ones get the right one offered.
const std::vector<std::string> cuda_words{"threadIdx",
                                          "blockIdx",
                                          "blockDim",
                                          "gridDim",
                                          "warpSize",
                                          "__syncthreads",
                                          "__syncwarp",
                                          "__shared__",
                                          "__global__",
                                          "__device__",
                                          "__shfl_down_sync",
                                          "__shfl_xor_sync",
                                          "__shfl_sync",
                                          "__shfl_up_sync",
                                          "__ballot_sync",
                                          "__any_sync",
                                          "__all_sync",
                                          "__activemask",
                                          "atomicAdd",
                                          "atomicMax",
                                          "atomicMin",
                                          "atomicCAS",
                                          "__threadfence",
                                          "__ldg",
                                          "dim3",
                                          "float2",
                                          "float4",
                                          "size_t",
                                          "nullptr",
                                          "printf",
                                          "cudaGetLastError",
                                          "cudaFuncSetAttribute",
                                          "cudaMemsetAsync",
                                          "cudaDeviceSynchronize",
                                          "__launch_bounds__",
                                          "__restrict__"};

std::string unavailable(std::string_view name, std::string_view reason) {
    return "`" + std::string(name) + "` is not available: " + std::string(reason) + "; " + std::string(belongs);
}

std::string advice_for(std::string_view name) {
    for (const HostName& word : host_words)
        if (name == word.prefix) return unavailable(name, word.reason);
    for (const HostName& known : host_prefixes)
        if (name.starts_with(known.prefix)) return unavailable(name, known.reason);
    return {};
}

std::string std_advice(const std::string& name) {
    if (host_library.count(name) == 0) return {};
    return "`std::" + name + "` is for host programs; " + std::string(belongs) +
           ": the grader allocates, copies, checks and times";
}

// The runtime's names are macros here (include/cuda_runtime_api.h); a learner wrote, and should read, the plain ones.
void show_plain_names(std::string& message) {
    for (const std::string_view prefix : {"__warpgrade_no_", "__warpgrade_cuda"})
        for (std::size_t at; (at = message.find(prefix)) != std::string::npos;)
            message.erase(at, std::string_view("__warpgrade_").size() + (prefix.ends_with("no_") ? 3 : 0));
}

// How a template came to be instantiated and which overloads there are: lines of terms behind what is wrong.
void cut_trail(std::string& message) {
    for (const std::string_view trail : {"; detected during", "; At end of source", "; Note #"})
        if (const std::size_t at = message.find(trail); at != std::string::npos) message.erase(at);
}

// Of NVRTC's warnings, those of what makes a program fail when it runs.
bool is_about_what_runs(const std::string& message) {
    static constexpr std::array phrases{
        "has no effect",    "pointless comparison", "before its value is set", "missing return",
        "where \"==\" may", "is unreachable",       "result of comparison",    "always"};
    return std::any_of(phrases.begin(), phrases.end(),
                       [&](std::string_view phrase) { return message.find(phrase) != std::string::npos; });
}

class Adviser {
public:
    Adviser(std::string_view source, const std::string& path) : path_(path) {
        std::size_t begin = 0;
        while (begin <= source.size()) {
            const std::size_t end = std::min(source.find('\n', begin), source.size());
            lines_.push_back(source.substr(begin, end - begin));
            begin = end + 1;
        }
        for (const SourceLine& line : source_lines(source)) {
            const std::size_t last = line.text.find_last_not_of(" \t");
            if (last != std::string::npos) lines_with_code_.push_back({line.line, line.text.substr(0, last + 1)});
        }
    }

    void run(std::vector<CompilerMessage>& messages) {
        std::vector<CompilerMessage> kept;
        std::set<std::pair<int, std::string>> told;  // a line, and its message with the word it is about
        for (CompilerMessage& message : messages) {
            show_plain_names(message.message);
            cut_trail(message.message);
            if (message.message.starts_with("parsing restarts here")) continue;
            // The operators that do not fit, one by one, when none fits.
            if (message.message.starts_with("built-in operator")) continue;
            if (!told.emplace(message.line, message.message + word_at(message)).second) continue;
            if (message.message.find("unrecognized token") != std::string::npos) explained_.insert(message.line);
            if (std::string better = rewritten(message); !better.empty()) {
                message.message = std::move(better);
                explained_.insert(message.line);
            } else if (is_echo(message)) {
                continue;
            } else {
                place_semicolon(message);
                explain_device_code(message);
                offer_near_name(message);
                say_plainly(message);
            }
            message.names_cause = message.severity == Severity::warning && is_about_what_runs(message.message);
            kept.push_back(std::move(message));
        }
        messages = std::move(kept);
    }

private:
    std::string rewritten(const CompilerMessage& message) const {
        static const std::regex undefined(R"re(^identifier "(\w+)" is undefined)re");
        static const std::regex no_member(R"re(^namespace "std" has no member (?:class )?"(\w+)")re");
        static const std::regex no_header(R"re(^(?:cannot|could not) open source file "([^"]*)")re");
        const std::string& text = message.message;
        std::smatch match;
        if (std::regex_search(text, match, undefined)) return advice_for(std::string(match[1]));
        if (std::regex_search(text, match, no_member)) return std_advice(match[1]);
        if (std::regex_search(text, match, no_header)) return header_advice(match[1]);
        if (text.starts_with("name followed by \"::\"") || text.starts_with("name must be a namespace name")) {
            const std::string name = word_at(message);
            const std::string advice = advice_for(name);
            return advice.empty() && message.path == path_ ? std_advice(name) : advice;
        }
        return {};
    }

    // After `std::vector<int> v` come complaints about `int`, `v` and the bracket: all the same mistake.
    bool is_echo(const CompilerMessage& message) const {
        if (message.severity != Severity::error) return false;
        const std::string& text = message.message;
        // What the line declares that a missing `;` made a part of the one before.
        static const std::regex undefined(R"re(^identifier "(\w+)" is undefined)re");
        std::smatch match;
        if (std::regex_search(text, match, undefined) && swallowed_.count(match[1]) != 0) return true;
        if (explained_.count(message.line) == 0) return false;
        return text.starts_with("type name is not allowed") || text.starts_with("expected a") ||
               text.find(" is undefined") != std::string::npos;
    }

    // NVRTC reports a missing `;` where the next token stands, which is usually a line too late.
    void place_semicolon(CompilerMessage& message) {
        if (message.message != "expected a \";\"" || message.path != path_ || message.column == 0) return;
        const std::string_view line = line_text(message.line);
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string_view::npos || static_cast<int>(first) + 1 != message.column) return;
        for (auto code = lines_with_code_.rbegin(); code != lines_with_code_.rend(); ++code) {
            if (code->line >= message.line) continue;
            static const std::regex declared(R"re(\b(\w+)\s*=[^=])re");
            const std::string swallowed(line);
            for (std::sregex_iterator name(swallowed.begin(), swallowed.end(), declared), end; name != end; ++name)
                swallowed_.insert((*name)[1]);
            message.line = code->line;
            // Behind the code, unless a comment before it has moved the column.
            const bool is_in_place = line_text(code->line).starts_with(code->text);
            message.column = is_in_place ? static_cast<int>(code->text.size()) + 1 : 0;
            message.message = "expected a `;` at the end of this line";
            return;
        }
    }

    // In a launcher, "device code" would be read as a mistake of the compiler's.
    static void explain_device_code(CompilerMessage& message) {
        for (const char* words : {"device code", "a __device__ variable", "for a __device__"})
            if (message.severity == Severity::error && message.message.find(words) != std::string::npos) {
                message.message += "; the grader compiles the whole submission, the launcher too, as device code";
                return;
            }
    }

    void offer_near_name(CompilerMessage& message) const {
        static const std::regex undefined(R"re(^identifier "(\w+)" is undefined$)re");
        std::smatch match;
        if (!std::regex_search(message.message, match, undefined)) return;
        const std::string name = match[1];
        if (const int loop = loop_cut_off(name, message.line); loop != 0) {
            message.message += "\nthe ; behind the for (...) of line " + std::to_string(loop) +
                               " is all that the loop repeats, and `" + name + "` ends there: take it out";
            return;
        }
        if (name.starts_with("__") && std::count(cuda_words.begin(), cuda_words.end(), name + "_sync") != 0) {
            message.message += "\nnow `" + name + "_sync`: its first argument is the mask of the lanes that take part";
            return;
        }
        if (const auto header = header_of_name(name); !header.empty()) {
            message.message += "\nwrite #include <" + header + "> at the top";
            return;
        }
        if (const std::string kernel = only_kernel(); !kernel.empty() && starts_launch(name, message.line)) {
            message.message += "; is it `" + kernel + "`, the kernel of this file?";
            return;
        }
        const std::vector<std::string> own = own_names(name);
        auto near = nearest_name(name, cuda_words);
        if (const auto other = nearest_name(name, own);
            other && (!near || edit_distance(name, *other) <= edit_distance(name, *near)))
            near = other;
        const std::regex parameter(R"re(\b(?:typename|class)\s+)re" + name + R"re(\b)re");
        if (std::any_of(lines_with_code_.begin(), lines_with_code_.end(),
                        [&](const auto& code) { return std::regex_search(code.text, parameter); }))
            message.message += "\nelsewhere `" + name +
                               "` is a template's parameter: this function needs template <typename " + name +
                               "> in front, too";
        else if (near)
            message.message += "; is it `" + *near + "`?";
        else if (const std::string unused = unused_names(message.line); !unused.empty())
            message.message += "\n" + unused + " declared above and not used: does `" + name + "` stand for " +
                               (unused.ends_with("is") ? "it?" : "one of them?");
        else
            message.message += "\ndeclare `" + name + "` above this line, or spell it as it is declared";
    }

    // The line above where `for (int name ...)` has a `;` for its body; 0: none.
    int loop_cut_off(const std::string& name, int line) const {
        const std::regex loop(R"re(\bfor\s*\(\s*[\w:\s]*\b)re" + name + R"re(\b.*;.*;.*\)\s*;)re");
        for (auto code = lines_with_code_.rbegin(); code != lines_with_code_.rend(); ++code)
            if (code->line < line && code->line + 3 >= line && std::regex_search(code->text, loop)) return code->line;
        return 0;
    }

    // In the brackets of an if or a while.
    bool is_in_condition(const CompilerMessage& message) const {
        static const std::regex begin(R"re(\b(?:if|while)\s*\()re");
        const std::string line(line_text(message.line));
        std::smatch match;
        if (message.column == 0 || !std::regex_search(line, match, begin)) return false;
        const auto first = static_cast<std::size_t>(match.position() + match.length());
        std::size_t last = first;
        for (int open = 1; last < line.size() && open > 0; ++last) open += (line[last] == '(') - (line[last] == ')');
        const auto at = static_cast<std::size_t>(message.column) - 1;
        return first <= at && at < last;
    }

    // "void f(int n); {", or the { on the line below.
    bool is_function_cut_off(const CompilerMessage& message) const {
        const std::string_view line = line_text(message.line);
        const std::size_t brace = message.column > 0 ? message.column - 1 : line.size();
        if (brace >= line.size() || line[brace] != '{') return false;
        std::string before(line.substr(0, brace));
        for (auto code = lines_with_code_.rbegin(); code != lines_with_code_.rend(); ++code)
            if (code->line < message.line && before.find_first_not_of(" \t") == std::string::npos) before = code->text;
        const std::size_t last = before.find_last_not_of(" \t");
        return last != std::string::npos && last > 0 && before[last] == ';' &&
               before.find_last_of(')') == before.find_last_not_of(" \t;");
    }

    bool starts_launch(const std::string& name, int line) const {
        return line_text(line).find(name + "<<<") != std::string_view::npos;
    }

    // The name of the file's kernel; "" where there are none or several.
    std::string only_kernel() const {
        static const std::regex declaration(R"re(__global__\s+(?:\w+\s+)*?void\s+(\w+)\s*\()re");
        std::string found;
        for (const SourceLine& line : lines_with_code_) {
            std::smatch match;
            if (!std::regex_search(line.text, match, declaration)) continue;
            if (!found.empty() && found != match[1]) return {};
            found = match[1];
        }
        return found;
    }

    // "`col` is", "`col` and `row` are": numbers that the lines just above declare and the file never asks for.
    std::string unused_names(int line) const {
        static const std::regex declaration(R"re(\b(?:int|unsigned|long|auto|size_t|float|double)\s+(\w+)\s*=[^=])re");
        constexpr int most_lines = 12;
        std::vector<std::string> names;
        for (const SourceLine& code : lines_with_code_) {
            std::smatch match;
            if (code.line >= line || code.line + most_lines < line || !std::regex_search(code.text, match, declaration))
                continue;
            if (uses_of(match[1]) == 1) names.push_back("`" + std::string(match[1]) + "`");
        }
        if (names.empty() || names.size() > 3) return {};
        std::string text = names.front();
        for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 == names.size() ? " and " : ", ") + names[i];
        return text + (names.size() == 1 ? " is" : " are");
    }

    std::size_t uses_of(const std::string& name) const {
        std::size_t uses = 0;
        for (const SourceLine& code : lines_with_code_)
            for (std::size_t at = code.text.find(name); at != std::string::npos; at = code.text.find(name, at + 1))
                uses += (at == 0 || !is_word(code.text[at - 1])) &&
                        (at + name.size() == code.text.size() || !is_word(code.text[at + name.size()]));
        return uses;
    }

    // Names of three letters and more that the file uses elsewhere: of shorter ones every other is a neighbour.
    std::vector<std::string> own_names(const std::string& but) const {
        std::set<std::string> names;
        for (const SourceLine& line : lines_with_code_)
            for (std::size_t i = 0; i < line.text.size(); ++i) {
                std::size_t end = i;
                while (end < line.text.size() && is_word(line.text[end])) ++end;
                if (end - i >= 3 && !std::isdigit(static_cast<unsigned char>(line.text[i])))
                    names.insert(line.text.substr(i, end - i));
                if (end > i) i = end;
            }
        names.erase(but);
        if (but.size() < 3) names.clear();
        return {names.begin(), names.end()};
    }

    static std::string header_of_name(const std::string& name) {
        if (name == "assert") return "cassert";
        if (name.starts_with("FLT_") || name.starts_with("DBL_")) return "cfloat";
        for (const char* type : {"uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t",
                                 "int64_t", "uintptr_t", "intptr_t"})
            if (name == type) return "cstdint";
        return {};
    }

    // How the text declares a name: the words before it on the first line that has it behind a type.
    bool is_declared(const std::string& name, const char* pattern) const {
        const std::regex declaration(std::string(pattern) + R"re(\s*\b)re" + name + R"re(\b)re");
        return std::any_of(lines_with_code_.begin(), lines_with_code_.end(),
                           [&](const SourceLine& line) { return std::regex_search(line.text, declaration); });
    }

    // The compiler's terms, said again for who has not met them.
    void say_plainly(CompilerMessage& message) const {
        if (const std::string plain = plainly(message); !plain.empty()) message.message += "\n" + plain;
    }

    std::string plainly(const CompilerMessage& message) const {
        const std::string& text = message.message;
        const std::string name = word_at(message);
        const auto says = [&](std::string_view words) { return text.find(words) != std::string::npos; };
        if (says("uint3") || says("dim3"))
            if (const std::string built_in = without_part(message.line); !built_in.empty())
                return "`" + built_in + "` has three parts: write " + built_in + ".x, or .y";
        if (says("a function that is not __global__ cannot be launched") ||
            says("a host function call cannot be configured") ||
            says("the function being called must be a __global__")) {
            return "<<< >>> starts kernels: is __global__ missing in front of the function?";
        } else if (says("modifiable lvalue")) {
            if (is_in_condition(message)) return "one = stores; to compare, write ==";
            if (!name.empty() && is_declared(name, R"re(const\b[^;,()]*)re"))
                return "`" + name + "` is const: it can be read, not stored to";
            return "what stands left of = cannot be stored to";
        } else if (says("must have pointer-to-object type")) {
            if (!name.empty() && is_declared(name, R"re(\*\s*(__restrict__)?)re"))
                return "`" + name + "` is flat, one pointer: element (row, col) is " + name +
                       "[row * length_of_a_row + col]";
            else
                return "a single number has no elements: give `" + (name.empty() ? "it" : name) +
                       "` its extents where it is declared, as in [TILE][TILE]";
        } else if (says("block-scope function may only have extern storage") ||
                   says("a function-definition is not allowed here") || says("function definition is not allowed")) {
            return "a function begins inside of another one: above, a closing } is missing";
        } else if (says("initializer not allowed for __shared__")) {
            return "store to it in the kernel, one thread an element, then __syncthreads()";
        } else if (says("must have integral or unscoped enum type")) {
            return "an array index, % and shifts want whole numbers: is one of these a float?";
        } else if (says("no suitable conversion function from") || says("no suitable constructor exists to convert")) {
            return "two element types meet here: does a declaration say float where T belongs?";
        } else if (says("unrecognized token") || says("is not valid in an identifier")) {
            return foreign_character(message);
        } else if (says("annotation on lambda requires")) {
            return "write a struct with `__device__ ... operator()(...) const` in place of the lambda";
        } else if (says("expression must have a constant value") &&
                   line_text(message.line).find("__shared__") != std::string_view::npos) {
            return "the extents of a __shared__ array are fixed when it is compiled: a constexpr, or `extern "
                   "__shared__` with the "
                   "bytes as third launch argument";
        } else if (says("cannot be assigned to an entity of type") && has_comma_in_index(message)) {
            return "[a, b] has one index, b: each extent takes brackets of its own, [a][b]";
        } else if (says("expected a \">>>\"") || (says("no operator \">>\"") && is_open_launch(message))) {
            return "a launch has three of them on either side: <<<grid, block>>>";
        } else if (says("is incompatible with parameter of type")) {
            return "compare the arguments with the parameters, one by one: have two changed places? what is const "
                   "cannot go where "
                   "something is stored";
        } else if (says("expression has no effect")) {
            if (const std::string alone = function_alone(message); !alone.empty())
                return "a function's name alone does not call it: write " + alone + "()";
            if (is_in_condition(message) && line_text(message.line).find(',') != std::string_view::npos)
                return "a, b is b alone: for both conditions write a && b";
            return "what it computes is kept nowhere: is an = missing, as in i += 2?";
        } else if (says("return value type does not match the function type")) {
            return "what is returned has to be of the type in front of the function's name; a void function, as every "
                   "kernel is, ends with return; alone";
        } else if (says("a __global__ function must have a void return type")) {
            return "a kernel gives nothing back, it stores its results: write __global__ void";
        } else if (says("argument list for") && says("template") && says("is missing")) {
            return name.empty() ? "" : "a template's name alone is no value: write " + name + "<T>";
        } else if (says("no instance of overloaded function \"atomic")) {
            return "the first argument is where to add, an address: &array[index]; the second is a value of the same "
                   "type";
        } else if (says("operand of \"*\" must be a pointer") &&
                   line_text(message.line).find("=*") != std::string_view::npos) {
            return "=* stores what a pointer leads to; to multiply what is there, write *=";
        } else if (says("expected a declaration") && is_function_cut_off(message)) {
            return "the ; in front of { ends the function before its body begins: take it out";
        } else if (says("pointless comparison of unsigned integer with zero")) {
            return "an unsigned number is never below 0, so this always holds: test for > 0, or count with an int that "
                   "goes below 0";
        } else if (says("is used before its value is set")) {
            return "which line is to set it? nothing is in a variable until something is stored there";
        } else if (says("missing return statement")) {
            return "what does the function give back where it ends here?";
        } else if (says("where \"==\" may")) {
            return "one = stores; to compare, write ==";
        } else if (says("is unreachable")) {
            return "no way leads here: which return, or which condition, stands before it?";
        } else if (says("static assertion failed")) {
            return "the file itself asks for this: which of the numbers in the condition is not as it should be?";
        }
        return {};
    }

    // "threadIdx", where the line has it without .x, .y or .z.
    std::string without_part(int line) const {
        static const std::regex bare(R"re(\b(threadIdx|blockIdx|blockDim|gridDim)\b(?!\s*\.))re");
        const std::string text(line_text(line));
        std::smatch match;
        return std::regex_search(text, match, bare) ? match[1].str() : "";
    }

    // The line is `name;`, of a function of CUDA's, or of one that the file calls or declares elsewhere.
    std::string function_alone(const CompilerMessage& message) const {
        static const std::regex alone(R"re(^(\w+)\s*;)re");
        const std::string rest(line_text(message.line)
                                   .substr(std::min<std::size_t>(line_text(message.line).size(),
                                                                 message.column > 0 ? message.column - 1 : 0)));
        std::smatch match;
        if (!std::regex_search(rest, match, alone)) return {};
        const std::string name = match[1];
        const bool is_called = std::any_of(lines_with_code_.begin(), lines_with_code_.end(), [&](const SourceLine& l) {
            return l.text.find(name + "(") != std::string::npos;
        });
        return name.starts_with("__") || is_called ? name : "";
    }

    bool has_comma_in_index(const CompilerMessage& message) const {
        static const std::regex two(R"re(\[[^\[\]()]*,[^\[\]()]*\])re");
        return std::regex_search(std::string(line_text(message.line)), two);
    }

    bool is_open_launch(const CompilerMessage& message) const {
        const std::string_view line = line_text(message.line);
        return line.find("<<<") != std::string_view::npos && line.find(">>>") == std::string_view::npos;
    }

    // A character that only looks like one of the language's.
    std::string foreign_character(const CompilerMessage& message) const {
        const std::string_view line = line_text(message.line);
        for (std::size_t at = 0; at < line.size(); ++at) {
            const auto byte = static_cast<unsigned char>(line[at]);
            if (byte < 0x80) continue;
            std::size_t end = at + 1;
            while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) ++end;
            return "`" + std::string(line.substr(at, end - at)) +
                   "` is no character of C++, it came with copied text: type it again (-, \", ', *)";
        }
        return {};
    }

    std::string_view line_text(int line) const {
        return line > 0 && static_cast<std::size_t>(line) <= lines_.size() ? lines_[line - 1] : std::string_view();
    }

    std::string word_at(const CompilerMessage& message) const {
        const std::string_view line = line_text(message.line);
        std::string word;
        for (std::size_t i = message.column > 0 ? message.column - 1 : line.size(); i < line.size() && is_word(line[i]);
             ++i)
            word += line[i];
        return word;
    }

    const std::string& path_;
    std::vector<std::string_view> lines_;
    std::vector<SourceLine> lines_with_code_;  // without comments
    std::set<int> explained_;
    std::set<std::string> swallowed_;  // names
};

}  // namespace

void advise(std::vector<CompilerMessage>& messages, std::string_view source, const std::string& path) {
    Adviser(source, path).run(messages);
}

CompilerMessage main_message(const std::string& path, int line) {
    return {Severity::error, path, line, 0,
            "a submission has no main(): the grader calls the launcher; remove main, or put it between "
            "#ifndef __WARPGRADE__ and #endif"};
}

}  // namespace warpgrade
