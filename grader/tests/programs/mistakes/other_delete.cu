// An array is deleted as one element.
#include <cstdio>
int main() {
    double* values = new double[10];
    for (int i = 0; i < 10; ++i) values[i] = 0.5 * i;
    printf("%g\n", values[9]);
    delete values;  // right: delete[] values;
    return 0;
}
