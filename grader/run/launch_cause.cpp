#include "run/launch_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <regex>

#include "base/text.hpp"
#include "course/source_text.hpp"
#include "run/access_place.hpp"
#include "run/index_text.hpp"
#include "run/wording_place.hpp"

namespace warpgrade {

namespace {

bool has_threads_enough(const LaunchInfo& launch, std::uint64_t elements) {
    return launch.grid.count() * launch.block.count() >= elements;
}

// Along x and along y, where the output has two extents.
bool covers(const LaunchInfo& launch, const BufferLayout& out) {
    if (out.extents.size() != 2) return true;
    const std::uint64_t wide = std::uint64_t{launch.grid.x} * launch.block.x,
                        high = std::uint64_t{launch.grid.y} * launch.grid.z * std::max(launch.block.y, launch.block.x);
    const auto rows = static_cast<std::uint64_t>(out.extents[0]), cols = static_cast<std::uint64_t>(out.extents[1]);
    return (wide >= cols && high >= rows) || (wide >= rows && high >= cols);
}

// array[index] = value; or += and the like, of an array that blocks do not have for themselves.
bool stores_to_element(const std::string& code) {
    const auto shared = shared_names(code);
    for (std::size_t at = code.find(']'); at != std::string::npos; at = code.find(']', at + 1)) {
        std::size_t next = code.find_first_not_of(" \t\r\n", at + 1);
        if (next != std::string::npos && std::string_view("-+*").find(code[next]) != std::string_view::npos) ++next;
        if (next >= code.size() || code[next] != '=' || code.compare(next, 2, "==") == 0) continue;
        // The name in front of all its brackets.
        std::size_t begin = at;
        int depth = 1;
        while (begin > 0 && (depth > 0 || code[begin - 1] == ']')) {
            --begin;
            depth += (code[begin] == ']') - (code[begin] == '[');
        }
        std::size_t first = begin;
        while (first > 0 && is_word(code[first - 1])) --first;
        if (!shared.contains(code.substr(first, begin - first))) return true;
    }
    return false;
}

bool uses(const std::string& code, std::string_view name) { return code.find(name) != std::string::npos; }

// `dim3 block(TILE, 1)` of a launch whose second argument is `block`; line 0: it is written otherwise.
struct DeclaredBlock {
    int line = 0;
    std::string text;
};
DeclaredBlock declared_block(const std::string& code, int launch) {
    const std::string name = launch_argument(code, launch, 1);
    if (!is_identifier(name)) return {};
    const std::regex declared(R"re(\bdim3\s+)re" + name + R"re(\s*[({][^;\n]*[)}]\s*;)re");
    std::sregex_iterator at(code.begin(), code.end(), declared);
    if (at == std::sregex_iterator() || std::next(at) != std::sregex_iterator()) return {};
    const std::string text = at->str();
    return {line_at(code, static_cast<std::size_t>(at->position())), text.substr(0, text.find_last_of(")}") + 1)};
}

std::string advice_on_first_block(std::uint64_t blocks) {
    return fmt::format("{} blocks were launched and all did the work of the first: blockIdx is missing in the index",
                       blocks);
}

constexpr std::uint64_t fewest_for_distance = 8;  // blocks: with fewer a length is a multiple by chance

// An array that is one line: the kernel counts its elements through, and so does the part that was written.
void look_at_line(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out) {
    const std::string& name = out.name;
    const auto elements = static_cast<std::uint64_t>(out.elements());
    // One block for each row, or for each column.
    const bool is_line_a_block =
        out.extents.size() == 2 && launch.grid.x > 1 && elements % launch.grid.x == 0 &&
        (std::cmp_equal(out.extents[0], launch.grid.x) || std::cmp_equal(out.extents[1], launch.grid.x));
    const std::uint64_t written = *judgement.written_prefix, block = launch.block.x, blocks = launch.grid.x;
    judgement.pattern = "line_cut_short";
    judgement.is_recognised = true;
    judgement.title = fmt::format("only a first part of `{}` is written", name);
    if (written == block && blocks > 1 && blocks != block) {
        judgement.pattern = "only_first_block";
        judgement.title = fmt::format("of `{}` only as many elements are written as a block has threads", name);
        judgement.help = advice_on_first_block(blocks);
    } else if (written == blocks && block > 1 && blocks != block) {
        judgement.pattern = "only_first_thread";
        judgement.title = fmt::format("of `{}` only as many elements are written as there are blocks", name);
        judgement.help = fmt::format(
            "the {} threads of a block all took the same element: threadIdx is missing in the index", block);
    } else if (written == block * blocks && is_line_a_block) {
        judgement.pattern = "too_few_threads";
        judgement.help = fmt::format(
            "each of the {} blocks moves {} elements, as many as it has threads, of {}: let its threads go on in a "
            "loop, by "
            "blockDim.x, or launch more blocks for each line",
            blocks, block, elements / blocks);
    } else if (written == block * blocks && elements - written >= block) {
        judgement.pattern = "too_few_threads";
        judgement.help = fmt::format(
            "{} x {} threads were launched, one for each of {} elements, and there are {}: what keeps the number of "
            "blocks "
            "down? launch more, or let each thread go on in a loop, by all threads of the grid",
            blocks, block, written, elements);
    } else if (written == block * blocks) {
        judgement.pattern = "too_few_threads";
        judgement.help = fmt::format(
            "{} x {} threads were launched, one for each of {} elements: round the number of "
            "blocks up, so that all have one",
            blocks, block, written);
    } else if (const std::uint64_t behind = blocks >= fewest_for_distance && written > block ? written - block : 0;
               behind != 0 && behind % (blocks - 1) == 0 && behind / (blocks - 1) < block) {
        judgement.values["axis"] = "x";
        judgement.help = fmt::format(
            "{} x {} threads have written {} elements, as if each block began {} further on than the one before: by "
            "what is the number of the block multiplied in the index?",
            blocks, block, written, plural(behind / (blocks - 1), "element"));
    } else {
        judgement.help =
            fmt::format("{} x {} threads were launched: what keeps them from the elements behind that?", blocks, block);
    }
}

std::vector<std::string> last_words(const std::string& list) {
    static const std::regex word(R"re((\w+)\s*(?:,|$))re");
    std::vector<std::string> words;
    for (auto at = std::sregex_iterator(list.begin(), list.end(), word); at != std::sregex_iterator(); ++at)
        words.push_back((*at)[1]);
    return words;
}

// {"in", "in"}, {"height", "rows"}: the arguments of the launch, each with the kernel's parameter; none where they are
// not plain names, or not as many.
std::vector<std::pair<std::string, std::string>> handed_over(const std::string& code, const std::string& kernel) {
    const std::string name = kernel.substr(0, kernel.find('<'));
    if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != std::string::npos)
        return {};  // no expression is to be made of it
    std::smatch call, definition;
    const bool has_both =
        std::regex_search(code, call,
                          std::regex("\\b" + name + R"re(\s*(?:<\w+>)?\s*<<<[^;]*?>>>\s*\(([^;]*)\)\s*;)re")) &&
        std::regex_search(code, definition, std::regex(R"re(__global__[^;{()]*\b)re" + name + R"re(\s*\(([^)]*)\))re"));
    if (!has_both) return {};
    const auto arguments = last_words(call[1]), parameters = last_words(definition[1]);
    if (arguments.size() != parameters.size()) return {};
    std::vector<std::pair<std::string, std::string>> all;
    for (std::size_t i = 0; i < arguments.size(); ++i) all.emplace_back(arguments[i], parameters[i]);
    return all;
}

// kernel<<<...>>>(in, out, rows, cols) of kernel(const float* in, float* out, int rows, int cols).
bool hands_over_by_name(const std::string& code, const std::string& kernel) {
    const auto handed = handed_over(code, kernel);
    return !handed.empty() &&
           std::all_of(handed.begin(), handed.end(), [](const auto& one) { return one.first == one.second; });
}

// A variable of the launcher that is handed to `rows` of the kernel, and is `cols` by the line that sets it; "" where
// none is.
std::string advice_on_renamed(const std::string& code, const std::string& kernel, const BufferLayout& out) {
    const auto handed = handed_over(code, kernel);
    const auto is_extent = [&](const std::string& name) {
        return std::find(out.extent_names.begin(), out.extent_names.end(), name) != out.extent_names.end();
    };
    for (const auto& [argument, parameter] : handed) {
        if (argument == parameter || is_extent(argument) || !is_extent(parameter)) continue;
        const std::regex set("\\b" + argument + R"re(\s*=\s*(\w+)\s*[;,])re");
        std::smatch match;
        if (!std::regex_search(code, match, set) || !is_extent(match[1]) || match[1] == parameter) continue;
        return fmt::format("the launch hands `{}` to the kernel's `{}`, and line {} makes that `{}`", argument,
                           parameter, line_at(code, static_cast<std::size_t>(match.position())), match[1].str());
    }
    return {};
}

// Square blocks, one for each tile along an extent, that begin less than a block's width apart.
void look_at_distance(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out) {
    const auto lines = judgement.values.find("lines"), of_rows = judgement.values.find("of_rows");
    const std::int64_t width = launch.block.x;
    if (lines == judgement.values.end() || out.extents.size() != 2 || launch.block.x != launch.block.y) return;
    const std::int64_t extent = out.extents[of_rows->second == "yes" ? 0 : 1], written = std::stoll(lines->second);
    const std::int64_t blocks = (extent + width - 1) / width;
    const bool is_x = launch.grid.x == blocks, is_y = launch.grid.y == blocks;
    if (is_x == is_y || blocks < 2 || written < width || (written - width) % (blocks - 1) != 0) return;
    const std::int64_t apart = (written - width) / (blocks - 1);
    if (apart >= width) return;
    judgement.is_cause = true;
    judgement.values["axis"] = is_x ? "x" : "y";
    // The others go over the first one's elements, or to places behind the end.
    judgement.help = apart == 0
                         ? fmt::format(
                               "of {} blocks in {} the first alone has its place here: block after block has to begin "
                               "{} further on. What is blockIdx.{} multiplied by?",
                               blocks, judgement.values["axis"], width, judgement.values["axis"])
                         : fmt::format(
                               "each block begins {} further on than the one before, and covers {}: by what is "
                               "blockIdx.{} multiplied in the index?",
                               plural(static_cast<std::uint64_t>(apart), "element"), width, judgement.values["axis"]);
}

// A corner is written by a grid that covers all of the output: its blocks begin less than a block's width apart.
void look_at_corner(Judgement& judgement, const LaunchInfo& launch, const BufferLayout& out, const std::string& code) {
    const auto high = judgement.values.find("high"), wide = judgement.values.find("wide");
    if (high == judgement.values.end() || wide == judgement.values.end() || out.extents.size() != 2 ||
        !uses(code, "blockIdx.x") || !uses(code, "blockIdx.y"))
        return;
    const std::int64_t across = launch.grid.x, down = std::int64_t{launch.grid.y} * launch.grid.z;
    const std::int64_t written[]{std::stoll(high->second), std::stoll(wide->second)};
    // A block moves an element a thread, or a square tile in several steps; its x is along a row, or along a column.
    for (const std::int64_t tall :
         {std::int64_t{launch.block.y}, std::int64_t{std::max(launch.block.x, launch.block.y)}})
        for (const bool is_straight : {true, false}) {
            const std::int64_t tile[]{is_straight ? tall : launch.block.x, is_straight ? launch.block.x : tall};
            const std::int64_t blocks[]{is_straight ? down : across, is_straight ? across : down};
            if (blocks[0] * tile[0] < out.extents[0] || blocks[1] * tile[1] < out.extents[1]) continue;
            judgement.values["of_index"] = "yes";
            judgement.help = fmt::format(
                "{} x {} blocks of {} x {} threads are enough for all of `{}`: does the next block begin as many "
                "elements further on as a block covers?",
                across, down, launch.block.x, launch.block.y, out.name);
            if (blocks[0] < 2 || blocks[1] < 2) continue;
            const std::int64_t rows = written[0] - tile[0], cols = written[1] - tile[1];
            if (rows <= 0 || cols <= 0 || rows % (blocks[0] - 1) != 0 || cols % (blocks[1] - 1) != 0) continue;
            const std::int64_t apart = rows / (blocks[0] - 1);
            if (apart != cols / (blocks[1] - 1) || apart >= std::min(tile[0], tile[1])) continue;
            judgement.is_cause = true;
            judgement.values["axis"] = "x";
            judgement.help = fmt::format(
                "each block begins {} further on than the one before, in both directions, and covers {} rows and {} "
                "columns: by what are blockIdx.x and blockIdx.y multiplied in the index?",
                plural(static_cast<std::uint64_t>(apart), "element"), tile[0], tile[1]);
            return;
        }
}

// What the grid covers, against what there is: of an input of `wide` columns and `high` rows.
std::string advice_on_grid(const LaunchInfo& launch, std::int64_t wide, std::int64_t high, const BufferLayout& out) {
    const std::int64_t tile_x = launch.block.x, tile_y = launch.block.y < launch.block.x ? tile_x : launch.block.y;
    const auto covers = [&](std::int64_t x, std::int64_t y) {
        return (x + tile_x - 1) / tile_x == launch.grid.x &&
               (y + tile_y - 1) / tile_y == static_cast<std::int64_t>(launch.grid.y) * launch.grid.z;
    };
    const bool is_known = out.extent_names.size() == 2;
    const std::string cols = is_known ? out.extent_names[0] : "the columns",
                      rows = is_known ? out.extent_names[1] : "the rows";
    if (covers(wide, high) || covers(high, wide))
        return fmt::format(
            "the grid's x covers {}, its y covers {}, and the kernel takes blockIdx.x for the other one: exchange them "
            "in "
            "one of the two places",
            covers(wide, high) ? cols : rows, covers(wide, high) ? rows : cols);
    const auto covers_twice = [&](std::int64_t n) { return covers(n, n) && high != wide; };
    if (covers_twice(wide) || covers_twice(high))
        return fmt::format("the grid's x and its y both cover {}: one of them has to come from {}",
                           covers_twice(wide) ? cols : rows, covers_twice(wide) ? rows : cols);
    return fmt::format("{} x {} blocks of {} x {} threads: from which extent is each of the two computed?",
                       launch.grid.x, launch.grid.y, launch.block.x, launch.block.y);
}

// As many blocks in x as are needed in y, and the other way round, for blocks that are not square.
bool is_grid_turned(const LaunchInfo& launch, const BufferLayout& out) {
    if (out.extents.size() != 2 || launch.block.x == launch.block.y) return false;
    const auto blocks = [](std::int64_t n, std::int64_t size) { return (n + size - 1) / size; };
    const std::int64_t across = launch.grid.x, down = std::int64_t{launch.grid.y} * launch.grid.z;
    bool is_turned = false;
    for (const auto& [wide, high] : {std::pair{out.extents[0], out.extents[1]}, {out.extents[1], out.extents[0]}}) {
        const std::int64_t x = blocks(wide, launch.block.x), y = blocks(high, launch.block.y);
        if (across == x && down == y) return false;
        is_turned = is_turned || (across == y && down == x);
    }
    return is_turned;
}

bool is_period(const Judgement& judgement, std::int64_t threads) {
    const auto period = judgement.values.find("period");
    return period != judgement.values.end() && period->second == std::to_string(threads);
}

// Two extents that belong to a dim3, handed over one by one: <<<grid, 32, 32>>>.
bool is_height_third(const LaunchInfo& launch, const std::string& code) {
    return launch.shared_bytes != 0 && launch.shared_bytes <= 1024 && launch.shared_bytes % 4 == 0 &&
           !uses(code, "extern");
}

// The first line that multiplies by threadIdx, as in `tile_col * TILE * threadIdx.x` and `tile_col + TILE *
// threadIdx.x`.
int line_that_multiplies_threads(const std::string& code) {
    static const std::regex product(R"re(=[^;=]*\*\s*threadIdx\.[xy]\s*;|=[^;=]*\bthreadIdx\.[xy]\s*\*)re");
    const int last = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    for (int line = 1; line <= last; ++line) {
        const std::string text(line_of(code, line));
        if (text.size() < 300 && std::regex_search(text, product)) return line;
    }
    return 0;
}

// `band * blockDim.x + threadIdx.y`; 0: nowhere, or in several lines.
int line_of_other_axis(const std::string& code) {
    static const std::regex sum(R"re(\*\s*blockDim\.([xy])\s*\)?\s*\+\s*threadIdx\.([xy])\b)re"),
        turned(R"re(threadIdx\.([xy])\s*\+[^;,]*\*\s*blockDim\.([xy])\b)re");
    const int last = 1 + static_cast<int>(std::count(code.begin(), code.end(), '\n'));
    int found = 0;
    for (int line = 1; line <= last; ++line) {
        const std::string text(line_of(code, line));
        std::smatch match;
        if (text.size() > 300 || (!std::regex_search(text, match, sum) && !std::regex_search(text, match, turned)))
            continue;
        if (match[1] == match[2]) continue;
        if (found != 0) return 0;
        found = line;
    }
    return found;
}

// The type of 8 bits that some index has, where as many lines are written as it counts; "" none.
std::string narrow_index_type(const std::string& code, const Judgement& judgement) {
    const auto lines = judgement.values.find("lines");
    if (lines == judgement.values.end()) return {};
    static const std::regex declared(R"re(\b(unsigned\s+char|signed\s+char|char|u?int8_t)\s+\w+\s*=[^;]*Idx)re");
    std::smatch match;
    if (!std::regex_search(code, match, declared)) return {};
    const std::string type = match[1];
    const bool is_unsigned = type.starts_with("u");
    return lines->second == (is_unsigned ? "256" : "128") ? type : "";
}

// The line of the text where a grid of one block is written out; 0: none, or several.
int line_of_one_block(const std::string& code) {
    static const std::regex one(
        R"re(\bdim3\s*\(\s*1\s*,\s*1\s*(?:,\s*1\s*)?\)|\breturn\s*(?:dim3\s*\(\s*)?1\s*\)?\s*;)re");
    const auto first = std::sregex_iterator(code.begin(), code.end(), one);
    if (first == std::sregex_iterator() || std::next(first) != std::sregex_iterator()) return 0;
    return 1 + static_cast<int>(std::count(code.begin(), code.begin() + first->position(), '\n'));
}

}  // namespace

