// SPDX-License-Identifier: MIT

#include <sys/wait.h>
#include <unistd.h>

#include "cpu_conv.h"

// Two processes for two cores: the child computes the second half of the images.
void conv2d_fast(const float* x, const float* w, const float* b, float* y,
                 const Conv2dShape* shape) {
  Conv2dShape first = *shape;
  first.n = (shape->n + 1) / 2;
  Conv2dShape second = *shape;
  second.n = shape->n - first.n;

  pid_t child = fork();
  if (child == 0) {
    if (second.n > 0) conv2d_forward(x + first.x_size(), w, b, y + first.y_size(), &second);
    _exit(0);
  }
  conv2d_forward(x, w, b, y, &first);
  waitpid(child, nullptr, 0);
}
