// The game of life on a torus, the board in characters.
#include <cstdio>
#include <cstring>

#define N 16

__global__ void generation(const char *now, char *next) {
    int x = threadIdx.x, y = threadIdx.y, alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0) alive += now[(y + dy + N) % N * N + (x + dx + N) % N];
    next[y * N + x] = alive == 3 || (alive == 2 && now[y * N + x]);
}

int main() {
    char board[N * N];
    memset(board, 0, sizeof board);
    const char *glider[3] = {".#.", "..#", "###"};
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++) board[y * N + x] = glider[y][x] == '#';
    char *a, *b;
    cudaMalloc(&a, sizeof board);
    cudaMalloc(&b, sizeof board);
    cudaMemcpy(a, board, sizeof board, cudaMemcpyHostToDevice);
    for (int i = 0; i < 20; i++) {
        generation<<<1, dim3(N, N)>>>(a, b);
        char *t = a;
        a = b;
        b = t;
    }
    cudaMemcpy(board, a, sizeof board, cudaMemcpyDeviceToHost);
    for (int y = 4; y < 9; y++) {
        for (int x = 0; x < N; x++) printf("%c", board[y * N + x] ? '#' : '.');
        printf("\n");
    }
    cudaFree(a);
    cudaFree(b);
}
