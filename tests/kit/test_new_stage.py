# SPDX-License-Identifier: MIT
"""A stage added with commands only, in a copy of the checkout: it is sound, and the rest stays."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONVKIT = Path(os.environ.get("CONVKIT_BINARY", ROOT / "build/default/bin/convkit"))
BUILD = CONVKIT.parent.parent
COPIED = ("assignments", "course.toml", "reference_data", "solutions", "starter", "VERSION")
LINKED = ("cpu_device", "grader", "runner", "runtime")
ACCEPTED, FAILED, USED_WRONGLY = 0, 3, 2

# A stage, the model stage for the same device, and their runners.
CPU = ("91_blur", "01_cpu_conv", [".runner"])
GPU = ("92_image_blur", "02_direct_conv", [".runner", ".runner_check"])


class Checkout:
    """A copy of the kit, and the programs of its build without the stages' runners."""

    def __init__(self, folder: Path):
        self.root, self.programs, self.cache = folder / "kit", folder / "bin", folder / "cache"
        self.root.mkdir()
        for name in COPIED:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "hidden")
                shutil.copytree(ROOT / name, self.root / name, ignore=ignored)
            else:
                shutil.copy(ROOT / name, self.root)
        for name in LINKED:
            (self.root / name).symlink_to(ROOT / name)
        self.programs.mkdir()
        for program in (CONVKIT.name, "convkit-author", "convkit-confine", "libconvkit_simt.so"):
            shutil.copy2(CONVKIT.parent / program, self.programs)
        if (CONVKIT.parent / "libconvkit_simt_check.so").exists():
            shutil.copy2(CONVKIT.parent / "libconvkit_simt_check.so", self.programs)

    def run(self, *arguments: str) -> subprocess.CompletedProcess:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CONVKIT_")}
        environment |= {
            "CONVKIT_ROOT": str(self.root),
            "CONVKIT_CACHE": str(self.cache),
            "CONVKIT_PYTHON": os.environ.get("CONVKIT_PYTHON", "python3"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return subprocess.run(
            [self.programs / CONVKIT.name, *arguments],
            env=environment, cwd=self.root, capture_output=True, text=True, timeout=300,
        )  # fmt: skip

    def files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for name in COPIED
            for path in sorted([self.root / name, *(self.root / name).rglob("*")])
            if path.is_file() and "__pycache__" not in path.parts
        }

    def build_runner(self, stage: str, model: str, suffix: str) -> None:
        """Builds as CMake does: the commands of the model's runner, with the stage's harness."""
        target = model + suffix
        ninja = ["ninja", "-C", str(BUILD)]
        if not (CONVKIT.parent / target).exists():
            subprocess.run([*ninja, target], check=True, capture_output=True)
        said = subprocess.run([*ninja, "-t", "commands", target], capture_output=True, text=True)
        commands = said.stdout.splitlines()
        compiled = [c for c in commands if f"{target}.dir/" in c and " -c " in c]
        words = shlex.split(compiled[-1])
        flags = [w for w in words[: words.index("-o")] if w not in ("-MD", "-MT", "-MF")]
        flags = [w for w in flags if not w.endswith((".o", ".o.d"))]
        folder = str(self.root / "assignments" / stage)
        flags = [w.replace(str(ROOT / "assignments" / model), folder) for w in flags]
        made = self.programs / f"{stage}{suffix}.o"
        compile_it = [*flags, "-o", str(made), "-c", f"{folder}/harness.cpp"]
        subprocess.run(compile_it, cwd=BUILD, check=True, capture_output=True)
        link = commands[-1].removeprefix(": && ").removesuffix(" && :")
        link = re.sub(rf"\S*{re.escape(target)}\.dir/\S+", str(made), link)
        link = link.replace(f"-o bin/{target}", f"-o {self.programs / (stage + suffix)}")
        # The sandbox opens the folder of the runner only, so its libraries are found there.
        link = link.replace(f"-rpath,{CONVKIT.parent}", f"-rpath,{self.programs}")
        subprocess.run(link, shell=True, cwd=BUILD, check=True, capture_output=True)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("new_stage"))


def proofs(verified: subprocess.CompletedProcess) -> list[str]:
    return [line for line in verified.stdout.splitlines() if line.startswith(("ok", "FAIL"))]


