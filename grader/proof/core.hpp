// What makes a claim: the obligations of one launch, decided for every shape at once (core.cpp, core_values.cpp). These
// files, context.cpp's facts and the meaning of instructions (state.cpp, arithmetic.cpp) are what a proof trusts, with
// isl below them.
//
// Theory. Let a shape be fixed that is spoken of (Context), and let T be the threads of the launch. Execution
// (execution.hpp) gives every access e of every thread t in T: it happens if path_e(t) holds, at offset_e(t), after
// barriers_e barriers. Then
//   launch    every Fit of the launcher holds, and every gridDim is within the limits, so that T is what CUDA runs;
//   width     every Fit of the kernel holds: polynomials are what registers hold, and every access that happens is one
//             of these;
//   barriers  of each barrier, either all threads of a block reach it or none does. So "after k barriers" means the
//             same for all threads of a block, and what is stored after fewer barriers is seen by what loads after
//             more. Of a shuffle or vote, the same of all lanes of a warp;
//   bounds    path_e(t) implies that the element, (row, column), is one of the array;
//   races     no two threads of a block, with the same number of barriers, touch the same word of shared memory, one of
//             them storing. In global memory inputs are only read, and no two threads touch one element, one of them
//             storing, unless they are of one block with a barrier between; of two stores to the output `once` speaks;
//   once      no element is stored twice: (e, t) and (f, u) with e != f or t != u have different elements;
//   covered   every element of the output is that of some (e, t) with path_e(t);
//   values    what (e, t) stores is the element of the input that the problem moves there. Either it was loaded from
//             there, or from shared memory: then every store (s, u) of the same block to that word, after no more
//             barriers, stores the right element, and one of them is after fewer barriers. Whichever store came last,
//             the word is right. Where the problem computes, its own function is executed as a kernel is, for an
//             element of the output: what (e, t) stores is the same sum of products if each of its terms has a twin
//             with the same factor, whose loads happen in the same cases and load the same elements. A load that does
//             not happen is 0 on both sides (execution.hpp, Data). Of an array that is also stored to, a load takes
//             what the launch has found there only where no store of its block comes before it;
// Launches come one after another, each finished before the next: the rows up to `races` hold of all of them if they
// hold of each. What several of them leave together is not followed: then the last three rows stay open.
// Each rests on those before it: a row is proved only if what it rests on is. A question that isl finds empty is
// proved; any other answer means "not proved", never that the program is wrong. Assumed, and part of the claim: the
// extents are at least 1 and at most what prove.cpp says; arrays do not overlap.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "device/limits.hpp"
#include "problem/problem.hpp"
#include "proof/claim.hpp"
#include "proof/context.hpp"
#include "proof/execution.hpp"

namespace warpgrade::proof {

// A buffer of the launcher, row-major.
struct Array {
    std::string name;
    BufferRole role = BufferRole::in;
    int element_bytes = 0;
    std::vector<Polynomial> extents;  // one or two; none: not known
};
struct Task {
    std::vector<Array> arrays;
    std::size_t input = 0, output = 0;  // indices of those that are moved from and to
    bool is_move = false;               // each element of the output is one of the input
    std::vector<std::size_t> moves;     // which index of the output's element is index i of the input's
    // Where it is not a move: the problem's own function of an index of the output, and of the launcher's parameters.
    const ptx::Module* reference_module = nullptr;
    const ptx::Function* reference = nullptr;  // null: `why_no_values`
    std::vector<Value> parameters;             // of the launcher
    std::string why_no_values;
};

// A question that isl did not find empty: values of `shown` with all of `conditions` that are none with all of a member
// of `others`. Where such a question is about no shape that there is, it says nothing.
struct Doubt {
    Path conditions;
    std::vector<Atom> shown{};
    std::vector<Path> others{};
};
using Doubts = std::map<Obligation, Doubt>;  // what keeps a row open, where it is one of these

// One launch, of shapes that context.assumed holds of. `launcher_fits`: of the launcher, to `launch`.
struct LaunchProof {
    Context& context;
    const Task& task;
    const SymbolicLaunch& launch;
    const ptx::Module& module;
    const ptx::Function& kernel;
    const Executed& run;
    const std::vector<Fit>& launcher_fits;
    const LaunchLimits& limits;
    bool is_only_launch = true;  // of the launcher, at these shapes
};
// One row for each obligation, in their order.
std::vector<Row> decide(const LaunchProof& proof, Doubts& doubts);
// The row of `launch` by itself: before a kernel is executed.
Row decide_launch(const Context& context, const std::vector<Fit>& launcher_fits, const SymbolicLaunch& launch,
                  const ptx::Module& module, const ptx::Function& kernel, const LaunchLimits& limits, Doubts& doubts);

}  // namespace warpgrade::proof
