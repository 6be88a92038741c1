# SPDX-License-Identifier: MIT
"""What functions of a hostile or broken submission do, and what the grader says about each."""

from dataclasses import dataclass


@dataclass
class Behaviour:
    name: str  # "A submission that ..."
    body: str  # of a function with an input x and an output y
    status: str
    message: str  # a regular expression; FUNCTION stands for the function's name
    prelude: str = ""


FORGED_REPLY = """
#include <unistd.h>
static void forge() {
  struct { unsigned magic, kind, todo, reserved; } reply = {0x636b7231, 3, 0, 0};
  for (int fd = 0; fd < 64; ++fd) (void)!write(fd, &reply, sizeof reply);
}
"""

BEHAVIOURS = [
    Behaviour(
        "writes past the end of its output",
        "for (int i = 0;; ++i) y[i] = 0;",
        "CRASHED",
        r"^FUNCTION wrote past the end of `y` \(at element \d+ of \d+\)\.$",
    ),
    Behaviour(
        "reads far before its input",
        "y[0] = x[-4096];",
        "CRASHED",
        r"^FUNCTION read before the beginning of `x` \(at element -\d+\)\.$",
    ),
    Behaviour(
        "writes to its input",
        "const_cast<float*>(x)[1] = 0;",
        "CRASHED",
        r"^FUNCTION wrote to its input `x` \(at element 1\), which is read-only\.$",
    ),
    Behaviour(
        "follows a null pointer",
        "*static_cast<volatile float*>(nullptr) = 1;",
        "CRASHED",
        r"^FUNCTION wrote through a null pointer\.$",
    ),
    Behaviour(
        "recurses without end",
        "y[0] = static_cast<float>(deeper(int(x[0] * 0) + 1));",
        "CRASHED",
        r"^FUNCTION overflowed its stack \(8 MiB\)\.$",
        "__attribute__((noinline)) static int deeper(int n) {\n"
        "  volatile char frame[512] = {};\n"
        "  return n > 0 ? deeper(n + 1) + frame[0] : 0;\n}\n",
    ),
    Behaviour(
        "loops forever",
        "for (volatile int i = 0;; i = 1 - i) {}",
        "TIMED_OUT",
        r"^FUNCTION did not return within 1 s\.$",
    ),
    Behaviour(
        "sleeps for an hour",
        "sleep(3600);",
        "TIMED_OUT",
        r"^FUNCTION did not return within 1 s\.$",
        "#include <unistd.h>\n",
    ),
    Behaviour(
        "prints a gigabyte",
        'for (int i = 0; i < (1 << 24); ++i) std::printf("sixty-four bytes of text of no use%30d\\n", i);',
        "LIMIT",
        r"^FUNCTION printed more than 64 KiB\.$",
        "#include <cstdio>\n",
    ),
    Behaviour(
        "ends the process with success",
        "_exit(0);",
        "CRASHED",
        r"^The process ended \(exit code 0\) before FUNCTION returned\.$",
        "#include <unistd.h>\n",
    ),
    Behaviour(
        "divides an integer by zero",
        "volatile int zero = 0; y[0] = static_cast<float>(1 / zero);",
        "CRASHED",
        r"^FUNCTION divided an integer by zero\.$",
    ),
    Behaviour(
        "aborts",
        "std::abort();",
        "CRASHED",
        r"^FUNCTION called abort\(\)\.$",
        "#include <cstdlib>\n",
    ),
    Behaviour(
        "throws an exception",
        'throw std::runtime_error("no such \\x1b[31mlayer\\n");',
        "CRASHED",
        r"^FUNCTION threw an exception: no such  ?\[31mlayer ?$",
        "#include <stdexcept>\n",
    ),
    Behaviour(
        "throws what is no exception",
        "throw 42;",
        "CRASHED",
        r"^FUNCTION threw an exception: an exception that is no std::exception$",
    ),
    Behaviour(
        "writes nothing",
        "",
        "WRONG",
        r"(?i)never (been )?written|not written|wrote nothing|unwritten",
    ),
    Behaviour(
        "returns NaN",
        "y[0] = __builtin_nanf(\"\");",
        "WRONG",
        r"NaN|not written|never written",
    ),
    Behaviour(
        "leaks memory until the limit",
        "for (;;) { volatile char* p = new char[1 << 20]; for (int i = 0; i < 1 << 20; i += 4096) p[i] = 1; }",
        "LIMIT",
        r"^FUNCTION asked for more memory than the limit of 256 MiB allows\.$",
    ),
    Behaviour(
        "forks by a raw system call",
        "for (;;) if (syscall(SYS_clone, 17, 0, 0, 0, 0) < 0) break;",
        "POLICY",
        r"^FUNCTION made the system call clone, which submissions may not\.$",
        "#include <sys/syscall.h>\n#include <unistd.h>\n",
    ),
    Behaviour(
        "starts a program by a raw system call",
        'const char* argv[] = {"/bin/sh", nullptr}; syscall(SYS_execve, argv[0], argv, nullptr);',
        "POLICY",
        r"^FUNCTION made the system call execve, which submissions may not\.$",
        "#include <sys/syscall.h>\n#include <unistd.h>\n",
    ),
    Behaviour(
        "opens a socket",
        "y[0] = static_cast<float>(socket(AF_INET, SOCK_STREAM, 0));",
        "POLICY",
        r"^FUNCTION made the system call socket, which submissions may not\.$",
        "#include <sys/socket.h>\n",
    ),
    Behaviour(
        "attaches to its parent",
        "ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);",
        "POLICY",
        r"^FUNCTION made the system call ptrace, which submissions may not\.$",
        "#include <sys/ptrace.h>\n#include <unistd.h>\n",
    ),
    Behaviour(
        "kills every process it can",
        "kill(-1, 9); kill(getppid(), 9);",
        "POLICY|CRASHED|LIMIT|WRONG",
        r"",
        "#include <signal.h>\n#include <unistd.h>\n",
    ),
    Behaviour(
        "catches SIGSYS and tries again",
        "signal(SIGSYS, ignore); for (int i = 0; i < 9; ++i) if (socket(AF_INET, SOCK_STREAM, 0) >= 0) return;",
        "POLICY|WRONG",
        r"",
        "#include <signal.h>\n#include <sys/socket.h>\nstatic void ignore(int) {}\n",
    ),
    Behaviour(
        "reads /etc/passwd",
        'y[0] = std::fopen("/etc/passwd", "r") ? 1.0f : 0.0f; if (y[0] == 0) std::abort();',
        "CRASHED|POLICY",
        r"",
        "#include <cstdio>\n#include <cstdlib>\n",
    ),
    Behaviour(
        "forges a reply and ends",
        "forge(); _exit(0);",
        "WRONG|CRASHED",
        r"",
        FORGED_REPLY,
    ),
    Behaviour(
        "forges replies and returns",
        "forge(); forge();",
        "WRONG|CRASHED",
        r"",
        FORGED_REPLY,
    ),
    Behaviour(
        "leaves a thread running",
        "std::thread([] { for (;;) {} }).detach();",
        "WRONG",
        r"",
        "#include <thread>\n",
    ),
    Behaviour(
        "writes its output from a thread after it returned",
        "std::thread([y] { for (int i = 0; i < 100; ++i) { usleep(1000); y[0] = 1; } }).detach();",
        "WRONG",
        r"",
        "#include <thread>\n#include <unistd.h>\n",
    ),
    Behaviour(
        "unmaps everything",
        "for (char* p = nullptr; p < (char*)0x7fffffff0000; p += 1l << 40) munmap(p, 1l << 40);",
        "CRASHED",
        r"",
        "#include <sys/mman.h>\n",
    ),
]
