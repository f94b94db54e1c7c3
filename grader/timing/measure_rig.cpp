#include "timing/measure_rig.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "problem/pattern.hpp"
#include "timing/measure_yardstick.hpp"

namespace warpgrade {

namespace {

using cuda::Command;

constexpr std::uint64_t zone_bytes = 1 << 18;                                  // each side: a row of 65536 floats
constexpr std::uint32_t zone_word = 0xFFA5C3E1u, output_poison = 0x7FA5A5A5u;  // NaNs
constexpr double kit_seconds = 30;                                             // for filling, poisoning and checking

// What the check kernels write, and one word more: how many words of the red zones changed.
struct Report {
    CardReport problem;
    std::uint64_t zone_words = 0;
};

Command fill(std::uint64_t address, std::uint64_t bytes, std::uint32_t word) {
    Command command;
    command.kind = Command::Kind::fill;
    command.address = address;
    command.count = bytes / 4;
    command.value = word;
    return command;
}

}  // namespace

Result<std::unique_ptr<Rig>> Rig::open(Card& card, const Problem& problem, const Shape& shape, CardProgram& kit,
                                       std::uint64_t seed) {
    if (auto ready = kit.ensure_loaded(); !ready) return ready.error();
    std::unique_ptr<Rig> rig(new Rig(card, problem, shape, kit, seed));
    rig->generation_ = card.generation();
    if (auto status = rig->allocate(); !status) return status.error();
    return rig;
}

Rig::~Rig() {
    if (card_.generation() != generation_) return;  // the worker took everything with it
    for (const int graph : graphs_) (void)card_.drop_graph(graph);
    for (const Buffer& buffer : buffers_) (void)card_.free(buffer.block);
    for (const std::uint64_t block : {flush_, report_, check_})
        if (block != 0) (void)card_.free(block);
}

Status Rig::allocate() {
    for (const vgpu::BufferSpec& spec : problem_.buffers(shape_)) {
        Buffer buffer;
        buffer.spec = spec;
        buffer.block_bytes = (spec.bytes + spec.offset_bytes + 3) / 4 * 4 + 2 * zone_bytes;
        const auto block = card_.allocate(buffer.block_bytes);
        if (!block) return block.error();
        buffer.block = *block;
        buffer.address = *block + zone_bytes + spec.offset_bytes;
        buffers_.push_back(buffer);
        addresses_.push_back(buffer.address);
    }
    check_addresses_ = addresses_;
    if (const std::uint64_t bytes = problem_.check_bytes(shape_); bytes != 0) {
        const auto block = card_.allocate(bytes);
        if (!block) return block.error();
        check_ = *block;
        check_addresses_.push_back(check_);
    }
    flush_bytes_ = std::max<std::uint64_t>(2 * card_.facts().l2_bytes, 1 << 20);
    const auto flush = card_.allocate(flush_bytes_);
    if (!flush) return flush.error();
    flush_ = *flush;
    const auto report = card_.allocate(sizeof(Report));
    if (!report) return report.error();
    report_ = *report;
    return Nothing{};
}

Command Rig::launch(const KernelCall& call) const {
    Command command;
    command.kind = Command::Kind::launch;
    command.module = kit_.module();
    command.kernel = call.kernel;
    command.grid = call.grid;
    command.block = call.block;
    command.parameters = call.parameters;
    return command;
}

Result<int> Rig::add_commands(std::vector<Command> commands, bool is_checked) {
    Contender contender;
    contender.limit_seconds = kit_seconds + seconds_for(commands.size());
    contender.is_checked = is_checked;
    if (commands.size() > 1) {
        const auto graph = card_.make_graph(commands);
        if (!graph) return graph.error();
        graphs_.push_back(*graph);
        Command play;
        play.kind = Command::Kind::graph;
        play.module = *graph;
        commands = {play};
    }
    contender.commands = std::move(commands);
    contenders_.push_back(std::move(contender));
    return static_cast<int>(contenders_.size()) - 1;
}

Result<Rig::Added> Rig::add(CardProgram& program, const std::string& launcher) {
    Added added;
    const auto plan = program.plan(launcher, problem_.arguments(shape_, addresses_));
    if (!plan) return plan.error();
    if (!plan->findings.empty()) {
        const vgpu::Finding& first = plan->findings.front();
        added.contender = static_cast<int>(contenders_.size());
        added.trouble = Trouble{added.contender, Verdict::launch_error, summary(first)};
        return added;
    }
    const auto contender = add_commands(commands_of(*plan, program.module()), true);
    if (!contender) return contender.error();
    added.contender = *contender;
    return added;
}

Result<int> Rig::add_memcpy() {
    Command copy;
    copy.kind = Command::Kind::copy;
    copy.source = addresses_[0];
    copy.address = addresses_.back();
    copy.count = copied_bytes();
    return add_commands({copy}, false);
}

Result<int> Rig::add_yardstick() {
    const auto call = [&] {
        switch (problem_.yardstick()) {
            case Yardstick::read: return read_call(addresses_[0], buffers_[0].spec.bytes, addresses_.back());
            case Yardstick::compute: return compute_call(problem_.flops(shape_), addresses_.back());
            case Yardstick::copy: break;
        }
        return copy_call(addresses_[0], addresses_.back(), copied_bytes());
    };
    return add_commands({launch(call())}, false);
}

std::vector<Command> Rig::sample(const Contender& contender, std::uint64_t seed) const {
    std::vector<Command> all;
    Command reset;
    reset.kind = Command::Kind::reset_l2;
    all.push_back(reset);
    for (const Buffer& buffer : buffers_) {
        all.push_back(fill(buffer.block, zone_bytes, zone_word));
        all.push_back(fill(buffer.block + buffer.block_bytes - zone_bytes, zone_bytes, zone_word));
        if (&buffer != &buffers_.front()) all.push_back(fill(buffer.address, buffer.spec.bytes, output_poison));
    }
    for (const KernelCall& call : problem_.fill_calls(shape_, seed, addresses_)) all.push_back(launch(call));
    all.push_back(fill(report_, sizeof(Report), 0));
    all.push_back(fill(flush_, flush_bytes_, static_cast<std::uint32_t>(seed)));
    all.push_back(Command{});  // a mark
    all.insert(all.end(), contender.commands.begin(), contender.commands.end());
    all.push_back(Command{});
    if (!contender.is_checked) return all;
    for (const KernelCall& call : problem_.check_calls(shape_, seed, check_addresses_, report_))
        all.push_back(launch(call));
    for (const Buffer& buffer : buffers_)
        for (const std::uint64_t zone : {buffer.block, buffer.block + buffer.block_bytes - zone_bytes})
            all.push_back(launch(zone_call(zone, zone_bytes, zone_word, report_ + sizeof(CardReport))));
    return all;
}

Result<std::optional<Rig::Trouble>> Rig::judge(int index) {
    const auto bytes = card_.read(report_, sizeof(Report));
    if (!bytes) return bytes.error();
    Report report;
    std::memcpy(&report, bytes->data(), sizeof report);
    const auto wrong = [&](std::string detail) {
        return std::optional(Trouble{index, Verdict::wrong, fmt::format("{}, on {}", detail, to_string(shape_))});
    };
    if (report.problem.wrong != 0)
        return wrong(fmt::format("{} elements of the output are wrong, the first at index {}", report.problem.wrong,
                                 ~report.problem.first_wrong_complement));
    if (report.problem.changed != 0)
        return wrong(fmt::format("{} elements of the input were changed", report.problem.changed));
    if (report.zone_words != 0)
        return wrong(fmt::format("{} words outside of the buffers were written", report.zone_words));
    // Of a few elements, two contents may be alike by chance.
    if (last_round_ != rounds_ && buffers_[0].spec.bytes > 4096) {
        if (fingerprint_ == report.problem.fingerprint)
            return Diagnostic{.blame = Blame::kit,
                              .code = "input_not_changed",
                              .title = "the input of two timed rounds was the same",
                              .marks = {},
                              .facts = {fmt::format("{} on {}", problem_.name(), to_string(shape_))},
                              .help =
                                  "let the contents of its first buffer depend on the seed (problem.toml, "
                                  "problem.cu); of a problem that comes with the kit, please report it"};
        fingerprint_ = report.problem.fingerprint;
        last_round_ = rounds_;
    }
    return std::optional<Trouble>();
}

Result<std::optional<Rig::Trouble>> Rig::round(bool is_warm_up) {
    const std::uint64_t seed = hash_of(seed_, ++rounds_);
    for (std::size_t turn = 0; turn < contenders_.size(); ++turn) {
        // A B C, B C A, C A B: whoever is first after the host was busy elsewhere starts a little later.
        const std::size_t i = (turn + rounds_) % contenders_.size();
        Contender& contender = contenders_[i];
        const auto start = std::chrono::steady_clock::now();
        const auto run = card_.run(sample(contender, seed), contender.limit_seconds);
        if (!run) return run.error();
        spent_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const int index = static_cast<int>(i);
        if (run->fault)
            return std::optional(Trouble{index, run->fault->is_timeout ? Verdict::timeout : Verdict::fault,
                                         fmt::format("{}, on {}", run->fault->text(), to_string(shape_))});
        if (contender.is_checked) {
            auto trouble = judge(index);
            if (!trouble || *trouble) return trouble;
        }
        if (!is_warm_up) contender.seconds.push_back(run->seconds.at(0));
    }
    return std::optional<Trouble>();
}

}  // namespace warpgrade
