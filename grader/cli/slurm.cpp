#include "cli/slurm.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

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
    bool is_at_work(const std::string& job) const;
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

bool Sender::is_at_work(const std::string& job) const {
    if (job.empty()) return false;
    const Ended queue = cli::run({"squeue", "--noheader", "--jobs", job, "--format", "%T"});
    return queue.code == 0 && !queue.output.empty();
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
    return diagnose(Blame::host, "no_slurm",
                    ended.code == 127 ? "there is no Slurm here: no `sbatch`" : "Slurm took no job",
                    ended.code == 127 ? "leave --executor out: `grade` works on this machine alone"
                                      : "mend what it says, or the options that --slurm gave",
                    {ended.output.empty() ? "it said nothing" : ended.output});
}

Result<Elsewhere> Sender::run() {
    const Round before = last_round();
    if (is_at_work(before.job))
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
    const auto chunks =
        chunks_of(keys, starts, static_cast<std::size_t>(std::max(1, settings_.stages_an_element)), most_elements());
    const fs::path lists = folder_ / "lists";
    if (auto status = write_lists(chunks, lists); !status) return status.error();
    std::error_code error;
    fs::create_directories(folder_ / "started", error);
    fs::create_directories(folder_ / "logs", error);
    std::string range = fmt::format("--array=0-{}", chunks.size() - 1);
    if (settings_.elements_at_once > 0) range += fmt::format("%{}", settings_.elements_at_once);
    std::vector<std::string> words{"--job-name=warpgrade", "--requeue", range,
                                   "--output=" + (folder_ / "logs" / "%A_%a.log").string()};
    words.insert(words.end(), settings_.options.begin(), settings_.options.end());
    const std::string program = settings_.command.front();
    auto job = submit(words, fmt::format("exec env CUDA_DEVICE_ORDER=PCI_BUS_ID WARPGRADE_CHUNKS={} {} {}",
                                         shell_quoted(lists.string()), shell_quoted(program), grade_chunk_verb));
    if (!job) return job.error();
    if (auto status = replace_file(folder_ / "round.json", json_text(Json{{"job", *job}, {"number", number}}) + "\n");
        !status)
        return status.error();
    std::vector<std::string> again{"--job-name=warpgrade-collect", "--dependency=afterany:" + *job,
                                   "--output=" + (folder_ / "logs" / "collect-%j.log").string()};
    for (const std::string& option : settings_.options)
        if (!option.starts_with("--gres") && !option.starts_with("--gpus") && !option.starts_with("--array"))
            again.push_back(option);
    auto collector =
        submit(again, fmt::format("exec env {}=1 {}", collector_variable, line_of_words(settings_.command)));
    if (!collector) return collector.error();
    return pending(keys.size(), fmt::format("sent {} stages as job {} of {} elements; job {} collects\n", keys.size(),
                                            *job, chunks.size(), *collector));
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

Result<Elsewhere> grade_on_slurm(const SlurmSettings& settings, const std::vector<StageOrder>& orders) {
    return Sender(settings, orders).run();
}

}  // namespace warpgrade::cli
