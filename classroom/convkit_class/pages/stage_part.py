# SPDX-License-Identifier: MIT
"""A stage of a report: its points, what is wrong and why, its speed, and what was left unsaid."""

from __future__ import annotations

from dataclasses import dataclass, field

from .bars import points_bar
from .causes import Cause, Failing, failing, short_name
from .document import Case, Stage
from .frame import Room, badge, count, folded, points, said, section, table, words
from .map_picture import map_figure
from .markup import Markup, joined, number, tag
from .speed import Tiers, speed_part

_NAMED = 12  # cases that a cause names before the others are folded
_FEW = 4  # sentences about hidden cases that are not folded


@dataclass(frozen=True)
class Course:
    """What the kit's stage.toml says of a stage; empty where the kit does not have it."""

    tasks: dict[str, str] = field(default_factory=dict)  # titles by id
    tiers: dict[str, Tiers] = field(default_factory=dict)  # by name of the timed shape


def course_of(stage: dict) -> Course:
    """Of the tables of a stage.toml."""
    return Course(
        {task["id"]: task.get("title", "") for task in stage.get("task", [])},
        {
            speed["name"]: Tiers(speed["none"], speed["full"])
            for speed in stage.get("speed", [])
            if "none" in speed and "full" in speed
        },
    )


def stage_section(stage: Stage, course: Course, context: object, room: Room) -> Markup:
    """`context`: what a book knows of it, above all else."""
    found = failing(stage.cases)
    return section(
        f"stage-{stage.id}",
        joined(tag("span", stage.id, class_="stage-id"), " ", stage.title),
        tag(
            "p",
            badge(stage.status),
            " ",
            tag("strong", points(stage.points, stage.max_points)),
            " points",
            _pending(stage),
            class_="verdict",
        ),
        context,
        tag("p", words(stage.message), class_="message", dir="auto") if stage.message else None,
        _failed_files(stage),
        _parts(stage, course),
        _what_is_wrong(stage, found, room),
        _hidden(found),
        _not_judged(found),
        speed_part(stage.speed, course.tiers),
        _rest(stage, room),
    )


def _pending(stage: Stage) -> Markup | None:
    if not stage.pending_points:
        return None
    return tag("span", f", {number(stage.pending_points)} pending", class_="pending")


def _failed_files(stage: Stage) -> Markup | None:
    if not stage.failed_files:
        return None
    items = [
        tag(
            "li",
            tag("code", file["file"]),
            " ",
            badge(file["status"]),
            tag("pre", file["message"], tabindex="0", role="group", aria_label="First error"),
        )
        for file in stage.failed_files
    ]
    return joined(tag("h3", "Files that do not build"), tag("ul", items, class_="plain"))


def _parts(stage: Stage, course: Course) -> Markup | None:
    """Points by group of cases and by timed shape, with the tasks that they belong to."""
    rows = []
    for group in stage.groups:
        tasks = dict.fromkeys(c.task for c in stage.cases if c.group == group.name and c.task)
        open_cases = [
            c
            for c in stage.cases
            if c.group == group.name and c.status in ("PENDING", "GRADER_ERROR")
        ]
        pending = group.max_points * len(open_cases) / group.total if group.total else 0
        rows.append(
            [
                [group.title or group.name, [_task(task, course) for task in tasks]],
                f"{group.passed} of {group.total}",
                *_earned(group.points, pending, group.max_points),
            ]
        )
    for speed in stage.speed:
        if speed.max_points:
            rows.append(
                [
                    f"Speed: {speed.title or speed.name}",
                    badge(speed.status),
                    *_earned(speed.points, speed.pending_points, speed.max_points),
                ]
            )
    if not rows:
        return None
    head = ["Part", "Cases", "Points", "Share"]
    return joined(
        tag("h3", "Points"), table(f"Points of {stage.id}", head, rows, {2}, class_="parts")
    )


def _task(task: str, course: Course) -> Markup:
    title = course.tasks.get(task, "")
    return tag("span", tag("b", task), f" {title}" if title else None, class_="task")


def _earned(earned: float, pending: float, most: float) -> list[object]:
    still = tag("span", f" + {number(pending)} pending", class_="pending") if pending else None
    return [[points(earned, most), still], points_bar(earned, pending, most)]


