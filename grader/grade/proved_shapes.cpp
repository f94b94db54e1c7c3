#include "grade/proved_shapes.hpp"

#include <time.h>

#include <algorithm>
#include <stdexcept>

#include "course/source_text.hpp"
#include "problem/described.hpp"
#include "proof/prove.hpp"

namespace warpgrade {

Result<std::vector<ProvedType>> proved_types(const Stage& stage, const Problem& problem, const std::string& path,
                                             const Build& built, double seconds) {
    std::vector<ProvedType> proved;
    const auto* described = dynamic_cast<const DescribedProblem*>(&problem);
    if (described == nullptr) return proved;
    const auto module = ptx::parse(built.compiled.ptx);
    if (!module) return module.error();
    double left = seconds;
    for (const std::string& type : stage.types) {
        const auto launcher = built.launchers.find(type);
        if (launcher == built.launchers.end()) continue;
        proof::ProofRequest request{*module, launcher->second, described->description(), type, path};
        request.seconds = left;
        proved.push_back({type, proof::prove(request)});
        left = std::max(0.0, left - proved.back().claim.seconds);
    }
    return proved;
}

Result<std::vector<ProvedType>> prove_file(const Stage& stage, const std::string& path, double seconds) {
    const Problem* problem = find_problem(stage.problem);
    if (!problem) throw std::logic_error("no such problem: " + stage.problem);  // the course loader checked it
    const auto source = read_submission(path);
    if (!source) return source.error();
    const auto built = compile_stage(stage, *problem, path, *source, {});
    if (!built) return built.error();
    if (!built->compiled.ok || !built->failures.empty()) return std::vector<ProvedType>{};
    return proved_types(stage, *problem, path, *built, seconds);
}

double processor_seconds() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

const ProvedType& weakest(const std::vector<ProvedType>& proved) {
    const auto open = std::ranges::find_if(proved, [](const ProvedType& one) { return !one.claim.is_whole(); });
    return open == proved.end() ? proved.front() : *open;
}

}  // namespace warpgrade
