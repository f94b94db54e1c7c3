#include <cstdio>
int main() {
    FILE *in = fopen("values.txt", "r");  // right: FILE *in = NULL;
    if (in == NULL) {
        printf("no values\n");
        return 0;
    }
    fclose(in);
}
