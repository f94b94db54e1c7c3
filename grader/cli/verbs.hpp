// One verb a file: each adds its subcommand and returns what runs it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace CLI {
class App;
}

namespace warpgrade::cli {

struct Verb {
    CLI::App* app = nullptr;
    std::function<int()> run;  // returns the exit code
    bool is_for_instructors = false;
    bool takes_any_words = false;  // and says itself what is wrong with them
};

Verb add_bench(CLI::App& parent);
Verb add_calibrate(CLI::App& parent);
Verb add_check(CLI::App& parent);
Verb add_explain(CLI::App& parent, std::vector<std::string> program_arguments);
Verb add_hint(CLI::App& parent);
Verb add_list(CLI::App& parent);
Verb add_new(CLI::App& parent);
Verb add_quiz(CLI::App& parent);
Verb add_reset(CLI::App& parent);
Verb add_run(CLI::App& parent, std::vector<std::string> program_arguments);
Verb add_solution(CLI::App& parent);
Verb add_status(CLI::App& parent);
Verb add_verify(CLI::App& parent);
Verb add_watch(CLI::App& parent);
Verb add_doctor(CLI::App& parent);
Verb add_grade(CLI::App& parent);
Verb add_report(CLI::App& parent);
Verb add_diff(CLI::App& parent);
Verb add_export(CLI::App& parent);
Verb add_forget(CLI::App& parent);
Verb add_regrade(CLI::App& parent);
Verb add_release(CLI::App& parent);
Verb add_submit(CLI::App& parent);
Verb add_completion(CLI::App& parent);
std::vector<Verb> add_launcher_verbs(CLI::App& parent);
// All of them, with those of the launcher and the wheel's own.
std::vector<std::string> verb_names();

// `explain` and `hint` of one stage's file, for who is in another verb already.
int explain_file(const std::string& path, const std::string& stage);
int show_hint(const std::string& stage, int level);

// Shows the diagnostic on standard error; returns its exit code.
int fail(const Diagnostic& diagnostic);

// Writes to standard output and flushes, so that standard error stays in order.
void show(const std::string& text);

}  // namespace warpgrade::cli
