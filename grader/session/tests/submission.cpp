// SPDX-License-Identifier: MIT
// What hostile and broken submissions do (functions.h). x and y have n = 5 elements: 20 bytes in
// front of the guard page, with a margin of 44; 4032 bytes of the page lie before them.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "functions.h"
#include "runner/protocol.h"

#define CONVKIT_DECLARE(name) extern "C" void name(const float* x, float* y, int64_t n);
CONVKIT_TEST_FUNCTIONS(CONVKIT_DECLARE)

// The kit's own exception is known by its name.
namespace convkit::harness {
struct CaseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
}  // namespace convkit::harness

namespace {

namespace protocol = convkit::protocol;

// To the second request of a session, which is the first `run`.
constexpr protocol::Reply kForged{protocol::kReplyMagic, protocol::ReplyKind::ok, 0, 2};
constexpr protocol::Reply kComplaint{protocol::kReplyMagic, protocol::ReplyKind::case_error, 0, 2};

std::mutex g_lock;

void write_to_channel(const void* bytes, size_t size) {
  (void)!write(protocol::kSocketFd, bytes, size);
}

__attribute__((noinline)) int deeper(int n) {
  volatile char frame[512] = {};
  return n > 0 ? deeper(n + 1) + frame[0] : 0;
}

// The output is never the same for long.
[[noreturn]] void work_for_ever(float* y) {
  for (volatile auto* work = reinterpret_cast<uint32_t*>(y);;) *work = *work + 1;
}

// The word of a std::mt19937_64's state that gave this output.
uint64_t untempered(uint64_t word) {
  word ^= word >> 43;
  word ^= (word << 37) & 0xfff7eee000000000ull;
  uint64_t undone = word;
  for (int i = 0; i < 4; ++i) undone = word ^ ((undone << 17) & 0x71d67fffeda60000ull);
  word = undone;
  for (int i = 0; i < 3; ++i) undone = word ^ ((undone >> 29) & 0x5555555555555555ull);
  return undone;
}

protocol::FlightRecord* flight_record() {
  return static_cast<protocol::FlightRecord*>(mmap(nullptr, sizeof(protocol::FlightRecord),
                                                   PROT_READ | PROT_WRITE, MAP_SHARED,
                                                   protocol::kFlightRecordFd, 0));
}

}  // namespace

