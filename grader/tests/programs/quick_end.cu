// Ways to end: what atexit() and at_quick_exit() were given, and destructors.
// arguments: 1
// exit: 4
#include <cstdio>
#include <cstdlib>
struct Noisy { ~Noisy() { printf("destructor\n"); } };
static Noisy noisy;
static void bye() { printf("bye\n"); }
static void quick() { printf("quick\n"); fflush(stdout); }
int main(int argc, char **argv) {
    atexit(bye);
    at_quick_exit(quick);
    printf("begin\n");
    fflush(stdout);
    if (argc > 2) _Exit(3);
    if (argc > 1) quick_exit(4);
    return 0;
}
