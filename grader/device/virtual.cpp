// The virtual GPU as a Device.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "device/device.hpp"
#include "device/explained_run.hpp"
#include "device/guarded.hpp"
#include "vgpu/code.hpp"
#include "vgpu/live_registers.hpp"
#include "vgpu/need_slice.hpp"

namespace warpgrade {

namespace {

void add(vgpu::RunResult& total, vgpu::RunResult&& part, std::map<int, vgpu::Counters>& lines) {
    total.counters += part.counters;
    for (const vgpu::LineCounters& l : part.by_line) lines[l.line] += l.counters;
    for (vgpu::Finding& f : part.findings) {
        bool is_known = false;
        for (vgpu::Finding& known : total.findings) {
            if (known.kind == f.kind && known.place.line == f.place.line && known.access == f.access &&
                known.reason == f.reason && known.detail == f.detail && known.stored == f.stored) {
                known.occurrences += f.occurrences;
                if (f.kind == vgpu::FindingKind::out_of_bounds_shared) known.value = std::max(known.value, f.value);
                is_known = true;
            }
        }
        if (!is_known) total.findings.push_back(std::move(f));
    }
    for (const auto& [kernel, profile] : part.profile) total.profile[kernel].add(profile);
    vgpu::add(total.meetings, part.meetings);
    total.output += part.output;
    total.trace.insert(total.trace.end(), std::make_move_iterator(part.trace.begin()),
                       std::make_move_iterator(part.trace.end()));
    total.trace_is_cut |= part.trace_is_cut;
    for (const vgpu::SourceSite& site : part.may_be_old)
        if (std::find(total.may_be_old.begin(), total.may_be_old.end(), site) == total.may_be_old.end())
            total.may_be_old.push_back(site);
    if (!total.old_value) total.old_value = std::move(part.old_value);
    total.is_complete = total.is_complete && part.is_complete;
    total.hangs_on_order = total.hangs_on_order || part.hangs_on_order;
}

// A step of a plan, as far as it is known who stored what in it.
struct StoringStep {
    std::string kernel;                                                     // "": the memset
    std::function<std::optional<vgpu::ThreadPlace>(std::uint64_t)> stores;  // null: not known
    PlannedMemset memset;
};

// Of the steps, the last that stored there; nothing where one that is not known may have been.
std::optional<LastStore> last_store(const std::vector<StoringStep>& steps, std::uint64_t address) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        if (step->kernel.empty()) {
            if (address < step->memset.address || address - step->memset.address >= step->memset.bytes) continue;
            LastStore found;
            found.place.line = step->memset.line;
            return found;
        }
        if (!step->stores) return std::nullopt;
        if (const auto place = step->stores(address)) return LastStore{step->kernel, *place};
    }
    return std::nullopt;
}

class VirtualProgram final : public DeviceProgram {
public:
    VirtualProgram(std::shared_ptr<const vgpu::Program> program, const LaunchLimits& limits, const ptx::Module& module)
        : program_(std::move(program)), limits_(limits) {
        for (const ptx::Function& f : module.functions) {
            if (!f.is_entry) continue;
            most_live_ = std::max(most_live_, vgpu::most_live_registers(f));
            const vgpu::KernelInfo& info =
                program_->functions[static_cast<std::size_t>(program_->by_name.at(f.name))].info;
            std::vector<std::size_t>& words = words_of_[f.name];
            for (std::size_t i = 0; i < f.parameters.size(); ++i)
                if (f.parameters[i].bytes == 8 && ptx::size_bytes(f.parameters[i].type) == 8)
                    words.push_back(static_cast<std::size_t>(info.parameter_offsets[i]));
        }
    }

    Status open() {
        auto session = vgpu::Session::open(program_, memory_);
        if (!session) return std::move(session).error();
        session_ = std::move(session).value();
        return Nothing{};
    }

    std::unique_ptr<DeviceProgram> another() const override {
        constexpr std::uint64_t most_bytes = std::uint64_t{16} << 20;  // of variables, which it sets back each time
        std::uint64_t bytes = 0;
        for (const ptx::Variable& variable : program_->variables) bytes += std::min(variable.bytes, most_bytes);
        if (bytes >= most_bytes) return nullptr;
        std::unique_ptr<VirtualProgram> same(new VirtualProgram(program_, limits_, words_of_, most_live_));
        if (!same->open()) return nullptr;
        return same;
    }

