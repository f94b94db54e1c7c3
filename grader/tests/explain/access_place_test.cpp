#include "explain/access_place.hpp"

#include <string>

#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace warpgrade;
using test::FactsOf;
using vgpu::AccessKind;

namespace {

// The part of the line that is marked, from there on.
std::string marked(const std::string& line, const std::string& name, AccessKind access,
                   const std::set<std::string_view>& others = {}) {
    const FactsOf facts("void f() {\n" + line + "\n}\n");
    const AccessPlace place = access_place(facts, 2, name, access, others);
    if (place.column == 0) return "";
    std::string text = line.substr(static_cast<std::size_t>(place.column) - 1);
    CHECK(static_cast<std::size_t>(place.length) <= text.size());
    return text.substr(0, text.find(']') + 1);
}

}  // namespace

TEST_CASE("a name that stands on both sides is marked on the side of the access") {
    const std::string step = "    if (tid % (2 * s) == 0) partial[tid] += partial[tid + s];";
    CHECK(marked(step, "partial", AccessKind::read) == "partial[tid + s]");
    CHECK(marked(step, "partial", AccessKind::write) == "partial[tid]");
    CHECK(marked("a[i] = b[i]; c[i] = a[i + 1];", "a", AccessKind::read) == "a[i + 1]");
    CHECK(marked("if (a[i] <= 1) a[j] = 2;", "a", AccessKind::write) == "a[j]");
    CHECK(marked("if (a[i] == 1) b[j] = 2;", "a", AccessKind::read) == "a[i]");
    CHECK(marked("counts[in[i]]++;", "in", AccessKind::read) == "in[i]");
    CHECK(marked("counts[in[i]]++;", "counts", AccessKind::write) == "counts[in[i]");
    CHECK(marked("bits[i] <<= bits[j];", "bits", AccessKind::write) == "bits[i]");
}

TEST_CASE("a buffer that the line knows by another name is the only array of its side") {
    const std::string load = "partial[tid] = i < n ? in[i] : 0.0f;";
    CHECK(marked(load, "scratch", AccessKind::read) == "in[i]");
    CHECK(marked(load, "scratch", AccessKind::write) == "partial[tid]");
    CHECK(marked(load, "scratch", AccessKind::write, {"partial"}).empty());
    CHECK(marked("out[x] = in[y];", "in", AccessKind::write) == "out[x]");
    CHECK(marked("out[x] = a[y] + b[y];", "in", AccessKind::read).empty());
    CHECK(marked("out[x] = f(in) + b[y];", "in", AccessKind::read).empty());
    CHECK(marked("if (tid == 0) *sums += partial[0];", "out", AccessKind::read, {"partial"}).starts_with("sums +="));
    CHECK(marked("if (tid == 0) atomicAdd(sums, partial[0]);", "scratch", AccessKind::atomic).starts_with("atomicAdd"));
    CHECK(marked("out[x] = in[y];  // in[z] = 1", "in", AccessKind::read) == "in[y]");
}

TEST_CASE("the array that a line stores to, and those that a block shares") {
    const auto stored = [](const std::string& line) {
        return std::string(stored_array(FactsOf("void f() {\n" + line + "\n}\n"), 2));
    };
    CHECK(stored("    if (x < n) out[in[x]] = 1;") == "out");
    CHECK(stored("a[0] = 1; b[0] = 2;").empty());
    CHECK(stored("float x = in[3];").empty());
    const FactsOf shared(
        "__shared__ float tile[TILE][TILE + 1];\n__shared__ int one;\nextern __shared__ float more[];");
    CHECK(shared_names(shared) == std::set<std::string_view>{"tile", "more"});
}
