#include "cli/slurm.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "classroom/tree.hpp"
#include "cli/diagnose.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using classroom::Elsewhere;
using classroom::StageOrder;

constexpr int most_starts = 3;                     // of one stage; then a person has to look
constexpr int most_rounds = 4;                     // that a collector sends by itself
constexpr int most_questions = 5;                  // to a controller that does not answer: 1, 2, 4, 8 s apart
constexpr std::size_t usual_most_elements = 1000;  // MaxArraySize is 1001 where nobody has set it (slurm.conf)

std::string line_of_words(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
    return line;
}

struct Ended {
    int code = -1;
    std::string output;  // both streams
};

Ended run(const std::vector<std::string>& words) {
    Ended ended;
    FILE* pipe = popen((line_of_words(words) + " 2>&1 </dev/null").c_str(), "re");
    if (pipe == nullptr) return ended;
    char buffer[4096];
    while (const std::size_t count = fread(buffer, 1, sizeof buffer, pipe)) ended.output.append(buffer, count);
    const int status = pclose(pipe);
    ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    while (ended.output.ends_with('\n')) ended.output.pop_back();
    return ended;
}

constexpr const char* too_many_code = "too_many_jobs";  // of one user; fewer may do

Diagnostic no_slurm(const Ended& ended) {
    return diagnose(Blame::host, "no_slurm", "Slurm is not on this machine: `sbatch` and `squeue` are not found",
                    "leave --executor out: `grade` works on this machine alone", {ended.output});
}

// What is known of the round before.
struct Round {
    std::string job;
    int number = 0;
};

class Sender {
public:
    Sender(const SlurmSettings& settings, const std::vector<StageOrder>& orders)
        : settings_(settings), orders_(orders), folder_(settings.out / classroom::graded_store / "slurm") {}

    Result<Elsewhere> run();

private:
    Round last_round() const;
    std::size_t most_elements() const;
    std::string states_of(const std::string& job) const;
    Result<bool> is_at_work(const std::string& job) const;
    std::vector<double> seconds_of_stages() const;
    Result<Elsewhere> send(const std::vector<std::vector<std::string>>& chunks, std::size_t count, int number) const;
    Status write_lists(const std::vector<std::vector<std::string>>& chunks, const fs::path& place) const;
    Result<std::string> submit(std::vector<std::string> words, const std::string& command) const;
    Elsewhere pending(std::size_t count, const std::string& text) const {
        settings_.say(text);
        Elsewhere elsewhere;
        elsewhere.pending = count;
        return elsewhere;
    }

    const SlurmSettings& settings_;
    const std::vector<StageOrder>& orders_;
    const fs::path folder_;
};

int starts_of(const fs::path& folder, const std::string& key) {
    const auto text = read_whole_file(folder / "started" / key, 1 << 20);
    return text ? static_cast<int>(std::count(text->begin(), text->end(), '\n')) : 0;
}

Round Sender::last_round() const {
    const auto text = read_whole_file(folder_ / "round.json", 1 << 16);
    const Json json = text ? Json::parse(*text, nullptr, false) : Json();
    return json.is_object() ? Round{json.value("job", ""), json.value("number", 0)} : Round{};
}

std::size_t Sender::most_elements() const {
    std::istringstream lines(cli::run({"scontrol", "show", "config"}).output);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("MaxArraySize"))
            if (const auto equals = line.find('='); equals != std::string::npos)
                if (const long most = std::strtol(line.c_str() + equals + 1, nullptr, 10); most > 1)
                    return static_cast<std::size_t>(most) - 1;
    return usual_most_elements;
}

// A job that has long ended is unknown to Slurm. A controller that does not answer says nothing of it, and to send the
// stages again would grade them twice.
Result<bool> Sender::is_at_work(const std::string& job) const {
    if (job.empty()) return false;
    Ended queue;
    for (int question = 0; question < most_questions; ++question) {
        if (question > 0) std::this_thread::sleep_for(std::chrono::seconds(1 << (question - 1)));
        queue = cli::run({"squeue", "--noheader", "--jobs", job, "--format", "%T"});
        if (queue.code == 0) return !queue.output.empty();
        if (queue.code == 127) return no_slurm(queue);
        if (queue.output.find("Invalid job id") != std::string::npos) return false;
    }
    return diagnose(Blame::host, "slurm_silent", fmt::format("Slurm does not say whether job {} is at work", job),
                    "type the same command again when `squeue` answers: nothing is lost", {queue.output});
}

