#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An evening with a class of 300: what grading it costs, and whether its book is right.

    benchmarks/class_evening.py [--students 300] [--parts cold,check,...] [--out FILE]

The class (tests/classroom/planted_class.py) hands in solutions, wrong variants, broken builds and
hostile code of stages 01 to 03 through Moodle or Canvas; it is graded without speed. Parts, in this
order: cold, check, nothing, half, case, memory, similar, kill. `half`, `case` and `similar` need
`cold`. With --keep the folder stays. Prints JSON. Run it on an idle machine with two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/classroom"))
os.environ.setdefault("CONVKIT_BINARY", str(ROOT / "build/default/bin/convkit"))

import planted_class as planting  # noqa: E402
from convkit_class.book import Book  # noqa: E402
from convkit_class.policy import tomllib  # noqa: E402

# Absolute: it also runs in other folders.
CONVKIT = os.environ["CONVKIT_BINARY"] = str(Path(os.environ["CONVKIT_BINARY"]).resolve())
PARTS = ("cold", "check", "nothing", "half", "case", "memory", "similar", "kill")
SIDE_BY_SIDE = os.cpu_count() or 1


class Evening:
    def __init__(self, folder: Path, options: argparse.Namespace):
        self.folder, self.options = folder, options
        self.kit = kit_of_its_own(folder / "kit")
        self.environment = os.environ | {"CONVKIT_ROOT": str(self.kit)}
        self.environment["CONVKIT_CACHE"] = str(folder / "cache")
        self.class_ = planting.planned(options.students, options.seed)
        self.download, self.roster = folder / "download.zip", folder / "roster.csv"
        self.digests = planting.write_download(self.class_, self.download, options.platform)
        self.book = folder / "course.db"

    def grade(self, download: Path, book: Path, *words: str, cache: Path | None = None) -> dict:
        """Grades, and says how long it took."""
        command = [CONVKIT, "class", "grade", download, "--book", book, "--roster", self.roster]
        environment = self.environment | ({"CONVKIT_CACHE": str(cache)} if cache else {})
        return measured([*map(str, command), "--no-speed", *words], environment)

    # Each part returns its figures.

    def cold(self) -> dict:
        took = self.grade(self.download, self.book)
        with closing(Book(self.book)) as book:
            gradings = book.gradings()
        if faults := {g.error for g in gradings if g.exit_code == 3}:
            sys.exit(f"The kit failed: {min(faults)}")
        stages = [s for g in gradings for s in g.result()["stages"]]
        run_s = sum(stage["run_s"] for stage in stages)
        compile_ = self.bare_compile()
        bare = compile_["wall_s"] + run_s / SIDE_BY_SIDE
        return took | {
            "bare": {
                "what": "compiling every file and linking with the stage's flags and nothing else, "
                f"{SIDE_BY_SIDE} side by side; plus the time of all cases",
                "compile": compile_,
                "run_s_summed": run_s,
                "wall_s": bare,
            },
            "ratio_to_bare": took["wall_s"] / bare,
            # Where other work runs, this says more: the cases of both count as compiling does.
            "processor_time_beyond_compiling_s": took["cpu_s"] - compile_["cpu_s"],
        }

    def bare_compile(self) -> dict:
        """No sandbox, no cache, no precompiled header, nothing judged. Of GPU stages a build for
        the CPU device and one for its check mode, as `grade` makes."""
        work = self.folder / "bare"
        shutil.rmtree(work, ignore_errors=True)
        jobs = []
        for planted in self.class_:
            if planted.kind == "unreadable":
                continue
            at = planting.files_of(planted, work / planted.login)
            jobs.append((planted.stage, at))
        began, before = time.perf_counter(), processor_time()
        with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            list(pool.map(lambda job: compile_alone(*job), jobs))
        took = {"wall_s": time.perf_counter() - began, "cpu_s": processor_time() - before}
        shutil.rmtree(work)
        return took

    def check(self) -> dict:
        with closing(Book(self.book)) as book:
            return {"problems": planting.problems(book, self.class_, self.digests)}

    def nothing(self) -> dict:
        return {
            "the same folder again": self.grade(self.download, self.book),
            "--regrade-changed": self.grade(self.download, self.book, "--regrade-changed"),
        }

    def half(self) -> dict:
        """Every other student hands in again; against grading all of them one after the other."""
        again = self.folder / "second"
        again.mkdir()
        class_ = [planting.handed_in_again(p) if p.number % 2 else p for p in self.class_]
        planting.write_download(class_, again / "download.zip", self.options.platform)
        took = self.grade(again / "download.zip", self.book)
        sample = random.Random(1).sample(class_, min(self.options.loop, len(class_)))
        loop = self.one_after_the_other(sample)
        whole = loop["wall_s"] * len(class_) / len(sample)
        return took | {
            "sequential_loop": loop | {"submissions": len(sample), "scaled_to_all_s": whole},
            "times_as_fast": whole / took["wall_s"],
        }

    def one_after_the_other(self, class_: list) -> dict:
        work = self.folder / "loop"
        wall = cpu = 0.0
        for planted in class_:
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir()
            archive = work / "conv.zip"
            archive.write_bytes(planting.archive_of(planted, work / "made", twice=False))
            command = [CONVKIT, "grade", archive, "--json", work / "result.json", "--no-speed"]
            environment = self.environment | {"CONVKIT_CACHE": str(work / "cache")}
            took = measured([*map(str, command), "--device", "cpu"], environment, (0, 1))
            wall, cpu = wall + took["wall_s"], cpu + took["cpu_s"]
        return {"wall_s": wall, "cpu_s": cpu}

    def case(self) -> dict:
        """A visible case of stage 01 gets another size."""
        cases = self.kit / "assignments/01_cpu_conv/cases.toml"
        text = cases.read_text()
        assert text.count("size = 103 }") == 1
        cases.write_text(text.replace("size = 103 }", "size = 107 }"))
        subprocess.run(
            [CONVKIT, "refgen", "--stage", "1"], env=self.environment, check=True, stdout=2
        )
        took = self.grade(self.download, self.book, "--regrade-changed")
        with closing(Book(self.book)) as book:
            gradings = len(book.runs())
        return took | {"gradings_in_the_book": gradings}

    def memory(self) -> dict:
        """2,000 submissions with results as large as real ones, by the tests' stand-in."""
        folder = self.folder / "many"
        handed_in = folder / "handed in"
        handed_in.mkdir(parents=True)
        program = folder / "convkit"
        stand_in = (ROOT / "tests/classroom/stand_in.py").read_text()
        program.write_text(f"#!{sys.executable}\n{stand_in}")
        program.chmod(0o755)
        stage = self.usual_stage()
        for number in range(self.options.many):
            told = {"points": 80, "number": number, "stage": stage}
            (handed_in / f"student{number}.zip").write_text(json.dumps(told))
        command = [sys.executable, ROOT / "classroom/main.py", "grade", handed_in]
        command += ["--book", folder / "course.db", "--no-speed"]
        environment = self.environment | {
            "CONVKIT_PROGRAM": str(program),
            "CALLS": os.devnull,
        }
        took = measured([*map(str, command)], environment)
        again = measured([*map(str, command)], environment)
        size = len(json.dumps(stage))
        return {"submissions": self.options.many, "bytes_a_result": size} | {
            "first": took,
            "nothing changed": again,
        }

    def usual_stage(self) -> dict:
        """Of the graded class one of the larger results."""
        with closing(Book(self.book)) as book:
            gradings = book.gradings()
        if faults := {g.error for g in gradings if g.exit_code == 3}:
            sys.exit(f"The kit failed: {min(faults)}")
        stages = [s for g in gradings for s in g.result()["stages"]]
        stages.sort(key=lambda stage: len(json.dumps(stage)))
        return stages[len(stages) * 3 // 4]

    def similar(self) -> dict:
        command = [CONVKIT, "class", "similar", "--book", self.book]
        command += ["--out", self.folder / "similar.html"]
        return measured([*map(str, command)], self.environment)

    def kill(self) -> dict:
        """kill -9 at random moments, of the batch alone and of all its processes in turn, then a
        batch to the end: the book must be that of an undisturbed batch."""
        folder = self.folder / "killed"
        folder.mkdir()
        class_ = self.class_[: self.options.kill_students]
        download, book = folder / "download.zip", folder / "course.db"
        self.roster = folder / "roster.csv"
        digests = planting.write_download(class_, download, self.options.platform)
        undisturbed = folder / "undisturbed.db"
        whole = self.grade(download, undisturbed, cache=folder / "first cache")["wall_s"]
        draw = random.Random(self.options.seed)
        moments = []
        for number in range(self.options.kills):
            command = [CONVKIT, "class", "grade", download, "--book", book, "--no-speed"]
            batch = subprocess.Popen(
                [*map(str, command), "--roster", str(self.roster)],
                env=self.environment | {"CONVKIT_CACHE": str(folder / "cache")},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            moments.append(draw.uniform(0.1, 2 * whole / self.options.kills))
            try:
                batch.wait(moments[-1])
                ended = True
            except subprocess.TimeoutExpired:
                ended = False
                (os.killpg if number % 2 else os.kill)(batch.pid, signal.SIGKILL)
                batch.wait()
            if ended:
                break
        last = self.grade(download, book, "--resume", cache=folder / "cache")
        with closing(Book(book)) as one, closing(Book(undisturbed)) as other:
            same = planting.contents(one) == planting.contents(other)
            problems = planting.problems(one, class_, digests)
        return {
            "submissions": len(class_),
            "killed_after_s": moments,
            "the_last_batch": last,
            "same_book": same,
            "problems": problems,
        }


def kit_of_its_own(folder: Path) -> Path:
    """Links to the kit, with copies of what a part changes."""
    folder.mkdir(parents=True)
    for part in ROOT.iterdir():
        if part.name in ("assignments", "reference_data"):
            shutil.copytree(part, folder / part.name)
        elif part.name not in ("build", "work", ".git"):
            (folder / part.name).symlink_to(part)
    return folder


def compile_alone(stage: str, folder: Path) -> None:
    stage_folder = ROOT / "assignments" / stage
    build = tomllib.loads((stage_folder / "stage.toml").read_text(encoding="utf-8"))["build"]
    ways = [["g++"]] if stage == planting.ONE else [[CONVKIT, "cc"], [CONVKIT, "cc", "--check"]]
    flags = [*build["flags"], "-fPIC", f"-I{ROOT}/runtime/include", f"-I{stage_folder}"]
    if stage == planting.ONE:
        flags.append("-I.")
    for way in ways:
        objects = []
        for number, source in enumerate(sorted(folder.rglob("*"))):
            if source.suffix in (".cpp", ".cu"):
                made = folder / f"{number}.o"
                command = [*way, *flags, "-c", str(source), "-o", str(made)]
                run_alone(command, folder)
                objects += [str(made)] * made.exists()
        run_alone(["g++", "-shared", *objects, "-o", str(folder / "all.so")], folder)


def run_alone(command: list[str], folder: Path) -> None:
    environment = os.environ | {"CONVKIT_ROOT": str(ROOT)}
    limits = {"timeout": 60, "cwd": folder, "env": environment}
    nothing = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with suppress(subprocess.TimeoutExpired):  # of a hostile one
        subprocess.run(command, check=False, **limits, **nothing)


def processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(
    command: list[str], environment: dict[str, str], codes: tuple[int, ...] = (0,)
) -> dict:
    """Wall and processor time of a command with all that it starts, and the peak memory of its own
    process."""
    began, before = time.perf_counter(), processor_time()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    peak = Peak(process.pid)
    printed, _ = process.communicate()
    wall = time.perf_counter() - began
    if process.returncode not in codes:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{printed[-2000:]}")
    return {
        "wall_s": wall,
        "cpu_s": processor_time() - before,
        "peak_mib": peak.stop() / 1024,
        "last_line": printed.strip().splitlines()[-1] if printed.strip() else "",
    }


class Peak:
    """Of one process, while it lives; its children do not count."""

    def __init__(self, process: int):
        self._file, self._kib, self._over = Path(f"/proc/{process}/status"), 0, threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(0.02):
            try:
                lines = self._file.read_text().splitlines()
            except OSError:
                return
            found = [int(line.split()[1]) for line in lines if line.startswith("VmHWM:")]
            self._kib = max([self._kib, *found])

    def stop(self) -> int:
        self._over.set()
        self._thread.join()
        return self._kib


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1, help="of the class")
    parser.add_argument("--platform", choices=("moodle", "canvas"), default="moodle")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"default: {','.join(PARTS)}")
    parser.add_argument(
        "--loop", type=int, default=40, help="submissions of the sequential loop, which is scaled"
    )
    parser.add_argument("--many", type=int, default=2000, help="submissions of `memory`")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--kill-students", type=int, default=60)
    parser.add_argument("--keep", type=Path, help="an absent folder that stays")
    parser.add_argument("--out", type=Path, help="default: standard output")
    options = parser.parse_args()
    parts = options.parts.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no part is called {', '.join(unknown)}")
    if "cold" not in parts and set(parts) - {"kill"}:
        parser.error("these parts need `cold`")
    with tempfile.TemporaryDirectory(prefix="convkit-evening-") as temporary:
        folder = options.keep or Path(temporary) / "evening"
        evening = Evening(folder, options)
        figures = {
            "benchmark": "class_evening",
            "cores": SIDE_BY_SIDE,
            "load_at_the_beginning": os.getloadavg()[0],
            "students": options.students,
            "platform": options.platform,
            "kinds": {
                kind: sum(p.kind == kind for p in evening.class_)
                for kind in sorted({p.kind for p in evening.class_})
            },
        }
        for part in (p for p in PARTS if p in parts):
            print(f"{part} ...", file=sys.stderr, flush=True)
            figures[part] = getattr(evening, part)()
    text = json.dumps(figures, indent=2) + "\n"
    if options.out:
        options.out.write_text(text)
    else:
        sys.stdout.write(text)
    right = all(not figures.get(part, {}).get("problems") for part in ("check", "kill"))
    return 0 if right and figures.get("kill", {}).get("same_book", True) else 1


if __name__ == "__main__":
    sys.exit(main())
