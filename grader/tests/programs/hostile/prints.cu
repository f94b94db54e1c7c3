#include <cstdio>
int main() { for (;;) printf("%100d %s\n", 5, "x"); }
