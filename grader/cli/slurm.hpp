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
    std::filesystem::path out;                   // the class's folder
    std::vector<std::string> options;            // for sbatch: "--partition=gpu", "--gres=gpu:h200:1"
    std::vector<std::string> collector_options;  // the same, of the second job; empty: `options` without GPUs
    std::string prefix;                          // of an element's command: "apptainer exec --nv image.sif"
    std::string mail;                            // an address for the end; empty: none
    int stages_an_element = 16;
    int elements_at_once = 0;          // 0: as many as Slurm gives
    bool is_collector = false;         // started by Slurm after an array
    std::string device;                // what the elements' own device has to be, as JSON
    std::vector<std::string> command;  // this command, to be run again
    std::function<wire::Fields(const classroom::StageOrder&)> worker_job;
    std::function<void(const std::string&)> say;
};

// Sends what is ordered: in fewer and longer elements where Slurm takes no more jobs of one user. Error: host: no Slurm
// here, it does not answer, or takes no job.
Result<classroom::Elsewhere> grade_on_slurm(const SlurmSettings& settings,
                                            const std::vector<classroom::StageOrder>& orders);

// Lists of at most `size`; what was begun before and has no result is alone in its own. `most`: elements that an array
// may have; lists grow until they fit.
std::vector<std::vector<std::string>> chunks_of(const std::vector<std::string>& keys,
                                                const std::map<std::string, int>& starts, std::size_t size,
                                                std::size_t most);

// "--time=MINUTES" of an element of `stages` stages, from what stages of this class took (seconds, in any order): twice
// the longest for each of them, and some minutes to begin. Empty: nothing is known yet.
std::string time_option(const std::vector<double>& seconds, std::size_t stages);

// The element: grades the list of $SLURM_ARRAY_TASK_ID in the folder $WARPGRADE_CHUNKS.
int grade_chunk_main();

}  // namespace warpgrade::cli
