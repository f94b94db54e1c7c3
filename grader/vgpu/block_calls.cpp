// Calls: frames and local memory of functions, arguments and results, functions outside of the module.
#include <algorithm>
#include <cstring>

#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

constexpr std::size_t kDeepestCalls = 2000;
// Of all calls of a warp's lanes: the latter is CUDA's limit of a thread (lowering.hpp).
constexpr std::uint64_t kMostHostBytes = std::uint64_t{8} << 20;  // what Linux gives a program's stack
constexpr std::uint64_t kMostFrameBytes = std::uint64_t{8} << 20, kMostLocalBytes = 512 << 10;

// One parameter of the lanes of a mask, between two frames.
void copy_area(char* to, const ParameterArea& into, const char* from, const ParameterArea& of, std::uint32_t mask) {
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(__builtin_ctz(m));
        std::memcpy(to + into.offset + lane * into.stride, from + of.offset + lane * of.stride,
                    std::min(into.bytes, of.bytes));
    }
}

// Every lane's part of so many bytes is to be larger.
LineBytes widened(LineBytes& parts, std::uint64_t lanes, std::uint64_t bytes, std::uint64_t wider) {
    LineBytes grown;
    grown.assign(wider * lanes, 0);
    for (std::uint64_t i = 0; i < lanes; ++i) std::copy_n(parts.data() + i * bytes, bytes, grown.data() + i * wider);
    return grown;
}

// Local memory of a call, as the call begins and when it has ended: nobody has stored there.
void forget_stores(Warp& w, std::uint32_t lanes, std::uint64_t from, std::uint64_t bytes) {
    w.extra_work += std::uint64_t(__builtin_popcount(lanes)) * bytes / 4 / price::copied_bytes;
    for (std::uint32_t m = lanes; m != 0 && bytes > 0; m &= m - 1)
        std::memset(local_written_at(w, __builtin_ctz(m), from), 0, (bytes + 3) / 4);
}

// Memory, as the one lane of host code sees it.
class View final : public Session::HostView {
public:
    View(Warp& w, int lane) : w_(w), lane_(lane) {}
    std::span<std::byte> bytes(std::uint64_t address, std::uint64_t most) override {
        return host_bytes_at(w_, lane_, address, most);
    }

private:
    Warp& w_;
    int lane_;
};

}  // namespace

void BlockRunner::enter_frame(WarpState& ws, const SimtEntry& entry) {
    Warp& w = ws.warp;
    w.base[0] = ws.frames.data() + entry.frame;
    w.call_line = entry.call_line;
    w.outer_call_line = entry.outer_call_line;
    w.local = ws.local.data();
    w.local_written = ws.local_written.data();
}

std::vector<BlockRunner::Callee> BlockRunner::callees_of(WarpState& ws, const CallSite& site, const Terminator& t,
                                                         std::uint32_t mask) {
    if (!site.is_indirect) return {{site.function, mask}};
    Warp& w = ws.warp;
    const std::uint64_t* pointers = reg<std::uint64_t>(w, site.pointer);
    const auto refuse = [&](int lane, FindingReason reason) {
        bool is_new = false;
        const Site& place = w.sites[t.site];
        Finding& f = add_finding(worker_, w.block, FindingKind::invalid_call, line_of(w, place), AccessKind::none,
                                 reason, is_new);
        if (is_new) {
            f.place = place_of(w, lane, place);
            f.address = pointers[lane];
        }
        launch_.is_stopped = true;
        return std::vector<Callee>{};
    };
    std::vector<Callee> callees;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const int function = function_at(*launch_.program, pointers[lane]);
        if (function < 0) return refuse(lane, FindingReason::no_function);
        if (launch_.program->functions[static_cast<std::size_t>(function)].is_kernel)
            return refuse(lane, FindingReason::kernel_as_function);
        const auto known =
            std::find_if(callees.begin(), callees.end(), [&](const Callee& c) { return c.function == function; });
        if (known == callees.end())
            callees.push_back({function, 1u << lane});
        else
            known->mask |= 1u << lane;
    }
    return callees;
}

