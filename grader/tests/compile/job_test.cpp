#include "compile/job.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("a job and a reply survive the way to the worker and back") {
    CompileJob job;
    job.nvrtc_path = "/lib/x.so";
    job.source = "int x;";
    job.options = {"-a", "-b"};
    job.readable = {"/usr"};
    job.limits.wall_seconds = 1.5;
    const auto job_back = job_from(to_fields(job));
    REQUIRE(job_back);
    CHECK(job_back->source == job.source);
    CHECK(job_back->options == job.options);
    CHECK(job_back->readable == job.readable);
    CHECK(job_back->limits.wall_seconds == Approx(1.5));
    CHECK_FALSE(job_from({"one", "field"}));

    CompileReply reply;
    reply.status = CompileStatus::rejected;
    reply.log = "log";
    const auto reply_back = reply_from(to_fields(reply));
    REQUIRE(reply_back);
    CHECK(reply_back->status == CompileStatus::rejected);
    CHECK(reply_back->log == "log");
    CHECK_FALSE(reply_from({"9", "", "", "0", ""}));
}
