#include "course/technique.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "course/accesses.hpp"
#include "course/not_counted.hpp"

namespace warpgrade {

namespace {

using vgpu::Counters;

struct Derived {
    std::string_view name;
    std::optional<double> (*value)(const Measured&);
};

std::optional<double> ratio(double a, double b) {
    if (b == 0) return std::nullopt;
    return a / b;
}

std::optional<double> ratio_of(std::uint64_t a, std::uint64_t b) {
    return ratio(static_cast<double>(a), static_cast<double>(b));
}

template <Accesses (*of)(const Counters&)>
std::optional<double> per_request(const Measured& m) {
    const Accesses accesses = of(m.counters);
    return ratio_of(accesses.units, accesses.requests);
}

// Bytes that a copy by memcpy moves one by one, of elements smaller than a word: each piece's sectors are those of the
// whole elements. (ptxas keeps the pieces, so that the requests are as many.)
std::uint64_t pieces_of_elements(const Accesses& accesses, const Measured& m) {
    constexpr std::uint64_t lanes = 32, word = 4;
    const std::uint64_t bytes = accesses.requests == 0 ? 0 : accesses.ideal / accesses.requests;  // of a lane
    if (m.element_bytes >= word || bytes == 0 || bytes >= m.element_bytes || m.element_bytes % bytes != 0) return 1;
    const std::uint64_t pieces = m.element_bytes / bytes;
    return lanes * accesses.requests >= pieces * m.elements ? pieces : 1;
}

template <Accesses (*of)(const Counters&)>
std::optional<double> over_ideal_of_elements(const Measured& m) {
    const Accesses accesses = of(m.counters);
    return ratio_of(accesses.units, accesses.ideal * pieces_of_elements(accesses, m));
}

template <Accesses (*of)(const Counters&)>
std::optional<double> over_ideal(const Measured& m) {
    const Accesses accesses = of(m.counters);
    return ratio_of(accesses.units, accesses.ideal);
}

template <class Use>
std::optional<double> of_first_launch(const Measured& m, Use&& use) {
    const auto launches = launches_of_input(m);
    if (launches.empty()) return std::nullopt;
    return static_cast<double>(use(m.launches[launches.front()]));
}

std::uint64_t warps_of(const LaunchInfo& launch) { return (launch.block.count() + 31) / 32; }

std::uint64_t all_warps(const Measured& m) {
    std::uint64_t warps = 0;
    for (std::size_t i = 0; i < m.launches.size(); ++i)
        warps += m.needed ? m.needed->launches[i].warps : m.launches[i].grid.count() * warps_of(m.launches[i]);
    return warps;
}

// Of the launches that load the input: what each loads of it, over the threads that do something needed.
std::optional<double> elements_per_thread(const Measured& m) {
    const auto launches = launches_of_input(m);
    if (launches.empty()) return std::nullopt;
    if (!m.needed) {
        const LaunchInfo& first = m.launches[launches.front()];
        return ratio_of(m.elements, first.grid.count() * first.block.count());
    }
    std::uint64_t bytes = 0, threads = 0;
    for (const std::size_t i : launches) {
        bytes += m.needed->launches[i].input_bytes;
        threads += m.needed->launches[i].threads;
    }
    if (m.needed->input_bytes == 0) return std::nullopt;
    const double share = static_cast<double>(bytes) / static_cast<double>(m.needed->input_bytes);
    return ratio(share * static_cast<double>(m.elements), static_cast<double>(threads));
}

std::optional<double> blocks(const Measured& m) {
    const auto launches = launches_of_input(m);
    if (launches.empty()) return std::nullopt;
    std::uint64_t blocks = 0;
    for (const std::size_t i : launches) blocks += m.launches[i].grid.count();
    return static_cast<double>(blocks);
}

std::optional<double> dynamic_shared_bytes(const Measured& m) {
    if (m.launches.empty()) return std::nullopt;
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < m.launches.size(); ++i)
        if (!m.needed || m.needed->launches[i].dynamic_shared_bytes != 0)
            most = std::max(most, m.launches[i].shared_bytes);
    return most;
}

// Block-wide barriers are counted by warp, so those of a block are the count over the warps of all blocks.
std::optional<double> barriers_per_block(const Measured& m) { return ratio_of(m.counters.barriers, all_warps(m)); }

std::optional<double> kernels(const Measured& m) {
    std::set<std::string> names;
    for (const LaunchInfo& launch : m.launches) names.insert(launch.kernel);
    return static_cast<double>(names.size());
}

// The one list of derived names. "request": one warp-level access. "ideal": the least that the same bytes need.
const std::vector<Derived>& derived() {
    static const std::vector<Derived> list{
        // 32-byte sectors a warp's load from global memory touches.
        {"global_load_sectors_per_request", per_request<global_loads>},
        // 32-byte sectors a warp's store to global memory touches.
        {"global_store_sectors_per_request", per_request<global_stores>},
        // Turns a warp's load from shared memory takes.
        {"shared_load_wavefronts_per_request", per_request<shared_loads>},
        // Turns a warp's store to shared memory takes.
        {"shared_store_wavefronts_per_request", per_request<shared_stores>},
        // Sectors loaded over the sectors those bytes fill.
        {"global_load_sectors_over_ideal", over_ideal_of_elements<global_loads>},
        // Sectors stored over the sectors those bytes fill.
        {"global_store_sectors_over_ideal", over_ideal_of_elements<global_stores>},
        // Turns of shared loads over the turns those bytes need.
        {"shared_load_wavefronts_over_ideal", over_ideal<shared_loads>},
        // Turns of shared stores over the turns those bytes need.
        {"shared_store_wavefronts_over_ideal", over_ideal<shared_stores>},
        // Active lanes an instruction, of 32.
        {"active_lanes",
         [](const Measured& m) { return ratio_of(m.counters.thread_instructions, m.counters.warp_instructions); }},
        // Branches at which the lanes of a warp went both ways, for each warp launched.
        {"divergent_branches_per_warp",
         [](const Measured& m) { return ratio_of(m.counters.divergent_branches, all_warps(m)); }},
        // Block-wide barriers each warp waits at.
        {"barriers_per_block", barriers_per_block},
        // Elements of the input that a thread loads, over the launches that load it.
        {"elements_per_thread", elements_per_thread},
        // Threads a block of the first launch that loads the input.
        {"threads_per_block",
         [](const Measured& m) { return of_first_launch(m, [](const LaunchInfo& l) { return l.block.count(); }); }},
        // Blocks of the launches that load the input.
        {"blocks", blocks},
        // Dynamic shared memory a block, bytes; 0 if most of its shared loads are elsewhere.
        {"dynamic_shared_bytes", dynamic_shared_bytes},
        // Kernel launches.
        {"launches", [](const Measured& m) { return std::optional<double>(m.launches.size()); }},
        // Different kernels launched.
        {"kernels", kernels},
        // Different sizes of dynamic shared memory, over all shapes.
        {"dynamic_shared_sizes", [](const Measured& m) { return std::optional<double>(m.dynamic_shared_sizes); }},
        // Threads of a block that had ended where others waited at a barrier, the most of all shapes.
        {"ended_before_barriers", [](const Measured& m) { return std::optional<double>(m.ended_before_barriers); }},
        // Blocks of the launches that load the input, for a shape 16 times as large, over those for this one.
        {"blocks_growth",
         [](const Measured& m) { return m.blocks_growth > 0 ? std::optional<double>(m.blocks_growth) : std::nullopt; }},
    };
    return list;
}

std::string why_nothing(std::string_view name) {
    if (const AccessesNamed* const accesses = accesses_named(name))
        return fmt::format("nothing is {} memory", accesses->where);
    return "no kernel ran";
}

// An average hides what is bad among accesses that are good and that bring nothing new, such as a copy of the output to
// itself. A tile needs one of each kind an element, five points five, the tree of the first reduction stage 16 in
// shared memory.
constexpr double most_times_the_need_global = 8, most_times_the_need_shared = 32;

// An average that may not be too high is over so many times the sectors or turns that the problem's elements need.
std::optional<double> times_too_many(const TechniqueRule& rule, const Measured& m) {
    if (rule.op.front() != '<') return std::nullopt;
    if (!rule.left.ends_with("_per_request") && !rule.left.ends_with("_over_ideal")) return std::nullopt;
    constexpr double lanes = 32, sector_bytes = 32, usual_bytes = 4;  // of an element
    const bool is_global = rule.left.starts_with("global_");
    const auto elements = static_cast<double>(m.elements);
    const double bytes = m.needed ? static_cast<double>(m.needed->input_bytes) : usual_bytes * elements;
    const auto units = static_cast<double>(accesses_named(rule.left)->of(m.counters).units);
    const double times = units / (is_global ? bytes / sector_bytes : elements / lanes);
    const double most = is_global ? most_times_the_need_global : most_times_the_need_shared;
    return m.elements != 0 && times > most ? std::optional(times) : std::nullopt;
}

// Of a rule about wavefronts, where banks have no part in it: every access takes one.
std::string why_too_many_accesses(const TechniqueRule& rule, const Measured& m) {
    const bool is_load = rule.left == "shared_load_wavefronts";
    if (rule.op.front() != '<' || (!is_load && rule.left != "shared_store_wavefronts")) return "";
    const Accesses accesses = accesses_named(rule.left)->of(m.counters);
    if (accesses.requests == 0 || accesses.units != accesses.requests) return "";
    return fmt::format(
        "each of the {0} {1}s of a warp takes one wavefront, so there are no bank conflicts: there are too many {1}s. "
        "If the lanes of a warp take two branches, each branch makes its own "
        "{1}s.",
        accesses.requests, is_load ? "load" : "store");
}

// How far a value is on the wrong side; the worst type is the one shown.
double excess(double value, std::string_view op, double right) {
    if (op.front() == '<') return value - right;
    if (op.front() == '>') return right - value;
    return std::abs(value - right);
}

}  // namespace

