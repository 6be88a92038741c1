# SPDX-License-Identifier: MIT
"""What students do not get, and how a solution's lines are found in other files."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STAGES = sorted(folder.name for folder in (ROOT / "solutions").iterdir())
# Folders of the kit that hold what students do not get.
KEPT_BACK = {"solutions", "wrong", "mistakes", "reference", "grader", "tests", "hidden"}
# Text of the copy that may have lines of a solution, with the reason.
MAY_REPEAT_A_SOLUTION = {
    **{
        f"assignments/{stage}/baseline/": "plain kernels and loops to compare times with"
        for stage in STAGES
        if stage != "06_cudnn_port"  # whose baseline has no line of a solution
    },
    "assignments/02_direct_conv/README.md": "quotes a sum of vectors to explain a kernel",
    "starter/07_mnist_cnn/reduction.cuh": "a later stage gets what stage 05 asks for",
}

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|<<<|>>>|<<|>>|->|::|[-+*/%&|^<>=!]=|&&|\|\||\+\+|--|\S")
WORDS_OF_THE_LANGUAGE = re.compile(
    "auto|bool|break|case|char|class|const|constexpr|continue|do|double|else|extern|false|float|for|"
    "if|inline|int|int32_t|int64_t|namespace|nullptr|return|size_t|sizeof|static|struct|switch|"
    "template|true|typename|uint32_t|uint64_t|unsigned|using|void|while|"
    "__constant__|__device__|__global__|__restrict__|__shared__"
)


def tokens_of_lines(text: str) -> list[list[str]]:
    text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.S)
    return [TOKEN.findall(re.sub(r"//.*", "", line)) for line in text.splitlines()]


def is_trivial(tokens: list[str]) -> bool:
    """A brace, an #include, `return y;`: a line of fewer than four words."""
    return not tokens or tokens[0] == "#" or sum(t[0].isalnum() or t[0] == "_" for t in tokens) < 4


def threes(lines: list[list[str]]) -> Iterator[tuple[str, ...]]:
    """All runs of three lines that are not trivial. Names become their number in the run."""
    kept = [line for line in lines if not is_trivial(line)]
    for run in zip(kept, kept[1:], kept[2:], strict=False):
        numbers: dict[str, str] = {}
        yield tuple(
            " ".join(
                numbers.setdefault(t, f"name{len(numbers)}")
                if re.match(r"[A-Za-z_]", t) and not WORDS_OF_THE_LANGUAGE.fullmatch(t)
                else t
                for t in line
            )
            for line in run
        )


def lines_of_solutions() -> set[tuple[str, ...]]:
    """Of what students write, and of files that only a solution has."""
    found: set[tuple[str, ...]] = set()
    shared = {
        run
        for file in (ROOT / "starter").rglob("*.*")
        for run in threes(tokens_of_lines(file.read_text()))
    }
    for file in (ROOT / "solutions").rglob("*.*"):
        text = file.read_text()
        if (ROOT / "starter" / file.relative_to(ROOT / "solutions")).exists():
            for part in re.findall(r"// BEGIN SOLUTION.*?\n(.*?)// END SOLUTION", text, re.S):
                found.update(threes(tokens_of_lines(part)))
        else:
            found.update(set(threes(tokens_of_lines(text))) - shared)
    return found


def files_with_lines_of_solutions(folder: Path, names: list[str]) -> list[str]:
    secret = lines_of_solutions()
    assert len(secret) > 2000
    found = []
    for name in names:
        try:
            text = (folder / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # not text
        if not secret.isdisjoint(threes(tokens_of_lines(text))):
            found.append(name)
    return found


def unlisted(files: list[str]) -> list[str]:
    """Those that are no exception."""
    return [f for f in files if not f.startswith(tuple(MAY_REPEAT_A_SOLUTION))]
