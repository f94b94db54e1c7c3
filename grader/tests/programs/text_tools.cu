// The C library's text functions, long texts and wide numbers.
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main() {
    char list[] = "alpha, beta,gamma";
    for (char *word = strtok(list, ", "); word != NULL; word = strtok(NULL, ", ")) {
        word[0] = toupper(word[0]);
        puts(word);
    }
    int values[] = {42, 7, 19, 3}, key = 19;
    qsort(values, 4, sizeof(int), compare);
    int *at = (int *)bsearch(&key, values, 4, sizeof(int), compare);
    printf("19 is at %d\n", (int)(at - values));
    printf("%s %s\n", strrchr("a/b/c.cu", '/') + 1, strpbrk("key=value", "="));
    int x, used;
    char name[20];
    printf("%d", sscanf("12 [abc] rest", "%d [%[^]]]%n", &x, name, &used));
    printf(" %d %s %d\n", x, name, used);
    std::string s = "hello world";
    s.replace(0, 5, "HELLO").insert(5, ",");
    s.erase(s.find_last_not_of("dl") + 1);
    std::cout << s << " " << std::showpos << 5 << " " << 2.5 << std::noshowpos << " " << std::oct << 8 << std::dec
              << "\n";
    std::string longer(700, 'x');
    printf("%zu %.3f %.1f\n", longer.size(), copysign(3, -1.0), fmax(1, 2.5));
    printf("[%600d]\n[%s]\n", 5, longer.c_str());
    return 0;
}
