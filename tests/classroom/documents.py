# SPDX-License-Identifier: MIT
"""Results to make pages of: whole ones, in which each part can be said otherwise."""

MAP = """y[0,1,:,:], 8 x 6; each character is 2 x 1 elements: . right  # wrong  N NaN
......
.####.
.#...#
NN...."""


def case(name="one", **told):
    return {
        "name": name,
        "group": "all",
        "task": "01.1",
        "op": "conv2d_forward",
        "status": "WRONG",
        "message": "12 of 12 outputs differ.",
        "hint": "",
        "hidden": False,
    } | told


def flipped(name, **told):
    words = {
        "message": f"{len(name)} outputs differ.\nThe kernel is flipped: `w[p]` is read.",
        "hint": "Read the handout.",
        "mistake": "flipped_kernel",
    }
    return case(name, **(words | told))


def speed(name="fast", **told):
    return {
        "name": name,
        "title": "2x64x56x56, 3x3",
        "status": "SLOW",
        "message": "4 times the baseline.",
        "points": 10,
        "max_points": 20,
        "pending_points": 0,
        "pairs": 7,
        "ratio": {"median": 4, "lower_quartile": 3.5, "upper_quartile": 4.5},
        "submission_ms": 2.5,
        "baseline_ms": 10,
        "gflops": 12,
    } | told


def pending_speed(name="fast", **told):
    kept = ("name", "title", "max_points")
    return (
        {k: v for k, v in speed(name).items() if k in kept}
        | {
            "status": "PENDING",
            "message": "Not measured in this run.",
            "points": 0,
            "pending_points": 20,
        }
        | told
    )


def stage(**told):
    return {
        "id": "01_cpu_conv",
        "title": "Convolution on the CPU",
        "status": "WRONG",
        "message": "3 of 5 cases pass.",
        "points": 58,
        "max_points": 100,
        "pending_points": 0,
        "build_s": 1,
        "run_s": 2,
        "notes": [],
        "references": [
            {"set": "visible", "cases": 5, "seed": None, "manifest_sha256": "c" * 64},
        ],
        "groups": [
            {
                "name": "all",
                "title": "Convolution",
                "passed": 3,
                "total": 5,
                "points": 48,
                "max_points": 80,
            }
        ],
        "cases": [case(n, status="PASS", message="") for n in "abc"] + [flipped("d"), flipped("e")],
        "speed": [speed()],
    } | told


def result(*stages, **told):
    stages = list(stages) or [stage()]
    total = {k: sum(s[k] for s in stages) for k in ("points", "max_points", "pending_points")}
    return (
        {
            "schema": "convkit-result-1",
            "kit_version": "1.2.3",
            "started": "2026-10-15T10:00:00Z",
            "device": "cpu",
            "sandbox": "Landlock + seccomp",
            "submission": {"name": "work.zip", "sha256": "a" * 64},
            "nonce": "b" * 64,
            "depends": {"compiler": "g++ 12"},
            "interrupted": False,
            "notes": [],
            "stages": stages,
        }
        | total
        | told
    )
