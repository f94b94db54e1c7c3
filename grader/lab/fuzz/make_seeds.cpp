// make_fuzz_seeds FOLDER: writes seeds that the repository holds in another form, FOLDER/<target>/...: the kernels of
// the golden op cases, the PTX of every solution and submission that compiles, their text, course files and profiles,
// messages of the wire protocols, archives.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>

#include "base/files.hpp"
#include "build/submission.hpp"
#include "classroom/archive.hpp"
#include "classroom/zip_bytes.hpp"
#include "compile/job.hpp"
#include "course/assignment.hpp"
#include "device/cuda_protocol.hpp"
#include "vgpu/op_case.hpp"

namespace {

namespace fs = std::filesystem;
using namespace warpgrade;

const fs::path root = WARPGRADE_SOURCE_DIR;

void write(const fs::path& path, std::string_view text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

// A case for each opcode as written, guarded and computed early in turn.
void write_ops(const fs::path& folder) {
    std::set<std::string> opcodes;
    for (const op_case::OpCase& c : op_case::read_folder(root / "grader/tests/golden/ops")) {
        const std::string opcode = c.op.substr(0, c.op.find(' '));
        if (!opcodes.insert(opcode).second) continue;
        const bool is_early = opcodes.size() % 4 == 0 && c.lanes == 0;
        write(folder / ("op_" + opcode + ".ptx"),
              op_case::kHeader + (is_early ? op_case::kernel_from_parameters(c, "k")
                                           : op_case::kernel_from_memory(c, "k", opcodes.size() % 2 == 0)));
    }
}

// Without what no run looks at: the debugger's sections, comments.
std::string without_sections(const std::string& ptx) {
    std::istringstream lines(ptx.substr(0, ptx.find("\n\t.section")));
    std::string text, line;
    while (std::getline(lines, line))
        if (!line.starts_with("//") && !line.empty()) text += line + "\n";
    return text;
}

void write_solutions(const fs::path& folder) {
    const auto course = load_course(root.string());
    if (!course) throw std::runtime_error(course.error().title);
    for (const Assignment& assignment : *course) {
        for (const Stage& stage : assignment.stages) {
            const Problem* problem = find_problem(stage.problem);
            const fs::path path = root / "solutions" / assignment.name / stage.file;
            const auto source = read_whole_file(path);
            if (problem == nullptr || !source) continue;
            for (const bool is_optimised : {true, false}) {
                BuildOptions options;
                options.is_optimised = is_optimised;
                const auto build = compile_stage(stage, *problem, path.string(), *source, options);
                if (!build) {
                    std::cerr << "no PTX of the solutions: " << build.error().title << "\n";
                    return;
                }
                write(folder / (assignment.name + "_" + stage.id + (is_optimised ? ".ptx" : "_debug.ptx")),
                      without_sections(build->compiled.ptx));
            }
        }
    }
}

void write_submissions(const fs::path& folder) {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(root / "grader/tests/submissions")) {
        if (entry.path().extension() != ".cu") continue;
        const auto source = read_whole_file(entry.path());
        CompileRequest request;
        request.path = entry.path().string();
        request.source = *source;
        request.is_optimised = ++count % 2 == 0;
        const auto compiled = compile(request);
        if (!compiled) return;
        if (compiled->ok) write(folder / (entry.path().stem().string() + ".ptx"), without_sections(compiled->ptx));
    }
}

void copy_files(const fs::path& from, const std::string& suffix, const fs::path& folder) {
    fs::create_directories(folder);
    for (const auto& entry : fs::recursive_directory_iterator(root / from)) {
        if (entry.path().extension() != suffix) continue;
        const std::string parent = entry.path().parent_path().filename();
        fs::copy_file(entry.path(), folder / (parent + "_" + entry.path().filename().string()),
                      fs::copy_options::overwrite_existing);
    }
}

void write_archives(const fs::path& folder) {
    fs::create_directories(folder);
    test::ZipBytes zip;
    zip.add("transpose/4_padding.cu", "__global__ void k() {}\n")
        .add("../out.cu", "x")
        .add("link.cu", "/etc/passwd", 0120777);
    write(folder / "three.zip", zip.add("R\xe9n\xe9.cu", "int x;\n").add("in.zip", "PK").finish());
    const std::vector<classroom::ArchiveMember> members{{"a/b.cu", "int y;\n"}, {"c.txt", "no"}};
    if (const auto written = classroom::write_tar_gz(folder / "two.tar.gz", members); !written)
        std::cerr << "no archive: " << written.error().title << "\n";
}

void write_messages(const fs::path& folder) {
    CompileJob job;
    job.nvrtc_path = "/usr/lib/libnvrtc.so";
    job.source = "__global__ void k() {}\n";
    job.options = {"-std=c++17", "-lineinfo"};
    job.readable = {"/usr/lib"};
    write(folder / "job", wire::pack(to_fields(job)));
    CompileReply reply;
    reply.status = CompileStatus::compiled;
    reply.ptx = op_case::kHeader;
    reply.log = "submission.cu(3): error: expected a \";\"\n";
    write(folder / "reply", wire::pack(to_fields(reply)));
    cuda::CardFacts facts;
    facts.name = "NVIDIA H200";
    write(folder / "facts", cuda::to_bytes(facts));
    write(folder / "telemetry", cuda::to_bytes(cuda::Telemetry{}));
    cuda::Command command;
    command.kind = cuda::Command::Kind::launch;
    command.kernel = "k";
    command.parameters.resize(16);
    write(folder / "commands", cuda::to_bytes(std::vector<cuda::Command>{command, cuda::Command{}}));
    write(folder / "error",
          wire::pack(cuda::to_fields(cuda::CudaError{700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access",
                                                     "cuStreamSynchronize", ""})));
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 2 && std::string_view(arguments[1]) == "compile-worker") return compile_worker_main();
    if (count != 2) {
        std::cerr << "make_fuzz_seeds FOLDER\n";
        return 2;
    }
    const fs::path folder = arguments[1];
    write_messages(folder / "wire");
    write_archives(folder / "archive");
    for (const char* target : {"source", "launcher"}) {
        copy_files("solutions", ".cu", folder / target);
        copy_files("grader/tests/submissions", ".cu", folder / target);
    }
    copy_files("assignments", ".toml", folder / "toml");
    copy_files("grader/profiles", ".toml", folder / "toml");
    copy_files("grader/tests/classroom", ".csv", folder / "roster");
    write_ops(folder / "ptx");
    write_solutions(folder / "ptx");
    write_submissions(folder / "ptx");
    return 0;
}
