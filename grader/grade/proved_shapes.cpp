#include "grade/proved_shapes.hpp"

#include <time.h>

#include <algorithm>
#include <stdexcept>

#include "course/source_text.hpp"
#include "problem/oracle.hpp"
#include "problem/problem.hpp"
#include "proof/prove.hpp"

namespace warpgrade {

Result<std::vector<ProvedType>> proved_types(const Stage& stage, const Problem& problem, const std::string& path,
                                             const Build& built, double seconds,
                                             const std::map<std::string, ProvedType>& known) {
    const double begun = processor_seconds();
    std::vector<ProvedType> proved;
    if (!problem.by_output().empty()) return proved;  // a proof is of one output
    const auto module = ptx::parse(built.compiled.ptx);
    if (!module) return module.error();
    std::optional<ptx::Module> reference;
    for (const std::string& type : stage.types) {
        const auto launcher = built.launchers.find(type);
        if (launcher == built.launchers.end()) continue;
        if (const auto own = known.find(type); own != known.end()) {
            proved.push_back(own->second);
            continue;
        }
        proof::ProofRequest request{*module, launcher->second, problem.description(), type, path};
        if (problem.description().reference == ReferenceForm::gather) {
            // Without it less is proved: whether it compiles is said where it runs.
            auto own = module_of(problem.description(), type);
            if (own) reference = std::move(*own);
            if (reference) request.reference = &*reference;
        }
        // What is read for it counts as well.
        request.seconds = std::max(0.0, seconds - (processor_seconds() - begun));
        proof::Claim& claim = proved.emplace_back(ProvedType{type, proof::prove(request)}).claim;
        // Another size of the block is another program.
        if (claim.was_tried && !stage.sweep_threads.empty())
            claim.assumptions.push_back("THREADS is what the file sets");
    }
    return proved;
}

Result<std::vector<ProvedType>> prove_file(const Stage& stage, const std::string& path, double seconds) {
    const Problem* problem = find_problem(stage.problem);
    if (!problem) throw std::logic_error("no such problem: " + stage.problem);  // the course loader checked it
    const auto source = read_submission(path);
    if (!source) return source.error();
    const auto device = make_virtual_device();
    const auto built = build(stage, *problem, path, *source, *device, {});
    if (!built) return built.error();
    if (!built->ok()) return std::vector<ProvedType>{};
    auto proved = proved_types(stage, *problem, path, *built, seconds);
    if (!proved) return proved;
    const Bench bench{*problem, *built->program, built->launchers, path, *source};
    for (ProvedType& one : *proved) {
        const auto found = refuted(bench, one.type, built->compiled.ptx, one.claim.witnesses, device->info().limits);
        if (!found) return found.error();
        one.refuted = *found;
    }
    return proved;
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
