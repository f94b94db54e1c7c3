#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "base/processor.hpp"
#include "vgpu/ops/table.hpp"

namespace warpgrade::vgpu {

#if defined(__x86_64__) && !defined(WARPGRADE_BASELINE_ONLY)
#define WARPGRADE_HAS_AVX2
namespace avx2 {
void fill(OpTable& t);
}
#endif
namespace baseline {
void fill(OpTable& t);
}
// Handlers that are the same for every instruction set: mbarrier.cpp, spin_wait.cpp, clusters.cpp.
void mbarrier_rows(OpTable& t);
void waiting_rows(OpTable& t);
void cluster_rows(OpTable& t);

void OpTable::add(const char* key, const char* signature, Handler full, Handler masked) {
    if (!entries_.emplace(key, OpEntry{key, signature, full, masked}).second)
        throw std::logic_error(std::string("two rows for opcode ") + key);
}

const OpEntry* OpTable::find(std::string_view key) const {
    const auto found = entries_.find(std::string(key));
    return found == entries_.end() ? nullptr : &found->second;
}

std::vector<const OpEntry*> OpTable::rows() const {
    std::vector<const OpEntry*> all;
    for (const auto& [key, entry] : entries_) all.push_back(&entry);
    std::sort(all.begin(), all.end(), [](const OpEntry* a, const OpEntry* b) { return a->key < b->key; });
    return all;
}

namespace {

struct Chosen {
    OpTable table;
    std::string_view isa;
};

Chosen choose() {
    Chosen chosen;
    const char* forced = std::getenv("WARPGRADE_ISA");
    [[maybe_unused]] const std::string_view wanted = forced == nullptr ? "" : forced;
#ifdef WARPGRADE_HAS_AVX2
    if (has_avx2() && wanted != "baseline") {
        chosen.isa = "avx2";
        avx2::fill(chosen.table);
        return chosen;
    }
#endif
    chosen.isa = "baseline";
    baseline::fill(chosen.table);
    return chosen;
}

const Chosen& chosen_table() {
    static const Chosen chosen = [] {
        Chosen best = choose();
        mbarrier_rows(best.table);
        waiting_rows(best.table);
        cluster_rows(best.table);
        return best;
    }();
    return chosen;
}

}  // namespace

const OpTable& op_table() { return chosen_table().table; }
std::string_view op_table_isa() { return chosen_table().isa; }

}  // namespace warpgrade::vgpu
