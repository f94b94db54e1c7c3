// Evidence of a check, and its messages again: replay record FILE STAGE [SHAPE], or replay tell, which reads lines of
// FILE, STAGE, SHAPE and evidence, with tabs between, and prints what `check` would say first of each, with a line of
// one form feed behind it.
#include <fmt/format.h>

#include <iostream>
#include <sstream>

#include "base/json_text.hpp"
#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "grade/evidence.hpp"
#include "grade/stage_grader.hpp"
#include "proof/prove.hpp"

namespace warpgrade::cli {
namespace {

struct Order {
    Target target;
    GradeOptions options;
};

template <class T>
T value_of(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().title);
    return std::move(*result);
}

Order order_of(const Course& course, const std::vector<explain::Rule>& rules, const std::string& file,
               const std::string& stage, const std::string& shape) {
    Order order{value_of(find_targets(course, {file}, stage)).front(), {}};
    SharedOptions options;
    if (!shape.empty()) options.shapes = {shape};
    order.options.shapes = value_of(parse_shapes(options, order.target));
    order.options.rules = &rules;
    order.options.threads = 1;
    order.options.seed = options.seed;
    return order;
}

void record(const Course& course, const Order& order) {
    SharedOptions virtual_gpu;
    virtual_gpu.device = "virtual";
    const Machine machine = value_of(open_machine(virtual_gpu, course));
    Evidence evidence;
    GradeOptions options = order.options;
    machine.add_to(options);
    options.runs_what_is_proved = !proof::is_available();  // as `check` does
    options.evidence = &evidence;
    value_of(
        grade_stage(*order.target.assignment, *order.target.stage, order.target.path, *machine.virtual_gpu, options));
    std::cout << json_text(json_of(evidence)) << "\n";
}

void tell(const Order& order, const std::string& json) {
    const Evidence evidence = evidence_from(Json::parse(json));
    const StageResult result =
        told_again(*order.target.assignment, *order.target.stage, order.target.path, order.options, evidence);
    std::cout << render_findings(all_findings(result), 3, {}) << "\f\n";
}

int run(const std::vector<std::string>& words) {
    const Course course = value_of(open_course());
    const auto rules = value_of(rules_of(course));
    if (words.size() >= 3 && words[0] == "record") {
        record(course, order_of(course, rules, words[1], words[2], words.size() > 3 ? words[3] : ""));
        return 0;
    }
    if (words.size() != 1 || words[0] != "tell") return 2;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream in(line);
        std::string file, stage, shape, evidence;
        std::getline(in, file, '\t');
        std::getline(in, stage, '\t');
        std::getline(in, shape, '\t');
        std::getline(in, evidence);
        tell(order_of(course, rules, file, stage, shape), evidence);
    }
    return 0;
}

}  // namespace
}  // namespace warpgrade::cli

int main(int count, char** words) {
    try {
        return warpgrade::cli::run({words + 1, words + count});
    } catch (const std::exception& error) {
        std::cerr << "replay: " << error.what() << "\n";
        return 1;
    }
}
