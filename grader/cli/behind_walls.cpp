#include "cli/behind_walls.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.hpp"
#include "cli/diagnose.hpp"

namespace warpgrade::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t largest_transfer_bytes = 1ull << 30;  // contents of a buffer, on their way to a card
constexpr const char* please_report = "this is a defect of the kit; please report it, with the file";

}  // namespace

Result<wire::Fields> reply_of(ConfinedRun run, const ConfinedLimits& limits, const std::string& what) {
    using End = ConfinedRun::End;
    const auto defect = [&](std::string fact) {
        return diagnose(Blame::kit, "defect", fmt::format("warpgrade itself failed on {}, which costs no points", what),
                        please_report, {std::move(fact)});
    };
    switch (run.end) {
        case End::done:
            if (auto error = wire::diagnostic_from(run.reply)) return std::move(*error);
            return std::move(run.reply);
        case End::out_of_cpu:
            return diagnose(Blame::learner, out_of_cpu_code,
                            fmt::format("checking it took more than {} s of processor time", limits.cpu_seconds),
                            "look for a loop that does not end or is far longer than the data, or for far more code "
                            "than the task needs",
                            run.charged_seconds >= 1
                                ? std::vector{fmt::format("{:.0f} s of these to compile it", run.charged_seconds)}
                                : std::vector<std::string>{});
        case End::out_of_time:
            return diagnose(
                Blame::host, "machine_too_busy",
                fmt::format("it was not checked within {} s: this machine is too busy", limits.wall_seconds),
                "end other programs, then run the command again");
        case End::out_of_memory:
            return diagnose(Blame::host, "out_of_memory",
                            fmt::format("checking it takes more memory than the {} MiB that it may have",
                                        limits.memory_bytes >> 20),
                            "a smaller --shape, or smaller arrays");
        case End::threw: return defect(run.what);
        case End::lacks_walls:
            return diagnose(Blame::host, "no_walls",
                            "what stood between a submission and this machine's files when the command began is gone",
                            "run the command again; `warpgrade doctor` lists what stands",
                            {"wanted: " + limits.required.names() + "; there are: " + run.walls.names()});
        case End::crashed: return defect("the process that looked at it " + run.what);
        case End::broke_protocol: break;
    }
    return defect("the process that looked at it answered in no known way");
}

Diagnostic nonsense() { return diagnose(Blame::kit, "defect", "what came of the check makes no sense", please_report); }

namespace {

double points_in(const Json& score, const char* name, double most) {
    const auto found = score.find(name);
    return found != score.end() && found->is_number() ? std::clamp(found->get<double>(), 0.0, most) : 0.0;
}

// Deeper than any result is. Thrown, since a parser's callback has no other way out.
struct TooDeep {};
constexpr int deepest = 16;

}  // namespace

Result<wire::Fields> behind_walls(const Machine& machine, const Target& target,
                                  const std::function<wire::Fields()>& work, const ConfinedLimits& limits,
                                  Services more) {
    if (auto status = read_ahead(target.path); !status) return status.error();
    more.merge(compile_services());
    if (machine.bandwidths) more.merge(machine.bandwidths->services(*target.assignment, *target.stage));
    ConfinedLimits own = limits;
    own.charged_service = compile_service_name;
    if (machine.card) {
        machine.card->reset();
        own.message_bytes = largest_transfer_bytes;
        own.requests = 1'000'000;
    }
    auto run = run_confined(work, more, own);
    if (!run) return run.error();
    return reply_of(std::move(*run), own, "this file");
}

Result<Json> json_from(const std::string& text) {
    Json json;
    try {
        json = Json::parse(
            text,
            [](int depth, Json::parse_event_t, Json&) {
                if (depth > deepest) throw TooDeep();
                return true;
            },
            false);
    } catch (const TooDeep&) {
        return nonsense();
    }
    if (!json.is_object()) return nonsense();
    return json;
}

Result<Json> unscored_stage_from(const std::string& text, const Target& target) {
    auto read = json_from(text);
    if (!read) return read;
    Json& json = *read;
    json["assignment"] = target.assignment->name;
    json["stage"] = target.stage->id;
    json["source"] = target.path;
    if (const std::string* source = text_read_ahead(target.path)) json["sha256"] = sha256_hex(*source);
    return read;
}

Result<Json> stage_from(const std::string& text, const Target& target) {
    auto json = unscored_stage_from(text, target);
    if (!json) return json;
    if (!json->contains("score") || !(*json)["score"].is_object()) return nonsense();
    const Stage& stage = *target.stage;
    Json& score = (*json)["score"];
    score["correctness"] = points_in(score, "correctness", stage.correctness_points);
    score["technique"] = points_in(score, "technique", stage.technique_points);
    score["performance"] = points_in(score, "performance", stage.performance_points);
    if (stage.quiz_points > 0) score["quiz"] = points_in(score, "quiz", stage.quiz_points);
    score["total"] = points_in(score, "total", stage.max_points());
    score["max"] = stage.max_points();
    return json;
}

}  // namespace warpgrade::cli
