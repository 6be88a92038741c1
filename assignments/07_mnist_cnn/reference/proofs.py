# SPDX-License-Identifier: MIT
"""What each of the stage's own operations is proven by: naive.py, also on the committed cases."""

from proof import Proof

from . import naive

_NETS = {"net": (0, len(naive.NETS) - 1)}
_SEED = {"seed": (0, 99), "step": (0, 40)}
_SMALL = {"n": (1, 4), "c": (1, 3), "area": (1, 6)}
# Bounds that are carried through a whole network, or through a normalisation: worst cases of all
# layers on top of each other.
_CARRIED = 1 / 16

PROOFS = {
    "softmax_cross_entropy": Proof(naive.cross_entropy, {"n": (1, 5), "k": (4, 9)}),
    "batchnorm_forward": Proof(naive.batchnorm, _SMALL | {"n": (2, 4)}, narrow=_CARRIED),
    "batchnorm_backward": Proof(naive.batchnorm_backward, _SMALL, narrow=_CARRIED),
    "dropout_forward": Proof(naive.dropout, {"size": (1, 30)}),
    "batchnorm_fold": Proof(naive.fold, {"m": (1, 5), "taps": (1, 7)}, narrow=_CARRIED),
    "sgd_step": Proof(naive.sgd, {"size": (1, 20)}),
    "adam_step": Proof(naive.adam, {"size": (1, 20), "step": (0, 50)}),
    "initialise": Proof(
        naive.initialise,
        {"size": (1, 30), "fan_in": (1, 300), "fan_out": (1, 99), "xavier": (0, 1),
         "stream": (0, 20), "seed": (0, 2**31 - 1)},
    ),
    "learning_rate": Proof(
        naive.learning_rate, {"epochs": (1, 15), "schedule": (0, 2), "step_epochs": (1, 4)}
    ),
    "epoch_order": Proof(
        naive.epoch_order,
        {"count": (1, 60), "epoch": (0, 9), "seed": (0, 2**31 - 1)},
        exact=True,
    ),
    "network_start": Proof(naive.start, _NETS | {"seed": (0, 2**31 - 1)}),
    "network_forward": Proof(
        naive.forward,
        _NETS | {"n": (2, 3), "training": (0, 1)} | _SEED,
        trials=24,
        narrow=_CARRIED,
    ),
    "network_gradients": Proof(
        naive.gradients, {"net": (0, 3), "n": (2, 3)} | _SEED, trials=6, narrow=_CARRIED
    ),
    "network_predict": Proof(
        naive.predict, _NETS | {"count": (1, 3), "batch": (1, 4)}, trials=16, narrow=_CARRIED
    ),
    "train_steps": Proof(
        naive.train_steps,
        {"net": (0, 3), "count": (4, 7), "batch": (2, 4), "first": (0, 5), "steps": (1, 2),
         "optimizer": (0, 1), "schedule": (0, 1), "seed": (0, 99)},
        trials=8,
        noise=4e-9,  # each step of Adam divides a gradient that is zero but for rounding by 1e-8
        narrow=_CARRIED,
    ),
    "network_predict_again": Proof(
        naive.predict, _NETS | {"count": (1, 3), "batch": (1, 4)}, trials=8, narrow=_CARRIED
    ),
    "network_lifetime": Proof(
        lambda p, t: [1] * p["count"], _NETS | {"count": (1, 4), "batch": (1, 4)}, exact=True
    ),
}  # fmt: skip
