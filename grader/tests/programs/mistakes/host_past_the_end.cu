#include <cstdio>
#include <cstdlib>
int main() {
    const int n = 1000;
    float *h = (float *)malloc(n * sizeof(float));
    for (int i = 0; i <= n; i++) h[i] = i;  // right: for (int i = 0; i < n; i++) h[i] = i;
    printf("%g\n", h[n - 1]);
    free(h);
}
