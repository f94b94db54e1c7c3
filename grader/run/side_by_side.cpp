#include "run/side_by_side.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <new>
#include <optional>
#include <thread>

#include "base/parallel.hpp"
#include "device/guarded.hpp"

namespace warpgrade {

namespace {

CaseRun run_one(const Bench& bench, DeviceProgram& program, int threads, const CaseToRun& one) {
    vgpu::Budget budget(bench.budget == nullptr ? one.most_work : std::min(one.most_work, bench.budget->left()));
    const Bench own{bench.problem, program,      bench.launchers, bench.path,
                    bench.source,  bench.seed,   threads,         bench.budget == nullptr ? nullptr : &budget,
                    nullptr,       bench.reading};
    CaseRun run{run_case(own, one.shape, one.options)};
    run.work = budget.given() - budget.left();
    return run;
}

}  // namespace

std::vector<CaseRun> run_side_by_side(const Bench& bench, std::span<const CaseToRun> cases) {
    const std::array<DeviceProgram*, 2> programs{&bench.program, bench.beside};
    const int machine = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const int threads = bench.threads > 0 ? bench.threads : machine;
    const int each = std::max(1, threads / static_cast<int>(programs.size()));

    std::vector<std::optional<CaseRun>> runs(cases.size());
    std::atomic<std::size_t> end = cases.size();
    const auto end_at = [&](std::size_t first_left_out) {
        for (std::size_t known = end; first_left_out < known && !end.compare_exchange_weak(known, first_left_out);) {
        }
    };
    const auto run = [&](std::size_t i) {
        try {
            runs[i] = run_one(bench, *programs[i % programs.size()], each, cases[i]);
            if (!runs[i]->outcome && is_out_of_memory(runs[i]->outcome.error())) return end_at(i);
            if (!runs[i]->outcome || !runs[i]->outcome->passed()) end_at(i + 1);
        } catch (const std::bad_alloc&) {
            end_at(i);
        }
    };
    if (threads == 1) {
        for (std::size_t i = 0; i < end; ++i) run(i);
    } else {
        for_each_in_parallel(programs.size(), static_cast<unsigned>(programs.size()), [&](std::size_t first) {
            for (std::size_t i = first; i < end; i += programs.size()) run(i);
        });
    }
    // Where there is no memory for two, the first one has it alone; the others are for later.
    if (end == 0) {
        runs.assign(1, std::nullopt);
        bench.beside->release_all();
        runs[0] = run_one(bench, bench.program, threads, cases[0]);
        end = 1;
    }
    std::vector<CaseRun> done;
    for (std::size_t i = 0; i < end; ++i) done.push_back(std::move(*runs[i]));
    return done;
}

}  // namespace warpgrade
