#include "calibrate/microbenchmark_rig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "calibrate/microbenchmark_kernels.hpp"
#include "compile/compiler.hpp"
#include "timing/measure_statistics.hpp"
#include "timing/measure_yardstick.hpp"

namespace warpgrade {

namespace {

using cuda::Command;

constexpr std::uint64_t buffer_l2s = 32, flush_l2s = 4;  // sizes in L2s
constexpr std::uint64_t slack_bytes = 1 << 12;           // for shifted accesses
constexpr std::uint64_t results_bytes = std::uint64_t{1} << 20;
constexpr double limit_seconds = 60;  // no row takes a second
constexpr int copies_to_warm_up = 100;

}  // namespace

Result<std::unique_ptr<MicrobenchmarkRig>> MicrobenchmarkRig::open(Card& card, const ProfileDevice& device) {
    std::unique_ptr<MicrobenchmarkRig> rig(new MicrobenchmarkRig(card, device));
    if (auto status = rig->start(); !status) return status.error();
    return rig;
}

Status MicrobenchmarkRig::start() {
    CompileRequest request;
    request.path = "microbenchmarks.cu";
    request.source = std::string(microbenchmark_source()) + std::string(yardstick_source());
    request.arch = card_.arch();
    const auto compiled = compile(request);
    if (!compiled) return compiled.error();
    if (!compiled->ok)
        throw std::logic_error("the microbenchmarks do not compile: " + compiled->messages.front().message);
    const auto module = card_.load(compiled->ptx);
    if (!module) return module.error();
    module_ = *module;
    generation_ = card_.generation();
    bytes_ = buffer_l2s * device_.l2_bytes;
    flush_bytes_ = flush_l2s * device_.l2_bytes;
    const auto allocate = [&](std::uint64_t& address, std::uint64_t bytes) -> Status {
        const auto got = card_.allocate(bytes);
        if (!got) return got.error();
        address = *got;
        return Nothing{};
    };
    if (auto status = allocate(in_, bytes_ + slack_bytes); !status) return status;
    if (auto status = allocate(out_, bytes_ + slack_bytes); !status) return status;
    if (auto status = allocate(flush_, flush_bytes_); !status) return status;
    if (auto status = allocate(results_, results_bytes); !status) return status;
    std::vector<Command> commands{launch("fill_with_noise", 2048, 256, in_, (bytes_ + slack_bytes) / 4)};
    for (int i = 0; i < copies_to_warm_up; ++i) commands.push_back(memcpy(bytes_));
    run(commands);
    return error_ ? Status(*error_) : Status(Nothing{});
}

MicrobenchmarkRig::~MicrobenchmarkRig() {
    if (card_.generation() != generation_) return;
    for (const std::uint64_t address : {in_, out_, flush_, results_})
        if (address != 0) (void)card_.free(address);
    if (module_ != 0) (void)card_.unload(module_);
}

Command MicrobenchmarkRig::launch(const KernelCall& call) const {
    Command command;
    command.kind = Command::Kind::launch;
    command.module = module_;
    command.kernel = call.kernel;
    command.grid = call.grid;
    command.block = call.block;
    command.parameters = call.parameters;
    return command;
}

Command MicrobenchmarkRig::memcpy(std::uint64_t bytes) const {
    Command command;
    command.kind = Command::Kind::copy;
    command.source = in_;
    command.address = out_;
    command.count = bytes;
    return command;
}

std::vector<double> MicrobenchmarkRig::run(const std::vector<Command>& commands) {
    if (error_) return {};
    auto done = card_.run(commands, limit_seconds);
    if (!done) {
        error_ = done.error();
        return {};
    }
    if (!done->fault) return std::move(done->seconds);
    const auto launched = std::find_if(commands.rbegin(), commands.rend(),
                                       [](const Command& one) { return one.kind == Command::Kind::launch; });
    error_ = Diagnostic{.blame = Blame::kit,
                        .code = "microbenchmark_fails",
                        .title = fmt::format("the microbenchmark `{}` fails on this card",
                                             launched == commands.rend() ? "copy" : launched->kernel),
                        .marks = {},
                        .facts = {done->fault->text()},
                        .help = "run the command again; if it stays, report it with the output of `warpgrade doctor`"};
    return {};
}

double MicrobenchmarkRig::seconds(const Command& timed, bool is_cold) {
    Command flush;
    flush.kind = Command::Kind::fill;
    flush.address = flush_;
    flush.count = flush_bytes_ / 4;
    const Command mark;
    std::vector<Command> commands;
    for (int i = 0; i <= samples; ++i) {
        flush.value = static_cast<std::uint32_t>(i);
        if (is_cold) commands.push_back(flush);
        commands.insert(commands.end(), {mark, timed, mark});
    }
    const std::vector<double> between = run(commands);  // timed, gap, timed, gap, ... timed
    std::vector<double> times;
    for (std::size_t i = 2; i < between.size(); i += 2) times.push_back(between[i]);
    return times.empty() ? 0 : quantile(times, 0.5);
}

std::vector<std::uint64_t> MicrobenchmarkRig::counts(const Command& command, std::size_t count, bool is_cold) {
    std::vector<std::uint64_t> values(count, 0);
    Command flush;
    flush.kind = Command::Kind::fill;
    flush.address = flush_;
    flush.count = flush_bytes_ / 4;
    run(is_cold ? std::vector<Command>{flush, command} : std::vector<Command>{command});
    if (error_ || count == 0) return values;
    const auto bytes = card_.read(results_, count * sizeof values[0]);
    if (!bytes)
        error_ = bytes.error();
    else
        std::memcpy(values.data(), bytes->data(), bytes->size());
    return values;
}

double MicrobenchmarkRig::median_count(const Command& command, std::size_t count, bool is_cold) {
    std::vector<double> middles;
    for (int i = 0; i < samples; ++i) {
        std::vector<std::uint64_t> values = counts(command, count, is_cold);
        std::sort(values.begin(), values.end());
        middles.push_back(static_cast<double>(values[count / 2]));
    }
    return quantile(middles, 0.5);
}

double MicrobenchmarkRig::value(std::string_view parameter) const {
    const auto found = values_.find(parameter);
    return found == values_.end() ? 0 : found->second;
}

void MicrobenchmarkRig::note(std::string_view setting, double figure, std::string_view unit) {
    const std::string digits = std::abs(figure) >= 1000 ? fmt::format("{:.0f}", figure) : fmt::format("{:.4g}", figure);
    note_text(fmt::format("{}: {} {}", setting, digits, unit));
}

void MicrobenchmarkRig::note_text(std::string_view text) {
    notes_ += fmt::format("{}{}", notes_.empty() ? "" : ", ", text);
}

std::string MicrobenchmarkRig::take_notes() { return std::exchange(notes_, {}); }

}  // namespace warpgrade
