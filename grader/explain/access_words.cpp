#include "explain/access_words.hpp"

#include "explain/index_text.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"

namespace warpgrade {

const char* verb(vgpu::AccessKind access) {
    switch (access) {
        case vgpu::AccessKind::write: return "write";
        case vgpu::AccessKind::atomic: return "atomic operation";
        default: return "read";
    }
}

Advice advice_on_block(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const source::Constant* const threads = constant_named(scene.facts, "THREADS");
    if (!launch || scene.run.variant.starts_with("THREADS=") || threads == nullptr) return "";
    const auto size = static_cast<std::int64_t>(launch->block.count());
    if (*threads->number == size) return "";
    if (*threads->number == static_cast<std::int64_t>(launch->grid.count()))
        return {say("line_launches_blocks_threads", launch->line, launch->grid.count(), size, *threads->number),
                launch->line};
    return {say("block_threads_threads_line", launch->line, extents_text(launch->block), threads->at.line,
                *threads->number),
            launch->line};
}

}  // namespace warpgrade
