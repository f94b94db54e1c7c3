#include "host/source_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace warpgrade::host {

namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return text;
}

std::string_view word_at(std::string_view text) {
    std::size_t n = 0;
    while (n < text.size() && is_of_word(text[n])) ++n;
    return text.substr(0, n);
}
std::string_view word_before(std::string_view text) {
    text = trimmed(text);
    std::size_t first = text.size();
    while (first > 0 && is_of_word(text[first - 1])) --first;
    return text.substr(first);
}

// The first argument of a call of cudaMalloc or its like, without a cast and `&`.
std::string_view first_argument(std::string_view line) {
    for (const char* call : {"cudaMalloc", "cudaHostAlloc"}) {
        const std::size_t at = line.find(call);
        const std::size_t open = at == line.npos ? at : line.find('(', at);
        if (open == line.npos) continue;
        std::string_view rest = trimmed(line.substr(open + 1));
        if (rest.starts_with('(')) rest = trimmed(rest.substr(std::min(rest.find(')'), rest.size() - 1) + 1));
        if (rest.starts_with("reinterpret_cast"))
            rest = trimmed(rest.substr(std::min(rest.find('('), rest.size() - 1) + 1));
        if (rest.starts_with('&')) rest = trimmed(rest.substr(1));
        return word_at(rest);
    }
    return {};
}

std::string_view assigned(std::string_view line) {
    for (const char* call : {"malloc", "calloc", "realloc", "new "}) {
        const std::size_t at = line.find(call);
        const std::size_t equals = at == line.npos ? at : line.substr(0, at).rfind('=');
        if (equals != line.npos) return word_before(line.substr(0, equals));
    }
    return {};
}

constexpr std::array<std::pair<std::string_view, int>, 14> types{{{"float", 4},
                                                                  {"double", 8},
                                                                  {"int", 4},
                                                                  {"unsigned", 4},
                                                                  {"char", 1},
                                                                  {"short", 2},
                                                                  {"long", 8},
                                                                  {"size_t", 8},
                                                                  {"uint32_t", 4},
                                                                  {"int32_t", 4},
                                                                  {"uint8_t", 1},
                                                                  {"uint64_t", 8},
                                                                  {"int64_t", 8},
                                                                  {"float4", 16}}};

// From the first declaration `TYPE *NAME` or `TYPE *a, *NAME`.
int element_bytes_of(std::string_view source, std::string_view name) {
    for (std::size_t at = source.find(name); at != source.npos; at = source.find(name, at + 1)) {
        const bool is_whole = (at == 0 || !is_of_word(source[at - 1])) &&
                              (at + name.size() == source.size() || !is_of_word(source[at + name.size()]));
        std::string_view before = trimmed(source.substr(0, at));
        if (!is_whole || !before.ends_with('*')) continue;
        // Back to the start of the declaration.
        const std::size_t start = before.find_last_of(";{}()\n");
        before = before.substr(start == before.npos ? 0 : start + 1);
        for (const auto& [type, bytes] : types)
            for (std::size_t i = before.find(type); i != before.npos; i = before.find(type, i + 1))
                if ((i == 0 || !is_of_word(before[i - 1])) && !is_of_word(before[i + type.size()])) return bytes;
    }
    return 1;
}

}  // namespace

std::string_view line_of_source(std::string_view source, int line) {
    for (int i = 1; i < line; ++i) {
        const std::size_t end = source.find('\n');
        if (end == source.npos) return {};
        source.remove_prefix(end + 1);
    }
    return source.substr(0, source.find('\n'));
}

std::string_view text_of_line(std::string_view source, int line) { return trimmed(line_of_source(source, line)); }

namespace {

constexpr std::string_view allocations[] = {"cudaMalloc", "cudaHostAlloc", "malloc", "calloc", "realloc", "new "};

std::size_t allocation_in(std::string_view statement) {
    std::size_t first = statement.npos;
    for (const std::string_view call : allocations) first = std::min(first, statement.find(call));
    return first;
}

// The statements of a line that allocate: what is between two `;`, or two `,` outside of brackets.
std::vector<std::string_view> allocating_statements(std::string_view line) {
    std::vector<std::string_view> found;
    std::size_t first = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= line.size(); ++i) {
        const char c = i < line.size() ? line[i] : ';';
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (i < line.size() && (depth != 0 || (c != ';' && c != ','))) continue;
        const std::string_view statement = line.substr(first, i - first);
        if (allocation_in(statement) != statement.npos) found.push_back(statement);
        first = i + 1;
    }
    return found;
}

}  // namespace

namespace {

// What must free the memory of such a statement: `new float[4]`, `new Node{1}`, `malloc(n)`.
std::string_view freed_by(std::string_view statement) {
    const std::size_t at = statement.find("new ");
    if (at == statement.npos)
        return statement.find("cuda") == statement.npos && statement.find("alloc") != statement.npos ? "free" : "";
    if (at > 0 && is_of_word(statement[at - 1])) return "";
    const std::string_view rest = trimmed(statement.substr(at + 4));
    const std::size_t end = rest.find_first_of("[({;");
    return rest.starts_with('(') ? "" : end != rest.npos && rest[end] == '[' ? "delete[]" : "delete";
}

}  // namespace

std::string_view freeing_word(std::string_view source, int line) {
    std::string_view text = line_of_source(source, line);
    text = text.substr(0, text.find("//"));
    std::string_view found;
    const auto is_other = [&](std::string_view word) {
        const bool is_first = found.empty() || found == word;
        found = word;
        return !is_first;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (at > 0 && is_of_word(text[at - 1])) continue;
        const std::string_view word = word_at(text.substr(at)), rest = trimmed(text.substr(at + word.size()));
        const std::string_view freeing = word == "free" && rest.starts_with('(') ? "free"
                                         : word != "delete"                      ? ""
                                         : rest.starts_with('[')                 ? "delete[]"
                                                                                 : "delete";
        if (!freeing.empty() && is_other(freeing)) return "";
    }
    return found;
}

NamedMemory named_at(std::string_view source, int line, std::size_t which) {
    const std::string_view whole = line_of_source(source, line);
    const auto statements = allocating_statements(whole.substr(0, whole.find("//")));
    const bool is_one_of_several = statements.size() > 1;
    const std::string_view text = trimmed(is_one_of_several ? statements[which % statements.size()] : whole);
    std::string_view name = first_argument(text);
    if (name.empty()) name = assigned(text);
    if (name.empty()) return {};
    const auto column = static_cast<int>(text.data() - whole.data() + static_cast<std::ptrdiff_t>(allocation_in(text)));
    return {std::string(name), element_bytes_of(source, name), is_one_of_several ? column + 1 : 0,
            std::string(freed_by(text))};
}

bool ignores_result(std::string_view source, int line, std::string_view call) {
    return text_of_line(source, line).starts_with(call);
}

}  // namespace warpgrade::host
