// SPDX-License-Identifier: MIT
// Launches over several lines, with comments inside, line continuations and odd spacing.
#include "../check.h"

__global__ void add_kernel(int* data, int by) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += by;
}

// clang-format off
int main() {
  DeviceArray<int> array({0, 0, 0, 0});
  int* data = array.data();
  add_kernel
      <<<
          2,
          2
      >>>
      (
          data,
          1
      );
  show("lines", array.host());
  add_kernel /* <<<8, 8>>> */ <<< /* blocks */ 2, // threads >>> (
                                  2 >>> /* now the arguments */ (data, 10);
  show("comments", array.host());
  add_kernel<<<1, \
               4>>>(data, \
                    100);
  show("continued lines", array.host());
  add_kernel<<<1,4>>>(data,1000);add_kernel<<<1,2>>>(data,1);
  show("one line", array.host());
  add_kernel	<<< 1 ,	1 >>>	( data , 5 ) ;
  show("tabs", array.host());
  if (data) add_kernel<<<1, 1>>>(data, 2); else add_kernel<<<1, 4>>>(data, 7);
  show("one branch", array.host());
  switch (4) { case 4: add_kernel<<<1, 4>>>(data, -1); break; default: add_kernel<<<1, 4>>>(data, 9); }
  show("switch", array.host());
  add_ker\
nel<<\
<1, 4>\
>>(data, -1000);
  show("split tokens", array.host());
}

/* Prints:
lines: 1 1 1 1
comments: 11 11 11 11
continued lines: 111 111 111 111
one line: 1112 1112 1111 1111
tabs: 1117 1112 1111 1111
one branch: 1119 1112 1111 1111
switch: 1118 1111 1110 1110
split tokens: 118 111 110 110
*/
