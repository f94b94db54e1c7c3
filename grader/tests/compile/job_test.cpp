#include "compile/job.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("a job and a reply survive the way to the worker and back") {
    CompileJob job;
    job.nvrtc_path = "/lib/x.so";
    job.source = "int x;";
    job.appended = "template void f<int>();";
    job.cuda_include = "/cuda/include";
    job.options = {"-a", "-b"};
    job.readable = {"/usr"};
    job.limits.wall_seconds = 1.5;
    const auto job_back = job_from(to_fields(job));
    REQUIRE(job_back);
    CHECK(job_back->source == job.source);
    CHECK(job_back->appended == job.appended);
    CHECK(job_back->cuda_include == job.cuda_include);
    CHECK(job_back->options == job.options);
    CHECK(job_back->readable == job.readable);
    CHECK(job_back->limits.wall_seconds == Approx(1.5));
    CHECK_FALSE(job_from({"one", "field"}));

    CompileReply reply;
    reply.status = CompileStatus::refused;
    reply.log = "log";
    reply.seconds = 0.0625;
    reply.refusals = {{3, "no"}, {7, "not this either"}};
    reply.missing_headers = {"mma.h"};
    const auto reply_back = reply_from(to_fields(reply));
    REQUIRE(reply_back);
    CHECK(reply_back->status == CompileStatus::refused);
    CHECK(reply_back->log == "log");
    CHECK(reply_back->seconds == 0.0625);
    REQUIRE(reply_back->refusals.size() == 2);
    CHECK(reply_back->refusals[1].line == 7);
    CHECK(reply_back->refusals[1].message == "not this either");
    CHECK(reply_back->missing_headers == reply.missing_headers);
    CHECK_FALSE(reply_from({"9", "", "", "0", "", "0", "0"}));

    const auto raw_back = raw_from(to_fields(RawCompilation{reply, "13.0", {"/a", "/b"}, true}));
    REQUIRE(raw_back);
    CHECK(raw_back->reply.log == "log");
    CHECK(raw_back->header_folders == std::vector<std::string>{"/a", "/b"});
    CHECK(raw_back->is_cached);
}

TEST_CASE("of an order from outside only what compile() asks for is taken") {
    CompileOrder order{"int x;", "", "compute_80", true, false, {"THREADS=64"}};
    const auto is_taken = [&] { return order_from(to_fields(order)).has_value(); };
    REQUIRE(is_taken());
    CHECK(order_from(to_fields(order))->definitions == order.definitions);
    for (const char* arch : {"", "sm_90 --x", "compute_80,-I/etc", "native", "sm_90\n", "--help"}) {
        order.arch = arch;
        CHECK_FALSE(is_taken());
    }
    order.arch = "sm_90";
    for (const char* definition : {"", "X", "=1", "X=", "X=1 -I/etc", "X=\"/etc/passwd\"", "-I=1", "F(x)=1"}) {
        order.definitions = {definition};
        CHECK_FALSE(is_taken());
    }
    order.definitions = std::vector<std::string>(17, "X=1");
    CHECK_FALSE(is_taken());
    order.definitions.clear();
    order.source = std::string(5 << 20, ' ');
    CHECK_FALSE(is_taken());
    CHECK_FALSE(order_from({"int x;"}));
}
