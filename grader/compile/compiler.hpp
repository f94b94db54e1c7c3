// CUDA C++ text -> PTX text, by NVRTC in a worker process.
//
// Theory of operation. A submission is compiled once, all of it as device code (-default-device -rdc=true -lineinfo),
// so its host launcher becomes a PTX function. NVRTC runs in a child process (the same executable, started again with
// the hidden verb `compile-worker`) under limits: 20 s, 2 GiB, no file writes, `#include` only of the headers shipped
// in compile/include and of CUDA's own. The PTX is cached by content: source bytes, options, NVRTC version, headers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/confined.hpp"
#include "base/result.hpp"
#include "compile/compilation.hpp"

namespace warpgrade {

// Finds NVRTC: $WARPGRADE_NVRTC, $CUDA_PATH, $CUDA_HOME, /usr/local/cuda*, the loader's path, the nvidia-cuda-nvrtc
// wheel in the kit's venv. Error: blame host, and says what to install.
Result<NvrtcInfo> find_nvrtc();

// Error: no NVRTC (host), the worker was killed by a limit (learner: too much processor time or memory; host: the
// machine is too busy), a kit defect. A submission that does not compile is a value with ok == false.
Result<CompileOutput> compile(const CompileRequest& request);

// What a confined process compiles with: offer it under this name. The parent chooses NVRTC, options and folders
// itself. `most`, `cpu_seconds`: compilations that it may ask for, and what they may take together (each may have a
// second all the same); where `slowdown` tells that this machine is slower than most, so many times more.
inline constexpr const char* compile_service_name = "compile";
inline constexpr const char* compile_ahead_service = "compile_ahead";
Services compile_services(unsigned most = 200, double cpu_seconds = 6, double (*slowdown)() = cpu_slowdown);
// Begins, in a confined process, what will be asked for soon, so that it is done beside other work.
void compile_ahead(const CompileRequest& request);

// A source file's text, as it is compiled, shown and kept: UTF-8, whatever encoding the file was saved in.
struct SourceFile {
    std::string text;
    std::vector<CompilerMessage> notes;  // warnings: what of the file is not as it seems
};

// Reads a submission: regular file, at most 1 MiB, text; what is not UTF-8 is read as Windows-1252. Errors (unreadable,
// directory, empty, binary, too long a line) are the learner's or usage's and say what was found. In a confined
// process: only what was read ahead.
Result<SourceFile> read_source_file(const std::string& path);
Result<std::string> read_submission(const std::string& path);  // its text alone

// Takes the file's bytes as they are now, for confined processes that start from here on. Error: usage, as above.
Status read_ahead(const std::string& path);
// Its text where it was read ahead, also where read_submission finds fault with it; else nullptr.
const std::string* text_read_ahead(const std::string& path);

// Body of the hidden verb; the request on standard input, the output on standard output. Never returns failure codes of
// its own: everything is in the reply.
int compile_worker_main();

}  // namespace warpgrade