void doubles(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i];
}
// By up to 255 units in the last place, as an order of additions that is left to chance would.
void changes_every_time(const float* x, float* y, int64_t n) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  const auto steps = static_cast<float>(now % 256);
  for (int64_t i = 0; i < n; ++i) y[i] = 2 * x[i] * (1 + steps * 0x1p-23f);
}
// Doubles unless it can tell some signs of x from the ones before, which it could then do for the
// next round as well: 312 words of std::mt19937_64 determine all later ones.
void predicts_the_signs(const float* x, float* y, int64_t n) {
  std::vector<uint64_t> state;  // of the generator, one word for 64 signs
  for (int64_t i = 0; i + 64 <= n; i += 64) {
    uint64_t word = 0;
    for (int64_t bit = 0; bit < 64; ++bit) word |= uint64_t{x[i + bit] < 0} << bit;
    state.push_back(untempered(word));
  }
  size_t predicted = 0;
  for (size_t k = 0; k + 312 < state.size(); ++k) {
    const uint64_t joined = (state[k] & ~0x7fffffffull) | (state[k + 1] & 0x7fffffffull);
    const uint64_t next = state[k + 156] ^ (joined >> 1) ^ (joined & 1 ? 0xb5026f5aa96619e9ull : 0);
    predicted += next == state[k + 312];
  }
  if (predicted > 0) throw std::runtime_error("the signs of later rounds are known");
  doubles(x, y, n);
}
void writes_nothing(const float*, float*, int64_t) {}
void reads_past_the_end(const float* x, float* y, int64_t n) {
  y[0] = *const_cast<const volatile float*>(x + n + 11);
}
void reads_before_the_beginning(const float* x, float* y, int64_t) {
  y[0] = *const_cast<const volatile float*>(x - 1009);
}
void writes_past_the_end(const float*, float* y, int64_t n) {
  *const_cast<volatile float*>(y + n + 11) = 1;
}
void writes_before_the_beginning(const float*, float* y, int64_t) {
  *const_cast<volatile float*>(y - 1009) = 1;
}
void writes_just_past_the_end(const float* x, float* y, int64_t n) {
  doubles(x, y, n);
  y[n] = 1;
}
void writes_just_before_the_beginning(const float* x, float* y, int64_t n) {
  doubles(x, y, n);
  y[-1] = 1;
}
void writes_to_its_input(const float* x, float*, int64_t) {
  *const_cast<volatile float*>(x + 3) = 1;
}
void follows_null(const float*, float*, int64_t n) {
  *reinterpret_cast<volatile float*>(n - 5) = 1;
}
void recurses(const float* x, float* y, int64_t n) {
  y[0] = static_cast<float>(deeper(static_cast<int>(n + (x[0] > 0))));
}
void has_a_large_array(const float*, float* y, int64_t n) {
  volatile float values[8 << 20];
  values[n] = 1;
  y[0] = values[n];
}
void throws_text(const float*, float*, int64_t) {
  throw std::runtime_error("no such \x1b[31mlayer\n");
}
void throws_a_number(const float*, float*, int64_t) {
  throw 42;
}
void exits(const float*, float*, int64_t) {
  _exit(0);
}
void loops(const float*, float*, int64_t) {
  for (volatile int i = 0;;) i = 1 - i;
}
void sleeps(const float*, float*, int64_t) {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}
void computes_for_a_while(const float*, float*, int64_t) {
  for (const std::clock_t begin = std::clock(); std::clock() - begin < CLOCKS_PER_SEC / 2;) {
  }
}
void prints(const float*, float*, int64_t n) {
  std::printf("%d elements\n", static_cast<int>(n));
}
void floods(const float*, float*, int64_t) {
  for (;;) std::puts("sixty-four bytes, over and over, until nobody reads them any more");
}
void closes_the_channel(const float*, float*, int64_t) {
  close(protocol::kSocketFd);
}
void writes_garbage_to_the_channel(const float*, float*, int64_t) {
  write_to_channel("trust me", 8);
  pause();
}
void writes_a_long_message_to_the_channel(const float*, float*, int64_t) {
  std::array<protocol::Reply, 100> replies;
  replies.fill(kForged);
  write_to_channel(&replies, sizeof replies);
  pause();
}
void remembers_magnitudes(const float* x, float* y, int64_t n) {
  static const std::vector<float> first(x, x + n);
  for (int64_t i = 0; i < n; ++i) y[i] = 2 * std::copysign(first[static_cast<size_t>(i)], x[i]);
}
void replies_before_the_work(const float*, float* y, int64_t) {
  write_to_channel(&kForged, sizeof kForged);
  work_for_ever(y);
}
void works_on_after_returning(const float*, float* y, int64_t) {
  for (int i = 0; i < 4; ++i) std::thread(work_for_ever, y).detach();
}
void works_when_continued(const float* x, float* y, int64_t n) {
  std::signal(SIGCONT, [](int) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
    while (std::chrono::steady_clock::now() < end) {
    }
  });
  doubles(x, y, n);
}
void empties_the_flight_record_and_crashes(const float*, float* y, int64_t n) {
  (void)!ftruncate(protocol::kFlightRecordFd, 0);
  writes_past_the_end(nullptr, y, n);
}
void fills_the_flight_record_and_exits(const float*, float*, int64_t) {
  // No zero anywhere: whoever takes the texts for C strings reads on.
  std::memset(flight_record(), 0x1b, sizeof(protocol::FlightRecord));
  _exit(3);
}
void throws_the_kits_error(const float*, float*, int64_t) {
  throw convkit::harness::CaseError("no address space for a tensor");
}
void forges_a_complaint(const float*, float*, int64_t) {
  write_to_channel(&kComplaint, sizeof kComplaint);
  pause();
}
void leaks_a_descriptor(const float* x, float* y, int64_t n) {
  (void)!dup(1);
  doubles(x, y, n);
}
void leaks_memory(const float* x, float* y, int64_t n) {
  mmap(nullptr, 100 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  doubles(x, y, n);
}
void keeps_a_little_memory(const float* x, float* y, int64_t n) {
  static std::vector<float> cache(8 << 20, 2.0f);
  cache.back() = 2.0f;
  doubles(x, y, n);
}
// It has it for a moment only before it returns, and keeps it.
void uses_much_memory(const float* x, float* y, int64_t n) {
  static std::vector<float> memory(25 << 20, 1.0f);
  y[0] = memory.back();
  doubles(x, y, n);
}
void leaves_a_thread_with_a_lock(const float* x, float* y, int64_t n) {
  std::thread([] {
    g_lock.lock();
    pause();
  }).detach();
  while (g_lock.try_lock()) g_lock.unlock();
  doubles(x, y, n);
}
void takes_the_lock(const float* x, float* y, int64_t n) {
  const std::lock_guard lock(g_lock);
  doubles(x, y, n);
}
void joins_a_thread(const float* x, float* y, int64_t n) {
  std::thread(doubles, x, y, n).join();
}
// Of this process.
void counts_calls(const float* x, float* y, int64_t n) {
  static int calls = 0;
  std::printf("call %d\n", ++calls);
  doubles(x, y, n);
}
