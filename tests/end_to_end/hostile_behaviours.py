# SPDX-License-Identifier: MIT
"""What functions of a hostile or broken submission do, and what the grader says about each."""

from dataclasses import dataclass

from driver import ROOT


@dataclass
class Behaviour:
    name: str  # "A submission that ..."
    body: str  # of a function with an input x and an output y
    status: str
    message: str  # a regular expression; FUNCTION stands for the function's name
    prelude: str = ""


NOTHING_WRITTEN = r"^Nothing was written to y: all \d+ outputs are as the grader left them\.$"

# Writes the reply "ok" of runner/protocol.h to every open file descriptor.
FORGE = """#include <unistd.h>
static void forge() {
  const unsigned reply[] = {0x636b7231, 3, 0, 0};
  for (int fd = 3; fd < 64; ++fd) (void)!write(fd, reply, sizeof reply);
}
"""

# If the sandbox refuses a call, the submission calls abort(); if it allows it, the output is wrong.
OPEN = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void refuse(int fd) {
  if (fd < 0) abort();
}
"""
REFUSED = r"^FUNCTION called abort\(\)\.$"

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
        'for (int i = 0; i < 1 << 24; ++i) std::printf("much of it, over and over%32d\\n", i);',
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
        "volatile int zero = 0; y[0] = static_cast<float>(7 % zero);",
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
        NOTHING_WRITTEN,
    ),
    Behaviour(
        "returns NaN",
        'y[0] = __builtin_nanf("");',
        "WRONG",
        r"(?m)^1 of \d+ values is NaN; the reference has none\.",
    ),
    Behaviour(
        "leaks memory until the limit",
        "for (;;) std::memset(new char[1 << 20], 1, 1 << 20);",
        "LIMIT",
        r"^FUNCTION asked for more memory than the limit of 256 MiB allows\.$",
        "#include <cstring>\n",
    ),
    Behaviour(
        "forks by a raw system call",
        "for (;;) if (syscall(SYS_clone, 17, 0, 0, 0, 0) < 0) break;",
        "POLICY",
        r"^FUNCTION made the system call clone, which submissions may not make\.$",
        "#include <sys/syscall.h>\n#include <unistd.h>\n",
    ),
    Behaviour(
        "starts a program by a raw system call",
        'const char* argv[] = {"/bin/sh", nullptr}; syscall(SYS_execve, argv[0], argv, nullptr);',
        "POLICY",
        r"^FUNCTION made the system call execve, which submissions may not make\.$",
        "#include <sys/syscall.h>\n#include <unistd.h>\n",
    ),
    Behaviour(
        "opens a socket",
        "y[0] = static_cast<float>(socket(AF_INET, SOCK_STREAM, 0));",
        "POLICY",
        r"^FUNCTION made the system call socket, which submissions may not make\.$",
        "#include <sys/socket.h>\n",
    ),
    Behaviour(
        "attaches to its parent",
        "ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);",
        "POLICY",
        r"^FUNCTION made the system call ptrace, which submissions may not make\.$",
        "#include <sys/ptrace.h>\n#include <unistd.h>\n",
    ),
    Behaviour(
        "kills every process it can",
        "kill(-1, 9);",
        "POLICY",
        r"^FUNCTION made the system call kill, which submissions may not make\.$",
        "#include <signal.h>\n",
    ),
    Behaviour(
        "catches SIGSYS and goes on without a socket",
        "signal(SIGSYS, ignore);\n"
        "if (fcntl(socket(AF_INET, SOCK_STREAM, 0), F_GETFD) >= 0) abort();",
        "WRONG",
        NOTHING_WRITTEN,
        "#include <fcntl.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <sys/socket.h>\n"
        "static void ignore(int) {}\n",
    ),
    Behaviour(
        "reads the password file",
        'refuse(open("/etc/passwd", O_RDONLY));',
        "CRASHED",
        REFUSED,
        OPEN,
    ),
    Behaviour(
        "reads the reference data",
        f'refuse(open("{ROOT}/reference_data/visible/01_cpu_conv/manifest.json", O_RDONLY));',
        "CRASHED",
        REFUSED,
        OPEN,
    ),
    Behaviour(
        "leaves a file behind",
        'refuse(open("/tmp/convkit_was_here", O_WRONLY | O_CREAT, 0600));',
        "CRASHED",
        REFUSED,
        OPEN,
    ),
    Behaviour(
        "opens the memory of its parent",
        'char file[64]; snprintf(file, sizeof file, "/proc/%d/mem", getppid());\n'
        "refuse(open(file, O_RDWR));",
        "CRASHED",
        REFUSED,
        OPEN,
    ),
    Behaviour(
        "forges a reply and ends",
        "forge(); _exit(0);",
        "POLICY",
        r"^FUNCTION wrote to the grader's channel \(file descriptor 3\)\.$",
        FORGE,
    ),
    Behaviour(
        "sends the grader what is no reply",
        '(void)!write(3, "trust me", 8); pause();',
        "POLICY",
        r"^FUNCTION wrote to the grader's channel \(file descriptor 3\)\.$",
        "#include <unistd.h>\n",
    ),
    Behaviour(
        "closes every descriptor",
        "for (int fd = 0; fd < 64; ++fd) close(fd);",
        "CRASHED",
        r"^The process ended \(exit code 0\) before FUNCTION returned\.$",
        "#include <unistd.h>\n",
    ),
    Behaviour(
        "stops itself",
        "raise(SIGSTOP);",
        "POLICY|TIMED_OUT",
        r"",
        "#include <signal.h>\n",
    ),
    Behaviour(
        "leaves a busy thread behind",
        "std::thread([] { for (volatile int i = 0;; i = 1 - i) {} }).detach();",
        "WRONG",
        NOTHING_WRITTEN,
        "#include <thread>\n",
    ),
    Behaviour(
        "starts threads until it may not",
        "for (;;) std::thread([] { pause(); }).detach();",
        "CRASHED|LIMIT",
        r"",
        "#include <thread>\n#include <unistd.h>\n",
    ),
    Behaviour(
        "writes its output a while after it returned",
        "std::thread([y] { usleep(50000); y[0] = 1; }).detach();",
        "WRONG",
        NOTHING_WRITTEN,
        "#include <thread>\n#include <unistd.h>\n",
    ),
    Behaviour(
        "unmaps all of its memory",
        "for (long at = 0; at < 1l << 47; at += 1l << 40)\n"
        "  munmap(reinterpret_cast<void*>(at), 1l << 40);",
        "CRASHED",
        r"^FUNCTION damaged the memory of its own process\.$",
        "#include <sys/mman.h>\n",
    ),
]
