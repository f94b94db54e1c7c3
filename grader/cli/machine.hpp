// What this run works with: the virtual GPU always, and a card where there is one and it is asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/options.hpp"
#include "device/card.hpp"
#include "grade/stage_grader.hpp"
#include "model/profile.hpp"
#include "timing/measure.hpp"

namespace warpgrade::cli {

struct Machine {
    std::unique_ptr<Device> virtual_gpu;
    std::unique_ptr<Card> card;  // null: none, or not wanted
    std::vector<GpuProfile> profiles;
    // --profile, else the card's own, else the one that is modelled best; null: none
    const GpuProfile* profile = nullptr;
    std::unique_ptr<BandwidthSource> bandwidths;  // null: nothing here can say how fast a kernel is
    std::string why_no_card;                      // for --device auto, one sentence

    std::string kind() const { return card ? "cuda" : "virtual"; }
    std::string name() const { return card ? card->facts().name : virtual_gpu->info().name; }
    void add_to(GradeOptions& options) const {
        options.card = card.get();
        options.bandwidths = bandwidths.get();
    }
};

// The first whose [model] comes from the card itself, else the first with a [model]; null: there is none.
const GpuProfile* best_modelled(const std::vector<GpuProfile>& profiles);

// --device auto takes the card if there is one; `index`: which of several. Error: --device cuda where there is none
// (host), or a profile that cannot be read (course).
Result<Machine> open_machine(const SharedOptions& options, const Course& course, const MeasureOptions& measure = {},
                             int index = 0);

// The first card and those of the same name: what one of them measures, any of them does.
std::vector<int> alike_cards(const Machine& machine);

// A report with everything but its stages. What it says of the GPU is the card's that runs, as its own profile has it
// or else as the driver does; without a card, the modelled GPU's. Error: no NVRTC (host).
Result<RunReport> begin_report(const SharedOptions& options, const Course& course, const Machine& machine);

}  // namespace warpgrade::cli