@pytest.mark.parametrize(("stage", "model", "runners"), [CPU, GPU], ids=["cpu", "gpu"])
def test_a_stage_made_by_commands_only_is_sound(checkout, stage, model, runners):
    before = checkout.files()
    made = checkout.run("new-stage", stage, *(["--gpu"] if model == GPU[1] else []))
    assert made.returncode == ACCEPTED, made.stderr
    for suffix in runners:
        checkout.build_runner(stage, model, suffix)

    verified = checkout.run("verify", "--stage", stage, "--device", "cpu", "--no-speed")
    assert verified.returncode == ACCEPTED, verified.stdout + verified.stderr
    shown = "\n".join(proofs(verified))
    for proof in ("starter graded", "solution graded", "variant ", "references", "handout"):
        assert proof in shown
    assert "100 of 100 points" in shown

    case = checkout.run("new-case", stage, "nine_numbers")
    assert case.returncode == ACCEPTED, case.stderr
    variant = checkout.run("new-variant", stage, "statement_left_out")
    assert variant.returncode == ACCEPTED, variant.stderr
    no_speed = ("verify", "--stage", stage, "--device", "cpu", "--no-speed", "--no-handouts")
    folder = checkout.root / "assignments" / stage
    ops = folder / "reference/ops.py"
    good = ops.read_text()
    ops.write_text("print('said before')\nOPS = (undefined,)\n")
    verified = checkout.run(*no_speed)
    ops.write_text(good)
    assert verified.returncode == FAILED, "the new texts are still to be written"
    sentence = re.escape(f"{ops}:2: NameError: name 'undefined' is not defined.")
    assert re.search(rf"references +{sentence}", verified.stdout)
    for name, key in (("cases.toml", "summary"), ("wrong/scale_shift.toml", "about")):
        assert re.search(rf"{name}:\d+: `{key}` is still to be written\.", verified.stdout)
        text = (folder / name).read_text()
        (folder / name).write_text(text.replace('= "TODO: one', '= "One'))
    assert len([line for line in proofs(verified) if line.startswith("FAIL")]) == 3
    assert checkout.run("refgen", "--stage", stage).returncode == ACCEPTED
    verified = checkout.run(*no_speed)
    assert verified.returncode == ACCEPTED, verified.stdout + verified.stderr
    assert "4 of 4 cases pass" in verified.stdout
    assert "variant statement_left_out" in verified.stdout

    after = checkout.files()
    assert {name: after.get(name) for name in before} == before
    own = ("assignments", "solutions", "starter", "reference_data/visible")
    own = tuple(f"{folder}/{stage}/" for folder in own)
    assert all(name.startswith(own) for name in after.keys() - before.keys())


def test_the_generators_own_tests_prove_the_new_operation(checkout):
    assert checkout.run("new-stage", "95_proven").returncode == ACCEPTED
    pytest_of_python = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        [*pytest_of_python, "reference_data/tests", "-k", "95_proven or scale_shift"],
        cwd=checkout.root, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == ACCEPTED, ran.stdout
    assert "passed" in ran.stdout and "failed" not in ran.stdout


def test_cmake_builds_a_runner_for_a_stage_that_is_new(checkout, tmp_path):
    assert checkout.run("new-stage", "94_found").returncode == ACCEPTED
    for name in ("CMakeLists.txt", "cmake", "command_line", "drawing", "process"):
        (checkout.root / name).symlink_to(ROOT / name)
    cache = (BUILD / "CMakeCache.txt").read_text()
    same = re.findall(r"^((?:CMAKE_CXX_COMPILER|CONVKIT_PREFIX):\w+=.*)$", cache, re.M)
    command = ["cmake", "-G", "Ninja", "-S", checkout.root, "-B", tmp_path]
    ran = subprocess.run([*command, *(f"-D{v}" for v in same)], capture_output=True, text=True)
    assert ran.returncode == ACCEPTED, ran.stderr
    assert "94_found.runner 94_found.runner\n" in (tmp_path / "bin/parts.txt").read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["new-stage", "blur"], "`blur` is no name of a stage"),
        (["new-stage", "93_Blur"], "`93_Blur` is no name of a stage"),
        (["new-stage", "00_blur"], "`00_blur` is no name of a stage"),
        (["new-stage", "93_../blur"], "`93_../blur` is no name of a stage"),
        (["new-stage", "01_cpu_conv"], "The stage 01_cpu_conv exists already."),
        (["new-stage", "01_blur"], "The number 01 is taken by 01_cpu_conv."),
        (["new-case", "1", "Odd-name"], "`Odd-name` is no name of a case"),
        (["new-case", "1", "fast_large"], "01_cpu_conv has a case fast_large already."),
        (["new-case", "1", "x", "--op", "gone"], "has no case of `gone` to copy from."),
        (["new-variant", "1", "a/b"], "`a/b` is no name of a variant"),
        (["new-variant", "1", "flipped_kernel"], "has a wrong variant flipped_kernel already."),
        (["new-variant", "2", "pass_grid_stride"], "has a wrong variant pass_grid_stride already."),
        (["new-variant", "1", "x", "--file", "gone.cpp"], "has no file gone.cpp."),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_in_one_sentence(checkout, arguments, sentence):
    before = checkout.files()
    ran = checkout.run(*arguments)
    assert ran.returncode == USED_WRONGLY
    assert sentence in ran.stderr and ran.stderr.count("\n") == 1
    assert checkout.files() == before


