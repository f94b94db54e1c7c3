// Words for operands that an instruction gives no meaning to: most are written in asm().
#include <fmt/format.h>

#include "explain/say.hpp"
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
            return {say("brx_idx_takes_branch"), fmt::format("the index is {}", f.value),
                    fmt::format("the table has {}, from 0", plural(f.limit, "target")),
                    say("compare_index_number_targets")};
        case Misuse::barrier_number:
            return {say("barrier_named_block"), fmt::format("barrier {}", f.value),
                    fmt::format("a block has the barriers 0 to {}", f.limit - 1), say("how_number_computed_largest")};
        case Misuse::barrier_numbers_apart:
            return {say("threads_warp_name_different"), fmt::format("this one names barrier {}", f.value),
                    say("another_warp_names_barrier", f.limit), say("make_number_whole_warp")};
        case Misuse::barrier_threads:
            return {say("barrier_counts_threads_whole"), is_one("thread"), say("counted_multiple", f.limit),
                    say("round_number_threads_up")};
        case Misuse::barrier_counts_apart:
            return {say("barrier_told_two_numbers"), fmt::format("{} here", is_one("thread")),
                    fmt::format("another thread there counts {}", f.limit), say("give_same_number_every")};
        case Misuse::mbarrier_not_set:
            return {say("mbarrier_used_initialised"), thread_text(f.place), "it is at " + shared_place(scene),
                    say("thread_initialise_put_syncthreads")};
        case Misuse::mbarrier_overwritten:
            return {say("something_else_stored_where"), thread_text(f.place), "it is at " + shared_place(scene),
                    say("store_bytes_they_mbarrier")};
        case Misuse::mbarrier_count:
            return {say("mbarrier_waits_number_arrivals"), is_one("arrival"),
                    fmt::format("it counts from 1 to {}", f.limit), "how many threads should arrive?"};
        case Misuse::mbarrier_arrivals:
            return {say("mbarrier_told_more_arrivals"), f.value == 0 ? "0 arrivals" : is_one("arrival"),
                    fmt::format("it waits for {} more", f.limit), say("count_who_arrive_initialise")};
        case Misuse::mbarrier_bytes:
            return {say("mbarrier_told_more_bytes"), fmt::format("{} by then", is_one("byte")),
                    fmt::format("it counts to {}", f.limit), say("wait_way_before_more")};
        case Misuse::copied_bytes:
            return {say("cp_async_reads_more"), fmt::format("reads {}", is_one("byte")),
                    fmt::format("it stores {}", plural(f.limit, "byte")), say("compare_left_read_copy")};
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
