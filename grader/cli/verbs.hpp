// One verb a file: each adds its subcommand and returns what runs it.
#pragma once

#include <functional>
#include <string>

#include "base/diagnostic.hpp"

namespace CLI {
class App;
}

namespace warpgrade::cli {

struct Verb {
    CLI::App* app = nullptr;
    std::function<int()> run;  // returns the exit code
};

Verb add_bench(CLI::App& parent);
Verb add_calibrate(CLI::App& parent);
Verb add_check(CLI::App& parent);
Verb add_explain(CLI::App& parent);
Verb add_hint(CLI::App& parent);
Verb add_list(CLI::App& parent);
Verb add_verify(CLI::App& parent);
Verb add_doctor(CLI::App& parent);
Verb add_grade(CLI::App& parent);
Verb add_report(CLI::App& parent);
Verb add_diff(CLI::App& parent);
Verb add_export(CLI::App& parent);
Verb add_forget(CLI::App& parent);
Verb add_regrade(CLI::App& parent);
Verb add_release(CLI::App& parent);
Verb add_submit(CLI::App& parent);

// Shows the diagnostic on standard error; returns its exit code.
int fail(const Diagnostic& diagnostic);

// Writes to standard output and flushes, so that standard error stays in order.
void show(const std::string& text);

}  // namespace warpgrade::cli