def _what_is_wrong(stage: Stage, found: Failing, room: Room) -> Markup | None:
    if not found.causes and not found.not_started:
        return None
    parts: list[object] = [tag("h3", "What is wrong, and where to look")]
    for i, cause in enumerate(found.causes):
        parts.append(_cause(stage, cause, room))
        more = found.more.get(cause.first.op, [])
        is_last = not any(c.first.op == cause.first.op for c in found.causes[i + 1 :])
        if more and is_last:
            others = [_cause(stage, one, room) for one in more[: room.cases]]
            if len(more) > room.cases:
                others.append(tag("p", "The others are in the result file.", class_="aside"))
            many = count(sum(len(one.cases) for one in more), "more failing case")
            parts.append(folded([many, " of ", tag("code", cause.first.op)], others))
    if found.not_started:
        functions = [[tag("code", op), ", "] for op in found.not_started]
        functions[-1].pop()
        parts.append(tag("p", badge("NOT_STARTED"), " ", functions, ": nothing was written yet."))
    return joined(parts)


def _cause(stage: Stage, cause: Cause, room: Room) -> Markup:
    case = cause.first
    title = joined(tag("code", case.op), ": ", words(short_name(case) or f"the case {case.name}"))
    if case.status == "BUILD_FAILED":
        title = Markup("It does not build")
    return tag(
        "article",
        tag("h4", badge(case.status), " ", title),
        tag("p", words(case.message[: room.text]), class_="message", dir="auto")
        if case.message
        else None,
        tag("p", tag("b", "Hint: "), words(case.hint), class_="hint", dir="auto")
        if case.hint
        else None,
        map_figure(case.map) if case.map else None,
        _explains(cause),
        tag(
            "p",
            "To see it again: ",
            tag("code", f"./convkit check {_short(stage.id)} --case {case.name}"),
            class_="aside",
        ),
        folded("What it printed", said(case.printed, room, f"What {case.name} printed"))
        if case.printed
        else None,
        class_="cause",
    )


def _short(stage_id: str) -> str:
    digits = stage_id.split("_")[0]
    return str(int(digits)) if digits.isdigit() else stage_id


def _explains(cause: Cause) -> Markup | None:
    """The cases that the cause explains, the one that is told first."""
    names = [tag("li", tag("code", case.name)) for case in cause.cases]
    if len(names) == 1:
        return tag("p", "Seen in the case ", tag("code", cause.first.name), ".", class_="aside")
    some = tag("ul", names[:_NAMED], class_="names")
    rest = names[_NAMED:]
    return joined(
        tag("p", f"It explains {len(names)} cases:", class_="aside"),
        some,
        folded(f"{len(rest)} more", tag("ul", rest, class_="names")) if rest else None,
    )


def _hidden(found: Failing) -> Markup | None:
    """Of a hidden case its public sentence and nothing else, whatever the document holds."""
    if not found.hidden:
        return None
    items = []
    for (function, status), cases in found.hidden.items():
        said_of = dict.fromkeys(case.message for case in cases if case.message)
        sentences = tag("ul", [tag("li", words(sentence)) for sentence in said_of])
        many = [badge(status), " ", tag("code", function), f": {count(len(cases), 'hidden case')}"]
        like = folded("What they are like", sentences) if len(said_of) > _FEW else sentences
        items.append(tag("li", many, like if said_of else None))
    return joined(
        tag("h3", "Hidden cases that fail"),
        tag(
            "p",
            "Their values are not shown. A visible case of the same kind mostly shows the cause.",
            class_="aside",
        ),
        tag("ul", items, class_="plain hidden"),
    )


def _not_judged(found: Failing) -> Markup | None:
    if not found.unjudged:
        return None
    items = [
        tag(
            "li",
            badge(one.first.status),
            f" {count(len(one.cases), 'hidden case')}."
            if one.first.hidden
            else [
                f" {count(len(one.cases), 'case')}: ",
                words(one.first.message or "no reason is given."),
            ],
        )
        for one in found.unjudged
    ]
    return joined(tag("h3", "Not judged"), tag("ul", items, class_="plain"))


def _rest(stage: Stage, room: Room) -> Markup:
    parts: list[object] = []
    if stage.notes:
        notes = [tag("li", words(note), dir="auto") for note in stage.notes]
        parts += [tag("h3", "Notes"), tag("ul", notes)]
    if stage.log:
        warnings = stage.log.count("warning: ")
        words_ = f"Build log ({count(warnings, 'warning')})" if warnings else "Build log"
        parts.append(folded(words_, said(stage.log, room, "Build log")))
    if stage.cases:
        rows = [_case_row(case) for case in stage.cases]
        head = ["Case", "Function", "Status"]
        parts.append(
            folded(f"All {count(len(rows), 'case')}", table(f"Cases of {stage.id}", head, rows))
        )
    return joined(parts)


def _case_row(case: Case) -> list[object]:
    seen = tag("span", " hidden", class_="aside") if case.hidden else None
    return [[tag("code", case.name), seen], tag("code", case.op), badge(case.status)]
