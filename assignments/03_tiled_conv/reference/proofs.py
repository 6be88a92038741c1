# SPDX-License-Identifier: MIT
"""The operations of the stage are one convolution under three names, and its failing launch."""

from proof import CONV, CONV2D, Proof


def failing_launch(p, t):
    """CUDA's number of cudaErrorLaunchOutOfResources."""
    return (701,)


NAMES = ("conv2d_tiled_single", "conv2d_tiled", "conv2d_blocked")
PROOFS = dict.fromkeys(NAMES, CONV2D) | {
    f"{name}_failing": Proof(failing_launch, CONV, exact=True) for name in NAMES
}
