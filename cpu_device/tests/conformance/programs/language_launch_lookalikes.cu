// SPDX-License-Identifier: MIT
// Text that only looks like a launch: strings, raw strings, characters, shifts, comments; digit
// separators.
#include <string>

#include "../check.h"

__global__ void set_kernel(int* out, int value) {
  *out = value;
}

// A comment with set_kernel<<<1, 1>>>(out, 1); and an apostrophe: don't.
/* And one with
   set_kernel<<<1, 1>>>(out, 2); " ' */

// clang-format off
int main() {
  DeviceArray<int> out(1);
  std::printf("%s\n", "set_kernel<<<1, 1>>>(out, 3);");
  std::printf("%s\n", "a \"quoted <<<\" and a backslash \\");
  std::printf("%s\n", R"(raw <<<1, 1>>>(x) "with quotes" and \ ends)");
  std::printf("%s\n", R"x(raw )" still <<< raw >>>)x");
  std::printf("%s", R"(two
lines // not a comment
)");
  std::printf("%s\n", u8R"--(prefixed )-)" <<<)--");
  std::printf("%s\n", (std::string("adja") + "cent" "<<<" ">>>").c_str());
  std::printf("%c%c%c%c\n", '<', '\'', '"', '\\');
  set_kernel<<<1, 1'0 - 9>>>(out.data(), 1'000'000 + 0x1'F + 0b1'0 + '1');
  show("separators", out.host());
  int x = 1'0;
  x <<= 2; x = x << 3 << 1; x >>= 1; x = 4096 >> (x >> 5 > 1);
  show("shifts", x);
  const bool less = 3 <(2<<1), more = 2>(9>>3);
  show("comparisons", less, more);
  /* set_kernel<<<1, 1>>>(out.data(), 4); */ set_kernel<<<1, 1>>>(out.data(), 5); // set_kernel<<<1, 1>>>(out.data(), 6);
  show("comments", out.host());
  // a comment that goes on \
  set_kernel<<<1, 1>>>(out.data(), 7);
  show("continued comment", out.host());
}

/* Prints:
set_kernel<<<1, 1>>>(out, 3);
a "quoted <<<" and a backslash \
raw <<<1, 1>>>(x) "with quotes" and \ ends
raw )" still <<< raw >>>
two
lines // not a comment
prefixed )-)" <<<
adjacent<<<>>>
<'"\
separators: 1000082
shifts: 2048
comparisons: 1 1
comments: 5
continued comment: 5
*/
