#include "source/collect.hpp"

#include <algorithm>

#include "source/numbers.hpp"

namespace warpgrade::source {

namespace {

class Collector {
public:
    explicit Collector(const Tree& tree) : tree_(tree), decorations_(tree) { facts_.tree = &tree; }

    Facts run() {
        const std::size_t lines = static_cast<std::size_t>(tree_.tokens.line_count) + 2;
        facts_.around_line.resize(lines);
        facts_.statement_line.resize(lines, no_node);
        for (NodeId i = 0; i < tree_.nodes.size(); ++i)
            if (tree_[i].kind != NodeKind::file && tree_[i].first < tree_.tokens.file_end) order_.push_back(i);
        // The order of the text; what surrounds another node comes first.
        std::ranges::sort(order_, [&](NodeId a, NodeId b) {
            return tree_[a].first != tree_[b].first ? tree_[a].first < tree_[b].first : a > b;
        });
        structure();
        for (const NodeId node : order_) memory(node);
        while_loops();
        macros();
        numbers();
        sort_all();
        return std::move(facts_);
    }

private:
    Around around(NodeId node) const { return facts_.around_node[node]; }

    // Functions, loops and tests, and what each node and each line is inside of.
    void structure() {
        facts_.around_node.resize(tree_.nodes.size());
        for (const NodeId node : order_) {
            const NodeId parent = tree_[node].parent;
            Around here = parent == no_node ? Around{} : inherited(node, parent);
            switch (tree_[node].kind) {
                case NodeKind::function: here = add_function(node, here); break;
                case NodeKind::for_statement:
                case NodeKind::range_for:
                case NodeKind::while_statement:
                case NodeKind::do_statement:
                    facts_.loops.push_back(loop_of(tree_, node));
                    facts_.loops.back().around = here;
                    here.loop = static_cast<int>(facts_.loops.size()) - 1;
                    break;
                case NodeKind::if_statement:
                case NodeKind::conditional:
                    facts_.guards.push_back(guard_of(tree_, node));
                    facts_.guards.back().around = here;
                    here.guard = static_cast<int>(facts_.guards.size()) - 1;
                    break;
                default: break;
            }
            facts_.around_node[node] = here;
            if (is_statement(tree_[node].kind)) paint(node, here);
        }
        merge_prototypes();
    }
    // A condition is not inside of its own test, and a loop's start is not inside of the loop.
    Around inherited(NodeId node, NodeId parent) const {
        Around here = facts_.around_node[parent];
        if (tree_[parent].child != node) return here;
        const NodeKind kind = tree_[parent].kind;
        if (kind == NodeKind::if_statement || kind == NodeKind::conditional)
            return facts_.guards[static_cast<std::size_t>(here.guard)].around;
        if (kind == NodeKind::for_statement || kind == NodeKind::range_for)
            return facts_.loops[static_cast<std::size_t>(here.loop)].around;
        return here;
    }
    static bool is_statement(NodeKind kind) {
        return kind == NodeKind::function || kind == NodeKind::declaration ||
               (kind >= NodeKind::expression_statement && kind <= NodeKind::continue_statement);
    }
    void paint(NodeId node, const Around& here) {
        const Node& made = tree_[node];
        if (made.first >= made.last || (made.kind == NodeKind::function && is_prototype(node))) return;
        // What the head of a loop or of a test declares is not what stands in it.
        if (made.parent != no_node && is_head(made.parent) && tree_[made.parent].child == node) return;
        const int last = last_line_of(tree_, node);
        for (int line = line_of(tree_, node); line <= last; ++line) {
            const auto at = static_cast<std::size_t>(line);
            const NodeId before = facts_.statement_line[at];
            // Of statements side by side, the first one that begins on the line.
            if (before != no_node && tree_[before].last <= made.first) continue;
            facts_.statement_line[at] = node;
            facts_.around_line[at] = here;
        }
    }
    bool is_head(NodeId node) const {
        const NodeKind kind = tree_[node].kind;
        return kind == NodeKind::for_statement || kind == NodeKind::range_for || kind == NodeKind::if_statement;
    }
    bool is_prototype(NodeId node) const { return is_missing(tree_, child_of(tree_, node, 1)); }

