// SPDX-License-Identifier: MIT
// Compiled twice: with the kit's own switch, and with Boost.Context's where that is installed.
#include "cpu_device/engine/fiber.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.h"

namespace convkit::simt {
namespace {

constexpr size_t kBytes = 64 << 10;

// A fiber with a stack of its own that runs body(fiber), and then goes back for good.
class Coroutine {
 public:
  explicit Coroutine(void (*body)(Coroutine&)) : body_(body) {
    next_ = make_fiber(stack_.get() + kBytes, kBytes, &enter, this);
  }
  void go_on() { switch_to(main_, next_); }
  void go_back() { switch_to(next_, main_); }

  std::vector<std::string> said;
  double number = 0;
  bool done = false;

 private:
  static void enter(void* self) {
    auto& coroutine = *static_cast<Coroutine*>(self);
    coroutine.body_(coroutine);
    coroutine.done = true;
    coroutine.go_back();
  }

  void (*body_)(Coroutine&);
  std::unique_ptr<char[]> stack_ = std::make_unique<char[]>(kBytes);
  Fiber next_ = nullptr, main_ = nullptr;
};

}  // namespace

TEST_CASE("a fiber begins when it is switched to, and goes on where it stopped") {
  Coroutine fiber([](Coroutine& self) {
    self.said.push_back("begun");
    self.go_back();
    self.said.push_back("gone on");
  });
  CHECK(fiber.said.empty());
  fiber.go_on();
  CHECK(fiber.said == std::vector<std::string>{"begun"});
  CHECK_FALSE(fiber.done);
  fiber.go_on();
  CHECK(fiber.said == std::vector<std::string>{"begun", "gone on"});
  CHECK(fiber.done);
}

TEST_CASE("both sides of a switch keep what they had in registers") {
  Coroutine fiber([](Coroutine& self) {
    long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7;
    double x = 0.5;
    while (self.number < 1000) {
      a += b, b += c, c += d, d += e, e += f, f += g, g += 1, x += 1;
      self.number = x;
      self.go_back();
      self.number += static_cast<double>(g - 7) - (x - 0.5);  // 0 where all is well
    }
    self.said.push_back(std::to_string(g));
  });
  long a = 7, b = 6, c = 5, d = 4, e = 3, f = 2, g = 0;
  while (!fiber.done) {
    a ^= b, b ^= c, c ^= d, d ^= e, e ^= f, f ^= a, g += 1;
    fiber.go_on();
  }
  CHECK(g == 1001);
  CHECK(fiber.said == std::vector<std::string>{"1007"});
  // The same without a switch.
  long p = 7, q = 6, r = 5, s = 4, t = 3, u = 2;
  for (long i = 0; i < 1001; ++i) p ^= q, q ^= r, r ^= s, s ^= t, t ^= u, u ^= p;
  CHECK((a == p && b == q && c == r && d == s && e == t && f == u));
}

TEST_CASE("the stack of a fiber is aligned as calls expect") {
  Coroutine fiber([](Coroutine& self) {
    alignas(16) volatile char here[16] = {};
    self.number = static_cast<double>(reinterpret_cast<uintptr_t>(&here[0]) % 16);
    // Printing a double saves vector registers, with instructions that fault when it is not.
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", 1.25 + here[0]);
    self.said.push_back(text);
  });
  fiber.number = 1;
  fiber.go_on();
  CHECK(fiber.number == 0);
  CHECK(fiber.said == std::vector<std::string>{"1.25"});
}

TEST_CASE("exceptions are thrown and caught inside a fiber") {
  Coroutine fiber([](Coroutine& self) {
    try {
      self.go_back();
      throw std::runtime_error("thrown after a switch");
    } catch (const std::runtime_error& error) {
      self.said.push_back(error.what());
    }
  });
  fiber.go_on();
  fiber.go_on();
  CHECK(fiber.said == std::vector<std::string>{"thrown after a switch"});
}

TEST_CASE("a thousand fibers take turns") {
  std::vector<std::unique_ptr<Coroutine>> fibers;
  for (int i = 0; i < 1000; ++i) {
    fibers.push_back(std::make_unique<Coroutine>([](Coroutine& self) {
      for (int turn = 0; turn < 3; ++turn) {
        self.number += turn;
        self.go_back();
      }
    }));
  }
  for (int turn = 0; turn < 4; ++turn) {
    for (auto& fiber : fibers) fiber->go_on();
  }
  for (const auto& fiber : fibers) {
    REQUIRE(fiber->done);
    REQUIRE(fiber->number == 3);
  }
}

}  // namespace convkit::simt
