#include "grade/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explain/say.hpp"

namespace warpgrade {

namespace {

constexpr double clearly_faster = 1.15;  // two measurements differ by less
constexpr const char* shape_class = "aligned";

struct Rung {
    std::string stage;
    const ProfileReference* measured = nullptr;
    double modelled_gb_per_s = 0;
};

std::string assignment_of(const std::string& stage) { return stage.substr(0, stage.find('/')); }

}  // namespace

std::vector<std::string> notes_on_ladder(const std::vector<const StageResult*>& solutions, const GpuProfile& profile) {
    std::vector<Rung> rungs;
    std::vector<std::string> never_timed, notes;
    for (const StageResult* solution : solutions) {
        const auto modelled = std::ranges::find_if(solution->bandwidths, [](const Bandwidth& b) {
            return b.origin == Origin::modelled && b.shape_class == shape_class && b.gb_per_s > 0;
        });
        if (modelled == solution->bandwidths.end()) continue;
        const std::string name = solution->assignment + "/" + solution->stage;
        if (const ProfileReference* measured = profile.reference(name, shape_class))
            rungs.push_back({name, measured, modelled->gb_per_s});
        else
            never_timed.push_back(name);
    }
    for (std::size_t i = 0; i < rungs.size(); ++i)
        for (std::size_t j = 0; j < rungs.size(); ++j) {
            const Rung &fast = rungs[i], &slow = rungs[j];
            const double times = fast.measured->gb_per_s / slow.measured->gb_per_s;
            const bool is_comparable =
                assignment_of(fast.stage) == assignment_of(slow.stage) && fast.measured->shape == slow.measured->shape;
            if (!is_comparable || times < clearly_faster || fast.modelled_gb_per_s > slow.modelled_gb_per_s) continue;
            notes.push_back(say("moves_times_much_second", fast.stage, times, slow.stage, profile.name));
        }
    if (!never_timed.empty()) notes.push_back(say("card_timed_how_far", fmt::join(never_timed, ", ")));
    return notes;
}

}  // namespace warpgrade
