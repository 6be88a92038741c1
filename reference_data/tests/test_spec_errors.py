# SPDX-License-Identifier: MIT
"""Every mistake in a spec gets one sentence with the file, the line and the key; exit code 2."""

import pytest

from convkit_reference.cli import main

_HEAD_LINES = 4  # lines of the default head in conftest.py; [[case]] follows two lines later

# The text that is replaced in the correct case, its replacement, the line, and the message.
_MISTAKES = {
    "unknown key": ('summary = "A small', 'colour = "A small', 5, 'unknown key "colour"'),
    "missing key": ('summary = "A small case"\n', "", 2, 'key "summary" is missing'),
    "unknown op": ('"conv2d_forward"', '"conv3d"', 4, 'unknown op "conv3d"'),
    "type of a key": ('name = "small"', "name = 3", 3, 'key "name" must be a string'),
    "name with a path": ('name = "small"', 'name = "../small"', 3, "name may only hold a-z"),
    "empty summary": ('"A small case"', '" "', 5, "summary must be one line"),
    "unknown parameter": ("h = 4", "h = 4, depth = 4", 6, "depth is an unknown key"),
    "missing parameter": ("kh = 2, ", "", 2, "kh is missing; conv2d_forward needs it"),
    "negative pad": ("kw = 3", "kw = 3, pad_w = -1", 6, "pad_w is -1; it must be at least 0"),
    "stride 0": ("kw = 3", "kw = 3, stride_h = 0", 6, "stride_h is 0; it must be at least 1"),
    "dilation 0": ("kw = 3", "kw = 3, dilation_h = 0", 6, "dilation_h is 0; it must be"),
    "size 0": ("h = 4", "h = 0", 6, "h is 0; it must be at least 1"),
    "fraction": ("h = 4", "h = 4.5", 6, "h is 4.5; it must be a whole number"),
    "boolean": ("h = 4", "h = true", 6, "h is True; it must be a whole number"),
    "string": ("h = 4", 'h = "4"', 6, "h is '4'; it must be a whole number"),
    "groups": ("kw = 3", "kw = 3, c = 4, m = 3, groups = 2", 6, "groups is 2; it must divide m"),
    "kernel too large": ("kw = 3", "kw = 8, pad_w = 1", 6, "kw is 8; the kernel reaches over 8"),
    "dilation too large": ("kw = 3", "kw = 3, dilation_h = 9", 6, "kh is 2; the kernel reaches"),
    "no int": ("h = 4", "h = 3000000000", 6, "h is 3000000000; it does not fit an int"),
    "overflow": ("h = 4, w = 5", "h = 60000, w = 70000", 6, "w is 70000; x would overflow"),
    "range upside down": ("h = 4", "h = [9, 4]", 6, "h is [9, 4]; a range is [low, high]"),
    "range of one": ("h = 4", "h = [4]", 6, "h is [4]; a range is [low, high]"),
    "range without hope": ("h = 4", "h = [1, 2], dilation_h = 9", 6, "kh finds no possible value"),
    "seed": ('op = "', 'seed = -1\nop = "', 4, "seed is -1; it must be from 0"),
    "count": ('op = "', 'count = 0\nop = "', 4, "count is 0; it must be from 1"),
    "jitter of a kernel": ("params", "jitter = { kh = 1 }\nparams", 6, "kh cannot be jittered"),
    "negative jitter": ("params", "jitter = { h = -1 }\nparams", 6, "h must be jittered by"),
    "unknown input": ("params", 'inputs = { z = "ones" }\nparams', 6, "z is not an input of"),
    "unknown distribution": (
        "params", 'inputs = { x = "normal(0, 1)" }\nparams', 6,
        'x asks for the unknown distribution "normal"',
    ),
    "not a distribution": ("params", "inputs = { x = 3 }\nparams", 6, "x is 3; write it like"),
    "argument missing": (
        "params", 'inputs = { x = "uniform(1)" }\nparams', 6, "write it as uniform(low, high)"
    ),
    "argument not a number": (
        "params", 'inputs = { x = "uniform(0, one)" }\nparams', 6, '"one" is not a number'
    ),
    "argument infinite": (
        "params", 'inputs = { x = "constant(1e39)" }\nparams', 6, "1e39 is not a finite float32"
    ),
    "ends exchanged": (
        "params", 'inputs = { x = "uniform(1, 0)" }\nparams', 6, "the lower end comes first"
    ),
    "ends not whole": (
        "params", 'inputs = { x = "integers(0, 1.5)" }\nparams', 6, "the ends are whole numbers"
    ),
    "digits of a wrong shape": (
        "params", 'inputs = { x = "digits" }\nparams', 6, "x is \"digits\" but has shape 1x1x4x5"
    ),
    "no such weights": (
        "params", 'inputs = { w = "weights(alexnet)" }\nparams', 6, "which does not exist"
    ),
    "weights of another layer": (
        "params", 'inputs = { w = "weights(lenet_mnist)" }\nparams', 6, "w is not in weights/"
    ),
    "broken TOML": ("h = 4,", "h = 4", 6, "not valid TOML"),
}  # fmt: skip


