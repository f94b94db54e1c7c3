#include "model/profile.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/toml_reader.hpp"

namespace warpgrade {

namespace {

constexpr double largest_number = 1e15;

std::string choice(TomlTable& table, const char* key, const std::vector<std::string>& choices, TomlErrors& errors) {
    const std::string value = table.text(key, true);
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
    std::string listed;
    for (const std::string& one : choices) listed += (listed.empty() ? "" : ", ") + one;
    if (table.node(key)) errors.report(table.node(key), "unknown_choice", "`" + value + "` is none of: " + listed);
    return choices.front();
}

std::uint64_t whole(TomlTable& table, const char* key) {
    return static_cast<std::uint64_t>(table.required_number(key, 0, largest_number));
}

void read_run(const toml::table& source, GpuProfile& profile, TomlErrors& errors) {
    TomlTable table(source, "[run]", errors);
    profile.run.date = table.text("date", true);
    profile.run.gpu = table.text("gpu", true);
    profile.run.driver = table.text("driver", true);
    profile.run.cuda = table.text("cuda", true);
    profile.run.command = table.text("command", true);
    table.finish();
}

void read_device(const toml::table& source, GpuProfile& profile, TomlErrors& errors) {
    TomlTable table(source, "[device]", errors);
    ProfileDevice& device = profile.device;
    device.compute_capability = table.text("compute_capability", true);
    device.multiprocessors = static_cast<int>(table.required_number("multiprocessors", 1, 10'000));
    device.sm_clock_mhz = table.required_number("sm_clock_mhz", 1, 1e5);
    device.memory_clock_mhz = table.required_number("memory_clock_mhz", 1, 1e5);
    device.registers_per_sm = whole(table, "registers_per_sm");
    device.shared_bytes_per_sm = whole(table, "shared_bytes_per_sm");
    device.shared_bytes_per_block = whole(table, "shared_bytes_per_block");
    device.max_threads_per_sm = static_cast<int>(table.required_number("max_threads_per_sm", 1, 1e6));
    device.max_blocks_per_sm = static_cast<int>(table.required_number("max_blocks_per_sm", 1, 1e6));
    device.l2_bytes = whole(table, "l2_bytes");
    device.dram_bytes = whole(table, "dram_bytes");
    device.dram_peak_gb_per_s = table.required_number("dram_peak_gb_per_s", 1, 1e6);
    table.finish();
}

void read_lists(TomlTable& root, GpuProfile& profile, TomlErrors& errors) {
    for (const toml::table* source : root.tables("bandwidth")) {
        TomlTable table(*source, "[[bandwidth]]", errors);
        ProfileBandwidth one;
        one.what = choice(table, "what", {"copy", "memcpy", "read"}, errors);
        one.shape = table.text("shape", true);
        one.gb_per_s = table.required_number("gb_per_s", 0, 1e6);
        one.iqr_gb_per_s = table.required_number("iqr_gb_per_s", 0, 1e6);
        one.samples = static_cast<int>(table.required_number("samples", 1, 1e6));
        table.finish();
        profile.bandwidths.push_back(std::move(one));
    }
    for (const toml::table* source : root.tables("reference")) {
        TomlTable table(*source, "[[reference]]", errors);
        ProfileReference one;
        one.stage = table.text("stage", true);
        one.shape_class = choice(table, "class", {"aligned", "odd", "thin", "small"}, errors);
        one.shape = table.text("shape", true);
        one.gb_per_s = table.required_number("gb_per_s", 0, 1e6);
        one.share_of_copy = table.required_number("share_of_copy", 0, 100);
        one.iqr_share = table.required_number("iqr_share", 0, 100);
        table.finish();
        profile.references.push_back(std::move(one));
    }
    for (const toml::table* source : root.tables("cannot_tell_apart")) {
        TomlTable table(*source, "[[cannot_tell_apart]]", errors);
        ProfileConfusion one;
        one.stages = table.texts("stages");
        one.shape_class = choice(table, "class", {"aligned", "odd", "thin", "small"}, errors);
        table.finish();
        profile.cannot_tell_apart.push_back(std::move(one));
    }
    for (const toml::table* source : root.tables("error")) {
        TomlTable table(*source, "[[error]]", errors);
        KnownError one;
        one.problem = table.text("problem", true);
        one.rows = static_cast<int>(table.required_number("rows", 1, 1e6));
        one.median = table.required_number("median", 0, 100);
        one.nine_of_ten = table.required_number("nine_of_ten", 0, 100);
        one.source = table.text("source", true);
        table.finish();
        profile.errors.push_back(std::move(one));
    }
}

void read_model(const toml::table& source, GpuProfile& profile, TomlErrors& errors) {
    for (const auto& [key, node] : source) {
        const std::string name(key.str());
        if (!node.is_table()) {
            errors.report(&node, "wrong_type", "[model." + name + "] must be a table with value, unit and source");
            continue;
        }
        TomlTable table(*node.as_table(), "[model." + name + "]", errors);
        ModelParameter parameter;
        parameter.value = table.required_number("value", -largest_number, largest_number);
        parameter.unit = table.text("unit", true);
        parameter.source = table.text("source", true);
        table.finish();
        profile.model[name] = std::move(parameter);
    }
}

Status read_modelled_shares(const std::string& path, GpuProfile& profile) {
    if (std::error_code error; !std::filesystem::exists(path, error)) return Nothing{};
    TomlErrors errors(path);
    const auto parsed = parse_toml(errors);
    if (!parsed) return *errors.first();
    TomlTable root(*parsed, "the file", errors);
    for (const toml::table* source : root.tables("reference")) {
        TomlTable table(*source, "[[reference]]", errors);
        ModelledShare one;
        one.stage = table.text("stage", true);
        one.shape_class = choice(table, "class", {"aligned", "odd", "thin", "small"}, errors);
        one.share_of_copy = table.required_number("share_of_copy", 0, 100);
        table.finish();
        profile.modelled.push_back(std::move(one));
    }
    root.finish();
    if (errors.first()) return *errors.first();
    return Nothing{};
}

}  // namespace

std::string modelled_shares_path(const std::string& folder, const std::string& slug) {
    return (std::filesystem::path(folder) / "modelled" / (slug + ".toml")).string();
}

double GpuProfile::modelled_share(std::string_view stage, std::string_view shape_class) const {
    for (const ModelledShare& one : modelled)
        if (one.stage == stage && one.shape_class == shape_class) return one.share_of_copy;
    return 0;
}

const ProfileReference* GpuProfile::reference(std::string_view stage, std::string_view shape_class) const {
    for (const ProfileReference& one : references)
        if (one.stage == stage && one.shape_class == shape_class) return &one;
    return nullptr;
}

const KnownError* GpuProfile::error_of(std::string_view problem) const {
    for (const KnownError& one : errors)
        if (one.problem == problem) return &one;
    return nullptr;
}

const ProfileBandwidth* GpuProfile::bandwidth(std::string_view what, std::string_view shape) const {
    for (const ProfileBandwidth& one : bandwidths)
        if (one.what == what && one.shape == shape) return &one;
    return nullptr;
}

std::optional<double> GpuProfile::parameter(const std::string& key) const {
    const auto found = model.find(key);
    return found == model.end() ? std::nullopt : std::optional(found->second.value);
}

Result<GpuProfile> load_profile(const std::string& path) {
    TomlErrors errors(path);
    const auto parsed = parse_toml(errors);
    if (!parsed) return *errors.first();
    GpuProfile profile;
    profile.slug = std::filesystem::path(path).stem().string();
    TomlTable root(*parsed, "the profile", errors);
    profile.name = root.text("name", true);
    profile.is_calibrated = choice(root, "state", {"calibrated", "uncalibrated"}, errors) == "calibrated";
    profile.error_band = root.number("error_band", 0, 0, 10);
    if (const toml::table* run = root.table("run"))
        read_run(*run, profile, errors);
    else if (profile.is_calibrated)
        errors.report(&*parsed, "missing_key", "a calibrated profile has no [run]", {},
                      "`warpgrade calibrate` writes it");
    if (const toml::table* device = root.table("device"))
        read_device(*device, profile, errors);
    else
        errors.report(&*parsed, "missing_key", "the profile has no [device]");
    read_lists(root, profile, errors);
    if (const toml::table* model = root.table("model")) read_model(*model, profile, errors);
    root.finish();
    if (errors.first()) return *errors.first();
    return profile;
}

Result<std::vector<GpuProfile>> load_profiles(const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.path().extension() == ".toml") paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    std::vector<GpuProfile> profiles;
    for (const std::string& path : paths) {
        auto profile = load_profile(path);
        if (!profile) return profile.error();
        if (auto status = read_modelled_shares(modelled_shares_path(folder, profile->slug), *profile); !status)
            return status.error();
        profiles.push_back(std::move(*profile));
    }
    return profiles;
}

const GpuProfile* profile_of_card(const std::vector<GpuProfile>& profiles, std::string_view device_name) {
    for (const GpuProfile& profile : profiles)
        if (profile.name == device_name) return &profile;
    return nullptr;
}

namespace {

// Two transfers a clock. Stacks of HBM are 1024 bits wide, other chips 32; datasheets round the bandwidth.
double memory_bus_bits(const ProfileDevice& device) {
    if (device.memory_clock_mhz <= 0) return 0;
    const double bits = device.dram_peak_gb_per_s * 1e9 * 8 / (2e6 * device.memory_clock_mhz);
    const double unit = bits > 1024 ? 1024 : 32;
    return std::round(bits / unit) * unit;
}

}  // namespace

LaunchLimits launch_limits(const GpuProfile& profile) {
    const ProfileDevice& device = profile.device;
    LaunchLimits limits;
    const auto set = [](auto& field, auto value) {
        if (value > 0) field = static_cast<std::remove_reference_t<decltype(field)>>(value);
    };
    set(limits.multiprocessors, device.multiprocessors);
    set(limits.l2_bytes, device.l2_bytes);
    set(limits.memory_bytes, device.dram_bytes);
    set(limits.clock_khz, 1000 * device.sm_clock_mhz);
    set(limits.memory_clock_khz, 1000 * device.memory_clock_mhz);
    set(limits.memory_bus_bits, memory_bus_bits(device));
    set(limits.shared_bytes_per_block_optin, device.shared_bytes_per_block);
    set(limits.shared_bytes_per_multiprocessor, device.shared_bytes_per_sm);
    set(limits.registers_per_multiprocessor, device.registers_per_sm);
    set(limits.threads_per_multiprocessor, device.max_threads_per_sm);
    set(limits.blocks_per_multiprocessor, device.max_blocks_per_sm);
    const std::string& capability = device.compute_capability;
    const auto point = capability.find('.');
    if (point != std::string::npos) {
        set(limits.compute_capability_major, std::atoi(capability.c_str()));
        limits.compute_capability_minor = std::atoi(capability.c_str() + point + 1);
    }
    return limits;
}

std::string profile_slug(std::string_view device_name) {
    constexpr std::string_view vendor = "NVIDIA ";
    if (device_name.starts_with(vendor)) device_name.remove_prefix(vendor.size());
    std::string slug;
    for (const char c : device_name) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte))
            slug += static_cast<char>(std::tolower(byte));
        else if (!slug.empty() && slug.back() != '_')
            slug += '_';
    }
    while (slug.ends_with('_')) slug.pop_back();
    return slug.empty() ? "gpu" : slug;
}

}  // namespace warpgrade