int line_of_gap(const std::string& source) {
    const std::size_t at = source.find("// remove this line");
    if (at == std::string::npos || stores_to_element(without_comments(source))) return 0;
    return 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

void look_at_launch(Judgement& judgement, const std::vector<LaunchInfo>& launches, const std::string& source,
                    const BufferLayout& out) {
    const bool nothing = judgement.pattern == "nothing_written";
    if (const int gap = nothing ? line_of_gap(source) : 0; gap != 0) {
        judgement.help =
            fmt::format("line {} is still the place-holder of the stub: write there what its TODO asks for", gap);
        return;
    }
    if (nothing && launches.empty()) {
        judgement.help = "no kernel was launched for this shape: is there a <<< >>> that is reached?";
        return;
    }
    if (launches.size() != 1) return;
    const std::string code = without_comments(source);
    const LaunchInfo& launch = launches.front();
    const vgpu::Dim3 &grid = launch.grid, &block = launch.block;
    const auto elements = static_cast<std::uint64_t>(out.elements());
    const bool skips = judgement.pattern == "rows_skipped" || judgement.pattern == "part_of_each_tile";
    const bool leaves_edge =
        judgement.pattern == "last_partial_tile_missing" || judgement.pattern == "last_line_or_tile_missing";
    static const std::regex loop(R"re(\b(?:for|while)\s*\()re");
    // What the output shows by itself is not guessed from the launch.
    const bool is_known = judgement.pattern == "guard_rows_cols_swapped" || judgement.pattern == "square_corner" ||
                          judgement.pattern == "only_first_element";
    if (judgement.pattern == "extents_exchanged" && hands_over_by_name(code, launch.kernel)) {
        judgement.pattern = "indices_exchanged";
        judgement.help = fmt::format(
            "the launch hands each argument to the parameter of its name, so the indices are to blame: a row of `{}` "
            "has "
            "{} elements",
            out.name, out.extent_names.size() == 2 ? "`" + out.extent_names[1] + "`" : std::to_string(out.extents[1]));
    } else if (std::string renamed =
                   judgement.pattern == "extents_exchanged" ? advice_on_renamed(code, launch.kernel, out) : "";
               !renamed.empty()) {
        judgement.help = std::move(renamed);
    } else if (judgement.pattern == "grid_rows_cols_swapped" && out.extents.size() == 2) {
        judgement.help = advice_on_grid(launch, out.extents[0], out.extents[1], out);
        if (judgement.help.find("both cover") != std::string::npos)
            judgement.title =
                fmt::format("the grid is computed from one extent alone: part of `{}` has no block", out.name);
    } else if (launch.is_flat() && !nothing && !is_known && judgement.written_prefix && !uses(code, "threadIdx.y") &&
               !uses(code, "blockIdx.y")) {
        look_at_line(judgement, launch, out);
    } else if (skips && block.y == 1 && block.z == 1 && uses(code, "threadIdx.y")) {
        judgement.pattern = "block_of_one_row";
        const std::string square =
            block.x > 32 && block.x % 32 == 0 ? fmt::format("dim3(32, {})", block.x / 32) : "dim3(TILE, TILE)";
        const DeclaredBlock declared = declared_block(code, launch.line);
        judgement.help =
            declared.line == 0
                ? fmt::format(
                      "the block is {} x 1 threads, so threadIdx.y is 0 in all of them: is it a dim3 with two "
                      "extents, {}?",
                      block.x, square)
                : fmt::format(
                      "the block is {} x 1 threads, as line {} makes it, `{}`, so threadIdx.y is 0 in all of "
                      "them: is a block of two extents meant, {}?",
                      block.x, declared.line, declared.text, square);
        if (is_height_third(launch, code))
            judgement.help = fmt::format(
                "the block is {} x 1 threads, so threadIdx.y is 0 in all of them. The third launch argument, {}, is "
                "bytes of shared memory: both extents of a block go into one dim3",
                block.x, launch.shared_bytes);
    } else if (judgement.pattern == "one_line_of_blocks" && is_grid_turned(launch, out)) {
        judgement.pattern = "grid_turned";
        judgement.is_cause = true;
        judgement.title =
            fmt::format("the grid has its two extents the wrong way round: part of `{}` has no block", out.name);
        judgement.help = fmt::format(
            "{} x {} blocks of {} x {} threads: the first extent of a grid is how many blocks lie side by side, the "
            "second how many below each other",
            grid.x, grid.y * grid.z, block.x, block.y);
    } else if (const int other = line_of_other_axis(code);
               (skips || judgement.pattern == "one_line_of_blocks") && block.x != block.y && other != 0) {
        judgement.values["of_threads"] = std::to_string(other);
        judgement.help = fmt::format(
            "line {} adds the place in one direction to a multiple of the threads in the other: a block has {} threads "
            "in "
            "x, blockDim.x, and {} in y, blockDim.y",
            other, block.x, block.y);
    } else if (judgement.pattern == "part_of_each_tile" && block.x < block.y) {
        judgement.help = fmt::format(
            "the block is {} wide and {} high: is that meant? dim3(x, y) takes the width first", block.x, block.y);
    } else if (judgement.pattern == "part_of_each_tile" && block.y > 1 && block.x > block.y &&
               !has_threads_enough(launch, elements) && !std::regex_search(code, loop) &&
               judgement.values.contains("period") && judgement.values["written"] == std::to_string(block.y)) {
        // Nothing goes on to a second element.
        const DeclaredBlock declared = declared_block(code, launch.line);
        judgement.help = fmt::format(
            "the block has {} threads in y{}, each moves one element, and the next block begins {} further on: make "
            "the block as high as that, or let each thread move several elements",
            block.y, declared.line == 0 ? "" : fmt::format(", by line {}, `{}`", declared.line, declared.text),
            judgement.values.at("period"));
    } else if (skips && block.x != block.y && has_threads_enough(launch, elements)) {
        if (block.count() % 32 == 0) judgement.values["of_place"] = "yes";  // as one means it, and not exchanged
        judgement.help = fmt::format(
            "{} threads for {} elements are enough, but not each has an element of its own: the block is {} x {}, so "
            "threadIdx.x stays below {} and threadIdx.y below {}; does each go with its own extent?",
            grid.count() * block.count(), elements, block.x, block.y, block.x, block.y);
    } else if (leaves_edge && !(has_threads_enough(launch, elements) && covers(launch, out)) &&
               floor_divisions(source).empty() && out.extents.size() == 2) {
        const std::uint64_t high = block.y < block.x ? block.x : block.y;
        judgement.help = fmt::format(
            "the launch has {} x {} blocks, for {} x {} elements if each takes {} x {}, and the matrix has {} x {}: by "
            "what "
            "does the launcher divide to count them?",
            grid.x, std::uint64_t{grid.y} * grid.z, grid.x * block.x, std::uint64_t{grid.y} * grid.z * high, block.x,
            high, out.extents[1], out.extents[0]);
        const auto needed = [&](std::int64_t extent, std::uint64_t tile) {
            return (static_cast<std::uint64_t>(extent) + tile - 1) / tile;
        };
        const std::uint64_t down = std::uint64_t{grid.y} * grid.z;
        if (block.x == high && grid.x == needed(out.extents[1], high) && down == needed(out.extents[0], high))
            judgement.help = fmt::format(
                "the launch has {} x {} blocks, and {} x {} would cover the matrix: are the two extents of the grid "
                "exchanged?",
                grid.x, down, down, grid.x);
    } else if (leaves_edge && has_threads_enough(launch, elements) && covers(launch, out)) {
        judgement.is_recognised = false;  // other shapes tell which of the two it is
        judgement.help = fmt::format(
            "{} x {} blocks are enough for {} elements: which extent does blockIdx.x cover, and which blockIdx.y, and "
            "is each compared with its own in the bounds test?",
            grid.x, grid.y * grid.z, elements);
    } else if (nothing) {
        judgement.help =
            uses(code, "for (")
                ? "the kernel runs and no thread stores: is the store there, whom does a test before it let through, "
                  "and how often does a loop around it turn?"
            : uses(code, "if (")
                ? "the kernel runs and no thread stores: is the store there, and whom does the test before "
                  "it let through?"
                : "the kernel runs and no thread stores: is the store there?";
    } else if (const int line = line_that_multiplies_threads(code);
               skips && block.x == block.y && line != 0 && is_period(judgement, block.x)) {
        judgement.values["of_threads"] = std::to_string(line);
        judgement.help = fmt::format(
            "line {} multiplies by threadIdx: threads side by side have elements side by side, so it is added, and the "
            "number of the tile is what goes times {}",
            line, block.x);
    } else if (judgement.pattern == "part_of_each_tile" && block.x == block.y) {
        judgement.help = fmt::format(
            "the block has {} x {} threads, and the next one begins a tile further on: make them one "
            "size, or let each thread move several elements",
            block.x, block.y);
    } else if (judgement.pattern == "rows_skipped" && block.x == block.y) {
        const bool has_x = uses(code, "threadIdx.x"), has_y = uses(code, "threadIdx.y");
        if (has_x != has_y) judgement.values["lacks"] = "threadIdx";
        judgement.help =
            has_x == has_y
                ? fmt::format(
                      "the block has {} x {} threads: do both threadIdx.x and threadIdx.y enter the index, by "
                      "+, each once?",
                      block.x, block.y)
                : fmt::format(
                      "the block has {} x {} threads, and threadIdx.{} is nowhere in this file: which of row "
                      "and column is it to be added to?",
                      block.x, block.y, has_x ? "y" : "x");
    } else if (const std::string type = narrow_index_type(code, judgement);
               judgement.pattern == "one_line_of_blocks" && !type.empty()) {
        judgement.help = fmt::format("a variable of type {} ends at {}: which type do row and column have?", type,
                                     std::stoll(judgement.values["lines"]) - 1);
        judgement.is_cause = true;
        judgement.values["narrow_type"] = type;
    } else if (judgement.pattern == "one_line_of_blocks" && grid.z > 1 && !uses(code, "blockIdx.z")) {
        judgement.help = fmt::format(
            "the grid has {} layers in z, and the kernel does not look at blockIdx.z: add "
            "blockIdx.z * gridDim.y to blockIdx.y",
            grid.z);
    } else if (judgement.pattern == "one_line_of_blocks" && grid.z > 1 && !uses(code, "short ")) {
        judgement.values["layers"] = "z";
        judgement.help = fmt::format(
            "the grid has {} layers in z, each of gridDim.y blocks in y: the number of a block in its column is "
            "blockIdx.z * gridDim.y + blockIdx.y",
            grid.z);
    } else if (judgement.pattern == "one_line_of_blocks" && grid.z > 1) {
        judgement.help = "an unsigned short ends at 65535, a short at 32767: which type do row and column have?";
        judgement.is_cause = true;
        judgement.values["narrow_type"] = "short";
    } else if (judgement.pattern == "one_line_of_blocks" && grid.x > 1 && grid.y > 1 && uses(code, "blockIdx.x") &&
               uses(code, "blockIdx.y")) {
        judgement.help = fmt::format(
            "the grid has {} x {} blocks of {} x {} threads, and the kernel reads blockIdx.x and blockIdx.y: does the "
            "next block begin as many elements further on as a block covers?",
            grid.x, grid.y, block.x, block.y);
        look_at_distance(judgement, launch, out);
    } else if (judgement.pattern == "only_a_corner") {
        look_at_corner(judgement, launch, out, code);
    } else if (judgement.pattern == "only_first_block" && grid.count() > 1) {
        judgement.help = advice_on_first_block(grid.count());
    } else if (const int one = line_of_one_block(code); judgement.pattern == "only_first_block" && one != 0) {
        judgement.help =
            fmt::format("the launch has one block, as line {} says: how many cover the whole matrix?", one);
    } else if (judgement.pattern == "only_first_block") {
        judgement.help = "the launch has one block: round the number of blocks up, so that all elements have one";
    }
}

bool hangs_on_grid(const Judgement& judgement, const LaunchInfo& launch, std::uint64_t elements) {
    static constexpr std::array of_kernel{"last_line_missing",  "guard_rows_cols_swapped", "square_corner",
                                          "only_first_element", "only_first_thread",       "line_cut_short",
                                          "some_not_written",   "start_missing",           "indices_swapped",
                                          "diagonals_only",     "diagonal_tiles_only"};
    const std::string& pattern = judgement.pattern;
    if (pattern == "only_first_block") return launch.grid.count() == 1;
    if (judgement.values.contains("of_threads") || judgement.values.contains("of_index")) return false;
    if (pattern == "rows_skipped") return launch.block.y == 1;
    if (pattern == "part_of_each_tile" && launch.block.x < launch.block.y) return true;
    if (pattern == "part_of_each_tile" && launch.block.y != 1 && launch.block.x != launch.block.y)
        return !has_threads_enough(launch, elements);
    return std::find(of_kernel.begin(), of_kernel.end(), pattern) == of_kernel.end();
}

}  // namespace warpgrade
