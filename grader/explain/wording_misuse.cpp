// Words for operands that an instruction gives no meaning to: most are written in asm().
#include <fmt/format.h>

#include "explain/wording_place.hpp"

namespace warpgrade {

namespace {

using vgpu::Misuse;

struct Words {
    std::string title, label, fact, help;
};

Words words_of_misuse(const Scene& scene) {
    const vgpu::Finding& f = scene.finding;
    const auto is_one = [&](const char* what) { return plural(f.value, what); };
    switch (f.misuse) {
        case Misuse::branch_index:
            return {"brx.idx takes a branch that its table does not have", fmt::format("the index is {}", f.value),
                    fmt::format("the table has {}, from 0", plural(f.limit, "target")),
                    "compare the index with the number of targets before the branch"};
        case Misuse::barrier_number:
            return {"a barrier is named that no block has", fmt::format("barrier {}", f.value),
                    fmt::format("a block has the barriers 0 to {}", f.limit - 1),
                    "how is the number computed, and what is its largest value?"};
        case Misuse::barrier_numbers_apart:
            return {"threads of one warp name different barriers", fmt::format("this one names barrier {}", f.value),
                    fmt::format("another one of its warp names barrier {}", f.limit),
                    "make the number of what a whole warp has in common, as threadIdx.x / 32"};
        case Misuse::barrier_threads:
            return {"a barrier counts threads that are not whole warps", is_one("thread"),
                    fmt::format("what is counted is a multiple of {}, and not 0", f.limit),
                    "round the number of threads up to whole warps"};
        case Misuse::barrier_counts_apart:
            return {"a barrier is told of two numbers of threads", fmt::format("{} here", is_one("thread")),
                    fmt::format("another thread there counts {}", f.limit),
                    "give the same number in every thread that reaches this barrier"};
        case Misuse::mbarrier_not_set:
            return {"an mbarrier is used that is not initialised", thread_text(f.place),
                    "it is at " + shared_place(scene),
                    "let one thread initialise it, and put a __syncthreads() after it"};
        case Misuse::mbarrier_overwritten:
            return {"something else was stored where an mbarrier is", thread_text(f.place),
                    "it is at " + shared_place(scene), "which store has its 8 bytes? they are the mbarrier's alone"};
        case Misuse::mbarrier_count:
            return {"an mbarrier waits for a number of arrivals that it cannot count", is_one("arrival"),
                    fmt::format("it counts from 1 to {}", f.limit), "how many threads should arrive?"};
        case Misuse::mbarrier_arrivals:
            return {"an mbarrier is told of more arrivals than it waits for",
                    f.value == 0 ? "0 arrivals" : is_one("arrival"), fmt::format("it waits for {} more", f.limit),
                    "count those who arrive, and initialise it with that"};
        case Misuse::mbarrier_bytes:
            return {"an mbarrier is told of more bytes than it can count", fmt::format("{} by then", is_one("byte")),
                    fmt::format("it counts to {}", f.limit), "wait for what is on its way before more is asked for"};
        case Misuse::copied_bytes:
            return {"cp.async reads more bytes than it stores", fmt::format("reads {}", is_one("byte")),
                    fmt::format("it stores {}", plural(f.limit, "byte")),
                    "compare what is left to be read with what one copy stores"};
        case Misuse::none: break;
    }
    return {};
}

}  // namespace

Diagnostic describe_misuse(const Scene& scene) {
    Words words = words_of_misuse(scene);
    Diagnostic diagnostic;
    diagnostic.title = std::move(words.title);
    diagnostic.marks.push_back(mark_at(scene, scene.finding.place, "", std::move(words.label)));
    diagnostic.facts.push_back(std::move(words.fact));
    diagnostic.facts.push_back("what happens then is not defined: " + thread_fact(scene));
    diagnostic.help = std::move(words.help);
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

}  // namespace warpgrade
