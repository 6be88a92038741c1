// SPDX-License-Identifier: MIT
// What a call of `bench` asks for.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace convkit {

struct BenchOptions {
  std::string stage;
  std::filesystem::path folder;
  std::filesystem::path json;
  bool solution = false;  // time the reference solution too
  bool peers = true;      // vendor libraries where they build
  double seconds = 2;     // per shape
  std::vector<std::string> shapes;
  bool sweep = false, ladder = false, chart = false;
  std::string table;          // the sweep, ladder or chart meant; empty: all of them
  std::filesystem::path svg;  // its picture; empty: in work/results
  bool again = false;         // whatever a sweep has found before

  bool wants(const std::string& shape) const {
    return shapes.empty() || std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
  }
};

}  // namespace convkit