    std::unique_ptr<DeviceProgram> with_number(std::uint64_t number, std::uint64_t other) const override {
        auto program = std::make_shared<vgpu::Program>(*program_);
        for (vgpu::ConstantFill& constant : program->constants)
            if (constant.symbol.empty() && constant.bits == number) constant.bits = other;
        std::unique_ptr<VirtualProgram> same(new VirtualProgram(std::move(program), limits_, words_of_, most_live_));
        if (!same->open()) return nullptr;
        return same;
    }

    Result<int> allocate(const vgpu::BufferSpec& spec) override {
        Result<int> buffer = memory_.allocate(spec);
        if (buffer) own_.push_back(*buffer);
        return buffer;
    }
    void release_all() override {
        for (const int b : own_) memory_.release(b);
        own_.clear();
        release_temporaries();
        session_->reset_globals();  // __device__ variables live as long as a case's buffers
        asked_for_.clear();
    }
    std::vector<Variable> changed_variables() override {
        std::vector<Variable> changed;
        for (std::string& name : session_->changed_globals()) {
            const std::uint64_t address = session_->address_of(name);
            const int buffer = memory_.find(address);
            changed.push_back({std::move(name), buffer < 0 ? "" : memory_.buffer(buffer).spec.name, address});
        }
        return changed;
    }
    void set_back(const Variable& variable) override { session_->reset_global(variable.name); }
    std::uint32_t most_live_registers() const override { return most_live_; }
    std::set<int> lines_that_draw() const override { return vgpu::lines_that_draw(*program_); }
    void set_registers_of(std::function<int(const std::string& kernel)> registers_of) override {
        limits_.registers_of = std::move(registers_of);
    }
    std::uint64_t address(int buffer) const override { return memory_.buffer(buffer).address; }
    std::span<std::byte> bytes(int buffer) override { return memory_.bytes(buffer); }
    Status upload(int) override { return Nothing{}; }
    Status download(int) override { return Nothing{}; }
    void poison(int buffer, std::uint32_t pattern) override { memory_.poison(buffer, pattern); }
    bool is_written(int buffer, std::uint64_t first, std::uint64_t count) const override {
        return memory_.is_written(buffer, first, count);
    }

    Result<LaunchPlan> plan(const std::string& launcher, std::span<const std::vector<std::byte>> arguments,
                            const vgpu::Limits& limits) override {
        return guarded("running the launcher", [&] { return recorded(launcher, arguments, limits, nullptr); });
    }

    Result<DeviceRun> run(const std::string& launcher, std::span<const std::vector<std::byte>> arguments,
                          const vgpu::RunOptions& options) override {
        return guarded("running the submission", [&] { return replay(launcher, arguments, options); });
    }

private:
    using WordsOf = std::map<std::string, std::vector<std::size_t>>;
    VirtualProgram(std::shared_ptr<const vgpu::Program> program, LaunchLimits limits, WordsOf words_of,
                   std::uint32_t most_live)
        : program_(std::move(program)),
          limits_(std::move(limits)),
          words_of_(std::move(words_of)),
          most_live_(most_live) {}

