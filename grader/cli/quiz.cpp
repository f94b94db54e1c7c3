// Questions about the learner's own kernel; the virtual GPU has the answers.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "cli/behind_walls.hpp"
#include "cli/check_view.hpp"
#include "cli/diagnose.hpp"
#include "cli/explain_view.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "grade/quiz.hpp"
#include "grade/stage_grader.hpp"
#include "problem/problem.hpp"

namespace warpgrade::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_source_bytes = 1 << 20;  // of a file

struct QuizOptions : SharedOptions {
    std::string word;
    std::vector<std::string> answers;
    bool reveals = false, keeps = false;
};

std::optional<std::uint64_t> whole_number(const std::string& text) {
    const auto answer = quiz_answer_from("1=" + text);
    return answer ? std::optional(answer->second) : std::nullopt;
}

Result<QuizAnswers> parse_answers(const std::vector<std::string>& words) {
    QuizAnswers answers;
    for (const std::string& word : words) {
        const auto answer = quiz_answer_from(word);
        if (!answer)
            return usage("bad_answer", fmt::format("`{}` is no answer", escape(word)),
                         "number of the question, an equals sign and a whole number: --answer 2=32");
        answers.insert_or_assign(answer->first, answer->second);
    }
    return answers;
}

// What the confined process says: {"compiles": bool, "shape", "sha256", "questions": [...]}, or an excerpt of findings.
Json questions_json(const StageResult& explained, const Problem& problem, const RenderStyle& style) {
    Json questions = Json::array();
    const auto add = [&](const QuizQuestion& question, const std::string& why) {
        questions.push_back({{"id", question.id},
                             {"line", question.line},
                             {"text", question.text},
                             {"unit", question.unit},
                             {"answer", question.answer},
                             {"why", why}});
    };
    for (const QuizQuestion& question : quiz_questions(explained, problem))
        add(question, question.access ? render_access(*question.access, style) : "");
    if (const auto limit = quiz_limit_question(explained); limit && !questions.empty())
        add(*limit, wrap_after("    ", escape_lines(explained.bandwidth->limiter), style.columns));
    return {{"shape", to_string(explained.counters_shape)},
            {"sha256", explained.sha256},
            {"questions", std::move(questions)}};
}

class Quiz {
public:
    Quiz(Json json, const Target& target, const std::string& command, QuizAnswers answers)
        : json_(std::move(json)), target_(target), command_(command), answers_(std::move(answers)) {}

    std::size_t size() const { return json_["questions"].size(); }

    // One after the other, with the answer at once. False: the input ended.
    void ask(const RenderStyle& style) {
        show(head(style));
        for (std::size_t i = 0; i < size(); ++i) {
            show("\n" + question(i, style) + "\n> ");
            std::string line;
            std::optional<std::uint64_t> value;
            while (!value && std::getline(std::cin, line)) {
                value = whole_number(line);
                if (!value) show("a whole number\n> ");
            }
            if (!value) return show("\n");
            answers_[i + 1] = *value;
            show(verdict(i, style));
        }
        show("\n" + sum());
    }

    std::string text(const RenderStyle& style, bool reveals) const {
        std::string out = head(style);
        for (std::size_t i = 0; i < size(); ++i) {
            out += "\n" + question(i, style);
            if (answers_.contains(i + 1))
                out += verdict(i, style);
            else if (reveals)
                out += fmt::format("    {}\n", answer(i));
        }
        if (!answers_.empty()) return out + "\n" + sum();
        if (reveals) return out;
        return out + "\n" +
               labelled("answer", fmt::format("`{} quiz {} --answer 1=N --answer 2=N ...`", command_, target_.argument),
                        style);
    }

