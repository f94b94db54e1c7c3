// Which system calls a process keeps: the filters behind SystemCalls, in the kernel's own form.
//
// Written out here, without libseccomp: it would be one more package to install on every student's machine, for three
// tables of numbers.
#pragma once

namespace warpgrade {

// What may be asked of the kernel.
enum class SystemCalls {
    own_memory,  // a list of what is allowed: memory, threads, clocks, and the sockets that are open already
    reading,  // all but a list: files are opened for reading and libraries loaded; nothing is written, run, signalled
    driver,   // as reading, and what a GPU driver does with its devices
};

// For all threads of this process, for good. False: the kernel has no such filter, or this is a machine whose system
// calls are not in the tables.
bool filter_system_calls(SystemCalls calls);

}  // namespace warpgrade
