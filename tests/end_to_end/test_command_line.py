# SPDX-License-Identifier: MIT
"""The command line itself: help, suggestions, completion, colours, exit codes."""

import re
import subprocess

import pytest
from driver import PASSED, ROOT, STAGE, USED_WRONGLY, Terminal

STAGES = sorted(folder.name for folder in (ROOT / "assignments").iterdir())
COMMANDS = [
    "list",
    "start",
    "check",
    "show",
    "bench",
    "profile",
    "submit",
    "grade",
    "refgen",
    "verify",
    "cc",
    "doctor",
    "demo",
    "completion",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_has_an_example(convkit, command):
    ran = convkit.run(command, "--help")
    assert ran.code == PASSED
    assert re.search(rf"Example:\n  .*\./convkit {command}", ran.out)
    assert ran.err == ""


def test_help_names_every_command(convkit):
    ran = convkit.run("--help")
    assert ran.code == PASSED
    for command in COMMANDS:
        assert re.search(rf"^  {command}\s", ran.out, re.MULTILINE)


def test_version_is_one_line(convkit):
    ran = convkit.run("--version")
    assert (ran.code, ran.err) == (PASSED, "")
    assert re.fullmatch(r"convkit \d+\.\d+\.\d+\n", ran.out)


@pytest.mark.parametrize("typed, meant", [("chek", "check"), ("gradee", "grade"), ("lst", "list")])
def test_an_unknown_command_is_answered_with_the_nearest(convkit, typed, meant):
    ran = convkit.run(typed, 1)
    assert ran.code == USED_WRONGLY
    sentence = f"There is no command `{typed}`. Did you mean `{meant}`? See ./convkit --help.\n"
    assert ran.err == sentence


def test_an_unknown_option_is_answered_with_the_nearest(convkit):
    for words, said in (
        (("check", 2, "--devcie", "cpu"), "There is no option --devcie. Did you mean --device?"),
        (("check", 2, "--cpu", "--devcie"), "There is no option --cpu. Did you mean --device cpu?"),
        (("check", 1, "-t", "01.3"), "There is no option -t. Did you mean --task?"),
        (("bench", 1, "--swep"), "There is no option --swep. Did you mean --sweep?"),
    ):
        ran = convkit.run(*words)
        assert (ran.code, ran.out) == (USED_WRONGLY, "")
        assert ran.err == f"{said}\nSee ./convkit {words[0]} --help.\n"


def test_an_option_that_stands_for_a_command_is_told_with_its_command(convkit):
    ran = convkit.run("hint", 2)
    assert ran.code == USED_WRONGLY
    assert ran.err.startswith(
        "There is no command `hint`. It is an option: ./convkit check --hint."
    )


def test_without_a_command_convkit_says_what_to_do(convkit):
    ran = convkit.run()
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert ran.err.startswith("Say what to do: ./convkit list ")


def test_an_installed_kit_names_commands_as_they_are_typed(convkit):
    installed = {"CONVKIT_COMMAND": "convkit"}
    for command in (["--help"], ["check", "--help"], ["list"], ["chek", 1], []):
        ran = convkit.run(*command, env=installed)
        assert "convkit " in ran.out + ran.err
        assert "./convkit" not in ran.out + ran.err
    started = convkit.run("start", 1, env=installed)
    assert started.out.endswith("then run convkit check 1\n")
    # A path is not a command.
    for path in ("../convkit", "./convkit/x"):
        assert path in convkit.run("grade", path, env=installed).err


def test_refgen_lists_the_cases(convkit):
    ran = convkit.run("refgen", "--stage", 1, "--list")
    assert ran.code == PASSED, ran.err
    assert "one_channel_3x3" in ran.out


@pytest.mark.parametrize("below", ["", "folder"])
def test_a_file_is_no_folder_of_refgen(convkit, tmp_path, below):
    (tmp_path / "file").write_text("mine")
    ran = convkit.run("refgen", "--stage", 1, "--seed", "x", "--out", tmp_path / "file" / below)
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert f"--out takes a folder, and {tmp_path / 'file'} is a file." in ran.err
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("option", ["--seed", "--stage", "--out"])
def test_an_empty_variable_of_the_shell_is_no_value_of_refgen(convkit, option):
    ran = convkit.run("refgen", "--list", option, "")
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert f"{option}: an empty text is no value." in ran.err


def test_show_prints_a_small_case_in_full(convkit):
    ran = convkit.run("show", 1, "one_channel_3x3")
    assert ran.code == PASSED, ran.err
    assert ran.out.startswith(f"{STAGE} / one_channel_3x3: ")
    assert "Task 01.1, conv2d_forward\n" in ran.out
    assert re.search(r"^  .*kh = 3, kw = 3", ran.out, re.M)
    for what in ("input x", "input w", "expected y"):
        pattern = rf"^{what} ((?:\[\d+\])+)\n([\s\S]*?)(?:\n\n|\Z)"
        head, table = re.search(pattern, ran.out, re.M).groups()
        dims = [int(dim) for dim in re.findall(r"\d+", head)]
        rows = [row.split() for row in table.splitlines() if "[" not in row]
        assert len(rows) == dims[0] * dims[1] * dims[2]
        assert {len(row) for row in rows} == {dims[3]}


def test_show_of_a_large_tensor_says_its_range_and_prints_it_on_demand(convkit):
    ran = convkit.run("show", 1, "lenet_ten_digits")
    said = r"^input x .*\n  \d+ elements from \S+ to \S+; --all prints them$"
    assert re.search(said, ran.out, re.M)
    assert len(convkit.run("show", 1, "lenet_ten_digits", "--all").out) > 10 * len(ran.out)


def test_show_names_the_nearest_case_and_those_that_are_not_stored(convkit):
    ran = convkit.run("show", 1, "one_chanel_3x3")
    assert ran.code == USED_WRONGLY
    assert "Did you mean `one_channel_3x3`?" in ran.err
    toml = (ROOT / "assignments" / STAGE / "stage.toml").read_text()
    drawn = re.search(r'\[\[drawn\]\]\nname = "(\w+)"', toml)[1]
    ran = convkit.run("show", 1, drawn)
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert f"{drawn} is not stored" in ran.err


def listed(convkit, *seed: object, stdin=subprocess.DEVNULL) -> str:
    """The hidden cases of a secret, with their sizes."""
    command = [convkit.binary, "refgen", "--stage", "1", "--list", *map(str, seed)]
    ran = subprocess.run(
        command, env=convkit.environment, text=True, capture_output=True, check=False, **stdin
    )
    assert ran.returncode == PASSED, ran.stderr
    return ran.stdout


def test_the_secret_of_a_hidden_set_need_not_stand_on_the_command_line(convkit, tmp_path):
    nothing = {"stdin": subprocess.DEVNULL}
    wanted = listed(convkit, "--seed", "autumn 2026", stdin=nothing)
    file = tmp_path / "secret.txt"
    file.write_text("autumn 2026\n")
    assert listed(convkit, "--seed-file", file, stdin=nothing) == wanted
    assert listed(convkit, "--seed-file", "-", stdin={"input": "autumn 2026"}) == wanted
    assert listed(convkit, "--seed", "other", stdin=nothing) != wanted


def test_a_secret_typed_at_a_terminal_is_not_shown(convkit):
    wanted = listed(convkit, "--seed", "autumn", stdin={"stdin": subprocess.DEVNULL})
    terminal = Terminal(convkit, "refgen", "--stage", 1, "--list", "--seed-file", "-")
    for prompt in ("Secret seed", "once more"):
        terminal.wait_for(prompt)
        terminal.type("autumn\n")
    assert terminal.end() == PASSED
    assert "autumn" not in terminal.seen
    assert wanted.split() == terminal.seen.split()[-len(wanted.split()) :]


def test_two_secrets_that_differ_are_refused(convkit):
    terminal = Terminal(convkit, "refgen", "--stage", 1, "--list", "--seed-file", "-")
    for prompt, secret in (("Secret seed", "autumn\n"), ("once more", "autum\n")):
        terminal.wait_for(prompt)
        terminal.type(secret)
    assert terminal.end() == USED_WRONGLY
    assert "the two secret seeds differ." in terminal.seen


def test_seed_and_seed_file_exclude_each_other(convkit, tmp_path):
    ran = convkit.run("refgen", "--list", "--seed", "a", "--seed-file", tmp_path / "b")
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert "--seed" in ran.err and len(ran.err.splitlines()) == 2


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_a_time_that_is_none_is_refused_in_one_sentence(convkit, seconds):
    ran = convkit.run("bench", 1, "--seconds", seconds)
    assert (ran.code, ran.out) == (USED_WRONGLY, "")
    assert ran.err.splitlines()[0] == f"--seconds: {seconds} is not a number above 0."


def test_two_swapped_letters_are_one_slip(convkit):
    assert "Did you mean `check`?" in convkit.run("chekc", 1).err


@pytest.mark.parametrize("arguments", [["--wacth"], ["--case"], ["--seconds", "soon"]])
def test_a_wrong_option_is_named_and_help_is_offered(convkit, arguments):
    ran = convkit.run("bench" if "--seconds" in arguments else "check", 1, *arguments)
    assert ran.code == USED_WRONGLY
    assert arguments[0] in ran.err
    assert re.search(r"See \./convkit (check|bench) --help\.\n$", ran.err)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_completion_script_parses(convkit, shell):
    script = convkit.run("completion", shell).out
    parsed = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
    assert (parsed.returncode, parsed.stderr) == (0, "")


@pytest.mark.parametrize(
    "words, expected",
    [
        ("che", ["check"]),
        ("check --wat", ["--watch"]),
        ("check --dev", ["--device"]),
        ("start 01", [STAGE]),
        ("start 0", STAGES),
        ("grade --gradesc", ["--gradescope"]),
    ],
)
def test_bash_completes(convkit, words, expected):
    typed = ["convkit", *words.split()]
    script = convkit.run("completion", "bash").out + (
        f"\ncd /; PATH={convkit.binary.parent}:$PATH\n"
        f"COMP_WORDS=({' '.join(typed)}); COMP_CWORD={len(typed) - 1}; _convkit\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    ran = subprocess.run(
        ["bash"], input=script, text=True, capture_output=True, env=convkit.environment
    )
    assert ran.stdout.split() == expected


def test_output_to_a_file_or_pipe_has_no_colours(convkit):
    convkit.run("start", 1)
    ran = convkit.run("check", 1, "-v")
    assert "\x1b" not in ran.out + ran.err and "\r" not in ran.out + ran.err


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_a_terminal_without_colours_gets_none(convkit, env):
    convkit.run("start", 1)
    terminal = Terminal(convkit, "check", 1, "--case", "dense_batch", env=env)
    terminal.end()
    assert "NOT_STARTED" in terminal.seen
    assert not re.search(r"\x1b\[[0-9;]*m", terminal.seen)


def test_a_terminal_gets_colours_and_sees_what_runs_now(convkit):
    convkit.run("start", 1)
    terminal = Terminal(convkit, "check", 1, "--case", "dense_batch")
    terminal.end()
    assert "\x1b[33mNOT_STARTED" in terminal.seen
    assert f"{STAGE}: case dense_batch (1 of 1)" in terminal.seen
