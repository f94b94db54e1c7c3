#include "explain/wording_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "course/source_text.hpp"
#include "explain/access_place.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "source/numbers.hpp"

namespace warpgrade {

namespace {

std::string_view word_at(std::string_view line, const AccessPlace& place) {
    return line.substr(static_cast<std::size_t>(place.column) - 1, static_cast<std::size_t>(place.length));
}

// By declarations only, one in each scope.
bool is_set_once(const Facts& facts, const std::vector<std::uint32_t>& definitions) {
    return definitions.size() == 1 || std::ranges::all_of(definitions, [&](std::uint32_t number) {
               return facts.definitions[number].kind == source::DefinitionKind::declared;
           });
}

// The value of an index for a thread of the finding, by what sets its names once, above.
std::optional<std::int64_t> index_of_thread(const Scene& scene, const vgpu::ThreadPlace& at, NodeId index) {
    constexpr int most_steps = 8;  // of one name through another
    const Facts& facts = scene.facts;
    const LaunchInfo* const launch = scene.launch();
    source::Numbers numbers = facts.numbers;
    const auto put = [&](std::string_view x, std::string_view y, std::string_view z, const vgpu::Dim3& value) {
        numbers[x] = value.x;
        numbers[y] = value.y;
        numbers[z] = value.z;
    };
    put("threadIdx.x", "threadIdx.y", "threadIdx.z", at.thread);
    put("blockIdx.x", "blockIdx.y", "blockIdx.z", at.block);
    if (launch != nullptr) put("blockDim.x", "blockDim.y", "blockDim.z", launch->block);
    std::set<std::string_view> names = names_in(*facts.tree, index);
    for (int step = 0; step < most_steps; ++step) {
        std::set<std::string_view> more;
        for (const std::string_view name : names) {
            const auto known = facts.definitions_by_name.find(name);
            const source::Definition* const set = set_before(facts, name, at.line);
            if (set == nullptr || numbers.contains(name) || !is_set_once(facts, known->second)) continue;
            if (const auto value = number_of(*facts.tree, set->value, numbers)) numbers[name] = *value;
            more.merge(names_in(*facts.tree, set->value));
        }
        names.merge(more);
    }
    return number_of(*facts.tree, index, numbers);
}

// Of several accesses to a shared array on the line of the finding, the only one whose index is that of its element;
// nullptr: one access, or the text does not say.
const source::Access* access_of_fault(const Scene& scene, const std::string& name) {
    const vgpu::Finding& finding = scene.finding;
    const auto extents = shared_extents(scene.facts, name);
    const int width = std::max(1, finding.width_bytes);
    if (extents.empty() || extents.size() > 2 || finding.offset_bytes % width != 0) return nullptr;
    const auto all = accesses_to(scene.facts, finding.place.line, name);
    const source::Access* hit = nullptr;
    for (const source::Access* const one : all) {
        if (one->indices.size() != extents.size() || range_of(scene.tree(), one->node).line != finding.place.line)
            return nullptr;
        std::int64_t element = 0;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            const auto index = index_of_thread(scene, finding.place, one->indices[i]);
            if (!index) return nullptr;
            element = element * extents[i] + *index;
        }
        if (element * width != finding.offset_bytes) continue;
        if (hit != nullptr) return nullptr;
        hit = one;
    }
    return all.size() > 1 ? hit : nullptr;
}

}  // namespace

const BufferLayout& Scene::input() const {
    static const BufferLayout none;
    return run.layout.empty() ? none : run.layout.front();
}

const BufferLayout* Scene::layout() const {
    for (const BufferLayout& entry : run.layout)
        if (entry.name == finding.buffer && !finding.buffer.empty()) return &entry;
    return nullptr;
}

const LaunchInfo* Scene::launch() const {
    if (!launches) return nullptr;
    for (const LaunchInfo& launch : *launches)
        if (launch.kernel == finding.kernel) return &launch;
    return nullptr;
}

bool Scene::is_of_submission() const { return layout() == nullptr && finding.element_bytes == 1; }

int Scene::element_bytes() const {
    const auto width = static_cast<std::uint64_t>(finding.width_bytes);
    if (is_of_submission() && width != 0 && finding.buffer_bytes % width == 0) return finding.width_bytes;
    return finding.element_bytes > 0 ? finding.element_bytes : 4;
}

std::string to_text(const vgpu::Dim3& place) { return fmt::format("({},{},{})", place.x, place.y, place.z); }

std::string extents_text(const vgpu::Dim3& extents) {
    const std::string text = fmt::format("{} x {}", extents.x, extents.y);
    return extents.z == 1 ? text : fmt::format("{} x {}", text, extents.z);
}

std::string thread_text(const vgpu::ThreadPlace& place) {
    return fmt::format("thread {} of block {}", to_text(place.thread), to_text(place.block));
}

