#include "device/explained_run.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "vgpu/code.hpp"

namespace warpgrade {

namespace {

// What writable memory held.
class Contents {
public:
    explicit Contents(vgpu::Memory& memory) {
        for (int i = 0; i < memory.count(); ++i) {
            const vgpu::Buffer& buffer = memory.buffer(i);
            if (buffer.is_freed || buffer.spec.is_read_only) continue;
            const auto bytes = memory.bytes(i);
            buffers_.emplace_back(i, std::vector<std::byte>(bytes.begin(), bytes.end()));
        }
    }
    void put_back(vgpu::Memory& memory) const {
        for (const auto& [index, bytes] : buffers_) std::copy(bytes.begin(), bytes.end(), memory.bytes(index).begin());
    }

private:
    std::vector<std::pair<int, std::vector<std::byte>>> buffers_;
};

bool is_shared_race(const vgpu::Finding& f) { return f.kind == vgpu::FindingKind::race_shared; }
bool names_one_line(const vgpu::Finding& f) {
    return is_shared_race(f) || (f.kind == vgpu::FindingKind::race_global && f.has_other && f.other.line == 0);
}
// What memory holds before a launch, where a race may have to be judged by a second run of it and that is cheap to
// keep.
std::optional<Contents> contents_before(const LoadedProgram& loaded, const vgpu::Launch& launch) {
    const vgpu::Code& code =
        loaded.program.functions[static_cast<std::size_t>(loaded.program.by_name.at(launch.kernel))];
    const bool has_shared = code.static_shared_bytes + launch.dynamic_shared_bytes > 0;
    std::uint64_t bytes = 0;
    for (int i = 0; i < loaded.memory.count(); ++i) {
        const vgpu::Buffer& b = loaded.memory.buffer(i);
        if (!b.is_freed && !b.spec.is_read_only) bytes += b.spec.bytes;
    }
    if (!has_shared || !loaded.program.orders_by_more_than_barriers || bytes > (std::uint64_t{1} << 20))
        return std::nullopt;
    return std::optional<Contents>(std::in_place, loaded.memory);
}
// A race names one line; the other one comes from running the launch again with everything remembered that orders
// threads. Where that is more than barriers, the second run also judges whether it is a race. What it stores is
// taken back: a race may be no more than a warning, and the output is judged.
void explain_races(const LoadedProgram& loaded, const vgpu::Launch& launch, vgpu::RunOptions options,
                   const std::optional<Contents>& before, std::vector<vgpu::Finding>& findings) {
    if (std::none_of(findings.begin(), findings.end(), names_one_line)) return;
    options.explains_races = true;
    options.need = nullptr;
    options.trace_first_warp = options.trace_whole_blocks = false;
    options.limits.output_bytes = 0;
    vgpu::Sample in_question;
    in_question.is_traced = false;
    const vgpu::Code& code =
        loaded.program.functions[static_cast<std::size_t>(loaded.program.by_name.at(launch.kernel))];
    for (const vgpu::Finding& f : findings) {
        if (!names_one_line(f)) continue;
        if (f.kind == vgpu::FindingKind::race_global) options.watched_words.push_back(f.address & ~std::uint64_t{3});
        const vgpu::Dim3 grid = launch.grid;
        const auto add_block = [&](vgpu::Dim3 at) {
            in_question.blocks.push_back(at.x + std::uint64_t{grid.x} * (at.y + std::uint64_t{grid.y} * at.z));
        };
        add_block(f.place.block);
        if (f.has_other) add_block(f.other.block);
    }
    std::sort(options.watched_words.begin(), options.watched_words.end());
    std::sort(in_question.blocks.begin(), in_question.blocks.end());
    in_question.blocks.erase(std::unique(in_question.blocks.begin(), in_question.blocks.end()),
                             in_question.blocks.end());
    // The blocks in question are enough, if they need no others to go on.
    const bool is_large = launch.grid.count() > 1024;
    if (is_large && !code.has_global_atomics && !code.polls_global) options.sample = &in_question;
    const Contents after(loaded.memory);
    if (before) before->put_back(loaded.memory);
    const vgpu::RunResult again = loaded.session.run(launch, options);
    after.put_back(loaded.memory);
    const bool is_judged = loaded.program.orders_by_more_than_barriers;
    if (is_judged) std::erase_if(findings, is_shared_race);
    for (vgpu::Finding& f : findings) {
        if (!names_one_line(f)) continue;
        for (const vgpu::Finding& g : again.findings) {
            if (g.kind != f.kind) continue;
            // In global memory the other one may come first this time.
            const bool is_same = g.place.line == f.place.line && g.access == f.access;
            const bool is_other_way = g.other.line == f.place.line;
            if (!is_same && !is_other_way) continue;
            const std::uint64_t occurrences = f.occurrences;
            f = g;
            f.occurrences = occurrences;
            break;
        }
    }
    if (is_judged)
        std::copy_if(again.findings.begin(), again.findings.end(), std::back_inserter(findings), is_shared_race);
}

}  // namespace

vgpu::RunResult run_explained(const LoadedProgram& loaded, const vgpu::Launch& launch,
                              const vgpu::RunOptions& options) {
    const std::optional<Contents> before = contents_before(loaded, launch);
    vgpu::RunResult result = loaded.session.run(launch, options);
    explain_races(loaded, launch, options, before, result.findings);
    return result;
}

}  // namespace warpgrade
