# SPDX-License-Identifier: MIT
"""What platforms accept, written from their documentation, each page by its title. Stricter than a
platform where looseness would hide a mistake: no unknown keys, and formats named."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

for folder in ("docs", "end_to_end"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / folder))

from schema_check import problems  # noqa: E402

SCORE = {"type": "number", "minimum": 0}
# No control characters but line ends and tabs: they are text, not colours for a terminal.
TEXT = {"type": "string", "pattern": "^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f]*$"}
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}

# Gradescope, "Autograder Specifications": "Output format", "Controlling Test Case Visibility",
# "Test case status" and "Output String Formatting". The output of the whole submission is HTML
# unless it has a format, so the format is required here.
GRADESCOPE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["score", "output", "output_format", "tests"],
    "properties": {
        "score": SCORE,
        "execution_time": SCORE,
        "output": TEXT,
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name"],
                "dependentRequired": {"score": ["max_score"], "max_score": ["score"]},
                "properties": {
                    "score": SCORE,
                    "max_score": SCORE,
                    "status": {"enum": ["passed", "failed"]},
                    "name": TEXT | {"minLength": 1},
                    "name_format": FORMAT,
                    "number": {"type": "string"},
                    "output": TEXT,
                    "output_format": FORMAT,
                    "tags": {"type": "array", "items": {"type": "string"}},
                    # "hidden" is never shown, and its points would be lost to the student's eyes.
                    "visibility": {"enum": ["after_due_date", "after_published", "visible"]},
                    "extra_data": {"type": "object"},
                },
            },
        },
        "leaderboard": {"type": "array"},
    },
}

# PrairieLearn, "External Grading": "Grading results". The file has at most 1 MB.
PRAIRIELEARN_MOST_BYTES = 1_000_000
PRAIRIELEARN = {
    "type": "object",
    "required": ["gradable", "score"],
    "properties": {
        "gradable": {"type": "boolean"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "message": TEXT,
        "output": TEXT,
        "format_errors": TEXT,
        "images": {"type": "array"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": TEXT | {"minLength": 1},
                    "description": TEXT,
                    "points": SCORE,
                    "max_points": SCORE,
                    "message": TEXT,
                    "output": TEXT,
                },
            },
        },
    },
}

# Autolab, "Guide for Lab Authors": the last line is the autoresult. "Formatted Feedback": the line
# before it; each name in `stages` is a key that holds the stage's tests.
AUTOLAB_RESULT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["scores"],
    "properties": {
        "scores": {"type": "object", "additionalProperties": {"type": "number"}},
        "scoreboard": {"type": "array", "items": {"type": ["number", "string"]}},
    },
}
AUTOLAB_PAGE = {
    "type": "object",
    "required": ["_presentation", "stages"],
    "properties": {
        "_presentation": {"const": "semantic"},
        "stages": {"type": "array", "items": {"type": "string"}},
    },
    "additionalProperties": {
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "required": ["passed"],
            "additionalProperties": False,
            "properties": {"passed": {"type": "boolean"}, "hint": TEXT},
        },
    },
}

# What GitHub's "autograding-grading-reporter" (README, and how it sums up) reads of each runner.
# Linux gives a variable of the environment at most 128 KiB, and base64 makes four bytes of three.
GITHUB_MOST_BYTES = 128 * 1024 * 3 // 4 - 1024
GITHUB = {
    "type": "object",
    "required": ["version", "status", "max_score", "tests"],
    "properties": {
        "version": {"const": 1},
        "status": {"enum": ["pass", "fail", "error"]},
        "max_score": SCORE,
        "tests": {
            "type": "array",
            "minItems": 1,  # it divides by their number
            "items": {
                "type": "object",
                "required": ["name", "status", "score"],
                "properties": {
                    "name": TEXT | {"minLength": 1},
                    "status": {"enum": ["pass", "fail", "error"]},
                    "score": SCORE,
                    "message": TEXT,
                },
            },
        },
    },
}

# GitHub, "Workflow syntax for GitHub Actions": the parts that a workflow of ours has.
WORKFLOW = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "on", "permissions", "jobs"],
    "properties": {
        "name": {"type": "string"},
        "on": {"type": "array", "items": {"enum": ["push", "repository_dispatch"]}},
        "permissions": {
            "type": "object",
            "additionalProperties": {"enum": ["read", "write", "none"]},
            "required": ["checks", "actions", "contents"],
        },
        "jobs": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "required": ["runs-on", "steps"],
                "properties": {
                    "name": {"type": "string"},
                    "runs-on": {"type": "string"},
                    "if": {"type": "string"},
                    "timeout-minutes": {"type": "integer"},
                    "steps": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["name"],
                            "dependentRequired": {"run": ["shell"], "with": ["uses"]},
                            "properties": {
                                "id": {"pattern": "^[A-Za-z_][A-Za-z0-9_-]*$"},
                                "name": {"type": "string"},
                                "if": {"type": "string"},
                                "uses": {"pattern": "^[\\w.-]+/[\\w.-]+@v\\d+$"},
                                "with": {"type": "object"},
                                "run": {"type": "string"},
                                "shell": {"const": "bash"},
                                "env": {
                                    "type": "object",
                                    "additionalProperties": {"type": "string"},
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def not_json(constant: str):
    raise AssertionError(f"{constant} is not JSON")


def parse(text: str):
    """JSON as platforms read it: without NaN and Infinity, which Python accepts."""
    return json.loads(text, parse_constant=not_json)


def faults(schema: dict, value) -> list[str]:
    return [fault[:300] for fault in problems(value, schema)]


def gradescope_faults(text: str) -> list[str]:
    page = parse(text)
    found = faults(GRADESCOPE, page)
    if found or not page["tests"]:
        return found
    total = sum(test.get("score", 0) for test in page["tests"])
    if abs(total - page["score"]) > 0.01 * len(page["tests"]):
        found.append(f"the tests' points are {total}, the score is {page['score']}")
    return found


def prairielearn_faults(text: str) -> list[str]:
    page = parse(text)
    found = faults(PRAIRIELEARN, page)
    if page.get("gradable") is False and not page.get("format_errors"):
        found.append("not gradable, and no format_errors say why")
    if len(text.encode()) > PRAIRIELEARN_MOST_BYTES:
        found.append(f"{len(text.encode())} bytes")
    return found


def autolab_faults(text: str) -> list[str]:
    lines = text.splitlines()
    if len(lines) < 2:
        return ["the page and the autoresult are a line each"]
    page = parse(lines[-2])
    found = faults(AUTOLAB_RESULT, parse(lines[-1])) + faults(AUTOLAB_PAGE, page)
    listed = set(page.get("stages", []))
    return found + [
        f"{n} is not among stages" for n in set(page) - listed - {"_presentation", "stages"}
    ]


def github_faults(text: str) -> list[str]:
    page = parse(text)
    found = faults(GITHUB, page)
    if len(text.encode()) > GITHUB_MOST_BYTES:
        found.append(f"{len(text.encode())} bytes")
    return found


def junit_faults(text: str) -> list[str]:
    schema = Path(__file__).with_name("junit.xsd")
    command = ["xmllint", "--noout", "--schema", schema, "-"]
    try:
        ran = subprocess.run(command, input=text, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("xmllint is not installed (libxml2-utils)")
    return [] if ran.returncode == 0 else ran.stderr.splitlines()


FAULTS = {
    "gradescope": gradescope_faults,
    "prairielearn": prairielearn_faults,
    "autolab": autolab_faults,
    "github": github_faults,
    "junit": junit_faults,
}
