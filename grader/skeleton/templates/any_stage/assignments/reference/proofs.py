# SPDX-License-Identifier: MIT
"""The stage's operation once more: by a plain loop, and by NumPy's polynomials."""

import math

import numpy as np
from proof import Proof


def scale_shift(p, t):
    scale, shift = np.float32(p["scale"]).item(), np.float32(p["shift"]).item()
    terms = [(scale * float(x), shift) for x in t["x"]]
    values = [math.fsum(pair) for pair in terms]
    return np.array(values), np.array([math.fsum(map(abs, pair)) for pair in terms])


def _polynomial(p, t):
    return np.polyval([np.float32(p["scale"]), np.float32(p["shift"])], t["x"].astype(np.float64))


RANGES = {"size": (1, 40), "scale": (-3, 3), "shift": (-3, 3)}
PROOFS = {"scale_shift": Proof(scale_shift, RANGES, _polynomial)}
