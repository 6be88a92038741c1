# SPDX-License-Identifier: MIT
"""What only the operations of this stage must do, and its random shapes."""

from pathlib import Path

import numpy as np

from convkit_reference.cli import main
from convkit_reference.stages import operations

STAGE = Path(__file__).resolve().parents[2]
OPS = operations(STAGE)


def test_the_two_layout_changes_undo_each_other():
    params = dict(n=2, c=3, h=4, w=5)
    x = np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5)
    there = OPS["nchw_to_nhwc"].compute(params, {"x": x})["y"].value
    assert np.array_equal(OPS["nhwc_to_nchw"].compute(params, {"x": there})["y"].value, x)


def test_same_padding_takes_no_padding_of_its_own(tmp_path, capsys):
    spec = tmp_path / "cases.toml"
    spec.write_text(
        f'stage = "{STAGE.name}"\n[[case]]\nname = "same"\nop = "conv2d_same_forward"\n'
        'task = "01.0"\ngroup = "other"\nsummary = "A case"\n'
        "params = { h = 4, w = 4, kh = 1, kw = 1, pad_h = 1 }\n"
    )
    assert main(["--spec", str(spec), "--list"]) == 2
    assert 'pad_h is 1; "same"' in capsys.readouterr().err


def test_the_random_shapes_are_a_sound_spec(capsys):
    assert main(["--spec", str(STAGE / "reference" / "random_shapes.toml"), "--list"]) == 0
    assert capsys.readouterr().out.count("\n") == 200
