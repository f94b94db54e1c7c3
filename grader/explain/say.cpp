#include "explain/say.hpp"

#include <toml++/toml.h>

#include <functional>
#include <map>

namespace warpgrade {

extern const char* const sentence_rows;  // that the build makes of explain/sentences/*.toml

std::string_view sentence(std::string_view id) {
    static const auto rows = [] {
        std::map<std::string, std::string, std::less<>> read;
        for (const auto& [name, text] : toml::parse(std::string_view(sentence_rows)))
            read.emplace(name.str(), text.value_or(std::string()));
        return read;
    }();
    const auto found = rows.find(id);
    if (found == rows.end()) throw std::out_of_range("no sentence has the id " + std::string(id));
    return found->second;
}

}  // namespace warpgrade
