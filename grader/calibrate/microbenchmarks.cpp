#include "calibrate/microbenchmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "calibrate/microbenchmark_rig.hpp"
#include "model/parameters.hpp"

namespace warpgrade {

namespace {

bool makes_sense(const Microbenchmark& row, double value) {
    return std::isfinite(value) && (value > 0 || (row.can_be_zero && value == 0));
}

// Four digits: more was not measured.
double four_digits(double value) { return std::stod(fmt::format("{:.4g}", value)); }

Diagnostic nobody_knows(const CalibratedParameter& one) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::course;
    diagnostic.code = "missing_parameter";
    diagnostic.title = fmt::format("no profile has the model's parameter `{}`, and it was not measured", one.name);
    diagnostic.facts.push_back(one.failure.empty() ? "no microbenchmark gives it" : one.failure);
    diagnostic.help = "`grader/profiles/` of a fresh kit has a profile to take it from";
    return diagnostic;
}

const ModelParameter* parameter_in(const GpuProfile* profile, const std::string& name) {
    if (!profile) return nullptr;
    const auto found = profile->model.find(name);
    return found == profile->model.end() ? nullptr : &found->second;
}

}  // namespace

Result<std::vector<CalibratedParameter>> run_microbenchmarks(
    Card& card, const GpuProfile& own, const GpuProfile* stand_in, const std::string& source,
    const std::function<void(std::size_t, std::size_t)>& progress) {
    std::vector<CalibratedParameter> all;
    for (const ModelField& field : model_fields()) {
        CalibratedParameter one;
        one.name = field.name;
        one.now.unit = field.unit;
        if (const ModelParameter* known = parameter_in(&own, one.name)) {
            one.before = known->value;
            one.now = *known;
        } else if (const ModelParameter* other = parameter_in(stand_in, one.name)) {
            one.now = *other;
            one.now.source = fmt::format("as of {}, not measured here: {}", stand_in->name, other->source);
        }
        all.push_back(std::move(one));
    }
    auto rig = MicrobenchmarkRig::open(card, own.device);
    if (!rig) return rig.error();
    for (const CalibratedParameter& one : all) (*rig)->set(one.name, one.now.value);

    const auto& rows = microbenchmarks();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Microbenchmark& row = rows[i];
        const auto one = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.name == row.parameter; });
        if (one == all.end()) throw std::logic_error("no parameter of the model: " + std::string(row.parameter));
        const double value = row.run(**rig);
        if ((*rig)->error()) return *(*rig)->error();
        const std::string notes = (*rig)->take_notes();
        if (makes_sense(row, value)) {
            one->is_measured = true;
            one->now.value = four_digits(value);
            one->now.source = fmt::format("microbenchmark {}{}{}, median of {}, {}", row.name,
                                          notes.empty() ? "" : ": ", notes, MicrobenchmarkRig::samples, source);
            (*rig)->set(row.parameter, one->now.value);
        } else {
            one->failure = fmt::format("microbenchmark {} gave {}{}{}", row.name,
                                       std::isfinite(value) ? fmt::format("{:.4g}", value) : "no number",
                                       notes.empty() ? "" : ": ", notes);
        }
        progress(i + 1, rows.size());
    }
    for (const CalibratedParameter& one : all)
        if (one.now.source.empty()) return nobody_knows(one);
    return all;
}

}  // namespace warpgrade
