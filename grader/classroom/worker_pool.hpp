// Runs jobs in worker processes, several at a time: what one of them does to its process stops no other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/wire.hpp"

namespace warpgrade::classroom {

struct PoolLimits {
    int wall_seconds = 1800;                   // the last resort: a worker that neither works nor ends
    std::uint64_t reply_bytes = 256ull << 20;  // more is a defect
    std::vector<int> cards{0};                 // to be used; a worker learns its own as the last field of its job
};

struct PoolReply {
    wire::Fields fields;  // what the worker answered; empty if it did not
    std::string failure;  // then why, a sentence: "was stopped by signal 11 (Segmentation fault)"
    bool ok() const { return failure.empty(); }
};

// Starts this program with the hidden verb for each job, at most `workers` at a time, in order. A job that fails is
// tried once more when all others are done, with nothing beside it; the workers share the cards evenly; `done` hears of
// each job once, from one thread at a time, and says whether to go on: after a false no other job is started.
void run_jobs(const char* verb, const std::vector<wire::Fields>& jobs, int workers, const PoolLimits& limits,
              const std::function<bool(std::size_t job, PoolReply reply)>& done);

// Cores that this process may run on.
int usable_cores();

}  // namespace warpgrade::classroom
