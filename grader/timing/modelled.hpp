// Bandwidths without a card: from the time model and the profile of a GPU. Always marked as modelled.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/limiter.hpp"
#include "model/parameters.hpp"
#include "model/sampled_program.hpp"
#include "timing/measure.hpp"
#include "timing/modelled_work.hpp"

namespace warpgrade {

enum class Whose;

class ModelledSource final : public BandwidthSource {
public:
    // `profile` must outlive it. Error (course): the profile has no [model] or lacks a parameter.
    static Result<std::unique_ptr<ModelledSource>> open(const GpuProfile& profile);

    std::string arch() const override { return CompileRequest{}.arch; }
    TimingLimits limits() const override {
        return {gpu_.l2_bytes, profile_.device.dram_bytes, gpu_.dram_peak_gb_per_s};
    }
    void prepare(const Subject& subject) const override;
    // The shapes that points come from, where none are given. A plan that cannot be modelled (it does not end in a
    // sample of its blocks) has no bandwidth.
    Result<std::vector<Bandwidth>> bandwidths(const Subject& subject, const std::vector<Shape>& shapes) override;
    std::string why_none() const override { return why_none_; }
    Services services(const Assignment& assignment, const Stage& stage) override;

    const GpuProfile& profile() const { return profile_; }

    double recorded_share(const std::string& stage, const std::string& shape_class) const override {
        return profile_.modelled_share(stage, shape_class);
    }

    // Of the stage's reference solution, on shapes of one type; 0: there is none, or it cannot be modelled. Of the
    // subject only assignment, stage, problem and seed are looked at. Kept beside compiled files, for the next run.
    Result<std::vector<double>> reference_seconds(const Subject& subject, const std::vector<Shape>& shapes);

    // A good copy, or a good read: bandwidth and a launch. Of arithmetic: multiply-adds at the peak, if that is longer.
    double yardstick_seconds(const Problem& problem, const Shape& shape) const;

private:
    // Compiled for the virtual GPU, with the registers that the modelled one gives it.
    struct Program {
        std::string path, ptx, launcher;
        std::map<std::string, int> registers;
    };
    struct Timed {
        double seconds = 0;
        TimeExplanation why;
    };

    ModelledSource(const GpuProfile& profile, const ModelParameters& gpu) : profile_(profile), gpu_(gpu) {}
    std::string machine_arch() const;
    BuildOptions machine_options(const Build& build) const;
    // The request of a confined process: seed, type, and shapes.
    Result<std::vector<double>> references_apart(const Assignment& assignment, const Stage& stage,
                                                 const wire::Fields& request);
    Result<std::vector<Bandwidth>> bandwidths_of(const Subject& subject, const std::vector<Shape>& shapes);
    std::string key_of_reference(const Program& program, const Subject& subject,
                                 const std::vector<Shape>& shapes) const;
    std::vector<Shape> shapes_that_count(const Subject& subject) const;  // of the type that is timed
    bool may_registers_count(const Subject& subject, const std::vector<Shape>& shapes) const;
    // `shapes`: that it is to run on.
    Result<Program> program(const Subject& subject, const std::vector<Shape>& shapes) const;
    double seconds_of_moving(const Problem& problem, double bytes) const;  // in one good launch
    // Nothing: the plan cannot be modelled.
    std::optional<Timed> time(const SampledPlan& plan, bool explains) const;
    // Of the submission: the time, if the blocks that it comes from do their work; a bandwidth with a verdict and no
    // time where all of them do not; nothing where it cannot be modelled.
    struct Found {
        std::optional<Timed> timed;
        Verdict verdict = Verdict::ok;
        std::string detail;
        std::string why_none;  // without a time
        bool is_capped = false;
        SampledPlan plan;
        bool is_unproved = false;  // some of its blocks have run alone
    };
    // A shape of a program as far as its samples tell. What they ran in and what they left, up to a gigabyte, is gone.
    struct Sampled {
        SampledPlan plan;  // its launches are not kept
        std::optional<Timed> timed;
        std::string why_none;  // without a time
        std::optional<Doubt> doubt;
        std::uint64_t work = 0, most_work = 0;  // what they took, and might have taken
    };
    using Ahead = std::map<std::size_t, Result<Sampled>>;  // by the number of the shape
    Result<Sampled> sample(const Program& program, const Subject& subject, const Shape& shape, std::uint64_t most_work,
                           Whose whose, bool explains) const;
    Result<Sampled> sample_ahead(const Program& program, const Subject& subject, const std::vector<Shape>& shapes,
                                 std::size_t i, WorkOfTiming& work, Ahead& ahead) const;
    void cap(Found& found, const Problem& problem, const Shape& shape) const;  // at the time of the copy
    Result<Found> look_at(Sampled sampled, const Subject& subject, const Shape& shape, bool is_first,
                          WorkOfTiming& work) const;
    // All blocks of it, as far as they are not too many; what that shows goes into `found`.
    Status run_all_of(const std::optional<Doubt>& doubt, const Subject& subject, const Shape& shape, WorkOfTiming& work,
                      Found& found) const;
    Bandwidth bandwidth_of(const Found& found, const Subject& subject, const Shape& shape, double reference_time) const;

    const GpuProfile& profile_;
    ModelParameters gpu_;
    std::string why_none_;
    std::map<std::string, std::vector<double>> references_apart_;  // by stage and request
};

// What the model says of a reference solution that the profile's card has run.
struct ModelledReference {
    std::string stage, shape;  // aligned
    double measured_gb_per_s = 0, modelled_gb_per_s = 0;
    double error() const { return measured_gb_per_s / modelled_gb_per_s - 1; }  // of the time, as a fraction
};
// Every stage that the profile has a [[reference]] of and the course a solution. `progress`: stages done, in all.
Result<std::vector<ModelledReference>> model_references(const GpuProfile& profile,
                                                        const std::vector<Assignment>& course,
                                                        const std::function<void(std::size_t, std::size_t)>& progress);

// Of every stage with a solution, for each class that is timed: the least of a few shapes that a seed may draw.
Result<std::vector<ModelledShare>> model_shares(const GpuProfile& profile, const std::vector<Assignment>& course,
                                                const std::function<void(std::size_t, std::size_t)>& progress);

// A calibrated profile states no error band where nine of ten modelled times are this good.
inline constexpr double most_error_of_calibrated = 0.25;
// What nine of ten are within, or 0 where that is good enough.
double error_band_of(const std::vector<ModelledReference>& references);

}  // namespace warpgrade