    Around add_function(NodeId node, Around here) {
        Function function = function_of(tree_, node, decorations_);
        const NodeId parent = tree_[node].parent;
        function.is_member = parent != no_node && tree_[parent].kind == NodeKind::record;
        if (function.body == no_node) {
            facts_.prototypes.push_back(std::move(function));
            return here;
        }
        const std::vector<int>& lines = tree_.tokens.directive_lines;
        const auto inside = std::upper_bound(lines.begin(), lines.end(), function.line);
        function.has_directives = inside != lines.end() && *inside < function.last_line;
        facts_.functions.push_back(std::move(function));
        return {static_cast<int>(facts_.functions.size()) - 1, -1, -1};
    }
    // `__device__ int f(int); int f(int a) { ... }` is a device function; with the words at the body alone it is both.
    void merge_prototypes() {
        std::map<std::string_view, int> counts;
        for (const Function& function : facts_.functions) counts[function.name] += function.is_member ? 0 : 1;
        std::map<std::string_view, std::vector<Side>> sides;
        for (const Function& prototype : facts_.prototypes)
            if (!prototype.is_member) sides[prototype.name].push_back(prototype.side);
        for (Function& function : facts_.functions) {
            const auto known = sides.find(function.name);
            if (function.is_member || counts[function.name] != 1 || known == sides.end()) continue;
            for (const Side side : known->second) {
                if (side == function.side) continue;
                if (function.side == Side::host)
                    function.side = side;
                else if (function.side == Side::device)
                    function.side = Side::both;
            }
        }
    }

    void memory(NodeId node) {
        switch (tree_[node].kind) {
            case NodeKind::subscript: add(access_of(tree_, node), node); break;
            case NodeKind::unary:
                if (tree_[node].word == "*") add(access_of(tree_, node), node);
                [[fallthrough]];
            case NodeKind::postfix:
            case NodeKind::assignment: add_definition(node); break;
            case NodeKind::declarator:
                add_definition(node);
                add_variable(node);
                break;
            case NodeKind::call: add_call(node); break;
            case NodeKind::launch:
                facts_.launches.push_back(launch_of(tree_, node));
                facts_.launches.back().around = around(node);
                break;
            default: break;
        }
    }
    void add(Access access, NodeId node) {
        if (access.node == no_node) return;
        access.around = around(node);
        facts_.accesses.push_back(std::move(access));
    }
    void add_call(NodeId node) {
        Call call = call_of(tree_, node);
        call.around = around(node);
        for (Access& access : accesses_of(tree_, call)) add(std::move(access), node);
        if (is_barrier(call)) facts_.barriers.push_back({call.name, node, call.line, call.around});
        facts_.calls.push_back(std::move(call));
    }
    void add_definition(NodeId node) {
        Definition definition = definition_of(tree_, node);
        if (definition.node == no_node) return;
        const NodeId parent = tree_[node].parent;
        if (parent == no_node || tree_[parent].kind == NodeKind::enumeration) return;
        if (tree_[parent].kind == NodeKind::parameter && is_prototype(tree_[parent].parent)) return;
        definition.around = around(node);
        if (definition.kind <= DefinitionKind::declared) definition.scope_end = end_of_scope(parent);
        facts_.definitions.push_back(definition);
    }
    int end_of_scope(NodeId node) const {
        for (; node != no_node; node = tree_[node].parent) {
            const NodeKind kind = tree_[node].kind;
            const bool is_scope = kind == NodeKind::block || kind == NodeKind::function ||
                                  kind == NodeKind::for_statement || kind == NodeKind::range_for ||
                                  kind == NodeKind::record || kind == NodeKind::name_space;
            if (is_scope) return last_line_of(tree_, node);
        }
        return tree_.tokens.line_count;
    }

    // Shared arrays and constants.
    void add_variable(NodeId node) {
        const NodeId parent = tree_[node].parent;
        const Node& made = tree_[node];
        Constant constant{made.word, ConstantOrigin::variable, no_node, {}, {}, around(node)};
        if (made.word.empty() || parent == no_node) return;
        constant.at = definition_of(tree_, node).at;
        constant.value = definition_of(tree_, node).value;
        if (tree_[parent].kind == NodeKind::enumeration) {
            constant.origin = ConstantOrigin::enumerator;
            facts_.constants.push_back(constant);
            return;
        }
        if (tree_[parent].kind != NodeKind::declaration) return;
        const NodeId type = tree_[parent].child;
        const unsigned bits = decorations_.of(tree_[type].first, tree_[type].last);
        if ((bits & shared_word) != 0) add_shared(node, tree_[type].word, (bits & extern_word) != 0);
        if (facts_.around_node[node].function < 0 && tree_[tree_[parent].parent].kind != NodeKind::record)
            facts_.variables.push_back({made.word, node, (bits & (device_word | shared_word)) != 0, has_extent(node),
                                        (bits & const_word) != 0, line_of(tree_, node)});
        const bool is_plain = made.child != no_node && tree_[made.child].kind == NodeKind::initialiser;
        if ((bits & const_word) != 0 && is_plain && constant.value != no_node) facts_.constants.push_back(constant);
    }
    bool has_extent(NodeId node) const {
        for (NodeId part = tree_[node].child; part != no_node; part = tree_[part].next)
            if (tree_[part].kind == NodeKind::extent) return true;
        return false;
    }
    void add_shared(NodeId node, std::string_view type, bool is_dynamic) {
        SharedArray shared{tree_[node].word, type, node, {}, {}, is_dynamic, line_of(tree_, node), around(node)};
        for (NodeId part = tree_[node].child; part != no_node; part = tree_[part].next)
            if (tree_[part].kind == NodeKind::extent) shared.extents.push_back(tree_[part].child);
        facts_.shared_arrays.push_back(std::move(shared));
    }
    void macros() {
        for (std::size_t i = 0; i < tree_.tokens.macros.size(); ++i) {
            const Macro& macro = tree_.tokens.macros[i];
            if (tree_.macro_bodies[i] != no_node && !macro.has_parameters)
                facts_.constants.push_back(
                    {macro.name, ConstantOrigin::macro, tree_.macro_bodies[i], {}, macro.at, {}});
        }
    }

