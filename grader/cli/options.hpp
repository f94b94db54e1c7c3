// The options that the verbs share, and what they mean: the course, the device, the shapes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/course.hpp"
#include "device/device.hpp"
#include "grade/result.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace warpgrade::cli {

struct SharedOptions {
    std::string device = "auto";  // auto | virtual | cuda
    std::string profile;
    std::string format = "text";  // text | json, of `check` also others (cli/check_formats.hpp)
    std::uint64_t seed = 0;
    std::vector<std::string> shapes;
    std::string stage;
    bool is_json() const { return format == "json"; }
};

// What every option that takes a number is checked with: whole, in decimal, from `least` to `most`. Else a usage error
// that names the two.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);
constexpr std::uint64_t largest_seed = ~std::uint64_t{0};

void add_format(CLI::App& verb, SharedOptions& options);
void add_profile(CLI::App& verb, SharedOptions& options);
// --device --profile --seed --shape --stage, and --format.
void add_shared(CLI::App& verb, SharedOptions& options);

// Error: usage, with the near-name.
Status check_choices(const SharedOptions& options, const std::vector<std::string>& formats = {"text", "json"});
Status check_profile(const SharedOptions& options, const Course& course);

// --shape for this stage's problem. Error: usage.
Result<std::vector<Shape>> parse_shapes(const SharedOptions& options, const Target& target);

// A report with everything but its stages and the GPU that it speaks of (cli/machine.hpp). Error: no NVRTC (host).
Result<RunReport> begin_report(const SharedOptions& options, const Course& course, const std::string& device_kind,
                               const std::string& device_name);

}  // namespace warpgrade::cli
