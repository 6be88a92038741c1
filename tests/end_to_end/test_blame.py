# SPDX-License-Identifier: MIT
"""Whose fault it was: nothing that runs beside student code speaks for the kit, and what one
function leaves behind never counts against another."""

import pytest
from driver import FALLS_SHORT, PASSED, SOLUTION, STAGE, replace_body

# The kit's own exception, which the type's name identifies.
THROW = """#include <stdexcept>
namespace convkit::harness {
struct CaseError : std::runtime_error { using std::runtime_error::runtime_error; };
}
"""
# "The kit's own fault" of runner/protocol.h, as the answer to the call of a fresh process.
FORGE = """#include <unistd.h>
static void forge() {
  const unsigned reply[] = {0x636b7231, 6, 0, 2};
  (void)!write(3, reply, sizeof reply);
  pause();
}
"""
# Before main(): the same as the answer to the start, in every process.
FORGE_AT_START = """#include <unistd.h>
static const bool forged = [] {
  const unsigned reply[] = {0x636b7231, 6, 0, 0};
  return write(3, reply, sizeof reply) > 0 && pause() == 0;
}();
"""
# Holds a lock for ever in a thread that nobody ends.
HOLD = """#include <mutex>
#include <thread>
#include <unistd.h>
std::mutex test_gate;
"""
WAIT = "#include <mutex>\nextern std::mutex test_gate;\n"


def with_starts(file: str, *edits: tuple[str, str, str]) -> dict[str, str]:
    """`submission()`'s changes: functions of a file that first do something more.

    edits: (function, statements, prelude).
    """
    text = (SOLUTION / file).read_text()
    for function, statements, prelude in edits:
        body = text.partition(f"void {function}(")[2].partition("{\n")[2].partition("\n}\n")[0]
        text = prelude + replace_body(text, function, statements + "\n" + body)
    return {file: text}


def graded(convkit, folder, kit):
    return convkit.grade(folder, env={"CONVKIT_ROOT": str(kit)})


@pytest.mark.parametrize(
    ("statements", "prelude"),
    [
        ('throw convkit::harness::CaseError("no address space for a tensor");', THROW),
        ("forge();", FORGE),
    ],
    ids=["throws the kit's exception", "forges the kit's reply"],
)
def test_a_function_that_speaks_for_the_kit(convkit, handed_in, strict_kit, statements, prelude):
    changes = with_starts("activations.cpp", ("leaky_relu_forward", statements, prelude))
    ran = graded(convkit, handed_in(changes), strict_kit)
    assert ran.code == FALLS_SHORT, ran.out
    for case in ran.cases_of("leaky_relu_forward"):
        assert case["status"] == "CRASHED"
        assert case["message"].startswith(
            "In two processes the runner could not finish its part of a call of "
            "leaky_relu_forward, which it can without the submission: "
        )
    others = {c["status"] for c in ran.stage["cases"] if c["op"] != "leaky_relu_forward"}
    assert others == {"PASS"}
    assert ran.stage["pending_points"] == sum(s["pending_points"] for s in ran.stage["speed"])


def test_a_submission_that_speaks_for_the_kit_while_it_is_loaded(convkit, handed_in, strict_kit):
    changes = {"layout.cpp": FORGE_AT_START + (SOLUTION / "layout.cpp").read_text()}
    ran = graded(convkit, handed_in(changes), strict_kit)
    assert ran.code == FALLS_SHORT, ran.out
    assert ran.stage["cases"][0]["status"] == "POLICY"
    assert ran.statuses() == {"POLICY", "SKIPPED"}


LEAVES_BEHIND = {
    "descriptors": with_starts(
        "pooling.cpp",
        (
            "avg_pool2d_forward",
            "for (int i = 0; i < 30; ++i) (void)!dup(1);",
            "#include <unistd.h>\n",
        ),
    ),
    "address space": with_starts(
        "pooling.cpp",
        (
            "global_avg_pool_forward",
            "mmap(nullptr, 60 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
            "mmap(nullptr, 60 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);",
            "#include <sys/mman.h>\n",
        ),
    ),
    "a thread that holds a lock": with_starts(
        "activations.cpp",
        (
            "tanh_forward",
            "static std::thread* left = new std::thread([] { test_gate.lock(); pause(); });\n"
            "(void)left;\nwhile (test_gate.try_lock()) test_gate.unlock();",
            HOLD,
        ),
    )
    | with_starts(
        "layout.cpp", ("nchw_to_nhwc", "const std::lock_guard<std::mutex> lock(test_gate);", WAIT)
    ),
}


@pytest.mark.parametrize("what", LEAVES_BEHIND)
def test_what_a_function_leaves_behind_costs_no_other(convkit, handed_in, strict_kit, what):
    ran = graded(convkit, handed_in(LEAVES_BEHIND[what]), strict_kit)
    assert ran.statuses() == {"PASS"}, ran.out
    assert ran.code == PASSED


INNOCENTS = {
    "a descriptor in every call": with_starts(
        "conv2d.cpp", ("conv2d_forward", "(void)!dup(1); (void)!dup(1);", "#include <unistd.h>\n")
    ),
    "a cache that is allocated once": with_starts(
        "conv2d.cpp",
        (
            "conv2d_forward",
            "static std::vector<float> cache(8 << 20, 1.0f); cache[0] += x[0];",
            "#include <vector>\n",
        ),
    ),
    "a pool of threads that wait": with_starts(
        "conv2d.cpp",
        (
            "conv2d_forward",
            "static std::thread* pool[] = {new std::thread(wait), new std::thread(wait)};\n"
            "(void)pool;",
            "#include <condition_variable>\n#include <thread>\n"
            "static void wait() {\n"
            "  std::mutex mutex;\n  std::condition_variable never;\n"
            "  std::unique_lock<std::mutex> lock(mutex);\n  for (;;) never.wait(lock);\n}\n",
        ),
    ),
}


@pytest.mark.parametrize("what", INNOCENTS)
def test_a_submission_keeps_its_points_that_has(convkit, handed_in, strict_kit, what):
    ran = graded(convkit, handed_in(INNOCENTS[what]), strict_kit)
    assert ran.statuses() == {"PASS"}, ran.out
    assert ran.code == PASSED
    assert ran.stage["id"] == STAGE
