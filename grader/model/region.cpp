#include "model/region.hpp"

#include <algorithm>
#include <unordered_map>

namespace warpgrade {

namespace {

constexpr int bytes_of_a_word = 4, most_words = 4;
constexpr std::size_t most_open = 64;

int most_words_at(const std::vector<std::uint64_t>& addresses) {
    int words = most_words;
    for (const std::uint64_t address : addresses)
        while (address % static_cast<std::uint64_t>(words * bytes_of_a_word) != 0) words /= 2;
    return words;
}

}  // namespace

void Region::add(const MicroOp& op, bool is_load, bool is_store, bool is_read_only) {
    if (op.unit == Unit::shared_store) open_.clear();
    ops_.push_back(op);
    flags_.push_back({is_load, is_store, is_read_only});
}

void Region::add_shared_load(const MicroOp& op, const LaneAccess& access) {
    const auto goes_on = [&](const Vector& vector) {
        if (vector.mask != access.mask || vector.words == vector.most) return false;
        for (std::size_t i = 0; i < vector.first.size(); ++i)
            if (vector.first[i] + static_cast<std::uint64_t>(vector.words * bytes_of_a_word) != access.addresses[i])
                return false;
        return true;
    };
    // The last one that was opened is the likeliest.
    if (const auto at = std::find_if(open_.rbegin(), open_.rend(), goes_on); at != open_.rend()) {
        ops_[at->op].writes[static_cast<std::size_t>(at->words++)] = op.writes[0];
        widen(*at);
        return;
    }
    Vector vector{ops_.size(), access.mask, 1, 0, {access.addresses.begin(), access.addresses.end()}};
    vector.most = most_words_at(vector.first);
    add(op, false, false, false);
    if (vector.most == 1) return;
    if (open_.size() == most_open) open_.erase(open_.begin());
    open_.push_back(std::move(vector));
}

// Three words are a pair and one more.
void Region::widen(const Vector& vector) {
    MicroOp& op = ops_[vector.op];
    MemoryAccess& access = accesses_[static_cast<std::size_t>(op.access)];
    const int wide = vector.words == 3 ? 2 : vector.words, rest = vector.words - wide;
    const LaneAccess all{vector.first, vector.mask, static_cast<std::uint32_t>(wide * bytes_of_a_word)};
    access.wavefronts = static_cast<std::uint16_t>(vector_wavefronts(all) + rest * bank_wavefronts({vector.first}));
    access.ideal = static_cast<std::uint16_t>(vector.words);
    op.instructions = static_cast<float>(1 + rest);
}

void Region::flush() {
    const std::size_t count = ops_.size();
    std::vector<bool> goes_first(count, false);
    bool has_loads = false, is_behind_store = false;
    std::unordered_map<int, std::size_t> writer;
    std::vector<std::array<std::int32_t, 6>> sources(count);
    for (std::size_t i = 0; i < count; ++i) {
        sources[i].fill(-1);
        for (std::size_t k = 0; k < 6 && ops_[i].reads[k] >= 0; ++k)
            if (const auto w = writer.find(ops_[i].reads[k]); w != writer.end())
                sources[i][k] = static_cast<std::int32_t>(w->second);
        for (const std::int16_t r : ops_[i].writes)
            if (r >= 0) writer[r] = i;
        if (flags_[i].is_load && (!is_behind_store || flags_[i].is_read_only)) goes_first[i] = has_loads = true;
        if (flags_[i].is_store) is_behind_store = true;
    }
    if (has_loads) {
        for (std::size_t i = count; i-- > 0;) {
            if (!goes_first[i]) continue;
            for (const std::int32_t s : sources[i])
                if (s >= 0) goes_first[static_cast<std::size_t>(s)] = true;
        }
        for (std::size_t i = 0; i < count; ++i)
            if (goes_first[i]) out_.push_back(ops_[i]);
        for (std::size_t i = 0; i < count; ++i)
            if (!goes_first[i]) out_.push_back(ops_[i]);
    } else {
        out_.insert(out_.end(), ops_.begin(), ops_.end());
    }
    ops_.clear();
    flags_.clear();
    open_.clear();
}

}  // namespace warpgrade
