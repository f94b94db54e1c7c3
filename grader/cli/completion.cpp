#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <set>

#include "cli/completion.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& between) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
    return out;
}

std::vector<std::string> verbs_with_stages(const std::vector<CompletedVerb>& verbs) {
    std::vector<std::string> names;
    for (const CompletedVerb& verb : verbs)
        if (verb.takes_stage) names.push_back(verb.name);
    return names;
}

std::string bash_script(const std::vector<CompletedVerb>& verbs) {
    std::vector<std::string> names;
    std::string cases;
    for (const CompletedVerb& verb : verbs) {
        names.push_back(verb.name);
        std::vector<std::string> options;
        for (const CompletedOption& option : verb.options) options.push_back(option.name);
        cases += fmt::format("            {}) words={} ;;\n", verb.name, shell_quoted(joined(options, " ")));
    }
    return fmt::format(
        R"sh(# Completion of warpgrade for bash:  source <(./grader/warpgrade completion bash)
_warpgrade() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} words='' command=${{1/#\~/$HOME}}
    if ((COMP_CWORD == 1)); then
        words={0}
    elif [[ $word == -* ]]; then
        case ${{COMP_WORDS[1]}} in
{1}        esac
    else
        case ${{COMP_WORDS[1]}} in
            {2}) words=$("$command" completion stages 2>/dev/null) ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o default -F _warpgrade warpgrade
)sh",
        shell_quoted(joined(names, " ")), cases, joined(verbs_with_stages(verbs), " | "));
}

std::string zsh_script(const std::vector<CompletedVerb>& verbs) {
    std::string names, cases;
    for (const CompletedVerb& verb : verbs) {
        names += fmt::format("        {}\n", shell_quoted(verb.name + ":" + verb.description));
        std::string options;
        for (const CompletedOption& option : verb.options)
            options += " " + shell_quoted(option.name + ":" + option.description);
        cases += fmt::format("        {}) options=({}) ;;\n", verb.name, options.empty() ? "" : options.substr(1));
    }
    return fmt::format(
        R"sh(# Completion of warpgrade for zsh, after compinit:  source <(./grader/warpgrade completion zsh)
_warpgrade() {{
    local -a verbs options
    verbs=(
{0}    )
    case $words[2] in
{1}    esac
    if ((CURRENT == 2)); then
        _describe verb verbs
    elif [[ $PREFIX == -* ]]; then
        _describe -o option options
    else
        case $words[2] in
            {2}) compadd -- ${{(f)"$(${{~words[1]}} completion stages 2>/dev/null)"}} ;;
        esac
        _files
    fi
}}
compdef _warpgrade warpgrade
)sh",
        names, cases, joined(verbs_with_stages(verbs), " | "));
}

std::string fish_script(const std::vector<CompletedVerb>& verbs) {
    std::string out =
        R"sh(# Completion of warpgrade for fish:  ./grader/warpgrade completion fish | source
function __warpgrade_stages
    set -l words (commandline -opc)
    $words[1] completion stages 2>/dev/null
end
)sh";
    for (const CompletedVerb& verb : verbs) {
        out += fmt::format("complete -c warpgrade -n __fish_use_subcommand -f -a {} -d {}\n", verb.name,
                           shell_quoted(verb.description));
        for (const CompletedOption& option : verb.options)
            out +=
                fmt::format("complete -c warpgrade -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n", verb.name,
                            option.name.substr(2), option.takes_value ? " -r" : "", shell_quoted(option.description));
    }
    return out + fmt::format("complete -c warpgrade -n '__fish_seen_subcommand_from {}' -a '(__warpgrade_stages)'\n",
                             joined(verbs_with_stages(verbs), " "));
}

// Each by its whole name, and by the short one where no other stage has it.
std::string stage_names(const Course& course) {
    std::multiset<std::string> ids;
    for (const Assignment& assignment : course.assignments)
        for (const Stage& stage : assignment.stages) ids.insert(stage.id);
    std::string out;
    for (const Assignment& assignment : course.assignments)
        for (const Stage& stage : assignment.stages)
            out += stage.name() + "\n" + (ids.count(stage.id) == 1 ? stage.id + "\n" : "");
    return out;
}

std::vector<CompletedVerb> verbs_of(const CLI::App& parent) {
    std::vector<CompletedVerb> verbs;
    for (const CLI::App* app :
         parent.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); })) {
        CompletedVerb verb{app->get_name(), app->get_description(), {}, false};
        for (const CLI::Option* option : app->get_options()) {
            if (option->nonpositional())
                for (const std::string& name : option->get_lnames())
                    verb.options.push_back({"--" + name, option->get_description(), option->get_type_size() != 0});
            else if (option->get_type_name().find("STAGE") != std::string::npos)
                verb.takes_stage = true;
        }
        verbs.push_back(std::move(verb));
    }
    return verbs;
}

int run_completion(const CLI::App& parent, const std::string& shell) {
    if (shell == "stages") {
        auto course = open_course();
        if (!course) return fail(course.error());
        show(stage_names(*course));
        return 0;
    }
    const auto script = completion_script(shell, verbs_of(parent));
    if (!script) return fail(script.error());
    show(*script);
    return 0;
}

}  // namespace

Result<std::string> completion_script(const std::string& shell, const std::vector<CompletedVerb>& verbs) {
    if (shell == "bash") return bash_script(verbs);
    if (shell == "zsh") return zsh_script(verbs);
    if (shell == "fish") return fish_script(verbs);
    return usage("unknown_shell", fmt::format("there is no completion for `{}`", shell),
                 "`warpgrade completion bash`, or zsh, or fish");
}

Verb add_completion(CLI::App& parent) {
    const auto shell = std::make_shared<std::string>();
    CLI::App* app = parent.add_subcommand("completion", "what makes a shell complete verbs, options and stages");
    app->add_option("shell", *shell, "bash, zsh or fish; the script's first line says how to use it")
        ->type_name("SHELL")
        ->required();
    return {app, [&parent, shell] { return run_completion(parent, *shell); }};
}

}  // namespace warpgrade::cli
