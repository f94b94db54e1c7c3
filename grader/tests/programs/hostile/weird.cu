#include <cstdio>
#include <cstring>
int main() {
    char text[100]; memset(text, 'a', 100);
    printf("%n %q %", 1); printf("%s\n", (char*)0); printf("%s\n", (char*)0x1234567); printf("%*d|%-*d|%.*f\n", 1 << 30, 1, -5, 2, 1 << 30, 1.0);
    sscanf("12 abc", "%*d %s %", text); puts(text); sscanf(text, "%5000d", (int*)text); fwrite((void*)0x99, 1, ~size_t(0), stdout);
    strncpy(text, "hello", 5); puts(text); snprintf(text, ~size_t(0), "%s", "ok"); puts(text);
    int h; cudaMemcpy(&h, &h, 4, (cudaMemcpyKind)-7); cudaMemcpyToSymbol(h, &h, 400);
    cudaFree(&h); cudaFreeHost(&h); cudaFree((void*)7);
}
