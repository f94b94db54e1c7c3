// A submission from text to something a device can run: read, compiled, loaded, its launchers found.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compile/compiler.hpp"
#include "course/assignment.hpp"
#include "device/device.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

struct BuildOptions {
    bool is_optimised = true;
    std::vector<std::string> definitions;
    std::string arch = CompileRequest{}.arch;
    bool reports_registers = false;  // then arch is a real one, "sm_90"
};

struct Build {
    CompileOutput compiled;
    std::unique_ptr<DeviceProgram> program;        // null: see failure, or compiled.messages
    std::unique_ptr<DeviceProgram> beside;         // DeviceProgram::another(), once it was asked for
    std::map<std::string, std::string> launchers;  // element type -> mangled name
    std::vector<Diagnostic> failures;              // the learner's: no launcher, compilation over its limits
    std::vector<std::string> definitions;          // it was compiled with
    bool ok() const { return program != nullptr && failures.empty(); }
};

// A build without its program: what a device can load. Error: host, course or kit.
Result<Build> compile_stage(const Stage& stage, const Problem& problem, const std::string& path,
                            const std::string& source, const BuildOptions& options);

// Begins in a confined process what compile_stage will be asked for soon.
void compile_stage_ahead(const Stage& stage, const Problem& problem, const std::string& path, const std::string& source,
                         const BuildOptions& options);

// Error: host, course or kit. What is the learner's fault is in the Build.
Result<Build> build(const Stage& stage, const Problem& problem, const std::string& path, const std::string& source,
                    Device& device, const BuildOptions& options);

}  // namespace warpgrade
