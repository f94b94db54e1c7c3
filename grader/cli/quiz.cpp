// Questions about the learner's own kernel; the virtual GPU has the answers.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <regex>

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

namespace warpgrade::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_source_bytes = 1 << 20;  // of a file

struct QuizOptions : SharedOptions {
    std::string word;
    std::vector<std::string> answers;
    bool reveals = false, keeps = false;
};

// As it is typed, and as `explain` prints it: 32,768.
std::optional<std::uint64_t> whole_number(const std::string& text) {
    static const std::regex number(R"re(\s*(\d+|\d{1,3}(?:,\d{3})+)\s*)re");
    std::smatch found;
    if (text.size() > 40 || !std::regex_match(text, found, number)) return std::nullopt;
    std::string digits = found[1];
    std::erase(digits, ',');
    const auto answer = quiz_answer_from("1=" + digits);
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
Json questions_json(const StageResult& explained, const Stage& stage, const RenderStyle& style) {
    Json questions = Json::array();
    const auto add = [&](const QuizQuestion& question, const std::string& why) {
        questions.push_back({{"id", question.id},
                             {"line", question.line},
                             {"text", question.text},
                             {"how", question.how},
                             {"unit", question.unit},
                             {"answer", question.answer},
                             {"why", why}});
    };
    for (const QuizQuestion& question : quiz_questions(explained, stage))
        add(question, question.access            ? render_access(*question.access, style)
                      : question.working.empty() ? ""
                                                 : fmt::format("    {}\n", question.working));
    if (const auto limit = quiz_limit_question(explained); limit && !questions.empty())
        add(*limit, wrap_after("    ", escape_lines(explained.bandwidth->limiter), style.columns));
    return {{"shape", to_string(explained.counters_shape)},
            {"sha256", explained.sha256},
            {"questions", std::move(questions)}};
}

// The answers go into the file that they are about: what is handed in is one thing.
Status keep_answers(const Target& target, const QuizAnswers& answers) {
    const auto source = read_whole_file(target.path, most_source_bytes);
    if (!source) return source.error();
    return replace_file(target.path, with_quiz_line(*source, answers));
}

// The first answer that is kept is the one that counts: it is in the file before anything is said about it, and only
// then is the right one told. A wrong one that is not kept is told the way to the answer.
class Quiz {
public:
    Quiz(Json json, const Target& target, const std::string& command, KeptAnswers kept)
        : json_(std::move(json)),
          target_(target),
          command_(command),
          kept_(std::move(kept.answers)),
          has_those_of_old_(kept_.empty() && kept.has_those_of_old) {
        kept_.erase(kept_.upper_bound(size()), kept_.end());
        answers_ = kept_;
    }

    std::size_t size() const { return json_["questions"].size(); }

    // An answer that is kept stays.
    Status take(const QuizAnswers& given, bool keeps) {
        for (const auto& [number, value] : given) {
            if (keeps && kept_.contains(number)) {
                late_.push_back(number);
                continue;
            }
            answers_[number] = value;
        }
        if (!keeps) return Nothing{};
        auto status = keep_answers(target_, answers_);
        if (status) kept_ = answers_;
        return status;
    }

    // One after the other, until it is right or kept, or has been wrong twice. Stops where the input ends.
    Status ask(bool keeps, const RenderStyle& style) {
        show(head(style) + "  type a number and Enter; Ctrl-D ends\n");
        for (std::size_t i = 0; i < size(); ++i) {
            show("\n" + question(i, style));
            for (int tries = 0; !kept_.contains(i + 1) && tries < 2; ++tries) {
                const auto value = read_number();
                if (!value) {
                    show(answers_.empty() ? "\n" : "\n\n" + sum());
                    return Nothing{};
                }
                if (auto status = take({{i + 1, *value}}, keeps); !status) return status;
                if (keeps || is_right(i)) break;
                if (tries == 0) show(verdict(i, false, style));
            }
            show(verdict(i, true, style));
        }
        show("\n" + sum());
        return Nothing{};
    }

    std::string text(bool reveals, const RenderStyle& style) const {
        std::string out = head(style);
        bool has_untold = false;
        for (std::size_t i = 0; i < size(); ++i) {
            out += "\n" + question(i, style);
            if (answers_.contains(i + 1)) {
                out += verdict(i, is_told(i, reveals), style);
                has_untold = has_untold || (!is_right(i) && !is_told(i, reveals));
            } else if (reveals) {
                out += fmt::format("    {}\n", answer(i));
            }
        }
        if (!answers_.empty()) out += "\n" + sum();
        if (has_untold)
            out += labelled("pictures", fmt::format("`{} explain {}`", command_, target_.argument), style) +
                   labelled("answers", fmt::format("`{} quiz {} --reveal`", command_, target_.argument), style);
        if (reveals || answers_.size() == size() || (!answers_.empty() && kept_.empty())) return out;
        return out + (answers_.empty() ? "\n" : "") + how_to_answer(style);
    }

    // What is in the file now, in words.
    std::string kept_text(const RenderStyle& style) const {
        std::string out;
        for (const std::size_t number : late_)
            out += labelled("stays", fmt::format("question {} was answered before: its first answer counts", number),
                            style);
        return out + labelled("kept",
                              fmt::format("in the last line of {}; an editor that has it open has to read it again",
                                          escape(target_.path)),
                              style);
    }

    Json json(bool reveals) const {
        Json out{{"schema", "warpgrade.quiz/1"},     {"assignment", target_.assignment->name},
                 {"stage", target_.stage->id},       {"source", target_.path},
                 {"sha256", json_["sha256"]},        {"shape", json_["shape"]},
                 {"answered", answers_.size()},      {"right", right()},
                 {"of_old_code", has_those_of_old_}, {"questions", Json::array()}};
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
                one["right"] = is_right(i);
                one["kept"] = kept_.contains(i + 1);
                if (!is_right(i)) one["how"] = from["how"];
            }
            if (is_told(i, reveals)) one["answer"] = answer(i);
            out["questions"].push_back(std::move(one));
        }
        return out;
    }

    bool has_wrong() const { return right() < answers_.size(); }
    bool has_answers() const { return !answers_.empty(); }

