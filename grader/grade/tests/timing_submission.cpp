// SPDX-License-Identifier: MIT
// Functions that are timed by the tests: one that does its work, y = 2 x, and others that would
// rather not.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

void double_all(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];
}

}  // namespace

extern "C" {

void doubles(const float* x, float* y, int64_t n) {
  double_all(x, y, n);
}

// The answer to inputs whose magnitudes it has seen.
void remembers_its_answer(const float* x, float* y, int64_t n) {
  static std::vector<float> answer;
  if (answer.empty()) {
    double_all(x, y, n);
    answer.assign(y, y + n);
  } else {
    std::memcpy(y, answer.data(), answer.size() * sizeof(float));
  }
}

void skips_quick_calls(const float* x, float* y, int64_t n) {
  static auto last = Clock::now() - std::chrono::seconds(1);
  const bool quick = Clock::now() - last < std::chrono::milliseconds(1);
  last = Clock::now();
  if (!quick) double_all(x, y, n);
}

// After the first call the output of the next one no longer holds what it held then.
void trusts_the_sentinel(const float* x, float* y, int64_t n) {
  static uint32_t first = 0;
  uint32_t now = 0;
  std::memcpy(&now, y, sizeof now);
  if (first == 0) first = now;
  if (now == first) double_all(x, y, n);
}

// The reply comes before the work is done.
void writes_later(const float* x, float* y, int64_t n) {
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    double_all(x, y, n);
  }).detach();
}

void leaves_out_one_in_fifty(const float* x, float* y, int64_t n) {
  double_all(x, y, n - n / 50);
}

// A thread that looks for new inputs while the process should stand still.
void works_ahead(const float* x, float* y, int64_t n) {
  static const float* volatile watched = nullptr;
  static float seen = 0;
  static std::vector<float> ahead;
  if (!watched) {
    watched = x;
    seen = *x;
    std::thread([n] {
      for (;;) {
        if (*watched == seen) continue;
        seen = *watched;
        ahead.resize(static_cast<size_t>(n));
        double_all(watched, ahead.data(), n);
      }
    }).detach();
  }
  double_all(x, y, n);
}

// As a library that finds its way in the first call; the twentieth never returns.
void is_slow_at_first(const float* x, float* y, int64_t n) {
  static int calls = 0;
  if (++calls == 1) std::this_thread::sleep_for(std::chrono::milliseconds(500));
  if (calls == 20) std::abort();
  double_all(x, y, n);
}

void crashes(const float*, float*, int64_t) {
  std::abort();
}

}  // extern "C"
