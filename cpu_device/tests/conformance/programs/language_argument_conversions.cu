// SPDX-License-Identifier: MIT
// Kernel arguments are converted as in a call: numbers, null pointers, arrays, const, enums,
// classes.
#include "../check.h"

enum Colour { kRed = 1, kGreen = 2 };
enum class Strict : unsigned char { kOne = 1, kTwo = 200 };

struct Handle {
  int* pointer;
  operator int*() const { return pointer; }
};

struct FromInt {
  __host__ __device__ FromInt(int x) : doubled(2 * x) {}
  int doubled;
};

__global__ void numbers_kernel(int* out, float f, double d, long long l, unsigned u, char c,
                               bool b) {
  out[0] = static_cast<int>(f * 2);
  out[1] = static_cast<int>(d * 4);
  out[2] = l == -1;
  out[3] = u == 4294967295u;
  out[4] = c;
  out[5] = b;
}

__global__ void classes_kernel(int* out, const int* in, int colour, Strict strict, FromInt from) {
  out[0] = in[0];
  out[1] = colour;
  out[2] = static_cast<int>(strict);
  out[3] = from.doubled;
}

__global__ void null_kernel(int* out, const float* p, const void* q, void (*f)(int)) {
  *out = 100 * (p == nullptr) + 10 * (q == nullptr) + (f == nullptr);
}

int main() {
  DeviceArray<int> out(6), in({42});
  numbers_kernel<<<1, 1>>>(out.data(), 3, 2.5f, -1, 4294967295L, 'A' + 1, 17);
  show("numbers", out.host());
  const short small = 7;
  numbers_kernel<<<1, 1>>>(Handle{out.data()}, small, kGreen, -1L, ~0u, 'z', 0.0);
  show("numbers", out.host());
  classes_kernel<<<1, 1>>>(Handle{out.data()}, in.data(), kRed, Strict::kTwo, 21);
  show("classes", out.host());
  classes_kernel<<<1, 1>>>(out.data(), Handle{in.data()}, 'a', Strict(), {4});
  show("classes", out.host());
  null_kernel<<<1, 1>>>(out.data(), NULL, 0, nullptr);
  show("null", out.host()[0]);
  null_kernel<<<1, 1>>>(out.data(), {}, in.data(), {});
  show("null", out.host()[0]);
}

/* Prints:
numbers: 6 10 1 1 66 1
numbers: 14 8 1 1 122 0
classes: 42 1 200 42 122 0
classes: 42 97 0 8 122 0
null: 111
null: 101
*/
