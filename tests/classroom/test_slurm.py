# SPDX-License-Identifier: MIT
"""`class grade --executor slurm` on a real cluster of two nodes (slurm_cluster.py): jobs, nodes and
heads that are killed in the middle. Skipped where Slurm is not installed."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path

import pytest
from conftest import ROOT, ClassRoom
from convkit_class.book import Book
from slurm_cluster import PACKAGES, SlurmCluster, missing, wait_until


@pytest.fixture(scope="module")
def cluster():
    if missing():
        pytest.skip(f"{missing()[0]} is not installed (packages: {PACKAGES})")
    with SlurmCluster() as cluster:
        if os.getuid() == 0 and cluster.call("cat", ROOT / "VERSION") == "":
            pytest.skip(f"{cluster.user.pw_name}, who runs the jobs, cannot read {ROOT}")
        yield cluster


class ClusterRoom(ClassRoom):
    """A class whose `class grade` is a head of the cluster, a process of its ordinary user."""

    def __init__(self, cluster: SlurmCluster, folder: Path, monkeypatch):
        folder.mkdir()
        super().__init__(folder, monkeypatch)
        self.cluster, self.shared = cluster, folder / 'sha\'red %a "folder"'
        self.set("WHEN", str(folder / "when"))
        self.name = ""
        self.heads: list[subprocess.Popen] = []

    def head(self, *words: object, first: str = "") -> subprocess.Popen:
        """`first`: Python that it runs before its main program."""
        main = ROOT / "classroom/main.py"
        if first:
            main = self.folder / "head.py"
            main.write_text(
                f"import os, shutil, sys\nsys.path[:0] = [{str(ROOT / 'classroom')!r}]\n"
                "from convkit_class.cluster import run_folder, slurm\n"
                f"{first}\nfrom convkit_class.cli import main\nsys.exit(main())\n"
            )
        for path in [self.folder, *self.folder.rglob("*")]:
            with contextlib.suppress(FileNotFoundError):  # SQLite removes files when it closes
                os.chown(path, self.cluster.user.pw_uid, self.cluster.user.pw_gid)
        command = [sys.executable, "-B", main, "grade", self.submissions]
        command += ["--book", self.book, "--executor", "slurm", "--shared", self.shared]
        head = subprocess.Popen(
            [str(word) for word in [*command, "--poll", "0.2", *words]],
            env=self.cluster.environment | self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # Of what runs in the background of a shell, SIGINT is ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            **self.cluster.as_user(),
        )
        self.heads.append(head)
        return head

    def grade(self, *words: object) -> str:
        return self.ended(self.head(*words))

    def ended(self, head: subprocess.Popen, code: int = 0) -> str:
        out, _ = head.communicate(timeout=300)
        self.cluster.remember(self.name, out)
        assert head.returncode == code, out
        return out

    def points(self) -> dict[str, float]:
        book = Book(self.book)
        last = {s.source: book.gradings(s.id)[-1] for s in book.submissions()}
        return {
            source: g.result()["points"] if g.state == "done" else g.state
            for source, g in last.items()
        }

    def count(self) -> int:
        """Of calls of `grade` so far."""
        return self.calls_file.read_text().count('"grade"') if self.calls_file.exists() else 0

    def when(self) -> list[list]:
        file = self.folder / "when"
        lines = file.read_text().splitlines() if file.exists() else []
        return [json.loads(line) for line in lines]

    def journals(self) -> list[Path]:
        """Of tasks that have got so far that a later one can go on with them."""
        return list(self.shared.glob("*/attempts/*/result.json.journal"))

    def jobs(self) -> str:
        return self.cluster.call("squeue", "--noheader", "--format=%i|%T|%r")

    def node_of(self, index: int) -> str:
        return next(self.shared.glob(f"*/attempts/{index}.*/node")).read_text()


@pytest.fixture
def room(cluster, request, monkeypatch):
    room = ClusterRoom(cluster, cluster.folder / f"room {len(request.node.name)}", monkeypatch)
    room.name = request.node.name
    yield room
    for head in room.heads:
        head.kill()
        head.wait()
    cluster.call("scancel", "--user", cluster.user.pw_name)
    for node in {"n1", "n2"} - set(cluster.daemons):
        cluster.start_node(node)
    cluster.wait_for_nodes()
    wait_until(lambda: not room.jobs(), what="no job is left")
    shutil.rmtree(room.folder)


def test_each_submission_is_a_task_whatever_it_is_called(room):
    names = ["ann.zip", 'o\'neil "x" $(id) `id`.zip', "two\nlines; exit.zip", "żółw %a.zip"]
    for number, name in enumerate(names):
        room.hand_in(name, points=number)
    room.hand_in("broken.zip", do="crash")
    out = room.grade()
    assert room.points() == {name: n for n, name in enumerate(names)} | {"broken.zip": "failed"}
    assert "FAILED  broken.zip: `convkit grade` ended with exit code 3" in out
    assert "5 submissions: 4 graded, 1 failed, 0 open." in out
    assert {user for _, user, *_ in room.when()} == {room.cluster.user.pw_uid} != {0}
    assert list(room.shared.iterdir()) == []
    assert "1 failed" in room.grade()  # only the failed one again
    assert room.count() == 6


def test_a_class_larger_than_an_array_is_graded_so_many_at_a_time(room):
    for number in range(10):  # MaxArraySize is 9
        room.hand_in(f"student{number}.zip", points=number, sleep=0.3)
    out = room.grade("--throttle", 2, "--cpus", 1)
    assert room.points() == {f"student{n}.zip": n for n in range(10)}
    assert out.count("Array job") == 2
    times = [(began, ended) for _, _, began, ended, _ in room.when()]
    assert max(sum(b <= at < e for b, e in times) for at, _ in times) <= 2


def test_timing_is_alone_on_its_node_and_comes_last(room):
    for number in range(4):
        room.hand_in(f"student{number}.zip", untimed=True, timing_sleep=0.7, note=number)
    out = room.grade("--cpus", 1)
    assert "4 to be timed, each alone on its node" in out
    timings = [w for w in room.when() if "--resume" in w[4]]
    assert len(timings) == 4
    for one, other in combinations(timings, 2):
        assert one[0] != other[0] or one[3] <= other[2] or other[3] <= one[2]
    for grading in Book(room.book).gradings():
        assert grading.state == "done" and grading.result()["points"] == 100
        assert grading.timing_s > 0.7 and grading.seconds > 0


def test_a_card_is_asked_for_with_a_gpu_only_and_both_runs_are_one_grade(room):
    room.hand_in("ann.zip", points=80, gpu_points=60, sleep=1.2, untimed=True)
    for device, asked in (("cpu", False), ("gpu", True)):
        before = room.count()
        head = room.head("--device", device, "--no-speed", "--gres", "card:1")
        wait_until(lambda before=before: room.count() > before)
        assert ("gres:card:1" in room.cluster.call("scontrol", "show", "job")) == asked
        room.ended(head)
        room.cluster.call("scancel", "--user", room.cluster.user.pw_name)
    assert [g.device for g in Book(room.book).gradings()] == ["cpu", "gpu"]
    room.grade("--device", "gpu", "--only", "ann", "--no-speed")
    assert room.count() == 2


def test_what_somebody_cancels_is_said_also_where_it_had_not_begun(room):
    for name in ("ann.zip", "bob.zip", "eve.zip"):
        room.hand_in(name, sleep=600, note=name)
    head = room.head("--throttle", 1)
    wait_until(lambda: room.count() == 1)
    room.cluster.call("scancel", "--user", room.cluster.user.pw_name)
    out = room.ended(head)
    assert set(room.points().values()) == {"failed"}
    assert room.count() == 1 and out.count("somebody cancelled the task") == 6


@pytest.mark.parametrize("how", ["scancel", "kill"])
def test_a_task_that_is_killed_is_said_and_stops_no_other(room, how):
    room.hand_in("ann.zip", sleep=600)
    room.hand_in("bob.zip", sleep=1)
    head = room.head()
    wait_until(lambda: room.count() == 2)
    if how == "scancel":
        job = room.jobs().split("_")[0]
        room.cluster.call("scancel", f"{job}_0")
        words = "somebody cancelled the task"
    else:
        for process in room.cluster.processes_with("SLURM_ARRAY_TASK_ID=0"):
            with contextlib.suppress(ProcessLookupError):  # it ended with the one before
                os.kill(process, signal.SIGKILL)
        words = "without a result"
    out = room.ended(head)
    assert room.points() == {"ann.zip": "failed", "bob.zip": 80}
    assert "FAILED  ann.zip: Array task" in out and words in out, out


@pytest.mark.parametrize("wholly", [True, False])
def test_the_work_of_a_lost_node_is_done_by_the_other(room, wholly):
    """Wholly, or only its slurmd: then its task goes on, and two do the same work."""
    gate = room.folder / "gate"
    for name in ("ann.zip", "bob.zip"):
        room.hand_in(name, until=str(gate), note=name)
    head = room.head("--cpus", 4)  # a node each
    wait_until(lambda: len(room.journals()) == 2)
    lost = room.node_of(0)
    room.cluster.kill_node(lost, and_its_jobs=wholly)
    if not wholly:
        gate.touch()
    else:
        room.cluster.call("scancel", f"{room.jobs().split('_')[0]}_1")  # nobody waits for it
    out = room.ended(head)
    assert room.points()["ann.zip"] == 80, out
    book = Book(room.book)
    assert all(len(book.gradings(s.id)) == 1 for s in book.submissions())
    if wholly:
        ann = next(w for w in room.when() if "--resume" in w[4])
        assert ann[0] != lost  # from the journal that the lost one had written


def at_work(room):
    """The tasks whose journals are there."""
    return {journal.parent.name.split(".")[0] for journal in room.journals()}


def test_ctrl_c_cancels_the_array_and_keeps_what_is_done(room):
    room.hand_in("ann.zip", sleep=0)
    for name in ("bob.zip", "eve.zip"):
        room.hand_in(name, sleep=600, note=name)
    head = room.head("--throttle", 3, "--cpus", 1)
    wait_until(lambda: list(room.shared.glob("*/results/0")) and at_work(room) == {"1", "2"})
    head.send_signal(signal.SIGINT)
    out = room.ended(head, 130)
    assert "3 submissions: 1 graded, 0 failed, 2 open." in out
    assert room.jobs() == ""
    assert list(room.shared.iterdir()) == []
    room.calls()
    room.grade()
    assert sorted("--resume" in c for c in room.calls()) == [True, True]
    assert set(room.points().values()) == {80}


def test_a_new_head_takes_over_from_one_that_was_killed(room):
    gate = room.folder / "gate"
    for name in ("ann.zip", "bob.zip", "eve.zip"):
        room.hand_in(name, until=str(gate), note=name)
    head = room.head("--throttle", 2)
    wait_until(lambda: room.count() == 2)
    head.kill()
    head.communicate()
    room.hand_in("new.zip")
    assert room.run("grade", room.submissions) == 2  # on this machine
    gate.touch()
    out = room.grade()
    assert "is at work: 3 tasks open." in out
    assert set(room.points().values()) == {80}
    assert room.count() == 4
    book = Book(room.book)
    assert all(len(book.gradings(s.id)) == 1 for s in book.submissions())
    assert not (room.folder / "course.db.files/cluster.json").exists()


def test_without_a_head_the_array_ends_and_its_results_are_collected(room):
    for name in ("ann.zip", "bob.zip"):
        room.hand_in(name, sleep=1, note=name)
    room.hand_in("eve.zip", sleep=600)
    head = room.head()
    wait_until(lambda: room.count() == 3)
    head.kill()
    head.communicate()
    wait_until(lambda: len(room.when()) == 2)
    room.cluster.call("scancel", "--user", room.cluster.user.pw_name)
    wait_until(lambda: not room.jobs())
    (waits,) = room.shared.iterdir()
    # As if sbatch's answer had not come, and Slurm had forgotten the job.
    known = room.folder / "course.db.files/cluster.json"
    known.write_text(json.dumps({str(waits): "999999"}))
    os.chown(known, room.cluster.user.pw_uid, room.cluster.user.pw_gid)
    out = room.grade()
    assert set(room.points().values()) == {80}, out
    assert "eve: the task ended on n" in out and "it is sent once more" in out
    assert room.count() == 4


def test_a_refused_job_is_one_sentence_and_loses_nothing(room):
    room.hand_in("ann.zip")
    out = room.ended(room.head("--partition", "none"), 2)
    assert out.startswith("Slurm refuses the job: ") and "invalid partition" in out
    assert list(room.shared.iterdir()) == []
    assert Book(room.book).gradings() == []
    room.grade()
    assert room.points() == {"ann.zip": 80}
    # What is to be graded again only is not open either.
    room.ended(room.head("--regrade-all", "--partition", "none"), 2)
    assert "1 submissions: 1 graded, 0 failed, 0 open." in room.grade()
    assert room.count() == 1


def test_a_refused_job_leaves_what_an_earlier_run_had_begun(room):
    room.hand_in("ann.zip", sleep=600)
    head = room.head()
    wait_until(room.journals)
    head.send_signal(signal.SIGINT)
    room.ended(head, 130)
    room.ended(room.head("--partition", "none"), 2)
    room.calls()
    room.grade()
    assert "--resume" in room.calls()[0]
    assert [g.state for g in Book(room.book).gradings()] == ["done"]


DIES = "die = lambda *_, **__: os.kill(os.getpid(), 9)\n"


@pytest.mark.parametrize("given_up", [False, True])
def test_a_head_that_is_killed_while_it_fills_its_folder_leaves_it_to_the_next(room, given_up):
    """Given up: somebody has deleted what the book knows of its arrays."""
    room.hand_in("ann.zip")
    room.ended(room.head(first=DIES + "run_folder._send_journal = die"), -signal.SIGKILL)
    (left,) = room.shared.iterdir()
    others = [f"{left.name[:8]}{'0' * 12}-{'0' * 12}", f"convkit-{'0' * 12}", f"my-{left.name}"]
    for other in others:
        (room.shared / other / "submissions").mkdir(parents=True)
    if given_up:
        (room.folder / "course.db.files/cluster.json").unlink()
    room.grade()
    assert room.points() == {"ann.zip": 80}
    assert sorted(path.name for path in room.shared.iterdir()) == sorted(others)


def test_a_head_that_is_killed_while_it_removes_its_folder_stops_no_other(room):
    room.hand_in("ann.zip")
    half = "lambda path, **_: (shutil.rmtree(path / 'results'), die())"
    first = f"class Half:\n    copy2, copyfile, rmtree = shutil.copy2, shutil.copyfile, {half}\n"
    first = f"{DIES}{first}run_folder.shutil = Half"
    room.ended(room.head("--partition", "none", first=first), -signal.SIGKILL)
    assert len(list(room.shared.iterdir())) == 1
    room.grade()
    assert room.points() == {"ann.zip": 80}
    assert list(room.shared.iterdir()) == []


def test_what_a_node_was_asked_by_a_head_that_is_killed_is_removed_by_the_next(room):
    room.hand_in("ann.zip")
    room.grade()
    room.ended(room.head("--regrade-changed", first=DIES + "slurm.tasks = die"), -signal.SIGKILL)
    wait_until(lambda: list(room.shared.iterdir()) and not room.jobs())
    room.grade()
    assert list(room.shared.iterdir()) == []


def test_a_folder_in_which_a_job_works_is_not_removed(room):
    room.hand_in("ann.zip", sleep=600)
    head = room.head()
    wait_until(lambda: room.count() == 1)
    head.kill()
    head.communicate()
    (folder,) = room.shared.iterdir()
    (room.folder / "course.db.files/cluster.json").unlink()
    room.hand_in("bob.zip")
    job = room.jobs().split("_")[0]
    assert f"what still works for this book (job {job}); `scancel` ends it" in room.grade(
        "--only", "bob"
    )
    assert list(room.shared.iterdir()) == [folder]
    room.cluster.call("scancel", job)
    wait_until(lambda: not room.jobs())
    room.grade("--only", "bob")
    assert list(room.shared.iterdir()) == []


def test_smaller_arrays_are_tried_where_a_limit_refuses_large_ones(room):
    programs = room.folder / "bin"
    programs.mkdir()
    refuses = programs / "sbatch"
    refuses.write_text(
        "#!/bin/sh\ncase $* in *--array=0-[2-9]*)\n"
        "echo 'sbatch: error: AssocMaxSubmitJobLimit' >&2; exit 1;; esac\n"
        f'exec {shutil.which("sbatch")} "$@"\n'
    )
    refuses.chmod(0o755)
    room.set("PATH", f"{programs}:{os.environ['PATH']}")
    for number in range(5):
        room.hand_in(f"student{number}.zip", note=number)
    out = room.grade()
    assert set(room.points().values()) == {80}
    assert "Slurm refuses 5 tasks at a time (AssocMaxSubmitJobLimit)." in out
    assert room.count() == 5


def test_a_folder_that_nodes_do_not_have_is_said(room):
    """The nodes are this machine, so it vanishes behind the head's back."""
    room.hand_in("ann.zip")
    room.cluster.call("scontrol", "update", "NodeName=n1,n2", "State=DRAIN", "Reason=test")
    head = room.head()
    wait_until(room.jobs)
    (folder,) = room.shared.iterdir()
    manifest = folder / "manifest.json"
    manifest.rename(folder / "hidden")
    room.cluster.call("scontrol", "update", "NodeName=n1,n2", "State=RESUME")
    wait_until(lambda: not room.jobs())
    out = ""
    while "sent once more" not in out:
        out += (line := head.stdout.readline())
        assert line, out
    assert f"does not have {room.shared}: --shared must be a folder of all nodes" in out
    room.ended(head)
    assert room.points() == {"ann.zip": 80}


