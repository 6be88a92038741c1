# SPDX-License-Identifier: MIT
"""What no message may hold, whatever is wrong: a path of the cache, "././", a word twice."""

import re
import shutil

import pytest
from driver import SOLUTION, STAGE
from gpu_submission import DIRECT, DIRECT_SOLUTION

BROKEN = {
    "a header that is not there": ("dense.cpp", '#include "gone.h"\n'),
    "an error in a header": ("dense.cpp", '#include "own.h"\nint f() { return 1 }\n'),
    "a function that nobody defines": (
        "dense.cpp",
        "extern int gone();\nint used() { return gone(); }\nint (*address)() = gone;\n",
    ),
    "a function that is there twice": ("dense.cpp", 'extern "C" void relu_forward() {}\n'),
    "a header that includes itself": ("own.h", '#include "own.h"\n'),
    "an assembler's error": ("dense.cpp", 'void f() { asm("nonsense"); }\n'),
    "a crash": ("dense.cpp", "__attribute__((constructor)) void f() { *(volatile int*)0 = 1; }\n"),
}
BROKEN_CUDA = {
    "a header that is not there": ("warm_up.cu", '#include "gone.h"\n'),
    "an error in a header": ("warm_up.cu", '#include "own.cuh"\n'),
    "a launch without an end": ("warm_up.cu", "void f() { k<<<1, 1>>(); }\n"),
    "a function that nobody defines": ("warm_up.cu", "void gone();\nvoid f() { gone(); }\n"),
    "a kernel of another type": (
        "warm_up.cu",
        "__global__ void k(float* x) {}\nvoid f() { int x; k<<<1, 1>>>(&x); }\n",
    ),
}


def must_be_clean(convkit, ran):
    text = ran.out + ran.err
    assert convkit.environment["CONVKIT_CACHE"] not in text
    assert str(convkit.temporary) not in text
    assert "././" not in text
    words = re.findall(r"\b([A-Za-z]{2,}) \1\b", re.sub(r"\n\s*", "\n", text))
    assert not words, f"{words} in {text}"


@pytest.mark.parametrize("command", [["check", 1, "-v"], ["bench", 1], ["run", 1]])
@pytest.mark.parametrize("what", BROKEN)
def test_messages_about(convkit, command, what):
    folder = convkit.work / STAGE
    shutil.copytree(SOLUTION, folder)
    (folder / "own.h").write_text("#pragma once\nint broken( { }\n")
    file, text = BROKEN[what]
    (folder / file).write_text(text)
    if file == "own.h":
        (folder / "dense.cpp").write_text('#include "own.h"\n')
    must_be_clean(convkit, convkit.run(*command, timeout=120))


@pytest.mark.parametrize("what", BROKEN_CUDA)
def test_messages_on_the_cpu_device_about(convkit, what):
    folder = convkit.work / DIRECT
    shutil.copytree(DIRECT_SOLUTION, folder)
    (folder / "own.cuh").write_text("#pragma once\n__global__ void broken( {}\n")
    file, text = BROKEN_CUDA[what]
    (folder / file).write_text(text)
    must_be_clean(convkit, convkit.run("check", 2, "--device", "cpu", "-v", "--task", "02.1"))
