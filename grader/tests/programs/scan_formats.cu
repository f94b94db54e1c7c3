// Numbers read by sscanf: bases, signs between numbers, lengths.
#include <cstdio>
int main() {
    int y, m, d, o, i, k; unsigned u; float f; double g; char c, w[8]; short s; signed char hh; long l;
    printf("%d", sscanf("2026-11-29 0x1F 017 0x10 -7", "%d-%d-%d %x %i %i %i", &y, &m, &d, &u, &o, &i, &k));
    printf(" %d %d %d %u %d %d %d\n", y, m, d, u, o, i, k);
    int n = sscanf("3.5e2,-.5;q words 70000 300 123456789012", "%f,%lf;%c %7s %hd %hhd %ld", &f, &g, &c, w, &s, &hh, &l);
    printf("%d %g %g %c %s %d %d %ld\n", n, f, g, c, w, s, hh, l);
    n = sscanf("4294967295 x", "%u %d", &u, &i);
    printf("%d %u\n", n, u);
    return 0;
}
