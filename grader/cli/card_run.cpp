#include "cli/card_run.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "base/command.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/diagnose.hpp"
#include "cli/terminal.hpp"
#include "cli/verbs.hpp"
#include "device/card_process.hpp"

namespace warpgrade::cli {

namespace {

namespace fs = std::filesystem;

// In $CUDA_HOME, in a folder of $PATH, or where the toolkit is installed; "" where there is none.
std::string find_nvcc() {
    std::vector<std::string> folders;
    if (const char* home = std::getenv("CUDA_HOME")) folders.push_back(std::string(home) + "/bin");
    if (const char* path = std::getenv("PATH"))
        for (const std::string_view folder : split(path, ':')) folders.emplace_back(folder);
    folders.push_back("/usr/local/cuda/bin");
    std::error_code error;
    for (const std::string& folder : folders)
        if (!folder.empty() && fs::is_regular_file(folder + "/nvcc", error)) return folder + "/nvcc";
    return "";
}

struct TemporaryFolder {
    std::string path = (fs::temp_directory_path() / "warpgrade-run-XXXXXX").string();
    TemporaryFolder() {
        if (mkdtemp(path.data()) == nullptr) path.clear();
    }
    ~TemporaryFolder() {
        std::error_code error;
        if (!path.empty()) fs::remove_all(path, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
};

}  // namespace

int run_on_machine_card(const Machine& machine, const host::ProgramText& text,
                        const std::vector<std::string>& arguments) {
    const std::string nvcc = find_nvcc();
    if (nvcc.empty())
        return fail(diagnose(Blame::host, "no_nvcc", "a card is here, but nvcc, which makes the program for it, is not",
                             "install the CUDA toolkit, or set CUDA_HOME to its folder"));
    const TemporaryFolder folder;
    const std::string name = fs::path(text.path).stem().string();
    CardProcess process{folder.path + "/" + name + ".so", {"./" + name}};
    process.arguments.insert(process.arguments.end(), arguments.begin(), arguments.end());
    const std::string source = folder.path + "/" + name + ".cu";
    if (auto status = replace_file(source, text.text); !status) return fail(status.error());
    const cuda::CardFacts& facts = machine.card->facts();
    constexpr std::chrono::seconds longest{300};
    const Ended built = run_program(
        {nvcc, "-std=c++17", "-O2", "-rdc=true", "--extended-lambda", "-shared", "-Xcompiler=-fPIC", "-cudart=static",
         fmt::format("-arch=sm_{}{}", facts.compute_major, facts.compute_minor), "-o", process.library, source},
        longest);
    if (!WIFEXITED(built.status) || WEXITSTATUS(built.status) != 0) {
        std::cerr << escape_lines(built.output) << std::flush;
        return fail(diagnose(Blame::learner, "compile", "nvcc does not take the program",
                             "fix what nvcc says above; `warpgrade run` without --device explains more of it"));
    }
    const auto code = run_on_card(process);
    return code ? *code : fail(code.error());
}

}  // namespace warpgrade::cli
