#include "explain/words.hpp"

#include <algorithm>

namespace warpgrade::explain {

using namespace source;

Words words_of(const Tree& tree, const std::vector<Binding>& bindings) {
    Words words;
    for (const Binding& binding : bindings)
        words.emplace_back(binding.name, in_one_line(binding.at.line == 0 ? binding.word : text_of(tree, binding.at)));
    return words;
}

std::string exit_word(const Facts& facts, NodeId node) {
    for (const Guard& guard : facts.guards) {
        if (guard.exit == Exit::none || !is_within(*facts.tree, node, guard.condition)) continue;
        return guard.exit == Exit::returns ? "return" : guard.exit == Exit::breaks ? "break" : "continue";
    }
    return {};
}

std::string with_words(std::string text, const Words& words) {
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open)) {
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos) break;
        const std::string name = text.substr(open + 1, close - open - 1);
        const auto word = std::ranges::find_if(words, [&](const auto& pair) { return pair.first == name; });
        if (word == words.end()) {
            ++open;
            continue;
        }
        text.replace(open, close - open + 1, word->second);
        open += word->second.size();
    }
    return text;
}

bool fits_side(const Rule& rule, const Facts& facts, NodeId node) {
    if (rule.side == RuleSide::any) return true;
    const Function* const function = node == no_node ? nullptr : function_around(facts, node);
    if (!function) return false;
    return rule.side == RuleSide::kernel ? function->is_on_device()
                                         : !function->is_on_device() || function->side == Side::both;
}

}  // namespace warpgrade::explain
