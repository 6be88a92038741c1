# SPDX-License-Identifier: MIT
"""A Slurm cluster on this machine for tests: munged, slurmctld and two slurmd, all of them programs
of one ordinary user, in a folder of their own and on loopback addresses only."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol")
PACKAGES = "slurmctld slurmd slurm-client munge"
NODES = ("n1", "n2")
_EXAMPLE = Path(__file__).resolve().parents[2] / "docs/cluster.md"


def _found(name: str) -> str | None:
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing() -> list[str]:
    return [name for name in PROGRAMS if not _found(name)]


def wait_until(true, seconds: float = 120, what: str = "") -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"after {seconds} s still not: {what}"
        time.sleep(0.05)


def example(name: str) -> str:
    """A file of docs/cluster.md, where folder, user and ports stand for others."""
    text = _EXAMPLE.read_text(encoding="utf-8")
    block = text.split(f"```ini\n# {name}\n", 1)[1]
    return block.split("```", 1)[0]


def _step_of(process: int) -> int | None:
    """The slurmstepd that has started it; None where either has ended."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
        parent = int(stat.rsplit(")", 1)[1].split()[1])
        known = Path(f"/proc/{parent}/cmdline").read_bytes()
    except OSError:
        return None
    return parent if b"slurmstepd" in known else None


class SlurmCluster:
    """`with SlurmCluster() as cluster:`: at the end no daemon and no job of it is left."""

    def __init__(self) -> None:
        # Jobs of root prove little: a root runs all as `daemon`, a user whom every system has.
        self.user = pwd.getpwnam("daemon") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        self.folder = Path(tempfile.mkdtemp(prefix="convkit-slurm-", dir="/tmp"))
        self.daemons: dict[str, subprocess.Popen] = {}
        self.environment = os.environ | {
            "SLURM_CONF": str(self.folder / "slurm.conf"),
            "HOME": str(self.folder),
            "USER": self.user.pw_name,
        }

    def __enter__(self) -> SlurmCluster:
        try:
            self._write()
            self._start("munged", "munged", *self._munge_words())
            wait_until((self.folder / "munge/socket").exists, what="munged listens")
            self._start("slurmctld", "slurmctld", "-D", "-i")
            for node in NODES:
                self.start_node(node)
            self.wait_for_nodes()
        except BaseException as error:
            logs = "\n".join(f"{f.name}: {f.read_text()}" for f in self.folder.glob("*.log"))
            self.__exit__()
            raise AssertionError(f"the cluster did not start: {error}\n{logs}") from None
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(subprocess.SubprocessError, OSError):
            self.call("scancel", "--user", self.user.pw_name, timeout=10)
            wait_until(lambda: not self.call("squeue", "--noheader"), 10)
        for name in ("slurmctld", *NODES, "munged"):
            self.end(name)
        self._end_what_is_left()
        log = self.folder / "slurmctld.log"
        if log.exists():
            self.remember("slurmctld", log.read_text(errors="replace"))
        shutil.rmtree(self.folder, ignore_errors=True)

    def remember(self, title: str, text: str) -> None:
        """For people, where CONVKIT_SLURM_LOG names a file (docs/results/slurm-debian12.txt)."""
        if file := os.environ.get("CONVKIT_SLURM_LOG"):
            with Path(file).open("a") as log:
                log.write(f"\n{title}\n{text.replace(str(self.folder), 'FOLDER')}")

    def _write(self) -> None:
        for name in ("munge", "state", *NODES):
            (self.folder / name).mkdir()
        (self.folder / "munge").chmod(0o755)
        key = self.folder / "munge/key"
        key.write_bytes(os.urandom(64))
        key.chmod(0o400)
        with contextlib.ExitStack() as kept:
            sockets = [kept.enter_context(socket.socket()) for _ in range(3)]
            for one in sockets:
                one.bind(("127.0.0.1", 0))
            ports = [str(one.getsockname()[1]) for one in sockets]
        conf = example("slurm.conf").replace("User=ME", f"User={self.user.pw_name}")
        for known, port in zip(("16817", "16818", "16819"), ports):
            conf = conf.replace(known, port)
        conf += "MaxArraySize=9\n"
        for name, text in (("slurm.conf", conf), ("gres.conf", example("gres.conf"))):
            (self.folder / name).write_text(text.replace("FOLDER", str(self.folder)))
        for card in ("gpu0", "gpu1"):
            (self.folder / card).touch()
        self.folder.chmod(0o755)
        for path in [self.folder, *self.folder.rglob("*")]:
            os.chown(path, self.user.pw_uid, self.user.pw_gid)

    def _munge_words(self) -> list[str]:
        munge = self.folder / "munge"
        files = {"socket": "socket", "key-file": "key", "pid-file": "pid", "seed-file": "seed"}
        words = [f"--{option}={munge / name}" for option, name in files.items()]
        return ["--foreground", "--force", f"--log-file={munge / 'log'}", *words]

    def as_user(self) -> dict:
        """Options of Popen: the user of the cluster, wherever the test runs."""
        if os.getuid() != 0:
            return {}
        return {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}

    def _start(self, name: str, program: str, *words: str) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self.daemons[name] = subprocess.Popen(
                [_found(program), *words],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                **self.as_user(),
            )

    def start_node(self, node: str) -> None:
        self._start(node, "slurmd", "-D", "-N", node)

    def end(self, name: str, how: int = signal.SIGTERM) -> None:
        """A daemon; what it has started goes on."""
        daemon = self.daemons.pop(name, None)
        if daemon is None:
            return
        daemon.send_signal(how)
        try:
            daemon.wait(timeout=10)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def _end_what_is_left(self) -> None:
        """Jobs whose slurmd was killed, and their slurmstepd: all that knows this folder."""
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                known = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
                if str(self.folder).encode() in known and int(process.name) != os.getpid():
                    os.kill(int(process.name), signal.SIGKILL)

    def call(self, *words: object, timeout: float = 30) -> str:
        ran = subprocess.run(
            [str(w) for w in words],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
            **self.as_user(),
        )
        return ran.stdout.strip()

    def wait_for_nodes(self) -> None:
        wait_until(lambda: self.states() == ["idle"] * len(NODES), what="both nodes are idle")

    def kill_node(self, node: str, and_its_jobs: bool) -> None:
        """As if the power went off, or only its daemon died."""
        self.end(node, signal.SIGKILL)
        if not and_its_jobs:
            return
        of_tasks = self.processes_with(f"SLURMD_NODENAME={node}")
        steps = {step for process in of_tasks if (step := _step_of(process))}
        for process in [*steps, *of_tasks]:  # first what would report the death of the others
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def processes_with(self, variable: str) -> list[int]:
        """Of this cluster: those in whose environment it is."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                known = (process / "environ").read_bytes()
                if str(self.folder).encode() in known and variable.encode() in known:
                    found.append(int(process.name))
        return found

    def states(self) -> list[str]:
        return self.call("sinfo", "--noheader", "--Node", "--format=%t").split()
