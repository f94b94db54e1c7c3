// Whether sampled blocks do the work that their time is taken for.
//
// Theory of operation. A modelled time comes from a few blocks of a launch on a shape that is far too large to be run
// whole in each check. So what these blocks do is looked at for signs that the plan does less than its work there: what
// they store, beside what belongs there; how much of the input and the output all blocks touch, if they are all like
// these; and, where parts of an output cannot be judged (a sum), whether the kernels go through the same code as on the
// shape whose output was right. A sign alone refuses nothing: the shape is then run, all blocks of it, on the same
// contents at the same addresses, and its output decides.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "model/sampled_program.hpp"
#include "timing/measure.hpp"

namespace warpgrade {

// The course's own does its work: `verify` checks its outputs. Of it only how much of the buffers the samples touch is
// looked at, for its time to be that of a submission like it.
enum class Whose { submission, course };

// What sampled blocks gave rise to.
struct Doubt {
    std::string sign;               // in words: "the blocks store 0 of 268 MB of `out`"
    bool is_about_the_way = false;  // other code ran than where the output was right; nothing else is known
};
// `program`: where `plan` was sampled. Nothing: they do their work.
std::optional<Doubt> doubt_about(const SampledPlan& plan, const SampledProgram& program, const Subject& subject,
                                 const Shape& shape, Whose whose = Whose::submission);

// What all blocks do.
struct Settled {
    Verdict verdict = Verdict::none;  // none: not known, as the run would take too long
    std::string detail;
    double times_the_work = 1;  // of that which the samples tell
};
struct WholeRun {
    Verdict verdict = Verdict::none;
    std::string detail;
    vgpu::ProfileByKernel profile;
};
// All blocks of the shape between those that are checked and those that are timed: once, though several shapes may ask
// for it at the same time.
class RunBetween {
public:
    // `run` spends of `budget`; who comes later spends as much, and gets what it found. What took too long is tried
    // again.
    Result<WholeRun> ask(vgpu::Budget& budget, const std::function<Result<WholeRun>()>& run);

private:
    std::mutex mutex_;
    std::optional<WholeRun> found_;
    std::uint64_t cost_ = 0;
};

// What the timing of one file may take: the process that checks it has some seconds of processor time, and one that ran
// out of them while it is timed would be taken for one that does not end. What a part does not suffice for is not
// known.
struct WorkOfTiming {
    explicit WorkOfTiming(bool has_end = true);
    // For a shape that is looked at beside those before it, as if they took nothing and were right.
    static std::unique_ptr<WorkOfTiming> ahead_of(const WorkOfTiming& work);
    WorkOfTiming(const WorkOfTiming&) = delete;
    // Takes what such a shape spent. False, and nothing is taken: it would not have had as much in its turn.
    bool take(const WorkOfTiming& ahead);

    vgpu::Budget all, samples, doubts, unasked;
    std::shared_ptr<RunBetween> between;
    std::optional<WholeRun> known_between;  // once it was paid for, of these
    std::uint64_t between_of_doubts = 0, between_of_unasked = 0;
    bool is_wrong_somewhere = false;  // on a shape that is timed: the samples of others are not believed any more
    // On a slow machine the same work may take too long all the same: a third of the most that there is is used.
    bool is_late() const;

private:
    WorkOfTiming(std::uint64_t all, std::uint64_t samples, std::uint64_t doubts, std::uint64_t unasked,
                 std::shared_ptr<RunBetween> between);
};
// All blocks of a shape between those that are checked and the timed one, whatever the samples say. Error: host or kit.
Result<Settled> run_all_blocks(const Subject& subject, const Shape& shape, const LaunchLimits& limits,
                               WorkOfTiming& work);
// Error: host or kit.
Result<Settled> settle(const Doubt& doubt, const SampledPlan& plan, const Subject& subject, const Shape& shape,
                       const LaunchLimits& limits, WorkOfTiming& work);

}  // namespace warpgrade
