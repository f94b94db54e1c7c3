// Whether sampled blocks do the work that their time is taken for.
//
// Theory of operation. A modelled time comes from a few blocks of a launch on a shape that is far too large to be run
// whole in each check. So what these blocks do is looked at for signs that the plan does less than its work there: what
// they store, beside what belongs there; how much of the input and the output all blocks touch, if they are all like
// these; and, where parts of an output cannot be judged (a sum), whether the kernels go through the same code as on the
// shape whose output was right. A sign alone refuses nothing: the shape is then run, all blocks of it, on the same
// contents at the same addresses, and its output decides.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

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
    bool is_of_the_model = false;   // the time is less than there can be, and the sampled blocks do their work
};
// `program`: where `plan` was sampled. Nothing: they do their work.
std::optional<Doubt> doubt_about(const SampledPlan& plan, const SampledProgram& program, const Subject& subject,
                                 const Shape& shape, Whose whose = Whose::submission);

// What all blocks do.
struct Settled {
    Verdict verdict = Verdict::none;  // none: not known, as the run would take too long
    std::string detail{};
    double times_the_work = 1;   // of that which the samples tell
    bool is_other_work = false;  // the samples leave out most of what some instruction does: nothing scales them up
    bool is_whole = false;       // of the shape itself, not of one that does the same
};
struct WholeRun {
    Verdict verdict = Verdict::none;
    std::string detail;
    vgpu::ProfileByKernel profile;
};
// What the timing of one file may take: the process that checks it has some seconds of processor time, and one that ran
// out of them while it is timed would be taken for one that does not end. What a part does not suffice for is not
// known.
struct WorkOfTiming {
    // `runs_whole`: one timed shape has to be run to its end as well.
    explicit WorkOfTiming(bool has_end = true, bool runs_whole = false);
    WorkOfTiming(const WorkOfTiming&) = delete;
    vgpu::Budget all, samples, doubts, unasked;
    // By extents: of the shapes between those that are checked and those that are timed.
    std::map<std::vector<std::int64_t>, WholeRun> between;
    double work_of_an_element = 0;    // of timed shapes that were run whole; 0: none was
    bool is_wrong_somewhere = false;  // on a shape that is timed: the samples of others are not believed any more
};
// Bandwidth is what a stage gives its points for, beside right answers.
bool is_about_speed(const Subject& subject);
// All blocks, whatever the samples say: of the timed shape itself where bandwidth is all that a stage is about and the
// budget allows it, of one between it and those that are checked otherwise. Error: host or kit.
Result<Settled> run_all_blocks(const SampledPlan& plan, const Subject& subject, const Shape& shape,
                               const LaunchLimits& limits, WorkOfTiming& work);
// Error: host or kit.
Result<Settled> settle(const Doubt& doubt, const SampledPlan& plan, const Subject& subject, const Shape& shape,
                       const LaunchLimits& limits, WorkOfTiming& work);

}  // namespace warpgrade
