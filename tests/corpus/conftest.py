# SPDX-License-Identifier: MIT
"""Grades the chosen entries of the corpus, as many at a time as there are processors."""

import json
import os
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from canary import SECRET_SEED, secrets_in, seen_by_a_student
from corpus import (
    DIRECT_STAGE,
    GPU_STAGE,
    LAYERS,
    ROOT,
    STAGE,
    TOY_STAGE,
    Convkit,
    Entry,
    Ran,
    hand_in,
    kit_copy,
    layers_of,
    sentence,
    write_table,
)
from driver import STAGE_FILE, begin_with, leave_out_cases, one_small_shape
from leftovers import adopt_orphans, descendants, files

os.environ.setdefault("CONVKIT_BINARY", str(ROOT / "build/dev/bin/convkit"))

LIMIT_S = 240  # of one entry, on a machine that is busy

GPU_STAGE_FILE = f"assignments/{GPU_STAGE}/stage.toml"
GPU_SHAPE = "features_7x7"
# Limits that are soon reached, and one shape of each stage that is timed.
EDITS = [
    (STAGE_FILE, r"^case_s = .*", "case_s = 2"),
    (STAGE_FILE, r"^build_s = .*", "build_s = 8"),
    (STAGE_FILE, r"^memory_mib = .*", "memory_mib = 256"),
    (STAGE_FILE, r"^output_kib = .*", "output_kib = 64"),
    one_small_shape(none=4.0, full=8.0),
    (
        GPU_STAGE_FILE,
        rf'^\[\[speed\]\][\s\S]*?(^\[\[speed\]\]\nname = "{GPU_SHAPE}"[\s\S]*?^output.*)[\s\S]*',
        r"\1\n",
    ),
]


def pytest_addoption(parser):
    parser.addoption("--device", default="cpu", choices=["cpu", "gpu"])
    parser.addoption("--layers", choices=LAYERS, help="of the sandbox; default: all")
    parser.addoption("--corpus-table", help="write the table of the run: a .md or .csv file")


@dataclass
class Graded:
    entry: Entry
    ran: Ran
    secrets: list[str]  # that a student could see
    left: list[str]  # files in the grader's temporary folder

    @property
    def sentence(self) -> tuple[str, str]:
        return sentence(self.entry, self.ran)


class Grader:
    """Users of one kit, each with folders of their own; they share what is compiled."""

    def __init__(self, folder: Path, layers: str, at_a_time: int):
        self.folder = folder
        self.kit = kit_copy(_made(folder / "kit"), EDITS)
        for stage in (STAGE, DIRECT_STAGE, GPU_STAGE):
            leave_out_cases(self.kit, stage)
        self.hidden = folder / "kept_secret"
        begin_with(os.environ.get("CONVKIT_TEST_CACHE"), _made(folder / "cache"))
        self.environment = {"CONVKIT_SANDBOX": layers} if layers != LAYERS[-1] else {}
        self._generate_hidden_cases()
        self.pool = ThreadPoolExecutor(at_a_time)
        self.results: dict[str, Future] = {}

    def start(self, entry: Entry) -> None:
        if entry.id not in self.results:
            self.results[entry.id] = self.pool.submit(self._grade, entry)

    def result(self, entry: Entry) -> Graded:
        self.start(entry)
        return self.results[entry.id].result()

    def warm_up(self) -> None:
        """Compiles the solution, so that no entry waits for another one's compile of the same."""
        solution = Entry("innocents", "solution", "The solution.")
        ran = self._grade(solution).ran
        assert ran.code == 0, ran.out + ran.err

    def _grade(self, entry: Entry) -> Graded:
        place = _made(self.folder / entry.id)
        convkit = Convkit(place / "home", _made(self.folder / "cache"))
        kit, more = self.kit, {}
        if entry.stage in (STAGE, TOY_STAGE):  # of the other stages there is no hidden set here
            more["CONVKIT_HIDDEN"] = str(self.hidden)
        if entry.training is not None:
            kit = self.training_kit
            more["CONVKIT_DATA"] = str(self.data)
        ran = convkit.grade(
            hand_in(entry, place / "mallory", self.data),
            "-v",
            "--gradescope",
            convkit.home / "gradescope.json",
            "--stage",
            entry.stage if entry.training is None else TOY_STAGE,
            *([] if entry.stage == STAGE else ["--device", entry.device]),
            # Entries for a GPU are about time.
            *(["--no-check"] if entry.device == "gpu" else []),
            speed=bool(entry.speed),
            timeout=LIMIT_S,
            env={"CONVKIT_ROOT": str(kit)} | self.environment | more,
        )
        result = convkit.home / "result.json"
        assert result.exists(), ran.out + ran.err
        json.loads(result.read_text(encoding="utf-8"))
        seen = seen_by_a_student(convkit, ran)
        left = [str(path) for path in convkit.temporary.iterdir()]
        return Graded(entry, ran, secrets_in(seen, self.hidden), left)

    @property
    def data(self) -> Path:
        return self.folder / "bars"

    @property
    def training_kit(self) -> Path:
        return self.folder / "training_kit"

    def prepare_trainings(self) -> None:
        from toy_training import STAGE as TOY
        from toy_training import easy_data, training_kit, write_cases

        training_kit(_made(self.training_kit))
        easy_data(self.data)
        write_cases(self.hidden / TOY, visible=False)

    def _generate_hidden_cases(self) -> None:
        spec = Path(__file__).with_name("hidden.toml")
        out = self.hidden / STAGE
        command = [os.environ.get("CONVKIT_PYTHON", sys.executable)]
        command += [ROOT / "reference_data/generate.py", "--spec", spec, "--out", out]
        subprocess.run([*command, "--seed", SECRET_SEED], check=True, capture_output=True)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)  # the cache must be the user's own
    return folder


@pytest.fixture(scope="session")
def grader(request, tmp_path_factory):
    adopt_orphans()
    chosen = [
        item.callspec.params["entry"]
        for item in request.session.items
        if "entry" in getattr(getattr(item, "callspec", None), "params", {})
    ]
    before = files(), set(descendants())
    # Two submissions on one GPU would time each other.
    on_gpu = request.config.getoption("--device") == "gpu"
    at_a_time = 1 if on_gpu else len(os.sched_getaffinity(0))
    result = Grader(tmp_path_factory.mktemp("corpus"), layers_of(request.config), at_a_time)
    if any(entry.training is not None for entry in chosen):
        result.prepare_trainings()
    if any(entry.stage == STAGE and entry.training is None for entry in chosen):
        result.warm_up()
    for entry in chosen:
        result.start(entry)
    yield result
    result.pool.shutdown()
    graded = [result.results[entry.id].result() for entry in chosen if entry.id in result.results]
    if table := request.config.getoption("--corpus-table"):
        write_table(Path(table), graded)
    assert files() <= before[0]
    assert set(descendants()) <= before[1]
