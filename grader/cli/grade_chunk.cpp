// What a job array's element does: grades its list into the class's store (cli/slurm.hpp).
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/contained_open.hpp"
#include "base/files.hpp"
#include "base/json_text.hpp"
#include "classroom/stage_store.hpp"
#include "classroom/tree.hpp"
#include "classroom/worker_pool.hpp"
#include "cli/grade_worker.hpp"
#include "cli/machine.hpp"
#include "cli/slurm.hpp"
#include "compile/cache.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// A line that is there before the stage is looked at, whatever happens then.
void mark_started(const fs::path& folder, const std::string& key) {
    const Descriptor file(open((folder / "started" / key).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    const std::string line = fmt::format("{} {}_{} {}\n", static_cast<long long>(time(nullptr)),
                                         variable("SLURM_ARRAY_JOB_ID"), variable("SLURM_ARRAY_TASK_ID"), host);
    if (!file || write(file.get(), line.data(), line.size()) < 0 || fsync(file.get()) != 0)
        std::cerr << "the mark of a start could not be written\n";
}

// Marks are compared: a stage is not timed on another card than the others.
std::string another_device(const wire::Fields& job, const std::string& wanted) {
    SharedOptions options;
    options.device = job[3];
    options.profile = job[4];
    auto course = open_course();
    if (!course) return course.error().title;
    auto machine = open_machine(options, *course);
    if (!machine) return machine.error().title;
    auto report = begin_report(options, *course, *machine);
    if (!report) return report.error().title;
    const std::string here = json_text(json_of(*report)["device"]);
    return here == wanted ? "" : fmt::format("this node's device is {}, and the class's is {}", here, wanted);
}

// Why there is nothing to keep; empty: it is kept.
std::string keep(const classroom::StageStore& store, const std::string& key, const classroom::PoolReply& reply) {
    if (!reply.ok()) return reply.failure;
    if (reply.fields.size() != 2 || reply.fields[0] != "ok")
        return reply.fields.size() == 3 ? reply.fields[2] : "the process that graded it answered in no known way";
    const Json stage = Json::parse(reply.fields[1], nullptr, false);
    if (!stage.is_object() || !stage.contains("score")) return "the process that graded it answered in no known way";
    if (stage["score"].value("state", "") == "internal_error") return stage["score"].value("why", "");
    const auto status = store.keep(key, stage);
    return status ? "" : status.error().title;
}

}  // namespace

int grade_chunk_main() {
    umask(077);
    const fs::path lists = variable("WARPGRADE_CHUNKS");
    const fs::path folder = lists.parent_path(), store_folder = folder.parent_path();
    const auto text = read_whole_file(lists / variable("SLURM_ARRAY_TASK_ID"), 256ull << 20);
    const auto device = read_whole_file(lists / "device.json", 1 << 20);
    const auto list = text ? wire::unpack(*text) : std::nullopt;
    if (!list || list->size() % 2 != 0 || !device) {
        std::cerr << "there is no such list: " << lists / variable("SLURM_ARRAY_TASK_ID") << "\n";
        return exit_code(Blame::usage);
    }
    setenv(store_variable, store_folder.c_str(), 1);
    const classroom::StageStore store(store_folder);
    const auto first = list->empty() ? std::nullopt : wire::unpack(list->at(1));
    const std::string why_not_here = first && first->size() >= 8 ? another_device(*first, *device) : "";
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> graded{0}, failed{0};
    const auto work = [&] {
        for (std::size_t at = 2 * next++; at < list->size(); at = 2 * next++) {
            const std::string& key = (*list)[at];
            const auto job = wire::unpack((*list)[at + 1]);
            if (store.has(key) || !job || job->size() < 8) continue;
            mark_started(folder, key);
            std::string why = why_not_here;
            if (why.empty())
                classroom::run_jobs(grade_worker_verb, {*job}, 1, {}, [&](std::size_t, classroom::PoolReply reply) {
                    why = keep(store, key, reply);
                    return true;
                });
            graded += why.empty();
            failed += !why.empty();
            if (why.empty()) continue;
            std::cerr << job->front() << ": " << why << "\n";
            if (auto status = replace_file(folder / "failed" / key, why); !status)
                std::cerr << status.error().title << "\n";
        }
    };
    const int cores = std::max(1, std::atoi(variable("SLURM_CPUS_PER_TASK").c_str()));
    std::vector<std::thread> threads;
    for (int i = 0; i < cores; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    std::cout << fmt::format("{} stages graded, {} failed, of a list of {}\n", graded.load(), failed.load(),
                             list->size() / 2);
    return failed == 0 ? 0 : exit_code(Blame::kit);
}

}  // namespace warpgrade::cli