std::string host_text(const Scene& scene) { return scene.run.layout.empty() ? "host code" : "the launcher"; }

std::string thread_fact(const Scene& scene) {
    const std::string& kernel = scene.finding.kernel;
    const std::string who =
        kernel.empty() ? "in " + host_text(scene) : thread_text(scene.finding.place) + " in " + kernel;
    return who + with_shape(scene);
}

std::string with_shape(const Scene& scene) {
    const std::string shape = describe_case(scene.run.shape);
    return shape.empty() ? "" : ", shape " + shape;
}

std::string extents_text(const BufferLayout& layout) {
    if (layout.extents.size() == 1) return std::to_string(layout.elements());
    Shape shape;
    shape.extents = layout.extents;
    return fmt::format("{} = {}", to_string(shape), layout.elements());
}

std::int64_t element_index(const Scene& scene) {
    const std::int64_t size = scene.element_bytes(), offset = scene.finding.offset_bytes;
    return offset >= 0 ? offset / size : -((-offset + size - 1) / size);
}

std::string element_text(const Scene& scene) {
    const std::int64_t index = element_index(scene);
    const std::int64_t inside = scene.finding.offset_bytes - index * scene.element_bytes();
    std::string text = fmt::format("{}[{}]", scene.finding.buffer, index);
    if (inside != 0) text += fmt::format(" + {}", plural(static_cast<std::uint64_t>(inside), "byte"));
    return text;
}

std::string shared_name(const Scene& scene) {
    const std::string& buffer = scene.finding.buffer;
    if (!buffer.empty() && buffer != "shared memory") return buffer;
    std::string_view name;
    for (const source::SharedArray& array : scene.facts.shared_arrays) {
        if (!array.is_dynamic) continue;
        if (!name.empty()) return "shared memory";
        name = array.name;
    }
    return name.empty() ? "shared memory" : std::string(name);
}

std::string shared_place(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const std::string name = shared_name(scene);
    const std::string bytes = fmt::format(fmt::runtime(name.ends_with(" memory") ? "byte {} of {}" : "byte {} of `{}`"),
                                          finding.offset_bytes, name);
    const auto extents = shared_extents(scene.facts, name);
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) count *= extent;
    const auto all = static_cast<std::int64_t>(finding.buffer_bytes);
    if (extents.empty() || extents.size() > 2 || all == 0 || all % count != 0 || finding.offset_bytes < 0 ||
        finding.offset_bytes >= all)
        return bytes;
    const std::int64_t element = all / count, index = finding.offset_bytes / element;
    if (finding.offset_bytes % element != 0) return bytes;
    return extents.size() == 1 ? fmt::format("{}[{}]", name, index)
                               : fmt::format("{}[{}][{}]", name, index / extents[1], index % extents[1]);
}

SourceMark mark_at(const Scene& scene, const vgpu::ThreadPlace& place, const std::string& name, std::string label) {
    return mark_in(scene.path, scene.source, place, name, std::move(label));
}

SourceMark mark_of_access(const Scene& scene, const vgpu::ThreadPlace& place, const std::string& name,
                          vgpu::AccessKind access, std::string label) {
    SourceMark mark = mark_of_access(scene.path, scene.facts, place, name, access, std::move(label));
    if (&place != &scene.finding.place) return mark;
    if (const source::Access* const hit = access_of_fault(scene, name); hit != nullptr) {
        const source::Range at = range_of(scene.tree(), hit->node);
        mark.column = at.column;
        mark.length = static_cast<int>(name.size());
    }
    return mark;
}

SourceMark mark_of_access(const std::string& path, const Facts& facts, const vgpu::ThreadPlace& place,
                          const std::string& name, vgpu::AccessKind access, std::string label) {
    const std::string& text = *facts.tree->tokens.text;
    SourceMark mark = mark_in(path, text, place, name, std::move(label));
    // What is in global memory is no array that the block shares, and one of those has no other name.
    auto shared = shared_names(facts);
    const bool is_shared = shared.contains(name);
    if (name.empty() || name == "shared memory" || is_shared) shared.clear();
    const AccessPlace at = access_place(facts, place.line, name, access, shared);
    const bool is_it = at.column != 0 && (!is_shared || word_at(line_of(text, place.line), at) == name);
    if (is_it) {
        mark.column = at.column;
        mark.length = at.length;
    }
    return mark;
}

