#include "grade/dispatch_thresholds.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/confined.hpp"
#include "base/make_diagnostic.hpp"
#include "explain/say.hpp"
#include "problem/pattern.hpp"
#include "run/placeholder_buffers.hpp"
#include "vgpu/budget.hpp"

namespace warpgrade {

namespace {

// Of one launcher: what asking about one size may take, and about all of them (vgpu/budget.hpp).
constexpr std::uint64_t most_work_each = 60'000, most_work = 30'000'000;
constexpr std::size_t most_numbers = 12;  // from the code
constexpr std::size_t most_ways = 6;

// The way through the launcher, as a number; 0: it did not come to its end.
using Way = std::uint64_t;

class Prober {
public:
    Prober(const Bench& bench, const std::string& launcher, std::vector<std::uint64_t> addresses)
        : bench_(bench), launcher_(launcher), addresses_(std::move(addresses)) {
        limits_.warp_instructions = most_work_each;
        limits_.budget = &budget_;
        limits_.is_time_over = &work_time_is_over();
    }

    Result<Way> ask(const Shape& shape) {
        if (const auto known = known_.find(shape.extents); known != known_.end()) return known->second;
        if (budget_.is_spent() || work_time_is_over()) return Way{0};
        const auto plan = bench_.program.plan(launcher_, bench_.problem.arguments(shape, addresses_), limits_);
        if (!plan) return plan.error();
        return known_[shape.extents] = way_of(*plan);
    }

private:
    static Way way_of(const LaunchPlan& plan) {
        Way way = hash_of(plan.way.size(), 0x3A7);
        for (const vgpu::Finding& finding : plan.findings) {
            if (finding.kind != vgpu::FindingKind::invalid_launch) return 0;
            way = hash_of(way, static_cast<std::uint64_t>(finding.place.line));
        }
        for (const std::uint32_t segment : plan.way) way = hash_of(way, segment);
        std::set<std::uint64_t> launched;  // however often
        for (const PlannedStep& step : plan.steps) {
            if (const auto* launch = std::get_if<PlannedLaunch>(&step)) {
                std::uint64_t one = hash_of(launch->launch.block.x, launch->launch.block.y);
                one = hash_of(one, launch->launch.block.z);
                one = hash_of(one, launch->launch.dynamic_shared_bytes);
                for (const char c : launch->launch.kernel) one = hash_of(one, static_cast<unsigned char>(c));
                for (const std::byte flag : launch->flags) one = hash_of(one, static_cast<std::uint64_t>(flag));
                launched.insert(one);
            }
        }
        for (const std::uint64_t one : launched) way = hash_of(way, one);
        return way | 1;
    }

    const Bench& bench_;
    const std::string& launcher_;
    std::vector<std::uint64_t> addresses_;
    std::map<std::vector<std::int64_t>, Way> known_;
    vgpu::Budget budget_{most_work};
    vgpu::Limits limits_;
};

// Whole numbers in the text of the launcher that may be sizes.
std::vector<std::int64_t> numbers_of(std::string_view ptx, const std::string& launcher) {
    std::set<std::int64_t> numbers;
    // The function's body: from its definition, the last mention that a brace follows, to the brace that ends it.
    std::size_t start = ptx.npos;
    for (std::size_t at = ptx.find(launcher); at != ptx.npos; at = ptx.find(launcher, at + 1)) {
        const std::size_t end = ptx.find_first_of("{;", at);
        if (end != ptx.npos && ptx[end] == '{') start = end;
    }
    if (start == ptx.npos) return {};
    const std::string_view body = ptx.substr(start, ptx.find("\n}", start) - start);
    for (std::size_t at = 0; at < body.size(); ++at) {
        const bool begins = body[at] >= '0' && body[at] <= '9' && (body[at - 1] == ' ' || body[at - 1] == '-');
        if (!begins) continue;
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(body.data() + at, body.data() + body.size(), number);
        if (error == std::errc() && number > 1) numbers.insert(number);
        at = static_cast<std::size_t>(end - body.data());
    }
    std::vector<std::int64_t> largest(numbers.rbegin(), numbers.rend());  // small ones are near a power of two
    if (largest.size() > most_numbers) largest.resize(most_numbers);
    return largest;
}

std::vector<std::int64_t> candidates(std::int64_t most, const std::vector<std::int64_t>& numbers) {
    std::set<std::int64_t> all{1, most};
    for (std::int64_t power = 2; power <= most; power *= 2) all.insert({power, power + power / 2 + 1});
    for (const std::int64_t number : numbers) all.insert({number - 1, number, number + 1});
    std::erase_if(all, [&](std::int64_t n) { return n < 1 || n > most; });
    return {all.begin(), all.end()};
}

std::uint64_t elements_of(const std::vector<std::int64_t>& extents) {
    std::uint64_t all = 1;
    for (const std::int64_t extent : extents) all *= static_cast<std::uint64_t>(extent);
    return all;
}

// Every combination with at most so many elements, the smallest first.
std::vector<std::vector<std::int64_t>> combinations(const std::vector<std::vector<std::int64_t>>& each,
                                                    std::uint64_t most) {
    std::vector<std::vector<std::int64_t>> all{{}};
    for (const auto& extents : each) {
        std::vector<std::vector<std::int64_t>> longer;
        for (const auto& one : all) {
            for (const std::int64_t extent : extents) {
                auto next = one;
                next.push_back(extent);
                if (elements_of(next) <= most) longer.push_back(std::move(next));
            }
        }
        all = std::move(longer);
    }
    std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return elements_of(a) < elements_of(b); });
    return all;
}