def test_the_real_grader_is_a_task(cluster, tmp_path, monkeypatch):
    room = ClusterRoom(cluster, cluster.folder / "real", monkeypatch)
    room.set("CONVKIT_PROGRAM", os.environ["CONVKIT_BINARY"])
    room.set("CONVKIT_ROOT", str(ROOT))
    room.set("CONVKIT_CACHE", str(room.folder / "cache"))
    shutil.copytree(ROOT / "starter/01_cpu_conv", room.submissions / "bob/01_cpu_conv")
    (room.submissions / "eve.zip").write_bytes(b"PK\3\4 and no more")
    began = time.monotonic()
    out = room.ended(room.head())
    assert "2 submissions: 2 graded, 0 failed, 0 open." in out, time.monotonic() - began
    bob, eve = (g.result() for g in Book(room.book).gradings())
    assert bob["stages"][0]["status"] == "NOT_STARTED"
    assert "zip whose end is missing" in eve["error"]
    # As if another kit had judged bob's, which the document itself contradicts: all of it holds.
    with contextlib.closing(sqlite3.connect(room.book, isolation_level=None)) as book:
        book.execute("""UPDATE grading SET depends = '{"kit": "another"}' WHERE id = 1""")
    room.ended(room.head("--regrade-changed"))
    *_, again = (g.result() for g in Book(room.book).gradings())
    assert again["submission"] == bob["submission"]
    assert set(again["stages"][0]["kept"]) == {case["op"] for case in bob["stages"][0]["cases"]}


