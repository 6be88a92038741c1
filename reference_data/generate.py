#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the reference cases of a stage from its spec, or checks those that are there."""

import sys


def give_up(sentence):
    print("generate.py " + sentence, file=sys.stderr)
    sys.exit(3)


# An old Python must be able to read this file and print the message below: only Python 3.6 is used.
if sys.version_info < (3, 10):
    give_up("needs Python 3.10 or newer; this is Python " + sys.version.split()[0] + ".")

try:
    import numpy
except ImportError:
    give_up("needs NumPy 1.21 or newer: apt install python3-numpy, or pip install numpy.")

if tuple(map(int, numpy.__version__.split(".")[:2])) < (1, 21):
    give_up("needs NumPy 1.21 or newer; this is NumPy " + numpy.__version__ + ".")

from convkit_reference.cli import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
