#include "grade/suspicious.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string_view>

#include "course/source_outline.hpp"
#include "grade/suspicious_calls.hpp"
#include "grade/suspicious_expressions.hpp"
#include "grade/suspicious_strides.hpp"
#include "grade/suspicious_trees.hpp"
#include "grade/suspicious_variables.hpp"

namespace warpgrade {

namespace {

class Functions : public SuspiciousText {
public:
    explicit Functions(const Outline& outline) : SuspiciousText(outline.tokens) {
        for (const FunctionText& function : outline.functions) {
            look_for_empty_if(function);
            if (function.side == Side::kernel) {
                look_for_private_tile(function);
                look_for_two_dynamic_arrays(function);
                look_for_early_return(function);
                look_for_reference(function);
            }
            if (function.side == Side::host) look_for_threads_of_the_host(function);
        }
    }

private:
    bool has(const FunctionText& function, std::string_view word) const {
        for (std::size_t i = function.body_begin; i < function.body_end; ++i)
            if (text(i) == word) return true;
        return false;
    }

    void look_for_empty_if(const FunctionText& function) {
        for (std::size_t i = function.body_begin; i + 1 < function.body_end; ++i) {
            if (text(i) != "if" || text(i + 1) != "(") continue;
            int depth = 0;
            for (++i; i < function.body_end; ++i) {
                if (text(i) == "(") ++depth;
                if (text(i) == ")" && --depth == 0) break;
            }
            if (text(i + 1) == ";" && text(i + 2) != "else")
                warn(i + 1, "this `;` ends the `if`: what follows is done whatever the condition says",
                     "take the `;` behind the condition out");
        }
    }

    // float tile[32][32]; in a kernel with a barrier and without any __shared__
    void look_for_private_tile(const FunctionText& function) {
        static constexpr std::array types{"float", "double", "int", "unsigned", "float4", "T"};
        if (!has(function, "__syncthreads") || has(function, "__shared__")) return;
        for (std::size_t i = function.body_begin; i + 2 < function.body_end; ++i)
            for (const std::string_view type : types)
                if (text(i) == type && tokens_[i + 1].is_word && text(i + 2) == "[")
                    return warn(i + 1,
                                fmt::format("`{}` is an array of each thread's own: what one thread stores there, no "
                                            "other thread can read",
                                            text(i + 1)),
                                fmt::format("write __shared__ in front: __shared__ {} {}[...]", type, text(i + 1)));
    }

    void look_for_two_dynamic_arrays(const FunctionText& function) {
        std::string_view first;
        for (std::size_t i = function.body_begin; i + 1 < function.body_end; ++i) {
            if (text(i) != "extern") continue;
            std::size_t end = i;
            while (end < function.body_end && text(end) != "[" && text(end) != ";") ++end;
            if (text(end) != "[") continue;
            if (first.empty()) {
                first = text(end - 1);
            } else if (text(end - 1) != first) {
                warn(end - 1,
                     fmt::format("`{}` and `{}` begin at the same address: a block has one piece of dynamic shared "
                                 "memory",
                                 first, text(end - 1)),
                     "declare one array and give each part its own place in it, by an offset");
            }
            i = end;
        }
    }

    // __global__ void kernel(const float* in, int& rows)
    void look_for_reference(const FunctionText& function) {
        for (std::size_t i = function.body_begin;
             i-- > 0 && text(i) != "__global__" && text(i) != ";" && text(i) != "}";)
            if (text(i) == "&")
                return warn(i,
                            fmt::format("`{}` is a reference, to a variable of the launcher: that is not in GPU memory",
                                        text(i + 1)),
                            "take the & out: a kernel gets numbers and pointers by value");
    }

    // if (x >= cols) return; with a barrier behind, where x was computed from threadIdx.
    void look_for_early_return(const FunctionText& function) {
        std::set<std::string_view> of_threads{"threadIdx"};
        std::size_t last_barrier = 0;
        for (std::size_t i = function.body_begin; i + 1 < function.body_end; ++i) {
            if (text(i) == "__syncthreads") last_barrier = i;
            if (!tokens_[i].is_word || text(i + 1) != "=") continue;
            for (std::size_t end = i + 2; end < function.body_end && text(end) != ";"; ++end)
                if (of_threads.contains(text(end))) of_threads.insert(text(i));
        }
        for (std::size_t i = function.body_begin; i + 1 < last_barrier; ++i) {
            if (text(i) != "if" || text(i + 1) != "(") continue;
            bool differs = false;
            int depth = 0;
            for (++i; i < function.body_end; ++i) {
                differs = differs || of_threads.contains(text(i));
                if (text(i) == "(") ++depth;
                if (text(i) == ")" && --depth == 0) break;
            }
            std::size_t then = text(i + 1) == "{" ? i + 2 : i + 1;
            // if (...) { ... } else return;
            if (differs && text(i + 1) == "{" && text(then) != "return") {
                const std::size_t behind = past(i + 1, function.body_end, i + 1);
                if (text(behind) == "else" && behind < last_barrier)
                    then = text(behind + 1) == "{" ? behind + 2 : behind + 1;
            }
            if (differs && text(then) == "return")
                return warn(then,
                            std::string(early_return) +
                                " are missing behind the __syncthreads() below, where other threads count on them",
                            "let every thread get to the barrier: put the test around the load and the store alone");
        }
    }

    // In what launches it is an error (build/legality.cpp); here a __device__ may be missing.
    void look_for_threads_of_the_host(const FunctionText& function) {
        for (std::size_t i = function.body_begin; i < function.body_end; ++i)
            if (text(i) == "<<<") return;
        for (std::size_t i = function.body_begin; i < function.body_end; ++i)
            for (const std::string_view word : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
                if (text(i) == word && text(i + 1) == ".")
                    return warn(i,
                                fmt::format("`{}` means nothing in `{}`, which runs on the host: no kernel is running "
                                            "there",
                                            word, function.name),
                                "only kernels, and what they call, have a place among threads: take it out of here");
    }
};

}  // namespace

std::vector<CompilerMessage> suspicious_places(const std::string& source, const std::string& path) {
    const Outline outline = outline_of(source);
    const bool is_unfinished = source.find("// remove this line") != std::string::npos;
    std::vector<CompilerMessage> all;
    for (const auto& some :
         {suspicious_expressions(source, outline), suspicious_variables(outline), suspicious_trees(outline),
          suspicious_strides(outline), suspicious_calls(outline), Functions(outline).found})
        for (const SuspiciousPlace& place : some) {
            // What reads it is still to be written.
            if (is_unfinished && place.message.ends_with("read nowhere")) continue;
            all.push_back({Severity::warning, path, place.line, place.column, place.message + "\n" + place.help, true});
        }
    return all;
}

}  // namespace warpgrade
