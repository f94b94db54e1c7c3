// The search for a launcher: names demangled from the PTX (the first lines, up to an empty one), then the submission.
#include <cstdlib>
#include <string>
#include <vector>

#include "build/launcher.hpp"
#include "problem/problem.hpp"
#include "target.hpp"

using namespace warpgrade;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    const std::string source(text.substr(end));
    std::vector<FunctionName> functions;
    for (std::string_view rest = text.substr(0, end); !rest.empty();) {
        const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size()));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        (void)take_apart(line);
        functions.push_back({"_Z" + std::to_string(functions.size()), std::string(line), line.ends_with('!')});
    }
    static const bool is_read = load_problems(WARPGRADE_SOURCE_DIR "/assignments").ok();
    if (!is_read || all_problems().empty()) std::abort();
    for (const Problem* problem : all_problems())
        for (const char* type : {"float", "double"}) (void)find_launcher(functions, *problem, type, "fuzz.cu", source);
    return 0;
}
