// The reading side of a compilation: what is said of a text and of NVRTC's log. In a confined process the trusted side
// (order.cpp) is the parent.
#include "compile/compiler.hpp"

#include <algorithm>

#include "compile/advice.hpp"
#include "compile/job.hpp"
#include "compile/nvrtc_log.hpp"
#include "compile/registers.hpp"
#include "source/facts.hpp"

namespace warpgrade {
namespace {

bool has_main(const std::string& ptx) {
    for (std::size_t at = 0; (at = ptx.find(" main(", at)) != std::string::npos; ++at) {
        const std::size_t begin = ptx.rfind('\n', at) + 1;
        if (ptx.substr(begin, at - begin).find(".func") != std::string::npos) return true;
    }
    return false;
}

void interpret(const CompileReply& reply, const CompileRequest& request, const PathNames& names,
               CompileOutput& output) {
    output.ok = reply.status == CompileStatus::compiled;
    if (request.reports_registers) output.registers = registers_in_log(reply.log);
    output.messages = parse_nvrtc_log(reply.log, names, &output.host_uses);
    if (!request.is_program && request.is_read) advise(output.messages, request.source, request.path);
    const auto is_error = [](const CompilerMessage& message) { return message.severity == Severity::error; };
    output.ok = output.ok && std::ranges::none_of(output.messages, is_error);
    const int main_line = request.is_program ? 0 : line_of_main(request.source);
    if (request.is_program) {
        output.host_uses.clear();
        parse_nvrtc_log(reply.sides_log, names, &output.host_uses);
        for (HostUse& use : output.host_uses) use.column = 0;  // of the text with marks
    } else if (output.ok ? has_main(reply.ptx) : main_line > 0) {
        output.ok = false;
        // What stands in main() goes with it.
        const source::Tree tree = source::parse(request.source);
        const source::Facts facts = source::facts_of(tree);
        if (const source::Function* const all = facts.function_at(main_line))
            std::erase_if(output.messages, [&](const CompilerMessage& message) {
                return message.path == request.path && message.line >= all->line && message.line <= all->last_line;
            });
        output.messages.insert(output.messages.begin(), main_message(request.path, main_line));
    }
    if (output.ok) output.ptx = with_shown_files(reply.ptx, names);
    if (!output.ok && std::ranges::none_of(output.messages, is_error))
        output.messages.push_back({Severity::error, request.path, 0, 0, printable(reply.log, longest_message)});
}

void read_refusals(const CompileReply& reply, const CompileRequest& request, CompileOutput& output) {
    for (const CompileReply::Refusal& refusal : reply.refusals)
        output.messages.push_back(
            {Severity::error, request.path, refusal.line, 0, printable(refusal.message, longest_message)});
    if (request.is_program) return;
    if (const int line = line_of_main(request.source)) output.messages.push_back(main_message(request.path, line));
}

Diagnostic needs_toolkit(const CompileRequest& request, const std::vector<std::string>& headers) {
    std::string names;
    for (const std::string& name : headers) names += (names.empty() ? "<" : ", <") + name + ">";
    return {.blame = Blame::host,
            .code = "no_cuda_headers",
            .title = "this submission includes CUDA headers that this machine does not have",
            .marks = {{.path = request.path, .line = 0, .column = 0, .length = 1, .label = {}}},
            .facts = {names + " come with the CUDA toolkit, not with the NVRTC library alone"},
            .help = "install the toolkit's headers of NVRTC's version (pip: nvidia-cuda-runtime, nvidia-cuda-cccl)"};
}

Result<RawCompilation> ask_for(const CompileOrder& order, const CompileLimits& limits) {
    if (!is_confined()) return carry_out(order, limits);
    wire::Fields answer = ask_outside(compile_service_name, to_fields(order));
    if (auto error = wire::diagnostic_from(answer)) return std::move(*error);
    if (!answer.empty()) answer.erase(answer.begin());
    auto raw = raw_from(answer);
    if (!raw) throw std::logic_error("nothing is compiled for this process");
    return std::move(*raw);
}

}  // namespace

Result<CompileOutput> compile_within(const CompileRequest& request, const CompileLimits& limits) {
    auto raw = ask_for(order_of(request), limits);
    if (!raw) return raw.error();
    const CompileReply& reply = raw->reply;
    CompileOutput output;
    output.nvrtc_version = raw->nvrtc_version;
    output.is_cached = raw->is_cached;
    if (!raw->is_cached) output.seconds = reply.seconds;
    if (reply.status == CompileStatus::needs_headers) return needs_toolkit(request, reply.missing_headers);
    if (reply.status == CompileStatus::refused) {
        read_refusals(reply, request, output);
        return output;
    }
    const PathNames names{request.path, std::move(raw->header_folders)};
    if (const auto missing = missing_behind_headers(parse_nvrtc_log(reply.log, names), request.path); !missing.empty())
        return needs_toolkit(request, missing);
    interpret(reply, request, names, output);
    return output;
}

void compile_ahead(const CompileRequest& request) {
    if (is_confined()) ask_outside(compile_ahead_service, to_fields(order_of(request)));
}

Result<CompileOutput> compile(const CompileRequest& request) { return compile_within(request, {}); }

}  // namespace warpgrade
