// SPDX-License-Identifier: MIT
// A picture as numbers, and what is done to it before a digit is found in it.
#pragma once

#include <cstddef>
#include <vector>

namespace convkit {

struct Plane {
  int width = 0, height = 0;
  std::vector<float> values;  // [height][width]

  Plane() = default;
  Plane(int w, int h)
      : width(w), height(h), values(static_cast<size_t>(w) * static_cast<size_t>(h)) {}
  float& at(int row, int column) { return values[place(row, column)]; }
  float at(int row, int column) const { return values[place(row, column)]; }
  size_t place(int row, int column) const {
    return static_cast<size_t>(row) * static_cast<size_t>(width) + static_cast<size_t>(column);
  }
};

struct Box {
  int left = 0, top = 0, width = 0, height = 0;
};

// The part in `box`, each new element the mean of what it covers, whole or in part.
Plane resized(const Plane& plane, const Box& box, int width, int height);

// The mean, the largest and the smallest value of the square of 2 radius + 1 around each element,
// as far as it lies in the plane (the mean near the border is over a smaller square).
Plane blurred(const Plane& plane, int radius);
Plane largest_around(const Plane& plane, int radius);
Plane smallest_around(const Plane& plane, int radius);

// The largest of the disc of `radius` around each element: strokes grow thicker, and keep round
// ends.
Plane widened(const Plane& plane, int radius);

// Connected elements of a mask, diagonals included.
struct Blob {
  Box box;
  size_t area = 0, edge = 0;    // elements; those of them with a neighbour outside of the blob
  bool touches_border = false;  // of the plane
};
struct Blobs {
  std::vector<int> label;  // of each element: -1, or an index into `blobs`
  std::vector<Blob> blobs;
};
Blobs blobs_of(const std::vector<bool>& mask, int width, int height);

}  // namespace convkit
