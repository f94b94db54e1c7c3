// Grades a class on a Slurm cluster. Slurm runs the work, and nothing else is new: the same store, the same workers.
//
// Theory of operation. `grade --executor slurm` reads the hand-ins as ever, and writes the stages that nobody has
// graded yet as lists, some to each element of a job array. An element (hidden verb `grade-chunk`) grades its list into
// the class's own store, where an entry is written whole or not at all; before each stage it leaves a line that says
// so. A second job, which waits for the array whatever becomes of it, is the same `grade` command again: it finds what
// is in the store, and either writes the gradebook or sends what is missing once more. What was begun and never ended
// goes alone the next time, and after three times it is an internal error of that stage, for a person. So what counts
// is what lies in the store; Slurm's word is used only to say why something is missing, and to see that somebody has
// cancelled the work. Typing the command again by hand is the way to go on after anything.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/wire.hpp"
#include "classroom/batch.hpp"

namespace warpgrade::cli {

inline constexpr const char* grade_chunk_verb = "grade-chunk";
// Set for the job that waits for an array.
inline constexpr const char* collector_variable = "WARPGRADE_COLLECTS";

struct SlurmSettings {
    std::filesystem::path out;         // the class's folder
    std::vector<std::string> options;  // for sbatch: "--partition=gpu", "--gres=gpu:h200:1"
    int stages_an_element = 16;
    int elements_at_once = 0;          // 0: as many as Slurm gives
    bool is_collector = false;         // started by Slurm after an array
    std::string device;                // what the elements' own device has to be, as JSON
    std::vector<std::string> command;  // this command, to be run again
    std::function<wire::Fields(const classroom::StageOrder&)> worker_job;
    std::function<void(const std::string&)> say;
};

// Sends what is ordered. Error: host: no Slurm here, or it takes no job.
Result<classroom::Elsewhere> grade_on_slurm(const SlurmSettings& settings,
                                            const std::vector<classroom::StageOrder>& orders);

// Lists of at most `size`; what was begun before and has no result is alone in its own. `most`: elements that an array
// may have; lists grow until they fit.
std::vector<std::vector<std::string>> chunks_of(const std::vector<std::string>& keys,
                                                const std::map<std::string, int>& starts, std::size_t size,
                                                std::size_t most);

// The element: grades the list of $SLURM_ARRAY_TASK_ID in the folder $WARPGRADE_CHUNKS.
int grade_chunk_main();

}  // namespace warpgrade::cli
