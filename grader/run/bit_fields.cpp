#include "run/bit_fields.hpp"

#include <regex>

#include "base/code_text.hpp"
#include "course/source_text.hpp"

namespace warpgrade {

bool sets_bit_field(const std::string& source, int line) {
    static const std::regex declared(R"re(\b(\w+)\s*:\s*\d+\s*[,;])re"), set(R"re(\b(\w+)\s*=(?!=))re");
    const std::string code = without_comments(source);
    const std::string text(line_of(code, line));
    for (std::sregex_iterator at(text.begin(), text.end(), set), end; at != end; ++at) {
        const std::string name = (*at)[1].str();
        for (std::sregex_iterator field(code.begin(), code.end(), declared); field != end; ++field) {
            if ((*field)[1].str() != name) continue;
            // Not the second half of `a ? b : 1;`, and no `case`.
            const auto place = static_cast<std::size_t>(field->position(0));
            const std::size_t start = place == 0 ? std::string::npos : code.find_last_of(";{}", place - 1);
            const std::string before =
                code.substr(start == std::string::npos ? 0 : start, place - (start == std::string::npos ? 0 : start));
            if (before.find('?') == std::string::npos && before.find("case") == std::string::npos) return true;
        }
    }
    return false;
}

}  // namespace warpgrade
