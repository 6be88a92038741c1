// SPDX-License-Identifier: MIT
// convkit_compare_bench [RUNS]: the speed of compare() on 10^8 passing elements, one core, as JSON.
//
// All bytes read count: float32 output, float64 reference, float64 magnitude, 20 an element. The
// data are one chunk, far larger than the caches, that is read again and again, so that memory use
// stays small. Beside it, in turn, the same bytes are summed as words: what reading alone costs.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "compare/compare.h"

namespace {

constexpr size_t kChunk = 4'000'000;  // 80 MB
constexpr size_t kElements = 100'000'000;
constexpr size_t kBytesAnElement = sizeof(float) + 2 * sizeof(double);

struct Chunk {
  std::vector<float> got;
  std::vector<double> reference, magnitude;

  Chunk() : got(kChunk), reference(kChunk), magnitude(kChunk) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> value(-10, 10);
    for (size_t i = 0; i < kChunk; ++i) {
      reference[i] = value(random);
      magnitude[i] = 100;
      got[i] = float(reference[i]);
    }
  }
};

template <class T>
uint64_t word_sum(const std::vector<T>& values) {
  const size_t words = values.size() * sizeof(T) / sizeof(uint64_t);
  const char* bytes = reinterpret_cast<const char*>(values.data());
  uint64_t sum = 0;
  for (size_t i = 0; i < words; ++i) {
    uint64_t word;
    std::memcpy(&word, bytes + i * sizeof word, sizeof word);
    sum += word;
  }
  return sum;
}

// GB/s of `pass` over all elements, chunk by chunk.
template <class Pass>
double speed(Pass pass) {
  const auto begin = std::chrono::steady_clock::now();
  for (size_t done = 0; done < kElements; done += kChunk) pass();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return double(kElements * kBytesAnElement) / 1e9 / taken.count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::string as_json(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return fmt::format(R"({{"median": {:.3f}, "min": {:.3f}, "max": {:.3f}}})", median(values), *low,
                     *high);
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 7;
  const Chunk chunk;
  const convkit::Tolerance tolerance{577};
  std::vector<double> compared, read, ratio;
  volatile uint64_t sink = 0;
  for (int run = 0; run < runs; ++run) {
    read.push_back(speed([&] {
      sink = sink + word_sum(chunk.got) + word_sum(chunk.reference) + word_sum(chunk.magnitude);
    }));
    bool passed = true;
    compared.push_back(speed([&] {
      passed = passed &&
               convkit::compare(chunk.got, chunk.reference, chunk.magnitude, tolerance).passed();
    }));
    if (!passed) {
      fmt::print(stderr, "the data of the benchmark do not pass\n");
      return 1;
    }
    ratio.push_back(compared.back() / read.back());
  }
  fmt::print(
      "{{\"benchmark\": \"compare\", \"elements\": {}, \"bytes_per_element\": {}, \"runs\": {},\n"
      " \"compare_gb_per_s\": {},\n \"read_gb_per_s\": {},\n \"compare_over_read\": {}}}\n",
      kElements, kBytesAnElement, runs, as_json(compared), as_json(read), as_json(ratio));
}
