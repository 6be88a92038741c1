// SPDX-License-Identifier: MIT
// printf from one thread: conversions, widths, precision, several calls, long lines.
#include "../check.h"

__global__ void conversions_kernel(const char* word) {
  if (threadIdx.x != 3) return;
  printf("int %d %5d|%-5d|%05d %+d %i\n", -7, 42, 42, 42, 42, 9);
  printf("unsigned %u %x %X %#x %o\n", 4000000000u, 255u, 255u, 255u, 8u);
  printf("wide %ld %lld %llu %lx\n", -1L, -5000000000LL, 18446744073709551615ULL, 255L);
  printf("real %f %.2f %8.3f|%e %g %g\n", 1.5, 2.345678, 3.14159, 12345.678, 0.0001, 1e20);
  printf("float %.1f %c %s %% %s\n", 0.5f, 'x', "text", word);
  printf("no newline, ");
  printf("then one\n");
  printf("nothing to convert\n");
  printf("%s%s%s%s%d\n", "0123456789abcdef", "0123456789abcdef", "0123456789abcdef",
         "0123456789abcdef", 64);
}

__global__ void lines_kernel() {
  for (int i = 0; i < 3; ++i) printf("thread %d line %d\n", threadIdx.x, i);
}

int main() {
  DeviceArray<char> word({'w', 'o', 'r', 'd', '\0'});
  std::printf("before\n");
  std::fflush(stdout);
  conversions_kernel<<<1, 32>>>(word.data());
  CHECK_LAUNCH();
  std::printf("between\n");
  std::fflush(stdout);
  lines_kernel<<<1, 1>>>();
  CHECK_LAUNCH();
  std::printf("after\n");
}

/* Prints:
before
int -7    42|42   |00042 +42 9
unsigned 4000000000 ff FF 0xff 10
wide -1 -5000000000 18446744073709551615 ff
real 1.500000 2.35    3.142|1.234568e+04 0.0001 1e+20
float 0.5 x text % word
no newline, then one
nothing to convert
0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef64
between
thread 0 line 0
thread 0 line 1
thread 0 line 2
after
*/
