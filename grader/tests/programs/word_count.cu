// Counts letters of standard input on the GPU, and words on the host.
// input: the quick brown fox\njumps over the lazy dog\n
#include <cctype>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

__global__ void count_letters(const char *text, int n, int *counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && text[i] >= 'a' && text[i] <= 'z') atomicAdd(&counts[text[i] - 'a'], 1);
}

int main() {
    std::string all, line;
    std::map<std::string, int> words;
    while (std::getline(std::cin, line)) {
        std::istringstream in(line);
        std::string word;
        while (in >> word) {
            for (char &c : word) c = std::tolower(c);
            ++words[word];
        }
        all += line + "\n";
    }
    char *d_text;
    int *d_counts;
    std::vector<int> counts(26);
    cudaMalloc(&d_text, all.size());
    cudaMalloc(&d_counts, 26 * sizeof(int));
    cudaMemset(d_counts, 0, 26 * sizeof(int));
    cudaMemcpy(d_text, all.data(), all.size(), cudaMemcpyHostToDevice);
    count_letters<<<(all.size() + 127) / 128, 128>>>(d_text, all.size(), d_counts);
    cudaMemcpy(counts.data(), d_counts, 26 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 26; ++i)
        if (counts[i] > 1) std::cout << static_cast<char>('a' + i) << ": " << counts[i] << "\n";
    for (const auto &entry : words)
        if (entry.second > 1) std::cout << entry.first << " " << entry.second << "\n";
    cudaFree(d_text);
    cudaFree(d_counts);
    return 0;
}
