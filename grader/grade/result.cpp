// The result JSON, "warpgrade.result/1" (reports/schemas/result.json): new keys come after the old ones.
#include "grade/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "grade/finding_json.hpp"

namespace warpgrade {

namespace {

using Json = nlohmann::ordered_json;

template <class Items, class Write>
Json list(const Items& items, Write&& write) {
    Json json = Json::array();
    for (const auto& item : items) json.push_back(write(item));
    return json;
}

Json extents(const vgpu::Dim3& size) { return Json::array({size.x, size.y, size.z}); }

Json message_json(const CompilerMessage& message) {
    Json json{{"severity", to_string(message.severity)},
              {"line", message.line},
              {"column", message.column},
              {"message", message.message}};
    if (!message.path.empty()) json["path"] = message.path;
    return json;
}

Json case_json(const CaseResult& one) {
    Json json{{"shape", one.shape.extents},
              {"type", one.shape.type},
              {"class", one.shape.shape_class},
              {"verdict", to_string(one.verdict)},
              {"detail", one.detail}};
    if (!one.variant.empty()) json["variant"] = one.variant;
    if (one.is_planned) json["planned"] = true;
    if (one.is_proved) json["proved"] = true;
    if (!one.shape.contents.empty()) json["contents"] = one.shape.contents;
    if (one.shape.base_offset_bytes != 0) json["base_offset_bytes"] = one.shape.base_offset_bytes;
    if (!one.shape.previous.empty()) json["previous"] = one.shape.previous;
    if (one.judgement)
        json["diagnosis"] = Json{{"pattern", one.judgement->pattern},
                                 {"title", one.judgement->title},
                                 {"facts", one.judgement->facts},
                                 {"picture", one.judgement->picture},
                                 {"help", one.judgement->help}};
    if (!one.seen.empty()) json["seen"] = one.seen;
    return json;
}

Json launch_json(const LaunchInfo& launch) {
    return {{"kernel", launch.kernel},
            {"grid", extents(launch.grid)},
            {"block", extents(launch.block)},
            {"shared_bytes", launch.shared_bytes},
            {"line", launch.line}};
}

// The contract's names first, in its order; then what was added since.
void add_counters(Json& json, const vgpu::Counters& counters) {
    static constexpr std::string_view contract[] = {"warp_instructions",
                                                    "thread_instructions",
                                                    "global_load_requests",
                                                    "global_load_sectors",
                                                    "global_store_requests",
                                                    "global_store_sectors",
                                                    "shared_load_requests",
                                                    "shared_load_wavefronts",
                                                    "shared_store_requests",
                                                    "shared_store_wavefronts",
                                                    "barriers"};
    for (const std::string_view name : contract)
        for (const vgpu::CounterField& field : vgpu::counter_fields())
            if (field.name == name) json[std::string(name)] = counters.*field.field;
    for (const vgpu::CounterField& field : vgpu::counter_fields())
        if (!json.contains(std::string(field.name))) json[std::string(field.name)] = counters.*field.field;
}

Json counters_json(const StageResult& stage) {
    Json json{{"shape", stage.counters_shape.extents}};
    add_counters(json, stage.counters);
    json["useful_bytes"] = stage.useful_bytes;
    json["elements"] = stage.elements;
    if (stage.flops > 0) json["flops"] = stage.flops;
    json["by_line"] = Json::array();
    for (const vgpu::LineCounters& line : stage.by_line) {
        Json entry{{"line", line.line}};
        add_counters(entry, line.counters);
        json["by_line"].push_back(std::move(entry));
    }
    return json;
}

Json unneeded_json(const vgpu::UnneededLine& line) {
    return {{"line", line.line}, {"kind", to_string(line.kind)}, {"requests", line.requests}, {"of", line.of}};
}

Json technique_json(const TechniqueResult& rule) {
    Json json{{"rule", rule.rule}, {"value", rule.value}, {"ok", rule.ok}, {"points", rule.points}};
    if (!rule.has_value) json["value"] = nullptr;
    if (!rule.says.empty()) json["says"] = rule.says;
    if (!rule.is_measured) json["measured"] = false;
    return json;
}

Json bandwidth_json(const Bandwidth& b) {
    return {{"origin", to_string(b.origin)},
            {"shape", b.shape},
            {"seconds", b.seconds},
            {"gb_per_s", b.gb_per_s},
            {"copy_gb_per_s", b.copy_gb_per_s},
            {"reference_gb_per_s", b.reference_gb_per_s},
            {"samples", b.samples},
            {"iqr_seconds", b.iqr_seconds},
            {"limiter", b.limiter},
            {"class", b.shape_class},
            {"yardstick", to_string(b.yardstick)},
            {"verdict", to_string(b.verdict)},
            {"detail", b.detail},
            {"share_of_reference", b.share_of_reference},
            {"share_interval", Json::array({b.share_low, b.share_high})},
            {"reference_origin", to_string(b.reference_origin)},
            {"memcpy_gb_per_s", b.memcpy_gb_per_s},
            {"sm_clock_mhz", b.sm_clock_mhz},
            {"memory_clock_mhz", b.memory_clock_mhz},
            {"temperature_c", b.temperature_c},
            {"throttled_by", b.throttled_by},
            {"seconds_spent", b.seconds_spent},
            {"elements", b.elements},
            {"flops", b.flops},
            {"gflop_per_s", b.gflop_per_s()}};
}

// Where the time goes, as far as a model says it.
Json time_json(const Bandwidth& b) {
    return {{"origin", to_string(b.origin)},
            {"gpu", b.modelled_gpu},
            {"error_band", b.error_band},
            {"error_rows", b.error_rows},
            {"error_median", b.error_median},
            {"error_nine_of_ten", b.error_nine_of_ten},
            {"capped", b.is_capped},
            {"shape", b.shape},
            {"seconds", b.seconds},
            {"limiter", b.limiter},
            {"line", b.limiter_line},
            {"stalls", b.stalls},
            {"gain_without_limit", b.gain_without_limit}};
}

// Numbers in rows: of a span its warp, cycles from and to, and index of the reason; of a load cycles from and to, and
// bytes.
Json timeline_json(const Timeline& line) {
    const auto whole = [](double number) { return static_cast<std::int64_t>(std::llround(number)); };
    Json reasons = Json::array();
    for (int i = 0; i < static_cast<int>(Stall::count); ++i) reasons.push_back(name(static_cast<Stall>(i)));
    return {{"cycles", whole(line.cycles)},
            {"cut", line.is_cut},
            {"needed_bytes", whole(line.needed_bytes)},
            {"reasons", std::move(reasons)},
            {"spans", list(line.spans,
                           [&](const Timeline::Span& one) -> Json {
                               return {one.warp, whole(one.from), whole(one.to), static_cast<int>(one.reason)};
                           })},
            {"loads", list(line.loads, [&](const Timeline::Load& one) -> Json {
                 return {whole(one.from), whole(one.to), whole(one.bytes)};
             })}};
}

const char* name_of(vgpu::AccessKind kind) {
    switch (kind) {
        case vgpu::AccessKind::read: return "read";
        case vgpu::AccessKind::write: return "write";
        case vgpu::AccessKind::atomic: return "atomic";
        case vgpu::AccessKind::none: break;
    }
    return "none";
}

std::string hex(std::span<const std::uint8_t> bytes) {
    std::string text;
    for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

Json access_json(const vgpu::Access& access) {
    return {{"line", access.line},
            {"kind", name_of(access.kind)},
            {"space", std::string(ptx::name(access.space))},
            {"buffer", access.buffer},
            {"width_bytes", access.width_bytes},
            {"mask", access.mask},
            {"addresses", access.addresses},
            {"units", access.units},
            {"units_ideal", access.units_ideal},
            {"buffer_bytes", access.buffer_bytes},
            {"buffer_start", access.buffer_start},
            {"block", {access.block.x, access.block.y, access.block.z}},
            {"warp", access.warp},
            {"values", hex(access.values)}};
}

Json trace_json(const StageResult& stage) {
    Json trace = Json::array();
    std::size_t launch = 0;
    for (const vgpu::Access& access : stage.trace) {
        while (launch < stage.trace_ends.size() && trace.size() >= stage.trace_ends[launch]) ++launch;
        trace.push_back(access_json(access));
        trace.back()["launch"] = launch;
    }
    return trace;
}

Json lines_json(std::string_view text) {
    Json lines = Json::array();
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

// Figures of hundredths: sums of shares such as 1/3 are not worth more digits.
double rounded(double points) { return static_cast<double>(static_cast<long long>(points * 100 + 0.5)) / 100; }

Json index_json(const vgpu::Dim3& index) { return {index.x, index.y, index.z}; }

Json wrong_element_json(const WrongElement& element) {
    Json accesses = list(element.accesses, [](const WrongElement::Toucher& one) -> Json {
        return {{"kind", name_of(one.access)},
                {"line", one.place.line},
                {"block", index_json(one.place.block)},
                {"thread", index_json(one.place.thread)}};
    });
    return {{"kind", element.kind},
            {"array", element.array},
            {"space", element.space},
            {"byte", element.byte},
            {"accesses", std::move(accesses)}};
}

}  // namespace

Json score_json(const Score& score, bool has_quiz) {
    Json json{{"correctness", score.correctness}, {"technique", score.technique}, {"performance", score.performance}};
    if (has_quiz) json["quiz"] = score.quiz;
    json["total"] = score.total;
    json["max"] = score.max;
    json["state"] = to_string(score.state);
    if (!score.why.empty()) json["why"] = score.why;
    return json;
}

Json points_json(double correctness, double technique, double performance, double quiz) {
    Json json{{"correctness", correctness}, {"technique", technique}, {"performance", performance}};
    if (quiz > 0) json["quiz"] = quiz;
    return json;
}

Json json_of(const StageResult& stage) {
    Json json{{"assignment", stage.assignment},
              {"stage", stage.stage},
              {"source", stage.source_path},
              {"sha256", stage.sha256}};
    json["compile"] = {{"ok", stage.compiles},
                       {"seconds", stage.compile_seconds},
                       {"diagnostics", list(stage.compiler_messages, message_json)}};
    const auto passed =
        std::ranges::count_if(stage.cases, [](const CaseResult& one) { return one.verdict == Verdict::pass; });
    json["correctness"] = {{"passed", passed}, {"total", stage.cases.size()}, {"cases", list(stage.cases, case_json)}};
    // Elements of the largest case; of what is larger nothing was run.
    if (stage.run_up_to > 0) json["correctness"]["run_up_to"] = stage.run_up_to;
    if (stage.planned_up_to > 0) json["correctness"]["planned_up_to"] = stage.planned_up_to;
    if (stage.proof) json["proof"] = proof::json_of(*stage.proof);
    if (stage.refuted) json["proof"]["refuted"] = json_of(*stage.refuted);
    json["findings"] = list(stage.findings, finding_json);
    json["launches"] = list(stage.launches, launch_json);
    // No shape: the technique shape did not run.
    json["counters"] = stage.launches.empty() ? Json(nullptr) : counters_json(stage);
    json["technique"] = list(stage.technique, technique_json);
    json["bandwidth"] = stage.bandwidth ? bandwidth_json(*stage.bandwidth) : Json(nullptr);
    json["score"] = score_json(stage.score, stage.quiz_points > 0);
    if (stage.bandwidth && stage.bandwidth->origin == Origin::modelled) json["time"] = time_json(*stage.bandwidth);
    json["not_needed"] = list(stage.unneeded, unneeded_json);
    json["technique_shape"] = stage.technique_shape.extents;  // that the rules were applied on
    json["bandwidth_by_class"] = list(stage.bandwidths, bandwidth_json);
    json["seconds"] = {{"compiling", stage.seconds.compiling},
                       {"on_virtual_gpu", stage.seconds.on_virtual_gpu},
                       {"on_card", stage.seconds.on_card},
                       {"timing", stage.seconds.timing}};
    json["technique_shape_is_right"] = !stage.measured.empty();
    if (!stage.why_untimed.empty()) json["why_untimed"] = stage.why_untimed;
    json["title"] = stage.title;
    if (stage.is_program) json["program"] = true;
    json["untouched"] = stage.is_untouched_stub;
    json["passes"] = stage.passes();
    json["output"] = stage.output;
    json["points"] =
        points_json(stage.correctness_points, stage.technique_points, stage.performance_points, stage.quiz_points);
    if (stage.quiz)
        json["quiz"] = {{"questions", stage.quiz->questions},
                        {"answered", stage.quiz->answered},
                        {"right", stage.quiz->right},
                        {"of_old_code", stage.quiz->is_of_old_code}};
    if (stage.performance_points > 0) json["band"] = {{"none", stage.band.none}, {"full", stage.band.full}};
    json["source_lines"] = lines_json(stage.source);
    if (stage.trace.empty()) return json;
    json["trace"] = trace_json(stage);
    if (stage.trace_is_cut) json["trace_is_cut"] = true;
    json["arrays"] = list(stage.arrays, [](const NamedArray& array) -> Json {
        return {{"name", array.name}, {"space", array.space}, {"extents", array.extents}, {"type", array.type}};
    });
    json["wrong_elements"] = list(stage.wrong_elements, wrong_element_json);
    if (stage.bandwidth && !stage.bandwidth->timeline.spans.empty())
        json["timeline"] = timeline_json(stage.bandwidth->timeline);
    return json;
}

namespace {
constexpr std::array<std::pair<ScoreState, std::string_view>, 5> score_states{
    {{ScoreState::final, "final"},
     {ScoreState::provisional, "provisional"},
     {ScoreState::noisy, "noisy"},
     {ScoreState::impossible, "impossible"},
     {ScoreState::internal_error, "internal_error"}}};
}

std::string_view to_string(ScoreState state) {
    for (const auto& [one, word] : score_states)
        if (one == state) return word;
    throw std::logic_error("a score state without a word");
}

std::optional<ScoreState> score_state_named(std::string_view word) {
    for (const auto& [state, known] : score_states)
        if (known == word) return state;
    return std::nullopt;
}

bool needs_person(ScoreState state) { return state != ScoreState::final && state != ScoreState::provisional; }

bool StageResult::passes() const { return !is_untouched_stub && is_right_throughout(); }

bool StageResult::is_right_throughout() const {
    const auto is_error = [](const Diagnostic& finding) { return finding.severity == Severity::error; };
    return compiles && !cases.empty() && score.state != ScoreState::impossible &&
           std::ranges::all_of(cases, [](const CaseResult& one) { return one.verdict == Verdict::pass; }) &&
           std::ranges::all_of(technique, [](const TechniqueResult& rule) { return rule.ok; }) &&
           std::ranges::none_of(findings, is_error);
}

Json json_of(const RunReport& report, const std::vector<Json>& stages) {
    Json json{{"schema", "warpgrade.result/1"},
              {"tool", {{"version", report.tool_version}, {"git", report.tool_git}, {"nvrtc", report.nvrtc}}},
              {"device", {{"kind", report.device_kind}, {"name", report.device_name}, {"profile", report.profile}}},
              {"seed", report.seed}};
    if (report.multiprocessors > 0) {
        json["device"]["multiprocessors"] = report.multiprocessors;
        json["device"]["sm_clock_mhz"] = report.sm_clock_mhz;
        json["device"]["dram_peak_gb_per_s"] = report.dram_peak_gb_per_s;
        if (report.error_band > 0) json["device"]["error_band"] = report.error_band;
    }
    json["stages"] = stages;
    double total = 0, max = 0;
    for (const Json& stage : stages) {
        total += stage["score"]["total"].get<double>();
        max += stage["score"]["max"].get<double>();
    }
    json["score"] = {{"total", rounded(total)}, {"max", rounded(max)}};
    return json;
}

Json json_of(const RunReport& report) {
    std::vector<Json> stages;
    for (const StageResult& stage : report.stages) stages.push_back(json_of(stage));
    return json_of(report, stages);
}

}  // namespace warpgrade
