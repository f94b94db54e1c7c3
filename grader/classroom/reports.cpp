#include "classroom/reports.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/command.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "compile/kit_root.hpp"

namespace warpgrade::classroom {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_run{900};  // the program that makes reports ends itself sooner

std::string package_digest(const std::string& root) {
    Sha256 hash;
    std::vector<fs::path> files;
    std::error_code error;
    const fs::path folder = fs::path(root) / "reports";
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->is_regular_file(error) && at->path().extension() != ".pyc") files.push_back(at->path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        hash.add_field(file.lexically_relative(folder).string());
        const auto text = read_whole_file(file);
        hash.add_field(text ? *text : "");
    }
    return hash.hex();
}

std::string last_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

}  // namespace

ReportMaker::ReportMaker(std::string root) : root_(std::move(root)), digest_(package_digest(root_)) {}

Result<ReportMaker> ReportMaker::open(const std::string& root) {
    std::error_code error;
    const fs::path python = kit_python(root);
    const fs::path note =
        python.parent_path().parent_path() / "installed-requirements.txt";  // by grader/launch/python.sh
    if (fs::exists(python, error) && (is_python_given() || fs::exists(note, error))) return ReportMaker(root);
    return Diagnostic{.blame = Blame::host,
                      .code = "no_reports",
                      .title = "reports need Python packages that are not installed",
                      .marks = {},
                      .facts = {"matplotlib and jinja2, in .venv: the command ./grader/warpgrade installs them"},
                      .help = "type `./grader/warpgrade` in front of the verb instead of the program's own path"};
}

Result<std::string> ReportMaker::run(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words{kit_python(root_).string(),
                                   "-I",
                                   "-B",
                                   "-X",
                                   "utf8",
                                   (fs::path(root_) / "grader" / "launch" / "isolated.py").string(),
                                   "reports"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Ended ended = run_program(words, longest_run);
    if (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0) return ended.output;
    std::string why =
        ended.is_out_of_time ? fmt::format("it was not done after {} s", longest_run.count()) : last_line(ended.output);
    if (why.starts_with("reports: ")) why.erase(0, 9);
    const bool is_usage = WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 2;
    return Diagnostic{.blame = is_usage ? Blame::usage : Blame::kit,
                      .code = "no_report",
                      .title = "the report could not be made",
                      .marks = {},
                      .facts = {why.empty() ? "the program that makes it ended without a word" : why},
                      .help = is_usage ? "" : "this is a defect of the kit; please report it"};
}

std::vector<std::string> make_class_reports(const ReportMaker& maker, const fs::path& out,
                                            const std::vector<ReportOf>& students, int workers,
                                            const std::function<void(std::size_t, std::size_t)>& progress) {
    struct Job {
        std::string name;                    // for messages
        std::vector<std::string> arguments;  // of `reports`
        std::string digest;                  // of all that the report is made from
        fs::path stamp, page;
    };
    std::vector<Job> jobs;
    Sha256 whole;
    whole.add_field(maker.digest());
    std::error_code error;
    fs::create_directories(out / "reports", error);  // the class's page links into it where it is there
    const auto add = [&](Job job) {
        const auto known = read_whole_file(job.stamp, 1024);
        if (!known || *known != job.digest || !fs::exists(job.page, error)) jobs.push_back(std::move(job));
    };
    for (const auto& [student, name] : students) {
        const fs::path result = out / "results" / (student + ".json"), folder = out / "reports" / student;
        const auto text = read_whole_file(result);
        if (!text) continue;
        const std::string digest = sha256_hex(maker.digest() + name + '\n' + *text);
        whole.add_field(student);
        whole.add_field(digest);
        add({student,
             {"student", result.string(), "--without-seed", "--name=" + name, "--out", folder.string()},
             digest,
             out / ".store" / "reports" / student,
             folder / "report.html"});
    }
    for (const char* name : {"class.json", "marks.json"}) {  // names, sections, lateness, who has no result
        const auto text = read_whole_file(out / name);
        whole.add_field(text ? *text : "");
    }
    Job of_class{"the class",
                 {"class", (out / "results").string(), "--out", out.string()},
                 whole.hex(),
                 out / ".store" / "class-report",
                 out / "class.html"};
    if (!students.empty()) add(std::move(of_class));

    std::vector<std::string> problems;
    std::mutex one_at_a_time;
    std::atomic<std::size_t> next{0};
    std::size_t done = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < jobs.size(); i = next++) {
            const auto made = maker.run(jobs[i].arguments);
            const std::lock_guard lock(one_at_a_time);
            if (!made)
                problems.push_back("no report of " + jobs[i].name + ": " + made.error().facts.front());
            else if (auto status = replace_file(jobs[i].stamp, jobs[i].digest); !status)
                problems.push_back(status.error().title);
            progress(++done, jobs.size());
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < workers; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    // What a student who is no longer in the class had, if it was made here.
    std::vector<std::string> stale;
    for (fs::directory_iterator at(out / ".store" / "reports", error), end; !error && at != end; at.increment(error))
        if (const std::string name = at->path().filename().string();
            std::none_of(students.begin(), students.end(), [&](const ReportOf& one) { return one.file_name == name; }))
            stale.push_back(name);
    for (const std::string& name : stale) {
        fs::remove_all(out / "reports" / name, error);
        fs::remove(out / ".store" / "reports" / name, error);
    }
    std::sort(problems.begin(), problems.end());
    return problems;
}

}  // namespace warpgrade::classroom