const std::vector<std::string>& technique_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const vgpu::CounterField& field : vgpu::counter_fields()) all.emplace_back(field.name);
        for (const Derived& entry : derived()) all.emplace_back(entry.name);
        return all;
    }();
    return names;
}

std::vector<std::size_t> launches_of_input(const Measured& m) {
    std::vector<std::size_t> launches;
    for (std::size_t i = 0; i < m.launches.size(); ++i)
        if (m.needed ? m.needed->launches[i].input_bytes > 0 : i == 0) launches.push_back(i);
    return launches;
}

double blocks_growth(const Measured& m, const std::vector<LaunchInfo>& large) {
    std::map<std::string, std::vector<bool>> loads;  // of a kernel's launches in order: whether it loads of the input
    const auto of_input = launches_of_input(m);
    double here = 0, there = 0;
    for (std::size_t i = 0; i < m.launches.size(); ++i) {
        const bool loads_it = std::binary_search(of_input.begin(), of_input.end(), i);
        loads[m.launches[i].kernel].push_back(loads_it);
        if (loads_it) here += static_cast<double>(m.launches[i].grid.count());
    }
    std::map<std::string, std::size_t> seen;
    for (const LaunchInfo& launch : large) {
        const std::vector<bool>& known = loads[launch.kernel];
        const std::size_t k = seen[launch.kernel]++;
        const bool may_load = k < known.size() ? known[k] : known.empty() || std::ranges::count(known, true) > 0;
        if (may_load) there += static_cast<double>(launch.grid.count());
    }
    return ratio(there, here).value_or(0);
}

