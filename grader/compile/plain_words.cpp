// Rows of messages.rows: which of them serves, and its sentence with its values.
#include <algorithm>
#include <stdexcept>

#include "base/text.hpp"
#include "compile/place.hpp"

namespace warpgrade {
namespace {

struct Row {
    std::string phrases, conditions, sentence;
};

std::vector<Row> rows_of(std::string_view text) {
    std::vector<Row> rows;
    std::string phrases;
    bool is_behind_row = true;
    for (const std::string_view line : split(text, '\n')) {
        if (line.empty() || line.starts_with("# ")) continue;
        if (line.starts_with("        ")) {
            rows.back().sentence += (rows.back().sentence.empty() ? "" : " ") + std::string(trimmed(line));
            continue;
        }
        const std::size_t arrow = (" " + std::string(line) + " ").find(" => "), end = std::min(arrow, line.size());
        const std::string before(trimmed(line.substr(0, end)));
        if (line.front() != ' ') phrases = (is_behind_row ? "" : phrases + "|") + before;
        is_behind_row = arrow != std::string::npos;
        if (is_behind_row)
            rows.push_back({phrases, line.front() == ' ' ? before : "", std::string(trimmed(line.substr(end + 2)))});
    }
    return rows;
}

// With the values of its {keys}.
std::string filled(std::string_view text, const Place& place) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = text.front() == '{' ? text.find('}') : text.npos;
        const std::string_view key = end == text.npos ? "" : text.substr(1, end - 1);
        constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz_/0123456789";
        const bool is_key = !key.empty() && key.find_first_not_of(letters) == key.npos;
        if (!is_key) {
            out += text.front();
            text.remove_prefix(1);
            continue;
        }
        const std::size_t slash = std::min(key.find('/'), key.size());
        const std::string value = place.value(key.substr(0, slash));
        out += value.empty() ? key.substr(std::min(slash + 1, key.size())) : std::string_view(value);
        text.remove_prefix(end + 1);
    }
    return out;
}

// % of the pattern stands for any text.
bool fits(std::string_view pattern, std::string_view text) {
    std::size_t any = pattern.find('%');
    if (any == pattern.npos) return pattern == text;
    if (!text.starts_with(pattern.substr(0, any))) return false;
    text.remove_prefix(any);
    pattern.remove_prefix(any + 1);
    while ((any = pattern.find('%')) != pattern.npos) {
        const std::size_t at = text.find(pattern.substr(0, any));
        if (at == text.npos) return false;
        text.remove_prefix(at + any);
        pattern.remove_prefix(any + 1);
    }
    return text.ends_with(pattern);
}

bool is_one_of(std::string_view text, std::string_view patterns) {
    for (;;) {
        const std::size_t end = patterns.find('|');
        if (fits(patterns.substr(0, end), text)) return true;
        if (end == patterns.npos) return false;
        patterns.remove_prefix(end + 1);
    }
}

bool holds(std::string_view condition, Place& place) {
    if (condition.starts_with('!')) return !holds(condition.substr(1), place);
    const std::size_t sign = condition.find_first_of("=~");
    if (sign == condition.npos) {
        const PlaceCondition named = place_condition(condition);
        if (!named) throw std::logic_error("no condition is called " + std::string(condition));
        return named(place);
    }
    const std::string value = place.value(condition.substr(0, sign)),
                      wanted = filled(condition.substr(sign + 1), place);
    return condition[sign] == '=' ? is_one_of(value, wanted) : has_one_of(value, wanted);
}

bool serves(const Row& row, Place& place) {
    std::string_view rest = row.conditions;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(", ");
        if (!holds(rest.substr(0, comma), place)) return false;
        rest = comma == rest.npos ? "" : rest.substr(comma + 2);
    }
    return true;
}

}  // namespace

std::string in_plain_words(const CompilerMessage& message, const SourceText& source, bool is_program) {
    // What stands before the names is about what a submission has no use for.
    static const std::string_view table = message_rows;
    static const std::vector<Row> all = rows_of(table), of_programs = rows_of(table.substr(table.find("\n# Names.")));
    Place place(message, source);
    for (const Row& row : is_program ? of_programs : all)
        if (has_one_of(message.message, row.phrases) && serves(row, place)) {
            const std::string sentence = filled(row.sentence, place);
            if (sentence.starts_with("; ")) return message.message + sentence;
            if (sentence.starts_with("= ")) return sentence.substr(2);
            if (sentence.starts_with("+ "))
                return sentence.substr(2) + std::string(words_of_compiler) + message.message;
            if (sentence.starts_with("- "))
                return "`" + place.value("unknown") + "` is not available: " + sentence.substr(2) +
                       "; a submission holds kernels and the launcher only";
            return message.message + "\n" + sentence;
        }
    return message.message;
}

}  // namespace warpgrade