def test_what_verdicts_depend_on_is_asked_on_a_node(room):
    room.hand_in("ann.zip")
    room.set("DEPENDS", json.dumps({"compiler": "1"}))
    room.grade()
    room.grade("--regrade-changed")
    assert room.count() == 1
    room.set("DEPENDS", json.dumps({"compiler": "2"}))
    room.grade("--regrade-changed")
    assert room.count() == 2
    assert list(room.shared.iterdir()) == []


def test_what_is_graded_again_keeps_verdicts_of_its_earlier_result(room):
    """The earlier result is in the shared folder, and the node can read it."""
    room.set("DEPENDS", json.dumps({"compiler": "1"}))
    room.hand_in("ann.zip", points=70)
    room.hand_in("bob.zip", points=60)
    room.hand_in("eve.zip", points=50, untimed=True)
    room.grade()
    room.calls()
    room.set("DEPENDS", json.dumps({"compiler": "2"}))
    room.grade("--regrade-changed")
    words = "--keep-verdicts"
    begun = [call for call in room.calls() if "--resume" not in call or words in call]
    asked = [Path(call[call.index(words) + 1]) for call in begun]
    assert [file.parents[2] for file in asked] == [room.shared] * 3
    book = Book(room.book)
    results = {s.source: book.gradings(s.id)[-1].result() for s in book.submissions()}
    assert (results["ann.zip"]["kept_points"], results["bob.zip"]["kept_points"]) == (70, 60)
    room.grade("--regrade-all")
    assert not any("--keep-verdicts" in call for call in room.calls())


def test_a_task_that_begins_again_keeps_verdicts_and_one_that_goes_on_has_them(room):
    room.set("DEPENDS", json.dumps({"compiler": "1"}))
    gate = room.folder / "gate"
    room.hand_in("ann.zip", until=str(gate))
    gate.touch()
    room.grade()
    room.set("DEPENDS", json.dumps({"compiler": "2"}))
    for goes_on in (True, False):
        gate.unlink()
        head = room.head("--regrade-changed", "--regrade-all")
        wait_until(room.journals)
        head.send_signal(signal.SIGINT)
        room.ended(head, 130)
        gate.touch()
        (journal,) = room.folder.glob("course.db.files/results/*.json.journal")
        if not goes_on:
            journal.write_text("of a node with another compiler")
        room.calls()
        room.grade("--regrade-changed")
        calls = room.calls()
        assert ["--resume" in c for c in calls] == [True] + [False] * (not goes_on)
        assert ["--keep-verdicts" in c for c in calls] == [False] + [True] * (not goes_on)