// The functions that the lanes call take their turn, the last pushed first; the lanes meet again below them, in the
// caller.
void BlockRunner::call(BlockContext& block, WarpState& ws, Strand& strand, const CallSite& site, const Terminator& t,
                       std::uint32_t mask) {
    const SimtEntry caller = strand.stack.back();
    for (const auto& [function, lanes] : callees_of(ws, site, t, mask)) {
        enter_frame(ws, caller);
        call_one(ws, strand, caller, site, t, function, lanes);
        if (launch_.is_stopped) return;
        fill_specials(block, ws, code_of(strand.stack.back()), strand.stack.back().frame);
    }
}

void BlockRunner::call_one(WarpState& ws, Strand& strand, const SimtEntry& caller, const CallSite& site,
                           const Terminator& t, int function, std::uint32_t mask) {
    Warp& w = ws.warp;
    const Code& callee = launch_.program->functions[static_cast<std::size_t>(function)];
    // The new frame starts after every live one. Lanes of other strands that are in the same call share theirs, so that
    // they can meet in it: no lane touches what another one keeps there.
    std::uint32_t frame = 0, local = 0;
    const SimtEntry* same_call = nullptr;
    for (const Strand& s : ws.strands) {
        if (s.stack.empty()) continue;
        const SimtEntry& top = s.stack.back();  // above all others of its strand
        frame = std::max(frame, top.frame + code_of(top).frame_bytes);
        local = std::max(local, top.local_base + code_of(top).local_bytes);
        if (&s == &strand) continue;
        w.extra_work += s.stack.size() / 4;
        for (const SimtEntry& e : s.stack) {
            const bool is_same = e.is_call && e.function == function && e.call == t.call &&
                                 e.caller == caller.function && e.caller_frame == caller.frame;
            if (is_same) same_call = &e;
        }
    }
    local = (local + callee.local_align - 1) / callee.local_align * callee.local_align;
    if (same_call != nullptr) {
        frame = same_call->frame;
        local = same_call->local_base;
    }
    // All three are limits of the stack of a thread.
    const bool has_room = inside(frame, callee.frame_bytes, 0, kMostFrameBytes) &&
                          inside(local, callee.local_bytes, 0, launch_.is_program ? kMostHostBytes : kMostLocalBytes);
    if (strand.stack.size() > kDeepestCalls || !has_room) {
        bool is_new = false;
        Finding& f = add_finding(worker_, w.block, FindingKind::timeout, line_of(w, w.sites[t.site]), AccessKind::none,
                                 FindingReason::recursion, is_new);
        if (is_new) {
            f.place = place_of(w, __builtin_ctz(mask), w.sites[t.site]);
            f.limit = strand.stack.size();
        }
        launch_.is_stopped = true;
        return;
    }
    if (ws.frames.size() < frame + callee.frame_bytes + 64) ws.frames.resize(2 * (frame + callee.frame_bytes) + 64);
    if (local + callee.local_bytes > w.local_bytes) {
        // Lane-major: widen every lane's part.
        const std::uint32_t wider = 2 * (local + callee.local_bytes);
        w.extra_work += local_lanes(launch_) * (wider + local_words(wider)) / price::fresh_bytes;
        const std::uint64_t lanes = local_lanes(launch_);
        ws.local = widened(ws.local, lanes, w.local_bytes, wider);
        ws.local_written =
            widened(ws.local_written, lanes, w.local_bytes > 0 ? local_words(w.local_bytes) : 0, local_words(wider));
        w.local_bytes = wider;
        w.local_written = ws.local_written.data();
    }
    forget_stores(w, mask, local, callee.local_bytes);
    char* from = ws.frames.data() + caller.frame;
    char* to = ws.frames.data() + frame;
    for (std::size_t i = 0; i < site.arguments.size() && i < callee.parameters.size(); ++i)
        copy_area(to, callee.parameters[i], from, site.arguments[i], mask);
    for (const auto& [name, offset] : callee.addressed_parameters) {
        const ParameterArea& area = callee.areas.at(name);
        const ParameterArea kept{local + offset, w.local_bytes, area.bytes};
        copy_area(ws.local.data(), kept, to, area, mask);
        for (std::uint32_t m = mask; m != 0; m &= m - 1)
            std::memset(local_written_at(w, __builtin_ctz(m), local + offset), 0xF, (area.bytes + 3) / 4);
    }
    const std::uint64_t base = local;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) std::memcpy(to + 64 + __builtin_ctz(m) * 8, &base, 8);
    SimtEntry entry;
    entry.function = function;
    entry.mask = entry.call_mask = mask;
    entry.frame = frame;
    entry.local_base = local;
    entry.is_call = true;
    entry.call = t.call;
    entry.caller = caller.function;
    entry.caller_frame = caller.frame;
    entry.call_line = line_of(w, w.sites[t.site]);
    entry.outer_call_line = outer_line_of(w, w.sites[t.site]);
    strand.stack.push_back(entry);
    enter_frame(ws, entry);
}