// Makes one extent after the other as small as the way allows, between it and the next candidate below.
Result<UncheckedDispatch> nearest(Prober& prober, Shape shape, Way way,
                                  const std::vector<std::vector<std::int64_t>>& each) {
    UncheckedDispatch found;
    for (std::size_t d = 0; d < shape.extents.size(); ++d) {
        const auto& extents = each[d];
        const auto at = std::lower_bound(extents.begin(), extents.end(), shape.extents[d]);
        if (at == extents.begin()) continue;
        Shape below = shape;
        below.extents[d] = *std::prev(at);
        const auto its = prober.ask(below);
        if (!its) return its.error();
        if (*its == way) continue;  // it is not this extent that decides
        while (shape.extents[d] - below.extents[d] > 1) {
            Shape between = shape;
            between.extents[d] = below.extents[d] + (shape.extents[d] - below.extents[d]) / 2;
            const auto middle = prober.ask(between);
            if (!middle) return middle.error();
            (*middle == way ? shape : below).extents[d] = between.extents[d];
        }
        if (elements_of(below.extents) > 0) found.beside.push_back(below);
    }
    // What lies beside has the other extents of the final shape.
    for (std::size_t i = 0; i < found.beside.size(); ++i)
        for (std::size_t d = 0; d < shape.extents.size(); ++d)
            if (found.beside[i].extents[d] > shape.extents[d]) found.beside[i].extents[d] = shape.extents[d];
    found.shape = std::move(shape);
    return found;
}

// With the class that the problem gives to such extents.
Status classify(const Problem& problem, Shape& shape) {
    auto known = problem.parse_shape(to_string(shape));
    if (!known) return known.error();
    known->type = shape.type;
    shape = std::move(*known);
    return Nothing{};
}

}  // namespace

Diagnostic dispatch_not_checked(const Shape& shape, const std::string& path) {
    return make_diagnostic(Blame::learner, Severity::warning, "not_looked_at", say("launcher_does_something_else"),
                           {{path, 0, 0, 1, ""}}, {"from " + to_string(shape) + say("nothing_known_output_there")},
                           say("do_same_smaller_size"));
}

Result<std::vector<UncheckedDispatch>> unchecked_dispatches(const Bench& bench, const std::vector<Shape>& checked,
                                                            const std::vector<Shape>& timed, const std::string& ptx) {
    if (checked.empty() || timed.empty()) return std::vector<UncheckedDispatch>{};
    Shape shape = checked.front();
    shape.previous.clear(), shape.contents.clear(), shape.base_offset_bytes = 0;
    const std::string& launcher = bench.launchers.at(shape.type);

    auto addresses = allocate_placeholders(bench.program, bench.problem, shape);
    if (!addresses) return addresses.error();
    Prober prober(bench, launcher, std::move(*addresses));
    std::set<Way> seen{0};
    std::vector<std::int64_t> most(shape.extents.size(), 1);
    std::uint64_t most_elements = 1;
    for (const std::vector<Shape>* shapes : {&checked, &timed}) {
        for (const Shape& one : *shapes) {
            for (std::size_t d = 0; d < most.size(); ++d) most[d] = std::max(most[d], one.extents[d]);
            most_elements = std::max(most_elements, elements_of(one.extents));
        }
    }
    for (const Shape& one : checked) {
        if (one.type != shape.type) continue;
        const auto way = prober.ask(one);
        if (!way) return way.error();
        seen.insert(*way);
    }

    const std::vector<std::int64_t> numbers = numbers_of(ptx, launcher);
    std::vector<std::vector<std::int64_t>> each;
    for (const std::int64_t extent : most) each.push_back(candidates(extent, numbers));
    std::vector<UncheckedDispatch> unseen;
    for (const auto& extents : combinations(each, most_elements)) {
        if (unseen.size() == most_ways) break;
        shape.extents = extents;
        const auto way = prober.ask(shape);
        if (!way) return way.error();
        if (!seen.insert(*way).second) continue;
        auto found = nearest(prober, shape, *way, each);
        if (!found) return found.error();
        for (Shape& beside : found->beside)
            if (auto status = classify(bench.problem, beside); !status) return status.error();
        if (auto status = classify(bench.problem, found->shape); !status) return status.error();
        unseen.push_back(std::move(*found));
    }
    bench.program.release_all();
    std::ranges::stable_sort(unseen, [](const UncheckedDispatch& a, const UncheckedDispatch& b) {
        return elements_of(a.shape.extents) < elements_of(b.shape.extents);
    });
    return unseen;
}

}  // namespace warpgrade
