// Bandwidths of a stage: the submission, the reference and the yardsticks on one card, in turns.
//
// Theory of operation. `BandwidthSource` is where bandwidths come from: a card here, a model of one elsewhere. A
// Measurer times the shapes of a problem on a Rig (measure_rig.hpp), decides whether the samples are enough, and says
// what they mean: ok, noisy, impossible, or wrong. What it loads (its own kernels, references) stays on the card from
// stage to stage.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/confined.hpp"
#include "build/submission.hpp"
#include "course/assignment.hpp"
#include "device/card_program.hpp"
#include "model/profile.hpp"
#include "problem/problem.hpp"
#include "timing/bandwidth.hpp"
#include "timing/measure_rig.hpp"
#include "timing/measure_statistics.hpp"

namespace warpgrade {

// What bandwidths are asked for.
struct Subject {
    const Assignment& assignment;
    const Stage& stage;
    const Problem& problem;
    const std::string& path;
    const Build& build;
    std::uint64_t seed = 0;
    // How the kernels ran on the technique shape, where the output came out right; nullptr = not known.
    const vgpu::ProfileByKernel* checked = nullptr;
    int threads = 0;              // of this machine, for the virtual GPU; 0 = all
    bool runs_timed = false;      // all blocks of a large shape as well, where the time is modelled
    bool is_wrong_above = false;  // a size above those that are run whole came out wrong
};

class BandwidthSource {
public:
    virtual ~BandwidthSource() = default;
    // What submissions are to be compiled for: "compute_90".
    virtual std::string arch() const = 0;
    virtual TimingLimits limits() const = 0;
    // Begins what `bandwidths` will wait for and what can be done beside other work.
    virtual void prepare(const Subject&) const {}
    // One for each of the shapes; none given: the problem's own, one a class, aligned first. Error: host or kit.
    virtual Result<std::vector<Bandwidth>> bandwidths(const Subject& subject, const std::vector<Shape>& shapes) = 0;
    // Why the last call has no bandwidth of a submission that is right; "": it has one, or there is nothing to say.
    virtual std::string why_none() const { return {}; }
    // What the reference of a stage reaches of the copy by the same reckoning, where it is recorded; 0: it is not. It
    // says so of the shape that the stage is timed on (is_timing_shape), and of no other: at sizes that fit into a
    // cache the copy gains more than a kernel does.
    virtual double recorded_share(const std::string&, const std::string&) const { return 0; }
    // What `bandwidths` asks of the parent in a confined process: the reference solution is not for its eyes.
    virtual Services services(const Assignment& assignment, const Stage& stage) = 0;
};

// Points come from this shape in its class, with this seed or with none: 1024 x 1024 as somebody types it is "aligned",
// and timed is it as "small".
bool is_timing_shape(const Problem& problem, const TimingLimits& limits, std::uint64_t seed, const Shape& shape);

// Why a bandwidth cannot be: more than the memory can move, or than 1.05 times its own yardstick. "": it can.
// `clock_seconds`: how far off its time may be.
std::string why_impossible(const Bandwidth& bandwidth, std::uint64_t bytes, const TimingLimits& device,
                           double clock_seconds);

// A program to be timed.
struct Entry {
    std::string name;  // for messages
    std::string path;
    std::string ptx;       // empty: the parent has it, and makes its plan
    std::string launcher;  // mangled
};

// Seconds of each, round by round.
struct Timing {
    std::vector<std::vector<double>> entries;  // in the order given
    std::vector<double> memcpy;                // empty where the yardstick is another one
    std::vector<double> yardstick;
    std::optional<Rig::Trouble> trouble;  // contender: index of the entry; then the times are not to be used
    cuda::Telemetry telemetry;            // right after the last round; throttle reasons of the whole measurement
    double seconds_spent = 0;
    // The better of memcpy and the copy; the read.
    const std::vector<double>& best_yardstick() const;
};

struct MeasureOptions {
    int warm_ups = 3;
    int samples = 15;
    int most_samples = 60;  // of a shape that stays noisy
    double noise = 0.02;    // of the marks: a 95 % interval wider than this is noisy
    // What is so slow that it has kept the card for this long is not warmed up further, and gets few samples.
    double slow_seconds = 2;
    int few_samples = 3;
};

class Measurer final : public BandwidthSource {
public:
    // `profile`: of this card; nullptr = there is none. Both must outlive the Measurer.
    Measurer(Card& card, const GpuProfile* profile, MeasureOptions options = {})
        : card_(card), profile_(profile), options_(options) {}

    Card& card() { return card_; }
    std::string arch() const override { return card_.arch(); }
    TimingLimits limits() const override;
    Result<std::vector<Bandwidth>> bandwidths(const Subject& subject, const std::vector<Shape>& shapes) override;
    Services services(const Assignment& assignment, const Stage& stage) override;

    // All of them on one shape, with the yardsticks. `is_enough`: asked after the samples, and then every few rounds
    // until the most samples are there.
    using Enough = bool (*)(const Timing&, const void*);
    Result<Timing> time(const Problem& problem, const Shape& shape, const std::vector<Entry>& entries,
                        std::uint64_t seed, Enough is_enough = nullptr, const void* context = nullptr);
    // The reference solution of a stage, compiled for the card; nothing where the package has none.
    Result<std::optional<Entry>> reference(const Assignment& assignment, const Stage& stage, const Problem& problem,
                                           const std::string& type);

private:
    Result<CardProgram*> program(const std::string& path, const std::string& ptx);
    // What the reference is to do with these buffers; loads it, and leaves it on the card.
    Result<std::vector<cuda::Command>> reference_plan(const Assignment& assignment, const Stage& stage,
                                                      const Shape& shape, const std::vector<std::uint64_t>& addresses);
    // The same, from the parent.
    Result<std::vector<cuda::Command>> ask_for_plan(const Shape& shape, const std::vector<std::uint64_t>& addresses);
    Result<CardProgram*> kit(const Problem& problem);
    Bandwidth judge(const Subject& subject, const Shape& shape, const Timing& timing, bool has_reference) const;

    Card& card_;
    const GpuProfile* profile_;
    MeasureOptions options_;
    std::map<std::string, std::unique_ptr<CardProgram>> programs_;  // by digest of the PTX
    std::map<std::string, Entry> references_;                       // by path
};

}  // namespace warpgrade
