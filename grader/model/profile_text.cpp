// Writes a profile as TOML, in the order a person reads it: what it is, where it comes from, then the figures.
#include <fmt/format.h>

#include "model/parameters.hpp"
#include "model/profile.hpp"

namespace warpgrade {

namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
    return out + "\"";
}

// At most `digits` after the point, without trailing zeros.
std::string figure(double value, int digits) {
    std::string text = fmt::format("{:.{}f}", value, digits);
    if (text.find('.') == std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string device_table(const ProfileDevice& d) {
    std::string out = "\n[device]\n";
    out += "compute_capability = " + quoted(d.compute_capability) + "\n";
    out += fmt::format("multiprocessors = {}\n", d.multiprocessors);
    out += "sm_clock_mhz = " + figure(d.sm_clock_mhz, 3) + "\n";
    out += "memory_clock_mhz = " + figure(d.memory_clock_mhz, 3) + "\n";
    out += fmt::format("registers_per_sm = {}\nshared_bytes_per_sm = {}\nshared_bytes_per_block = {}\n",
                       d.registers_per_sm, d.shared_bytes_per_sm, d.shared_bytes_per_block);
    out += fmt::format("max_threads_per_sm = {}\nmax_blocks_per_sm = {}\n", d.max_threads_per_sm, d.max_blocks_per_sm);
    out += fmt::format("l2_bytes = {}\ndram_bytes = {}\n", d.l2_bytes, d.dram_bytes);
    return out + "dram_peak_gb_per_s = " + figure(d.dram_peak_gb_per_s, 1) + "\n";
}

}  // namespace

std::string to_toml(const GpuProfile& profile) {
    std::string out = "name = " + quoted(profile.name) + "\n";
    out += fmt::format("state = \"{}\"\n", profile.is_calibrated ? "calibrated" : "uncalibrated");
    if (profile.error_band > 0) out += "error_band = " + figure(profile.error_band, 4) + "\n";
    if (!profile.run.date.empty()) {
        const ProfileRun& run = profile.run;
        out += "\n[run]\ndate = " + quoted(run.date) + "\ngpu = " + quoted(run.gpu) +
               "\ndriver = " + quoted(run.driver) + "\ncuda = " + quoted(run.cuda) +
               "\ncommand = " + quoted(run.command) + "\n";
    }
    out += device_table(profile.device);
    for (const ProfileBandwidth& one : profile.bandwidths)
        out += fmt::format("\n[[bandwidth]]\nwhat = {}\nshape = {}\ngb_per_s = {}\niqr_gb_per_s = {}\nsamples = {}\n",
                           quoted(one.what), quoted(one.shape), figure(one.gb_per_s, 1), figure(one.iqr_gb_per_s, 2),
                           one.samples);
    for (const ProfileReference& one : profile.references)
        out += fmt::format(
            "\n[[reference]]\nstage = {}\nclass = {}\nshape = {}\ngb_per_s = {}\nshare_of_copy = {}\niqr_share = {}\n",
            quoted(one.stage), quoted(one.shape_class), quoted(one.shape), figure(one.gb_per_s, 1),
            figure(one.share_of_copy, 4), figure(one.iqr_share, 5));
    for (const ProfileConfusion& one : profile.cannot_tell_apart) {
        std::string stages;
        for (const std::string& stage : one.stages) stages += (stages.empty() ? "" : ", ") + quoted(stage);
        out += fmt::format("\n[[cannot_tell_apart]]\nstages = [{}]\nclass = {}\n", stages, quoted(one.shape_class));
    }
    for (const KnownError& one : profile.errors)
        out += fmt::format("\n[[error]]\nproblem = {}\nrows = {}\nmedian = {}\nnine_of_ten = {}\nsource = {}\n",
                           quoted(one.problem), one.rows, figure(one.median, 3), figure(one.nine_of_ten, 3),
                           quoted(one.source));
    const auto add = [&](const std::string& name, const ModelParameter& parameter) {
        out += fmt::format("\n[model.{}]\nvalue = {}\nunit = {}\nsource = {}\n", name, parameter.value,
                           quoted(parameter.unit), quoted(parameter.source));
    };
    auto others = profile.model;
    for (const ModelField& field : model_fields())
        if (const auto node = others.extract(std::string(field.name))) add(node.key(), node.mapped());
    for (const auto& [name, parameter] : others) add(name, parameter);
    return out;
}

std::string to_toml(const std::vector<ModelledShare>& shares) {
    std::string out =
        "# What the time model makes of the reference solutions, as a share of what it makes of a copy or a read: "
        "written by\n"
        "# `warpgrade calibrate --references`, for student kits, which have no solutions.\n";
    for (const ModelledShare& one : shares)
        out += fmt::format("\n[[reference]]\nstage = {}\nclass = {}\nshare_of_copy = {}\n", quoted(one.stage),
                           quoted(one.shape_class), figure(one.share_of_copy, 4));
    return out;
}

}  // namespace warpgrade