private:
    std::string of(std::size_t i, const char* key) const { return json_["questions"][i].value(key, ""); }
    std::uint64_t answer(std::size_t i) const { return json_["questions"][i].value("answer", std::uint64_t{0}); }
    bool is_right(std::size_t i) const { return answers_.at(i + 1) == answer(i); }
    bool is_told(std::size_t i, bool reveals) const { return reveals || kept_.contains(i + 1); }

    static std::optional<std::uint64_t> read_number() {
        show("> ");
        std::string line;
        while (std::getline(std::cin, line)) {
            if (const auto value = whole_number(line)) return value;
            show("a whole number is asked for, as in 1024; Ctrl-D ends\n> ");
        }
        return std::nullopt;
    }

    std::string head(const RenderStyle& style) const {
        std::string out = stage_header(target_.stage->name(), target_.path, style) +
                          fmt::format("  {}, counted on shape {}; work them out with a pencil\n",
                                      counted(size(), "question", "questions"), escape(json_.value("shape", "")));
        if (has_those_of_old_)
            out +=
                wrap_after("  ", "The answers in the file are about earlier code, and count no more.", style.columns);
        return out;
    }

    std::string question(std::size_t i, const RenderStyle& style) const {
        return wrap_after(fmt::format("{:>2}  ", i + 1), escape_lines(of(i, "text")), style.columns);
    }

    std::string verdict(std::size_t i, bool is_told, const RenderStyle& style) const {
        const std::uint64_t given = answers_.at(i + 1);
        if (is_right(i)) return paint(fmt::format("    {}: right\n", given), Paint::green, style);
        if (!is_told)
            return paint(fmt::format("    {}: no\n", given), Paint::red, style) +
                   wrap_after("    ", of(i, "how"), style.columns);
        return paint(fmt::format("    {}: no, it is {}\n", given, answer(i)), Paint::red, style) + of(i, "why");
    }

    std::string how_to_answer(const RenderStyle& style) const {
        const bool counts = target_.stage->quiz_points > 0;
        std::string out =
            labelled("answer",
                     fmt::format("`{} quiz {}{}` in a terminal, or with `--answer 1=N --answer 2=N` and so on",
                                 command_, target_.argument, counts || !kept_.empty() ? " --keep" : ""),
                     style);
        if (counts)
            out += labelled("points", "the first answer to each question counts, and is kept in the file", style);
        return out;
    }

    std::size_t right() const {
        std::size_t count = 0;
        for (const auto& one : answers_) count += is_right(one.first - 1);
        return count;
    }

    std::string sum() const {
        return fmt::format("{} of {} right\n", right(), counted(answers_.size(), "answer", "answers"));
    }

    Json json_;
    const Target& target_;
    std::string command_;
    QuizAnswers kept_, answers_;     // in the file; those and what was given now
    std::vector<std::size_t> late_;  // questions that were answered again
    bool has_those_of_old_;
};

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
    const bool counts = target.stage->quiz_points > 0;
    if (counts && options.reveals)
        return fail(usage("answers_count", fmt::format("the answers to {} give points", target.argument),
                          "answer with `--keep`: then the right ones are told"));
    if (counts && !options.keeps && !options.answers.empty())
        return fail(usage("answers_count", fmt::format("the answers to {} give points", target.argument),
                          "work them out, then add `--keep`: the first answer to each question counts"));
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
        return {explained->compiles ? "compiles" : "does not",
                json_text(questions_json(*explained, *target.stage, style))};
    });
    if (!reply) return fail(reply.error());
    auto json = json_from(reply->size() == 2 ? reply->back() : "");
    if (!json) return fail(json.error());
    if (!json->contains("questions") || (*json)["questions"].empty())
        return fail(nothing_to_ask(target, course->command, reply->front() == "compiles"));
    const bool asks = options.answers.empty() && !options.reveals && !options.is_json() && (options.keeps || !counts) &&
                      is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO);
    KeptAnswers kept;
    if (options.shapes.empty() && (options.keeps || (!asks && answers->empty())))
        if (const auto source = read_whole_file(target.path, most_source_bytes)) kept = quiz_answers_in(*source);
    Quiz quiz(std::move(*json), target, course->command, std::move(kept));
    if (!answers->empty() && answers->rbegin()->first > quiz.size())
        return fail(usage("no_such_question", fmt::format("there is no question {}", answers->rbegin()->first),
                          fmt::format("they are numbered from 1 to {}", quiz.size())));
    if (asks) {
        if (auto status = quiz.ask(options.keeps, style); !status) return fail(status.error());
    } else {
        if (!answers->empty())
            if (auto status = quiz.take(*answers, options.keeps); !status) return fail(status.error());
        show(options.is_json() ? json_text(quiz.json(options.reveals), 2) + "\n" : quiz.text(options.reveals, style));
    }
    if (options.keeps && quiz.has_answers() && !options.is_json()) show(quiz.kept_text(style));
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
    app->add_flag("--reveal", options->reveals, "show the answers, where they give no points");
    app->add_flag("--keep", options->keeps, "keep the answers in the file: the first to each counts");
    add_shared(*app, *options);
    return {app, [options] { return run_quiz(*options); }};
}

}  // namespace warpgrade::cli
