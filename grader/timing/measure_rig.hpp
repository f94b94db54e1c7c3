// One shape on one card, timed: buffers between red zones, fresh inputs for every round, programs in turns.
//
// Theory of operation. A round runs every contender once, on the same new input, in the same order (A B C A B C ...),
// so that what drifts (clocks, temperature) drifts for all. Before each of them the output is poisoned and a scratch
// area of twice the L2 is rewritten, so that nothing of the input is in a cache; after each the output is compared, the
// input looked at, and the red zones too, by kernels of ours. Times are those of two events around the launches alone;
// several launches are one CUDA graph.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "device/card_program.hpp"
#include "problem/problem.hpp"
#include "problem/verdict.hpp"

namespace warpgrade {

class Rig {
public:
    // What a contender did wrong: nothing more can be timed on this rig.
    struct Trouble {
        int contender = 0;
        Verdict verdict = Verdict::none;
        std::string detail;
    };

    // `kit`: the problem's card_source and the yardsticks', loaded. The rig must not outlive card, problem and kit.
    static Result<std::unique_ptr<Rig>> open(Card& card, const Problem& problem, const Shape& shape, CardProgram& kit,
                                             std::uint64_t seed);
    ~Rig();

    // A submission's launcher. The contender's number, or the trouble its plan is in.
    struct Added {
        int contender = 0;
        std::optional<Trouble> trouble;
    };
    Result<Added> add(CardProgram& program, const std::string& launcher);
    // A plan that somebody else made, for these addresses. The contender's number.
    Result<int> add_plan(std::vector<cuda::Command> commands) { return add_commands(std::move(commands), true); }
    const std::vector<std::uint64_t>& addresses() const { return addresses_; }
    Result<int> add_memcpy();
    Result<int> add_yardstick();  // the problem's

    // Each contender once; the times count unless it is a warm-up.
    Result<std::optional<Trouble>> round(bool is_warm_up);
    const std::vector<double>& seconds(int contender) const {
        return contenders_[static_cast<std::size_t>(contender)].seconds;
    }
    double seconds_spent() const { return spent_; }  // on the card, all included

private:
    struct Buffer {
        vgpu::BufferSpec spec;
        std::uint64_t block = 0, address = 0, block_bytes = 0;
    };
    struct Contender {
        std::vector<cuda::Command> commands;
        double limit_seconds = 0;
        bool is_checked = false;
        std::vector<double> seconds;
    };
    Rig(Card& card, const Problem& problem, Shape shape, CardProgram& kit, std::uint64_t seed)
        : card_(card), problem_(problem), shape_(std::move(shape)), kit_(kit), seed_(seed) {}
    Status allocate();
    // From the first buffer to the last; they may differ in size.
    std::uint64_t copied_bytes() const { return std::min(buffers_.front().spec.bytes, buffers_.back().spec.bytes); }
    Result<int> add_commands(std::vector<cuda::Command> commands, bool is_checked);
    cuda::Command launch(const KernelCall& call) const;
    std::vector<cuda::Command> sample(const Contender& contender, std::uint64_t seed) const;
    Result<std::optional<Trouble>> judge(int index);

    Card& card_;
    const Problem& problem_;
    Shape shape_;
    CardProgram& kit_;
    std::uint64_t seed_;
    int generation_ = 0;
    std::vector<Buffer> buffers_;
    std::vector<std::uint64_t> addresses_;
    std::vector<std::uint64_t> check_addresses_;  // and that of the problem's extra buffer
    std::uint64_t check_ = 0;
    std::uint64_t flush_ = 0, flush_bytes_ = 0;
    std::uint64_t report_ = 0;
    std::vector<int> graphs_;
    std::vector<Contender> contenders_;
    std::uint64_t rounds_ = 0;
    std::optional<std::uint64_t> fingerprint_;  // of the input in last_round_
    std::uint64_t last_round_ = 0;
    double spent_ = 0;
};

}  // namespace warpgrade