Measured as_needed(const Measured& m, std::string_view op) {
    if (!m.needed) return m;
    Measured of = m;
    const Counters& counted = op.front() == '>' ? m.needed->exact : m.needed->whole;
    of.counters = counted;
    for (const vgpu::CounterField& field : vgpu::counter_fields())
        if (!field.is_followed) of.counters.*field.field = m.counters.*field.field;
    of.launches.clear();
    of.needed->launches.clear();
    for (std::size_t i = 0; i < m.launches.size() && i < m.needed->launches.size(); ++i) {
        if (!m.needed->launches[i].is_needed()) continue;
        of.launches.push_back(m.launches[i]);
        of.needed->launches.push_back(m.needed->launches[i]);
    }
    return of;
}

bool needs_other_shapes(std::string_view name) { return name == "blocks_growth" || name == "dynamic_shared_sizes"; }

std::optional<double> measure(std::string_view name, const Measured& measured) {
    for (const vgpu::CounterField& field : vgpu::counter_fields())
        if (field.name == name) return static_cast<double>(measured.counters.*field.field);
    for (const Derived& entry : derived())
        if (entry.name == name) return entry.value(measured);
    throw std::logic_error("no such technique name: " + std::string(name));  // the course loader checked it
}

bool compare(double left, std::string_view op, double right) {
    if (op == "<") return left < right;
    if (op == "<=") return left <= right;
    if (op == "==") return left == right;
    if (op == ">=") return left >= right;
    if (op == ">") return left > right;
    throw std::logic_error("no such comparison: " + std::string(op));
}

