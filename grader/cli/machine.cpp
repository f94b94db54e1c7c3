#include "cli/machine.hpp"

#include <filesystem>

#include "timing/modelled.hpp"

namespace warpgrade::cli {

const GpuProfile* best_modelled(const std::vector<GpuProfile>& profiles) {
    const GpuProfile* found = nullptr;
    const auto is_better = [&](const GpuProfile& one) {
        const bool is_sure = one.error_band == 0, is_found_sure = found->error_band == 0;
        return is_sure != is_found_sure ? is_sure
                                        : is_sure && one.device.dram_peak_gb_per_s > found->device.dram_peak_gb_per_s;
    };
    for (const GpuProfile& profile : profiles)
        if (!profile.model.empty() && (!found || is_better(profile))) found = &profile;
    return found;
}

Result<Machine> open_machine(const SharedOptions& options, const Course& course, const MeasureOptions& measure,
                             int index) {
    Machine machine;
    auto profiles = load_profiles((std::filesystem::path(course.root) / "grader" / "profiles").string());
    if (!profiles) return profiles.error();
    machine.profiles = std::move(*profiles);
    if (options.device != "virtual") {
        auto card = Card::open(index);
        if (!card && options.device == "cuda") {
            Diagnostic missing = card.error();
            missing.facts.push_back("the virtual GPU checks, explains and grades the same files");
            return missing;
        }
        if (card)
            machine.card = std::move(*card);
        else
            machine.why_no_card = card.error().title;
    }
    for (const GpuProfile& profile : machine.profiles)
        if (profile.slug == options.profile) machine.profile = &profile;
    if (machine.card) {
        const GpuProfile* own = profile_of_card(machine.profiles, machine.card->facts().name);
        if (!machine.profile) machine.profile = own;
        machine.bandwidths = std::make_unique<Measurer>(*machine.card, own, measure);
        machine.virtual_gpu = make_virtual_device(machine.card->limits());
        return machine;
    }
    // No card: bandwidths are modelled, for the GPU that is asked for or for the one that was measured best.
    const auto is_modelled = [](const GpuProfile& profile) { return !profile.model.empty(); };
    if (!machine.profile) machine.profile = best_modelled(machine.profiles);
    machine.virtual_gpu = make_virtual_device(machine.profile ? launch_limits(*machine.profile) : LaunchLimits{});
    if (machine.profile && is_modelled(*machine.profile)) {
        auto source = ModelledSource::open(*machine.profile);
        if (!source) return source.error();
        machine.bandwidths = std::move(*source);
    }
    return machine;
}

std::vector<int> alike_cards(const Machine& machine) {
    std::vector<int> cards{0};
    for (int i = 1; machine.card && i < machine.card->facts().device_count; ++i)
        if (const auto other = Card::open(i); other && (*other)->facts().name == machine.name()) cards.push_back(i);
    return cards;
}

Result<RunReport> begin_report(const SharedOptions& options, const Course& course, const Machine& machine) {
    auto report = begin_report(options, course, machine.kind(), machine.name());
    if (!report) return report;
    if (machine.profile) report->profile = machine.profile->slug;
    const GpuProfile* gpu = machine.card ? profile_of_card(machine.profiles, machine.name()) : machine.profile;
    if (gpu) {
        report->multiprocessors = gpu->device.multiprocessors;
        report->sm_clock_mhz = gpu->device.sm_clock_mhz;
        report->dram_peak_gb_per_s = gpu->device.dram_peak_gb_per_s;
        report->error_band = gpu->error_band;
    } else if (machine.card) {
        const auto& facts = machine.card->facts();
        report->multiprocessors = facts.multiprocessors;
        report->sm_clock_mhz = facts.sm_clock_mhz;
        report->dram_peak_gb_per_s = facts.peak_gb_per_s();
    }
    return report;
}

}  // namespace warpgrade::cli
