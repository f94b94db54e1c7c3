#include "cli/class_intake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <thread>

#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using namespace classroom;

// Notes are for a person: thousands of names, each as long as names may be, are for nobody.
void shorten(std::vector<std::string>& notes) {
    constexpr std::size_t most_notes = 20;
    constexpr int most_columns = 300;
    const std::size_t all = notes.size();
    if (all > most_notes) {
        notes.resize(most_notes - 1);
        notes.push_back(fmt::format("and {} more notes", all - notes.size()));
    }
    for (std::string& note : notes) note = cut(escape(note), most_columns);
}

// What of a student's hand-ins can be graded.
Status read_one(const Course& course, const std::vector<StubWords>& stubs, const HandInMap& map,
                const fs::path& scratch, Submission& submission) {
    Contents found;
    for (HandIn& hand_in : submission.hand_ins) {
        auto contents = read_hand_in(hand_in, scratch);
        if (!contents) return contents.error();
        const auto add = [](auto& to, auto& from) { std::move(from.begin(), from.end(), std::back_inserter(to)); };
        add(found.sources, contents->sources);
        add(found.others, contents->others);
        add(found.notes, contents->notes);
        add(found.problems, contents->problems);
    }
    const std::string unread = found.problems.empty() ? "" : found.problems.front();
    choose_sources(course.assignments, stubs, std::move(found), map, submission);
    if (submission.sources.empty() && !submission.hand_ins.empty()) {
        submission.problem = !unread.empty()               ? unread
                             : !submission.unclear.empty() ? submission.unclear.begin()->second
                                                           : "no file of it has the name of a stage's file";
    }
    shorten(submission.notes);
    shorten(submission.questions);
    return Nothing{};
}

}  // namespace

Status read_all(const Course& course, const HandInMap& map, const fs::path& scratch, int workers,
                std::vector<Submission>& submissions) {
    std::error_code error;
    const std::vector<StubWords> stubs = words_of_stubs(course.assignments);
    std::atomic<std::size_t> next{0};
    std::vector<std::optional<Diagnostic>> failures(submissions.size());
    const auto work = [&] {
        for (std::size_t i = next++; i < submissions.size(); i = next++) {
            try {
                if (auto status = read_one(course, stubs, map, scratch, submissions[i]); !status)
                    failures[i] = status.error();
            } catch (const std::exception& failure) {
                submissions[i].sources.clear();
                submissions[i].problem = fmt::format("reading it failed: {}", failure.what());
            }
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < workers; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    fs::remove_all(scratch, error);
    for (const auto& failure : failures)
        if (failure) return *failure;
    return Nothing{};
}

void leave_out_unused(const std::vector<Submission>& submissions, std::vector<const Assignment*>& assignments,
                      std::vector<std::string>& notes, std::vector<std::string>& questions) {
    const auto has_begun = [](const Submission& submission, const Assignment& assignment) {
        return std::any_of(assignment.stages.begin(), assignment.stages.end(), [&](const Stage& stage) {
            const auto source = submission.sources.find(stage.name());
            return source != submission.sources.end() && !stage.is_stub(source->second.text);
        });
    };
    const auto count = [&](const Assignment& assignment) {
        return static_cast<std::size_t>(
            std::count_if(submissions.begin(), submissions.end(), [&](const Submission& submission) {
                return submission.student.role.empty() && has_begun(submission, assignment);
            }));
    };
    std::size_t most = 0;
    for (const Assignment* assignment : assignments) most = std::max(most, count(*assignment));
    std::vector<const Assignment*> used;
    std::vector<std::string> untouched;
    for (const Assignment* assignment : assignments) {
        const std::size_t begun = count(*assignment);
        constexpr std::size_t enough = 4;  // a quarter of those who began what most have begun
        if (begun > 0 && begun * enough >= most) {
            used.push_back(assignment);
            continue;
        }
        if (begun == 0) {
            untouched.push_back(assignment->name);
            continue;
        }
        std::string who;
        for (const Submission& submission : submissions)
            if (has_begun(submission, *assignment)) who += (who.empty() ? "`" : ", `") + submission.student.id + "`";
        questions.push_back(fmt::format("only {} handed in {}: it does not count; `--assignment {}` makes it count",
                                        who, assignment->name, assignment->name));
    }
    if (!untouched.empty())
        notes.push_back(fmt::format("nobody handed in {}: {} not count; `--assignment {}` makes {} count",
                                    fmt::join(untouched, ", "), untouched.size() == 1 ? "it does" : "they do",
                                    untouched.size() == 1 ? untouched.front() : "NAME",
                                    untouched.size() == 1 ? "it" : "one"));
    if (!used.empty()) assignments = used;
}

void ask_about_other_stages(std::vector<Submission>& submissions, const std::set<std::string>& counts) {
    if (counts.empty()) return;
    for (Submission& submission : submissions) {
        if (submission.sources.empty() || !submission.unclear.empty()) continue;
        std::string others;
        bool has_one = false;
        for (const auto& [stage, source] : submission.sources) {
            has_one = has_one || counts.contains(stage);
            others += (others.empty() ? "" : ", ") + stage;
        }
        if (!has_one) submission.questions.push_back(fmt::format("handed in nothing of what counts, and {}", others));
    }
}

}  // namespace warpgrade::cli
