# SPDX-License-Identifier: MIT
"""The conformance suite of the CPU device: each program is compiled by `convkit cc` and run.

programs/ and tricky/ must print what they print on a GPU, and get no report in check mode. faulty/
must get the report that is stated at each program's end.
"""

import os
import re
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from programs import Program, compiled_with, programs_in, programs_of

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BINARY = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/dev/bin/convkit"))
# Multiplied on a machine that is much slower than usual, as docs/install.md says.
TIME_SCALE = int(os.environ.get("CONVKIT_TIME_SCALE", 1))
COMPILE_LIMIT_S, RUN_LIMIT_S = 120 * TIME_SCALE, 60 * TIME_SCALE
PLAIN, CHECK = "plain", "check"

# In plain mode nothing is instrumented: only who waits, and where, is known by line there.
LINES_IN_PLAIN_MODE = {"divergent_barrier", "not_cooperative", "shuffle_mask", "assertion"}
KEYS = {"kind", "kernel", "mentions", "mode"}


PROGRAMS, TRICKY, FAULTY = programs_in("programs"), programs_in("tricky"), programs_in("faulty")
# An error program makes mistakes on purpose, to see CUDA's error codes.
WITHOUT_FAULT = [p for p in PROGRAMS if not p.source.stem.startswith("error")] + TRICKY


def stated(program: Program) -> dict:
    return tomllib.loads(program.reported)


def calls(library: str) -> list[Program]:
    return [program for program in PROGRAMS if library in compiled_with(program.source)]


IN_ANY_MODE = [p for p in FAULTY if stated(p)["mode"] == "any"]


@dataclass
class Ran:
    code: int
    out: str
    err: str


def execute(command: list, limit_s: float, folder: Path, **variables: str) -> Ran:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("CONVKIT_")}
    environment = inherited | {
        "CONVKIT_ROOT": str(ROOT),
        "CONVKIT_CACHE": str(folder / "cache"),
        "LC_ALL": "C.UTF-8",
    }
    try:
        ran = subprocess.run(
            command,
            env=environment | variables,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit_s,
        )
    except subprocess.TimeoutExpired as stopped:
        pytest.fail(f"{command[0]} did not end within {limit_s} s; it printed: {stopped.output!r}")
    return Ran(ran.returncode, ran.stdout, ran.stderr)


