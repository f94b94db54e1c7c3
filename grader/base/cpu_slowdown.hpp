// How much longer this machine takes for a piece of work than the one that limits of processor time were set on.
#pragma once

namespace warpgrade {

// Below 1 where it is faster. Some 20 ms of this thread's processor time go into a piece of work like an interpreter's
// (rows of 32 values in 1 MiB, at random), three times, of which the quickest counts. Caches that others fill count,
// time that they take does not. May be called in a signal handler, by one thread at a time.
double cpu_slowdown();

}  // namespace warpgrade
