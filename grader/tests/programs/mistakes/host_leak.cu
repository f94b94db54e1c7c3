// Memory of new[] is never freed.
#include <cstdio>
int main() {
    int* squares = new int[10];
    for (int i = 0; i < 10; ++i) squares[i] = i * i;
    printf("%d\n", squares[9]);
    return 0;  // right: delete[] squares; return 0;
}
