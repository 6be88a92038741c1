// SPDX-License-Identifier: MIT
// A host pointer hides inside a structure that is passed by value.
#include "../check.h"

struct Image {
  int width, height;
  float* pixels;
};

__global__ void invert_kernel(Image image) {
  const int i = threadIdx.x;
  image.pixels[i] = 1.0f - image.pixels[i];  // fault: pixels lie in host memory
}

int main() {
  std::vector<float> pixels(64, 0.25f);
  const Image image = {8, 8, pixels.data()};
  invert_kernel<<<1, 64>>>(image);
  CHECK_LAUNCH();
}

/* Reports:
kind = "host_pointer_in_kernel"
kernel = "invert_kernel"
line = 12
mode = "check"
*/