namespace {

// What the rule says of one type, before `result`, which is of those before it; `worst`: how far that one is off.
// False: it decides, whatever the others show.
bool apply_rule(const TechniqueRule& rule, const Measured& measured, const std::string& type,
                std::optional<double>& worst, TechniqueResult& result) {
    const std::string where = type.empty() ? "" : type + ": ";
    const auto decide = [&](std::string why) {
        result.type = type;
        result.ok = result.has_value = false;
        result.value = 0;
        result.says = where + why;
        return false;
    };
    if (measured.needed && !measured.needed->is_whole)
        return decide(
            "the kernels do more on this shape than can be followed, so nothing of it counts: leave out what "
            "the output does not need.");
    const Measured needed = as_needed(measured, rule.op);
    Measured all = measured;
    all.needed.reset();
    const auto value = measure(rule.left, needed), plain = measured.needed ? measure(rule.left, all) : value;
    if (!value) {
        const std::string why = plain ? what_does_not_count(rule, measured) : "";
        return decide(why.empty() ? fmt::format("{}, so `{}` has no value", why_nothing(rule.left), rule.left) : why);
    }
    const double by = excess(*value, rule.op, rule.right);
    if (worst && by <= *worst) return true;
    worst = by;
    result.type = type;
    result.value = *value;
    result.ok = compare(*value, rule.op, rule.right);
    const std::string why_many = why_too_many_accesses(rule, needed);
    result.says = result.ok ? "" : where + (why_many.empty() ? rule.says : why_many);
    if (!result.ok && plain && compare(*plain, rule.op, rule.right))
        if (const std::string why = what_does_not_count(rule, measured); !why.empty()) result.says = where + why;
    const auto times = times_too_many(rule, needed);
    if (!result.ok || !times) return true;
    result.ok = false;
    result.says = fmt::format(
        "{}the figure itself would do, but the kernel makes {:.0f} times the accesses that the "
        "elements need: an average over so many does not count.",
        where, *times);
    worst = std::numeric_limits<double>::infinity();
    return true;
}

}  // namespace

std::vector<TechniqueResult> apply_rules(const std::vector<TechniqueRule>& rules, const std::vector<Measured>& measured,
                                         const std::vector<std::string>& types, const std::string& why_unmeasured) {
    std::vector<TechniqueResult> results;
    for (const TechniqueRule& rule : rules) {
        TechniqueResult& result = results.emplace_back();
        result.rule = rule.expression;
        result.ok = result.is_measured = !measured.empty();
        if (measured.empty()) result.says = "not measured: " + why_unmeasured;
        std::optional<double> worst;
        for (std::size_t i = 0; i < measured.size(); ++i)
            if (!apply_rule(rule, measured[i], measured.size() > 1 ? types[i] : "", worst, result)) break;
    }
    return results;
}

std::vector<double> rule_points(const std::vector<TechniqueRule>& rules, double total) {
    std::vector<double> points;
    double given = 0;
    int without = 0;
    for (const TechniqueRule& rule : rules) {
        given += rule.points;
        without += rule.points == 0;
    }
    for (const TechniqueRule& rule : rules)
        points.push_back(rule.points != 0 ? rule.points : std::max(0.0, total - given) / without);
    return points;
}

}  // namespace warpgrade
