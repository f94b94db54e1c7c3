#include <cstdio>
int main() {
    int squares[10], sum = 0;
    for (int i = 0; i < 10; i++) squares[i] = i * i;
    for (int i = 0; i <= 10; i++) sum += squares[i];  // right: for (int i = 0; i < 10; i++) sum += squares[i];
    printf("%d\n", sum > 0);
    return 0;
}