// Of those that are graded: from the last start to the result, on this cluster.
std::vector<double> Sender::seconds_of_stages() const {
    std::vector<double> seconds;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_ / "started", error)) {
        const fs::path result = folder_.parent_path() / (entry.path().filename().string() + ".json");
        struct stat graded {};
        const auto text = read_whole_file(entry.path(), 1 << 20);
        if (!text || stat(result.c_str(), &graded) != 0) continue;
        const std::size_t last = text->rfind('\n', text->size() - 2);
        const long long begun = std::atoll(text->c_str() + (last == std::string::npos ? 0 : last + 1));
        seconds.push_back(std::max(0.0, static_cast<double>(graded.st_mtime - begun)));
    }
    return seconds;
}

// "CANCELLED, COMPLETED": of all elements, each word once; empty where nobody knows any more.
std::string Sender::states_of(const std::string& job) const {
    if (job.empty()) return "";
    std::vector<std::string> states;
    std::istringstream words(cli::run({"scontrol", "show", "job", job, "--oneliner"}).output);
    for (std::string word; words >> word;)
        if (word.starts_with("JobState=")) states.push_back(word.substr(9));
    if (states.empty()) {
        std::istringstream rows(cli::run({"sacct", "-X", "-n", "-P", "-j", job, "--format=State"}).output);
        for (std::string row; std::getline(rows, row);)
            if (!row.empty() && row.find(' ') == std::string::npos) states.push_back(row);
    }
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    std::string text;
    for (const std::string& state : states) text += (text.empty() ? "" : ", ") + state;
    return text;
}

Status Sender::write_lists(const std::vector<std::vector<std::string>>& chunks, const fs::path& place) const {
    std::error_code error;
    fs::remove_all(place, error);
    std::map<std::string, const StageOrder*> by_key;
    for (const StageOrder& order : orders_) by_key[order.key] = &order;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        wire::Fields list;
        for (const std::string& key : chunks[i]) {
            list.push_back(key);
            list.push_back(wire::pack(settings_.worker_job(*by_key.at(key))));
        }
        if (auto status = replace_file(place / std::to_string(i), wire::pack(list)); !status) return status;
    }
    return replace_file(place / "device.json", settings_.device);
}

Result<std::string> Sender::submit(std::vector<std::string> words, const std::string& command) const {
    words.insert(words.begin(), {"sbatch", "--parsable"});
    words.insert(words.end(), {"--wrap", command});
    const Ended ended = cli::run(words);
    const std::string job = ended.output.substr(ended.output.rfind('\n') + 1);
    const std::string number = job.substr(0, job.find(';'));
    if (ended.code == 0 && !number.empty() && number.find_first_not_of("0123456789") == std::string::npos)
        return number;
    if (ended.code == 127) return no_slurm(ended);
    // "QOSMaxSubmitJobPerUserLimit", "AssocMaxSubmitJobLimit", "... (QOSMaxSubmitJobPerUserLimit)"
    const bool is_too_many = ended.output.find("MaxSubmitJob") != std::string::npos;
    return diagnose(Blame::host, is_too_many ? too_many_code : "no_job", "Slurm took no job",
                    "change the options of --slurm so that Slurm takes them",
                    {ended.output.empty() ? "it said nothing" : ended.output});
}

bool names(const std::vector<std::string>& options, std::string_view option) {
    return std::any_of(options.begin(), options.end(), [&](const std::string& one) {
        return one == option || one.starts_with(fmt::format("{}=", option));
    });
}

// One array, and the job that waits for it: both, or neither.
Result<Elsewhere> Sender::send(const std::vector<std::vector<std::string>>& chunks, std::size_t count,
                               int number) const {
    const fs::path lists = folder_ / "lists";
    if (auto status = write_lists(chunks, lists); !status) return status.error();
    std::string range = fmt::format("--array=0-{}", chunks.size() - 1);
    if (settings_.elements_at_once > 0) range += fmt::format("%{}", settings_.elements_at_once);
    std::vector<std::string> words{"--job-name=warpgrade", "--requeue", range,
                                   "--output=" + (folder_ / "logs" / "%A_%a.log").string()};
    const bool has_time = names(settings_.options, "--time") || names(settings_.options, "-t");
    const std::string time = has_time ? "" : time_option(seconds_of_stages(), chunks.front().size());
    if (!time.empty()) words.push_back(time);
    words.insert(words.end(), settings_.options.begin(), settings_.options.end());
    const std::string prefix = settings_.prefix.empty() ? "" : settings_.prefix + " ";
    auto job = submit(words, fmt::format("exec env CUDA_DEVICE_ORDER=PCI_BUS_ID WARPGRADE_CHUNKS={} {}{} {}",
                                         shell_quoted(lists.string()), prefix, shell_quoted(settings_.command.front()),
                                         grade_chunk_verb));
    if (!job) return job.error();
    std::vector<std::string> again{"--job-name=warpgrade-collect", "--dependency=afterany:" + *job,
                                   "--output=" + (folder_ / "logs" / "collect-%j.log").string()};
    if (!settings_.mail.empty()) again.insert(again.end(), {"--mail-user=" + settings_.mail, "--mail-type=END,FAIL"});
    if (settings_.collector_options.empty())
        std::copy_if(settings_.options.begin(), settings_.options.end(), std::back_inserter(again),
                     [](const std::string& option) {
                         return !option.starts_with("--gres") && !option.starts_with("--gpus") &&
                                !option.starts_with("--array") && !option.starts_with("--time");
                     });
    again.insert(again.end(), settings_.collector_options.begin(), settings_.collector_options.end());
    auto collector =
        submit(again, fmt::format("exec env {}=1 {}", collector_variable, line_of_words(settings_.command)));
    if (!collector) {
        cli::run({"scancel", *job});
        return collector.error();
    }
    if (auto status = replace_file(folder_ / "round.json", json_text(Json{{"job", *job}, {"number", number}}) + "\n");
        !status)
        return status.error();
    return pending(
        count, fmt::format("sent {} stages as job {} of {} elements{}; job {} collects\n", count, *job, chunks.size(),
                           time.empty() ? "" : fmt::format(" with {} min each", time.substr(7)), *collector));
}

