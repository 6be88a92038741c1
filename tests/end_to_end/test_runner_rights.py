# SPDX-License-Identifier: MIT
"""What a loaded submission cannot do. Each submission tries, and answers wrongly if it can."""

import subprocess

import pytest
from driver import PASSED, changed

PRELUDE = """#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <csignal>
#include <cstring>
#include <ctime>
#include "cpu_conv.h"
extern "C" void* dlvsym(void*, const char*, const char*) noexcept;
static void wrong(float* y, const Conv2dShape* s) { std::memset(y, 0, size_t(s->y_size()) * 4); }
"""
RIGHT = "conv2d_forward(x, w, b, y, shape);"

ATTEMPTS = {
    # The signal could be SIGCONT: threads would go on working while another contestant is timed.
    "a timer that wakes a stopped process": f"""
      timer_t timer;
      sigevent event{{}};
      event.sigev_notify = SIGEV_SIGNAL;
      event.sigev_signo = SIGCONT;
      if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) wrong(y, shape);
      else {RIGHT}""",
    # Of root, where root grades.
    "a privilege, or root's number": f"""
      __user_cap_header_struct header{{_LINUX_CAPABILITY_VERSION_3, 0}};
      __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3] = {{}};
      const bool asked = syscall(SYS_capget, &header, has) == 0;
      const unsigned any = has[0].permitted | has[0].effective | has[0].inheritable |
                           has[1].permitted | has[1].effective | has[1].inheritable;
      if (!asked || any || !getuid() || !geteuid() || !getgid() || !getegid()) wrong(y, shape);
      else {RIGHT}""",
    # dlopen, found by dlvsym; zlib is on every machine that runs the kit.
    "a library of the machine": f"""
      using Open = void* (*)(const char*, int);
      void* library = nullptr;
      for (const char* version : {{"GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.34"}}) {{
        void* open = dlvsym(nullptr, "dlopen", version);
        if (open && !library) library = reinterpret_cast<Open>(open)("libz.so.1", 2);
      }}
      if (library) wrong(y, shape);
      else {RIGHT}""",
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_a_submission_cannot_have(convkit, handed_in, attempt):
    folder = handed_in(changed("conv2d_fast.cpp", "conv2d_fast", ATTEMPTS[attempt], PRELUDE))
    ran = convkit.grade(folder)
    assert ran.code == PASSED, ran.out


def test_every_runner_brings_the_mathematics_of_the_c_library(convkit):
    """Submissions need libm.so.6, and it is too late to open it when they are loaded."""
    runners = sorted(convkit.binary.parent.glob("[0-9][0-9]_*.runner*"))
    assert runners
    for runner in runners:
        told = subprocess.run(["readelf", "-d", runner], capture_output=True, text=True, check=True)
        assert "[libm.so.6]" in told.stdout, runner.name
