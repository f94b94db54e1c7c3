#include "host/compile_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "source/questions.hpp"

namespace warpgrade::host {

namespace {

struct Signature {
    std::string_view name;
    std::size_t least;
    std::string_view parameters;
};
constexpr Signature signatures[] = {
    {"cudaMalloc", 2, "the address of the pointer, bytes"},
    {"cudaMallocManaged", 2, "the address of the pointer, bytes"},
    {"cudaMallocHost", 2, "the address of the pointer, bytes"},
    {"cudaMemcpy", 4, "destination, source, bytes, direction"},
    {"cudaMemcpyAsync", 4, "destination, source, bytes, direction, stream"},
    {"cudaMemset", 3, "destination, value of a byte, bytes"},
    {"cudaMemcpyToSymbol", 3, "symbol, source, bytes"},
    {"cudaMemcpyFromSymbol", 3, "destination, symbol, bytes"},
    {"cudaEventElapsedTime", 3, "the address of a float, start, stop"},
    {"cudaEventRecord", 1, "event, stream"},
};

// A call of the runtime in the message's line that has too few arguments, or the one of `cudaMalloc`'s kind.
const Signature* signature_at(const SourceText& source, int line, const source::Call*& call) {
    for (const source::Call& one : source.facts().calls)
        for (const Signature& signature : signatures)
            if (one.line == line && one.name == signature.name) {
                call = &one;
                return &signature;
            }
    return nullptr;
}

bool reword_call(CompilerMessage& message, const SourceText& source) {
    const bool is_few = message.message.starts_with("too few arguments in function call");
    const bool is_none = message.message.starts_with("no instance of ");
    const source::Call* call = nullptr;
    const Signature* const known = is_few || is_none ? signature_at(source, message.line, call) : nullptr;
    if (known == nullptr) return false;
    if (call->arguments.size() < known->least) {
        message.message = fmt::format("`{}` takes ({}): {} of {} arguments is missing", known->name, known->parameters,
                                      known->least - call->arguments.size(), known->least);
        return true;
    }
    const bool wants_address = known->parameters.starts_with("the address of the pointer");
    const std::string_view pointer = wants_address ? source::plain_name(*source.facts().tree, call->arguments[0]) : "";
    if (pointer.empty()) return false;
    message.message = fmt::format(
        "`{0}` stores an address in the pointer, so that it needs the pointer's own\n"
        "write {0}(&{1}, ...)",
        known->name, pointer);
    return true;
}

// Names that CUDA has taken away.
constexpr std::pair<std::string_view, std::string_view> gone[] = {
    {"cudaThreadSynchronize", "cudaDeviceSynchronize()"},
    {"cudaThreadExit", "cudaDeviceReset()"},
    {"cudaThreadSetCacheConfig", "cudaDeviceSetCacheConfig"}};

}  // namespace

void reword(CompilerMessage& message, const SourceText& source) {
    static const std::regex of_cuda(R"re(identifier "((?:cuda|cublas|curand|cufft|cusparse|nvtx)\w+)" is undefined)re");
    static const std::regex of_std(R"re(namespace "(std(?:::\w+)*)" has no member "(\w+)")re");
    static const std::string_view of_argument = "cannot pass an argument with a user-provided ";
    if (reword_call(message, source)) return;
    if (message.message.starts_with(of_argument))
        message.message =
            "`run` cannot pass an argument to a kernel whose type has a copy constructor or destructor of its own\n"
            "pass its members; of a std::vector the elements are in host memory: copy them with cudaMemcpy";
    for (const auto& [name, other] : gone)
        if (message.message.find(fmt::format("\"{}\" is undefined", name)) != std::string::npos)
            message.message = fmt::format("`{}` is gone from CUDA\nwrite {}", name, other);
    static const std::string ours = "__warpgrade_";
    for (std::size_t at = 0; (at = message.message.find(ours, at)) != std::string::npos;)
        message.message.erase(at, ours.size());
    message.message = std::regex_replace(message.message, of_cuda, "`run` does not have `$1`");
    message.message = std::regex_replace(message.message, of_std, "`run` does not have `$1::$2`");
}

}  // namespace warpgrade::host
