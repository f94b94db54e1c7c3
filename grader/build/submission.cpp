#include "build/submission.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/code_text.hpp"
#include "base/text.hpp"
#include "build/launcher.hpp"
#include "course/source_text.hpp"
#include "source/facts.hpp"

namespace warpgrade {

namespace {

// The explicit instantiations are ours: an error there, and nowhere in the submission, means that the launcher is not
// the template they name.
bool blames_instantiation(const CompileOutput& compiled, const std::string& path) {
    bool only_ours = false;
    for (const CompilerMessage& message : compiled.messages) {
        if (message.severity != Severity::error) continue;
        if (message.path == path && message.line != 0) return false;
        only_ours = true;
    }
    return only_ours;
}

// "const T*", however it is spaced: of a parameter all in front of its name.
std::string type_of(const source::Tree& tree, const source::Parameter& parameter) {
    std::string text(source::text_of(tree, parameter.node));
    if (text.ends_with(parameter.name)) text.resize(text.size() - parameter.name.size());
    std::erase_if(text, is_blank);
    return text;
}

// What of the launcher's parameters is not as the grader's; "" where they are.
std::string other_parameter(const Problem& problem, const source::Tree& tree, const source::Function& launcher) {
    const source::Tree expected = source::parse(problem.signature("T") + ";");
    const source::Facts facts = source::facts_of(expected);
    const std::vector<source::Parameter>&own = launcher.parameters, &wanted = facts.prototypes.at(0).parameters;
    if (own.size() != wanted.size())
        return fmt::format("it has {} parameters here, and {} are expected", own.size(), wanted.size());
    std::vector<std::string> others;
    for (std::size_t i = 0; i < own.size(); ++i)
        if (type_of(tree, own[i]) != type_of(expected, wanted[i]))
            others.push_back(fmt::format("`{}` instead of `{}`", source::text_of(expected, wanted[i].node),
                                         source::text_of(tree, own[i].node)));
    return others.empty() ? "" : fmt::format("write {}", fmt::join(others, ", and "));
}

// `launcher`: nullptr where no function of the text is called so.
std::string help_for_template(const Problem& problem, const source::Tree& tree, const source::Function* launcher) {
    if (!launcher)
        return fmt::format("no function of this file is called `{}`: write the launcher of the stub again",
                           problem.launcher_name());
    if (!launcher->is_template)
        return "write template <typename T> before the launcher, and T for the type of an element";
    const std::vector<source::CodeToken>& code = tree.tokens.code;
    for (source::TokenId i = tree[launcher->node].first; code[i].text != ">" && code[i].text != "("; ++i)
        if (code[i].text == ",")
            return "its template has more parameters than a type, and it is called for a type alone: "
                   "template <typename T>";
    const std::string other = other_parameter(problem, tree, *launcher);
    return other.empty() ? "keep the template of the stub" : other;
}

Diagnostic not_a_template(const Stage& stage, const Problem& problem, const std::string& path,
                          const std::string& source) {
    const source::Tree tree = source::parse(source);
    const source::Facts facts = source::facts_of(tree);
    const source::Function* launcher = facts.function_named(problem.launcher_name());
    std::string types;
    for (const std::string& type : stage.types) types += (types.empty() ? "" : ", ") + type;
    SourceMark mark;
    mark.path = path;
    if (launcher) {
        mark.line = launcher->line;
        mark.column = column_of(line_of(source, mark.line), launcher->name);
        mark.length = static_cast<int>(launcher->name.size());
    }
    return {.blame = Blame::learner,
            .code = "launcher_not_template",
            .title = fmt::format("`{}` cannot be instantiated for the types of this stage", problem.launcher_name()),
            .marks = {mark},
            .facts = {"expected: template <typename T> " + problem.signature("T"), "for T = " + types},
            .help = help_for_template(problem, tree, launcher)};
}

constexpr const char* newest_arch = "compute_90";  // that the virtual GPU understands

// What libcu++, cooperative groups and the language have for that GPU alone is called so, or is no name before it; or
// it becomes a call of what says so.
bool may_be_newer(const CompileOutput& output, const std::string& source) {
    if (output.ok) return output.ptx.find("_is_not_supported_before_SM_") != std::string::npos;
    const auto names = [&source](const char* word) { return source.find(word) != std::string::npos; };
    const auto is_unknown = [](const CompilerMessage& one) {
        const auto says = [&one](const char* words) { return one.message.find(words) != std::string::npos; };
        return one.severity == Severity::error && (says(" is undefined") || says("no instance of "));
    };
    return names("cluster") || names("cuda/ptx") || names("_tx") || std::ranges::any_of(output.messages, is_unknown);
}

CompileRequest request_of(const Stage& stage, const Problem& problem, const std::string& path,
                          const std::string& source, const BuildOptions& options) {
    CompileRequest request;
    request.path = path;
    request.source = source;
    request.is_optimised = options.is_optimised;
    request.definitions = options.definitions;
    request.arch = options.arch;
    request.reports_registers = options.reports_registers;
    request.allows_cub = stage.allows_cub();
    if (stage.is_template())
        for (const std::string& type : stage.types) request.appended += problem.instantiation(type) + "\n";
    return request;
}

}  // namespace

void compile_stage_ahead(const Stage& stage, const Problem& problem, const std::string& path, const std::string& source,
                         const BuildOptions& options) {
    compile_ahead(request_of(stage, problem, path, source, options));
}

Result<Build> compile_stage(const Stage& stage, const Problem& problem, const std::string& path,
                            const std::string& source, const BuildOptions& options) {
    Build result;
    result.definitions = options.definitions;
    CompileRequest request = request_of(stage, problem, path, source, options);
    const bool is_template = stage.is_template();

    auto compiled = compile(request);
    // Clusters, atomics of vectors and the like: nvcc takes them for a newer GPU, so that it is not the learner who is
    // at fault.
    if (compiled && request.arch == CompileRequest{}.arch && may_be_newer(*compiled, source)) {
        request.arch = newest_arch;
        if (auto newer = compile(request); newer && newer->ok) compiled = std::move(newer);
    }
    if (!compiled) {
        if (compiled.error().blame != Blame::learner) return compiled.error();
        result.failures.push_back(compiled.error());
        return result;
    }
    result.compiled = std::move(*compiled);
    if (!result.compiled.ok) {
        if (is_template && blames_instantiation(result.compiled, path)) {
            result.failures.push_back(not_a_template(stage, problem, path, source));
            result.compiled.messages.clear();  // said better
        }
        return result;
    }

    const auto functions = function_names(result.compiled.ptx);
    if (!functions) {
        if (functions.error().blame != Blame::learner) return functions.error();
        result.failures.push_back(functions.error());
        return result;
    }
    for (const std::string& type : stage.types) {
        auto launcher = find_launcher(*functions, problem, type, path, source);
        if (!launcher) {
            result.failures.push_back(launcher.error());
            return result;
        }
        result.launchers[type] = *launcher;
    }
    return result;
}

Result<Build> build(const Stage& stage, const Problem& problem, const std::string& path, const std::string& source,
                    Device& device, const BuildOptions& options) {
    auto result = compile_stage(stage, problem, path, source, options);
    if (!result || !result->compiled.ok || !result->failures.empty()) return result;
    auto program = device.load(result->compiled.ptx, path);
    if (!program) {
        if (program.error().blame != Blame::learner) return program.error();
        result->failures.push_back(program.error());
        return result;
    }
    result->program = std::move(*program);
    return result;
}

}  // namespace warpgrade
