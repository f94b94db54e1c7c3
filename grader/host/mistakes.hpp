// The mistakes of a run: one of each kind, line and object.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "host/mistake.hpp"

namespace warpgrade::host {

class Mistakes {
public:
    void add(Mistake mistake) {
        const auto [known, is_new] = index_of_.try_emplace({mistake.kind, mistake.line, mistake.object}, list_.size());
        if (!is_new)
            ++list_[known->second].occurrences;
        else if (list_.size() < most)
            list_.push_back(std::move(mistake));
        else
            index_of_.erase(known);
    }
    // Of an error that nothing has asked for; false where none of the line is known.
    bool mark_unnoticed(int line) {
        bool is_known = false;
        for (Mistake& mistake : list_) {
            if (mistake.line != line || !is_error(mistake.kind)) continue;
            mistake.is_unnoticed = is_known = true;
        }
        return is_known;
    }
    std::vector<Mistake> take() { return std::move(list_); }

private:
    static constexpr std::size_t most = 200;
    std::vector<Mistake> list_;
    std::map<std::tuple<MistakeKind, int, std::string>, std::size_t> index_of_;
};

}  // namespace warpgrade::host
