// How much longer this machine takes for a piece of work than the one that limits of processor time were set on.
#pragma once

namespace warpgrade {

// Below 1 where it is faster. Some 20 ms of this thread's processor time go into a fixed piece of work like an
// interpreter's: rows of 32 values in 1 MiB, chosen at random. What others leave of the caches counts, what others
// leave of the time does not. May be called in a signal handler, by one thread at a time.
double slowness_here();

}  // namespace warpgrade
