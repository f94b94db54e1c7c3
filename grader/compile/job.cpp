#include "compile/job.hpp"

#include <charconv>

namespace warpgrade {
namespace {

std::string bits_of(double value) { return std::to_string(static_cast<std::uint64_t>(value * 1e6)); }

std::uint64_t number_in(const std::string& text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

void put_list(wire::Fields& fields, const std::vector<std::string>& list) {
    fields.push_back(std::to_string(list.size()));
    fields.insert(fields.end(), list.begin(), list.end());
}

// Reads a message field by field; every read past the end is remembered.
struct Reader {
    const wire::Fields& fields;
    std::size_t next = 0;
    bool is_good = true;

    std::string text() {
        if (next < fields.size()) return fields[next++];
        is_good = false;
        return {};
    }
    std::uint64_t number() { return number_in(text()); }
    std::vector<std::string> list() {
        std::vector<std::string> result;
        for (std::uint64_t left = number(); left > 0 && is_good; --left) result.push_back(text());
        return result;
    }
    bool is_done() const { return is_good && next == fields.size(); }
};

}  // namespace

wire::Fields to_fields(const CompileJob& job) {
    wire::Fields fields{job.nvrtc_path,
                        job.source,
                        job.working_folder,
                        bits_of(job.limits.wall_seconds),
                        std::to_string(job.limits.cpu_seconds),
                        std::to_string(job.limits.memory_bytes),
                        std::to_string(job.limits.ptx_bytes)};
    put_list(fields, job.options);
    put_list(fields, job.readable);
    return fields;
}

std::optional<CompileJob> job_from(const wire::Fields& fields) {
    Reader in{fields};
    CompileJob job;
    job.nvrtc_path = in.text();
    job.source = in.text();
    job.working_folder = in.text();
    job.limits.wall_seconds = static_cast<double>(in.number()) / 1e6;
    job.limits.cpu_seconds = in.number();
    job.limits.memory_bytes = in.number();
    job.limits.ptx_bytes = in.number();
    job.options = in.list();
    job.readable = in.list();
    if (!in.is_done()) return std::nullopt;
    return job;
}

wire::Fields to_fields(const CompileReply& reply) {
    return {std::to_string(static_cast<int>(reply.status)), reply.ptx, reply.log, bits_of(reply.seconds),
            reply.sandbox};
}

std::optional<CompileReply> reply_from(const wire::Fields& fields) {
    Reader in{fields};
    CompileReply reply;
    const std::uint64_t status = in.number();
    if (status > static_cast<std::uint64_t>(CompileStatus::failed)) return std::nullopt;
    reply.status = static_cast<CompileStatus>(status);
    reply.ptx = in.text();
    reply.log = in.text();
    reply.seconds = static_cast<double>(in.number()) / 1e6;
    reply.sandbox = in.text();
    if (!in.is_done()) return std::nullopt;
    return reply;
}

}  // namespace warpgrade
