// A card with the microbenchmarks' kernels and buffers, ready to be timed. Internal to grade/.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/card.hpp"
#include "model/profile.hpp"
#include "problem/card_calls.hpp"

namespace warpgrade {

// The first thing that fails stays as `error`; from then on nothing runs, and every figure is 0.
class MicrobenchmarkRig {
public:
    // Compiles, allocates, fills, and keeps the card busy until its clocks are up. The card must outlive the rig.
    static Result<std::unique_ptr<MicrobenchmarkRig>> open(Card& card, const ProfileDevice& device);
    ~MicrobenchmarkRig();

    const ProfileDevice& device() const { return device_; }
    std::uint64_t in() const { return in_; }
    std::uint64_t out() const { return out_; }
    std::uint64_t bytes() const { return bytes_; }  // of each of the two, far beyond L2; a shifted access may pass it
    std::uint64_t results() const { return results_; }
    std::uint64_t nowhere() const { return results_; }  // for sums that are never stored

    template <class... Values>
    cuda::Command launch(const char* kernel, std::uint64_t blocks, int threads, const Values&... values) const {
        cuda::Command command;
        command.kind = cuda::Command::Kind::launch;
        command.module = module_;
        command.kernel = kernel;
        command.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
        command.block = {static_cast<std::uint32_t>(threads), 1, 1};
        command.parameters = kernel_parameters(values...);
        return command;
    }
    cuda::Command launch(const KernelCall& call) const;
    cuda::Command memcpy(std::uint64_t bytes) const;  // in to out

    static constexpr int samples = 7;
    // Seconds, median of `samples` after one that does not count; cold: with nothing of the buffers in L2.
    double seconds(const cuda::Command& timed, bool is_cold = true);
    // Runs it once, and reads what it has left at the start of `results`.
    std::vector<std::uint64_t> counts(const cuda::Command& command, std::size_t count, bool is_cold = false);
    // The middle one of `count` counts, median of `samples` runs.
    double median_count(const cuda::Command& command, std::size_t count, bool is_cold = false);

    // What was found of parameters so far, and what is kept of the others; 0 where nobody knows.
    double value(std::string_view parameter) const;
    void set(std::string_view parameter, double value) { values_[std::string(parameter)] = value; }
    // A measured figure behind the parameter that is being looked for: "1 block: 62.6 GB/s".
    void note(std::string_view setting, double figure, std::string_view unit);
    void note_text(std::string_view text);
    std::string take_notes();

    const std::optional<Diagnostic>& error() const { return error_; }

private:
    MicrobenchmarkRig(Card& card, const ProfileDevice& device) : card_(card), device_(device) {}
    Status start();
    std::vector<double> run(const std::vector<cuda::Command>& commands);

    Card& card_;
    ProfileDevice device_;
    int generation_ = 0, module_ = 0;
    std::uint64_t in_ = 0, out_ = 0, flush_ = 0, results_ = 0, bytes_ = 0, flush_bytes_ = 0;
    std::map<std::string, double, std::less<>> values_;
    std::string notes_;
    std::optional<Diagnostic> error_;
};

inline double clock_ghz(const MicrobenchmarkRig& rig) { return rig.device().sm_clock_mhz / 1000; }
inline std::uint64_t processors(const MicrobenchmarkRig& rig) {
    return static_cast<std::uint64_t>(rig.device().multiprocessors);
}
inline double gb_per_s(double bytes, double seconds) { return seconds > 0 ? bytes / seconds / 1e9 : 0; }

}  // namespace warpgrade
