// What printf, on both sides, snprintf and sscanf can do.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
__global__ void hello(int n, double x, const char *unused) { printf("thread %d of %d: %5.2f|%-6d|%06x|%e|%s|%c|%%|%lld\n", threadIdx.x, n, x, 42, 255u, x, "text", 'z', 1234567890123ll); }
int main() {
    hello<<<1, 2>>>(2, 2.5, nullptr);
    cudaDeviceSynchronize();
    char buffer[64];
    int n = snprintf(buffer, sizeof buffer, "[%*d|%-8s|%+d|% d|%#x|%#o]", 6, 42, "ab", 5, 5, 255, 8);
    printf("%s %d %zu\n", buffer, n, strlen(buffer));
    printf("%.3s|%10.4f|%g|%g|%g|%a\n", "abcdef", 3.14159265, 1e10, 1e-5, 100000.0, 1.0);
    printf("%" PRIu64 " %" PRId32 " %zu %td %hhd %hd %ld\n", UINT64_MAX, INT32_MIN, sizeof(int), (ptrdiff_t)-3, (char)300, (short)70000, 1L << 40);
    printf("%5c|%-5c|%05d|%.0f|%8.3e|%i\n", 'a', 'b', -42, 2.5, 12345.678, 7);
    std::string text = "value=" + std::to_string(3.5) + ";" + std::to_string(7u);
    puts(text.c_str());
    fprintf(stdout, "%s\n", text.substr(6, 3).c_str());
    int a = 0, b = 0;
    char word[16];
    if (sscanf("12 cats 0x1f", "%d %15s %x", &a, word, (unsigned *)&b) == 3) printf("%d %s %d\n", a, word, b);
    return 0;
}
