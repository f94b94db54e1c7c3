// A GPU profile: what one kind of card is and what was measured on it, as grader/profiles/<slug>.toml says.
//
// Theory of operation. `warpgrade calibrate` writes a profile from a run on the card. Where a student's package has no
// solutions, results are compared with `references`; where there is no card, the model computes times from `device`
// and `model`. Every figure names its source: the run it comes from (`run`), or the parameter's own `source`.
//
// The file: name, state = "calibrated" | "uncalibrated", error_band; the tables [run] and [device]; the lists
// [[bandwidth]], [[reference]], [[cannot_tell_apart]] and [[error]]; and [model.<parameter>] tables with value, unit,
// source. Unknown keys are errors with a near-name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "device/limits.hpp"

namespace warpgrade {

// Where the figures come from. Empty in a profile that nobody measured.
struct ProfileRun {
    std::string date;     // "2026-11-20"
    std::string gpu;      // the driver's name of the card
    std::string driver;   // "580.159.04"
    std::string cuda;     // of the driver: "13.0"
    std::string command;  // what to type to make the figures again
};

// The driver's device attributes, under the names of CUdevice_attribute where it has one.
struct ProfileDevice {
    std::string compute_capability;  // "9.0"
    int multiprocessors = 0;
    double sm_clock_mhz = 0;      // the highest
    double memory_clock_mhz = 0;  // the highest
    std::uint64_t registers_per_sm = 0;
    std::uint64_t shared_bytes_per_sm = 0;
    std::uint64_t shared_bytes_per_block = 0;  // with the opt-in
    int max_threads_per_sm = 0;
    int max_blocks_per_sm = 0;
    std::uint64_t l2_bytes = 0;
    std::uint64_t dram_bytes = 0;
    double dram_peak_gb_per_s = 0;  // of the datasheet, or clock times width; GB = 1e9 bytes
};

// A yardstick: "copy" (a kernel with float4), "memcpy" (device to device), "read" (a kernel that only reads) or
// "compute" (multiply-adds between registers, as many as the problem takes). A copy counts bytes read and written.
struct ProfileBandwidth {
    std::string what;
    std::string shape;  // "8192 x 8192", "134217728"
    double gb_per_s = 0, iqr_gb_per_s = 0;
    int samples = 0;
};

// What the reference solution of a stage reaches.
struct ProfileReference {
    std::string stage;        // "transpose/padding"
    std::string shape_class;  // "aligned" | "odd" | "thin" | "small"
    std::string shape;
    double gb_per_s = 0;
    double share_of_copy = 0;  // of the better of copy and memcpy on that shape; of read for a reduction
    double iqr_share = 0;
};

// Two stages whose references' spreads overlap: this card cannot show that one is faster.
struct ProfileConfusion {
    std::vector<std::string> stages;
    std::string shape_class;
};

// What the time model makes of a stage's reference solution, as a share of what it makes of a copy, or a read: in a
// student kit, where there are no solutions, a modelled time is compared with this and with nothing measured.
struct ModelledShare {
    std::string stage;
    std::string shape_class;
    double share_of_copy = 0;
};

// How far off modelled times of one kind of kernel are on this card, as fractions.
struct KnownError {
    std::string problem;  // "transpose"
    int rows = 0;         // times of programs that were compared
    double median = 0, nine_of_ten = 0;
    std::string source;
};

struct ModelParameter {
    double value = 0;
    std::string unit;
    std::string source;  // "microbenchmark NAME, date" | "datasheet" | "fit on ..."
};

struct GpuProfile {
    std::string slug;  // the file's name without .toml
    std::string name;  // "NVIDIA H200"
    bool is_calibrated = false;
    double error_band = 0;  // of modelled times, as a fraction; 0 = not stated
    ProfileRun run;
    ProfileDevice device;
    std::vector<ProfileBandwidth> bandwidths;
    std::vector<ProfileReference> references;
    std::vector<ModelledShare> modelled;  // from modelled/<slug>.toml beside the profile
    std::vector<ProfileConfusion> cannot_tell_apart;
    std::vector<KnownError> errors;
    std::map<std::string, ModelParameter> model;

    // nullptr: not recorded.
    const ProfileReference* reference(std::string_view stage, std::string_view shape_class) const;
    const KnownError* error_of(std::string_view problem) const;
    double modelled_share(std::string_view stage, std::string_view shape_class) const;  // 0: not recorded
    const ProfileBandwidth* bandwidth(std::string_view what, std::string_view shape) const;
    std::optional<double> parameter(const std::string& name) const;
};

// Errors: blame course, with file and line.
Result<GpuProfile> load_profile(const std::string& path);
// Every *.toml in the folder, by slug. No folder: none.
Result<std::vector<GpuProfile>> load_profiles(const std::string& folder);
// The file of modelled references that belongs to a profile.
std::string modelled_shares_path(const std::string& folder, const std::string& slug);
std::string to_toml(const std::vector<ModelledShare>& shares);
// The profile of a card by the name that the driver gives it, or nullptr.
const GpuProfile* profile_of_card(const std::vector<GpuProfile>& profiles, std::string_view device_name);

// What launchers are told of such a card, by whatever runs them: kernels are checked and modelled under one set of
// attributes.
LaunchLimits launch_limits(const GpuProfile& profile);

// "h200" for "NVIDIA H200", "geforce_rtx_3050_laptop_gpu" for "NVIDIA GeForce RTX 3050 Laptop GPU".
std::string profile_slug(std::string_view device_name);
// The file's text; load_profile reads it back.
std::string to_toml(const GpuProfile& profile);

}  // namespace warpgrade
