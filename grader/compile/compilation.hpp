// What the compiler is asked, and what it answers (compile/compiler.hpp).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpgrade {

struct CompileRequest {
    std::string path;    // as the learner named it; used in messages and as the .file name in the PTX
    std::string source;  // the text; compiled in place of the file
    std::string arch = "compute_80";
    bool is_optimised = true;              // false: second compilation that hides no hazard
    std::vector<std::string> definitions;  // "NAME=value", for sweeps
    // Assemble to machine code as well, for a real architecture ("sm_90"), and say how many registers kernels take.
    bool reports_registers = false;
    // A whole program with main(), for grader/host: its headers come first, and what belongs to a host program is not
    // refused.
    bool is_program = false;
    bool allows_cub = false;  // #include <cub/...>, as far as kernels use it
    // Messages as a learner reads them, of one mistake each; else all that the compiler says.
    bool is_read = true;
    std::string appended;  // grader text compiled after the source, e.g. explicit instantiations; own file name
};

// Stands for CompileRequest::appended in messages and in the PTX.
inline constexpr const char* appended_path = "<appended>";

struct CompilerMessage {
    Severity severity = Severity::error;
    std::string path;  // CompileRequest::path, "<header>", or appended_path; never another file of this machine
    int line = 0;
    int column = 0;  // 0 if NVRTC gave none
    std::string message;
    bool names_cause = false;  // a warning of what makes a program fail when it runs
    bool is_slip = false;      // what it warns of hardly ever means what it says: all else follows from it
};

// A function of the C++ standard library that nvcc has for the host alone, where the submission uses it.
struct HostUse {
    int line = 0, column = 0;
    std::string name;  // "std::min", "std::pair::pair", "std::array::operator[]"
};

struct CompileOutput {
    bool ok = false;  // false: the learner's code does not compile; `messages` say why
    std::string ptx;  // when ok
    std::vector<CompilerMessage> messages;
    std::vector<HostUse> host_uses;
    std::map<std::string, int> registers;  // a thread, by mangled name; empty unless asked for
    std::string nvrtc_version;             // "13.0"
    double seconds = 0;                    // of the compilation itself; 0 when cached
    bool is_cached = false;
};

struct NvrtcInfo {
    std::string path;          // of the shared library
    std::string version;       // "13.0"
    std::string cuda_include;  // folder with CUDA's own headers (cooperative_groups.h ...), empty if there is none
};

}  // namespace warpgrade
