#include "explain/descriptions.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include "explain/access_place.hpp"
#include "explain/access_words.hpp"
#include "explain/bounds_advice.hpp"
#include "explain/index_text.hpp"
#include "explain/race_facts.hpp"
#include "explain/source_names.hpp"
#include "explain/wording.hpp"

namespace warpgrade {

extern const char* const description_rows;  // that the build makes of descriptions.toml

namespace {

using vgpu::Finding;

struct Description {
    std::vector<std::string> of, when, facts;
    std::optional<std::string> title, mark, label, other, kind, help;
    bool is_at_launch = false, is_access = false, is_counted = false;
};

std::vector<std::string> texts(const toml::table& table, std::string_view key) {
    std::vector<std::string> all;
    if (const auto* array = table[key].as_array())
        for (const auto& one : *array) all.push_back(one.value_or(std::string()));
    else if (const auto one = table[key].value<std::string>())
        all.push_back(*one);
    return all;
}

const std::vector<Description>& all_descriptions() {
    static const auto all = [] {
        std::vector<Description> read;
        const toml::table file = toml::parse(std::string_view(description_rows));
        for (const auto& node : *file["row"].as_array()) {
            const toml::table& table = *node.as_table();
            const auto text = [&](const char* key) { return table[key].value<std::string>(); };
            read.push_back({texts(table, "of"), texts(table, "when"), texts(table, "facts"), text("title"),
                            text("mark"), text("label"), text("other"), text("kind"), text("help"),
                            table["at_launch"].value_or(false), table["is_access"].value_or(false),
                            table["counted"].value_or(false)});
        }
        return read;
    }();
    return all;
}

// In the order of the enumerations.
constexpr std::array misuse_names{"none",
                                  "branch_index",
                                  "barrier_number",
                                  "barrier_numbers_apart",
                                  "barrier_threads",
                                  "barrier_counts_apart",
                                  "mbarrier_not_set",
                                  "mbarrier_overwritten",
                                  "mbarrier_count",
                                  "mbarrier_arrivals",
                                  "mbarrier_bytes",
                                  "copied_bytes"};
constexpr std::array refusal_names{"none",      "no_threads",      "grid_extent", "block_extent", "shared_bytes",
                                   "registers", "resident_blocks", "cluster",     "other"};

// `blocks - 1` of a launch, which is 0 for this shape.
NodeId difference_of_grid(const Scene& scene) {
    const source::Launch* const launch = launch_at(scene.facts, scene.line());
    return launch ? binary(scene.tree(), launch->grid, "-") : no_node;
}

// The first on the line; "" where there is none.
std::string warp_function_of(const Scene& scene) {
    static constexpr std::array kinds{"__shfl",  "__ballot", "__any",      "__all",
                                      "__match", "__reduce", "__syncwarp", "__activemask"};
    for (const source::Call& call : scene.facts.calls)
        if (call.line == scene.line() &&
            std::ranges::any_of(kinds, [&](const char* kind) { return call.name.starts_with(kind); }))
            return std::string(call.name);
    return "";
}

struct Condition {
    std::string_view name;
    bool (*holds)(const Scene&);
};
constexpr std::array description_conditions{
    Condition{"in_launcher", [](const Scene& s) { return s.finding.kernel.empty(); }},
    Condition{"has_line", [](const Scene& s) { return s.line() != 0; }},
    Condition{"has_other", [](const Scene& s) { return s.finding.has_other; }},
    Condition{"has_buffer", [](const Scene& s) { return !s.finding.buffer.empty(); }},
    Condition{"has_layout", [](const Scene& s) { return s.layout() != nullptr; }},
    Condition{"has_scratch", [](const Scene& s) { return scratch_of(s) != nullptr; }},
    Condition{"has_lane", [](const Scene& s) { return s.finding.lane >= 0; }},
    Condition{"has_mask", [](const Scene& s) { return s.finding.mask != 0; }},
    Condition{"other_has_line", [](const Scene& s) { return s.finding.other.line != 0; }},
    Condition{"null", [](const Scene& s) { return s.finding.address + 4096 < 8192; }},  // a little before it, or after
    Condition{"frees_memory", [](const Scene& s) { return has_word(s.tree(), "cudaFree"); }},
    Condition{"above_4_bytes", [](const Scene& s) { return s.finding.width_bytes > 4; }},
    Condition{"wider_than_element",
              [](const Scene& s) {
                  const int width = s.finding.width_bytes;
                  return s.layout() != nullptr && s.element_bytes() < width && width <= 4;
              }},
    Condition{"line_stores_to_output",
              [](const Scene& s) {
                  const std::string& out = s.run.layout.back().name;
                  return stored_array(s.facts, s.line()) == out && out != s.finding.buffer;
              }},
    Condition{"one", [](const Scene& s) { return s.finding.value == 1; }},
    Condition{"is_set", [](const Scene& s) { return s.finding.value > 0; }},
    Condition{"writes", [](const Scene& s) { return s.finding.access == vgpu::AccessKind::write; }},
    Condition{"under_copy", [](const Scene& s) { return s.finding.is_under_copy; }},
    Condition{"held_back", [](const Scene& s) { return s.finding.is_held_back; }},
    Condition{"volatile", [](const Scene& s) { return s.finding.is_volatile; }},
    Condition{"one_line", [](const Scene& s) { return is_one_line(s.finding); }},
    Condition{"in_program", [](const Scene& s) { return s.run.layout.empty(); }},
    Condition{"waits_for_grid",
              [](const Scene& s) {
                  const auto is_it = [&](const source::Barrier& one) {
                      return one.name.ends_with("sync") && one.line == s.line();
                  };
                  return has_word(s.tree(), "this_grid") && std::ranges::any_of(s.facts.barriers, is_it);
              }},
    Condition{"below_64_Ki", [](const Scene& s) { return s.finding.limit < 65536; }},
    Condition{"below_1024", [](const Scene& s) { return s.finding.limit < 1024; }},
    Condition{"has_work", [](const Scene& s) { return s.input().elements() != 0 && !s.run.layout.empty(); }},
    Condition{"has_result",
              [](const Scene& s) { return !s.run.layout.empty() && s.run.layout.back().elements() != 0; }},
    Condition{"of_line", [](const Scene& s) { return s.input().extents.size() == 1; }},
    Condition{"grid_is_difference", [](const Scene& s) { return difference_of_grid(s) != no_node; }},
    Condition{"asks_for_unused_bytes",
              [](const Scene& s) {
                  const std::string bytes = launch_argument(s.facts, s.line(), 2);
                  return !bytes.empty() && bytes != "0" && !has_word(s.tree(), "extern") &&
                         s.source.find("dynamic_smem") == std::string::npos;  // another file may have it
              }},
    Condition{"asks_for_no_bytes", [](const Scene& s) { return s.launch() && s.launch()->shared_bytes == 0; }},
};

struct Value {
    std::string_view name;
    std::string (*of)(const Scene&);
};
constexpr std::array description_values{
    Value{"value", [](const Scene& s) { return std::to_string(s.finding.value); }},
    Value{"limit", [](const Scene& s) { return std::to_string(s.finding.limit); }},
    Value{"offset", [](const Scene& s) { return std::to_string(s.finding.offset_bytes); }},
    Value{"width", [](const Scene& s) { return std::to_string(s.finding.width_bytes); }},
    Value{"element_bytes", [](const Scene& s) { return std::to_string(s.element_bytes()); }},
    Value{"verb", [](const Scene& s) -> std::string { return verb(s.finding.access); }},
    Value{"out", [](const Scene& s) { return s.run.layout.empty() ? "" : s.run.layout.back().name; }},
    Value{"scratch", [](const Scene& s) { return scratch_of(s)->name; }},
    Value{"lane", [](const Scene& s) { return std::to_string(s.finding.lane); }},
    Value{"mask", [](const Scene& s) { return fmt::format("0x{:08x}", s.finding.mask); }},
    Value{"warp_function", &warp_function_of},
    Value{"last", [](const Scene& s) { return std::to_string(s.finding.limit - 1); }},
    Value{"address", [](const Scene& s) { return fmt::format("0x{:x}", s.finding.address); }},
    Value{"detail", [](const Scene& s) { return s.finding.detail; }},
    Value{"kernel", [](const Scene& s) { return s.finding.kernel; }},
    Value{"buffer", [](const Scene& s) { return s.finding.buffer; }},
    Value{"array", &name_of_race},
    Value{"element", &element_text},
    Value{"place", &shared_place},
    Value{"both_at", &both_at},
    Value{"thread", [](const Scene& s) { return thread_text(s.finding.place); }},
    Value{"other_thread", [](const Scene& s) { return thread_text(s.finding.other); }},
    Value{"other_block", [](const Scene& s) { return to_text(s.finding.other.block); }},
    Value{"in_thread", &thread_fact},
    Value{"who", [](const Scene& s) { return s.finding.kernel.empty() ? host_text(s) : s.finding.kernel; }},
    Value{"with_shape", &with_shape},
    Value{"of_shape",
          [](const Scene& s) {
              const std::string shape = describe_case(s.run.shape);
              return shape.empty() ? "" : "shape " + shape + "; ";
          }},
    Value{"error", [](const Scene& s) { return s.finding.error; }},
    Value{"grid", [](const Scene& s) { return s.text(difference_of_grid(s)); }},
    Value{"bytes_argument", [](const Scene& s) { return launch_argument(s.facts, s.line(), 2); }},
};

template <class Table>
const auto& entry_named(const Table& table, std::string_view name) {
    const auto found = std::ranges::find_if(table, [&](const auto& one) { return one.name == name; });
    if (found == table.end()) throw std::logic_error("no row of descriptions may ask for " + std::string(name));
    return *found;
}

bool holds(const Scene& scene, std::string_view condition) {
    if (condition.starts_with('!')) return !holds(scene, condition.substr(1));
    const std::size_t sign = condition.find('=');
    if (sign == condition.npos) return entry_named(description_conditions, condition).holds(scene);
    const std::string_view key = condition.substr(0, sign), wanted = condition.substr(sign + 1);
    const Finding& finding = scene.finding;
    return wanted == (key == "misuse"    ? misuse_names.at(static_cast<std::size_t>(finding.misuse))
                      : key == "refusal" ? refusal_names.at(static_cast<std::size_t>(finding.refusal))
                                         : to_string(finding.reason));
}

// {name}, and {name:thing} for "1 thing" or "5 things".
std::string filled(const Scene& scene, std::string_view text) {
    std::string out;
    for (std::size_t open; (open = text.find('{')) != text.npos;) {
        const std::size_t close = text.find('}', open);
        const std::string_view asked = text.substr(open + 1, close - open - 1);
        const std::size_t colon = std::min(asked.find(':'), asked.size());
        const std::string value = entry_named(description_values, asked.substr(0, colon)).of(scene);
        out.append(text.substr(0, open)).append(value);
        if (colon < asked.size()) out.append(" ").append(asked.substr(colon + 1)).append(value == "1" ? "" : "s");
        text.remove_prefix(close + 1);
    }
    return out.append(text);
}

}  // namespace

Diagnostic described(const Scene& scene) {
    const std::string kind = to_string(scene.finding.kind);
    Description all;
    Diagnostic diagnostic;
    for (const Description& row : all_descriptions()) {
        if (std::ranges::find(row.of, kind) == row.of.end() ||
            !std::ranges::all_of(row.when, [&](const std::string& one) { return holds(scene, one); }))
            continue;
        for (const auto field : {&Description::title, &Description::mark, &Description::label, &Description::other,
                                 &Description::kind, &Description::help})
            if (!(all.*field) && row.*field) all.*field = filled(scene, *(row.*field));
        for (const std::string& fact : row.facts) diagnostic.facts.push_back(filled(scene, fact));
        all.is_at_launch = all.is_at_launch || row.is_at_launch;
        all.is_access = all.is_access || row.is_access;
        all.is_counted = all.is_counted || row.is_counted;
    }
    diagnostic.title = all.title.value_or("");
    diagnostic.kind = all.kind.value_or("");
    diagnostic.help = all.help.value_or("");
    if (const LaunchInfo* launch = all.is_at_launch ? scene.launch() : nullptr; launch && launch->line != 0)
        diagnostic.marks.push_back(mark_of_launch(*launch, scene.path, scene.source));
    else if (all.label && all.is_access)
        diagnostic.marks.push_back(
            mark_of_access(scene, scene.finding.place, all.mark.value_or(""), scene.finding.access, *all.label));
    else if (all.label)
        diagnostic.marks.push_back(mark_at(scene, scene.finding.place, all.mark.value_or(""), *all.label));
    if (all.other) diagnostic.marks.push_back(mark_at(scene, scene.finding.other, all.mark.value_or(""), *all.other));
    if (all.is_counted) add_occurrences(scene, diagnostic);
    return diagnostic;
}

}  // namespace warpgrade
