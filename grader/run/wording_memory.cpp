// Words for accesses to memory: outside, misaligned, not written before, into the input.
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "course/source_text.hpp"
#include "run/guard_text.hpp"
#include "run/source_numbers.hpp"
#include "run/stored_text.hpp"
#include "run/wording.hpp"
#include "run/wording_place.hpp"

namespace warpgrade {

namespace {

using vgpu::AccessKind;
using vgpu::FindingKind;

const char* verb(AccessKind access) {
    switch (access) {
        case AccessKind::write: return "write";
        case AccessKind::atomic: return "atomic operation";
        default: return "read";
    }
}

// "row 33, column 0 of its 33 rows of 65": a learner's index of two extents.
std::string row_and_column(const BufferLayout& layout, std::int64_t index) {
    const std::int64_t cols = layout.extents[1];
    if (cols == 0) return {};
    const std::int64_t row = index >= 0 ? index / cols : -((-index + cols - 1) / cols);
    return fmt::format("as a matrix of {} x {}: row {}, column {}", layout.extents[0], cols, row, index - row * cols);
}

std::string how_far(std::int64_t index, std::int64_t count) {
    if (index < 0) return plural(static_cast<std::uint64_t>(-index), "element") + " before the start";
    if (index == count) return "one past the end";
    return plural(static_cast<std::uint64_t>(index - count + 1), "element") + " past the end";
}

// Where a thread stands in a matrix of rows x cols, if every thread of the launch has one element: inside, outside, or
// not known. Threads may walk along the rows of the input, or along those of a transposed output.
enum class Standing { unknown, inside, outside };
Standing standing_of(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    if (!launch || scene.run.layout.empty() || scene.run.layout.front().extents.size() != 2) return Standing::unknown;
    const auto blocks = [](std::int64_t n, std::uint32_t size) { return size == 0 ? 0 : (n + size - 1) / size; };
    const vgpu::ThreadPlace& place = scene.finding.place;
    const std::int64_t x = std::int64_t{place.block.x} * launch->block.x + place.thread.x;
    const std::int64_t y = std::int64_t{place.block.y} * launch->block.y + place.thread.y;
    const std::int64_t rows = scene.run.layout.front().extents[0], cols = scene.run.layout.front().extents[1];
    bool fits = false, is_inside = true, is_outside = true;
    for (const auto& [wide, high] : {std::pair{cols, rows}, std::pair{rows, cols}}) {
        if (launch->grid.x != blocks(wide, launch->block.x) || launch->grid.y != blocks(high, launch->block.y))
            continue;
        fits = true;
        is_inside = is_inside && x < wide && y < high;
        is_outside = is_outside && (x >= wide || y >= high);
    }
    if (!fits || is_inside == is_outside) return Standing::unknown;
    return is_inside ? Standing::inside : Standing::outside;
}

// Square tiles, as wide as the block, one a block: is the whole of this block's tile inside, wherever it goes in a
// matrix that is turned?
bool is_whole_tile_inside(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    if (!launch || launch->grid.z != 1 || scene.run.layout.front().extents.size() != 2) return false;
    const std::int64_t rows = scene.run.layout.front().extents[0], cols = scene.run.layout.front().extents[1];
    const std::int64_t tile = launch->block.x;
    const auto tiles = [&](std::int64_t n) { return (n + tile - 1) / tile; };
    const bool covers = (launch->grid.x == tiles(cols) && launch->grid.y == tiles(rows)) ||
                        (launch->grid.x == tiles(rows) && launch->grid.y == tiles(cols));
    const std::int64_t last = std::max(scene.finding.place.block.x, scene.finding.place.block.y);
    return covers && launch->block.y <= launch->block.x && (last + 1) * tile <= std::min(rows, cols);
}

// "65 (cols)": which of the launcher's extents it is, where only one is as long.
std::string named_extent(const Scene& scene, std::int64_t extent) {
    const BufferLayout& in = scene.run.layout.front();
    if (in.extents.size() != 2 || in.extents[0] == in.extents[1] || in.extent_names.size() != 2)
        return std::to_string(extent);
    for (const int i : {0, 1})
        if (extent == in.extents[i]) return fmt::format("{} ({})", extent, in.extent_names[i]);
    return std::to_string(extent);
}

const BufferLayout* scratch_of(const Scene& scene) {
    for (const BufferLayout& layout : scene.run.layout)
        if (layout.role == BufferRole::scratch) return &layout;
    return nullptr;
}

// Bytes counted where elements are.
bool has_sizeof(const Scene& scene) {
    const auto subscripts = subscripts_of(line_of(scene.source, scene.finding.place.line), scene.finding.buffer);
    return std::any_of(subscripts.begin(), subscripts.end(),
                       [](std::string_view subscript) { return column_of(subscript, "sizeof") != 0; });
}

// Where the launch has other blocks than the constant says that the kernel is written for; "" where it has not.
std::string advice_on_block(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const auto numbers = named_numbers(scene.source);
    const auto threads = numbers.find("THREADS");
    if (!launch || scene.run.variant.starts_with("THREADS=") || threads == numbers.end()) return "";
    const auto size = static_cast<std::int64_t>(launch->block.count());
    if (threads->second.value == size) return "";
    if (threads->second.value == static_cast<std::int64_t>(launch->grid.count()))
        return fmt::format(
            "line {} launches {} blocks of {} threads, and THREADS is {}: blocks come first, <<<blocks, THREADS>>>",
            launch->line, launch->grid.count(), size, threads->second.value);
    return fmt::format("the block has {} threads, {}, and THREADS (line {}) is {}: are they meant to be one size?",
                       size, extents_text(launch->block), threads->second.line, threads->second.value);
}

std::string guard_for(const Scene& scene, const BufferLayout* layout, std::int64_t index) {
    const auto look_at_test = [&](bool is_below_zero) {
        return advice_on_guard(scene.source, scene.finding.place.line, scene.finding.buffer, is_below_zero);
    };
    if (has_sizeof(scene)) return "an index counts elements, not bytes: leave sizeof out of it";
    if (index == -32768 && without_comments(scene.source).find("short ") != std::string::npos)
        return "-32768 is what follows 32767 in a short: let row and column be int";
    if (index < 0) {
        if (std::string advice = look_at_test(true); !advice.empty() && index > -65536) return advice;
        return "an index went below zero: look for a subtraction, an int that overflowed, or a value in a signed char";
    }
    if (index > 2147483647) return "the index is far outside: look for a negative number turned into an unsigned one";
    if (!layout) return "compare the index with the size that was asked for";
    const bool is_write = scene.finding.access == AccessKind::write;
    if (layout->role == BufferRole::out && layout->elements() == 1) {
        if (std::string advice = advice_on_block(scene); !advice.empty()) return advice;
        const LaunchInfo* last =
            scene.launches != nullptr && scene.launches->size() > 1 ? &scene.launches->back() : nullptr;
        if (last != nullptr && is_write && last->kernel == scene.finding.kernel && last->grid.count() > 1)
            return fmt::format(
                "`{}` holds one element, the result, and the launch in line {} has {} blocks: one that adds up the "
                "last sums has one block",
                layout->name, last->line, last->grid.count());
    }
    if (layout->role == BufferRole::out && layout->elements() == 1)
        if (const BufferLayout* scratch = scratch_of(scene))
            return fmt::format("`{}` holds one element, the result: partial results go to `{}`", layout->name,
                               scratch->name);
    if (layout->role == BufferRole::scratch)
        return fmt::format("`{}` holds {} elements: use one for each block, no more", layout->name, layout->elements());
    const std::string advice = look_at_test(false);
    if (layout->extents.size() != 2 && !advice.empty()) return advice;
    if (layout->extents.size() == 1 && scene.finding.kernel.empty())
        return fmt::format("bytes are counted here, and `{}` has {}, {} elements of {}", layout->name,
                           layout->elements() * scene.element_bytes(), layout->elements(), scene.element_bytes());
    if (layout->extents.size() == 1 && layout->role == BufferRole::out &&
        layout->elements() != scene.run.layout.front().elements())
        return fmt::format("`{}` has the elements 0 to {}: which values can this index have, of those it is made of?",
                           layout->name, layout->elements() - 1);
    if (layout->extents.size() != 2)
        return fmt::format("guard the {} with the very index that it uses: it has to be below {}",
                           is_write ? "store" : "load", layout->elements());
    // A kernel that counts the elements through knows no row and no column.
    const LaunchInfo* launch = scene.launch();
    const bool is_line = launch && launch->is_flat() && scene.source.find("threadIdx.y") == std::string::npos;
    if (is_line && !advice.empty()) return advice;
    if (is_line)
        return fmt::format("guard the {} with the very index that it uses: it has to be below {}",
                           is_write ? "store" : "load", layout->elements());
    // A thread that stores what came through shared memory has another place there than its own.
    const bool is_turned = is_write && scene.source.find("__shared__") != std::string::npos;
    if ((!is_turned && standing_of(scene) == Standing::inside) || is_whole_tile_inside(scene))
        return fmt::format(
            "this thread's own row and column are inside, so no guard is missing: the index is wrong. A "
            "row of `{}` has {} elements",
            layout->name, named_extent(scene, layout->extents[1]));
    if (!advice.empty()) return advice;
    const auto guards = guards_before(scene.source, scene.finding.place.line, scene.finding.buffer);
    const std::string extents =
        fmt::format("the row of `{}` {}below {}, the column below {}", layout->name, guards.empty() ? "has to be " : "",
                    named_extent(scene, layout->extents[0]), named_extent(scene, layout->extents[1]));
    if (!guards.empty())
        return fmt::format("the test in line {} lets this thread through: it has to keep {}", guards.front().line,
                           extents);
    return fmt::format("guard the {}: {}", is_write ? "store" : "load", extents);
}

Diagnostic out_of_bounds(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    if (finding.buffer.empty()) {
        const bool is_null = finding.address + 4096 < 8192;  // a little before it, or a little behind
        diagnostic.title = fmt::format("{} {}", verb(finding.access),
                                       is_null ? "through a null pointer" : "at an address that is in no buffer");
        diagnostic.marks.push_back(mark_at(scene, finding.place, "", fmt::format("address 0x{:x}", finding.address)));
        diagnostic.help =
            is_null ? "which pointer is never set?" : "print the index, or work it out by hand for this thread";
        return diagnostic;
    }
    const std::int64_t index = element_index(scene);
    const BufferLayout* layout = scene.layout();
    const std::int64_t count =
        layout ? layout->elements() : static_cast<std::int64_t>(finding.buffer_bytes) / scene.element_bytes();
    if (finding.is_freed && scene.source.find("cudaFree") == std::string::npos) {
        diagnostic.title = fmt::format("{} outside of every buffer", verb(finding.access));
        diagnostic.marks.push_back(mark_at(scene, finding.place, "", fmt::format("address 0x{:x}", finding.address)));
        diagnostic.facts.push_back(fmt::format("`{}` of an earlier call was there", finding.buffer));
        diagnostic.help = "which values can the index have here? it is far outside";
        return diagnostic;
    }
    if (finding.is_freed) {
        diagnostic.title = fmt::format("{} of `{}` after it was freed", verb(finding.access), finding.buffer);
        diagnostic.marks.push_back(mark_at(scene, finding.place, finding.buffer, element_text(scene)));
        diagnostic.help = "free memory only after the last kernel that uses it";
        return diagnostic;
    }
    diagnostic.title = fmt::format("{} {} of `{}`", verb(finding.access),
                                   index < 0 ? "before the start" : "past the end", finding.buffer);
    const std::string size = layout ? extents_text(*layout) : std::to_string(count);
    if (index < count && index >= 0) {
        // The access begins inside and reaches out.
        diagnostic.marks.push_back(
            mark_at(scene, finding.place, finding.buffer,
                    fmt::format("{} bytes from {} on, but {} ends after {} elements", finding.width_bytes,
                                element_text(scene), finding.buffer, size)));
        diagnostic.help = "a vector access needs all of its elements inside: handle the rest one by one";
    } else {
        diagnostic.marks.push_back(mark_at(scene, finding.place, finding.buffer,
                                           fmt::format("{}, but {} has {} element{}", element_text(scene),
                                                       finding.buffer, size, count == 1 ? "" : "s")));
        diagnostic.facts.push_back(how_far(index, count));
        diagnostic.help = guard_for(scene, layout, index);
    }
    if (layout && layout->extents.size() == 2) {
        const std::string place = row_and_column(*layout, index);
        if (!place.empty()) diagnostic.facts.push_back(place);
    }
    return diagnostic;
}

// `tile[threadIdx.y + j]` in a loop over j that does not go on by as many as the block has threads there.
std::string advice_on_step(const Scene& scene, const std::string& name) {
    const LaunchInfo* launch = scene.launch();
    const LoopText loop = loop_around(scene.source, scene.finding.place.line);
    static const std::regex step(R"re((?:;\s*(?:\+\+\s*(\w+)|(\w+)\s*\+\+|(\w+)\s*\+=\s*(\w+))\s*$))re");
    std::smatch match;
    if (launch == nullptr || loop.line == 0 || !std::regex_search(loop.head, match, step)) return {};
    const std::string variable = match[1].str() + match[2].str() + match[3].str(), by = match[4];
    const auto numbers = named_numbers(scene.source);
    const auto named = numbers.find(by);
    std::int64_t value = 1;
    if (named != numbers.end())
        value = named->second.value;
    else if (!by.empty() && by.find_first_not_of("0123456789") == by.npos && by.size() < 6)
        value = std::stoll(by);
    else if (!by.empty())
        return {};
    if (named != numbers.end() && !scene.run.variant.empty()) return {};  // it may have another value there
    const std::regex sum(R"re(threadIdx\.([xy])\s*\+\s*)re" + variable + R"re(\b)re");
    const std::string line(line_of(scene.source, scene.finding.place.line));
    std::smatch added;
    if (column_of(line, name) == 0 || !std::regex_search(line, added, sum)) return {};
    const std::int64_t threads = added[1] == "x" ? launch->block.x : launch->block.y;
    if (threads == value) return {};
    return fmt::format(
        "threadIdx.{} goes up to {}, and the loop in line {} goes on by {}{}: are these meant to be one number?",
        added[1].str(), threads - 1, loop.line, by.empty() ? "1" : by,
        named != numbers.end() ? fmt::format(" = {}", value) : "");
}

// The test or the loop that lets the index grow, as far as its text shows: the nearest of the line and those above it.
std::string index_advice(const Scene& scene, const std::string& name) {
    const int line = scene.finding.place.line;
    if (std::string advice = advice_on_remainder(scene.source, line); !advice.empty()) return advice;
    if (std::string advice = advice_on_step(scene, name); !advice.empty()) return advice;
    for (int above = line; above > 0 && above > line - 4; --above) {
        const std::string_view text = line_of(scene.source, above);
        const std::string where = above == line ? "on this line" : fmt::format("in line {}", above);
        if (text.find("for") != text.npos && text.find("<=") != text.npos)
            return fmt::format("the loop {} takes its bound in as well: write < in place of <=", where);
        static const std::regex test(R"((\w+)\s*<\s*n\b)");
        const std::string tested(text);
        std::smatch match;
        bool is_length = scene.run.layout.front().extents.size() == 1 && std::regex_search(tested, match, test);
        if (is_length) {
            const auto subscripts = subscripts_of(line_of(scene.source, line), name);
            is_length = std::any_of(subscripts.begin(), subscripts.end(), [&](std::string_view subscript) {
                return column_of(subscript, match[1].str()) != 0;
            });
        }
        if (is_length)
            return fmt::format("the test {} compares with `n`, the length of the input: `{}` is shorter", where, name);
    }
    const vgpu::Dim3 block = scene.finding.place.block;
    if (block.x + block.y + block.z > 0)
        return fmt::format(
            "in block (0,0,0) no thread goes wrong here, so the index grows with blockIdx: each block has a "
            "`{}` of its own, counted from 0 by threadIdx",
            name);
    if (std::string advice = advice_on_block(scene); !advice.empty()) return advice;
    const LaunchInfo* launch = scene.launch();
    const std::uint64_t elements =
        scene.finding.buffer_bytes / static_cast<std::uint64_t>(std::max(1, scene.finding.width_bytes));
    const bool is_line = shared_extents(scene.source, name).size() < 2;
    if (launch && is_line && launch->block.count() == elements && scene.finding.offset_bytes >= 0)
        return fmt::format(
            "`{}` has one element for each of the {} threads: which of them are to go there, and is the partner of "
            "each "
            "inside?",
            name, elements);
    if (launch && scene.finding.buffer_bytes != 0 && launch->block.count() > elements)
        return fmt::format(
            "`{}` has {} elements, and the block {} threads: is it to have one for each of them, or is a test to keep "
            "the others out?",
            name, elements, launch->block.count());
    return fmt::format("which values can the index have here? compare them with the extents of `{}`", name);
}

bool is_dynamic(const vgpu::Finding& finding) { return finding.buffer.empty() || finding.buffer == "shared memory"; }

// "tile[32][0], and the array is tile[32][33]", where its declaration tells the extents.
std::string element_of_array(const Scene& scene, const std::string& name, std::int64_t index, std::int64_t count) {
    const auto extents = shared_extents(scene.source, name);
    const std::string flat = fmt::format("counted flat, from 0: element {} of {}", index, count);
    if (extents.size() != 2 || extents[0] * extents[1] != count) return flat;
    return fmt::format("{0}[{1}][{2}] in effect, of {0}[{3}][{4}]; {5}", name, index / extents[1], index % extents[1],
                       extents[0], extents[1], flat);
}

Diagnostic out_of_bounds_shared(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    const std::string name = shared_name(scene);
    diagnostic.title = fmt::format("{} outside of shared memory", verb(finding.access));
    diagnostic.marks.push_back(
        mark_at(scene, finding.place, name, fmt::format("byte {} of `{}`", finding.offset_bytes, name)));
    if (finding.buffer_bytes != 0)
        diagnostic.facts.push_back(fmt::format("`{}` has {} bytes", name, finding.buffer_bytes));
    if (finding.offset_bytes < 0) {
        diagnostic.facts.push_back(fmt::format("{} bytes before the start", -finding.offset_bytes));
        diagnostic.help = "an index went below zero: guard it, or let this thread take another element";
        return diagnostic;
    }
    if (scene.launches != nullptr && has_no_dynamic_bytes(finding, *scene.launches)) {
        diagnostic.facts.push_back("the launch asks for 0 bytes of dynamic shared memory");
        diagnostic.help = "say how many bytes in the launch, as third argument: <<<grid, block, bytes>>>";
    } else if (is_dynamic(finding)) {
        diagnostic.help = advice_on_step(scene, name);
        if (diagnostic.help.empty())
            diagnostic.help =
                "compare the largest index with what was asked for: the third launch argument is in bytes, n * "
                "sizeof(float)";
    } else {
        const int bytes = finding.width_bytes > 0 ? finding.width_bytes : 4;
        if (finding.buffer_bytes != 0 && finding.offset_bytes % bytes == 0)
            diagnostic.facts.push_back(element_of_array(scene, name, finding.offset_bytes / bytes,
                                                        static_cast<std::int64_t>(finding.buffer_bytes) / bytes));
        diagnostic.help = index_advice(scene, name);
    }
    return diagnostic;
}

Diagnostic misaligned(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    diagnostic.title = fmt::format("misaligned {} of {} bytes", verb(finding.access), finding.width_bytes);
    diagnostic.marks.push_back(mark_at(scene, finding.place, finding.buffer,
                                       finding.buffer.empty()
                                           ? "in no buffer"
                                           : fmt::format("byte {} of `{}`", finding.offset_bytes, finding.buffer)));
    diagnostic.facts.push_back(
        fmt::format("address 0x{:x} is not a multiple of {}", finding.address, finding.width_bytes));
    diagnostic.help = finding.width_bytes > 4
                          ? fmt::format(
                                "an access of {0} bytes needs an address that is a multiple of {0}: check the "
                                "pointer and the row length, and take single elements where they do not fit",
                                finding.width_bytes)
                          : "no array begins at such an address: which pointer is used here, and what was it set to?";
    return diagnostic;
}

// `tile[...] += ...`: what is read is what the line stores to.
bool changes_itself(const Scene& scene, const std::string& name) {
    const std::string line(line_of(without_comments(scene.source), scene.finding.place.line));
    const std::size_t sign = line.find("+=");
    return sign != std::string::npos && subscripts_of(line, name).size() == 1 &&
           static_cast<std::size_t>(column_of(line, name)) < sign;
}

// Who was to store what is read: a launch that had no such block, a thread past the end, or one that there is not.
std::string advice_on_unwritten(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const BufferLayout* layout = scene.layout();
    if (scene.launches == nullptr || scene.run.layout.empty() || scene.run.layout.front().extents.size() != 1)
        return "";
    if (layout != nullptr) {
        const std::uint64_t before = scene.launches->empty() ? 0 : scene.launches->front().grid.count();
        if (layout->role != BufferRole::scratch || scene.launches->size() != 2 ||
            element_index(scene) < static_cast<std::int64_t>(before))
            return "";
        return fmt::format(
            "the first launch has {}, and if each stores one sum, {} is none of them: are blocks missing there, or "
            "does the "
            "second launch take too many?",
            plural(before, "block"), element_text(scene));
    }
    const LaunchInfo* launch = scene.launches->empty() ? nullptr : &scene.launches->front();
    if (launch != nullptr && launch->kernel != finding.kernel) return "";
    const auto bytes = static_cast<std::int64_t>(std::max(1, finding.width_bytes));
    if (launch == nullptr || finding.buffer_bytes == 0 || finding.offset_bytes < 0) return "";
    const std::int64_t threads = static_cast<std::int64_t>(launch->block.count()), at = finding.offset_bytes / bytes;
    if (at >= threads)
        if (std::string advice = advice_on_block(scene); !advice.empty()) return advice;
    // A thread of the block for each element of the array, and a piece of the input for each block.
    const std::int64_t n = scene.run.layout.front().elements();
    const auto blocks = static_cast<std::int64_t>(launch->grid.count());
    if (n == 0 || static_cast<std::int64_t>(finding.buffer_bytes) / bytes != threads) return "";
    const std::int64_t piece = (n + blocks * threads - 1) / (blocks * threads) * threads;
    const std::int64_t element = std::int64_t{finding.place.block.x} * piece + at;
    if (at >= threads || element < n || (n + piece - 1) / piece != blocks) return "";
    return fmt::format("the thread that this place is for has no element, {} of {}: let those past the end store 0",
                       element, n);
}

Diagnostic uninitialized(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    const BufferLayout* layout = scene.layout();
    const std::string name = shared_name(scene);
    diagnostic.title = fmt::format("read of `{}` where nothing was stored before", name);
    diagnostic.marks.push_back(mark_at(scene, finding.place, name, layout ? element_text(scene) : shared_place(scene)));
    diagnostic.help = layout ? "memory holds anything at first: store to it before it is read"
                             : "which thread of this block was to store this element, and before which barrier?";
    if (!layout && finding.access == AccessKind::read && finding.detail != "awaits a copy") {
        const StoredText stored = stored_text(scene);
        if (!stored.fact.empty()) diagnostic.facts.push_back(stored.fact);
        if (!stored.help.empty()) diagnostic.help = stored.help;
        if (const int line = only_line_that_stores(scene, name); line != 0 && line != finding.place.line) {
            vgpu::ThreadPlace store;
            store.line = line;
            diagnostic.marks.push_back(mark_at(scene, store, name, "the only line that stores to it"));
        }
    }
    if (const std::string advice = advice_on_unwritten(scene); !advice.empty()) diagnostic.help = advice;
    if (((layout && layout->role != BufferRole::scratch) || changes_itself(scene, name)) &&
        line_of(scene.source, finding.place.line).find("+=") != std::string_view::npos)
        diagnostic.help = "+= adds to what is there, and nothing was stored there yet: write =, or set it to 0 first";
    if (finding.access == AccessKind::atomic) {
        diagnostic.title = fmt::format("atomic operation on `{}`, which nothing was stored to before", name);
        diagnostic.help =
            layout ? "it starts from whatever is there: let the launcher set it first, "
                     "cudaMemsetAsync(pointer, 0, bytes); or, where one thread alone stores there, write = in "
                     "place of the atomic operation"
                   : "it starts from whatever is there: let one thread set it, then __syncthreads()";
    }
    if (finding.detail == "awaits a copy") {
        diagnostic.title = fmt::format("read of `{}` before its asynchronous copy has come", name);
        diagnostic.help =
            "wait for the copy (__pipeline_wait_prior(0), or cp.async.wait_all), and then for the other threads "
            "(__syncthreads())";
    }
    return diagnostic;
}

Diagnostic write_to_input(const Scene& scene) {
    Diagnostic diagnostic;
    diagnostic.title = fmt::format("{} to `{}`, which is the input", verb(scene.finding.access), scene.finding.buffer);
    diagnostic.marks.push_back(mark_at(scene, scene.finding.place, scene.finding.buffer, element_text(scene)));
    const BufferLayout* scratch = scratch_of(scene);
    diagnostic.help = fmt::format("store only to `{}`", scene.run.layout.back().name) +
                      (scratch ? fmt::format(" and `{}`", scratch->name) : "");
    return diagnostic;
}

}  // namespace

bool has_no_dynamic_bytes(const vgpu::Finding& finding, const std::vector<LaunchInfo>& launches) {
    return finding.kind == FindingKind::out_of_bounds_shared && is_dynamic(finding) && finding.offset_bytes >= 0 &&
           std::any_of(launches.begin(), launches.end(),
                       [&](const LaunchInfo& launch) { return launch.kernel == finding.kernel; }) &&
           std::none_of(launches.begin(), launches.end(), [&](const LaunchInfo& launch) {
               return launch.kernel == finding.kernel && launch.shared_bytes != 0;
           });
}

Diagnostic describe_memory(const Scene& scene) {
    Diagnostic diagnostic;
    switch (scene.finding.kind) {
        case FindingKind::out_of_bounds: diagnostic = out_of_bounds(scene); break;
        case FindingKind::out_of_bounds_shared: diagnostic = out_of_bounds_shared(scene); break;
        case FindingKind::misaligned: diagnostic = misaligned(scene); break;
        case FindingKind::uninitialized: diagnostic = uninitialized(scene); break;
        case FindingKind::write_to_input: diagnostic = write_to_input(scene); break;
        default:  // out_of_bounds_local
            diagnostic.title = fmt::format("{} outside of an array of the thread's own", verb(scene.finding.access));
            diagnostic.marks.push_back(
                mark_at(scene, scene.finding.place, "", fmt::format("byte {}", scene.finding.offset_bytes)));
            diagnostic.help = "compare the index with the length of the array";
    }
    diagnostic.facts.push_back(thread_fact(scene));
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

}  // namespace warpgrade
