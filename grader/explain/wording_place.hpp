// Pieces of sentences shared by the findings' wording: where a thread was, which element, the mark in the source.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "course/technique.hpp"
#include "explain/advice_text.hpp"
#include "problem/problem.hpp"
#include "source/questions.hpp"
#include "vgpu/finding.hpp"

namespace warpgrade {

// What a finding is described with.
struct Scene {
    const vgpu::Finding& finding;
    const std::string& path;
    const source::Facts& facts;  // of the submission
    const std::string& source;   // its text
    const Case& run;
    const std::vector<LaunchInfo>* launches = nullptr;  // of the run, if known

    // The first buffer of the launcher; one of no elements where a whole program has none.
    const BufferLayout& input() const;
    // The layout of the finding's buffer; null for shared memory and buffers of the submission's own.
    const BufferLayout* layout() const;
    // A __device__ or __constant__ array of the submission's, of which the compiler tells the bytes alone.
    bool is_of_submission() const;
    int element_bytes() const;  // of the buffer; of a submission's, as many as are accessed at once; 4 where unknown
    // Of the finding's kernel; nullptr where it is not known.
    const LaunchInfo* launch() const;
    // Of the finding, in the text.
    int line() const { return finding.place.line; }
    const source::Tree& tree() const { return *facts.tree; }
    std::string text(source::NodeId node) const { return in_one_line(tree(), node); }
    const source::Loop* loop() const { return facts.loop_at(line()); }
    auto accesses() const { return facts.accesses_on(line()); }
    auto accesses_to(std::string_view array) const { return source::accesses_to(facts, line(), array); }
};

std::string to_text(const vgpu::Dim3& place);             // "(1,0,0)"
std::string extents_text(const vgpu::Dim3& extents);      // "32 x 8", "32 x 8 x 2"
std::string thread_text(const vgpu::ThreadPlace& place);  // "thread (1,0,0) of block (2,2,0)"
// "thread ... in transpose_kernel, shape 33 x 65", or "in the launcher, shape 33 x 65"
// "the launcher"; of a whole program "host code".
std::string host_text(const Scene& scene);
std::string thread_fact(const Scene& scene);
// ", shape 33 x 65"; "" of a whole program, which has none.
std::string with_shape(const Scene& scene);
std::string extents_text(const BufferLayout& layout);  // "33 x 65 = 2145"
// "in[2145]", in elements; "in[2145] (its bytes 1 to 3)" where an access begins inside one.
std::string element_text(const Scene& scene);
// What the line of the finding calls the buffer: its own name, or that of the kernel's parameter, where one array alone
// can be meant.
std::string name_in_line(const Scene& scene);
// The array's name; where it is a dynamic one, that of the only `extern __shared__` in the text; or "shared memory".
std::string shared_name(const Scene& scene);
// "tile[8][0]" or "byte 1056 of `tile`": a place in shared memory, by the extents of its declaration where they are
// known.
std::string shared_place(const Scene& scene);
// Element of the first byte, rounded down.
std::int64_t element_index(const Scene& scene);
// A mark on `name` in the line if it stands there, or else on the compiler's column.
SourceMark mark_in(const std::string& path, const std::string& source, const vgpu::ThreadPlace& place,
                   const std::string& name, std::string label);
SourceMark mark_at(const Scene& scene, const vgpu::ThreadPlace& place, const std::string& name, std::string label);
// The same where `name` is accessed in this way.
SourceMark mark_of_access(const std::string& path, const source::Facts& facts, const vgpu::ThreadPlace& place,
                          const std::string& name, vgpu::AccessKind access, std::string label);
SourceMark mark_of_access(const Scene& scene, const vgpu::ThreadPlace& place, const std::string& name,
                          vgpu::AccessKind access, std::string label);
// Of an access of a thread's to an array of two extents that leaves its row and stays in the array, by what its indices
// are for that thread; empty where they stay, or are not known.
Advice past_row(const Scene& scene, const vgpu::ThreadPlace& at, const std::string& name);
// Of `a[i] += a[j]`, which reads both: a mark on either of them becomes one on both, or on the one that it can be.
void mark_both_reads(const Scene& scene, SourceMark& mark);
// The array of a race, as the message names it, and "both at tile[8][0], shape 33 x 65".
std::string name_of_race(const Scene& scene);
std::string both_at(const Scene& scene);
// "happened 96 times on this line", when more than once.
void add_occurrences(const Scene& scene, Diagnostic& diagnostic);
// "`tid % 2 * s` is (tid % 2) * s in C: write tid % (2 * s)", where the line or one of the three above it tests such a
// term; "" where none does.
std::string advice_on_remainder(const source::Facts& facts, int line);
std::string plural(std::uint64_t count, const char* thing);  // "1 element", "5 elements"

// The findings, by what they are about.
Diagnostic describe_memory(const Scene& scene);  // wording_memory.cpp
Diagnostic describe_race(const Scene& scene);    // wording_threads.cpp
Diagnostic describe_barrier(const Scene& scene);
Diagnostic describe_inactive_lane(const Scene& scene);
Diagnostic describe_launch(const Scene& scene);  // wording_launch.cpp
Diagnostic describe_host_dereference(const Scene& scene);
Diagnostic describe_timeout(const Scene& scene);

}  // namespace warpgrade
