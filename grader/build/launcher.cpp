#include "build/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/make_diagnostic.hpp"
#include "base/near_names.hpp"
#include "base/text.hpp"
#include "course/source_text.hpp"
#include "source/questions.hpp"

namespace warpgrade {

namespace {

// Where the bracket that closes at `close` opens, counting all kinds of brackets.
std::size_t opening_of(std::string_view text, std::size_t close) {
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
        if (text[i] == ')' || text[i] == '>' || text[i] == ']') ++depth;
        if (text[i] == '(' || text[i] == '<' || text[i] == '[') --depth;
        if (depth == 0) return i;
    }
    return std::string_view::npos;
}

// Functions of that name, with or without a body, in the order of the text.
std::vector<const source::Function*> declarations_of(const source::Facts& facts, std::string_view name) {
    std::vector<const source::Function*> found;
    for (const std::vector<source::Function>* all : {&facts.prototypes, &facts.functions})
        for (const source::Function& function : *all)
            if (function.name == name && !function.is_member) found.push_back(&function);
    return found;
}

class Search {
public:
    Search(std::span<const FunctionName> functions, const Problem& problem, const std::string& type,
           const std::string& path, const std::string& source)
        : problem_(problem), type_(type), path_(path), source_(source) {
        for (const FunctionName& function : functions)
            candidates_.push_back({function, take_apart(function.demangled)});
        wanted_ = take_apart(problem.demangled(type));
    }

    Result<std::string> find() const {
        for (const Candidate& candidate : candidates_)
            if (is_named(candidate) && candidate.parts.scope.empty() && !candidate.function.is_kernel &&
                candidate.parts.parameters == wanted_.parameters)
                return candidate.function.mangled;
        return why_not();
    }

private:
    struct Candidate {
        FunctionName function;
        Demangled parts;
    };

    bool is_named(const Candidate& candidate) const { return candidate.parts.name == wanted_.name; }

    Diagnostic failure(std::string code, std::string title, std::string_view marked_name, std::string help) const {
        Diagnostic diagnostic = make_error(Blame::learner, std::move(code), std::move(title));
        SourceMark mark;
        mark.path = path_;
        // The definition comes last where a file declares first.
        if (const auto declared = declarations_of(facts(), marked_name); !declared.empty()) {
            mark.line = declared.back()->line;
            mark.column = column_of(line_of(source_, mark.line), marked_name);
            mark.length = static_cast<int>(marked_name.size());
        }
        diagnostic.marks.push_back(mark);
        diagnostic.facts.push_back("expected: " + problem_.signature(type_));
        diagnostic.help = std::move(help);
        return diagnostic;
    }

    Diagnostic why_not() const {
        const std::string& name = wanted_.name;
        for (const Candidate& candidate : candidates_)
            if (is_named(candidate) && candidate.function.is_kernel)
                return failure("launcher_is_kernel",
                               fmt::format("`{}` is a kernel, but the grader calls it as an ordinary function", name),
                               name, "give the kernel another name and let the launcher start it with <<< >>>");
        std::vector<std::string> others;
        for (const Candidate& candidate : candidates_) {
            if (!is_named(candidate)) continue;
            if (!candidate.parts.scope.empty())
                return failure("launcher_hidden", fmt::format("`{}` is inside a namespace", name), name,
                               "move the launcher out of the namespace");
            others.push_back(fmt::format("{}({})", name, candidate.parts.parameters));
        }
        for (const Candidate& candidate : candidates_)
            // Of extern "C", a name alone: C knows no parameters.
            if (is_named(candidate) && candidate.function.mangled == name)
                return failure("launcher_is_c",
                               fmt::format("`{}` is declared extern \"C\", and the grader calls a "
                                           "function of C++",
                                           name),
                               name, "take extern \"C\" away from the launcher");
        if (!others.empty()) {
            Diagnostic diagnostic =
                failure("launcher_parameters",
                        others.size() == 1
                            ? fmt::format("`{}` has other parameters than the grader calls it with", name)
                            : fmt::format("none of the {} functions called `{}` has the parameters the grader calls",
                                          others.size(), name),
                        name, "copy the parameter list of the launcher from the stub");
            for (const std::string& other : others) diagnostic.facts.push_back("found: " + other);
            return diagnostic;
        }
        // What is not used does not reach the PTX: the text has to tell.
        for (const source::Function* declared : declarations_of(facts(), name)) {
            const source::NodeId parent = tree()[declared->node].parent;
            if (parent != source::no_node && tree()[parent].kind == source::NodeKind::name_space)
                return failure("launcher_hidden", fmt::format("`{}` is inside a namespace", name), name,
                               "move the launcher out of the namespace");
            for (const std::string_view word : {"static", "inline"})
                if (is_marked(*declared, word))
                    return failure("launcher_hidden",
                                   fmt::format("`{}` is {}, so that it cannot be seen from outside", name, word), name,
                                   "remove the word before the launcher");
            if (declared->is_template)
                return failure("launcher_is_template", fmt::format("`{}` is a template here", name), name,
                               fmt::format("this stage is about {} alone: write an ordinary function", type_));
            if (declared->side == source::Side::kernel)
                return failure("launcher_is_kernel",
                               fmt::format("`{}` is a kernel, but the grader calls it as an ordinary function", name),
                               name, "give the kernel another name and let the launcher start it with <<< >>>");
        }
        return missing();
    }