Advice past_row(const Scene& scene, const vgpu::ThreadPlace& at, const std::string& name) {
    const auto extents = shared_extents(scene.facts, name);
    if (extents.size() != 2 || !scene.run.variant.empty()) return {};
    for (const source::Access* const one : accesses_to(scene.facts, at.line, name)) {
        if (one->indices.size() != 2) continue;
        const auto row = index_of_thread(scene, at, one->indices[0]),
                   column = index_of_thread(scene, at, one->indices[1]);
        if (!row || !column || *row < 0 || *row >= extents[0] || (*column >= 0 && *column < extents[1])) continue;
        return {say("line_takes_row_ends", at.line, name, *row, *column, thread_text(at), extents[1] - 1,
                    *column < 0 ? "meets the row before" : "meets the next row", extents[1]),
                at.line};
    }
    return {};
}

void mark_both_reads(const Scene& scene, SourceMark& mark) {
    const Tree& tree = scene.tree();
    const source::Access *update = nullptr, *load = nullptr;
    for (const source::Access& access : scene.facts.accesses_on(mark.line)) {
        if (access.kind == source::AccessKind::update) update = &access;
        if (access.kind == source::AccessKind::load && update != nullptr && access.array == update->array)
            load = &access;
    }
    if (scene.finding.access != vgpu::AccessKind::read || load == nullptr) return;
    const auto is_another = [&](const source::Access& access) {
        const auto index =
            access.indices.size() == 1 ? index_of_thread(scene, scene.finding.place, access.indices[0]) : std::nullopt;
        return index && *index != scene.finding.offset_bytes / std::max(1, scene.finding.width_bytes);
    };
    const source::Range first = range_of(tree, update->node), last = range_of(tree, load->node);
    if (first.line != mark.line || last.line != mark.line || first.column >= last.column ||
        (mark.column != first.column && mark.column != last.column) || is_another(*update))
        return;
    mark.column = first.column;
    mark.length = static_cast<int>(update->array.size());
    if (!is_another(*load)) mark.length = last.column - first.column + static_cast<int>(last.length);
}

SourceMark mark_in(const std::string& path, const std::string& source, const vgpu::ThreadPlace& place,
                   const std::string& name, std::string label) {
    SourceMark mark;
    mark.path = path;
    mark.line = place.line;
    mark.column = place.column;
    mark.label = std::move(label);
    const std::string_view line = line_of(source, place.line);
    // An operator such as <<< is no word.
    const auto operator_at = name.starts_with('<') ? line.find(name) : std::string_view::npos;
    const int column =
        operator_at != std::string_view::npos ? static_cast<int>(operator_at) + 1 : column_of(line, name);
    if (column != 0) {
        mark.column = column;
        mark.length = static_cast<int>(name.size());
    }
    return mark;
}

void add_occurrences(const Scene& scene, Diagnostic& diagnostic) {
    const std::uint64_t count = scene.finding.occurrences;
    std::uint64_t unit = 1;
    while (count / unit >= 10) unit *= 10;
    // How often blocks meet depends on which of them run at a time: the first digit does not.
    const bool is_rough =
        scene.finding.kind == vgpu::FindingKind::race_global && count >= 100'000 && count > count / unit * unit;
    if (count > 1)
        diagnostic.facts.push_back(fmt::format("{}{} times{}; the first is shown", is_rough ? "more than " : "",
                                               is_rough ? count / unit * unit : count,
                                               scene.line() != 0 ? " on this line" : ""));
}

std::string advice_on_remainder(const Facts& facts, int line) {
    constexpr int lines_above = 3;
    const Tree& tree = *facts.tree;
    std::string found;
    int found_line = 0;
    for (NodeId node = 0; node < tree.nodes.size(); ++node) {
        const source::Node &product = tree[node], &remainder = tree[product.child == no_node ? node : product.child];
        const bool is_term = product.kind == NodeKind::binary && product.word == "*" &&
                             remainder.kind == NodeKind::binary && remainder.word == "%";
        const int at = is_term ? line_of(tree, node) : 0;
        const std::string_view sign = is_term ? tree[product.parent].word : "";
        if (at <= found_line || at > line || at < line - lines_above || (sign != "==" && sign != "!=")) continue;
        found_line = at;
        found = say("did_you_mean", in_one_line(tree, remainder.child),
                    in_one_line(tree, child_of(tree, product.child, 1)), in_one_line(tree, remainder.next));
    }
    return found;
}

std::string plural(std::uint64_t count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string name_in_line(const Scene& scene) {
    const int line = scene.line();
    if (!accesses_to(scene.facts, line, scene.finding.buffer).empty()) return scene.finding.buffer;
    AccessPlace place = access_place(scene.facts, line, "", scene.finding.access);
    // One line that loads from several arrays and stores to one of them.
    if (place.column == 0 && scene.finding.has_other && scene.finding.other.line == line)
        place = access_place(scene.facts, line, "", scene.finding.other_access);
    const std::string name(place.column == 0 ? "" : word_at(line_of(scene.source, line), place));
    return name.empty() || shared_names(scene.facts).contains(name) ? scene.finding.buffer : name;
}

}  // namespace warpgrade