Result<Elsewhere> Sender::run() {
    const Round before = last_round();
    const auto is_on = is_at_work(before.job);
    if (!is_on) return is_on.error();
    if (*is_on)
        return pending(orders_.size(), fmt::format("job {} is at work: {} of its stages are not graded yet\n",
                                                   before.job, orders_.size()));
    const std::string states = states_of(before.job);
    Elsewhere elsewhere;
    std::vector<std::string> keys;
    std::map<std::string, int> starts;
    for (const StageOrder& order : orders_) {
        starts[order.key] = starts_of(folder_, order.key);
        if (starts[order.key] < most_starts) {
            keys.push_back(order.key);
            continue;
        }
        const auto said = read_whole_file(folder_ / "failed" / order.key, 1 << 16);
        elsewhere.given_up[order.key] =
            said ? *said
                 : fmt::format("it was begun {} times on the cluster and never ended{}", starts[order.key],
                               states.empty() ? "" : " (Slurm says: " + states + ")");
    }
    if (keys.empty()) return elsewhere;
    if (settings_.is_collector && states.find("CANCELLED") != std::string::npos)
        return pending(keys.size(), fmt::format("job {} was cancelled: {} stages are left; the same command goes on\n",
                                                before.job, keys.size()));
    const int number = settings_.is_collector ? before.number + 1 : 1;
    if (number > most_rounds)
        return pending(keys.size(), fmt::format("{} stages are left after {} job arrays; the same command goes on\n",
                                                keys.size(), most_rounds));
    std::error_code error;
    fs::create_directories(folder_ / "started", error);
    fs::create_directories(folder_ / "logs", error);
    for (std::size_t most = most_elements();;) {
        const auto chunks =
            chunks_of(keys, starts, static_cast<std::size_t>(std::max(1, settings_.stages_an_element)), most);
        auto sent = send(chunks, keys.size(), number);
        if (sent || sent.error().code != too_many_code || chunks.size() == 1) return sent;
        most = chunks.size() / 2;
    }
}

}  // namespace

std::vector<std::vector<std::string>> chunks_of(const std::vector<std::string>& keys,
                                                const std::map<std::string, int>& starts, std::size_t size,
                                                std::size_t most) {
    for (bool are_suspects_alone = true;; size *= 2) {
        std::vector<std::vector<std::string>> chunks, alone;
        for (const std::string& key : keys) {
            const auto begun = starts.find(key);
            if (are_suspects_alone && begun != starts.end() && begun->second > 0)
                alone.push_back({key});
            else if (chunks.empty() || chunks.back().size() >= size)
                chunks.push_back({key});
            else
                chunks.back().push_back(key);
        }
        chunks.insert(chunks.end(), alone.begin(), alone.end());
        if (chunks.size() <= most || size >= keys.size()) {
            if (chunks.size() <= most || !are_suspects_alone) return chunks;
            are_suspects_alone = false;
        }
    }
}

std::string time_option(const std::vector<double>& seconds, std::size_t stages) {
    if (seconds.empty()) return "";
    constexpr double times = 2, minutes_to_begin = 5;
    const double longest = *std::max_element(seconds.begin(), seconds.end());
    return fmt::format("--time={:.0f}",
                       std::ceil(times * longest * static_cast<double>(stages) / 60) + minutes_to_begin);
}

Result<Elsewhere> grade_on_slurm(const SlurmSettings& settings, const std::vector<StageOrder>& orders) {
    return Sender(settings, orders).run();
}

}  // namespace warpgrade::cli
