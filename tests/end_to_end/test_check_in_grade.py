# SPDX-License-Identifier: MIT
"""`grade` runs what passed once more in check mode, and of what failed a case or two: it sees what
`check` sees, and no more."""

import json
import re
import shutil
import signal
from pathlib import Path

import pytest
from driver import FALLS_SHORT, PASSED, kit_copy, leave_out_cases
from gpu_submission import DIRECT, DIRECT_SOLUTION, grade, source

pytestmark = pytest.mark.usefixtures("few_cases")


def edited(file: str, find: str, replace: str) -> str:
    text = (DIRECT_SOLUTION / file).read_text()
    assert text.count(find) == 1, find
    return text.replace(find, replace)


# One fault in each of three functions. On the CPU device every output is right.
FAULTY = {
    # Threads of a block write one element.
    "conv2d_constant.cu": source(
        kernel="__shared__ int last; last = threadIdx.x; __syncthreads(); j += last >> 20;"
    ),
    # What it allocates is to be freed.
    "warm_up.cu": edited(
        "warm_up.cu",
        "  CUDA_CHECK(d_a.allocate(n));\n",
        "  CUDA_CHECK(d_a.allocate(n));\n  CUDA_CHECK(d_a.allocate(n));\n",
    ),
    # Work that the caller does not wait for.
    "conv2d_direct.cu": edited(
        "conv2d_direct.cu",
        "  CUDA_CHECK(cudaGetLastError());\n",
        "  static int* spare = nullptr;\n"
        "  if (!spare) cudaMalloc((void**)&spare, 64);\n"
        "  cudaMemsetAsync(spare, 0, 64);\n"
        "  CUDA_CHECK(cudaGetLastError());\n",
    ),
}
KINDS = {
    "conv2d_constant": "race_shared",
    "vector_add": "leak",
    "conv2d_direct": "unjoined_stream",
}


def test_grade_and_check_fail_the_same_functions_in_the_same_cases(
    no_cuda, handed_in_cuda, hidden_direct
):
    folder = handed_in_cuda(FAULTY)
    checked = no_cuda.judge("check", 2, "--device", "cpu", "--dir", folder / DIRECT)
    graded = grade(no_cuda, folder, check=True, env=hidden_direct)
    assert checked.code == graded.code == FALLS_SHORT
    assert graded.result["points"] == checked.result["points"]

    def verdicts(ran, hidden):
        return {
            c["name"]: (c["status"], c.get("mistake"))
            for c in ran.stage["cases"]
            if c["hidden"] == hidden
        }

    visible = verdicts(graded, False)
    assert visible == verdicts(checked, False)
    for case in graded.stage["cases"]:
        if case["hidden"]:
            assert case["status"] == visible[case["name"]][0], case["name"]
            assert not re.search(r"thread \(|streams|allocation \d|printed", str(case)), case
        elif case["op"] in KINDS and case["status"] != "PASS":
            assert visible[case["name"]] == ("WRONG", KINDS[case["op"]])
            assert case["message"].endswith(
                "The output was right, but check mode found this fault."
            )
    assert {c["op"] for c in graded.stage["cases"] if c["status"] != "PASS"} >= set(KINDS)
    message = graded.case("constant_one_filter")["message"]
    assert "conv2d_constant.cu:6" in message
    assert no_cuda.left_behind() == []


def first_numbers(folder: Path, op: str) -> list[int]:
    """x[0] of the cases of a function, as integers."""
    cases = json.loads((folder / "manifest.json").read_text())["cases"]
    numpy = pytest.importorskip("numpy")
    with numpy.load(folder / "cases.npz") as tensors:
        return [
            int(tensors[f"{case['name']}/in.x"].flat[:1].view("uint32")[0])
            for case in cases
            if case["op"] == op
        ]