def test_a_new_case_that_cannot_be_made_leaves_the_cases_as_they_were(checkout):
    spec = checkout.root / "assignments/02_direct_conv/cases.toml"
    good = spec.read_text()
    spec.write_text(good.replace("size = 5 }", "size = 0 }"))
    before = checkout.files()
    ran = checkout.run("new-case", "2", "further")
    assert ran.returncode == FAILED and "size is 0" in ran.stderr
    assert checkout.files() == before
    spec.write_text(good)


def cases_of(checkout: Checkout, stage: str) -> dict[str, str]:
    """The text of each case of a stage's cases.toml."""
    texts = (checkout.root / "assignments" / stage / "cases.toml").read_text().split("[[case]]\n")
    return {re.search(r'^name = "(\w+)"', text, re.M)[1]: text for text in texts[1:]}


def test_a_new_case_is_visible_unless_all_cases_of_its_operation_are_hidden(checkout):
    stage = "03_tiled_conv"
    last = list(cases_of(checkout, stage))[-1]
    assert "visible = false" in cases_of(checkout, stage)[last], "this stage's last case is hidden"
    made = checkout.run("new-case", stage, "seen_by_students")
    assert made.returncode == ACCEPTED and "hidden sets only" not in made.stdout
    assert f"with the params of {last}" not in made.stdout
    assert "visible" not in cases_of(checkout, stage)["seen_by_students"]

    assert checkout.run("new-stage", "96_secret").returncode == ACCEPTED
    spec = checkout.root / "assignments/96_secret/cases.toml"
    hidden = '[[case]]\nname = "kept"\nop = "scale_shift_2"\nvisible = false\nsummary = "Kept"\n'
    text = spec.read_text()
    ops = spec.parent / "reference/ops.py"
    ops.write_text(ops.read_text() + "from dataclasses import replace\n"
                   'OPS += (replace(OPS[0], name="scale_shift_2"),)\n')  # fmt: skip
    defaults = re.search(r"\[defaults\.scale_shift\](.*?)\n\n", text, re.S)[1]
    params = re.search(r"^params = .*$", text, re.M)[0]
    both = f"[defaults.scale_shift_2]{defaults}\n\n{hidden}{params}\n"
    spec.write_text(f"{text}\n{both}")
    made = checkout.run("new-case", "96", "kept_too", "--op", "scale_shift_2")
    assert made.returncode == ACCEPTED, made.stderr
    assert "It is in hidden sets only, as kept is" in made.stdout
    assert "visible = false" in cases_of(checkout, "96_secret")["kept_too"]
    stored = (checkout.root / "reference_data/visible/96_secret/manifest.json").read_text()
    assert "kept_too" not in stored


def test_an_error_in_a_stages_python_is_passed_on_with_file_and_line(checkout):
    assert checkout.run("new-stage", "97_broken").returncode == ACCEPTED
    ops = checkout.root / "assignments/97_broken/reference/ops.py"
    ops.write_text("print('said before')\n\nraise ValueError('of two\\nlines')\n")
    sentence = f"{ops}:3: ValueError: of two lines."
    ran = checkout.run("new-case", "97", "further")
    assert ran.returncode == FAILED and ran.stderr.count("\n") == 1
    assert f"The cases of 97_broken could not be made: {sentence}" in ran.stderr
    ran = checkout.run("refgen", "--stage", "97")
    assert ran.returncode == FAILED and ran.stderr == f"generate.py: {sentence}\n"


def test_a_new_stage_that_cannot_be_made_leaves_nothing_behind(checkout):
    generator = checkout.root / "reference_data/generate.py"
    good = generator.read_text()
    generator.write_text("raise SystemExit('no generator')\n")
    ran = checkout.run("new-stage", "93_blur")
    assert ran.returncode == FAILED and "no generator" in ran.stderr
    generator.write_text(good)
    assert not [name for name in checkout.files() if "93_blur" in name]


@pytest.mark.parametrize("folder", sorted((ROOT / "solutions").iterdir()), ids=lambda f: f.name)
def test_every_stage_takes_a_new_case_and_a_new_variant(checkout, folder):
    """Their cases and solutions were written by hand, in many forms."""
    case = checkout.run("new-case", folder.name, "one_more")
    assert case.returncode == ACCEPTED, case.stderr
    wrong = checkout.root / "assignments" / folder.name / "wrong"
    before = {file: file.read_text() for file in wrong.glob("*.toml")}
    variant = checkout.run("new-variant", folder.name, "one_more")
    assert variant.returncode == ACCEPTED, variant.stderr
    after = {file: file.read_text() for file in wrong.glob("*.toml")}
    assert all(after[file].startswith(text) for file, text in before.items())
    (written,) = [text for text in after.values() if '\nname = "one_more"\n' in text]
    assert "TODO: the operation" not in written