    Diagnostic missing() const {
        std::vector<std::string> names;
        for (const Candidate& candidate : candidates_)
            if (!candidate.function.is_kernel && std::ranges::find(names, candidate.parts.name) == names.end())
                names.push_back(candidate.parts.name);
        auto near = nearest_name(wanted_.name, names);
        // Else the only one that takes what the launcher is given.
        std::vector<std::string> alike;
        for (const Candidate& candidate : candidates_)
            if (!candidate.function.is_kernel && candidate.parts.parameters == wanted_.parameters)
                alike.push_back(candidate.parts.name);
        if (!near && alike.size() == 1) near = alike.front();
        Diagnostic diagnostic =
            failure("launcher_missing", fmt::format("there is no launcher called `{}`", wanted_.name),
                    near ? std::string_view(*near) : std::string_view{},
                    near ? fmt::format("rename `{}` to `{}`", *near, wanted_.name)
                         : "keep the launcher of the stub: the grader calls it by its name");
        std::string list;
        for (std::size_t i = 0; i < names.size() && i < 6; ++i) list += (i ? ", " : "") + names[i];
        diagnostic.facts.push_back(names.empty() ? "the file defines no function but kernels"
                                                 : "functions in the file: " + list);
        return diagnostic;
    }

    const Problem& problem_;
    const std::string& type_;
    // Read where a launcher is missing.
    const source::Facts& facts() const { return reading_.of(source_); }
    const source::Tree& tree() const { return *facts().tree; }
    bool is_marked(const source::Function& function, std::string_view word) const {
        const source::Node& node = tree()[function.node];
        for (source::TokenId i = node.first; i < node.last && tree().tokens.code[i].text != "("; ++i)
            if (tree().tokens.code[i].text == word) return true;
        return false;
    }

    const std::string& path_;
    const std::string& source_;
    mutable source::Reading reading_;
    std::vector<Candidate> candidates_;
    Demangled wanted_;
};

}  // namespace

Demangled take_apart(std::string_view demangled) {
    Demangled parts;
    const auto close = demangled.rfind(')');
    const auto open = close == std::string_view::npos ? close : opening_of(demangled, close);
    std::string_view name = demangled;
    if (open != std::string_view::npos) {
        parts.parameters = demangled.substr(open + 1, close - open - 1);
        name = demangled.substr(0, open);
    }
    if (name.ends_with('>')) {
        parts.is_template = true;
        name = name.substr(0, opening_of(name, name.size() - 1));
    }
    // The last word outside of brackets, with its scope: a return type may stand before it.
    std::size_t start = name.size();
    while (start > 0 && name[start - 1] != ' ') {
        if (name[start - 1] == ')' || name[start - 1] == '>') {
            const auto opening = opening_of(name, start - 1);
            if (opening == std::string_view::npos) break;
            start = opening;
        } else {
            --start;
        }
    }
    name = name.substr(start);
    const auto scope = name.rfind("::");
    if (scope != std::string_view::npos) {
        parts.scope = name.substr(0, scope + 2);
        name = name.substr(scope + 2);
    }
    parts.name = name;
    return parts;
}

Result<std::string> find_launcher(std::span<const FunctionName> functions, const Problem& problem,
                                  const std::string& type, const std::string& path, const std::string& source) {
    return Search(functions, problem, type, path, source).find();
}

}  // namespace warpgrade
