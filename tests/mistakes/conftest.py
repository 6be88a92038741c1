# SPDX-License-Identifier: MIT
"""Checks the chosen ones, as many at a time as there are processors."""

import os
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest
from catalogue import ROOT, Mistake, Planted, check, prepared_kit, words_of
from driver import PASSED, Ran, begin_with

os.environ.setdefault("CONVKIT_BINARY", str(ROOT / "build/dev/bin/convkit"))

# A day's part, about 40, takes about two minutes on 2 processors.
PARTS = 31


def pytest_addoption(parser):
    parser.addoption(
        "--part",
        default=f"{date.today().toordinal() % PARTS + 1}/{PARTS}",
        help="of the entries, such as 2/10; 1/1: all; default: another one every day",
    )
    parser.addoption("--mistakes-table", help="write the table of the run: a .md file")
    parser.addoption(
        "--mistakes-mend", action="store_true", help="with `check --mend`: a minute for each more"
    )
    parser.addoption(
        "--mistakes-search",
        action="store_true",
        help="with the search that `check` makes by itself",
    )
    parser.addoption("--mistakes-reports", help="write what is said of each into this folder")


class Checks:
    """One kit and one cache for all, a user for each."""

    def __init__(self, folder: Path, options: list[str], tries_changes: bool):
        self.folder, self.cache, self.options = folder, folder / "cache", options
        self.tries_changes = tries_changes
        begin_with(os.environ.get("CONVKIT_TEST_CACHE"), self.cache)
        (folder / "kit").mkdir()
        self.kit = prepared_kit(folder / "kit")
        self.pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)))
        self.started: dict[str, tuple[Planted, Future]] = {}

    def start(self, planted: Planted) -> None:
        home = self.folder / type(planted).__name__ / planted.id
        run = self.pool.submit(
            check,
            planted,
            self.kit,
            home,
            self.cache,
            *self.options,
            tries_changes=self.tries_changes,
        )
        self.started[type(planted).__name__ + planted.id] = planted, run

    def result(self, planted: Planted) -> Ran:
        return self.started[type(planted).__name__ + planted.id][1].result()


@pytest.fixture(scope="session")
def checks(request, tmp_path_factory):
    options = ["--mend"] if request.config.getoption("--mistakes-mend") else []
    tries_changes = request.config.getoption("--mistakes-search")
    found = Checks(tmp_path_factory.mktemp("planted"), options, tries_changes)
    for item in request.session.items:
        planted = getattr(getattr(item, "callspec", None), "params", {}).get("planted")
        if isinstance(planted, Planted):
            found.start(planted)
    yield found
    found.pool.shutdown(cancel_futures=True)
    if table := request.config.getoption("--mistakes-table"):
        Path(table).write_text(table_of(found), encoding="utf-8")
    if folder := request.config.getoption("--mistakes-reports"):
        write_reports(found, Path(folder))


def write_reports(checks: Checks, folder: Path) -> None:
    """For people who judge them: the cause as the planter tells it, then what `check` printed."""
    for one, run in checks.started.values():
        if not run.done() or run.exception():
            continue
        file = folder / f"{one.id}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        ran = run.result()
        file.write_text(f"{one.about}\n\n{ran.out}{ran.err}", encoding="utf-8")


def table_of(checks: Checks) -> str:
    """How many of each stage were caught and named, then each one's first sentence."""
    planted, caught, named, lines = Counter(), Counter(), Counter(), []
    for one, run in checks.started.values():
        if not isinstance(one, Mistake) or not run.done() or run.exception():
            continue
        ran = run.result()
        planted[one.stage] += 1
        caught[one.stage] += ran.code != PASSED
        named[one.stage] += one.is_named_in(ran)
        how = "named" if one.is_named_in(ran) else "caught" if ran.code != PASSED else "escapes"
        said = [line.strip() for line in words_of(ran).splitlines() if line.strip()]
        lines.append(
            f"| {one.id} | {how} | {(said or [''])[0][:160].replace('|', chr(92) + '|')} |"
        )
    total = [sum(counts.values()) for counts in (planted, caught, named)]
    head = [
        "| stage | planted | caught | named |",
        "| --- | ---: | ---: | ---: |",
        *(f"| {s} | {planted[s]} | {caught[s]} | {named[s]} |" for s in sorted(planted)),
        "| all | {} | {} | {} |".format(*total),
    ]
    return "\n".join(
        [*head, "", "| mistake | | first sentence |", "| --- | --- | --- |", *lines, ""]
    )
