#include "host/source_names.hpp"

#include "support/catch.hpp"

using namespace warpgrade::host;

TEST_CASE("memory is called what the line that allocates it calls it") {
    const auto name_of = [](const char* line) { return named_at(line, 1).name; };
    CHECK(name_of("    cudaMalloc(&d_in, n * sizeof(float));") == "d_in");
    CHECK(name_of("CHECK(cudaMalloc((void **)&d_in, bytes));") == "d_in");
    CHECK(name_of("cudaMallocManaged(reinterpret_cast<void**>(&x), 4);") == "x");
    CHECK(name_of("cudaHostAlloc((void**) & h, 4, 0);") == "h");
    CHECK(name_of("float *h_a = (float *)malloc(n);") == "h_a");
    CHECK(name_of("x = new int[n];") == "x");
    CHECK(name_of("return malloc(n);").empty());
    CHECK(name_of("cudaMalloc(").empty());
    CHECK(named_at("", 7).name.empty());
}

TEST_CASE("of several allocations in a line each has its own name and place") {
    const char* const line = "cudaMalloc(&d_a, n * f(1, 2)); CHECK(cudaMalloc(&d_b, n)), x = (int *)malloc(8);";
    CHECK(named_at(line, 1, 0).name == "d_a");
    CHECK(named_at(line, 1, 1).name == "d_b");
    CHECK(named_at(line, 1, 1).column == 38);
    CHECK(named_at(line, 1, 2).name == "x");
    CHECK(named_at(line, 1, 3).name == "d_a");
    CHECK(named_at("for (int i = 0; i < n; ++i) cudaMalloc(&d[i], n);  // or cudaMalloc(&e, n)", 1, 5).name == "d");
    CHECK(named_at("cudaMalloc(&d, n);", 1).column == 0);
}

TEST_CASE("the size of an element comes from the declaration") {
    const char* const text =
        "double *a, *b;\nunsigned char* c;\nT* d;\ncudaMalloc(&a, 8);\ncudaMalloc(&b, 8);\n"
        "cudaMalloc(&c, 8);\ncudaMalloc(&d, 8);\n";
    CHECK(named_at(text, 4).element_bytes == 8);
    CHECK(named_at(text, 5).element_bytes == 8);
    CHECK(named_at(text, 7).element_bytes == 1);
}

TEST_CASE("a result that begins its line is thrown away") {
    const char* const text = "  cudaFree(a);\nif (cudaFree(a)) return;\n";
    CHECK(ignores_result(text, 1, "cudaFree"));
    CHECK_FALSE(ignores_result(text, 2, "cudaFree"));
    CHECK(line_of_source(text, 1) == "  cudaFree(a);");
    CHECK(line_of_source(text, 9).empty());
}
