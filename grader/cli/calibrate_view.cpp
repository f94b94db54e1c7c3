#include "cli/calibrate_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "calibrate/calibrate.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"
#include "timing/measure_statistics.hpp"

namespace warpgrade::cli {

namespace {

// Four digits, without an exponent.
std::string figure(double value) {
    const double size = std::abs(value);
    if (size == 0) return "0";
    if (size >= 1000) return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}f}", value, std::clamp(3 - static_cast<int>(std::floor(std::log10(size))), 0, 6));
}

std::string change(double now, double before) {
    return before == 0 ? "" : fmt::format("{:+.1f} %", 100 * (now / before - 1));
}

std::string kept_line(const CalibratedParameter& one, const std::string& why, const RenderStyle& style) {
    const std::string unit = one.now.unit.empty() ? "" : " " + one.now.unit;
    const std::string text = fmt::format("{}, {}{}: {}", one.name, one.now.value, unit, escape(why));
    std::string out;
    for (const std::string& line : wrap(text, style.columns - 4)) out += (out.empty() ? "  " : "    ") + line + "\n";
    return out;
}

}  // namespace

std::string render_profile(const GpuProfile& profile, const RenderStyle& style) {
    std::string out;
    Table yardsticks({{"yardstick"}, {"shape"}, {"GB/s", true}, {"IQR", true}});
    for (const ProfileBandwidth& one : profile.bandwidths)
        yardsticks.add({{one.what},
                        {one.shape},
                        {fmt::format("{:.0f}", one.gb_per_s)},
                        {fmt::format("{:.1f}", one.iqr_gb_per_s)}});
    out += yardsticks.text(style) + "\n";
    Table references({{"stage"}, {"class"}, {"shape"}, {"GB/s", true}, {"of copy", true}, {"IQR", true}});
    for (const ProfileReference& one : profile.references)
        references.add({{one.stage},
                        {one.shape_class},
                        {one.shape},
                        {fmt::format("{:.0f}", one.gb_per_s)},
                        {fmt::format("{:.1f} %", 100 * one.share_of_copy)},
                        {fmt::format("{:.1f} %", 100 * one.iqr_share)}});
    out += references.text(style);
    for (const ProfileConfusion& pair : profile.cannot_tell_apart) {
        if (pair.shape_class != "aligned") continue;
        out += "\n" + wrap_after(paint("warning: ", Paint::yellow, style),
                                 fmt::format("this card hardly tells {} from {}: their bandwidths are within {:.0f} %. "
                                             "No mark should rest on the difference",
                                             pair.stages[0], pair.stages[1], 100 * (1 - told_apart_below)),
                                 style.columns);
    }
    return out;
}

std::string render_parameters(const std::vector<CalibratedParameter>& parameters, const RenderStyle& style) {
    Table measured({{"parameter"}, {"measured", true}, {"profile", true}, {"change", true}, {"unit"}});
    std::string kept, senseless;
    for (const CalibratedParameter& one : parameters) {
        if (one.is_measured)
            measured.add({{one.name},
                          {figure(one.now.value)},
                          {one.before ? figure(*one.before) : ""},
                          {one.before ? change(one.now.value, *one.before) : ""},
                          {one.now.unit}});
        else if (one.failure.empty())
            kept += kept_line(one, one.now.source, style);
        else
            senseless += kept_line(one, one.failure, style);
    }
    std::string out = measured.text(style);
    if (!kept.empty()) out += "\nKept, as no microbenchmark gives it:\n" + kept;
    if (!senseless.empty()) out += "\nKept, as what was measured makes no sense:\n" + senseless;
    return out;
}

std::string render_references(const std::vector<ModelledReference>& references, double error_band,
                              const RenderStyle& style) {
    Table table({{"stage"}, {"shape"}, {"measured", true}, {"modelled", true}, {"time off", true}});
    std::vector<double> errors;
    for (const ModelledReference& one : references) {
        table.add({{one.stage},
                   {one.shape},
                   {figure(one.measured_gb_per_s)},
                   {figure(one.modelled_gb_per_s)},
                   {fmt::format("{:+.1f} %", 100 * one.error())}});
        errors.push_back(std::abs(one.error()));
    }
    if (errors.empty()) return "No reference solution can be modelled, so nobody knows how good these are.\n";
    std::string worth = fmt::format("Half of the modelled times are within {:.0f} %, nine of ten within {:.0f} %",
                                    100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9));
    worth += error_band > 0 ? ". The profile states that as its error band, and whatever shows a modelled time says so."
                            : fmt::format(". Above {:.0f} % the profile would state an error band.",
                                          100 * most_error_of_calibrated);
    return wrap_after(
               "", "The model with these parameters against what the reference solutions have reached here, in GB/s:",
               style.columns) +
           table.text(style) + wrap_after("", worth, style.columns);
}

}  // namespace warpgrade::cli
