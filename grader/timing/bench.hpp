// Bandwidth over shapes and block sizes: the points of `bench`, and its JSON ("warpgrade.bench/1").
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "timing/measure.hpp"

namespace warpgrade {

struct BenchPoint {
    Shape shape;
    int threads = 0;            // -DTHREADS=n; 0 = as the file has it
    Bandwidth bandwidth;        // of the submission, with copy and reference
    double naive_gb_per_s = 0;  // of the assignment's first graded stage; 0: there is no solution to run, and
                                // nothing is recorded for this shape
    double cpu_gb_per_s = 0;    // of a plain loop on one core of this machine; 0: not asked for
    double elements_per_s = 0;

    double share_of_copy() const;
    double speedup_over_naive() const;
    double speedup_over_cpu() const;
};

struct BenchStage {
    std::string assignment, stage, title;
    std::string source_path, sha256;
    std::string cpu_shape;  // that the loop on the host was timed on
    std::vector<BenchPoint> points;
    std::vector<Diagnostic> findings;  // what kept it from being timed
};

// What is wanted of one file.
struct BenchOrder {
    const Assignment& assignment;
    const Stage& stage;
    std::string path;
    std::vector<Shape> shapes;  // empty: the problem's sweep
    std::vector<int> threads;   // empty: the file's own, and the stage's sweep on its timed shape
    std::uint64_t seed = 0;
    bool compares_cpu = false;  // times the loop on the host, too
};

// Figures that several files share: the naive kernel and the host's loop.
class BenchRun {
public:
    explicit BenchRun(BandwidthSource& source) : source_(source) {}
    // `progress`: points done, points in all. Once this process has had `cpu_seconds`, the points that are left are
    // skipped. Error: host, course or kit.
    Result<BenchStage> run(const BenchOrder& order, const std::function<void(std::size_t, std::size_t)>& progress,
                           double cpu_seconds = std::numeric_limits<double>::infinity());
    // Points that `run` will make.
    std::size_t points_of(const BenchOrder& order) const;
    // What `run` asks of the parent in a confined process, beside what the bandwidths' source does. Must not outlive
    // this and the order.
    Services services(const BenchOrder& order);

private:
    struct Step {
        Shape shape;
        int threads = 0;
    };
    std::vector<Step> steps_of(const BenchOrder& order, const Problem& problem) const;
    Result<double> naive(const BenchOrder& order, const Problem& problem, const Shape& shape);
    double on_host(const Problem& problem);
    Result<double> naive_apart(const BenchOrder& order, const wire::Fields& request);

    BandwidthSource& source_;
    std::map<std::string, double> naive_, host_;
};

struct BenchReport {
    std::string tool_version, tool_git, nvrtc;
    std::string device_kind, device_name, profile;
    std::uint64_t seed = 0;
    std::vector<BenchStage> stages;
};
nlohmann::ordered_json json_of(const BenchStage& stage);
// The report with these stages in place of its own.
nlohmann::ordered_json json_of(const BenchReport& report, const std::vector<nlohmann::ordered_json>& stages);
nlohmann::ordered_json json_of(const BenchReport& report);

}  // namespace warpgrade
