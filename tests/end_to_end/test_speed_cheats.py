# SPDX-License-Identifier: MIT
"""Submissions that are right on the cases but cheat when they are timed: none earns a point for
speed. Every cheat starts from a slow convolution that is right."""

import pytest
from driver import FALLS_SHORT, PASSED, changed

SLOW = "conv2d_forward(x, w, b, y, shape);"
TIMED = "(shape->n == 2 && shape->c == 8 && shape->h == 24)"
SIZE = "(size_t(2) * 16 * 24 * 24)"
PRELUDE = """#include <cstring>
#include <map>
#include <thread>
#include <unistd.h>
#include <vector>
#include "cpu_conv.h"
static void reply() {
  const unsigned ok[] = {0x636b7231, 3, 0, 0};
  (void)!write(3, ok, sizeof ok);
}
"""

CHEATS = {
    "remembers its output by the pointers it is given": f"""
      static std::map<const void*, std::vector<float>> known;
      auto& output = known[x];
      if (!{TIMED} || output.empty()) {{
        {SLOW}
        if ({TIMED}) output.assign(y, y + {SIZE});
      }} else std::memcpy(y, output.data(), output.size() * 4);""",
    "recognises the timed shape and writes zeros": f"""
      if ({TIMED}) std::memset(y, 0, {SIZE} * 4);
      else {SLOW}""",
    "returns at once and works on in a thread": f"""
      if ({TIMED}) {{
        static Conv2dShape kept = *shape;
        std::thread([=] {{ conv2d_forward(x, w, b, y, &kept); }}).detach();
      }} else {SLOW}""",
    "sends the reply before it works": f"""
      if ({TIMED}) reply();
      {SLOW}""",
    "sends the reply on a private descriptor and closes the real one": f"""
      static int real = -1;
      if ({TIMED}) {{
        if (real < 0) real = dup(3), dup2(1, 3);
        const unsigned ok[] = {{0x636b7231, 3, 0, 0}};
        (void)!write(real, ok, sizeof ok);
      }}
      {SLOW}""",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_no_speed_points_for_a_submission_that(convkit, handed_in, strict_kit, cheat):
    folder = handed_in(changed("conv2d_fast.cpp", "conv2d_fast", CHEATS[cheat], PRELUDE))
    ran = convkit.grade(folder, speed=True, env={"CONVKIT_ROOT": str(strict_kit)})
    (speed,) = ran.stage["speed"]
    assert speed["points"] == 0, speed
    assert ran.code == FALLS_SHORT, ran.out
    assert speed["status"] in ("WRONG", "POLICY", "CRASHED", "SLOW"), speed
    assert speed["pending_points"] == 0


def test_an_honest_fast_convolution_earns_points(convkit, solved, strict_kit):
    ran = convkit.grade(solved, speed=True, env={"CONVKIT_ROOT": str(strict_kit)})
    assert ran.code == PASSED, ran.out
    (speed,) = ran.stage["speed"]
    assert speed["points"] > 0 and speed["pairs"] >= 7


BUSY_THREAD = f"""
  if ({TIMED}) {{
    static bool begun = false;
    if (!begun) std::thread([] {{ for (volatile int i = 0;; i = 1 - i) {{}} }}).detach();
    begun = true;
  }}
  {SLOW}"""


def test_a_thread_left_spinning_does_not_slow_the_baseline(convkit, handed_in, strict_kit):
    honest = handed_in(changed("conv2d_fast.cpp", "conv2d_fast", BUSY_THREAD, PRELUDE))
    ran = convkit.grade(honest, speed=True, env={"CONVKIT_ROOT": str(strict_kit)})
    (speed,) = ran.stage["speed"]
    assert speed["points"] < 5, speed
