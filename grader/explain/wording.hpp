// Words for what was detected: one place, held by golden tests. Data in, Diagnostic out.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "problem/problem.hpp"
#include "source/facts.hpp"
#include "vgpu/finding.hpp"

namespace warpgrade {

struct LastStore;
struct LaunchInfo;

// `path`, `facts`: the submission. `run`: for "33 x 65" and "row 32, column 0".
// Severity: `error`, but `warning` for a race where both wrote the same value.
// `launches`: of the run; what a message says of the block, or of bytes asked for, is looked up there.
Diagnostic describe(const vgpu::Finding& finding, const std::string& path, const source::Facts& facts, const Case& run,
                    const std::vector<LaunchInfo>* launches = nullptr);
Diagnostic describe(const Judgement& judgement, const std::string& path, const Case& run);
// Of dynamic shared memory, where none of the kernel's launches asks for any.
bool has_no_dynamic_bytes(const vgpu::Finding& finding, const std::vector<LaunchInfo>& launches);
// Where a wrong element was stored, and where the kernel was launched that left one out.
SourceMark mark_of_store(const LastStore& store, const std::string& path, const source::Facts& facts,
                         const std::vector<BufferLayout>& layout);
// The same on the load that the store hangs on, where its line has one.
SourceMark mark_of_load(const LastStore& store, const std::string& path, const source::Facts& facts,
                        const std::vector<BufferLayout>& layout);
// On `name`, where it stands in the line.
SourceMark mark_of_line(int line, const std::string& path, const std::string& source, std::string label,
                        const std::string& name = "");
SourceMark mark_of_launch(const LaunchInfo& launch, const std::string& path, const std::string& source);

}  // namespace warpgrade
