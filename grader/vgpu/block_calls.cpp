// Calls: frames and local memory of functions, arguments and results, functions outside of the module.
#include <algorithm>
#include <cstring>

#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

void BlockRunner::enter_frame(WarpState& ws, const SimtEntry& entry) {
    Warp& w = ws.warp;
    w.base[0] = ws.frames.data() + entry.frame;
    w.call_line = entry.call_line;
    w.outer_call_line = entry.outer_call_line;
    w.local = ws.local.data();
}

void BlockRunner::call(WarpState& ws, Strand& strand, const CallSite& site, const Terminator& t, std::uint32_t mask) {
    Warp& w = ws.warp;
    int function = site.function;
    if (site.is_indirect) {
        const std::uint64_t pointer = reg<std::uint64_t>(w, site.pointer)[__builtin_ctz(mask)];
        function = static_cast<int>(pointer) - 1;
        for (std::uint32_t m = mask; m != 0; m &= m - 1) {
            if (reg<std::uint64_t>(w, site.pointer)[__builtin_ctz(m)] != pointer) function = -1;
        }
        if (function < 0 || function >= static_cast<int>(launch_.program->functions.size())) {
            bool is_new = false;
            Finding& f = add_finding(worker_, w.block, FindingKind::unsupported, line_of(w, w.sites[t.site]), AccessKind::none, "call through a pointer", is_new);
            if (is_new) f.place = place_of(w, __builtin_ctz(mask), w.sites[t.site]);
            launch_.is_stopped = true;
            return;
        }
    }
    const Code& callee = launch_.program->functions[static_cast<std::size_t>(function)];
    const SimtEntry caller = strand.stack.back();
    // Frames are never shared between strands: the new one starts after every live one.
    std::uint32_t frame = 0, local = 0;
    for (const Strand& s : ws.strands) {
        for (const SimtEntry& e : s.stack) {
            frame = std::max(frame, e.frame + code_of(e).frame_bytes);
            local = std::max(local, e.local_base + code_of(e).local_bytes);
        }
    }
    if (strand.stack.size() > 2000) {
        bool is_new = false;
        Finding& f = add_finding(worker_, w.block, FindingKind::timeout, line_of(w, w.sites[t.site]), AccessKind::none, "recursion", is_new);
        if (is_new) f.place = place_of(w, __builtin_ctz(mask), w.sites[t.site]);
        launch_.is_stopped = true;
        return;
    }
    if (ws.frames.size() < frame + callee.frame_bytes + 64) ws.frames.resize(2 * (frame + callee.frame_bytes) + 64);
    if (local + callee.local_bytes > w.local_bytes) {
        // Lane-major: widen every lane's part.
        const std::uint32_t wider = 2 * (local + callee.local_bytes);
        LineBytes grown;
        grown.assign(std::size_t{wider} * 32, 0);
        for (std::uint32_t i = 0; i < 32; ++i) std::memcpy(grown.data() + std::size_t{i} * wider, ws.local.data() + std::size_t{i} * w.local_bytes, w.local_bytes);
        ws.local = std::move(grown);
        w.local_bytes = wider;
    }
    char* from = ws.frames.data() + caller.frame;
    char* to = ws.frames.data() + frame;
    for (std::size_t i = 0; i < site.argument_areas.size() && i < callee.parameter_names.size(); ++i) {
        const auto area = callee.areas.at(callee.parameter_names[i]);
        const auto [offset, bytes] = site.argument_areas[i];
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            if (((mask >> lane) & 1) == 0) continue;
            std::memcpy(to + area.first + lane * area.second, from + offset + lane * bytes, std::min(bytes, area.second));
        }
    }
    const std::uint64_t base = local;
    for (int lane = 0; lane < 32; ++lane) std::memcpy(to + 64 + lane * 8, &base, 8);
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

void BlockRunner::return_from(WarpState& ws, const SimtEntry& entry) {
    if (entry.caller < 0) return;
    const Code& caller = launch_.program->functions[static_cast<std::size_t>(entry.caller)];
    const Code& callee = code_of(entry);
    const CallSite& site = caller.calls[static_cast<std::size_t>(entry.call)];
    if (site.return_bytes == 0 || callee.return_name.empty()) return;
    const auto area = callee.areas.at(callee.return_name);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (((entry.call_mask >> lane) & 1) == 0) continue;
        std::memcpy(ws.frames.data() + entry.caller_frame + site.return_area + lane * site.return_bytes,
                    ws.frames.data() + entry.frame + area.first + lane * area.second, std::min(site.return_bytes, area.second));
    }
}

void BlockRunner::call_external(BlockContext& block, WarpState& ws, const CallSite& site, const Terminator& t, std::uint32_t mask) {
    Warp& w = ws.warp;
    const Site& place = w.sites[t.site];
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        std::vector<std::vector<std::byte>> arguments;
        for (const auto& [offset, bytes] : site.argument_areas) {
            const auto* from = reinterpret_cast<const std::byte*>(w.base[0] + offset + static_cast<std::uint32_t>(lane) * bytes);
            arguments.emplace_back(from, from + bytes);
        }
        std::vector<std::byte> result;
        if (!call_builtin(block, w, site.external, arguments, lane, place, result)) {
            if (!launch_.is_host) {
                bool is_new = false;
                Finding& f = add_finding(worker_, &block, FindingKind::unsupported, line_of(w, place), AccessKind::none, display_name_of(site.external), is_new);
                if (is_new) f.place = place_of(w, lane, place);
                launch_.is_stopped = true;
                return;
            }
            const Session::HostReply reply = (*launch_.host_call)({site.external, std::move(arguments), line_of(w, place)});
            result = reply.result;
            for (const auto& write : reply.writes) {
                // Results go through pointers to the launcher's own variables.
                const std::uint64_t offset = write.address - kLocalWindow;
                if (offset + write.bytes.size() <= w.local_bytes) {
                    std::memcpy(w.local + static_cast<std::uint64_t>(lane) * w.local_bytes + offset, write.bytes.data(), write.bytes.size());
                }
            }
            if (reply.stop) {
                launch_.is_stopped = true;
                return;
            }
        }
        if (site.return_bytes > 0) {
            char* to = w.base[0] + site.return_area + static_cast<std::uint32_t>(lane) * site.return_bytes;
            std::memset(to, 0, site.return_bytes);
            std::memcpy(to, result.data(), std::min<std::size_t>(result.size(), site.return_bytes));
        }
        if (launch_.is_stopped) return;
    }
}

}  // namespace warpgrade::vgpu
