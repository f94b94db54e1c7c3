// What one case has shown, as data: explain/telling makes the words of it, without a device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "course/technique.hpp"
#include "device/device.hpp"
#include "problem/problem.hpp"
#include "problem/verdict.hpp"
#include "vgpu/counters.hpp"
#include "vgpu/finding.hpp"

namespace warpgrade {

struct OldValue;

// A __device__ variable with which a later call is right, once it is set back to what it begins with.
struct SetBack {
    std::string variable;  // as it is shown
    int line = 0;          // that changed it; 0: not known
};

struct Observation {
    std::vector<LaunchInfo> launches;
    std::vector<BufferLayout> layout;         // of the buffers, the output last
    std::vector<vgpu::Finding> findings;      // of the launcher, then of the launches
    std::vector<vgpu::LineCounters> by_line;  // of all launches
    std::optional<Judgement> judgement;       // of a wrong output, as the problem gives it
    std::optional<LastStore> first_wrong;     // who stored the first wrong element
    std::optional<SetBack> set_back;
    std::vector<OldValue> old_values;  // that make it wrong
    std::string device_error;          // a real GPU's own words
    bool is_device_timeout = false;
    bool is_out_of_time = false;    // the time of the check ended it
    bool hangs_on_garbage = false;  // what comes out differs with what nobody has stored
};

// A second run, right but for one load that got what it may have got instead (vgpu/old_values.hpp).
struct OldValue {
    vgpu::Finding finding;  // of that load
    int line = 0;           // of it
    Verdict verdict = Verdict::none;
    Observation seen;  // without a judgement
};

// Whether there is something to be said of it.
inline bool has_words(const Observation& seen) {
    return !seen.findings.empty() || seen.judgement || !seen.device_error.empty() || !seen.old_values.empty();
}

}  // namespace warpgrade