    Result<LaunchPlan> recorded(const std::string& launcher, std::span<const std::vector<std::byte>> arguments,
                                const vgpu::Limits& limits, const MemoryPlace& memory) {
        Result<LaunchPlan> plan =
            record_plan(*session_, *program_, launcher, arguments, limits_, limits, nullptr, memory);
        if (!plan) return plan;
        asked_for_.insert(plan->symbols.begin(), plan->symbols.end());
        for (const PlannedStep& step : plan->steps) {
            if (const auto* launch = std::get_if<PlannedLaunch>(&step)) {
                for (const std::size_t at : words_of_.at(launch->launch.kernel)) {
                    std::uint64_t word = 0;
                    if (at + sizeof word > launch->launch.parameters.size()) continue;
                    std::memcpy(&word, launch->launch.parameters.data() + at, sizeof word);
                    note_host_address(*plan, word, launch->line, launch->display_name);
                }
            } else {
                const auto& memset = std::get<PlannedMemset>(step);
                note_host_address(*plan, memset.address, memset.line, "");
            }
        }
        return plan;
    }
    // In a launcher a variable's name stands for its place on the host, or for nothing that is there; the GPU's is to
    // be asked for. The variables are the first buffers of all.
    void note_host_address(LaunchPlan& plan, std::uint64_t address, int line, const std::string& kernel) const {
        const int index = memory_.find(address);
        if (index < 0 || static_cast<std::size_t>(index) >= program_->variables.size()) return;
        const vgpu::Buffer& buffer = memory_.buffer(index);
        if (program_->variables[static_cast<std::size_t>(index)].is_managed || asked_for_.contains(buffer.address))
            return;
        vgpu::Finding f;
        f.kind = vgpu::FindingKind::host_dereference;
        f.reason = vgpu::FindingReason::passed_variable;
        f.kernel = kernel;
        f.buffer = buffer.spec.name;
        f.address = address;
        f.place.line = line;
        const auto is_same = [&](const vgpu::Finding& known) {
            return known.kind == f.kind && known.place.line == line && known.buffer == f.buffer;
        };
        if (std::none_of(plan.findings.begin(), plan.findings.end(), is_same)) plan.findings.push_back(std::move(f));
    }
    Result<DeviceRun> replay(const std::string& launcher, std::span<const std::vector<std::byte>> arguments,
                             const vgpu::RunOptions& options) {
        vgpu::Limits launcher_limits = options.limits;
        launcher_limits.warp_instructions = std::uint64_t{1} << 24;
        release_temporaries();
        Result<LaunchPlan> plan =
            recorded(launcher, arguments, launcher_limits, [&](std::uint64_t bytes, int line) -> Result<std::uint64_t> {
                vgpu::BufferSpec spec;
                spec.name = "cudaMalloc, line " + std::to_string(line);
                spec.bytes = bytes;
                const auto buffer = memory_.allocate(spec);
                if (!buffer) return buffer.error();
                temporaries_.push_back(*buffer);
                return memory_.buffer(*buffer).address;
            });
        if (!plan) return std::move(plan).error();
        DeviceRun run;
        run.plan = std::move(plan).value();
        run.result.findings = run.plan.findings;
        run.result.output = run.plan.output;
        std::map<int, vgpu::Counters> lines;
        bool has_fatal = false;
        std::size_t launches = 0;
        std::vector<StoringStep> steps;
        std::optional<vgpu::NeedTrace> trace;
        if (options.outputs != nullptr) trace.emplace(need_plan());
        for (const vgpu::Finding& f : run.plan.findings)
            has_fatal = has_fatal || f.kind != vgpu::FindingKind::invalid_launch;
        for (std::size_t i = 0; i < run.plan.steps.size() && !has_fatal; ++i) {
            const PlannedStep& step = run.plan.steps[i];
            if (const auto* launch = std::get_if<PlannedLaunch>(&step)) {
                vgpu::RunOptions one = options;
                const std::size_t used = run.result.output.size();
                one.limits.output_bytes = options.limits.output_bytes > used ? options.limits.output_bytes - used : 0;
                one.limits.resident_blocks = resident_blocks(launch->launch);
                one.multiprocessors = limits_.multiprocessors;
                one.need = trace ? &*trace : nullptr;
                vgpu::RunResult part = run_explained({*session_, *program_, memory_}, launch->launch, one);
                run.longest_blocks.push_back(part.longest_block);
                if (!part.output.empty()) run.printed.push_back({launches, part.output});
                ++launches;
                steps.push_back({launch->display_name, part.last_store, {}});
                add(run.result, std::move(part), lines);
                run.trace_ends.push_back(run.result.trace.size());
                has_fatal = !run.result.is_complete;
            } else {
                steps.push_back({"", nullptr, std::get<PlannedMemset>(step)});
                const PlannedMemset& memset = std::get<PlannedMemset>(step);
                fill(memset, options.limits.budget, run.result);
                if (trace) {
                    trace->steps.emplace_back().address = memset.address;
                    trace->steps.back().bytes = memset.bytes;
                }
                has_fatal = !run.result.is_complete;
            }
        }
        for (auto& [line, counters] : lines) run.result.by_line.push_back({line, counters});
        run.is_valid = !has_fatal && run.plan.findings.empty();
        if (run.is_valid && trace) run.needed = vgpu::find_needed(*trace, memory_, *options.outputs);
        run.last_store = [steps = std::move(steps)](std::uint64_t address) { return last_store(steps, address); };
        return run;
    }
    void release_temporaries() {
        for (const int buffer : temporaries_) memory_.release(buffer);
        temporaries_.clear();
    }
    std::shared_ptr<const vgpu::NeedPlan> need_plan() {
        if (need_plan_ == nullptr) need_plan_ = std::make_shared<const vgpu::NeedPlan>(*program_);
        return need_plan_;
    }
    std::uint64_t resident_blocks(const vgpu::Launch& launch) const {
        const vgpu::Code& code = program_->functions[static_cast<std::size_t>(program_->by_name.at(launch.kernel))];
        const std::uint64_t shared = std::uint64_t{code.static_shared_bytes} + launch.dynamic_shared_bytes;
        const std::uint32_t blocks =
            blocks_per_multiprocessor(limits_, static_cast<std::uint32_t>(launch.block.count()), shared);
        return std::uint64_t{limits_.multiprocessors} * std::max(1u, blocks);
    }
    // cudaMemset as a trusted step: checked like any other write.
    void fill(const PlannedMemset& m, vgpu::Budget* budget, vgpu::RunResult& result) {
        if (m.bytes == 0) return;
        const int index = memory_.find(m.address);
        vgpu::Finding f;
        f.place.line = m.line;
        f.access = vgpu::AccessKind::write;
        f.address = m.address;
        f.width_bytes = 1;
        const int nearest = memory_.find_nearest(m.address);
        if (nearest >= 0) {
            const vgpu::Buffer& b = memory_.buffer(nearest);
            f.buffer = b.spec.name;
            f.buffer_bytes = b.spec.bytes;
            f.element_bytes = b.spec.element_bytes;
            // Its last byte; of a size that came of a negative number, as far as a message can tell.
            f.offset_bytes = static_cast<std::int64_t>(std::min(m.bytes - 1, std::uint64_t{1} << 62)) +
                             static_cast<std::int64_t>(m.address - b.address);
        }
        if (index < 0 || !memory_.buffer(index).holds(m.address, m.bytes)) {
            f.kind = vgpu::FindingKind::out_of_bounds;
            result.findings.push_back(std::move(f));
            return;
        }
        const vgpu::Buffer& b = memory_.buffer(index);
        if (b.spec.is_read_only) {
            f.kind = vgpu::FindingKind::write_to_input;
            result.findings.push_back(std::move(f));
            return;
        }
        const std::uint64_t cost = m.bytes / vgpu::price::copied_bytes;
        if (budget != nullptr && budget->left() < cost) {
            f = {};
            f.kind = vgpu::FindingKind::timeout;
            f.reason = vgpu::FindingReason::bytes;
            f.place.line = m.line;
            f.limit = m.bytes;
            result.findings.push_back(std::move(f));
            result.is_complete = false;
        }
        if (budget != nullptr) budget->spend(cost);
        if (result.is_complete) memory_.fill(index, m.address, m.bytes, m.value);
    }

