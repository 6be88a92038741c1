# SPDX-License-Identifier: MIT
"""What judged a submission: kit, compiler, device, sandbox and sets of cases, as a result names
them. Views, exports and repeated gradings say it with the same words."""

from __future__ import annotations


def judged_by(result: dict, stages: list[str] | None = None) -> dict[str, str]:
    """By what a reader calls it. `stages`: ids; None: all of the result."""
    depends = result.get("depends", {})
    found = {
        "kit": result.get("kit_version", ""),
        "compiler": depends.get("compiler", ""),
        "device": result.get("device", ""),
        "sandbox": result.get("sandbox", ""),
    }
    for stage in result.get("stages", []):
        if stages is not None and stage["id"] not in stages:
            continue
        for one in stage.get("references", []):
            text = f"{one['cases']}, {one['manifest_sha256'][:12]}"
            found[f"{one['set']} cases of {stage['id']}"] = text
    return {what: which for what, which in found.items() if which}


def in_one_line(result: dict) -> str:
    """ "kit 0.2.0, compiler g++ 12.2.0, ..."."""
    return "; ".join(f"{what} {which}" for what, which in judged_by(result).items())
