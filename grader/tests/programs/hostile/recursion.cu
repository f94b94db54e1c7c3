#include <cstdio>
int f(int n) { volatile int a[10]; a[0] = n; return f(n + 1) + a[0]; }
int main() { printf("%d\n", f(0)); }
