# SPDX-License-Identifier: MIT
"""What is said about pairs, on the terminal and on the page. It accuses nobody."""

from __future__ import annotations

from ..live import plain_text
from ..views import table
from .compare import THRESHOLD, Comparison, Pair, Work
from .fingerprints import K, W


def percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


ABOUT = (
    "The number is the part of the smaller of two submissions, or of one of its files, whose "
    f"passages are in the other one as well: runs of {K + W - 1} tokens or more, whatever names, "
    "numbers, comments, layout and order of functions they have. What everybody was given "
    "(starter, handout, baseline) and what many students have in common does not count. Pairs "
    f"from {percent(THRESHOLD)} on are listed.",
    "The number cannot say why two programs are alike. Two students may have worked together, had "
    "the same help, followed the same page of a book, or had the same idea; a short task leaves "
    "few ways to solve it. Nor does a low number show that a program is its writer's own. Look at "
    "both sources, and talk to both students, before you think anything of it.",
)


def solution_words(pair: Pair) -> str:
    """'' where neither both nor the file of the pair is near the reference solution."""
    if pair.both_near:
        near = f"both are near the reference solution: {percent(pair.one.near)} and "
        near += percent(pair.other.near)
    elif pair.file_near >= THRESHOLD:
        near = f"this file is near the reference solution: {percent(pair.file_near)}"
    else:
        return ""
    return f"{near}; beyond it they share {percent(pair.beyond)}"


def near_words(near: list[Work]) -> str:
    listed = ", ".join(f"{work.who} ({percent(work.near)})" for work in near)
    return f"Near the reference solution: {listed}."


def more_words(comparison: Comparison) -> str:
    return f"{comparison.more} more pairs share less than these and are not listed."


def terminal(comparison: Comparison) -> str:
    """The table of a stage. Pairs by the solution are counted: of a class in which a solution goes
    round they would be most of the lines."""
    pairs = [pair for pair in comparison.pairs if not pair.by_the_solution]
    by_solution = len(comparison.pairs) - len(pairs)
    # What is not listed comes after all that is, so it is by the solution if any of that is.
    count = len(pairs) + (0 if by_solution else comparison.more)
    head = f"{comparison.stage}: {len(comparison.works)} submissions, "
    head += f"{count or 'no'} pair{'' if count == 1 else 's'} to look at"
    lines = [head]
    if pairs:
        rows = [["share", "students", "", "of 1st", "of 2nd", "most in"]]
        for pair in pairs:
            rows.append(
                [
                    percent(pair.share),
                    plain_text(pair.one.who),
                    plain_text(pair.other.who),
                    percent(pair.of_one),
                    percent(pair.of_other),
                    plain_text(pair.file),
                ]
            )
        lines += ["  " + line for line in table(rows).splitlines()]
        lines += [
            f"  {plain_text(p.one.who)}, {plain_text(p.other.who)}: {said}."
            for p in pairs
            if (said := solution_words(p))
        ]
    if by_solution:
        count = by_solution + comparison.more
        text = "1 more pair shares" if count == 1 else f"{count} more pairs share"
        lines.append(f"  {text} little but the reference solution.")
    elif comparison.more:
        lines.append(f"  {more_words(comparison)}")
    if comparison.near:
        lines.append("  " + plain_text(near_words(comparison.near)))
    if comparison.common:
        lines.append(
            f"  {comparison.common} fingerprints that many submissions have were left out."
        )
    return "\n".join(lines)
