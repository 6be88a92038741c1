// SPDX-License-Identifier: MIT
// Conway's game of life on a torus, printed.
#include "../check.h"

constexpr int kHeight = 8, kWidth = 12;

__global__ void life_kernel(const char* now, char* next) {
  const int x = threadIdx.x, y = threadIdx.y;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      neighbours += now[(y + dy + kHeight) % kHeight * kWidth + (x + dx + kWidth) % kWidth];
    }
  }
  next[y * kWidth + x] = neighbours == 3 || (neighbours == 2 && now[y * kWidth + x]);
}

int main() {
  std::vector<char> board(kHeight * kWidth);
  for (int place : {1, kWidth + 2, 2 * kWidth, 2 * kWidth + 1, 2 * kWidth + 2}) board[place] = 1;
  DeviceArray<char> a(board), b(board.size());
  for (int step = 0; step < 24; step += 2) {
    life_kernel<<<1, dim3(kWidth, kHeight)>>>(a.data(), b.data());
    life_kernel<<<1, dim3(kWidth, kHeight)>>>(b.data(), a.data());
  }
  CHECK_LAUNCH();
  board = a.host();
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) std::putchar(board[y * kWidth + x] ? '#' : '.');
    std::putchar('\n');
  }
}

/* Prints:
......###...
............
............
............
............
............
.......#....
........#...
*/