def test_a_hidden_case_of_each_function_runs_in_check_mode(
    no_cuda, handed_in_cuda, hidden_direct, few_cases_kit
):
    places = (Path(hidden_direct["CONVKIT_HIDDEN"]), few_cases_kit / "reference_data/visible")
    hidden, visible = (first_numbers(place / DIRECT, "conv2d_constant") for place in places)
    numbers = set(hidden) - set(visible)
    is_hidden = " || ".join(f"__float_as_uint(x[0]) == {number}u" for number in numbers)
    kernel = (
        f"__shared__ int last; bool hidden = {is_hidden};"
        " if (hidden || threadIdx.x == 0) last = threadIdx.x; __syncthreads(); j += last >> 20;"
    )
    folder = handed_in_cuda({"conv2d_constant.cu": source(kernel=kernel)})
    ran = grade(no_cuda, folder, check=True, env=hidden_direct)
    assert ran.code == FALLS_SHORT, ran.out
    failed = [case for case in ran.stage["cases"] if case["status"] != "PASS"]
    assert {(case["op"], case["hidden"]) for case in failed} == {("conv2d_constant", True)}
    assert not re.search(r"thread \(|last|race", str(failed) + str(ran.stage["notes"]))


# Functions that fail in plain mode, too, where most reports are about numbers.
WITHOUT_BARRIER = (
    "__shared__ float zero[64]; zero[threadIdx.x] = 0; float late = zero[63 - threadIdx.x];"
)
FAILS = {
    # Threads read what the others have not written yet: NaN.
    "conv2d_constant.cu": source(kernel=WITHOUT_BARRIER).replace("b[m];", "b[m] + late;"),
    # Without the caller's stream: nothing is written.
    "conv2d_direct.cu": edited("conv2d_direct.cu", "tile_block(), 0, stream>>>", "tile_block()>>>"),
    # Far past the end of b lies y: it looks as if y were not set to 0.
    "conv2d_unrolled.cu": edited("conv2d_unrolled.cu", "sum = b[map];", "sum = b[map + 64];"),
    # Of a sum, check mode has nothing to say; of a null pointer, it has the line.
    "warm_up.cu": edited("warm_up.cu", "= a[i] + b[i];", "= a[i] + 2 * b[i];").replace(
        "float sum = 0;", "float sum = 0;\n  if (row == 0 && col == 0) a = nullptr;"
    ),
}
CAUSES = {
    "conv2d_constant": ("nan_output", "race_shared"),
    "conv2d_constant_twice": ("nan_output", "race_shared"),
    "conv2d_direct": ("nothing_written", "unjoined_stream"),
    "conv2d_unrolled": ("accumulates_into_output", "out_of_bounds_global"),
    "matrix_product": ("null_pointer", "null_pointer"),
}


def test_what_fails_leads_with_the_cause_that_check_names(no_cuda, handed_in_cuda, hidden_direct):
    folder = handed_in_cuda(FAILS)
    plain = grade(no_cuda, folder, env=hidden_direct)
    graded = grade(no_cuda, folder, check=True, env=hidden_direct)
    checked = no_cuda.judge("check", 2, "--device", "cpu", "--dir", folder / DIRECT)
    assert plain.code == graded.code == FALLS_SHORT
    assert graded.result["points"] == plain.result["points"]
    led = {}
    for before, after in zip(plain.stage["cases"], graded.stage["cases"], strict=True):
        assert after["status"] == before["status"]
        if after == before:
            continue
        assert not after["hidden"] and after["op"] not in led, after
        led[after["op"]] = (before["mistake"], after["mistake"])
        named = checked.case(after["name"])
        assert (after["mistake"], after["hint"]) == (named["mistake"], named["hint"])
        first, *rest = after["message"].split("\n")
        assert first == named["message"] and re.search(r"\w+\.cu:\d+|streams", first)
        if before["mistake"] == after["mistake"]:  # of the same report, without the line
            assert rest == []
        else:
            assert "\n".join(rest) == (
                f"This was seen in check mode. Without check mode: {before['message']}"
            )
            assert after.get("map") == before.get("map")
    assert led == CAUSES
    for op in ("conv2d_unrolled", "vector_add"):
        assert {c["status"] for c in graded.cases_of(op)} == {"WRONG"}
    assert no_cuda.left_behind() == []