class Builds:
    """Compiles ahead of the tests, as many programs at a time as there are processors."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)))
        self.started: dict[tuple[Path, str], Future] = {}
        self.linker = self._quick_linker()

    def _quick_linker(self) -> list[str]:
        """mold takes a twentieth of the time of ld. g++ 11 does not know its name. Without segments
        of their own pages, what mold 1.10 protects after relocation may begin on a page that is not
        mapped."""
        probe, mold = (
            self.folder / "probe.cu",
            ["-fuse-ld=mold", "-Wl,-z,separate-loadable-segments"],
        )
        probe.write_text("int main() {}\n")
        command = [BINARY, "cc", probe, *mold, "-o", self.folder / "probe"]
        return mold if execute(command, COMPILE_LIMIT_S, self.folder).code == 0 else []

    def start(self, source: Path, mode: str) -> Future:
        key = (source, mode)
        if key not in self.started:
            self.started[key] = self.pool.submit(self._compile, source, mode)
        return self.started[key]

    def command(self, program: Program, mode: str) -> list:
        return [self.start(program.source, mode).result(), *program.arguments]

    def _compile(self, source: Path, mode: str) -> Path:
        binary = self.folder / f"{source.parent.name}.{source.stem}.{mode}"
        flags = ["-O2", "-std=c++17", *(["--check"] if mode == CHECK else [])]
        files = [source, *compiled_with(source)]
        ran = execute(
            [BINARY, "cc", *files, *flags, *self.linker, "-o", binary], COMPILE_LIMIT_S, self.folder
        )
        assert ran.code == 0, f"convkit cc failed:\n{ran.out}{ran.err}"
        assert "warning" not in ran.err, ran.err
        return binary


@pytest.fixture(scope="session")
def builds(request, tmp_path_factory):
    result = Builds(tmp_path_factory.mktemp("builds"))
    for item in request.session.items:
        chosen = getattr(item, "callspec", None)
        if chosen is not None and {"program", "mode"} <= chosen.params.keys():
            result.start(chosen.params["program"].source, chosen.params["mode"])
    yield result
    result.pool.shutdown(cancel_futures=True)


def each(programs: list[Program], mode: str):
    cases, ids = [(program, mode) for program in programs], [str(program) for program in programs]
    return pytest.mark.parametrize(("program", "mode"), cases, ids=ids)


@each(PROGRAMS + TRICKY, PLAIN)
def test_it_prints_what_a_gpu_prints(builds, program, mode):
    command = builds.command(program, mode)
    in_order = execute(command, RUN_LIMIT_S, builds.folder)
    assert in_order.out == program.printed, in_order.err
    assert in_order.code == 0, in_order.err
    shuffled = execute(command, RUN_LIMIT_S, builds.folder, CONVKIT_SIMT_SEED="20260521")
    assert shuffled.out == program.printed, f"with shuffled threads and blocks: {shuffled.err}"


def test_programs_of_cuda_12_have_the_names_that_cuda_13_dropped(tmp_path):
    [program], binary = programs_in("cuda_12"), tmp_path / "program"
    command = [BINARY, "cc", program.source, "-o", binary]
    without = execute(command, COMPILE_LIMIT_S, tmp_path)
    assert without.code != 0
    assert "--cuda12" in without.err and "`clockRate`" in without.err, without.err
    made = execute([*command, "--cuda12"], COMPILE_LIMIT_S, tmp_path)
    assert made.code == 0, made.err
    assert execute([binary], RUN_LIMIT_S, tmp_path).out == program.printed


def test_there_are_as_many_devices_as_the_setting_says(builds):
    [program] = programs_of(HERE / "programs/api_peers.cu")
    command = builds.command(program, PLAIN)
    for devices in "2", "3":
        ran = execute(command, RUN_LIMIT_S, builds.folder, CONVKIT_SIMT_DEVICES=devices)
        assert ran.out == program.printed, ran.err


@each(calls("-lcublas"), PLAIN)
def test_a_program_of_cublas_needs_no_openblas(builds, program, mode):
    command = builds.command(program, mode)
    ran = execute(command, RUN_LIMIT_S, builds.folder, CONVKIT_SIMT_OPENBLAS="0")
    assert ran.out == program.printed, ran.err
    assert ran.code == 0, ran.err


@each(calls("-lcudnn"), PLAIN)
def test_a_program_of_cudnn_needs_no_onednn(builds, program, mode):
    command = builds.command(program, mode)
    ran = execute(command, RUN_LIMIT_S, builds.folder, CONVKIT_SIMT_ONEDNN="0")
    assert ran.out == program.printed, ran.err
    assert ran.code == 0, ran.err


@each(WITHOUT_FAULT, CHECK)
def test_a_correct_program_gets_no_report(builds, program, mode):
    ran = execute(builds.command(program, mode), RUN_LIMIT_S, builds.folder)
    assert "convkit:" not in ran.err, ran.err
    assert ran.out == program.printed, ran.err
    assert ran.code == 0, ran.err


def judge(program: Program, ran: Ran, lines: bool) -> None:
    """The report must say what the program states."""
    fault = stated(program)
    told = re.search(r"^convkit: (\w+): (\S.*)$", ran.err, re.MULTILINE)
    assert told is not None, f"no report; exit code {ran.code}, stderr: {ran.err!r}"
    assert told[1] == fault["kind"], ran.err
    report = ran.err[told.start() :]
    if "kernel" in fault:
        assert re.search(rf"\b{fault['kernel']}\b", report), ran.err
    for mention in fault.get("mentions", []):
        assert mention in report, f"{mention!r} is not mentioned: {ran.err}"
    if lines:
        for line in program.faults:
            place = rf"\b{re.escape(program.source.name)}:{line}\b"
            assert re.search(place, report), f"line {line} is not named: {ran.err}"
    assert ran.code != 0, "the program's exit code says that all is well"


def watchdog(program: Program) -> dict[str, str]:
    return {"CONVKIT_SIMT_TIMEOUT": "1"} if stated(program)["kind"] == "endless_kernel" else {}


@each(FAULTY, CHECK)
def test_check_mode_reports_the_fault(builds, program, mode):
    command = builds.command(program, mode)
    ran = execute(command, RUN_LIMIT_S, builds.folder, **watchdog(program))
    judge(program, ran, lines=True)


@each(IN_ANY_MODE, PLAIN)
def test_the_fault_is_reported_without_check_mode(builds, program, mode):
    command = builds.command(program, mode)
    ran = execute(command, RUN_LIMIT_S, builds.folder, **watchdog(program))
    judge(program, ran, lines=stated(program)["kind"] in LINES_IN_PLAIN_MODE)


@pytest.mark.parametrize("program", FAULTY, ids=str)
def test_what_is_stated_of_a_faulty_program_is_well_formed(program):
    fault = stated(program)
    assert fault.keys() <= KEYS
    assert fault["mode"] in ("check", "any")


def test_the_kinds_of_faults_are_a_closed_list_and_each_has_a_program():
    table = (HERE / "faulty/README.md").read_text().partition("| kind | what it is |")[2]
    listed = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert sorted(listed) == sorted({stated(program)["kind"] for program in FAULTY})


def test_every_program_is_there_once_with_what_is_expected_of_it():
    for program in PROGRAMS + TRICKY:
        assert program.printed, str(program)
    names = [str(program) for program in PROGRAMS + TRICKY + FAULTY]
    assert len(names) == len(set(names)), "a name says which program is meant"
    assert len(PROGRAMS) >= 184
    assert len(FAULTY) >= 112
    assert len(TRICKY) >= 35
