#include <cstdio>
#include <cstdlib>
int main() {
    int *values = (int *)malloc(4 * sizeof(int));
    for (int i = 0; i < 4; i++) values[i] = i;
    free(values);  // right: int kept = values[2];
    printf("%d\n", values[2]);  // right: printf("%d\n", kept); free(values);
}