FLAG = """
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) flag = 1;
  if (threadIdx.x == 0) while (flag == 0) __nanosleep(20);
"""


def test_a_report_that_a_right_program_can_cause_is_a_note(no_cuda):
    shutil.copytree(DIRECT_SOLUTION, no_cuda.work / DIRECT)
    (no_cuda.work / DIRECT / "conv2d_constant.cu").write_text(source(kernel=FLAG))
    ran = no_cuda.judge("check", 2, "--device", "cpu", "--case", "constant_one_filter")
    assert ran.code == PASSED, ran.out
    (note,) = ran.stage["notes"]
    assert re.match(r"In check mode, conv2d_constant: .* `flag` .* conv2d_constant\.cu:10\b", note)
    assert "race_volatile" in ran.case("constant_one_filter")["printed"]


# What functions do in check mode only. `grade` names it, and takes nothing for it.
OTHERWISE = {
    "conv2d_constant": ("d_b = d_w;", "WRONG"),
    "conv2d_direct": ("syscall(SYS_clone, 17, 0, 0, 0, 0);", "POLICY.* clone,"),
    "conv2d_unrolled": ("for (;;) usleep(100000);", "TIMED_OUT.* within 10 s"),
    "vector_add": ('if (open("/etc/passwd", O_RDONLY) < 0) abort();', "CRASHED"),
}


def in_check_mode(code: str) -> str:
    return f"\n#ifdef CONVKIT_SIMT_CHECK\n{code}\n#endif\n"


def test_what_code_does_in_check_mode_only_is_named_and_costs_nothing(
    no_cuda, handed_in_cuda, quick_gpu_kit
):
    heads = (
        "#include <fcntl.h>\n#include <stdlib.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
    )
    files = {"conv2d_constant.cu": source(host=in_check_mode(OTHERWISE["conv2d_constant"][0]))}
    for file, function in (
        ("conv2d_direct.cu", "conv2d_direct"),
        ("conv2d_unrolled.cu", "conv2d_unrolled"),
        ("warm_up.cu", "vector_add"),
    ):
        text, count = re.subn(
            rf"^(cudaError_t {function}\([^)]*\) {{\n)",
            lambda head, f=function: head[1] + in_check_mode(OTHERWISE[f][0]),
            (DIRECT_SOLUTION / file).read_text(),
            flags=re.MULTILINE,
        )
        assert count == 1, file
        files[file] = heads + text
    folder = handed_in_cuda(files)
    ran = grade(no_cuda, folder, check=True, env={"CONVKIT_ROOT": str(quick_gpu_kit)})
    assert ran.code == PASSED, ran.out
    assert {case["status"] for case in ran.stage["cases"]} == {"PASS"}
    for function, (_, said) in OTHERWISE.items():
        sentence = (
            rf"In check mode, {function}: case \w+ passes without check mode, but here it is {said}"
            r".* The code behaves otherwise in check mode: staff should look at it\."
        )
        assert sum(bool(re.match(sentence, n)) for n in ran.stage["notes"]) == 1, ran.stage["notes"]
    for file in files:
        sentence = rf"{file}:\d+ uses CONVKIT_SIMT_CHECK, "
        assert sum(bool(re.match(sentence, n)) for n in ran.stage["notes"]) == 1, ran.stage["notes"]
    assert no_cuda.left_behind() == []


# Threads beyond the edge read what nobody has written. Whether that matters, the output tells.
EDGE = (
    "__shared__ float z[64]; if (j < s.ow()) z[threadIdx.x] = 0; __syncthreads();"
    " float late = z[threadIdx.x];"
)


