#include <cstdio>
#include <stdexcept>
int depth(int n) {
    if (n == 0) throw std::out_of_range("too deep");
    return depth(n - 1) + 1;
}
int main() {
    printf("before\n");
    try {
        depth(3);
    } catch (std::logic_error) {
        printf("never\n");
    }
}
