#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the zip of `convkit pack gradescope` as Gradescope does, and checks each page.

    sudo tests/platforms/container.py --root jammy.tar --package convkit-*.tar.gz

--root is a tree that debootstrap has made (tests/install/run.sh keeps one as SUITE.tar). In it, as
in a container: root with Docker's capabilities and no others, no namespace to be made (a chroot's
root may not), 768 MiB and half a processor by a control group, no network once setup.sh has run.
Needs root, the network, and a writable control group (version 1 or 2). 10 to 30 minutes.
"""

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from schemas import gradescope_faults

from driver import ROOT, changed  # isort: skip

STAGE = "01_cpu_conv"
DOCKERS = "chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service"
DOCKERS += " net_raw sys_chroot mknod audit_write setfcap"
MEMORY, QUOTA = 768 << 20, 50_000  # bytes; microseconds of 100,000
PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
HIDDEN = "/autograder/source/hidden/01_cpu_conv/manifest.json"
RESULTS = "/autograder/results/results.json"

INCLUDES = "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n"
INCLUDES += "#include <fcntl.h>\n#include <unistd.h>\n#include <sys/syscall.h>\n"
STEAL = f"""
  char text[4096] = {{}};
  for (const char* file : {{"{HIDDEN}", "/autograder/submission_metadata.json"}}) {{
    const int fd = open(file, O_RDONLY);
    if (fd >= 0 && read(fd, text, 4000) > 0) std::printf("STOLEN %s", text);
  }}
  const int fd = open("{RESULTS}", O_WRONLY | O_TRUNC);
  if (fd >= 0 && write(fd, "{{}}", 2) > 0) std::printf("STOLEN the page");