def test_fresh_shared_memory_costs_points_where_the_output_depends_on_it(no_cuda, handed_in_cuda):
    unused = source(kernel=EDGE + " if (late != 0) j = s.ow();")
    folder = handed_in_cuda({"conv2d_constant.cu": unused})
    ran = grade(no_cuda, folder, check=True)
    assert ran.code == PASSED, ran.out
    note = ran.stage["notes"][0]  # of the first of two functions that launch this kernel
    assert re.match(r"In check mode, conv2d_constant: thread .* which no thread of the blo", note)
    assert "The output is right whatever that memory holds." in note
    # NaN, which it holds without check mode, is not greater than anything.
    used = source(kernel=EDGE + " if (late > 1) y[0] = late;")
    (folder / DIRECT / "conv2d_constant.cu").write_text(used)
    ran = grade(no_cuda, folder, check=True)
    assert ran.code == FALLS_SHORT, ran.out
    case = ran.case("constant_one_filter")
    assert (case["status"], case["mistake"]) == ("WRONG", "uninitialised_shared")


RACE = "__shared__ int last; last = threadIdx.x; float sum = b[map] + (last >> 20);"


def test_a_function_that_wastes_time_in_check_mode_takes_none_of_the_others(
    no_cuda, handed_in_cuda, tmp_path
):
    stage = f"assignments/{DIRECT}/stage.toml"
    kit = kit_copy(tmp_path, [(stage, r"^case_s = \d+", "case_s = 2\nstage_s = 5")])
    leave_out_cases(kit, DIRECT, of_each=4)
    waits = in_check_mode("usleep(700000);")
    folder = handed_in_cuda(
        {
            "conv2d_direct.cu": "#include <unistd.h>\n"
            + edited(
                "conv2d_direct.cu",
                "  CUDA_CHECK(cudaGetLastError());",
                waits + "  CUDA_CHECK(cudaGetLastError());",
            ),
            "conv2d_unrolled.cu": edited("conv2d_unrolled.cu", "float sum = b[map];", RACE),
        }
    )
    ran = grade(no_cuda, folder, check=True, env={"CONVKIT_ROOT": str(kit)})
    status = {op: {c["status"] for c in ran.stage["cases"] if c["op"] == op} for op in OTHERWISE}
    assert status["conv2d_direct"] == {"PASS"}, ran.out
    assert status["conv2d_unrolled"] != {"PASS"}, ran.out
    (note,) = [n for n in ran.stage["notes"] if "time" in n]
    assert note.startswith("In check mode, conv2d_direct: its cases used up their time")


def test_a_grading_killed_between_the_cases_ends_with_what_check_mode_saw(
    no_cuda, handed_in_cuda, hidden_direct, killer
):
    files = {
        "conv2d_constant.cu": source(host=in_check_mode(OTHERWISE["conv2d_constant"][0])),
        "conv2d_direct.cu": FAULTY["conv2d_direct.cu"],
        "conv2d_unrolled.cu": FAILS["conv2d_unrolled.cu"],
    }
    folder = handed_in_cuda(files)
    unbroken = grade(no_cuda, folder, check=True, env=hidden_direct)
    assert sum(n.startswith("In check mode") for n in unbroken.stage["notes"]) == 2
    assert {c.get("mistake") for c in unbroken.stage["cases"]} >= {
        "unjoined_stream",
        "out_of_bounds_global",
    }
    # When all visible cases have been run, and some hidden ones.
    visible = sum(not case["hidden"] for case in unbroken.stage["cases"])
    for boundary in (visible + 1, visible + 5):
        kill = hidden_direct | {"LD_PRELOAD": str(killer), "KILL_AT": str(boundary)}
        assert grade(no_cuda, folder, check=True, env=kill).code == -signal.SIGKILL
        arguments = ("--stage", 2, "--device", "cpu", "--no-speed", "--resume")
        file = no_cuda.home / "result.json"  # judge() would remove it
        no_cuda.run("grade", folder, *arguments, "--json", file, env=hidden_direct)
        (resumed,) = json.loads(file.read_text())["stages"]
        assert resumed["notes"] == unbroken.stage["notes"]
        assert resumed["cases"] == unbroken.stage["cases"]
