// SPDX-License-Identifier: MIT
// What the contestants share: the command line, the inputs, the clocks and what is printed.
// Each is a program `contestant WORKLOAD SIZE REPEATS`, which run.py starts in turn.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace workload {

constexpr int kFilter = 5;   // the convolution's filter is 5x5
constexpr int kTile = 16;    // blocks of the convolution and the matrix product
constexpr int kBlock = 256;  // threads of a block of the others
constexpr int kBarriersPerThread = 512;
constexpr int kTurns = 256;       // of the ring, two barriers each
constexpr int kButterflies = 64;  // five shuffles each

struct Request {
  const char* name;
  int size;
  int repeats;
  bool is(const char* other) const { return std::strcmp(name, other) == 0; }
};

inline Request request(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s WORKLOAD SIZE REPEATS\n", argv[0]);
    std::exit(2);
  }
  return {argv[1], std::atoi(argv[2]), std::atoi(argv[3])};
}

[[noreturn]] inline void unknown(const Request& asked) {
  std::fprintf(stderr, "%s is not a workload of this contestant\n", asked.name);
  std::exit(2);
}

// Small values of both signs, the same for every contestant.
inline std::vector<float> input(std::size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned mixed = (static_cast<unsigned>(i) + seed) * 2654435761u;
    values[i] = static_cast<float>(mixed >> 16 & 0xff) / 256.0f - 0.5f;
  }
  return values;
}

inline double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Runs `once` untimed, then `repeats` times, and prints the CPU time of the process, the time that
// passed, and a sum of the outputs on which all contestants must agree. `wait` returns when all
// work is done; `outputs` fetches the results.
template <class Once, class Wait, class Outputs>
void measure(const Request& asked, const Once& once, const Wait& wait, const Outputs& outputs) {
  once();
  wait();
  const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < asked.repeats; ++i) once();
  wait();
  const double cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  const double wall_s = seconds(CLOCK_MONOTONIC) - wall;
  const std::vector<float> values = outputs();
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += static_cast<double>(values[i]) * static_cast<double>(i % 7 + 1);
  }
  std::printf("%.9f %.9f %.9g\n", cpu_s, wall_s, sum);
}

}  // namespace workload