// What main() returns is asked for as exit() is.
void BlockRunner::end_program(WarpState& ws, const SimtEntry& entry) {
    const ParameterArea& returned = code_of(entry).returned;
    if (!launch_.is_program || returned.bytes == 0) return;
    const auto* from = reinterpret_cast<const std::byte*>(ws.frames.data() + entry.frame + returned.offset);
    (*launch_.host_call)({exit_call, {{from, from + returned.bytes}}, 0, nullptr, launch_.work});
}

void BlockRunner::return_from(WarpState& ws, const SimtEntry& entry) {
    if (entry.caller < 0) return end_program(ws, entry);
    const Code& caller = launch_.program->functions[static_cast<std::size_t>(entry.caller)];
    const Code& callee = code_of(entry);
    forget_stores(ws.warp, entry.call_mask, entry.local_base, callee.local_bytes);
    const CallSite& site = caller.calls[static_cast<std::size_t>(entry.call)];
    if (site.result.bytes == 0 || callee.returned.bytes == 0) return;
    copy_area(ws.frames.data() + entry.caller_frame, site.result, ws.frames.data() + entry.frame, callee.returned,
              entry.call_mask);
}

void BlockRunner::call_external(BlockContext& block, WarpState& ws, const CallSite& site, const Terminator& t,
                                std::uint32_t mask) {
    Warp& w = ws.warp;
    const Site& place = w.sites[t.site];
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        std::vector<std::vector<std::byte>> arguments;
        for (const ParameterArea& area : site.arguments) {
            const auto* from = reinterpret_cast<const std::byte*>(w.base[0] + area.offset +
                                                                  static_cast<std::uint32_t>(lane) * area.stride);
            arguments.emplace_back(from, from + area.stride);
        }
        std::vector<std::byte> result;
        if (launch_.is_program || !call_builtin(block, w, site.external, arguments, lane, place, result)) {
            if (!launch_.is_host) {
                bool is_new = false;
                const FindingKind kind =
                    belongs_to_launcher(site.external) ? FindingKind::invalid_call : FindingKind::unsupported;
                Finding& f = add_finding(worker_, &block, kind, line_of(w, place), AccessKind::none,
                                         FindingReason::none, is_new, display_name_of(site.external));
                if (is_new) f.place = place_of(w, lane, place);
                launch_.is_stopped = true;
                return;
            }
            worker_.spend(price::host_call);
            View view(w, lane);
            const Session::HostReply reply = (*launch_.host_call)(
                {site.external, std::move(arguments), line_of(w, place), &view,
                 launch_.work + static_cast<std::uint64_t>(worker_.budget_given - worker_.budget)});
            if (reply.has_released) std::fill(worker_.caches.begin(), worker_.caches.end(), SiteCache());
            result = reply.result;
            for (const auto& write : reply.writes) {
                // Results go through pointers to the launcher's own variables: local ones, or static ones.
                const std::uint64_t offset = write.address - kLocalWindow;
                if (inside(offset, write.bytes.size(), 0, w.local_bytes)) {
                    std::memcpy(w.local + static_cast<std::uint64_t>(lane) * w.local_bytes + offset, write.bytes.data(),
                                write.bytes.size());
                } else if (find_buffer(w, t.site, write.address, write.bytes.size())) {
                    std::memcpy(w.caches[t.site].bias + write.address, write.bytes.data(), write.bytes.size());
                } else {
                    Inst in;
                    in.site = t.site;
                    report_global(w, in, lane, write.address, static_cast<std::uint32_t>(write.bytes.size()));
                }
            }
            if (reply.stop) {
                launch_.is_stopped = true;
                return;
            }
        }
        if (site.result.bytes > 0) {
            char* to = w.base[0] + site.result.offset + static_cast<std::uint32_t>(lane) * site.result.stride;
            std::memset(to, 0, site.result.stride);
            std::copy_n(reinterpret_cast<const char*>(result.data()),
                        std::min<std::size_t>(result.size(), site.result.bytes), to);
        }
        if (launch_.is_stopped) return;
    }
}

}  // namespace warpgrade::vgpu