    std::shared_ptr<const vgpu::Program> program_;
    LaunchLimits limits_;
    // Where a kernel's parameters of 64 bits are. Two numbers side by side in a structure may look like an address.
    WordsOf words_of_;
    std::uint32_t most_live_ = 0;        // registers of the kernel that keeps most
    std::set<std::uint64_t> asked_for_;  // addresses of variables that the launcher may pass on
    vgpu::Memory memory_;
    std::unique_ptr<vgpu::Session> session_;
    std::shared_ptr<const vgpu::NeedPlan> need_plan_;  // null: nobody has asked yet
    std::vector<int> own_, temporaries_;
};

class VirtualDevice final : public Device {
public:
    explicit VirtualDevice(const LaunchLimits& limits) : limits_(limits) {}
    DeviceInfo info() const override { return {"virtual", "Virtual GPU", std::uint64_t{12} << 30, limits_}; }

    Result<std::unique_ptr<DeviceProgram>> load(std::string_view text, std::string_view source_file) override {
        return guarded("reading the PTX", [&]() -> Result<std::unique_ptr<DeviceProgram>> {
            Result<ptx::Module> module = ptx::parse(text);
            if (!module) return std::move(module).error();
            auto program = vgpu::load(*module, source_file);
            if (!program) return std::move(program).error();
            auto loaded = std::make_unique<VirtualProgram>(std::move(program).value(), limits_, *module);
            if (Status opened = loaded->open(); !opened) return std::move(opened).error();
            return std::unique_ptr<DeviceProgram>(std::move(loaded));
        });
    }

private:
    LaunchLimits limits_;
};

}  // namespace

std::unique_ptr<Device> make_virtual_device(const LaunchLimits& limits) {
    return std::make_unique<VirtualDevice>(limits);
}

}  // namespace warpgrade
