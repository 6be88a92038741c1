// SPDX-License-Identifier: MIT
// main() of a program with several parts, to be included once. Each part has a namespace of its own
// and a PART(name) { ... } there, which would be its main(); the argument names the part to run.
#pragma once

#include <cstdio>
#include <cstring>
#include <vector>

struct Part {
  const char* name;
  void (*run)();
};

inline std::vector<Part>& parts() {
  static std::vector<Part> all;
  return all;
}

inline bool add_part(const char* name, void (*run)()) {
  parts().push_back({name, run});
  return true;
}

#define PART(name)                             \
  void run_part();                             \
  bool added_part = add_part(#name, run_part); \
  void run_part()

int main(int argc, char** argv) {
  for (const Part& part : parts()) {
    if (argc != 2 || std::strcmp(part.name, argv[1]) != 0) continue;
    part.run();
    return 0;
  }
  std::fprintf(stderr, "usage: %s PART, where PART is one of\n", argv[0]);
  for (const Part& part : parts()) std::fprintf(stderr, "  %s\n", part.name);
  return 2;
}