    Json json(bool reveals) const {
        Json out{{"schema", "warpgrade.quiz/1"}, {"assignment", target_.assignment->name},
                 {"stage", target_.stage->id},   {"source", target_.path},
                 {"sha256", json_["sha256"]},    {"shape", json_["shape"]},
                 {"answered", answers_.size()},  {"right", right()},
                 {"questions", Json::array()}};
        for (std::size_t i = 0; i < size(); ++i) {
            const Json& from = json_["questions"][i];
            Json one{{"number", i + 1},
                     {"id", from["id"]},
                     {"line", from["line"]},
                     {"text", from["text"]},
                     {"unit", from["unit"]}};
            const auto given = answers_.find(i + 1);
            if (given != answers_.end()) {
                one["given"] = given->second;
                one["right"] = given->second == answer(i);
            }
            if (reveals || given != answers_.end()) one["answer"] = answer(i);
            out["questions"].push_back(std::move(one));
        }
        return out;
    }

    const QuizAnswers& answers() const { return answers_; }
    bool has_wrong() const { return right() < answers_.size(); }
    std::size_t last_answered() const { return answers_.empty() ? 0 : answers_.rbegin()->first; }

private:
    std::string of(std::size_t i, const char* key) const { return json_["questions"][i].value(key, ""); }
    std::uint64_t answer(std::size_t i) const { return json_["questions"][i].value("answer", std::uint64_t{0}); }

    std::string head(const RenderStyle& style) const {
        return stage_header(target_.stage->name(), target_.path, style) +
               fmt::format("  {}, counted on shape {}; work them out with a pencil\n",
                           counted(size(), "question", "questions"), escape(json_.value("shape", "")));
    }

    std::string question(std::size_t i, const RenderStyle& style) const {
        return wrap_after(fmt::format("{:>2}  ", i + 1), escape_lines(of(i, "text")), style.columns);
    }

    std::string verdict(std::size_t i, const RenderStyle& style) const {
        const std::uint64_t given = answers_.at(i + 1);
        if (given == answer(i)) return paint(fmt::format("    {}: right\n", given), Paint::green, style);
        std::string out = paint(fmt::format("    {}: no, it is {}\n", given, answer(i)), Paint::red, style);
        const std::string why = of(i, "why");
        return why.empty() ? out : out + why;
    }

    std::size_t right() const {
        std::size_t count = 0;
        for (const auto& [number, given] : answers_)
            count += number >= 1 && number <= size() && given == answer(number - 1);
        return count;
    }

    std::string sum() const {
        return fmt::format("{} of {} right\n", right(), counted(answers_.size(), "answer", "answers"));
    }

    Json json_;
    const Target& target_;
    std::string command_;
    QuizAnswers answers_;
};

// The answers go into the file that they are about: what is handed in is one thing.
Status keep_answers(const Target& target, const QuizAnswers& answers) {
    const auto source = read_whole_file(target.path, most_source_bytes);
    if (!source) return source.error();
    return replace_file(target.path, with_quiz_line(*source, answers));
}

Diagnostic nothing_to_ask(const Target& target, const std::string& command, bool compiles) {
    return diagnose(Blame::learner, "nothing_to_ask",
                    compiles
                        ? fmt::format("no kernel of {} accesses memory yet: there is nothing to ask", target.argument)
                        : fmt::format("{} does not compile: there is nothing to ask", target.argument),
                    fmt::format("`{} check {}`", command, target.argument));
}

