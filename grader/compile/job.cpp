#include "compile/job.hpp"

#include <algorithm>
#include <string_view>

namespace warpgrade {
namespace {

// An identifier of letters, digits and underlines.
bool is_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    });
}

bool is_architecture(std::string_view text) {
    return text.size() <= 20 && is_name(text) && (text.starts_with("compute_") || text.starts_with("sm_"));
}

bool is_definition(std::string_view text) {
    const std::size_t equals = text.find('=');
    return equals != std::string_view::npos && is_name(text.substr(0, equals)) && is_name(text.substr(equals + 1));
}

constexpr std::size_t longest_text = 4 << 20;  // read_submission takes a quarter of it

std::optional<CompileReply> read_reply(wire::Reader& in) {
    CompileReply reply;
    const std::uint64_t status = in.number();
    if (status > static_cast<std::uint64_t>(CompileStatus::failed)) return std::nullopt;
    reply.status = static_cast<CompileStatus>(status);
    reply.ptx = in.text();
    reply.log = in.text();
    reply.sides_log = in.text();
    reply.seconds = in.real();
    reply.walls = in.text();
    reply.missing_headers = in.list();
    for (std::uint64_t left = in.number(); left > 0 && in.is_good(); --left) {
        CompileReply::Refusal refusal;
        refusal.line = static_cast<int>(in.number());
        refusal.message = in.text();
        reply.refusals.push_back(std::move(refusal));
    }
    if (!in.is_good()) return std::nullopt;
    return reply;
}

}  // namespace

wire::Fields to_fields(const CompileJob& job) {
    wire::Fields fields{job.nvrtc_path,
                        job.source,
                        job.appended,
                        job.working_folder,
                        job.more_headers,
                        job.cuda_include,
                        job.allows_cub ? "1" : "0",
                        wire::real_text(job.limits.wall_seconds),
                        std::to_string(job.limits.cpu_seconds),
                        std::to_string(job.limits.memory_bytes),
                        std::to_string(job.limits.ptx_bytes),
                        job.limits.gives_way ? "1" : "0"};
    wire::put_list(fields, job.options);
    wire::put_list(fields, job.readable);
    return fields;
}

std::optional<CompileJob> job_from(const wire::Fields& fields) {
    wire::Reader in(fields);
    CompileJob job;
    job.nvrtc_path = in.text();
    job.source = in.text();
    job.appended = in.text();
    job.working_folder = in.text();
    job.more_headers = in.text();
    job.cuda_include = in.text();
    job.allows_cub = in.number() != 0;
    job.limits.wall_seconds = in.real();
    job.limits.cpu_seconds = in.number();
    job.limits.memory_bytes = in.number();
    job.limits.ptx_bytes = in.number();
    job.limits.gives_way = in.number() != 0;
    job.options = in.list();
    job.readable = in.list();
    if (!in.is_done()) return std::nullopt;
    return job;
}

wire::Fields to_fields(const CompileReply& reply) {
    wire::Fields fields{std::to_string(static_cast<int>(reply.status)),
                        reply.ptx,
                        reply.log,
                        reply.sides_log,
                        wire::real_text(reply.seconds),
                        reply.walls};
    wire::put_list(fields, reply.missing_headers);
    fields.push_back(std::to_string(reply.refusals.size()));
    for (const CompileReply::Refusal& refusal : reply.refusals) {
        fields.push_back(std::to_string(refusal.line));
        fields.push_back(refusal.message);
    }
    return fields;
}

std::optional<CompileReply> reply_from(const wire::Fields& fields) {
    wire::Reader in(fields);
    auto reply = read_reply(in);
    if (!in.is_done()) return std::nullopt;
    return reply;
}

CompileOrder order_of(const CompileRequest& request) {
    return {request.source,      request.appended,   request.arch,      request.is_optimised, request.reports_registers,
            request.definitions, request.is_program, request.allows_cub};
}

wire::Fields to_fields(const CompileOrder& order) {
    wire::Fields fields{order.source,
                        order.appended,
                        order.arch,
                        order.is_optimised ? "1" : "0",
                        order.reports_registers ? "1" : "0",
                        order.is_program ? "1" : "0",
                        order.allows_cub ? "1" : "0"};
    wire::put_list(fields, order.definitions);
    return fields;
}

std::optional<CompileOrder> order_from(const wire::Fields& fields) {
    wire::Reader in(fields);
    CompileOrder order;
    order.source = in.text();
    order.appended = in.text();
    order.arch = in.text();
    order.is_optimised = in.number() != 0;
    order.reports_registers = in.number() != 0;
    order.is_program = in.number() != 0;
    order.allows_cub = in.number() != 0;
    order.definitions = in.list();
    const bool is_usual = is_architecture(order.arch) && order.definitions.size() <= 16 &&
                          std::ranges::all_of(order.definitions, is_definition) &&
                          order.source.size() + order.appended.size() <= longest_text;
    if (!in.is_done() || !is_usual) return std::nullopt;
    return order;
}

wire::Fields to_fields(const RawCompilation& raw) {
    wire::Fields fields = to_fields(raw.reply);
    fields.push_back(raw.nvrtc_version);
    fields.push_back(raw.is_cached ? "1" : "0");
    wire::put_list(fields, raw.header_folders);
    return fields;
}

std::optional<RawCompilation> raw_from(const wire::Fields& fields) {
    wire::Reader in(fields);
    auto reply = read_reply(in);
    if (!reply) return std::nullopt;
    RawCompilation raw;
    raw.reply = std::move(*reply);
    raw.nvrtc_version = in.text();
    raw.is_cached = in.number() != 0;
    raw.header_folders = in.list();
    if (!in.is_done()) return std::nullopt;
    return raw;
}

}  // namespace warpgrade
