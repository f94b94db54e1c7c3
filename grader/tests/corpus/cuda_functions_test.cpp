// Every function that CUDA's device headers declare (data/cuda_functions.txt), each in a kernel of its own: the virtual
// GPU knows each opcode that NVRTC makes of them.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "compile/support.hpp"
#include "ptx/module.hpp"
#include "support/catch.hpp"
#include "vgpu/vgpu.hpp"

using namespace warpgrade;
using namespace warpgrade::test;

namespace {

struct Function {
    int capability = 0;
    std::string result, name;
    std::vector<std::string> parameters;
    std::string shown() const { return fmt::format("{} {}({})", result, name, fmt::join(parameters, ", ")); }
};

std::vector<Function> all_functions() {
    std::vector<Function> all;
    std::ifstream file(WARPGRADE_SOURCE_DIR "/grader/tests/data/cuda_functions.txt");
    int capability = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        if (line[0] == '[') {
            capability = std::stoi(line.substr(1));
            continue;
        }
        const std::size_t open = line.find('('), close = line.find("): ");
        Function f{capability, line.substr(0, open), "", {}};
        for (std::size_t at = open + 1; at < close;) {
            const std::size_t end = std::min(line.find(", ", at), close);
            f.parameters.push_back(line.substr(at, end - at));
            at = end + 2;
        }
        std::istringstream names(line.substr(close + 3));
        while (names >> f.name) all.push_back(f);
    }
    return all;
}

bool is_of_halves(const Function& f) {
    const std::string text = f.shown();
    return text.find("half") != std::string::npos || text.find("bfloat") != std::string::npos;
}

// One line: values come from memory, so that nothing is computed ahead.
std::string kernel(const Function& f, std::size_t number) {
    std::vector<std::string> parameters, arguments;
    for (std::size_t i = 0; i < f.parameters.size(); ++i) {
        const bool is_pointer = f.parameters[i].ends_with('*');
        parameters.push_back(fmt::format("{}{} a{}", f.parameters[i], is_pointer ? "" : "*", i));
        arguments.push_back(is_pointer ? fmt::format("a{} + threadIdx.x", i) : fmt::format("a{}[threadIdx.x]", i));
    }
    if (f.name == "__prof_trigger") arguments = {"1"};
    std::string call = fmt::format("{}({})", f.name, fmt::join(arguments, ", "));
    if (f.result != "void") {
        parameters.push_back(f.result + "* out");
        call = "out[threadIdx.x] = " + call;
    }
    return fmt::format("__global__ void k{}({}) {{ {}; }}\n", number, fmt::join(parameters, ", "), call);
}

// What does not compile (an older CUDA has fewer functions) is left out the second time.
CompileOutput compiled_for(int capability, const std::vector<Function>& functions, std::size_t& left_out) {
    CompileRequest request = request_for("");
    request.arch = "compute_" + std::to_string(capability);
    std::vector<bool> is_known(functions.size(), true);
    CompileOutput output;
    for (int attempt = 0; attempt < 2; ++attempt) {
        std::vector<std::size_t> line_of{0, 0, 0};
        request.source = "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n";
        for (std::size_t i = 0; i < functions.size(); ++i) {
            if (!is_known[i] || functions[i].capability > capability) continue;
            request.source += kernel(functions[i], i);
            line_of.push_back(i);
        }
        output = compiled(request);
        if (output.ok) break;
        for (const CompilerMessage& message : output.messages) {
            if (message.severity != Severity::error || message.line < 3) continue;
            const std::size_t i = line_of.at(static_cast<std::size_t>(message.line));
            left_out += is_known[i] ? 1 : 0;
            is_known[i] = false;
        }
    }
    return output;
}

// Empty, or a line for each kernel that has something unknown.
std::string unknown_in(const ptx::Module& whole, const std::vector<Function>& functions) {
    if (const auto program = vgpu::load(whole, "test.cu"); program.ok()) return "";
    std::string all;
    ptx::Module part = whole;
    for (const ptx::Function& f : whole.functions) {
        if (!f.is_entry) continue;
        std::erase_if(part.functions, [](const ptx::Function& other) { return other.is_entry; });
        part.functions.push_back(f);
        const auto program = vgpu::load(part, "test.cu");
        if (program.ok()) continue;
        all += program.error().title + " in " + functions.at(std::stoul(f.name.substr(f.name.find('k') + 1))).shown() +
               "\n";
    }
    return all.empty() ? "it does not load as a whole" : all;
}

}  // namespace

TEST_CASE("the virtual GPU knows every opcode that CUDA's functions are made of", "[eighth_6][functions]") {
    if (lacks_nvrtc()) return;
    if (find_nvrtc()->cuda_include.empty()) {
        WARN("skipped: no CUDA headers of NVRTC's version on this machine");
        return;
    }
    std::vector<Function> functions = all_functions();
    CHECK(functions.size() > 1500);
    for (const int capability : {90, 80}) {
        if (capability == 80)
            std::erase_if(functions, [](const Function& f) { return !is_of_halves(f); });  // what differs there
        INFO("compute_" << capability);
        std::size_t left_out = 0;
        constexpr std::size_t most_at_once = 400;  // what a slow machine compiles within the limit of a submission
        for (std::size_t begin = 0; begin < functions.size(); begin += most_at_once) {
            const std::vector<Function> part(
                functions.begin() + static_cast<std::ptrdiff_t>(begin),
                functions.begin() + static_cast<std::ptrdiff_t>(std::min(begin + most_at_once, functions.size())));
            const CompileOutput output = compiled_for(capability, part, left_out);
            REQUIRE(output.ok);
            const auto module = ptx::parse(output.ptx);
            REQUIRE(module.ok());
            CHECK(unknown_in(*module, part) == "");
        }
        CHECK(left_out < 100);
    }
}