    void while_loops() {
        for (Loop& loop : facts_.loops) {
            if (!loop.variable.empty() || is_missing(tree_, loop.condition)) continue;
            const auto begin = std::partition_point(
                facts_.definitions.begin(), facts_.definitions.end(),
                [&](const Definition& definition) { return tree_[definition.node].first < tree_[loop.node].first; });
            const auto end = std::partition_point(begin, facts_.definitions.end(), [&](const Definition& definition) {
                return tree_[definition.node].first < tree_[loop.node].last;
            });
            add_step(tree_, loop, std::span(begin, end));
        }
    }

    // From above to below; a name with two values has none.
    void numbers() {
        const auto above = [](const Constant& a, const Constant& b) { return a.at.offset < b.at.offset; };
        std::ranges::stable_sort(facts_.constants, above);
        std::vector<std::string_view> unclear;
        for (Constant& constant : facts_.constants) {
            constant.number = number_of(tree_, constant.value, facts_.numbers);
            set_enumerator(constant);
            if (!constant.number) {
                if (facts_.numbers.contains(constant.name)) unclear.push_back(constant.name);
                continue;
            }
            const auto [known, is_new] = facts_.numbers.emplace(constant.name, *constant.number);
            if (!is_new && known->second != *constant.number) unclear.push_back(constant.name);
            known->second = *constant.number;
        }
        for (const std::string_view name : unclear) facts_.numbers.erase(name);
        for (SharedArray& shared : facts_.shared_arrays)
            for (const NodeId extent : shared.extents) shared.sizes.push_back(number_of(tree_, extent, facts_.numbers));
    }
    // One without a value of its own: one more than the enumerator before it.
    void set_enumerator(Constant& constant) const {
        if (constant.origin != ConstantOrigin::enumerator || constant.value != no_node) return;
        const Constant* const before = &constant == facts_.constants.data() ? nullptr : &constant - 1;
        const bool is_first =
            before == nullptr || before->origin != ConstantOrigin::enumerator || is_first_enumerator(constant);
        if (is_first)
            constant.number = 0;
        else if (before->number && *before->number < INT64_MAX)
            constant.number = *before->number + 1;
    }
    bool is_first_enumerator(const Constant& constant) const {
        const auto& code = tree_.tokens.code;
        const auto token =
            std::partition_point(code.begin(), code.begin() + tree_.tokens.file_end,
                                 [&](const CodeToken& other) { return other.at.offset < constant.at.offset; });
        return token != code.begin() && (token - 1)->text == "{";
    }

    void sort_all() {
        const auto in_order = [&](const auto& a, const auto& b) { return tree_[a.node].first < tree_[b.node].first; };
        std::ranges::stable_sort(facts_.accesses, in_order);
        facts_.first_access.assign(facts_.around_line.size() + 1, static_cast<std::uint32_t>(facts_.accesses.size()));
        for (std::size_t i = facts_.accesses.size(); i-- > 0;) {
            const Access& access = facts_.accesses[i];
            facts_.first_access[static_cast<std::size_t>(access.line)] = static_cast<std::uint32_t>(i);
        }
        for (std::size_t line = facts_.first_access.size() - 1; line-- > 0;)
            facts_.first_access[line] = std::min(facts_.first_access[line], facts_.first_access[line + 1]);
        for (std::uint32_t i = 0; i < facts_.accesses.size(); ++i)
            facts_.accesses_by_name[facts_.accesses[i].array].push_back(i);
        for (std::uint32_t i = 0; i < facts_.definitions.size(); ++i)
            facts_.definitions_by_name[facts_.definitions[i].name].push_back(i);
    }

    const Tree& tree_;
    Decorations decorations_;
    Facts facts_;
    std::vector<NodeId> order_;
};

}  // namespace

Facts facts_of(const Tree& tree) { return Collector(tree).run(); }

}  // namespace warpgrade::source