"""


def dense(body: str) -> dict:
    return changed("dense.cpp", "dense_forward", body, INCLUDES)


# name: changes of the solution (None: nothing is handed in), points, words of the page
SUBMISSIONS: dict[str, tuple[dict | None, object, str]] = {
    "solution": ({}, 80, "20 points are PENDING"),
    "wrong": (dense("  y[0] = x[0];"), range(60, 80), "WRONG"),
    "does not compile": ({"dense.cpp": "int f( {\n"}, range(60, 80), "error:"),
    "fork bomb": (dense("  for (;;) syscall(SYS_fork);"), range(60, 80), "POLICY"),
    "memory": (
        dense("  for (;;) std::memset(std::malloc(1 << 20), 1, 1 << 20);"),
        range(60, 80),
        "LIMIT",
    ),
    "infinite loop": (dense("  for (volatile int i = 0;; ) i = i;"), range(60, 80), "TIMED_OUT"),
    "thief": (dense(STEAL), range(60, 80), "dense"),
    "thief who compiles": ({"dense.cpp": f'#include "{HIDDEN}"\n'}, range(60, 80), "error:"),
    "nothing": (None, 0, "holds no files"),
}


class Container:
    def __init__(self, folder: Path, root: Path):
        self.folder, self.root = folder, folder / "root"
        self.root.mkdir()
        subprocess.run(["tar", "-C", self.root, "-xf", root], check=True)
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", self.root / "etc")
        for name in ("proc", "dev"):
            subprocess.run(["mount", "--rbind", f"/{name}", self.root / name], check=True)
        self.groups = self.make_groups()

    def make_groups(self) -> list[Path]:
        """Control groups with the limits; the container sees its own."""
        name, base = f"convkit-test-{os.getpid()}", Path("/sys/fs/cgroup")
        if (base / "memory").is_dir():
            memory, cpu = base / "memory" / name, base / "cpu" / name
            memory.mkdir(), cpu.mkdir()
            (memory / "memory.limit_in_bytes").write_text(str(MEMORY))
            (cpu / "cpu.cfs_quota_us").write_text(str(QUOTA))
            seen = self.root / "sys/fs/cgroup/memory"
            seen.mkdir(parents=True)
            subprocess.run(["mount", "--bind", memory, seen], check=True)
            return [memory, cpu]
        group = base / name
        group.mkdir()
        (group / "memory.max").write_text(str(MEMORY))
        (group / "cpu.max").write_text(f"{QUOTA} 100000")
        seen = self.root / "sys/fs/cgroup"
        seen.mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "--bind", group, seen], check=True)
        return [group]

    def build(self, *words: str) -> subprocess.CompletedProcess:
        """As the image is built: with the network, without limits."""
        return subprocess.run(
            ["chroot", self.root, "env", "-i", PATH, "HOME=/root", *words],
            capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def run(self, *words: str) -> subprocess.CompletedProcess:
        """As a submission is graded."""
        capabilities = "-all" + "".join(f",+{name}" for name in DOCKERS.split())
        join = " && ".join(f"echo $$ >{group}/cgroup.procs" for group in self.groups)
        command = ["unshare", "--net", "--", "sh", "-c", join + ' && exec "$@"', "sh", "setpriv"]
        command += ["--bounding-set", capabilities, "--inh-caps", "-all", "chroot", str(self.root)]
        command += ["env", "-i", PATH, "HOME=/root", *words]
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def peak(self) -> float:
        """Most memory so far in MiB, the file cache included; begins anew."""
        for name in ("memory.max_usage_in_bytes", "memory.peak"):
            file = self.groups[0] / name
            if file.exists():
                peak = int(file.read_text()) / (1 << 20)
                if name.endswith("bytes"):
                    file.write_text("0")
                return peak
        return float("nan")

    def remove(self) -> None:
        for group in self.groups:
            for _ in range(300):  # a group can be removed when the last of it has ended
                pids = (group / "cgroup.procs").read_text().split()
                if not pids:
                    break
                for pid in pids:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(pid), 9)
                time.sleep(0.1)
            group.rmdir()


def pack(folder: Path, package: Path) -> Path:
    subprocess.run(["tar", "-C", folder, "-xf", package], check=True)
    (folder / "secret").write_text("the secret of a test\n")
    zipped, kit = folder / "autograder.zip", folder / "convkit"
    for words in (
        ["refgen", "--stage", "1", "--seed-file", folder / "secret"],
        ["pack", "gradescope", "--stage", "1", "--out", zipped],
    ):
        print(f"$ ./convkit {' '.join(map(str, words))}", flush=True)
        subprocess.run([kit / "convkit", *words], check=True)
    return zipped


class Checks:
    passed = failed = 0

    def check(self, name: str, faults: list[str], about: str = "") -> None:
        self.failed += bool(faults)
        self.passed += not faults
        print(f"{'FAIL' if faults else 'PASS'} {name}  {about}", *faults, sep="\n    ", flush=True)


def hand_in(container: Container, changes: dict | None, folder: str = STAGE) -> None:
    for name in ("submission", "results", "cache", "work"):
        shutil.rmtree(container.root / "autograder" / name, ignore_errors=True)
        (container.root / "autograder" / name).mkdir()
    metadata = {"assignment": {"total_points": "100.0"}, "users": [{"name": "Ada"}]}
    (container.root / "autograder/submission_metadata.json").write_text(json.dumps(metadata))
    if changes is None:
        return
    target = container.root / "autograder/submission" / folder
    shutil.copytree(ROOT / "solutions" / folder, target)
    for name, text in changes.items():
        (target / name).write_text(text)


def grade(container: Container, name: str, points, words: str, checks: Checks) -> None:
    container.peak()
    begin = time.monotonic()
    ran = container.run("sh", "-c", "cd /autograder && ./run_autograder")
    seconds, peak = time.monotonic() - begin, container.peak()
    text = (container.root / RESULTS[1:]).read_text()
    faults = gradescope_faults(text)
    page = json.loads(text)
    score = page["score"]
    if not (score == points or (isinstance(points, range) and points[0] <= score <= points[-1])):
        faults.append(f"{score} points, not {points}")
    if words not in text:
        faults.append(f"{words!r} is not on the page")
    if "STOLEN" in text + ran.stdout:
        faults.append("it read or wrote what it must not")
    if ran.returncode != 0:
        faults.append(f"exit code {ran.returncode}: {ran.stderr[-500:]}")
    if faults:
        faults += [page["output"], *(ran.stdout + ran.stderr).splitlines()[-12:]]
    checks.check(name, faults, f"{score} points, {seconds:.0f} s, at most {peak:.0f} MiB in use")
    print(f"    {page['output'].splitlines()[0] if page['output'] else '(no sentence)'}")


def run_all(container: Container, zipped: Path, checks: Checks) -> None:
    autograder = container.root / "autograder"
    (autograder / "source").mkdir(parents=True)
    subprocess.run(["unzip", "-q", zipped, "-d", autograder / "source"], check=True)
    shutil.copy(autograder / "source/run_autograder", autograder)
    begin = time.monotonic()
    built = container.build("/autograder/source/setup.sh")
    print("    " + "\n    ".join(built.stdout.splitlines()[-30:]))
    checks.check("setup.sh", [built.stderr[-800:]] if built.returncode else [],
                 f"{time.monotonic() - begin:.0f} s, with the compiler's download")  # fmt: skip
    namespaces = container.run("unshare", "--user", "true").returncode
    checks.check("no namespace can be made", [] if namespaces else ["one was made"])
    doctor = container.run("/autograder/convkit/convkit", "doctor").stdout
    print(
        *(f"    {line}" for line in doctor.splitlines() if line.startswith(("sandbox", "   "))),
        sep="\n",
    )

    for name, (changes, points, words) in SUBMISSIONS.items():
        hand_in(container, changes)
        grade(container, name, points, words, checks)
    hand_in(container, {}, "02_direct_conv")
    grade(container, "another stage", 0, "holds no files of 01_cpu_conv", checks)
    hand_in(container, SUBMISSIONS["infinite loop"][0])  # on a fast machine, too
    script = autograder / "run_autograder"
    text = script.read_text()
    script.write_text(text.replace("minutes=10 ", "minutes=1 ").replace(": 30)))", ": 45)))"))
    grade(
        container, "Gradescope's limit comes first", range(0, 80), "ended before its time", checks
    )
    script.write_text(text)
    programs = autograder / "convkit/build/default/bin"
    for file, words in (
        (autograder / "source/hidden" / STAGE / "cases.npz", "which is the course's fault"),
        (programs / f"{STAGE}.runner", "is the fault of the course and not yours"),
        (programs / "convkit", "is the fault of the course and not yours"),
    ):
        hand_in(container, {})
        file.rename(f"{file}.away")
        # Of what the kit could judge before it failed, points are kept.
        points = range(30, 80) if file.suffix == ".npz" else 0
        grade(container, f"{file.name} is missing", points, words, checks)
        Path(f"{file}.away").rename(file)


def run_other_stages(container: Container, stages: list[str], checks: Checks) -> None:
    """The solutions of other stages, on the visible cases: they come to their end in time."""
    script = container.root / "autograder/run_autograder"
    text = script.read_text()
    (container.root / "autograder/source/hidden").rename(container.root / "autograder/hidden")
    for stage in stages:
        script.write_text(text.replace(f"stages=({STAGE})", f"stages=({stage})"))
        hand_in(container, {}, stage)
        grade(container, stage, range(60, 100), "points are PENDING", checks)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, required=True, help="the clean root, as a tar")
    parser.add_argument(
        "--package", type=Path, required=True, help="what .ci/packages made, .tar.gz"
    )
    parser.add_argument("--also", nargs="*", default=[], help="stages whose solutions run, too")
    options = parser.parse_args()
    if os.environ.get("CONVKIT_CONTAINER_INSIDE") != "yes":  # the mounts end with this script
        os.environ["CONVKIT_CONTAINER_INSIDE"] = "yes"
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--"]
        os.execvp("unshare", [*command, sys.executable, *sys.argv])
    checks = Checks()
    folder = Path(tempfile.mkdtemp(prefix="convkit-container.", dir="/var/tmp"))
    container = None
    try:
        zipped = pack(folder, options.package.resolve())
        print(f"    {zipped.stat().st_size} bytes:")
        with zipfile.ZipFile(zipped) as archive:
            print(*(f"    {i.file_size:>9} {i.filename}" for i in archive.infolist()), sep="\n")
        container = Container(folder, options.root.resolve())
        run_all(container, zipped, checks)
        run_other_stages(container, options.also, checks)
    finally:
        if container:
            container.remove()
            subprocess.run(["umount", "-R", container.root / "dev"], check=False)
            subprocess.run(["umount", "-R", container.root / "proc"], check=False)
            subprocess.run(["umount", "-R", container.root / "sys/fs/cgroup/memory"], check=False)
        # Not into what may still be mounted.
        subprocess.run(["rm", "-rf", "--one-file-system", folder], check=False)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
