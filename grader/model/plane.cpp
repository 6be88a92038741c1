// SPDX-License-Identifier: MIT
#include "model/plane.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace convkit {

Plane resized(const Plane& plane, const Box& box, int width, int height) {
  // How much of each old element lies in a new one, along one axis.
  struct Part {
    int index;
    float share;
  };
  const auto parts_of = [](int from, int length, int count) {
    std::vector<std::vector<Part>> all(static_cast<size_t>(count));
    const double step = static_cast<double>(length) / count;
    for (int i = 0; i < count; ++i) {
      const double begin = i * step, end = begin + step;
      for (int k = static_cast<int>(begin); k < length && k < end; ++k) {
        const double covered = std::min(end, k + 1.0) - std::max(begin, static_cast<double>(k));
        if (covered > 0) {
          all[static_cast<size_t>(i)].push_back({from + k, static_cast<float>(covered / step)});
        }
      }
    }
    return all;
  };
  const auto rows = parts_of(box.top, box.height, height);
  const auto columns = parts_of(box.left, box.width, width);
  Plane out(width, height);
  for (int i = 0; i < height; ++i) {
    for (int j = 0; j < width; ++j) {
      float sum = 0;
      for (const Part& row : rows[static_cast<size_t>(i)]) {
        for (const Part& column : columns[static_cast<size_t>(j)]) {
          sum += row.share * column.share * plane.at(row.index, column.index);
        }
      }
      out.at(i, j) = sum;
    }
  }
  return out;
}

namespace {

// Rows first, then columns: `along` puts the result for a row of `count` values, `step` apart, in
// the same places.
template <class Along>
Plane by_rows_and_columns(Plane plane, const Along& along) {
  std::vector<float> line;
  const auto pass = [&](size_t begin, int count, size_t step) {
    line.resize(static_cast<size_t>(count));
    for (size_t i = 0; i < line.size(); ++i) line[i] = plane.values[begin + i * step];
    for (int i = 0; i < count; ++i) {
      plane.values[begin + static_cast<size_t>(i) * step] = along(line, i);
    }
  };
  for (int row = 0; row < plane.height; ++row) pass(plane.place(row, 0), plane.width, 1);
  for (int column = 0; column < plane.width; ++column) {
    pass(plane.place(0, column), plane.height, static_cast<size_t>(plane.width));
  }
  return plane;
}

auto window(const std::vector<float>& line, int at, int radius) {
  const int last = static_cast<int>(line.size());
  return std::pair(line.begin() + std::max(0, at - radius),
                   line.begin() + std::min(last, at + radius + 1));
}

}  // namespace

Plane blurred(const Plane& plane, int radius) {
  return by_rows_and_columns(plane, [&](const std::vector<float>& line, int at) {
    // As far to one side as to the other, so that even slopes stay what they are.
    const int there = std::min({radius, at, static_cast<int>(line.size()) - 1 - at});
    const auto [begin, end] = window(line, at, there);
    return std::accumulate(begin, end, 0.0f) / static_cast<float>(end - begin);
  });
}

Plane largest_around(const Plane& plane, int radius) {
  return by_rows_and_columns(plane, [&](const std::vector<float>& line, int at) {
    const auto [begin, end] = window(line, at, radius);
    return *std::max_element(begin, end);
  });
}

Plane smallest_around(const Plane& plane, int radius) {
  return by_rows_and_columns(plane, [&](const std::vector<float>& line, int at) {
    const auto [begin, end] = window(line, at, radius);
    return *std::min_element(begin, end);
  });
}

Plane widened(const Plane& plane, int radius) {
  Plane out(plane.width, plane.height);
  for (int i = 0; i < plane.height; ++i) {
    for (int j = 0; j < plane.width; ++j) {
      float most = 0;
      for (int p = -radius; p <= radius; ++p) {
        for (int q = -radius; q <= radius; ++q) {
          const int row = i + p, column = j + q;
          if (p * p + q * q > radius * radius + radius) continue;  // round corners
          if (row < 0 || row >= plane.height || column < 0 || column >= plane.width) continue;
          most = std::max(most, plane.at(row, column));
        }
      }
      out.at(i, j) = most;
    }
  }
  return out;
}

Blobs blobs_of(const std::vector<bool>& mask, int width, int height) {
  Blobs result;
  result.label.assign(mask.size(), -1);
  std::vector<int> open;
  for (int seed = 0; seed < static_cast<int>(mask.size()); ++seed) {
    if (!mask[static_cast<size_t>(seed)] || result.label[static_cast<size_t>(seed)] >= 0) continue;
    const int name = static_cast<int>(result.blobs.size());
    int left = width, right = -1, top = height, bottom = -1;
    Blob blob;
    result.label[static_cast<size_t>(seed)] = name;
    open.push_back(seed);
    while (!open.empty()) {
      const int here = open.back(), row = here / width, column = here % width;
      open.pop_back();
      ++blob.area;
      left = std::min(left, column), right = std::max(right, column);
      top = std::min(top, row), bottom = std::max(bottom, row);
      bool on_edge = false;
      for (int i = row - 1; i <= row + 1; ++i) {
        for (int j = column - 1; j <= column + 1; ++j) {
          const bool outside = i < 0 || i >= height || j < 0 || j >= width;
          const auto next = static_cast<size_t>(outside ? here : i * width + j);
          on_edge = on_edge || outside || !mask[next];
          if (outside || !mask[next] || result.label[next] >= 0) continue;
          result.label[next] = name;
          open.push_back(static_cast<int>(next));
        }
      }
      blob.edge += on_edge;
    }
    blob.box = {left, top, right - left + 1, bottom - top + 1};
    blob.touches_border = left == 0 || top == 0 || right == width - 1 || bottom == height - 1;
    result.blobs.push_back(blob);
  }
  return result;
}

}  // namespace convkit