int run_quiz(const QuizOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    if (options.shapes.size() > 1)
        return fail(usage("one_shape", "quiz asks about one shape at a time", "give --shape once"));
    if (options.keeps && !options.shapes.empty())
        return fail(
            usage("kept_shape", "what is handed in is about the stage's own shape", "leave --shape or --keep out"));
    auto answers = parse_answers(options.answers);
    if (!answers) return fail(answers.error());
    auto course = open_course();
    if (!course) return fail(course.error());
    if (options.word.empty() && options.stage.empty())
        return fail(usage("no_stage", "quiz needs a STAGE or a FILE",
                          fmt::format("`{} quiz {}`", course->command, first_stage(*course))));
    const std::vector<std::string> words =
        options.word.empty() ? std::vector<std::string>{} : std::vector{options.word};
    auto targets = find_targets(*course, words, options.stage);
    if (!targets) return fail(targets.error());
    if (targets->size() != 1)
        return fail(usage("one_stage", "quiz asks about one stage at a time",
                          fmt::format("`{} quiz {}`", course->command, targets->front().argument)));
    const Target& target = targets->front();
    auto shapes = parse_shapes(options, target);
    if (!shapes) return fail(shapes.error());
    SharedOptions without_card = options;
    without_card.device = "virtual";
    auto machine = open_machine(without_card, *course);
    if (!machine) return fail(machine.error());
    GradeOptions grade{.seed = options.seed, .shapes = *shapes, .threads = 0};
    machine->add_to(grade);
    const RenderStyle style = style_of(STDOUT_FILENO);
    const auto reply = behind_walls(*machine, target, [&]() -> wire::Fields {
        const auto explained =
            explain_stage(*target.assignment, *target.stage, target.path, *machine->virtual_gpu, grade);
        if (!explained) return wire::to_fields(explained.error());
        const Problem& problem = *find_problem(target.stage->problem);
        return {explained->compiles ? "compiles" : "does not", json_text(questions_json(*explained, problem, style))};
    });
    if (!reply) return fail(reply.error());
    auto json = json_from(reply->size() == 2 ? reply->back() : "");
    if (!json) return fail(json.error());
    if (!json->contains("questions") || (*json)["questions"].empty())
        return fail(nothing_to_ask(target, course->command, reply->front() == "compiles"));
    const bool asks = options.answers.empty() && !options.reveals && !options.is_json() && is_terminal(STDIN_FILENO) &&
                      is_terminal(STDOUT_FILENO);
    if (!asks && options.shapes.empty())  // with what is in the file already
        if (const auto source = read_whole_file(target.path, most_source_bytes))
            if (options.keeps || answers->empty()) {
                QuizAnswers known = quiz_answers_in(*source);
                known.erase(known.upper_bound((*json)["questions"].size()), known.end());  // of an earlier version
                answers->merge(known);
            }
    Quiz quiz(std::move(*json), target, course->command, std::move(*answers));
    if (quiz.last_answered() > quiz.size())
        return fail(usage("no_such_question", fmt::format("there is no question {}", quiz.last_answered()),
                          fmt::format("they are numbered from 1 to {}", quiz.size())));
    if (asks)
        quiz.ask(style);
    else
        show(options.is_json() ? json_text(quiz.json(options.reveals), 2) + "\n" : quiz.text(style, options.reveals));
    if (options.keeps && !quiz.answers().empty()) {
        if (auto status = keep_answers(target, quiz.answers()); !status) return fail(status.error());
        if (!options.is_json())
            show(labelled("kept",
                          fmt::format("in the last line of {}; an editor that has it open has to read it again",
                                      escape(target.path)),
                          style));
    }
    const bool answers_now = asks || !options.answers.empty();
    if (answers_now && !options.keeps && !options.is_json() && target.stage->quiz_points > 0)
        show(labelled("points", "for answers that are in the file: `--keep` writes them there", style));
    return quiz.has_wrong() ? exit_code(Blame::learner) : 0;
}

}  // namespace

Verb add_quiz(CLI::App& parent) {
    const auto options = std::make_shared<QuizOptions>();
    CLI::App* app = parent.add_subcommand("quiz", "questions about your own kernel, with counted answers");
    app->add_option("what", options->word, "a stage (ASSIGNMENT/STAGE) or a file")->type_name("STAGE|FILE");
    app->add_option("--answer", options->answers, "a question's number and its answer, as in 2=32; repeatable")
        ->type_name("N=VALUE")
        ->allow_extra_args(false)
        ->take_all();
    app->add_flag("--reveal", options->reveals, "show the answers");
    app->add_flag("--keep", options->keeps, "write the answers into the file, to be handed in with it");
    add_shared(*app, *options);
    return {app, [options] { return run_quiz(*options); }};
}

}  // namespace warpgrade::cli