@pytest.mark.parametrize("what", _MISTAKES)
def test_a_mistake_names_file_line_and_key(what, write_spec, small_case, tmp_path, capsys):
    old, new, line, sentence = _MISTAKES[what]
    assert old in small_case
    path = write_spec(small_case.replace(old, new, 1))
    assert main(["--spec", str(path), "--out", str(tmp_path / "out")]) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"generate.py: {path}:{_HEAD_LINES + line}: ")
    assert sentence in message
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("head", "line", "sentence"),
    [
        ("", 1, 'key "stage" is missing'),
        ('stage = "one"\n', 1, 'key "stage" is missing or not like'),
        ('# a comment\nstage = "90_sample"\nauthor = "me"\n', 3, 'unknown key "author"'),
        ('stage = "90_sample"\n[defaults.conv3d]\n', 2, 'unknown op "conv3d"'),
        ('stage = "90_sample"\n[defaults.relu_forward]\nname = "x"\n', 3, 'unknown key "name"'),
        ('stage = "90_sample"\n[defaults.relu_forward]\ntask = 1\n', 3, 'key "task" must be'),
        ('stage = "90_sample"\ndefaults = 3\n', 2, 'key "defaults" is not a table'),
    ],
)
def test_a_mistake_in_the_head_names_its_line(head, line, sentence, write_spec, capsys):
    path = write_spec(head=head)
    assert main(["--spec", str(path), "--list"]) == 2
    assert f"{path}:{line}: " in (message := capsys.readouterr().err)
    assert sentence in message


def test_the_stage_of_another_folder_is_refused_before_its_cases_are_overwritten(
    write_spec, tmp_path, capsys
):
    spec = write_spec()
    folder = tmp_path / "91_other"
    folder.mkdir()
    (tmp_path / "reference").rename(folder / "reference")
    spec = spec.rename(folder / spec.name)
    assert main(["--spec", str(spec), "--out", str(tmp_path / "out")]) == 2
    sentence = 'key "stage" is "90_sample" in the folder 91_other.'
    assert capsys.readouterr().err == f"generate.py: {spec}:1: {sentence}\n"
    assert not (tmp_path / "out").exists()


def test_a_mistake_in_the_defaults_of_an_op_names_the_line_there(write_spec, capsys):
    head = 'stage = "90_sample"\n[defaults.conv2d_forward]\ntask = "90.1"\ngroup = "conv"\n'
    path = write_spec(head=head + "params = { pad_h = -2 }\n")
    assert main(["--spec", str(path), "--list"]) == 2
    assert f"{path}:5: " in capsys.readouterr().err


def test_a_mistake_in_the_second_case_names_the_line_there(write_spec, small_case, capsys):
    second = small_case.replace("small", "other").replace("h = 4", "h = -4")
    path = write_spec(small_case + second)
    assert main(["--spec", str(path), "--list"]) == 2
    assert f'{path}:{_HEAD_LINES + 12}: case "other": h is -4' in capsys.readouterr().err


