# SPDX-License-Identifier: MIT
"""The operation of the stage: y = scale * x + shift, element by element."""

from __future__ import annotations

import numpy as np

from convkit_reference.ops.op import Op, Output, Param, Params, Tensors, size


def _scale_shift(p: Params, t: Tensors) -> dict[str, Output]:
    """Two roundings, or one in a fused multiply-add: |error| <= gamma(2) (|scale x| + |shift|)."""
    scale, shift = (float(np.float32(p[key])) for key in ("scale", "shift"))
    product = scale * t["x"].astype(np.float64)
    return {"y": Output(product + shift, 2, np.abs(product) + abs(shift))}


OPS = (
    Op(
        "scale_shift",
        {
            "size": size(),
            "scale": Param(None, None, None, float),
            "shift": Param(None, None, None, float),
        },
        inputs=lambda p: {"x": (p["size"],)},
        outputs=lambda p: {"y": (p["size"],)},
        compute=_scale_shift,
        distributions={"x": "uniform(-4, 4)"},
    ),
)
