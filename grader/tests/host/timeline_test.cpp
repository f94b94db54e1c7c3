#include "host/timeline.hpp"

#include "support/catch.hpp"

using namespace warpgrade::host;

TEST_CASE("streams run side by side, and the default stream waits for those that block") {
    Timeline time;
    const auto a = time.make_stream(true), b = time.make_stream(false);
    time.add(a, 3);
    time.add(b, 5);
    time.add(Timeline::default_stream, 1);
    time.wait_for(Timeline::default_stream);
    CHECK(time.now() == Approx(4));
    CHECK_FALSE(time.is_done(b));
    time.wait_for_all();
    CHECK(time.now() == Approx(5));
}

TEST_CASE("who waits for a stream has waited for what it is behind, and for nothing else") {
    Timeline time;
    const auto a = time.make_stream(false), b = time.make_stream(false);
    time.add(a, 2);
    CHECK(time.covers(a, a, 2));
    CHECK_FALSE(time.covers(b, a, 2));
    Timeline::Event event;
    time.record(event, a, 1);
    time.delay(b, event);
    CHECK(time.covers(b, a, 2));
    CHECK_FALSE(time.covers(b, a, 3));
    CHECK_FALSE(time.covers(Timeline::default_stream, a, 2));
}

TEST_CASE("an event is ready once the host has waited so long, not because time has passed") {
    Timeline time;
    Timeline::Event event;
    time.add(Timeline::default_stream, 1);
    time.record(event, Timeline::default_stream, 1);
    time.pass(10);
    CHECK_FALSE(time.has_waited_until(event.at));
    time.wait_until(event.at);
    CHECK(time.has_waited_until(event.at));
}

TEST_CASE("handles are used once") {
    Timeline time;
    const auto stream = time.make_stream(true);
    time.destroy_stream(stream);
    CHECK_FALSE(time.has_stream(stream));
    CHECK(time.was_made(stream));
    CHECK_FALSE(time.was_made(stream + 1));
    CHECK(time.make_event(true) != stream);
}

TEST_CASE("copies of one direction do not overlap, and overlap is counted") {
    using enum Timeline::Engine;
    Timeline time;
    CHECK(time.overlap() == 1);
    const auto a = time.make_stream(true), b = time.make_stream(true);
    time.add(a, 1, copies_to_gpu);
    time.add(b, 1, copies_to_gpu);
    time.wait_for_all();
    CHECK(time.now() == 2);
    CHECK(time.overlap() == 1);
    time.add(a, 1, copies_to_gpu);
    time.add(b, 1, copies_to_host);
    time.wait_for_all();
    CHECK(time.now() == 3);
    CHECK(time.overlap() == Approx(4.0 / 3));
}
