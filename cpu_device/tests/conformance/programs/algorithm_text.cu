// SPDX-License-Identifier: MIT
// Work on bytes: a cipher, counting words across blocks, reversing strings in shared memory.
#include <cstring>

#include "../check.h"

__global__ void rotate_kernel(char* text, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const char c = text[i];
  if (c >= 'a' && c <= 'z') text[i] = 'a' + (c - 'a' + by) % 26;
  if (c >= 'A' && c <= 'Z') text[i] = 'A' + (c - 'A' + by) % 26;
}

__global__ void words_kernel(const char* text, int n, int* words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool starts = i < n && text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  const int count = __syncthreads_count(starts);
  if (threadIdx.x == 0) atomicAdd(words, count);
}

__global__ void reverse_kernel(char* text, int n) {
  extern __shared__ char letters[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) letters[i] = text[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) text[i] = letters[n - 1 - i];
}

int main() {
  const char* text = "Pack my box with five dozen liquor jugs";
  const int n = std::strlen(text);
  DeviceArray<char> d_text(std::vector<char>(text, text + n));
  DeviceArray<int> words(1);
  const auto print_text = [&](const char* name) {
    const std::vector<char> host = d_text.host();
    std::printf("%s: %.*s\n", name, n, host.data());
  };
  rotate_kernel<<<2, 32>>>(d_text.data(), n, 13);
  print_text("rotated");
  words_kernel<<<4, 16>>>(d_text.data(), n, words.data());
  show("words", words.host());
  reverse_kernel<<<1, 16, n>>>(d_text.data(), n);
  print_text("reversed");
  rotate_kernel<<<1, 64>>>(d_text.data(), n, 13);
  print_text("rotated back");
}

/* Prints:
rotated: Cnpx zl obk jvgu svir qbmra yvdhbe whtf
words: 8
reversed: fthw ebhdvy armbq rivs ugvj kbo lz xpnC
rotated back: sguj rouqil nezod evif htiw xob ym kcaP
*/