def test_a_comment_that_names_the_key_is_not_mistaken_for_it(write_spec, small_case, capsys):
    case = small_case.replace("params", "# stride_h = 0 would be wrong\nparams")
    path = write_spec(case.replace("kw = 3", "kw = 3, stride_h = 0"))
    assert main(["--spec", str(path), "--list"]) == 2
    assert f"{path}:{_HEAD_LINES + 7}: " in capsys.readouterr().err


def test_two_cases_of_one_name_are_refused(write_spec, small_case, capsys):
    path = write_spec(small_case + small_case)
    assert main(["--spec", str(path), "--list"]) == 2
    message = capsys.readouterr().err
    assert f'{path}:{_HEAD_LINES + 9}: case "small" is already defined in line 7' in message


def test_a_counted_case_clashes_with_one_that_has_its_number(write_spec, small_case, capsys):
    counted = small_case.replace('op = "', 'count = 3\nop = "')
    path = write_spec(counted + small_case.replace('"small"', '"small_02"'))
    assert main(["--spec", str(path), "--list"]) == 2
    assert 'case "small_02" is already defined' in capsys.readouterr().err


def test_a_mistake_in_a_hidden_case_shows_without_a_secret(write_spec, small_case, capsys):
    path = write_spec(
        small_case.replace("params", "visible = false\nparams").replace("h = 4", "h = 0")
    )
    assert main(["--spec", str(path), "--list"]) == 2
    assert "h is 0" in capsys.readouterr().err


def test_a_spec_without_cases_is_refused(write_spec, capsys):
    assert main(["--spec", str(write_spec("")), "--list"]) == 2
    assert 'key "case" is missing' in capsys.readouterr().err


def test_a_spec_that_does_not_exist_is_named(tmp_path, capsys):
    assert main(["--spec", str(tmp_path / "no.toml")]) == 2
    assert f"{tmp_path / 'no.toml'}: cannot read the spec: No such file" in capsys.readouterr().err


def test_a_spec_that_is_not_text_is_named(tmp_path, capsys):
    (tmp_path / "01.toml").write_bytes(b"\xff\xfe\x00")
    assert main(["--spec", str(tmp_path / "01.toml")]) == 2
    assert "is not UTF-8 text" in capsys.readouterr().err


def test_a_python_without_a_toml_parser_says_what_to_install(write_spec, monkeypatch, capsys):
    from convkit_reference import toml_text

    monkeypatch.setattr(toml_text, "tomllib", None)
    assert main(["--spec", str(write_spec()), "--list"]) == 2
    assert "or the tomli package on Python 3.10: apt install" in capsys.readouterr().err


def test_nothing_is_written_when_the_last_case_is_wrong(write_spec, small_case, tmp_path):
    last = small_case.replace("small", "last").replace("h = 4", "h = 0")
    path = write_spec(small_case + last)
    assert main(["--spec", str(path), "--out", str(tmp_path / "out")]) == 2
    assert not list(tmp_path.glob("out/*.npz"))


@pytest.mark.parametrize(
    ("op", "params", "sentence"),
    [
        ("max_pool2d_forward", "h = 4, w = 4, pad_h = 2", "pad_h is 2; with kh = 2 a window"),
        ("avg_pool2d_forward", "h = 4, w = 1", "kw is 2; the padded input has only 1"),
        ("avg_pool2d_forward", "h = 4, w = 4, count_padding = 2", "count_padding is 2; it must be"),
        ("leaky_relu_forward", 'size = 4, slope = "x"', "slope is 'x'; it must be a number"),
        ("leaky_relu_forward", "size = 4, slope = nan", "slope is nan"),
    ],
)
def test_other_ops_have_their_own_rules(op, params, sentence, write_spec, small_case, capsys):
    case = small_case.replace("conv2d_forward", op).replace("h = 4, w = 5, kh = 2, kw = 3", params)
    case += 'task = "90.0"\ngroup = "other"\n'
    assert main(["--spec", str(write_spec(case)), "--list"]) == 2
    assert sentence in capsys.readouterr().err
