# SPDX-License-Identifier: MIT
"""By what a result was judged: enough to repeat it (docs/course.md, "An appeal")."""

from __future__ import annotations

from .frame import moment, name, section, table
from .markup import Markup, joined, tag


def judged_by(results: list[tuple[str, dict]]) -> Markup:
    """A table for each (what it is called, result)."""
    return section(
        "judged",
        "What judged it",
        tag(
            "p", "The same submission, kit, cases and nonce give the same verdicts.", class_="aside"
        ),
        [_facts(title, result) for title, result in results],
    )


def _facts(title: str, result: dict) -> Markup:
    submission = result.get("submission", {})
    rows: list[list[object]] = [
        ["Submission", name(submission.get("name", ""))],
        ["Its sha256", _digest(submission.get("sha256", ""))],
        ["Kit", result.get("kit_version", "")],
        ["Device", result.get("device", "")],
        ["Sandbox", result.get("sandbox", "")],
        ["Nonce", _digest(result.get("nonce", ""))],
        ["Started", moment(result["started"]) if "started" in result else ""],
    ]
    if compiler := result.get("depends", {}).get("compiler"):
        rows.append(["Compiler", compiler])
    for stage in result.get("stages", []):
        for one in stage.get("references", []):
            rows.append(
                [
                    f"{one['set'].capitalize()} cases of {stage['id']}",
                    [f"{one['cases']}, manifest ", _digest(one["manifest_sha256"])],
                ]
            )
    return joined(table(title, ["What", "Value"], rows, class_="facts"))


def _digest(text: str) -> Markup | None:
    return tag("code", text, class_="digest") if text else None
